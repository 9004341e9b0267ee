/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Lists in compressed form, by a parallel counting sort: entries per body, prefix sum, fill, then each list put in
 * order. Workers take places in a list by atomic additions, in whatever order they come; as no two entries have both
 * neighbour and pair in common, but for two of a body and its own image, which are equal, the order of the list
 * makes the result the same for any number of them. One array serves as counts, as places and at last as offsets:
 * counter b is where the next entry of list b goes, and when the list is full, where it ends. Linear, but for the
 * ordering of long lists. */
#include "kernel/detect/results/neighbours_tmpl.h"

#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/sort/list_sort.h"
#include "kernel/store/row_table_tmpl.h"

/* Pairs and bodies are shared out by this many. */
enum { GRAIN = 4096 };

typedef struct neighbour_job {
    carom_detect_job *job;
    uint64_t rows;            /* contact rows that are read */
    carom_contacts from;      /* the first of them */
    bool full;                /* a pair is in the lists of both bodies, not only in that of i */
    bool shared;              /* several workers add to one counter */
    _Atomic uint64_t *next;   /* of each body: its count, then the place of its next entry */
    uint32_t *body;           /* of each entry: the neighbour */
    uint64_t *pair;           /* of each entry: the row */
    uint32_t body_bits;       /* bits of the greatest body */
    _Atomic uint64_t claimed; /* runs of GRAIN bodies whose lists some worker has put in order */
    uint64_t *partners;       /* entries in the lists of each worker's bodies */
} neighbour_job;

/* Returns the value before the addition; locked only where others add, too. */
static inline uint64_t add_one(_Atomic uint64_t *counter, bool shared) {
    if (shared) {
        return atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
    }
    uint64_t value = atomic_load_explicit(counter, memory_order_relaxed);
    atomic_store_explicit(counter, value + 1, memory_order_relaxed);
    return value;
}

static void clear_counts(void *data, uint32_t worker) {
    const neighbour_job *n = data;
    carom_walk walk = carom_team_walk(&n->job->context->team, worker, n->job->owned, GRAIN);
    while (carom_walk_next(&walk)) {
        memset((void *)(n->next + walk.begin), 0, (walk.end - walk.begin) * sizeof *n->next);
    }
}

/* Counters and places are asked for this many rows ahead: first the counter, later what it points to. */
enum { ENTRIES_AHEAD = 12, COUNTERS_AHEAD = 24 };

static inline __attribute__((always_inline)) void prefetch_counter(const neighbour_job *n, uint32_t body) {
    __builtin_prefetch((const void *)&n->next[body], 1);
}

static void count_rows(const neighbour_job *n, uint64_t begin, uint64_t end) {
    for (uint64_t row = begin; row < end; row++) {
        if (end - row > COUNTERS_AHEAD) {
            prefetch_counter(n, n->from.i[row + COUNTERS_AHEAD]);
            if (n->full) {
                prefetch_counter(n, n->from.k[row + COUNTERS_AHEAD]);
            }
        }
        add_one(&n->next[n->from.i[row]], n->shared);
        if (n->full) {
            add_one(&n->next[n->from.k[row]], n->shared);
        }
    }
}

static void count_partners(void *data, uint32_t worker) {
    const neighbour_job *n = data;
    carom_walk walk = carom_team_walk(&n->job->context->team, worker, n->rows, GRAIN);
    while (carom_walk_next(&walk)) {
        count_rows(n, walk.begin, walk.end);
    }
}

static void sum_counts(void *data, uint32_t worker) {
    neighbour_job *n = data;
    uint64_t sum = 0;
    carom_walk walk = carom_team_walk(&n->job->context->team, worker, n->job->owned, GRAIN);
    while (carom_walk_next(&walk)) {
        for (uint64_t b = walk.begin, end = walk.end; b < end; b++) {
            sum += atomic_load_explicit(&n->next[b], memory_order_relaxed);
        }
    }
    n->partners[worker] = sum;
}

