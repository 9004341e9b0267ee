/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Whatever two bodies touch across a face, the box of each meets the range of all boxes when it is moved to the other:
 * images are those that meet it, as in periodic/place.c, but along positive lattice vectors and along their opposites.
 */
#include "kernel/lists/images_make.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "simd/compare.h"

/* What a worker finds. */
typedef struct images_range {
    _Alignas(CAROM_CACHE_LINE) uint64_t candidates;
    uint64_t images;
    uint64_t first;  /* the number of its first image */
    uint32_t beyond; /* nonzero: keys have no room for what was taken from some body's place */
    double lo[3];    /* bounds of its images' centres */
    double hi[3];
} images_range;

typedef struct images_job {
    const carom_team *team;
    const carom_images *from;
    carom_lists_images *images;
    int32_t number[CAROM_LISTS_MOVES][3]; /* a step along each edge of the reduced basis, as keys count it */
    bool exists[CAROM_LISTS_MOVES];       /* keys have room for it */
    images_range *range;                  /* of each worker */
    uint32_t *candidate; /* bodies that have images; each worker's begin at the place of its first body */
    carom_lists_image *image;
    _Atomic bool unfit; /* some body has images more than a step away */
    _Atomic bool far;   /* keys have no room for some image's step */
} images_job;

/* Whether the first step that is not 0 goes on. */
static bool is_positive(const int32_t step[3]) {
    const int32_t first = step[0] != 0 ? step[0] : step[1] != 0 ? step[1] : step[2];
    return first > 0;
}

/* The caller's edges of a vector are so many at most. */
static const double EDGES_MOST = 0x1p29;

/* step: along the edges of the reduced basis. */
static void set_move(images_job *job, const int32_t step[3]) {
    const carom_lattice *lattice = &job->from->lattice;
    const bool reduced = job->images->reduced;
    const double along[3] = {step[0], step[1], step[2]};
    const double most = reduced ? EDGES_MOST : 1.0;
    const uint32_t at = carom_lists_move_number(step);
    double number[3];
    carom_lattice_numbers(lattice, along, number);
    job->exists[at] = fabs(number[0]) <= most && fabs(number[1]) <= most && fabs(number[2]) <= most;
    if (!job->exists[at]) {
        return;
    }
    carom_lists_move move = {.positive = is_positive(step)};
    carom_lattice_displacement(lattice, number, move.by);
    for (int a = 0; a < 3; a++) {
        move.edges[a] = (int32_t)number[a];
        job->number[at][a] = reduced ? step[a] : move.edges[a];
    }
    job->images->move[carom_lists_move_number(job->number[at])] = move;
}

/* Returns whether keys have room for all steps. Space repeats along the first edges of the basis alone. */
static bool set_moves(images_job *job, bool reduced) {
    const int32_t most_y = job->from->lattice.dimensions > 1 ? 1 : 0;
    const int32_t most_z = job->from->lattice.dimensions > 2 ? 1 : 0;
    bool all = true;
    job->images->reduced = reduced;
    memset(job->images->move, 0, sizeof job->images->move);
    for (int32_t x = -1; x <= 1; x++) {
        for (int32_t y = -most_y; y <= most_y; y++) {
            for (int32_t z = -most_z; z <= most_z; z++) {
                set_move(job, (int32_t[3]){x, y, z});
                all = all && job->exists[carom_lists_move_number((int32_t[3]){x, y, z})];
            }
        }
    }
    return all;
}

static bool have_few_bits(const carom_images *from, uint32_t axis_bits) {
    return from->owned <= UINT64_C(1) << (32 - 3 * axis_bits);
}

/* Whether keys have no room for what was taken from some of these bodies' places, beside an image's step. */
static uint32_t find_beyond(const carom_images *from, uint64_t begin, uint64_t end) {
    const int32_t most = carom_lists_edges_most(CAROM_LISTS_WRAP_BITS) - 1;
    uint32_t beyond = 0;
    for (uint64_t n = begin; n < end && from->wrap != NULL; n++) {
        for (int a = 0; a < 3; a++) {
            beyond |= (uint32_t)(from->wrap[n][a] > most) | (uint32_t)(from->wrap[n][a] < -most);
        }
    }
    return beyond;
}

