/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A counting sort by cells: each worker counts its range of bodies, prefix sums say where each worker's bodies of each
 * cell go, and a second pass puts them there. */
#include "kernel/lists/place_tmpl.h"

#include <float.h>
#include <math.h>

#include "kernel/check/assert.h"
#include "simd/layout.h"

/* Slots are prefetched this many bodies ahead. */
enum { AHEAD = 32 };
/* The largest coordinate in steps: images are then rounded by at most 2^-8 step (search_tmpl.c). */
static const double SIZE_MOST = 0x1p45;

/* Half of a body's way, rounded up. */
static double half_way(const carom_record *body) {
    double square = 0.0;
    for (int a = 0; a < 3; a++) {
        const double way = (double)body->curr[a] - (double)body->prev[a];
        square += way * way;
    }
    return 0.5 * sqrt(square) * (1.0 + 0x1p-50);
}

/* Eight chains: in one, each comparison would wait for the last. */
static void survey_radii(const carom_lists_job *job, uint64_t begin, uint64_t end, carom_lists_range *range) {
    enum { EACH = 8 };
    carom_real least[EACH];
    carom_real most[EACH];
    double sum[EACH] = {0.0};
    for (int e = 0; e < EACH; e++) {
        least[e] = most[e] = carom_layout_radius(job->bodies, begin);
    }
    for (uint64_t n = begin; n < end; n += EACH) {
        for (uint64_t e = 0; e < EACH; e++) {
            const carom_real radius = carom_layout_radius(job->bodies, n + e < end ? n + e : end - 1);
            least[e] = radius < least[e] ? radius : least[e];
            most[e] = radius > most[e] ? radius : most[e];
            sum[e] += n + e < end ? (double)radius : 0.0;
        }
    }
    for (int e = 0; e < EACH; e++) {
        range->least_radius = fmin(range->least_radius, (double)least[e]);
        range->most_radius = fmax(range->most_radius, (double)most[e]);
        range->sum_radius += sum[e];
    }
}

static void survey_outer(const carom_lists_job *job, uint64_t begin, uint64_t end, carom_lists_range *range) {
    for (uint64_t n = begin; n < end; n++) {
        const carom_record body = carom_layout_body(job->bodies, n);
        const double outer = (double)body.radius + half_way(&body);
        range->most_outer = outer > range->most_outer ? outer : range->most_outer;
    }
}

/* Floats of a call for doubles are relative to the first body. Where that is not finite, which surveys say of any body,
 * the call ends with an error. */
static double centre_on(const carom_bodies *bodies, int a) {
    const double first = (double)bodies->prev[a][0];
    return sizeof(carom_real) == sizeof(double) && isfinite(first) ? first : 0.0;
}

static void survey(void *data, uint32_t worker) {
    carom_lists_job *job = data;
    carom_lists_range *range = &job->ranges[worker];
    const carom_bodies *bodies = job->bodies;
    *range = (carom_lists_range){.survey = {.lo = {FLT_MAX, FLT_MAX, FLT_MAX}, .hi = {-FLT_MAX, -FLT_MAX, -FLT_MAX}},
                                 .least_radius = INFINITY};
    const double centre[3] = {centre_on(bodies, 0), centre_on(bodies, 1), centre_on(bodies, 2)};
    carom_walk walk = carom_team_walk(&job->context->team, worker, bodies->count, CAROM_SIMD_PAD);
    while (carom_walk_next(&walk)) {
        carom_kernels_of(job->context->simd)->survey(bodies, walk.begin, walk.end, centre, &range->survey);
        if (bodies->radius != NULL) {
            survey_radii(job, walk.begin, walk.end, range);
        }
        if (job->moves) {
            survey_outer(job, walk.begin, walk.end, range);
        }
    }
}

static bool merge_ranges(const carom_lists_job *job, carom_lists_range *all) {
    *all = job->ranges[0];
    for (uint32_t w = 1; w < job->context->team.workers; w++) {
        const carom_lists_range *one = &job->ranges[w];
        for (int a = 0; a < 3; a++) {
            all->survey.lo[a] = fminf(all->survey.lo[a], one->survey.lo[a]);
            all->survey.hi[a] = fmaxf(all->survey.hi[a], one->survey.hi[a]);
        }
        all->survey.bad |= one->survey.bad;
        all->least_radius = fmin(all->least_radius, one->least_radius);
        all->most_radius = fmax(all->most_radius, one->most_radius);
        all->sum_radius += one->sum_radius;
        all->most_outer = fmax(all->most_outer, one->most_outer);
    }
    if (job->bodies->radius == NULL) {
        all->least_radius = (double)job->bodies->common_radius;
        all->most_radius = all->least_radius;
    }
    all->most_outer = fmax(all->most_outer, all->most_radius);
    return all->survey.bad == 0;
}

