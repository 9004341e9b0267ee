/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A counting sort by cells: each worker counts its range of bodies, prefix sums say where each worker's bodies of each
 * cell go, and a second pass puts them there. */
#include "kernel/lists/place_tmpl.h"

#include <float.h>
#include <math.h>

#include "kernel/check/assert.h"
#include "simd/layout.h"

/* Bodies are asked for, to be written, so many ahead. */
enum { AHEAD = 32 };

static void survey(void *data, uint32_t worker) {
    carom_lists_job *job = data;
    carom_lists_range *range = &job->ranges[worker];
    const carom_bodies *bodies = job->bodies;
    *range = (carom_lists_range){.survey = {.lo = {FLT_MAX, FLT_MAX, FLT_MAX}, .hi = {-FLT_MAX, -FLT_MAX, -FLT_MAX}},
                                 .least_radius = INFINITY};
    const double centre[3] = {(double)bodies->prev[0][0], (double)bodies->prev[1][0], (double)bodies->prev[2][0]};
    carom_walk walk = carom_team_walk(&job->context->team, worker, bodies->count, CAROM_SIMD_PAD);
    while (carom_walk_next(&walk)) {
        carom_kernels_of(job->context->simd)->survey(bodies, walk.begin, walk.end, centre, &range->survey);
        for (uint64_t n = walk.begin; n < walk.end && bodies->radius != NULL; n++) {
            const double radius = (double)carom_layout_radius(bodies, n);
            range->least_radius = radius < range->least_radius ? radius : range->least_radius;
            range->most_radius = radius > range->most_radius ? radius : range->most_radius;
            range->sum_radius += radius;
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
    }
    if (job->bodies->radius == NULL) {
        all->least_radius = (double)job->bodies->common_radius;
        all->most_radius = all->least_radius;
    }
    return all->survey.bad == 0;
}

/* Floats of a call for doubles are relative to the first body. */
static bool make_grid(carom_lists_job *job) {
    carom_lists_range all;
    double lo[3];
    double hi[3];
    if (!merge_ranges(job, &all)) {
        return false;
    }
    for (int a = 0; a < 3; a++) {
        const double centre = sizeof(carom_real) == sizeof(double) ? (double)job->bodies->prev[a][0] : 0.0;
        lo[a] = centre + (double)all.survey.lo[a];
        hi[a] = centre + (double)all.survey.hi[a];
    }
    job->same_radius = all.least_radius == all.most_radius;
    if (!carom_lists_grid_make(lo, hi, 2.0 * all.most_radius, job->bodies->count, &job->grid)) {
        return false;
    }
    const double sum = 2.0 * all.most_radius * job->grid.scale;
    job->square = (float)(sum * sum);
    const double mean = job->same_radius ? all.most_radius : all.sum_radius / (double)job->bodies->count;
    job->mean_reach = 2.0 * mean * job->grid.scale / (double)CAROM_LISTS_STEPS;
    return true;
}

static void steps_of(const carom_lists_job *job, uint64_t n, uint64_t step[3]) {
    for (int a = 0; a < 3; a++) {
        const double at = (double)carom_layout_value(job->bodies->prev[a], job->bodies->prev_stride, n);
        step[a] = carom_lists_grid_step(&job->grid, a, at);
    }
}

static void count_cells(void *data, uint32_t worker) {
    carom_lists_job *job = data;
    uint32_t *next = job->slots.next + worker * job->grid.count;
    for (uint64_t c = 0; c < job->grid.count; c++) {
        next[c] = 0;
    }
    carom_walk walk = carom_team_walk(&job->context->team, worker, job->bodies->count, CAROM_SIMD_PAD);
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin; n < walk.end; n++) {
            uint64_t step[3];
            steps_of(job, n, step);
            const uint64_t cell = carom_lists_grid_cell(&job->grid, step);
            CAROM_ASSERT(cell < job->grid.count);
            job->slots.slot_of[n] = (uint32_t)cell;
            next[cell]++;
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
    if (range.end == job->grid.count) {
        job->slots.start[job->grid.count] = (uint32_t)job->bodies->count;
    }
}

static void put_bodies(void *data, uint32_t worker) {
    carom_lists_job *job = data;
    uint32_t *next = job->slots.next + worker * job->grid.count;
    carom_walk walk = carom_team_walk(&job->context->team, worker, job->bodies->count, CAROM_SIMD_PAD);
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin; n < walk.end; n++) {
            uint64_t step[3];
            if (n + AHEAD < walk.end) {
                __builtin_prefetch(&job->slots.record[next[job->slots.slot_of[n + AHEAD]]], 1);
            }
            steps_of(job, n, step);
            const uint32_t slot = next[job->slots.slot_of[n]]++;
            job->slots.slot_of[n] = slot;
            job->slots.record[slot] =
                (carom_lists_record){{(uint32_t)step[0], (uint32_t)step[1], (uint32_t)step[2]}, (uint32_t)n};
        }
    }
}