/* Counts to places: each worker begins where the entries of those before it end. */
static void place_lists(void *data, uint32_t worker) {
    const neighbour_job *n = data;
    uint64_t place = 0;
    for (uint32_t w = 0; w < worker; w++) {
        place += n->partners[w];
    }
    carom_walk walk = carom_team_walk(&n->job->context->team, worker, n->job->owned, GRAIN);
    while (carom_walk_next(&walk)) {
        for (uint64_t b = walk.begin, end = walk.end; b < end; b++) {
            uint64_t length = atomic_load_explicit(&n->next[b], memory_order_relaxed);
            atomic_store_explicit(&n->next[b], place, memory_order_relaxed);
            place += length;
        }
    }
}

static inline void add_entry(const neighbour_job *n, uint32_t body, uint32_t neighbour, uint64_t row) {
    uint64_t at = add_one(&n->next[body], n->shared);
    n->body[at] = neighbour;
    n->pair[at] = row;
}

/* Others may take places meanwhile, but few: the line is nearly always the one needed. */
static inline __attribute__((always_inline)) void prefetch_entry(const neighbour_job *n, uint32_t body) {
    uint64_t at = atomic_load_explicit(&n->next[body], memory_order_relaxed);
    __builtin_prefetch(&n->body[at], 1);
    __builtin_prefetch(&n->pair[at], 1);
}

static inline __attribute__((always_inline)) void prefetch_pairs(const neighbour_job *n, uint64_t row, uint64_t end) {
    if (end - row > COUNTERS_AHEAD) {
        prefetch_counter(n, n->from.i[row + COUNTERS_AHEAD]);
        prefetch_entry(n, n->from.i[row + ENTRIES_AHEAD]);
        if (n->full) {
            prefetch_counter(n, n->from.k[row + COUNTERS_AHEAD]);
            prefetch_entry(n, n->from.k[row + ENTRIES_AHEAD]);
        }
    }
}

static void fill_rows(const neighbour_job *n, uint64_t begin, uint64_t end) {
    for (uint64_t row = begin; row < end; row++) {
        uint32_t i = n->from.i[row];
        uint32_t k = n->from.k[row];
        CAROM_ASSERT(i < n->job->owned && k < n->job->owned);
        prefetch_pairs(n, row, end);
        add_entry(n, i, k, row);
        if (n->full) {
            add_entry(n, k, i, row);
        }
    }
}

static void fill_lists(void *data, uint32_t worker) {
    const neighbour_job *n = data;
    carom_walk walk = carom_team_walk(&n->job->context->team, worker, n->rows, GRAIN);
    walk.step = CAROM_WALK_SCATTERED;
    while (carom_walk_next(&walk)) {
        fill_rows(n, walk.begin, walk.end);
    }
}

/* Lists of middling length go to a kernel, which takes them unless a neighbour is there twice. */
static void sort_list(const neighbour_job *n, uint64_t begin, uint64_t count) {
    uint32_t *body = n->body + begin;
    uint64_t *pair = n->pair + begin;
    const bool middling = count > CAROM_LIST_SORT_FEW && count <= CAROM_RANK_MOST;
    if (!middling || !n->job->context->simd->rank_sort(body, pair, (uint32_t)count)) {
        carom_list_sort(body, pair, count, n->body_bits);
    }
}

/* The lists of bodies [first, last). */
static void sort_run(const neighbour_job *n, uint64_t first, uint64_t last) {
    uint64_t begin = first == 0 ? 0 : atomic_load_explicit(&n->next[first - 1], memory_order_relaxed);
    for (uint64_t b = first; b < last; b++) {
        uint64_t end = atomic_load_explicit(&n->next[b], memory_order_relaxed);
        CAROM_ASSERT(begin <= end);
        if (begin < end) { /* without entries there may be no arrays */
            sort_list(n, begin, end - begin);
        }
        begin = end;
    }
}

