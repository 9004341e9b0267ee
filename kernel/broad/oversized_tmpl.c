/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Boxes are made twice, for the count and for the lists: cheaper than keeping them. The same kernel makes them as in
 * the cells, so both agree to the bit on the cells that a body reaches. */
#include "kernel/broad/oversized_tmpl.h"

#include "kernel/check/assert.h"

/* Oversized bodies whose boxes are made together. */
enum { BATCH = 256 };

typedef struct job {
    const carom_team *team;
    const carom_simd *simd;
    const carom_plan *plan;
    const carom_record *wide; /* the oversized bodies */
    uint32_t count;           /* how many there are */
    const carom_visit_workspace *workspace;
} job;

/* Boxes of oversized bodies [begin, end), axis by axis. */
typedef struct batch {
    uint32_t begin;
    uint32_t end;
    float lo[3][BATCH + CAROM_SIMD_PAD];
    float hi[3][BATCH + CAROM_SIMD_PAD];
} batch;

/* With one bin, which nobody reads, the kernel of cells makes boxes and nothing else. */
static void make_boxes(const job *j, batch *b) {
    uint32_t slot[BATCH + CAROM_SIMD_PAD] = {0};
    uint32_t end[BATCH + CAROM_SIMD_PAD];
    const uint32_t bin_end = 0;
    const carom_bins bins = {0, 0.0F, 0.0F, 0.0F};
    carom_boxes boxes = {.count = b->end - b->begin,
                         .lo = {b->lo[0], b->lo[1], b->lo[2]},
                         .hi = {b->hi[0], b->hi[1], b->hi[2]},
                         .slot = slot,
                         .end = end};
    for (uint32_t n = 0; n < boxes.count; n++) {
        slot[n] = b->begin + n;
    }
    carom_kernels_of(j->simd)->cell_boxes(j->wide, 0, &j->plan->grid, &bins, &bin_end, &boxes);
}

/* The cells that a box reaches: columns from first to last on each axis. */
typedef struct reach {
    uint32_t first[3];
    uint32_t last[3];
} reach;

static reach reach_of(const job *j, const batch *b, uint32_t n) {
    reach r;
    for (uint32_t a = 0; a < 3; a++) {
        r.first[a] = carom_plan_column(j->plan, a, b->lo[a][n - b->begin]);
        r.last[a] = carom_plan_column(j->plan, a, b->hi[a][n - b->begin]);
        CAROM_ASSERT(r.first[a] <= r.last[a] && r.last[a] < j->plan->grid.columns[a]);
    }
    return r;
}

static uint64_t cells_reached(const reach *r) {
    uint64_t cells = 1;
    for (int a = 0; a < 3; a++) {
        cells *= r->last[a] - r->first[a] + 1;
    }
    return cells;
}

static uint64_t count_batch(const job *j, uint64_t begin, uint64_t end) {
    batch b = {.begin = (uint32_t)begin, .end = (uint32_t)end};
    uint64_t visits = 0;
    make_boxes(j, &b);
    for (uint32_t n = b.begin; n < b.end; n++) {
        reach r = reach_of(j, &b, n);
        visits += cells_reached(&r);
        j->workspace->low[n] = b.lo[j->plan->sweep_axis][n - b.begin];
    }
    return visits;
}

/* Each worker counts the visits of its own range of bodies. */
static void count_visits(void *data, uint32_t worker) {
    const job *j = data;
    uint64_t visits = 0;
    carom_walk walk = carom_team_walk(j->team, worker, j->count, BATCH);
    while (carom_walk_next(&walk)) {
        for (uint64_t at = walk.begin; at < walk.end; at += BATCH) {
            visits += count_batch(j, at, at + BATCH < walk.end ? at + BATCH : walk.end);
        }
    }
    j->workspace->visits[worker] = visits;
}

