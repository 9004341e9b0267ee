/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies of a later step. In: the caller's bodies, and which images an earlier step made (images.h). Out: the bodies in
 * the cell and these images of them, to the bit as carom_images_make places them. The caller runs the workers, so that
 * they can use the bodies while these are in cache. */
#ifndef CAROM_PERIODIC_RENEW_H
#define CAROM_PERIODIC_RENEW_H

#include "kernel/periodic/image_job.h"

typedef struct carom_renewal {
    carom_image_job job; /* the caller sets team, source, images, grain, wrap and field */
    const double *by[3]; /* displacement of each image, as carom_lattice_displacement gives it; the caller sets it */
} carom_renewal;

/* Memory of the workers, in the context. Errors: MEMORY (with *required). */
carom_status carom_renew_start(carom_context *context, carom_renewal *renewal, uint64_t *required);

/* Puts bodies [begin, end) into the cell; see carom_inspect_and_move. */
void carom_renew_bodies(const carom_renewal *renewal, uint32_t worker, uint64_t first, uint64_t begin, uint64_t end);

/* After all bodies: sets images->wrap. False: some body is not finite, too far away or too large for the box;
 * carom_images_make says which. */
bool carom_renew_finish(carom_renewal *renewal);

/* After that: image n, of which the body number comes back. */
uint64_t carom_renew_image(const carom_renewal *renewal, uint64_t n);

#endif
