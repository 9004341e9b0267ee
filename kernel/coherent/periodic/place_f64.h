/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The bodies of a step in the cell, and the images on the list. In: the caller's bodies. Out: step->images, which are
 * the bodies of the step's job. */
#ifndef CAROM_COHERENT_PERIODIC_PLACE_F64_H
#define CAROM_COHERENT_PERIODIC_PLACE_F64_H

#include "kernel/coherent/step_tmpl.h"

/* Hooks of a step. */
carom_status carom_periodic_place(carom_coherent_step *step);
bool carom_periodic_move(carom_coherent_step *step, uint64_t *escaped);
void carom_periodic_bound(carom_coherent_step *step);
carom_status carom_periodic_make_images(carom_coherent_step *step, const carom_bodies *listed);

/* The arrays of the placed bodies: prev, curr, radius. */
void carom_periodic_fields(const carom_coherent *state, double *field[CAROM_BODY_FIELDS]);

/* Body or image n, where it is in this step, displaced by `by`. */
carom_record carom_periodic_record(const carom_coherent_step *step, uint32_t n, const double by[3]);

/* The images of a body on the list: the first one's number, and that of the first which is not one. */
void carom_periodic_images_of(const carom_coherent_step *step, uint32_t body, uint64_t *begin, uint64_t *end);

/* The displacement of image n. */
void carom_periodic_image_by(const carom_coherent_step *step, uint64_t n, double by[3]);

#endif