static const double *field_of(const carom_bodies_f64 *bodies, int field) {
    return field < 3 ? bodies->prev[field] : field < 6 ? bodies->curr[field - 3] : bodies->radius;
}

static void find_ranges(const images_job *job, carom_image_batch *batch) {
    carom_image_batch_boxes(batch);
    carom_image_batch_lows(&job->from->lattice, batch);
    carom_image_batch_highs(&job->from->lattice, batch);
}

/* Bodies from `begin` on, as many as a batch holds and the range has, with their ranges in the lattice. What lies
 * behind them in the batch is of no use. */
static void load(const images_job *job, uint64_t begin, uint64_t end, carom_image_batch *batch) {
    batch->count = end - begin < CAROM_IMAGE_BATCH ? (uint32_t)(end - begin) : CAROM_IMAGE_BATCH;
    for (int f = 0; f < CAROM_BODY_FIELDS; f++) {
        memcpy(batch->field[f], field_of(&job->from->bodies, f) + begin, batch->count * sizeof(double));
    }
    find_ranges(job, batch);
}

/* The same for a list of bodies. */
static void load_listed(const images_job *job, const uint32_t *body, uint64_t left, carom_image_batch *batch) {
    batch->count = left < CAROM_IMAGE_BATCH ? (uint32_t)left : CAROM_IMAGE_BATCH;
    for (int f = 0; f < CAROM_BODY_FIELDS; f++) {
        const double *from = field_of(&job->from->bodies, f);
        for (uint32_t n = 0; n < batch->count; n++) {
            batch->field[f][n] = from[body[n]];
        }
    }
    find_ranges(job, batch);
}

/* Which bodies of a batch have images: a step back along some edge, or a step on, still meets the range of all. */
static void find_moved(const images_job *job, const carom_image_batch *batch, uint32_t moved[CAROM_IMAGE_BATCH]) {
    for (uint32_t n = 0; n < CAROM_IMAGE_BATCH; n++) {
        moved[n] = 0;
    }
    for (uint32_t b = 0; b < job->from->lattice.dimensions; b++) {
        const double lo = job->from->lo[b];
        const double hi = job->from->hi[b];
        for (uint32_t n = 0; n < CAROM_IMAGE_BATCH; n++) {
            moved[n] |= (uint32_t) !(lo - batch->hi[b][n] > -1.0) | (uint32_t) !(hi - batch->lo[b][n] < 1.0);
        }
    }
}

/* Steps along each edge of the reduced basis by which a body can be moved so that its box still meets the range of all.
 */
typedef struct steps {
    int32_t first[3];
    int32_t last[3];
    bool fit; /* none is greater than one */
} steps;

static steps steps_of(const images_job *job, const carom_image_batch *batch, uint32_t n) {
    steps s = {.fit = true};
    for (int b = 0; b < 3; b++) {
        const double back = job->from->lo[b] - batch->hi[b][n];
        const double on = job->from->hi[b] - batch->lo[b][n];
        s.fit = s.fit && back > -2.0 && on < 2.0;
        s.first[b] = back <= -1.0 ? -1 : 0;
        s.last[b] = on >= 1.0 ? 1 : 0;
    }
    return s;
}

static void put_image(const images_job *job, const carom_image_batch *batch, uint32_t n, uint64_t body,
                      const int32_t number[3], uint64_t place) {
    const double *by = job->images->move[carom_lists_move_number(number)].by;
    carom_lists_image *image = &job->image[place];
    image->key = carom_lists_key(job->images, (uint32_t)body, number);
    image->body = (carom_record_f64){.radius = batch->field[6][n]};
    for (int a = 0; a < 3; a++) {
        image->body.prev[a] = batch->field[a][n] + by[a];
        image->body.curr[a] = batch->field[a + 3][n] + by[a];
    }
}

/* Images of a body; returns how many. */
static uint64_t count_images(images_job *job, const carom_image_batch *batch, uint32_t n) {
    const steps s = steps_of(job, batch, n);
    uint64_t count = 0;
    bool exist = true;
    for (int32_t x = s.first[0]; x <= s.last[0]; x++) {
        for (int32_t y = s.first[1]; y <= s.last[1]; y++) {
            for (int32_t z = s.first[2]; z <= s.last[2]; z++) {
                exist = exist && job->exists[carom_lists_move_number((int32_t[3]){x, y, z})];
                count++;
            }
        }
    }
    if (!s.fit) {
        atomic_store_explicit(&job->unfit, true, memory_order_relaxed);
    }
    if (!exist) {
        atomic_store_explicit(&job->far, true, memory_order_relaxed);
    }
    return count - 1;
}

