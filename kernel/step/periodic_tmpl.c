/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/step/job_tmpl.h"
#include "kernel/step/periodic.h"

void CAROM_REAL(carom_periodic_load)(const void *bodies, uint64_t begin, carom_image_block *block) {
    const carom_bodies *from = bodies;
    for (int a = 0; a < 3; a++) {
        const carom_real *prev = from->prev[a] + begin;
        const carom_real *curr = from->curr[a] + begin;
        for (uint32_t n = 0; n < block->count; n++) {
            block->field[a][n] = (double)prev[n];
            block->field[a + 3][n] = (double)curr[n];
        }
    }
    for (uint32_t n = 0; n < block->count; n++) {
        block->field[6][n] = (double)from->radius[begin + n];
    }
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