static void split_records(void *data, uint32_t worker) {
    carom_lists_job *job = data;
    carom_walk walk = carom_team_walk(&job->context->team, worker, job->bodies->count, CAROM_SIMD_PAD);
    while (carom_walk_next(&walk)) {
        for (uint64_t s = walk.begin; s < walk.end; s++) {
            const carom_lists_record *record = &job->slots.record[s];
            for (int a = 0; a < 3; a++) {
                job->slots.step[a][s] = record->step[a];
            }
            job->slots.body[s] = record->body;
        }
        for (uint64_t s = walk.begin; s < walk.end && !job->same_radius; s++) {
            job->slots.radius[s] =
                (float)((double)carom_layout_radius(job->bodies, job->slots.body[s]) * job->grid.scale);
        }
    }
}

static carom_status reserve_ranges(carom_lists_job *job) {
    const uint64_t workers = job->context->team.workers;
    const carom_work_need need[] = {{CAROM_WORK_SHARES, workers * sizeof(uint64_t)},
                                    {CAROM_WORK_LIST_RANGES, workers * sizeof *job->ranges}};
    const carom_status status = carom_context_reserve(job->context, need, 2, job->required);
    job->ranges = carom_context_work(job->context, CAROM_WORK_LIST_RANGES);
    return status;
}

static carom_status reserve_slots(carom_lists_job *job) {
    const uint64_t stride = job->bodies->count + CAROM_GATHER_PAD;
    const uint64_t cells = job->grid.count;
    const carom_work_need need[] = {
        {CAROM_WORK_LIST_CELLS, ((job->context->team.workers + 1) * cells + 1) * sizeof(uint32_t)},
        {CAROM_WORK_LIST_SLOT_OF, job->bodies->count * sizeof(uint32_t)},
        {CAROM_WORK_LIST_RECORDS, job->bodies->count * sizeof *job->slots.record},
        {CAROM_WORK_LIST_SLOTS, 5 * stride * sizeof(uint32_t)},
    };
    const carom_status status = carom_context_reserve(job->context, need, sizeof need / sizeof need[0], job->required);
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
    job->slots.body = slots + 3 * stride;
    job->slots.radius = job->same_radius ? NULL : (float *)(void *)(slots + 4 * stride);
    return CAROM_OK;
}

/* Shares of the workers, from their own to the sum of those before. */
static void sum_shares(const carom_lists_job *job) {
    uint64_t *share = carom_context_shares(job->context);
    uint64_t sum = 0;
    for (uint32_t w = 0; w < job->context->team.workers; w++) {
        const uint64_t own = share[w];
        share[w] = sum;
        sum += own;
    }
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
        sum_shares(job);
        carom_team_run(team, set_starts, job);
        carom_team_run(team, put_bodies, job);
        carom_team_run(team, split_records, job);
    }
    *fits = true;
    return carom_team_stopped(team) ? CAROM_ERROR_CANCELLED : CAROM_OK;
}