static uint64_t put_images(const images_job *job, const carom_image_batch *batch, uint32_t n, uint64_t body,
                           uint64_t place) {
    const steps s = steps_of(job, batch, n);
    for (int32_t x = s.first[0]; x <= s.last[0]; x++) {
        for (int32_t y = s.first[1]; y <= s.last[1]; y++) {
            for (int32_t z = s.first[2]; z <= s.last[2]; z++) {
                const uint32_t at = carom_lists_move_number((int32_t[3]){x, y, z});
                if (at != CAROM_LISTS_MOVES / 2) {
                    put_image(job, batch, n, body, job->number[at], place++);
                }
            }
        }
    }
    return place;
}

static void list_candidates(void *data, uint32_t worker) {
    images_job *job = data;
    images_range *range = &job->range[worker];
    carom_image_batch batch = {0};
    carom_walk walk = carom_team_walk(job->team, worker, job->from->owned, CAROM_IMAGE_BATCH);
    uint32_t *candidate = job->candidate + walk.begin;
    *range = (images_range){.candidates = 0};
    while (carom_walk_next(&walk)) {
        range->beyond |= find_beyond(job->from, walk.begin, walk.end);
        for (uint64_t at = walk.begin; at < walk.end; at += CAROM_IMAGE_BATCH) {
            uint32_t moved[CAROM_IMAGE_BATCH];
            load(job, at, walk.end, &batch);
            find_moved(job, &batch, moved);
            for (uint32_t n = 0; n < batch.count; n++) {
                if (moved[n] != 0) {
                    candidate[range->candidates++] = (uint32_t)(at + n);
                    range->images += count_images(job, &batch, n);
                }
            }
        }
    }
}

/* Bounds of the worker's images, after they are put. */
static void find_bounds(const images_job *job, images_range *range) {
    for (int a = 0; a < 3; a++) {
        range->lo[a] = INFINITY;
        range->hi[a] = -INFINITY;
        for (uint64_t n = range->first; n < range->first + range->images; n++) {
            const carom_record_f64 *body = &job->image[n].body;
            range->lo[a] = carom_lesser(carom_lesser(body->prev[a], body->curr[a]), range->lo[a]);
            range->hi[a] = carom_greater(carom_greater(body->prev[a], body->curr[a]), range->hi[a]);
        }
    }
}

static void put_all(void *data, uint32_t worker) {
    images_job *job = data;
    images_range *range = &job->range[worker];
    const carom_walk walk = carom_team_walk(job->team, worker, job->from->owned, CAROM_IMAGE_BATCH);
    const uint32_t *candidate = job->candidate + walk.begin;
    carom_image_batch batch = {0};
    uint64_t place = range->first;
    for (uint64_t c = 0; c < range->candidates && !carom_control_look(job->team->control); c += batch.count) {
        load_listed(job, candidate + c, range->candidates - c, &batch);
        for (uint32_t n = 0; n < batch.count; n++) {
            place = put_images(job, &batch, n, candidate[c + n], place);
        }
    }
    if (!carom_team_stopped(job->team)) {
        find_bounds(job, range);
    }
}

static void sum_images(images_job *job) {
    uint64_t sum = 0;
    for (uint32_t w = 0; w < job->team->workers; w++) {
        job->range[w].first = sum;
        sum += job->range[w].images;
    }
    job->images->count = sum;
}

static void merge_bounds(const images_job *job) {
    for (int a = 0; a < 3; a++) {
        job->images->lo[a] = INFINITY;
        job->images->hi[a] = -INFINITY;
        for (uint32_t w = 0; w < job->team->workers && job->images->count > 0; w++) {
            job->images->lo[a] = carom_lesser(job->range[w].lo[a], job->images->lo[a]);
            job->images->hi[a] = carom_greater(job->range[w].hi[a], job->images->hi[a]);
        }
    }
}

/* Whether keys count what was taken from bodies' places. */
static bool count_wraps(const images_job *job) {
    bool fit = job->from->wrap != NULL && !job->images->reduced && have_few_bits(job->from, CAROM_LISTS_WRAP_BITS);
    for (uint32_t w = 0; w < job->team->workers; w++) {
        fit = fit && job->range[w].beyond == 0;
    }
    return fit;
}

