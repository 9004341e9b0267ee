/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Two parallel passes over the bodies, and between them a prefix sum over few numbers. Both passes use the same ranges
 * of workers, so each worker moves the bodies that it has counted. */
#include "kernel/broad/partition_tmpl.h"

#include <string.h>

#include "kernel/check/assert.h"

/* Bodies that are coded and counted together, or given slots and moved: their codes stay in the first-level cache. */
enum { BATCH = 2048 };

typedef struct job {
    const carom_team *team;
    const carom_simd *simd;
    const carom_plan *plan;
    const carom_bodies *bodies;
    carom_partition_workspace workspace;
    carom_record *records;
} job;

/* Where a worker's next record of each code goes; before that, how many it has. */
static uint32_t *next_of(const job *j, uint32_t worker) {
    return j->workspace.next + worker * carom_partition_next_stride(j->plan);
}

static void count_batch(const job *j, uint32_t *next, uint64_t begin, uint64_t end) {
    carom_kernels_of(j->simd)->codes(j->bodies, begin, end, &j->plan->grid, j->workspace.code);
    for (uint64_t n = begin; n < end; n++) {
        CAROM_ASSERT(j->workspace.code[n] < j->plan->code_count);
        next[j->workspace.code[n]]++;
    }
}

/* Each worker codes its range of bodies and counts how many have each code. */
static void count_codes(void *data, uint32_t worker) {
    const job *j = data;
    uint32_t *next = next_of(j, worker);
    memset(next, 0, (size_t)j->plan->code_count * sizeof *next);
    carom_walk walk = carom_team_walk(j->team, worker, j->bodies->count, CAROM_SIMD_PAD);
    while (carom_walk_next(&walk)) {
        for (uint64_t batch = walk.begin; batch < walk.end; batch += BATCH) {
            count_batch(j, next, batch, batch + BATCH < walk.end ? batch + BATCH : walk.end);
        }
    }
}

/* Codes in all workers' counts from which on workers share the sum. For fewer, two more runs of the team cost more than
 * they save. */
enum { SHARED_LEAST = 1 << 15 };

/* Counts of codes [begin, end) to positions, the first of which is `at`: code by code, within a code worker by worker.
 * Returns the position after the last. */
static uint32_t place_codes(const job *j, uint64_t begin, uint64_t end, uint32_t at) {
    for (uint64_t c = begin; c < end; c++) {
        j->workspace.start[c] = at;
        for (uint32_t w = 0; w < j->team->workers; w++) {
            uint32_t *next = next_of(j, w) + c;
            uint32_t own = *next;
            *next = at;
            at += own;
        }
    }
    return at;
}

static carom_range codes_of(const job *j, uint32_t worker) {
    return carom_team_range(j->team, worker, j->plan->code_count, CAROM_CACHE_LINE);
}

/* How many bodies have codes of the worker's range: stored where the range starts. */
static void sum_codes(void *data, uint32_t worker) {
    const job *j = data;
    const carom_range range = codes_of(j, worker);
    uint32_t sum = 0;
    for (uint32_t w = 0; w < j->team->workers; w++) {
        const uint32_t *next = next_of(j, w);
        for (uint64_t c = range.begin; c < range.end; c++) {
            sum += next[c];
        }
    }
    if (range.begin < range.end) {
        j->workspace.start[range.begin] = sum;
    }
}

static void place_range(void *data, uint32_t worker) {
    const job *j = data;
    const carom_range range = codes_of(j, worker);
    if (range.begin < range.end) {
        (void)place_codes(j, range.begin, range.end, j->workspace.start[range.begin]);
    }
}

/* Returns the number of bodies. */
static uint32_t place_together(job *j) {
    uint32_t at = 0;
    carom_team_run(j->team, sum_codes, j);
    for (uint32_t w = 0; w < j->team->workers; w++) {
        const carom_range range = codes_of(j, w);
        if (range.begin < range.end) {
            const uint32_t sum = j->workspace.start[range.begin];
            j->workspace.start[range.begin] = at;
            at += sum;
        }
    }
    carom_team_run(j->team, place_range, j);
    return at;
}

static uint32_t place_alone(const job *j) {
    uint32_t at = 0;
    carom_walk walk = carom_team_walk_alone(j->team, j->plan->code_count);
    while (carom_walk_next(&walk)) {
        at = place_codes(j, walk.begin, walk.end, at);
    }
    return at;
}

/* Counts of all codes to positions. */
static void place_all(job *j) {
    const bool shared = j->team->workers > 1 && (uint64_t)j->plan->code_count * j->team->workers >= SHARED_LEAST;
    const uint32_t all = shared ? place_together(j) : place_alone(j);
    j->workspace.start[j->plan->code_count] = all;
    CAROM_ASSERT(all == j->bodies->count || carom_team_stopped(j->team));
}

/* Codes of bodies [begin, end) become their slots. A worker takes a code's slots in the order of its bodies, which
 * makes the partition stable. */
static void take_slots(const job *j, uint32_t *next, uint64_t begin, uint64_t end) {
    uint32_t *code = j->workspace.code;
    for (uint64_t n = begin; n < end; n++) {
        code[n] = next[code[n]]++;
    }
}

/* Slots are taken one batch ahead, so that the kernel can prefetch the cache lines to which it will write. */
static void move_bodies(void *data, uint32_t worker) {
    const job *j = data;
    bool past_cache = j->bodies->count * sizeof(carom_record) > CAROM_PAST_CACHE;
    carom_walk walk = carom_team_walk(j->team, worker, j->bodies->count, CAROM_SIMD_PAD);
    uint64_t known = walk.begin;
    walk.step = BATCH; /* each body may be the first in a page of records */
    while (carom_walk_next(&walk)) {
        uint64_t ahead = walk.last - walk.end > BATCH ? walk.end + BATCH : walk.last;
        take_slots(j, next_of(j, worker), known, ahead);
        known = ahead;
        const carom_place_in moved = {j->bodies, walk.begin, walk.end, known, j->workspace.code, past_cache};
        carom_kernels_of(j->simd)->place(&moved, j->records);
    }
}

void carom_partition_run(const carom_team *team, const carom_simd *simd, const carom_plan *plan,
                         const carom_bodies *bodies, const carom_partition_workspace *workspace,
                         carom_record *records) {
    CAROM_ASSERT_ALIGNED(records, CAROM_CACHE_LINE);
    CAROM_ASSERT_ALIGNED(workspace->next, CAROM_CACHE_LINE);
    job j = {team, simd, plan, bodies, *workspace, records};
    carom_team_run_over(team, bodies->count, count_codes, &j);
    if (!carom_team_stopped(team)) {
        place_all(&j);
        carom_team_run_over(team, bodies->count, move_bodies, &j);
    }
    const carom_partition made = {simd, plan, bodies, workspace->code, workspace->start, records};
    CAROM_VALIDATE(carom_team_stopped(team) ? NULL : carom_partition_validate(&made));
}
