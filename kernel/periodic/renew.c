/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/periodic/renew.h"

#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/periodic/inspect.h"

carom_status carom_renew_start(carom_context *context, carom_renewal *renewal, uint64_t *required) {
    carom_image_job *job = &renewal->job;
    const carom_work_need need = {CAROM_WORK_IMAGE_WORKERS, context->team.workers * sizeof(carom_image_worker)};
    CAROM_ASSERT(job->source->count == job->images->owned && job->source->count > 0);
    CAROM_ASSERT(job->grain % CAROM_IMAGE_BATCH == 0 && job->grain > 0);
    carom_status status = carom_context_reserve(context, &need, 1, required);
    if (status == CAROM_OK) {
        job->workers = carom_context_work(context, CAROM_WORK_IMAGE_WORKERS);
        job->simd = context->simd;
        job->home.dimensions = job->images->lattice.dimensions;
        job->home.diameter = job->images->lattice.shortest;
        memcpy(job->home.dual, job->images->lattice.dual, sizeof job->home.dual);
        carom_inspect_start(job);
    }
    return status;
}

void carom_renew_bodies(const carom_renewal *renewal, uint32_t worker, uint64_t first, uint64_t begin, uint64_t end) {
    carom_inspect_and_move(&renewal->job, worker, first, begin, end);
}

bool carom_renew_finish(carom_renewal *renewal) {
    carom_image_job *job = &renewal->job;
    bool refused = false;
    for (uint32_t w = 0; w < job->team->workers; w++) {
        const carom_image_worker *worker = &job->workers[w];
        const bool large = worker->first_large != UINT64_MAX && !job->images->self_images;
        refused |= large || worker->first_bad != UINT64_MAX || worker->first_far != UINT64_MAX;
    }
    if (!refused) {
        carom_image_job_merge_wraps(job);
    }
    return !refused;
}

uint64_t carom_renew_image(const carom_renewal *renewal, uint64_t n) {
    const carom_image_job *job = &renewal->job;
    const uint32_t owner = job->images->image[n].owner;
    const uint64_t body = job->images->owned + n;
    CAROM_ASSERT(n < job->images->count && owner < job->images->owned);
    for (int a = 0; a < 3; a++) {
        job->field[a][body] = job->field[a][owner] + renewal->by[a][n];
        job->field[a + 3][body] = job->field[a + 3][owner] + renewal->by[a][n];
    }
    job->field[6][body] = job->field[6][owner];
    return body;
}
