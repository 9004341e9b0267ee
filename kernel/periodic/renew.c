/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/periodic/renew.h"

#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/periodic/inspect.h"

/* Images that a worker takes at a time. */
enum { GRAIN = 256 };

static bool is_refused(const carom_image_job *job) {
    bool refused = false;
    for (uint32_t w = 0; w < job->team->workers; w++) {
        const carom_image_worker *worker = &job->workers[w];
        const bool large = worker->first_large != UINT64_MAX && !job->images->self_images;
        refused |= large || worker->first_bad != UINT64_MAX || worker->first_far != UINT64_MAX;
    }
    return refused;
}

carom_status carom_images_renew(carom_context *context, const carom_image_source *source, carom_images *images,
                                const carom_renewal *renewal, bool *refused, uint64_t *required) {
    const carom_work_need need = {CAROM_WORK_IMAGE_WORKERS, context->team.workers * sizeof(carom_image_worker)};
    CAROM_ASSERT(source->count == images->owned && source->count > 0);
    carom_status status = carom_context_reserve(context, &need, 1, required);
    if (status != CAROM_OK) {
        return status;
    }
    carom_image_job job = {.team = &context->team,
                           .source = source,
                           .images = images,
                           .workers = carom_context_work(context, CAROM_WORK_IMAGE_WORKERS),
                           .wrap = renewal->wrap};
    memcpy(job.field, renewal->field, sizeof job.field);
    carom_team_run(job.team, carom_inspect_and_move, &job);
    if (carom_team_stopped(job.team)) {
        return CAROM_ERROR_CANCELLED;
    }
    *refused = is_refused(&job);
    if (!*refused) {
        carom_image_job_merge_wraps(&job);
    }
    return CAROM_OK;
}

typedef struct copying {
    const carom_team *team;
    const carom_images *images;
    const carom_renewal *renewal;
} copying;

static void copy_image(const copying *c, uint64_t n) {
    const uint64_t owned = c->images->owned;
    const uint32_t owner = c->images->image[n].owner;
    for (int a = 0; a < 3; a++) {
        double *prev = c->renewal->field[a];
        double *curr = c->renewal->field[a + 3];
        prev[owned + n] = prev[owner] + c->renewal->by[a][n];
        curr[owned + n] = curr[owner] + c->renewal->by[a][n];
    }
    c->renewal->field[6][owned + n] = c->renewal->field[6][owner];
}

static void copy_images(void *data, uint32_t worker) {
    const copying *c = data;
    carom_walk walk = carom_team_walk(c->team, worker, c->images->count, GRAIN);
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin; n < walk.end; n++) {
            copy_image(c, n);
        }
    }
}

void carom_images_copy(const carom_team *team, const carom_images *images, const carom_renewal *renewal) {
    copying c = {team, images, renewal};
    carom_team_run_over(team, images->count, copy_images, &c);
}