bool carom_lists_images_may_look_across(const carom_periodic *box, bool moves, carom_lists_images *images) {
    bool upright = !moves;
    for (int a = 0; a < 3; a++) {
        for (int j = 0; j < 3 && box->along[a]; j++) {
            upright = upright && (j == a ? box->edge[a][j] > 0.0 : box->edge[a][j] == 0.0);
        }
    }
    for (int a = 0; a < 3; a++) {
        images->edge[a] = upright && box->along[a] ? box->edge[a][a] : 0.0;
    }
    return upright;
}

static void find_wraps(void *data, uint32_t worker) {
    const images_job *job = data;
    carom_walk walk = carom_team_walk(job->team, worker, job->from->owned, CAROM_IMAGE_BATCH);
    job->range[worker] = (images_range){.beyond = 0};
    while (carom_walk_next(&walk)) {
        job->range[worker].beyond |= find_beyond(job->from, walk.begin, walk.end);
    }
}

static void choose_keys(images_job *job) {
    job->images->wrap = count_wraps(job) ? job->from->wrap : NULL;
    job->images->axis_bits = job->images->wrap != NULL ? CAROM_LISTS_WRAP_BITS : CAROM_LISTS_STEP_BITS;
}

static carom_status make_none(images_job *job, bool *fits) {
    carom_team_run(job->team, find_wraps, job);
    if (carom_team_stopped(job->team)) {
        return CAROM_ERROR_CANCELLED;
    }
    *fits = true;
    for (uint32_t w = 0; w < job->team->workers; w++) {
        *fits = *fits && job->range[w].beyond == 0;
        job->range[w].images = 0;
    }
    job->images->count = 0;
    job->images->image = NULL;
    choose_keys(job);
    merge_bounds(job);
    return CAROM_OK;
}

carom_status carom_lists_images_make(carom_context *context, const carom_images *from, carom_lists_images *images,
                                     uint64_t *required, bool *fits) {
    CAROM_ASSERT(!from->unplaced && from->owned > 0);
    images_job job = {.team = &context->team, .from = from, .images = images};
    const bool across = images->edge[0] + images->edge[1] + images->edge[2] > 0.0;
    const carom_work_need before[] = {{CAROM_WORK_LIST_IMAGE_RANGES, context->team.workers * sizeof(images_range)},
                                      {CAROM_WORK_LIST_CANDIDATES, across ? 0 : from->owned * sizeof(uint32_t)}};
    carom_status status = carom_context_reserve(context, before, 2, required);
    *fits = false;
    if (status != CAROM_OK || !have_few_bits(from, CAROM_LISTS_STEP_BITS) || from->lattice.cancels) {
        return status;
    }
    job.range = carom_context_work(context, CAROM_WORK_LIST_IMAGE_RANGES);
    job.candidate = carom_context_work(context, CAROM_WORK_LIST_CANDIDATES);
    images->size = from->reach;
    (void)set_moves(&job, false);
    if (across) {
        return make_none(&job, fits);
    }
    carom_team_run(job.team, list_candidates, &job);
    const bool fit = !atomic_load_explicit(&job.unfit, memory_order_relaxed) &&
                     (!atomic_load_explicit(&job.far, memory_order_relaxed) || set_moves(&job, true));
    if (carom_team_stopped(job.team) || !fit) {
        return carom_team_stopped(job.team) ? CAROM_ERROR_CANCELLED : CAROM_OK;
    }
    sum_images(&job);
    choose_keys(&job);
    const carom_work_need need = {CAROM_WORK_LIST_IMAGES, images->count * sizeof(carom_lists_image)};
    status = carom_context_reserve(context, &need, 1, required);
    if (status != CAROM_OK) {
        return status;
    }
    job.image = carom_context_work(context, CAROM_WORK_LIST_IMAGES);
    images->image = job.image;
    if (images->count > 0) {
        carom_team_run(job.team, put_all, &job);
    }
    *fits = !carom_team_stopped(job.team);
    if (!*fits) {
        return CAROM_ERROR_CANCELLED;
    }
    merge_bounds(&job);
    return CAROM_OK;
}
