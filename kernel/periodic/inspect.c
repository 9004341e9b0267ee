/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/periodic/inspect.h"

#include <math.h>
#include <string.h>

#include "simd/compare.h"

static void note_first(uint64_t *first, bool holds, uint64_t body) {
    *first = holds && body < *first ? body : *first;
}

/* Comparisons side by side: in a single chain each would wait for the one before. */
enum { LANES = 8 };

/* Least and greatest of some numbers, lane by lane. */
typedef struct span {
    double least[LANES];
    double greatest[LANES];
} span;

static span span_of(double value) {
    span s;
    for (int l = 0; l < LANES; l++) {
        s.least[l] = value;
        s.greatest[l] = value;
    }
    return s;
}

static inline void include(span *s, int l, double value) {
    s->least[l] = carom_lesser(value, s->least[l]);
    s->greatest[l] = carom_greater(value, s->greatest[l]);
}

/* Whether all numbers are in [lo, hi). NaN is passed over. */
static bool is_within(const span *s, double lo, double hi) {
    bool within = true;
    for (int l = 0; l < LANES; l++) {
        within = within && s->least[l] >= lo && s->greatest[l] < hi;
    }
    return within;
}

static bool is_zero(const double zero[LANES]) {
    double sum = 0.0;
    for (int l = 0; l < LANES; l++) {
        sum += zero[l];
    }
    return sum == 0.0;
}

/* x - x is 0 if x is finite, and NaN otherwise. */
static bool is_finite(const carom_image_batch *batch) {
    double zero[LANES] = {0.0};
    for (int f = 0; f < CAROM_BODY_FIELDS; f++) {
        for (int n = 0; n < CAROM_IMAGE_BATCH; n += LANES) {
            for (int l = 0; l < LANES; l++) {
                zero[l] += batch->field[f][n + l] - batch->field[f][n + l];
            }
        }
    }
    return is_zero(zero);
}

/* Whether no body of the batch is bad or large. */
static bool is_sound(const carom_lattice *lattice, const carom_image_batch *batch) {
    span diameter = span_of(0.0);
    for (int n = 0; n < CAROM_IMAGE_BATCH; n += LANES) {
        for (int l = 0; l < LANES; l++) {
            include(&diameter, l, 2.0 * batch->field[6][n + l]);
        }
    }
    return is_within(&diameter, 0.0, lattice->shortest) && is_finite(batch);
}

/* Whether all bodies of the batch start in the first cell. The sums are those of carom_image_batch_wraps; of great
 * coordinates they may be NaN. */
static bool is_home(const carom_lattice *lattice, const carom_image_batch *batch) {
    span cell = span_of(0.5);
    double zero[LANES] = {0.0};
    for (uint32_t b = 0; b < lattice->dimensions; b++) {
        const double dual[3] = {lattice->dual[b][0], lattice->dual[b][1], lattice->dual[b][2]};
        for (int n = 0; n < CAROM_IMAGE_BATCH; n += LANES) {
            for (int l = 0; l < LANES; l++) {
                const double at = dual[0] * batch->field[0][n + l] + dual[1] * batch->field[1][n + l] +
                                  dual[2] * batch->field[2][n + l];
                include(&cell, l, at);
                zero[l] += at - at;
            }
        }
    }
    return is_within(&cell, 0.0, 1.0) && is_zero(zero);
}

/* Mostly there is nothing to note of a batch: loops without branches find that out. */
static bool is_plain(const carom_image_job *job, const carom_image_batch *batch) {
    const carom_lattice *lattice = &job->images->lattice;
    return is_sound(lattice, batch) && (job->source->placed || is_home(lattice, batch));
}

/* A value that is not finite, or a negative radius. */
static bool is_bad(const carom_image_batch *batch, uint32_t n) {
    bool bad = batch->field[6][n] < 0.0;
    for (int f = 0; f < CAROM_BODY_FIELDS; f++) {
        bad |= !isfinite(batch->field[f][n]);
    }
    return bad;
}