/* Runs of bodies are claimed, not divided beforehand: lists differ in length. */
static void sort_lists(void *data, uint32_t worker) {
    (void)worker;
    neighbour_job *n = data;
    const uint64_t count = n->job->owned;
    uint64_t first = carom_team_claim(&n->claimed) * GRAIN;
    while (first < count && !carom_control_note(n->job->context->team.control, GRAIN, count)) {
        sort_run(n, first, count - first < GRAIN ? count : first + GRAIN);
        first = carom_team_claim(&n->claimed) * GRAIN;
    }
}

/* Each stage needs all of the one before: the team meets after every one. */
static void run(neighbour_job *n) {
    static carom_team_task *const stages[] = {clear_counts, count_partners, sum_counts,
                                              place_lists,  fill_lists,     sort_lists};
    for (size_t s = 0; s < sizeof stages / sizeof stages[0] && !carom_job_stopped(n->job); s++) {
        carom_team_run(&n->job->context->team, stages[s], n);
    }
}

static uint64_t entries_of(const carom_detect_job *job, uint64_t rows) {
    return job->config->neighbours == CAROM_NEIGHBOURS_FULL ? carom_size_multiply(rows, 2) : rows;
}

uint64_t carom_neighbours_bytes(const carom_detect_job *job, uint64_t rows) {
    if (job->config->neighbours == CAROM_NEIGHBOURS_NONE) {
        return 0;
    }
    uint64_t lists = carom_size_multiply(entries_of(job, rows), sizeof(uint32_t) + sizeof(uint64_t));
    return carom_size_add(lists, (job->owned + 1) * sizeof(uint64_t));
}

static carom_status reserve_lists(carom_detect_job *job, uint64_t entries) {
    carom_work_need need[] = {
        {CAROM_WORK_NEIGHBOUR_OFFSET, (job->owned + 1) * sizeof(uint64_t)},
        {CAROM_WORK_NEIGHBOUR_BODY, carom_size_multiply(entries, sizeof(uint32_t))},
        {CAROM_WORK_NEIGHBOUR_PAIR, carom_size_multiply(entries, sizeof(uint64_t))},
    };
    carom_context_reserve_more(job->context, need + 1, 2, job->headroom);
    return carom_context_reserve(job->context, need, sizeof need / sizeof need[0], NULL);
}

carom_status carom_neighbours_list(carom_detect_job *job, uint64_t rows) {
    carom_context *context = job->context;
    const carom_row_table *table = &context->rows;
    const uint64_t entries = entries_of(job, rows);
    CAROM_ASSERT(job->config->neighbours != CAROM_NEIGHBOURS_NONE);
    CAROM_ASSERT(rows <= table->capacity);
    if (reserve_lists(job, entries) != CAROM_OK) {
        return CAROM_ERROR_MEMORY;
    }
    _Atomic uint64_t *offset = carom_context_work(context, CAROM_WORK_NEIGHBOUR_OFFSET);
    atomic_store_explicit(&offset[0], 0, memory_order_relaxed);
    neighbour_job n = {.job = job,
                       .rows = rows,
                       .from = carom_row_table_view(job->rows.shape, table->block.data, table->capacity, 0),
                       .full = job->config->neighbours == CAROM_NEIGHBOURS_FULL,
                       .shared = context->team.workers > 1,
                       .next = offset + 1,
                       .body = carom_context_work(context, CAROM_WORK_NEIGHBOUR_BODY),
                       .pair = carom_context_work(context, CAROM_WORK_NEIGHBOUR_PAIR),
                       .body_bits = carom_list_sort_bits(job->owned),
                       .partners = carom_context_shares(context)};
    run(&n);
    if (carom_job_stopped(job)) {
        return CAROM_ERROR_CANCELLED;
    }
    CAROM_ASSERT(offset[job->owned] == entries);
    job->detection->neighbours = (carom_neighbours){
        .offset = carom_context_work(context, CAROM_WORK_NEIGHBOUR_OFFSET), .body = n.body, .pair = n.pair};
    job->detection->summary.phase_bytes[CAROM_PHASE_COLLECT] +=
        16.0 * (double)rows + 24.0 * (double)entries + 32.0 * (double)job->owned;
    return CAROM_OK;
}
