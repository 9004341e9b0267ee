/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Neighbours as compressed rows, from the stored pairs: count per body, prefix sum, fill, then each row put in order.
 * Workers take places in a row by atomic additions, in whatever order they come; as no two entries have both
 * neighbour and pair in common, the order of the row makes the result the same for any number of them. One array serves
 * as counts, as places and at last as offsets: entry b + 1 is where row b goes on, and when the row is full, where it
 * ends. Linear, but for the ordering of long rows. */
#include "kernel/detect/results/neighbours_tmpl.h"

#include <string.h>

#include "kernel/sort/list_sort.h"
#include "kernel/store/row_table_tmpl.h"

/* Pairs and bodies are shared out by this many. */
enum { GRAIN = 4096 };

typedef struct neighbour_job {
    carom_detect_job *job;
    uint64_t rows;
    carom_contact_rows from;
    bool full;
    bool shared;            /* several workers add to one counter */
    _Atomic uint64_t *next; /* a body: count, then place */
    uint32_t *body;
    uint64_t *pair;
    uint32_t body_bits;
    _Atomic uint64_t claimed;
    uint64_t partners[CAROM_THREADS_MAX]; /* in the lists of each worker's bodies */
} neighbour_job;

/* The value before one was added; a locked addition only where others add, too. */
static inline uint64_t take(_Atomic uint64_t *counter, bool shared) {
    if (shared) {
        return atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
    }
    uint64_t value = atomic_load_explicit(counter, memory_order_relaxed);
    atomic_store_explicit(counter, value + 1, memory_order_relaxed);
    return value;
}

static void clear_counts(void *data, uint32_t worker) {
    const neighbour_job *n = data;
    const carom_range own = carom_team_range(&n->job->context->team, worker, n->job->owned, GRAIN);
    memset((void *)(n->next + own.begin), 0, (own.end - own.begin) * sizeof *n->next);
}

static void count_partners(void *data, uint32_t worker) {
    const neighbour_job *n = data;
    const carom_range own = carom_team_range(&n->job->context->team, worker, n->rows, GRAIN);
    for (uint64_t row = own.begin; row < own.end; row++) {
        take(&n->next[n->from.i[row]], n->shared);
        if (n->full) {
            take(&n->next[n->from.k[row]], n->shared);
        }
    }
}

static void sum_counts(void *data, uint32_t worker) {
    neighbour_job *n = data;
    uint64_t sum = 0;
    const carom_range own = carom_team_range(&n->job->context->team, worker, n->job->owned, GRAIN);
    for (uint64_t b = own.begin; b < own.end; b++) {
        sum += atomic_load_explicit(&n->next[b], memory_order_relaxed);
    }
    n->partners[worker] = sum;
}

static void place_rows(void *data, uint32_t worker) {
    const neighbour_job *n = data;
    uint64_t place = 0;
    for (uint32_t w = 0; w < worker; w++) {
        place += n->partners[w];
    }
    const carom_range own = carom_team_range(&n->job->context->team, worker, n->job->owned, GRAIN);
    for (uint64_t b = own.begin; b < own.end; b++) {
        uint64_t length = atomic_load_explicit(&n->next[b], memory_order_relaxed);
        atomic_store_explicit(&n->next[b], place, memory_order_relaxed);
        place += length;
    }
}

static inline void put(const neighbour_job *n, uint32_t body, uint32_t neighbour, uint64_t row) {
    uint64_t at = take(&n->next[body], n->shared);
    n->body[at] = neighbour;
    n->pair[at] = row;
}

/* Pairs whose places are asked for this many pairs ahead: first the counter, later what it points to. */
enum { ENTRIES_AHEAD = 12, COUNTERS_AHEAD = 24 };

static inline void prefetch_counter(const neighbour_job *n, uint32_t body) {
    __builtin_prefetch((const void *)&n->next[body], 1);
}

/* Others may take places meanwhile, but few: the line is nearly always the one needed. */
static inline void prefetch_entry(const neighbour_job *n, uint32_t body) {
    uint64_t at = atomic_load_explicit(&n->next[body], memory_order_relaxed);
    __builtin_prefetch(&n->body[at], 1);
    __builtin_prefetch(&n->pair[at], 1);
}

