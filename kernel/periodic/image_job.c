/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/periodic/image_job.h"

#include <string.h>

#include "kernel/check/assert.h"

void carom_image_job_load(const carom_image_job *job, uint64_t begin, uint64_t end, carom_image_batch *batch) {
    CAROM_ASSERT(begin < end && end <= job->source->count);
    uint64_t left = end - begin;
    batch->count = left < CAROM_IMAGE_BATCH ? (uint32_t)left : CAROM_IMAGE_BATCH;
    job->source->load(job->source->bodies, begin, batch);
    for (uint32_t n = batch->count; n < CAROM_IMAGE_BATCH; n++) {
        for (int f = 0; f < CAROM_BODY_FIELDS; f++) {
            batch->field[f][n] = batch->field[f][0];
        }
    }
}

void carom_image_job_read(const carom_image_job *job, uint64_t body, double value[CAROM_BODY_FIELDS]) {
    CAROM_ASSERT(body < job->source->count);
    job->source->load_one(job->source->bodies, body, value);
}

void carom_image_job_load_owned(const carom_image_job *job, uint64_t begin, uint64_t end, carom_image_batch *batch) {
    carom_image_job_load(job, begin, end, batch);
    if (job->images->wrap != NULL) {
        carom_image_batch_move(&job->images->lattice, job->images->wrap + begin, batch);
    }
}

void carom_image_job_store(const carom_image_job *job, uint64_t at, const carom_image_batch *batch) {
    for (int f = 0; f < CAROM_BODY_FIELDS; f++) {
        memcpy(job->field[f] + at, batch->field[f], batch->count * sizeof(double));
    }
}

/* Workers that found no wraps have written none. */
void carom_image_job_merge_wraps(carom_image_job *job) {
    bool any = false;
    for (uint32_t w = 0; w < job->team->workers; w++) {
        any |= job->workers[w].wraps;
    }
    for (uint32_t w = 0; w < job->team->workers && any; w++) {
        carom_walk walk = carom_team_walk(job->team, w, job->source->count, job->grain);
        while (!job->workers[w].wraps && carom_walk_next(&walk)) {
            memset(job->wrap + walk.begin, 0, (walk.end - walk.begin) * sizeof *job->wrap);
        }
    }
    job->images->wrap = any ? (const int32_t(*)[3])job->wrap : NULL;
}