static bool make_grid(carom_lists_job *job) {
    carom_lists_range all;
    double lo[3];
    double hi[3];
    if (!merge_ranges(job, &all)) {
        return false;
    }
    for (int a = 0; a < 3; a++) {
        lo[a] = centre_on(job->bodies, a) + (double)all.survey.lo[a];
        hi[a] = centre_on(job->bodies, a) + (double)all.survey.hi[a];
        lo[a] = job->images != NULL ? fmin(lo[a], job->images->lo[a]) : lo[a];
        hi[a] = job->images != NULL ? fmax(hi[a], job->images->hi[a]) : hi[a];
    }
    job->same_radius = all.least_radius == all.most_radius;
    if (!carom_lists_grid_make(lo, hi, 2.0 * all.most_outer, job->count, &job->grid)) {
        return false;
    }
    if (job->images != NULL && !(job->images->size * job->grid.scale < SIZE_MOST)) {
        return false;
    }
    const double sum = 2.0 * all.most_radius * job->grid.scale;
    job->square = (float)(sum * sum);
    const double mean = job->same_radius ? all.most_radius : all.sum_radius / (double)job->bodies->count;
    job->mean_reach = 2.0 * mean * job->grid.scale / (double)CAROM_LISTS_STEPS;
    return true;
}

/* Kinds of loops. Each has no branches for what it does not meet. */
typedef enum place_kind {
    PLACE_PLAIN,  /* bodies at rest in open space, of one radius */
    PLACE_OPEN,   /* others in open space */
    PLACE_IMAGES, /* bodies and images in a periodic box */
} place_kind;

static place_kind kind_of(const carom_lists_job *job) {
    return job->images != NULL ? PLACE_IMAGES : job->moves || !job->same_radius ? PLACE_OPEN : PLACE_PLAIN;
}

static inline __attribute__((always_inline)) carom_record body_of(const carom_lists_job *job, uint64_t n,
                                                                  place_kind kind) {
    if (kind != PLACE_IMAGES || n < job->bodies->count) {
        return carom_layout_body(job->bodies, n);
    }
    const carom_record_f64 *image = &job->images->image[n - job->bodies->count].body;
    carom_record body = {.radius = (carom_real)image->radius};
    for (int a = 0; a < 3; a++) {
        body.prev[a] = (carom_real)image->prev[a];
        body.curr[a] = (carom_real)image->curr[a];
    }
    return body;
}

/* The midpoint of the path. Distances from the origin are rounded, not coordinates: those may be large. */
static void steps_of_moving(const carom_lists_job *job, const carom_record *body, uint64_t step[3]) {
    for (int a = 0; a < 3; a++) {
        const double prev = (double)body->prev[a] - job->grid.origin[a];
        const double curr = (double)body->curr[a] - job->grid.origin[a];
        step[a] = carom_lists_grid_step(&job->grid, 0.5 * (prev + curr));
    }
}

/* body: read where it moves, and of images. */
static inline __attribute__((always_inline)) void
steps_of(const carom_lists_job *job, uint64_t n, const carom_record *body, place_kind kind, uint64_t step[3]) {
    if (kind != PLACE_PLAIN && (job->moves || n >= job->bodies->count)) {
        steps_of_moving(job, body, step);
        return;
    }
    for (int a = 0; a < 3; a++) {
        const double at = (double)carom_layout_value(job->bodies->prev[a], job->bodies->prev_stride, n);
        step[a] = carom_lists_grid_step(&job->grid, at - job->grid.origin[a]);
    }
}

/* In a periodic box. */
static inline uint32_t key_of(const carom_lists_job *job, uint64_t n) {
    static const int32_t none[3] = {0, 0, 0};
    return n < job->bodies->count ? carom_lists_key(job->images, (uint32_t)n, none)
                                  : job->images->image[n - job->bodies->count].key;
}

static inline __attribute__((always_inline)) void count_range(const carom_lists_job *job, uint32_t *next,
                                                              const carom_walk *walk, place_kind kind) {
    for (uint64_t n = walk->begin; n < walk->end; n++) {
        carom_record body;
        uint64_t step[3];
        if (kind != PLACE_PLAIN && (job->moves || n >= job->bodies->count)) {
            body = body_of(job, n, kind);
        }
        steps_of(job, n, &body, kind, step);
        const uint64_t cell = carom_lists_grid_cell(&job->grid, step);
        CAROM_ASSERT(cell < job->grid.count);
        job->slots.slot_of[n] = (uint32_t)cell;
        next[cell]++;
    }
}

