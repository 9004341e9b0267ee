/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The time of impact of two bodies where they are in the scene. */
#ifndef CAROM_NARROW_MOVING_H
#define CAROM_NARROW_MOVING_H

#include "kernel/narrow/body.h"
#include "kernel/narrow/toi.h"

/* A valid body that does not rest, with its position relative to `origin`. */
void carom_moving_set(const carom_body_numbers *body, const carom_shape_entry *shape, const double origin[3],
                      carom_moving *moving);

/* Two valid bodies, i and k, relative to k's position. False if their difference overflows: then `found` is the answer. */
bool carom_moving_pair(const carom_body_numbers *i, const carom_shape_entry *shape_i, const carom_body_numbers *k,
                       const carom_shape_entry *shape_k, carom_moving moving[2], carom_toi_found *found);

/* Whether two that may touch approach, as carom/detect.h says. `found` is their answer, relative to k's position. */
bool carom_moving_approaches(const carom_moving moving[2], const carom_toi_found *found);

/* Puts the points of an answer relative to k's position into the scene. */
void carom_moving_place(const carom_body_numbers *k, carom_toi_found *found);

/* Of two valid bodies with their shapes. Points of the answer are in the scene. */
void carom_moving_find(const carom_body_numbers *i, const carom_shape_entry *shape_i, const carom_body_numbers *k,
                       const carom_shape_entry *shape_k, const carom_toi_task *task, carom_toi_found *found);

#endif