/* One body's visits, from `at` on; returns where the next body's begin. */
static uint64_t put_visits(const job *j, const reach *r, uint32_t number, uint64_t at) {
    const carom_plan *plan = j->plan;
    uint32_t column[3];
    for (column[2] = r->first[2]; column[2] <= r->last[2]; column[2]++) {
        for (column[1] = r->first[1]; column[1] <= r->last[1]; column[1]++) {
            for (column[0] = r->first[0]; column[0] <= r->last[0]; column[0]++) {
                uint32_t cell = 0;
                uint32_t earlier = 0;
                for (int a = 0; a < 3; a++) {
                    cell += column[a] * plan->stride[a];
                    earlier |= column[a] > r->first[a] ? plan->bit[a] : 0;
                }
                j->workspace->cell[at] = cell;
                j->workspace->visit[at] = number | earlier << CAROM_VISIT_SHIFT;
                at++;
            }
        }
    }
    return at;
}

/* The same for some bodies. A body may visit very many cells: a call that is to stop leaves the rest out. */
static uint64_t put_batch(const job *j, uint64_t begin, uint64_t end, uint64_t to) {
    batch b = {.begin = (uint32_t)begin, .end = (uint32_t)end};
    make_boxes(j, &b);
    for (uint32_t n = b.begin; n < b.end && !carom_control_look(j->team->control); n++) {
        reach r = reach_of(j, &b, n);
        to = put_visits(j, &r, n, to);
    }
    return to;
}

/* Each worker writes its visits from where those of the workers before it end. */
static void fill_visits(void *data, uint32_t worker) {
    const job *j = data;
    uint64_t to = j->workspace->visits[worker];
    carom_walk walk = carom_team_walk(j->team, worker, j->count, BATCH);
    while (carom_walk_next(&walk)) {
        for (uint64_t at = walk.begin; at < walk.end; at += BATCH) {
            to = put_batch(j, at, at + BATCH < walk.end ? at + BATCH : walk.end, to);
        }
    }
}

uint64_t carom_oversized_count(const carom_team *team, const carom_simd *simd, const carom_plan *plan,
                               const carom_record *wide, uint32_t count, const carom_visit_workspace *workspace) {
    job j = {team, simd, plan, wide, count, workspace};
    carom_team_run(team, count_visits, &j);
    /* Counts of workers become positions. */
    uint64_t sum = 0;
    for (uint32_t w = 0; w < team->workers; w++) {
        uint64_t own = workspace->visits[w];
        workspace->visits[w] = sum;
        sum += own;
    }
    return sum;
}

static uint32_t bits_of(uint32_t value) {
    uint32_t bits = 1;
    while (bits < 32 && value >> bits != 0) {
        bits++;
    }
    return bits;
}

/* Where the visits of each cell begin; those of a cell without any begin where the next one's do. */
static void start_cells(const job *j, uint64_t visits) {
    const carom_visit_workspace *workspace = j->workspace;
    uint32_t cell = 0;
    carom_walk walk = carom_team_walk_alone(j->team, visits);
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin; n < walk.end; n++) {
            for (; cell <= workspace->cell[n]; cell++) {
                workspace->start[cell] = (uint32_t)n;
            }
        }
    }
    for (; cell <= j->plan->cell_count; cell++) {
        workspace->start[cell] = (uint32_t)visits;
    }
}

carom_status carom_oversized_list(const carom_team *team, const carom_simd *simd, carom_memory *memory,
                                  carom_radix_sort *sort, const carom_plan *plan, const carom_record *wide,
                                  uint32_t count, uint64_t visits, const carom_visit_workspace *workspace) {
    CAROM_ASSERT(count <= CAROM_VISIT_NUMBER && visits >= count && visits <= UINT32_MAX);
    job j = {team, simd, plan, wide, count, workspace};
    carom_team_run(team, fill_visits, &j);
    if (carom_team_stopped(team)) {
        return CAROM_ERROR_CANCELLED;
    }
    carom_status status =
        carom_radix_sort_u32(sort, team, memory, simd, visits, bits_of(plan->cell_count), workspace->cell,
                             workspace->visit, workspace->spare_cell, workspace->spare_visit);
    if (status != CAROM_OK) {
        return status;
    }
    start_cells(&j, visits);
    if (carom_team_stopped(team)) {
        return CAROM_ERROR_CANCELLED;
    }
    const carom_oversized lists = {
        .count = count, .low = workspace->low, .start = workspace->start, .visit = workspace->visit};
    CAROM_VALIDATE(carom_oversized_validate(plan, &lists));
    return CAROM_OK;
}