/* Notes the wraps of a batch, and its bodies that are bad, far or large. */
static void attend_to_batch(const carom_image_job *job, carom_image_worker *worker, uint64_t begin,
                            const carom_image_batch *batch, double number[3][CAROM_IMAGE_BATCH]) {
    for (uint32_t n = 0; n < batch->count; n++) {
        bool far = false;
        for (int a = 0; a < 3; a++) {
            bool fits = fabs(number[a][n]) <= CAROM_WRAP_MOST;
            far |= !fits;
            worker->wraps |= number[a][n] != 0.0;
            job->wrap[begin + n][a] = fits ? (int32_t)number[a][n] : 0;
        }
        note_first(&worker->first_bad, is_bad(batch, n), begin + n);
        note_first(&worker->first_far, far, begin + n);
        note_first(&worker->first_large, 2.0 * batch->field[6][n] >= job->images->lattice.shortest, begin + n);
    }
}

/* Writes wraps only from the first batch on that has one, and then zeros for the bodies before: mostly none are needed.
 */
static void inspect_batch(const carom_image_job *job, carom_image_worker *worker, uint64_t begin, uint64_t at,
                          carom_image_batch *batch) {
    const carom_lattice *lattice = &job->images->lattice;
    bool wrapped = worker->wraps;
    if (is_plain(job, batch)) {
        if (wrapped) {
            memset(job->wrap + at, 0, batch->count * sizeof *job->wrap);
        }
        return;
    }
    double number[3][CAROM_IMAGE_BATCH];
    memset(number, 0, sizeof number);
    if (!job->source->placed) {
        (void)carom_image_batch_wraps(lattice, batch, number);
    }
    attend_to_batch(job, worker, at, batch, number);
    if (worker->wraps && !wrapped) {
        memset(job->wrap + begin, 0, (at - begin) * sizeof *job->wrap);
    }
    if (worker->wraps) {
        carom_image_batch_move(lattice, (const int32_t(*)[3])job->wrap + at, batch);
    }
}

/* Ranges of all boxes so far, in the lattice and along the caller's axes. */
static void widen_region(const carom_lattice *lattice, carom_image_worker *worker, const carom_image_batch *batch) {
    for (int j = 0; j < 3; j++) {
        carom_image_batch_least(batch->low[j], &worker->low[j]);
        carom_image_batch_greatest(batch->high[j], &worker->high[j]);
    }
    for (uint32_t b = 0; b < lattice->dimensions; b++) {
        carom_image_batch_least(batch->lo[b], &worker->lo[b]);
        carom_image_batch_greatest(batch->hi[b], &worker->hi[b]);
    }
}

/* Appends the bodies of a batch, `at` and on, whose boxes come within a step of `hi`: only they can have images, for
 * some step of a body that has any is positive. */
static void list_candidates(const carom_image_job *job, carom_image_worker *worker, const carom_image_batch *batch,
                            const double hi[3], uint64_t begin, uint64_t at) {
    double reach[CAROM_IMAGE_BATCH];
    for (int n = 0; n < CAROM_IMAGE_BATCH; n++) {
        reach[n] = carom_greater(hi[0] - batch->lo[0][n], hi[1] - batch->lo[1][n]);
        reach[n] = carom_greater(hi[2] - batch->lo[2][n], reach[n]);
    }
    for (uint32_t n = 0; n < batch->count; n++) {
        /* Branch-free: each body is written, and kept if it may have images. */
        job->candidate[begin + worker->candidates] = (uint32_t)(at + n);
        worker->candidates += reach[n] >= 1.0;
    }
}

/* How far boxes may reach, by those of the worker's first bodies: if the guess holds, its list of candidates will do.
 */
