/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/detect/boxes_tmpl.h"

#include "kernel/check/assert.h"

typedef struct boxes_job {
    const carom_detect_job *job; /* whose bodies have the boxes */
    float *lo[3];                /* low and high corners, padded by CAROM_SIMD_PAD */
    float *hi[3];
} boxes_job;

static void write_boxes(void *data, uint32_t worker) {
    const boxes_job *boxes = data;
    const carom_detect_job *job = boxes->job;
    carom_walk walk = carom_team_walk(&job->context->team, worker, job->bodies->count, CAROM_SIMD_PAD);
    while (carom_walk_next(&walk)) {
        carom_kernels_of(job->context->simd)->bounds(job->bodies, walk.begin, walk.end, boxes->lo, boxes->hi);
    }
}

carom_status carom_boxes_stage(carom_detect_job *job) {
    CAROM_ASSERT(job->config->until == CAROM_UNTIL_BOUNDS);
    uint64_t padded = job->bodies->count + CAROM_SIMD_PAD;
    carom_work_need need = {CAROM_WORK_BOUNDS, 6 * padded * sizeof(float)};
    carom_status status = carom_job_reserve(job, &need, 1);
    if (status != CAROM_OK) {
        return status;
    }
    float *block = carom_context_work(job->context, CAROM_WORK_BOUNDS);
    boxes_job boxes = {.job = job};
    for (uint64_t a = 0; a < 3; a++) {
        boxes.lo[a] = block + a * padded;
        boxes.hi[a] = block + (a + 3) * padded;
        job->detection->lo[a] = boxes.lo[a];
        job->detection->hi[a] = boxes.hi[a];
    }
    carom_team_run(&job->context->team, write_boxes, &boxes);
    job->detection->summary.phase_bytes[CAROM_PHASE_BOUNDS] += (double)job->bodies->count * 6 * sizeof(float);
    carom_job_lap(job, CAROM_PHASE_BOUNDS);
    return CAROM_OK;
}
