/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/lists/shifts.h"

#include "kernel/check/assert.h"

typedef struct shifts_job {
    const carom_team *team;
    const carom_images *from;
    const carom_lists_images *images;
    const uint64_t *offset;
    uint32_t *row;
    uint32_t *pair[2];
    uint64_t pairs;
    int32_t *shift[3];
} shifts_job;

/* Splits keys [begin, end), of edges of the reduced basis, into bodies and shifts. */
static void split_reduced(const shifts_job *job, uint64_t begin, uint64_t end) {
    for (uint64_t n = begin; n < end; n++) {
        int32_t shift[3];
        carom_lists_key_shift(job->images, job->row[n], shift);
        for (int a = 0; a < 3; a++) {
            job->shift[a][n] = shift[a];
        }
        job->row[n] >>= 3 * CAROM_LISTS_STEP_BITS;
    }
}

/* Splits keys [begin, end), of the caller's edges, into bodies and shifts; `more` is added to each shift. */
static inline __attribute__((always_inline)) void split_row(const shifts_job *job, uint64_t begin, uint64_t end,
                                                            const int32_t more[3], uint32_t axis_bits) {
    uint32_t *row = job->row;
    int32_t *shift[3] = {job->shift[0], job->shift[1], job->shift[2]};
    for (uint64_t n = begin; n < end; n++) {
        const uint32_t key = row[n];
        for (int a = 0; a < 3; a++) {
            shift[a][n] = more[a] + carom_lists_key_edges(key, a, axis_bits);
        }
        row[n] = key >> 3 * axis_bits;
    }
}

/* A shift is the edges in the key, and those that were taken from the row's own body. */
static void split_rows(void *data, uint32_t worker) {
    const shifts_job *job = data;
    carom_walk walk = carom_team_walk(job->team, worker, job->from->owned, CAROM_SIMD_PAD);
    const bool wrapped = job->images->wrap != NULL;
    while (carom_walk_next(&walk)) {
        if (job->images->reduced) {
            split_reduced(job, job->offset[walk.begin], job->offset[walk.end]);
        } else if (!wrapped) {
            split_row(job, job->offset[walk.begin], job->offset[walk.end], (int32_t[3]){0, 0, 0},
                      CAROM_LISTS_STEP_BITS);
        }
        for (uint64_t b = walk.begin; b < walk.end && wrapped; b++) {
            split_row(job, job->offset[b], job->offset[b + 1], job->images->wrap[b], CAROM_LISTS_WRAP_BITS);
        }
    }
}

/* For keys that do not count what was taken from bodies' places. */
static void add_wrap(const shifts_job *job, uint32_t body, uint32_t neighbour, uint64_t entry) {
    for (int a = 0; a < 3; a++) {
        job->shift[a][entry] += carom_images_wrap(job->from, body, a) - carom_images_wrap(job->from, neighbour, a);
    }
}

static void add_wraps(void *data, uint32_t worker) {
    const shifts_job *job = data;
    carom_walk walk = carom_team_walk(job->team, worker, job->from->owned, CAROM_SIMD_PAD);
    while (carom_walk_next(&walk)) {
        for (uint64_t b = walk.begin; b < walk.end; b++) {
            for (uint64_t n = job->offset[b]; n < job->offset[b + 1]; n++) {
                add_wrap(job, (uint32_t)b, job->row[n], n);
            }
        }
    }
}

/* Keys count what was taken from their bodies' places, so the shift is the difference of their edges. */
static void split_pairs(void *data, uint32_t worker) {
    const shifts_job *job = data;
    const uint32_t axis_bits = job->images->axis_bits;
    const bool wraps_left = job->from->wrap != job->images->wrap;
    carom_walk walk = carom_team_walk(job->team, worker, job->pairs, CAROM_SIMD_PAD);
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin; n < walk.end; n++) {
            const uint32_t i = job->pair[0][n];
            const uint32_t k = job->pair[1][n];
            int32_t of_i[3];
            int32_t of_k[3];
            carom_lists_key_shift(job->images, i, of_i);
            carom_lists_key_shift(job->images, k, of_k);
            for (int a = 0; a < 3; a++) {
                job->shift[a][n] = of_k[a] - of_i[a];
            }
            job->pair[0][n] = i >> 3 * axis_bits;
            job->pair[1][n] = k >> 3 * axis_bits;
        }
        for (uint64_t n = walk.begin; n < walk.end && wraps_left; n++) {
            add_wrap(job, job->pair[0][n], job->pair[1][n], n);
        }
    }
}

static void split_lists(shifts_job *job) {
    carom_team_run(job->team, split_rows, job);
    if (job->from->wrap != job->images->wrap && !carom_team_stopped(job->team)) {
        carom_team_run(job->team, add_wraps, job);
    }
}

carom_status carom_lists_shifts(carom_context *context, const carom_images *from, const carom_lists_images *images,
                                carom_lists *lists) {
    const bool pairs = lists->k != NULL;
    const uint64_t count = lists->body != NULL || pairs ? lists->count : 0;
    const carom_work_need need = {CAROM_WORK_LIST_SHIFT, carom_size_multiply(count, 3 * sizeof(int32_t))};
    const carom_status status = carom_context_reserve(context, &need, 1, &lists->required_bytes);
    if (status != CAROM_OK || count == 0) {
        return status;
    }
    int32_t *block = carom_context_work(context, CAROM_WORK_LIST_SHIFT);
    shifts_job job = {.team = &context->team, .from = from, .images = images, .offset = lists->offset};
    job.row = carom_context_work(context, CAROM_WORK_NEIGHBOUR_BODY);
    job.pair[0] = job.row;
    job.pair[1] = job.row + count;
    job.pairs = count;
    CAROM_ASSERT(pairs ? job.pair[1] == lists->k : job.row == lists->body);
    for (uint64_t a = 0; a < 3; a++) {
        job.shift[a] = block + a * count;
        lists->shift[a] = job.shift[a];
    }
    if (pairs) {
        carom_team_run(job.team, split_pairs, &job);
    } else {
        split_lists(&job);
    }
    return carom_team_stopped(job.team) ? CAROM_ERROR_CANCELLED : CAROM_OK;
}
