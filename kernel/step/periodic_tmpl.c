/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/step/job_tmpl.h"
#include "kernel/step/periodic.h"

enum { AHEAD = 4 * CAROM_IMAGE_BLOCK, LINE_VALUES = CAROM_CACHE_LINE / sizeof(carom_real) };

/* One field of a block, while another block's, some way on, comes from memory: the blocks of seven arrays are too short
 * for the processor to see that they go on. */
static void load_field(const carom_real *restrict from, uint32_t count, double *restrict to) {
    for (uint32_t n = 0; n < count; n += LINE_VALUES) {
        __builtin_prefetch(from + AHEAD + n);
    }
    for (uint32_t n = 0; n < count; n++) {
        to[n] = (double)from[n];
    }
}

void CAROM_REAL(carom_periodic_load)(const void *bodies, uint64_t begin, carom_image_block *block) {
    const carom_bodies *from = bodies;
    for (int a = 0; a < 3; a++) {
        load_field(from->prev[a] + begin, block->count, block->field[a]);
        load_field(from->curr[a] + begin, block->count, block->field[a + 3]);
    }
    load_field(from->radius + begin, block->count, block->field[6]);
}

carom_status CAROM_REAL(carom_detect_images)(carom_detect_job *job) {
    if (job->images == NULL) {
        return CAROM_OK;
    }
    uint64_t required = 0;
    carom_status status = carom_images_make(job->context, job->source, job->images, &required, job->error);
    if (status == CAROM_ERROR_MEMORY) {
        return CAROM_REAL(carom_detect_no_memory)(job, required);
    }
    /* Two passes read the caller's bodies, one writes them and the images. */
    double read = 2.0 * (double)job->images->owned * (job->narrow ? sizeof(float) : sizeof(double));
    double written = (double)(job->images->owned + job->images->count) * sizeof(double);
    job->detection->summary.phase_bytes[CAROM_PHASE_BOUNDS] += CAROM_BODY_FIELDS * (read + written);
    return status;
}