static void count_cells(void *data, uint32_t worker) {
    carom_lists_job *job = data;
    uint32_t *next = job->slots.next + worker * job->grid.count;
    const place_kind kind = kind_of(job);
    for (uint64_t c = 0; c < job->grid.count; c++) {
        next[c] = 0;
    }
    carom_walk walk = carom_team_walk(&job->context->team, worker, job->count, CAROM_SIMD_PAD);
    while (carom_walk_next(&walk)) {
        if (kind == PLACE_PLAIN) {
            count_range(job, next, &walk, PLACE_PLAIN);
        } else if (kind == PLACE_OPEN) {
            count_range(job, next, &walk, PLACE_OPEN);
        } else {
            count_range(job, next, &walk, PLACE_IMAGES);
        }
    }
}

static uint64_t count_of(const carom_lists_job *job, uint64_t cell) {
    uint64_t count = 0;
    for (uint32_t w = 0; w < job->context->team.workers; w++) {
        count += job->slots.next[w * job->grid.count + cell];
    }
    return count;
}

static void sum_cells(void *data, uint32_t worker) {
    carom_lists_job *job = data;
    const carom_range range = carom_team_range(&job->context->team, worker, job->grid.count, CAROM_CACHE_LINE);
    uint64_t sum = 0;
    for (uint64_t c = range.begin; c < range.end; c++) {
        sum += count_of(job, c);
    }
    carom_context_shares(job->context)[worker] = sum;
}

/* Counts to places, from the sum of the workers before on. */
static void set_starts(void *data, uint32_t worker) {
    carom_lists_job *job = data;
    const carom_range range = carom_team_range(&job->context->team, worker, job->grid.count, CAROM_CACHE_LINE);
    uint32_t at = (uint32_t)carom_context_shares(job->context)[worker];
    for (uint64_t c = range.begin; c < range.end; c++) {
        job->slots.start[c] = at;
        for (uint32_t w = 0; w < job->context->team.workers; w++) {
            uint32_t *next = &job->slots.next[w * job->grid.count + c];
            const uint32_t count = *next;
            *next = at;
            at += count;
        }
    }
    if (range.begin < range.end && range.end == job->grid.count) { /* others may have nothing */
        job->slots.start[job->grid.count] = (uint32_t)job->count;
    }
}

/* Radii in steps, and the body. */
static inline __attribute__((always_inline)) void put_sized(const carom_lists_job *job, const carom_record *body,
                                                            uint32_t slot, carom_lists_sized_record *record) {
    if (job->moves) {
        job->slots.body[slot] = *body;
    }
    const double outer = (double)body->radius + (job->moves ? half_way(body) : 0.0);
    record->radius[0] = (float)((double)body->radius * job->grid.scale);
    record->radius[1] = (float)(outer * job->grid.scale);
}

static inline __attribute__((always_inline)) void put_range(const carom_lists_job *job, uint32_t *next,
                                                            const carom_walk *walk, place_kind kind) {
    const bool plain = kind == PLACE_PLAIN;
    const bool whole = job->moves || job->slots.radius[0] != NULL;
    const uint64_t bytes = plain ? sizeof(carom_lists_record) : job->slots.record_bytes;
    for (uint64_t n = walk->begin; n < walk->end; n++) {
        carom_record body;
        uint64_t step[3];
        if (n + AHEAD < walk->end) {
            const uint32_t ahead = next[job->slots.slot_of[n + AHEAD]];
            __builtin_prefetch(job->slots.record + ahead * bytes, 1);
            if (!plain && job->moves) {
                __builtin_prefetch(job->slots.body + ahead, 1);
            }
        }
        if (!plain && (whole || n >= job->bodies->count)) {
            body = body_of(job, n, kind);
        }
        steps_of(job, n, &body, kind, step);
        const uint32_t slot = next[job->slots.slot_of[n]]++;
        void *record = job->slots.record + slot * bytes;
        job->slots.slot_of[n] = slot;
        *(carom_lists_record *)record = (carom_lists_record){{(uint32_t)step[0], (uint32_t)step[1], (uint32_t)step[2]},
                                                             kind == PLACE_IMAGES ? key_of(job, n) : (uint32_t)n};
        if (!plain && job->slots.radius[0] != NULL) {
            put_sized(job, &body, slot, record);
        }
    }
}

static void put_bodies(void *data, uint32_t worker) {
    carom_lists_job *job = data;
    uint32_t *next = job->slots.next + worker * job->grid.count;
    const place_kind kind = kind_of(job);
    carom_walk walk = carom_team_walk(&job->context->team, worker, job->count, CAROM_SIMD_PAD);
    while (carom_walk_next(&walk)) {
        if (kind == PLACE_PLAIN) {
            put_range(job, next, &walk, PLACE_PLAIN);
        } else if (kind == PLACE_OPEN) {
            put_range(job, next, &walk, PLACE_OPEN);
        } else {
            put_range(job, next, &walk, PLACE_IMAGES);
        }
    }
}