static void prefetch_pairs(const neighbour_job *n, uint64_t row, uint64_t end) {
    if (end - row > COUNTERS_AHEAD) {
        prefetch_counter(n, n->from.i[row + COUNTERS_AHEAD]);
        prefetch_entry(n, n->from.i[row + ENTRIES_AHEAD]);
        if (n->full) {
            prefetch_counter(n, n->from.k[row + COUNTERS_AHEAD]);
            prefetch_entry(n, n->from.k[row + ENTRIES_AHEAD]);
        }
    }
}

static void fill_rows(void *data, uint32_t worker) {
    const neighbour_job *n = data;
    const carom_range own = carom_team_range(&n->job->context->team, worker, n->rows, GRAIN);
    for (uint64_t row = own.begin; row < own.end; row++) {
        uint32_t i = n->from.i[row];
        uint32_t k = n->from.k[row];
        prefetch_pairs(n, row, own.end);
        put(n, i, k, row);
        if (n->full) {
            put(n, k, i, row);
        }
    }
}

/* Blocks of bodies are claimed: rows differ in length. */
static void sort_rows(void *data, uint32_t worker) {
    (void)worker;
    neighbour_job *n = data;
    uint64_t count = n->job->owned;
    for (uint64_t first = carom_team_claim(&n->claimed) * GRAIN; first < count;
         first = carom_team_claim(&n->claimed) * GRAIN) {
        uint64_t last = count - first < GRAIN ? count : first + GRAIN;
        uint64_t begin = first == 0 ? 0 : atomic_load_explicit(&n->next[first - 1], memory_order_relaxed);
        for (uint64_t b = first; b < last; b++) {
            uint64_t end = atomic_load_explicit(&n->next[b], memory_order_relaxed);
            if (begin < end) { /* without entries there may be no arrays */
                carom_list_sort(n->body + begin, n->pair + begin, end - begin, n->body_bits);
            }
            begin = end;
        }
    }
}

static void run(neighbour_job *n) {
    static carom_team_task *const stages[] = {clear_counts, count_partners, sum_counts,
                                              place_rows,   fill_rows,      sort_rows};
    for (size_t s = 0; s < sizeof stages / sizeof stages[0]; s++) {
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

carom_status carom_neighbours_list(carom_detect_job *job, uint64_t rows) {
    carom_context *context = job->context;
    uint64_t entries = entries_of(job, rows);
    carom_work_need need[] = {
        {CAROM_WORK_NEIGHBOUR_OFFSET, (job->owned + 1) * sizeof(uint64_t)},
        {CAROM_WORK_NEIGHBOUR_BODY, carom_size_multiply(entries, sizeof(uint32_t))},
        {CAROM_WORK_NEIGHBOUR_PAIR, carom_size_multiply(entries, sizeof(uint64_t))},
    };
    carom_context_reserve_more(context, need + 1, 2, job->headroom);
    if (carom_context_reserve(context, need, sizeof need / sizeof need[0], NULL) != CAROM_OK) {
        return CAROM_ERROR_MEMORY;
    }
    _Atomic uint64_t *offset = carom_context_work(context, CAROM_WORK_NEIGHBOUR_OFFSET);
    atomic_store_explicit(&offset[0], 0, memory_order_relaxed);
    neighbour_job n = {.job = job,
                       .rows = rows,
                       .from =
                           carom_row_table_view(job->rows.shape, context->rows.block.data, context->rows.capacity, 0),
                       .full = job->config->neighbours == CAROM_NEIGHBOURS_FULL,
                       .shared = context->team.workers > 1,
                       .next = offset + 1,
                       .body = carom_context_work(context, CAROM_WORK_NEIGHBOUR_BODY),
                       .pair = carom_context_work(context, CAROM_WORK_NEIGHBOUR_PAIR),
                       .body_bits = carom_list_sort_bits(job->owned)};
    run(&n);
    job->detection->neighbours = (carom_neighbours){
        .offset = carom_context_work(context, CAROM_WORK_NEIGHBOUR_OFFSET), .body = n.body, .pair = n.pair};
    job->detection->summary.phase_bytes[CAROM_PHASE_COLLECT] +=
        16.0 * (double)rows + 24.0 * (double)entries + 32.0 * (double)job->owned;
    return CAROM_OK;
}
