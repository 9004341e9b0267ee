/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies of a later step. In: the caller's bodies, and which images an earlier step made (images.h). Out: the bodies in
 * the cell and these images of them, to the bit as carom_images_make places them. */
#ifndef CAROM_PERIODIC_RENEW_H
#define CAROM_PERIODIC_RENEW_H

#include "kernel/periodic/images.h"

/* Memory of the bodies and of what places them. */
typedef struct carom_renewal {
    double *field[CAROM_BODY_FIELDS]; /* prev, curr, radius of bodies and images; written */
    int32_t (*wrap)[3];               /* one for each body; written; images->wrap points there */
    const double *by[3];              /* displacement of each image, as carom_lattice_displacement gives it */
} carom_renewal;

/* Puts the bodies of `source` into the cell and sets images->wrap. *refused: some body is not finite, too far away or
 * too large for the box; carom_images_make says which. O(bodies), in parallel. Errors: MEMORY (with *required),
 * CANCELLED. */
carom_status carom_images_renew(carom_context *context, const carom_image_source *source, carom_images *images,
                                const carom_renewal *renewal, bool *refused, uint64_t *required);

/* After that: the images; some of them if the team is stopped. O(images), in parallel. */
void carom_images_copy(const carom_team *team, const carom_images *images, const carom_renewal *renewal);

#endif