static void split_radii(const carom_lists_job *job, uint64_t begin, uint64_t end) {
    const carom_lists_sized_record *record = (const carom_lists_sized_record *)(const void *)job->slots.record;
    for (int a = 0; a < 2 && job->slots.radius[a] != NULL; a++) {
        for (uint64_t s = begin; s < end; s++) {
            job->slots.radius[a][s] = record[s].radius[a];
        }
    }
}

static void split_records(void *data, uint32_t worker) {
    carom_lists_job *job = data;
    carom_walk walk = carom_team_walk(&job->context->team, worker, job->count, CAROM_SIMD_PAD);
    while (carom_walk_next(&walk)) {
        for (uint64_t s = walk.begin; s < walk.end; s++) {
            const carom_lists_record *record =
                (const carom_lists_record *)(const void *)(job->slots.record + s * job->slots.record_bytes);
            for (int a = 0; a < 3; a++) {
                job->slots.step[a][s] = record->step[a];
            }
            job->slots.key[s] = record->key;
        }
        split_radii(job, walk.begin, walk.end);
    }
}

static carom_status reserve_ranges(carom_lists_job *job) {
    const uint64_t workers = job->context->team.workers;
    const carom_work_need need[] = {{CAROM_WORK_SHARES, workers * sizeof(uint64_t)},
                                    {CAROM_WORK_LIST_RANGES, workers * sizeof *job->ranges}};
    const carom_status status = carom_context_reserve(job->context, need, 2, &job->lists->required_bytes);
    job->ranges = carom_context_work(job->context, CAROM_WORK_LIST_RANGES);
    return status;
}

static carom_status reserve_slots(carom_lists_job *job) {
    const uint64_t stride = job->count + CAROM_GATHER_PAD;
    const uint64_t cells = job->grid.count;
    const bool sized = job->moves || !job->same_radius;
    job->slots.record_bytes = sized ? sizeof(carom_lists_sized_record) : sizeof(carom_lists_record);
    const carom_work_need need[] = {
        {CAROM_WORK_LIST_CELLS, ((job->context->team.workers + 1) * cells + 1) * sizeof(uint32_t)},
        {CAROM_WORK_LIST_SLOT_OF, job->count * sizeof(uint32_t)},
        {CAROM_WORK_LIST_RECORDS, job->count * job->slots.record_bytes},
        {CAROM_WORK_LIST_BODIES, job->moves ? job->count * sizeof *job->slots.body : 0},
        {CAROM_WORK_LIST_SLOTS, (sized ? 6 : 4) * stride * sizeof(uint32_t)},
    };
    const carom_status status =
        carom_context_reserve(job->context, need, sizeof need / sizeof need[0], &job->lists->required_bytes);
    if (status != CAROM_OK) {
        return status;
    }
    uint32_t *slots = carom_context_work(job->context, CAROM_WORK_LIST_SLOTS);
    job->slots.start = carom_context_work(job->context, CAROM_WORK_LIST_CELLS);
    job->slots.next = job->slots.start + cells + 1;
    job->slots.slot_of = carom_context_work(job->context, CAROM_WORK_LIST_SLOT_OF);
    job->slots.record = carom_context_work(job->context, CAROM_WORK_LIST_RECORDS);
    job->slots.body = job->moves ? carom_context_work(job->context, CAROM_WORK_LIST_BODIES) : NULL;
    for (uint64_t a = 0; a < 3; a++) {
        job->slots.step[a] = slots + a * stride;
    }
    job->slots.key = slots + 3 * stride;
    job->slots.radius[0] = sized ? (float *)(void *)(slots + 4 * stride) : NULL;
    job->slots.radius[1] = job->moves ? (float *)(void *)(slots + 5 * stride) : NULL;
    return CAROM_OK;
}

carom_status carom_lists_place(carom_lists_job *job, bool *fits) {
    const carom_team *team = &job->context->team;
    carom_status status = reserve_ranges(job);
    *fits = false;
    if (status != CAROM_OK) {
        return status;
    }
    carom_team_run(team, survey, job);
    if (carom_team_stopped(team) || !make_grid(job)) {
        return carom_team_stopped(team) ? CAROM_ERROR_CANCELLED : CAROM_OK;
    }
    status = reserve_slots(job);
    if (status != CAROM_OK) {
        return status;
    }
    carom_team_run(team, count_cells, job);
    if (!carom_team_stopped(team)) {
        carom_team_run(team, sum_cells, job);
        (void)carom_lists_sum_shares(job);
        carom_team_run(team, set_starts, job);
        carom_team_run(team, put_bodies, job);
        carom_team_run(team, split_records, job);
    }
    *fits = true;
    return carom_team_stopped(team) ? CAROM_ERROR_CANCELLED : CAROM_OK;
}
