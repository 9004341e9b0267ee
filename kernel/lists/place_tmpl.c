/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A counting sort by cells: each worker counts its range of bodies, prefix sums say where each worker's bodies of each
 * cell go, and a second pass puts them there. */
#include "kernel/lists/place_tmpl.h"

#include <float.h>
#include <math.h>
#include <string.h>

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

/* Several chains: in one, each comparison would wait for the last. */
enum { CHAINS = 16 };

typedef struct radius_chains {
    carom_real least[CHAINS];
    carom_real most[CHAINS];
    double sum[CHAINS];
} radius_chains;

static inline __attribute__((always_inline)) void add_radii(radius_chains *chains, const carom_bodies *bodies,
                                                            uint64_t begin, uint64_t end, bool packed) {
    for (uint64_t n = begin; n < end; n++) {
        const uint64_t c = n % CHAINS;
        const carom_real radius = packed ? bodies->radius[n] : carom_layout_radius(bodies, n);
        chains->least[c] = radius < chains->least[c] ? radius : chains->least[c];
        chains->most[c] = radius > chains->most[c] ? radius : chains->most[c];
        chains->sum[c] += (double)radius;
    }
}

static void survey_radii(const carom_lists_job *job, uint64_t begin, uint64_t end, carom_lists_range *range) {
    const carom_bodies *bodies = job->bodies;
    radius_chains chains;
    for (int c = 0; c < CHAINS; c++) {
        chains.least[c] = chains.most[c] = carom_layout_radius(bodies, begin);
        chains.sum[c] = 0.0;
    }
    uint64_t n = begin;
    for (; bodies->radius_stride == 0 && n + CHAINS <= end; n += CHAINS) {
        add_radii(&chains, bodies, n, n + CHAINS, true);
    }
    add_radii(&chains, bodies, n, end, false);
    for (int c = 0; c < CHAINS; c++) {
        range->least_radius = fmin(range->least_radius, (double)chains.least[c]);
        range->most_radius = fmax(range->most_radius, (double)chains.most[c]);
        range->sum_radius += chains.sum[c];
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

/* Whether cells at the faces of this axis look across them. */
static bool is_closed(const carom_lists_job *job, int a) {
    return job->images != NULL && job->images->edge[a] > 0.0;
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
        if (is_closed(job, a)) {
            lo[a] = 0.0;
            hi[a] = job->images->edge[a];
        }
    }
    job->same_radius = all.least_radius == all.most_radius;
    if (!carom_lists_grid_make(lo, hi, 2.0 * all.most_outer, job->count, &job->grid)) {
        return false;
    }
    if (job->images != NULL && !(job->images->size * job->grid.scale < SIZE_MOST)) {
        return false;
    }
    for (int a = 0; a < 3; a++) {
        if (is_closed(job, a) && !carom_lists_grid_close(&job->grid, a, job->images->edge[a])) {
            return false;
        }
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

/* An image is where its body is half way. Distances from the origin are rounded, not coordinates: those may be large.
 */
static void place_image(const carom_lists_job *job, uint64_t n) {
    const carom_record_f64 *image = &job->images->image[n - job->bodies->count].body;
    uint64_t step[3];
    for (int a = 0; a < 3; a++) {
        const double prev = image->prev[a] - job->grid.origin[a];
        const double curr = image->curr[a] - job->grid.origin[a];
        step[a] = carom_lists_grid_step(&job->grid, 0.5 * (prev + curr));
        job->slots.step[a][n] = (uint32_t)step[a];
    }
    job->slots.slot_of[n] = (uint32_t)carom_lists_grid_cell(&job->grid, step);
}

static carom_step_grid step_grid_of(const carom_lists_job *job) {
    carom_step_grid grid = {.scale = job->grid.scale, .moves = job->moves};
    const uint64_t row = job->grid.cells[2];
    const uint64_t weight[3] = {job->grid.cells[1] * row, row, 1};
    for (int a = 0; a < 3; a++) {
        grid.origin[a] = job->grid.origin[a];
        grid.weight[a] = (double)weight[a];
        grid.first += (double)weight[a];
    }
    return grid;
}

/* In a periodic box. */
static inline uint32_t key_of(const carom_lists_job *job, uint64_t n) {
    static const int32_t none[3] = {0, 0, 0};
    return n < job->bodies->count ? carom_lists_key(job->images, (uint32_t)n, none)
                                  : job->images->image[n - job->bodies->count].key;
}

/* Steps stand in the order of bodies until these are put into slots. */
static void count_range(const carom_lists_job *job, const carom_step_grid *grid, uint32_t *next,
                        const carom_walk *walk) {
    const uint64_t bodies = walk->end < job->bodies->count ? walk->end : job->bodies->count;
    if (walk->begin < bodies) {
        carom_kernels_of(job->context->simd)
            ->grid_steps(job->bodies, walk->begin, bodies, grid, job->slots.step, job->slots.slot_of);
    }
    for (uint64_t n = walk->begin > bodies ? walk->begin : bodies; n < walk->end; n++) {
        place_image(job, n);
    }
    for (uint64_t n = walk->begin; n < walk->end; n++) {
        CAROM_ASSERT(job->slots.slot_of[n] < job->grid.count);
        next[job->slots.slot_of[n]]++;
    }
}

static void count_cells(void *data, uint32_t worker) {
    carom_lists_job *job = data;
    uint32_t *next = job->slots.next + worker * job->grid.count;
    const carom_step_grid grid = step_grid_of(job);
    memset(next, 0, job->grid.count * sizeof *next);
    carom_walk walk = carom_team_walk(&job->context->team, worker, job->count, CAROM_SIMD_PAD);
    while (carom_walk_next(&walk)) {
        count_range(job, &grid, next, &walk);
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

static inline __attribute__((always_inline)) void put_values(const carom_lists_job *job, const carom_record *body,
                                                             float *value) {
    const double scale = job->grid.scale;
    const double radius = (double)body->radius;
    if (!job->moves) {
        value[CAROM_LISTS_OUTER] = (float)(radius * scale);
        return;
    }
    value[CAROM_LISTS_OUTER] = (float)((radius + half_way(body)) * scale);
    for (int a = 0; a < 3; a++) {
        const double way = (double)body->curr[a] - (double)body->prev[a];
        value[CAROM_LISTS_WAY + a] = (float)(0.5 * way * scale);
    }
    if (!job->same_radius) {
        value[CAROM_LISTS_RADIUS] = (float)(radius * scale);
    }
}

static inline __attribute__((always_inline)) void put_range(const carom_lists_job *job, uint32_t *next,
                                                            const carom_walk *walk, place_kind kind) {
    const bool plain = kind == PLACE_PLAIN;
    const bool sized = !plain && job->slots.values > 0;
    const uint64_t bytes = plain ? sizeof(carom_lists_record) : job->slots.record_bytes;
    for (uint64_t n = walk->begin; n < walk->end; n++) {
        if (n + AHEAD < walk->end) {
            __builtin_prefetch(job->slots.record + next[job->slots.slot_of[n + AHEAD]] * bytes, 1);
        }
        const uint32_t slot = next[job->slots.slot_of[n]]++;
        void *record = job->slots.record + slot * bytes;
        job->slots.slot_of[n] = slot;
        *(carom_lists_record *)record =
            (carom_lists_record){{job->slots.step[0][n], job->slots.step[1][n], job->slots.step[2][n]},
                                 kind == PLACE_IMAGES ? key_of(job, n) : (uint32_t)n};
        if (sized) {
            const carom_record body = body_of(job, n, kind);
            put_values(job, &body, ((carom_lists_sized_record *)record)->value);
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

static void split_values(const carom_lists_job *job, uint64_t begin, uint64_t end) {
    for (uint64_t s = begin; s < end; s++) {
        const carom_lists_sized_record *record =
            (const carom_lists_sized_record *)(const void *)(job->slots.record + s * job->slots.record_bytes);
        for (uint32_t v = 0; v < job->slots.values; v++) {
            job->slots.value[v][s] = record->value[v];
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
        if (job->slots.values > 0) {
            split_values(job, walk.begin, walk.end);
        }
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
    job->slots.values = (job->moves ? CAROM_LISTS_RADIUS : 0U) + (job->same_radius ? 0U : 1U);
    job->slots.record_bytes = sizeof(carom_lists_record) + job->slots.values * sizeof(float);
    const carom_work_need need[] = {
        {CAROM_WORK_LIST_CELLS, ((job->context->team.workers + 1) * cells + 1) * sizeof(uint32_t)},
        {CAROM_WORK_LIST_SLOT_OF, job->count * sizeof(uint32_t)},
        {CAROM_WORK_LIST_RECORDS, job->count * job->slots.record_bytes},
        {CAROM_WORK_LIST_SLOTS, (4 + job->slots.values) * stride * sizeof(uint32_t)},
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
    for (uint64_t a = 0; a < 3; a++) {
        job->slots.step[a] = slots + a * stride;
    }
    job->slots.key = slots + 3 * stride;
    for (uint32_t v = 0; v < CAROM_LISTS_VALUES; v++) {
        job->slots.value[v] = v < job->slots.values ? (float *)(void *)(slots + (4 + v) * stride) : NULL;
    }
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