static void guess_reach(carom_image_worker *worker, const carom_lattice *lattice, const carom_image_batch *batch) {
    for (uint32_t b = 0; b < lattice->dimensions; b++) {
        double size = 0.0;
        for (uint32_t n = 0; n < batch->count; n++) {
            size = carom_greater(batch->hi[b][n] - batch->lo[b][n], size);
        }
        worker->guess[b] = 1.0 + 2.0 * size;
    }
}

/* Empty ranges, and no body found. */
static void start_worker(carom_image_worker *worker) {
    *worker = (carom_image_worker){.lo = {INFINITY, INFINITY, INFINITY},
                                   .hi = {-INFINITY, -INFINITY, -INFINITY},
                                   .low = {INFINITY, INFINITY, INFINITY},
                                   .high = {-INFINITY, -INFINITY, -INFINITY},
                                   .first_bad = UINT64_MAX,
                                   .first_far = UINT64_MAX,
                                   .first_large = UINT64_MAX};
}

/* The bodies of a batch, `at` and on, of a range that starts at `begin`. */
static void inspect_at(const carom_image_job *job, carom_image_worker *worker, uint64_t begin, uint64_t at,
                       uint64_t end, carom_image_batch *batch) {
    const carom_lattice *lattice = &job->images->lattice;
    carom_image_job_load(job, at, end, batch);
    inspect_batch(job, worker, begin, at, batch);
    carom_image_batch_boxes(batch);
    carom_image_batch_lows(lattice, batch);
    carom_image_batch_highs(lattice, batch);
    widen_region(lattice, worker, batch);
    if (at == begin) {
        guess_reach(worker, lattice, batch);
    }
    list_candidates(job, worker, batch, worker->guess, begin, at);
}

void carom_inspect_bodies(void *data, uint32_t w) {
    const carom_image_job *job = data;
    start_worker(&job->workers[w]);
    carom_image_batch batch = {0};
    carom_walk walk = carom_team_walk(job->team, w, job->source->count, CAROM_IMAGE_BATCH);
    const uint64_t begin = walk.begin;
    while (carom_walk_next(&walk)) {
        for (uint64_t at = walk.begin; at < walk.end; at += CAROM_IMAGE_BATCH) {
            inspect_at(job, &job->workers[w], begin, at, walk.end, &batch);
        }
    }
}

void carom_inspect_list_candidates(const carom_image_job *job, carom_image_worker *worker, carom_walk walk,
                                   carom_image_batch *batch) {
    const uint64_t begin = walk.begin;
    worker->candidates = 0;
    while (carom_walk_next(&walk)) {
        for (uint64_t at = walk.begin; at < walk.end; at += CAROM_IMAGE_BATCH) {
            carom_image_job_load_owned(job, at, walk.end, batch);
            carom_image_batch_boxes(batch);
            carom_image_batch_lows(&job->images->lattice, batch);
            list_candidates(job, worker, batch, job->hi, begin, at);
        }
    }
}

void carom_inspect_start(const carom_image_job *job) {
    for (uint32_t w = 0; w < job->team->workers; w++) {
        start_worker(&job->workers[w]);
    }
}

void carom_inspect_and_move(const carom_image_job *job, uint32_t w, uint64_t first, uint64_t begin, uint64_t end) {
    carom_image_batch batch;
    carom_image_worker *worker = &job->workers[w];
    for (uint64_t at = begin; at < end; at += CAROM_IMAGE_BATCH) {
        const uint64_t stop = at + CAROM_IMAGE_BATCH < end ? at + CAROM_IMAGE_BATCH : end;
        if (!job->source->home(job->source->bodies, job->simd, at, stop, &job->home, job->field)) {
            carom_image_job_load(job, at, stop, &batch);
            inspect_batch(job, worker, first, at, &batch);
            carom_image_job_store(job, at, &batch);
        } else if (worker->wraps) {
            memset(job->wrap + at, 0, (stop - at) * sizeof *job->wrap);
        }
    }
}
