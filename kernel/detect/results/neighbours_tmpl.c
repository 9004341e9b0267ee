/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Lists in compressed form, by a parallel counting sort. Entries are counted and placed by buckets, each of some bodies
 * that follow one another. No two workers write to one counter: each has its own for all buckets, and then one worker
 * at a time takes a bucket, counts the entries of its bodies, brings each to its list, and puts the lists in order. As
 * no two entries have both neighbour and pair in common, but for two of a body and its own image, which are equal, that
 * order makes the result the same for any number of workers. Linear, but for the ordering of long lists. One worker
 * needs no buckets for as many bodies as its caches hold counters. */
#include "kernel/detect/results/neighbours_tmpl.h"

#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/sort/list_sort.h"
#include "kernel/store/row_table_tmpl.h"

/* Pairs are shared out by this many. */
enum { GRAIN = 4096 };

/* Entries of a bucket, on the average, which a core's own cache holds; buckets of each worker, at least; and buckets at
 * most, but for those that OWNER_BITS asks for. */
enum { BUCKET_ENTRIES = 4096, BUCKETS_EACH = 4, BUCKETS_MOST = 1024 };

/* Until it is in its list, an entry has above its row the number of its owner within the bucket. */
enum { OWNER_BITS = 16, ROW_BITS = 64 - OWNER_BITS };
static const uint64_t ROW_MASK = (UINT64_C(1) << ROW_BITS) - 1;

/* How bodies are divided: bucket b has bodies from b << shift on. */
typedef struct buckets {
    uint32_t shift;
    uint64_t count;
    uint64_t spare; /* for each worker, numbers that hold the entries of most buckets */
} buckets;

typedef struct neighbour_job {
    carom_detect_job *job;
    uint64_t rows;            /* contact rows that are read */
    carom_contacts from;      /* the first of them */
    bool full;                /* a pair is in the lists of both bodies, not only in that of i */
    buckets buckets;
    uint64_t *offset;         /* where each body's list begins, and one more */
    uint32_t *body;           /* of each entry: the neighbour */
    uint64_t *pair;           /* of each entry: the row */
    uint64_t *cursor;         /* of each worker, for each bucket: its entries, then where its next one goes */
    uint64_t *end;            /* of each bucket's entries */
    uint64_t *head;           /* of each worker, for each body of a bucket: where its list's next entry goes */
    uint64_t *spare;          /* of each worker, room for copies */
    uint32_t body_bits;       /* bits of the greatest body */
    _Atomic uint64_t claimed; /* buckets that some worker has taken */
} neighbour_job;

static buckets buckets_of(uint64_t bodies, uint64_t entries, uint32_t workers) {
    const uint64_t least = (uint64_t)workers * BUCKETS_EACH;
    const uint64_t wanted = entries / BUCKET_ENTRIES > least ? entries / BUCKET_ENTRIES : least;
    const uint64_t most = wanted < BUCKETS_MOST ? wanted : BUCKETS_MOST;
    buckets b = {.shift = 0};
    while (b.shift < OWNER_BITS && bodies >> b.shift > most) {
        b.shift++;
    }
    b.count = (bodies >> b.shift) + ((bodies & ((UINT64_C(1) << b.shift) - 1)) > 0 ? 1 : 0);
    b.spare = b.count > 0 ? 3 * (entries / b.count) : 0; /* twice the mean */
    return b;
}

/* Numbers beside the offsets of lists. */
static uint64_t numbers_of(const buckets *b, uint32_t workers) {
    return workers * (b->count + (UINT64_C(1) << b->shift) + b->spare) + b->count;
}

static uint64_t *cursor_of(const neighbour_job *n, uint32_t worker) {
    return n->cursor + worker * n->buckets.count;
}

/* Counts the entries of a worker's rows in each bucket. */
static void count_entries(void *data, uint32_t worker) {
    const neighbour_job *n = data;
    const uint32_t shift = n->buckets.shift;
    uint64_t *count = cursor_of(n, worker);
    carom_walk walk = carom_team_walk(&n->job->context->team, worker, n->rows, GRAIN);
    memset(count, 0, n->buckets.count * sizeof *count);
    while (carom_walk_next(&walk)) {
        for (uint64_t row = walk.begin, end = walk.end; row < end; row++) {
            count[n->from.i[row] >> shift]++;
        }
        for (uint64_t row = walk.begin, end = walk.end; row < end && n->full; row++) {
            count[n->from.k[row] >> shift]++;
        }
    }
}

/* Counts to places: in a bucket the entries of the first worker come first. */
static void place_buckets(const neighbour_job *n) {
    const uint32_t workers = n->job->context->team.workers;
    uint64_t *end = n->end;
    uint64_t place = 0;
    memset(end, 0, n->buckets.count * sizeof *end);
    for (uint32_t w = 0; w < workers; w++) {
        for (uint64_t b = 0; b < n->buckets.count; b++) {
            end[b] += cursor_of(n, w)[b];
        }
    }
    for (uint64_t b = 0; b < n->buckets.count; b++) {
        const uint64_t count = end[b];
        end[b] = place;
        place += count;
    }
    for (uint32_t w = 0; w < workers; w++) {
        uint64_t *cursor = cursor_of(n, w);
        for (uint64_t b = 0; b < n->buckets.count; b++) {
            const uint64_t count = cursor[b];
            cursor[b] = end[b];
            end[b] += count;
        }
    }
}

static inline void put_entry(const neighbour_job *n, uint64_t *cursor, uint32_t owner, uint32_t neighbour,
                             uint64_t row) {
    const uint32_t shift = n->buckets.shift;
    const uint64_t at = cursor[owner >> shift]++;
    n->body[at] = neighbour;
    n->pair[at] = row | (uint64_t)(owner & ((UINT32_C(1) << shift) - 1)) << ROW_BITS;
}

/* Puts the entries of a worker's rows into their buckets. */
static void put_entries(void *data, uint32_t worker) {
    const neighbour_job *n = data;
    uint64_t *cursor = cursor_of(n, worker);
    carom_walk walk = carom_team_walk(&n->job->context->team, worker, n->rows, GRAIN);
    walk.step = CAROM_WALK_SCATTERED;
    while (carom_walk_next(&walk)) {
        for (uint64_t row = walk.begin, end = walk.end; row < end; row++) {
            const uint32_t i = n->from.i[row];
            const uint32_t k = n->from.k[row];
            CAROM_ASSERT(i < n->job->owned && k < n->job->owned);
            put_entry(n, cursor, i, k, row);
            if (n->full) {
                put_entry(n, cursor, k, i, row);
            }
        }
    }
}

/* A bucket's bodies [first, last), and where their entries are. */
typedef struct bucket {
    uint64_t first;
    uint64_t last;
    uint64_t begin;
    uint64_t end;
} bucket;

static bucket bucket_at(const neighbour_job *n, uint64_t number) {
    const uint64_t first = number << n->buckets.shift;
    const uint64_t last = (number + 1) << n->buckets.shift;
    return (bucket){first, last < n->job->owned ? last : n->job->owned, number > 0 ? n->end[number - 1] : 0,
                    n->end[number]};
}

/* Finds where each list begins: offset[body + 1] is where it ends. */
static void place_lists(const neighbour_job *n, const bucket *b, uint64_t *head) {
    const uint64_t bodies = b->last - b->first;
    uint64_t place = b->begin;
    memset(head, 0, bodies * sizeof *head);
    for (uint64_t at = b->begin; at < b->end; at++) {
        head[n->pair[at] >> ROW_BITS]++;
    }
    for (uint64_t body = 0; body < bodies; body++) {
        const uint64_t count = head[body];
        head[body] = place;
        place += count;
        n->offset[b->first + body + 1] = place;
    }
}

/* Brings each entry to its list (McIlroy, Bostic and McIlroy 1993): one that is in another list's place goes there, and
 * what was there goes on in the same way, until one belongs where the first was taken from. */
static void bring_to_lists(const neighbour_job *n, const bucket *b, uint64_t *head) {
    for (uint64_t body = 0; body < b->last - b->first; body++) {
        const uint64_t end = n->offset[b->first + body + 1];
        while (head[body] < end) {
            uint32_t neighbour = n->body[head[body]];
            uint64_t pair = n->pair[head[body]];
            for (uint64_t owner = pair >> ROW_BITS; owner != body; owner = pair >> ROW_BITS) {
                const uint64_t at = head[owner]++;
                const uint32_t next = n->body[at];
                const uint64_t next_pair = n->pair[at];
                n->body[at] = neighbour;
                n->pair[at] = pair & ROW_MASK;
                neighbour = next;
                pair = next_pair;
            }
            n->body[head[body]] = neighbour;
            n->pair[head[body]++] = pair & ROW_MASK;
        }
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

/* The same by way of a copy, which is faster: no step waits for the one before. */
static void copy_to_lists(const neighbour_job *n, const bucket *b, uint64_t *head, uint64_t *spare) {
    const uint64_t count = b->end - b->begin;
    const uint32_t *body = (uint32_t *)(spare + count);
    memcpy(spare, n->pair + b->begin, count * sizeof *spare);
    memcpy(spare + count, n->body + b->begin, count * sizeof *body);
    for (uint64_t at = 0; at < count; at++) {
        const uint64_t to = head[spare[at] >> ROW_BITS]++;
        n->pair[to] = spare[at] & ROW_MASK;
        n->body[to] = body[at];
    }
}

static void sort_bucket(const neighbour_job *n, const bucket *b) {
    uint64_t begin = b->begin;
    for (uint64_t body = b->first; body < b->last; body++) {
        const uint64_t end = n->offset[body + 1];
        if (end - begin > 1) { /* without entries there may be no arrays */
            sort_list(n, begin, end - begin);
        }
        begin = end;
    }
}

/* Buckets are claimed, not divided beforehand: they differ in length. */
static void order_buckets(void *data, uint32_t worker) {
    neighbour_job *n = data;
    carom_control *control = n->job->context->team.control;
    uint64_t *head = n->head + ((uint64_t)worker << n->buckets.shift);
    for (uint64_t number = carom_team_claim(&n->claimed); number < n->buckets.count;
         number = carom_team_claim(&n->claimed)) {
        const bucket b = bucket_at(n, number);
        if (carom_control_note(control, b.last - b.first, n->job->owned)) {
            return;
        }
        place_lists(n, &b, head);
        const uint64_t count = b.end - b.begin;
        if (count + (count + 1) / 2 <= n->buckets.spare) {
            copy_to_lists(n, &b, head, n->spare + worker * n->buckets.spare);
        } else {
            bring_to_lists(n, &b, head);
        }
        sort_bucket(n, &b);
    }
}

/* One worker alone, whose caches hold a counter for each body, puts entries into lists at once: counter b is where the
 * next entry of list b goes, and when the list is full, where it ends. Bodies of rows further on are fetched, first
 * their counters, later what these point to. */
enum { ALONE_MOST = 131072, ENTRIES_AHEAD = 12, COUNTERS_AHEAD = 24 };

static inline __attribute__((always_inline)) void prefetch_row(const neighbour_job *n, const uint32_t *body,
                                                               uint64_t row, bool entries) {
    const uint64_t *next = n->offset + 1;
    __builtin_prefetch(&next[body[row + COUNTERS_AHEAD]], 1);
    if (entries) {
        __builtin_prefetch(&n->body[next[body[row + ENTRIES_AHEAD]]], 1);
        __builtin_prefetch(&n->pair[next[body[row + ENTRIES_AHEAD]]], 1);
    }
}

static void count_alone(void *data, uint32_t worker) {
    const neighbour_job *n = data;
    uint64_t *next = n->offset + 1;
    carom_walk walk = carom_team_walk(&n->job->context->team, worker, n->rows, GRAIN);
    memset(next, 0, n->job->owned * sizeof *next);
    while (carom_walk_next(&walk)) {
        for (uint64_t row = walk.begin, end = walk.end; row < end; row++) {
            if (end - row > COUNTERS_AHEAD) {
                prefetch_row(n, n->from.i, row, false);
                prefetch_row(n, n->from.k, row, false);
            }
            next[n->from.i[row]]++;
            next[n->from.k[row]] += n->full ? 1 : 0;
        }
    }
}

static inline void add_alone(const neighbour_job *n, uint32_t owner, uint32_t neighbour, uint64_t row) {
    const uint64_t at = n->offset[owner + UINT64_C(1)]++;
    n->body[at] = neighbour;
    n->pair[at] = row;
}

static void fill_alone(void *data, uint32_t worker) {
    const neighbour_job *n = data;
    uint64_t place = 0;
    for (uint64_t body = 0; body < n->job->owned; body++) {
        const uint64_t count = n->offset[body + 1];
        n->offset[body + 1] = place;
        place += count;
    }
    carom_walk walk = carom_team_walk(&n->job->context->team, worker, n->rows, GRAIN);
    walk.step = CAROM_WALK_SCATTERED;
    while (carom_walk_next(&walk)) {
        for (uint64_t row = walk.begin, end = walk.end; row < end; row++) {
            if (end - row > COUNTERS_AHEAD) {
                prefetch_row(n, n->from.i, row, true);
                prefetch_row(n, n->from.k, row, n->full);
            }
            add_alone(n, n->from.i[row], n->from.k[row], row);
            if (n->full) {
                add_alone(n, n->from.k[row], n->from.i[row], row);
            }
        }
    }
}

static void sort_alone(void *data, uint32_t worker) {
    const neighbour_job *n = data;
    carom_walk walk = carom_team_walk(&n->job->context->team, worker, n->job->owned, GRAIN);
    while (carom_walk_next(&walk)) {
        const bucket b = {walk.begin, walk.end, n->offset[walk.begin], n->offset[walk.end]};
        sort_bucket(n, &b);
    }
}

static bool is_alone(const neighbour_job *n) {
    return n->job->context->team.workers == 1 && n->job->owned <= ALONE_MOST;
}

static void run_alone(neighbour_job *n) {
    static carom_team_task *const stages[] = {count_alone, fill_alone, sort_alone};
    for (size_t s = 0; s < sizeof stages / sizeof stages[0] && !carom_job_stopped(n->job); s++) {
        carom_team_run(&n->job->context->team, stages[s], n);
    }
}

/* Each stage needs all of the one before: the team meets after every one. */
static void run(neighbour_job *n) {
    const carom_team *team = &n->job->context->team;
    carom_team_run(team, count_entries, n);
    if (!carom_job_stopped(n->job)) {
        place_buckets(n);
        carom_team_run(team, put_entries, n);
    }
    if (!carom_job_stopped(n->job)) {
        carom_team_run(team, order_buckets, n);
    }
}

static uint64_t entries_of(const carom_detect_job *job, uint64_t rows) {
    return job->config->neighbours == CAROM_NEIGHBOURS_FULL ? carom_size_multiply(rows, 2) : rows;
}

static uint64_t offset_bytes(const carom_detect_job *job, uint64_t entries) {
    const uint32_t workers = job->context->team.workers;
    const buckets b = buckets_of(job->owned, entries, workers);
    return carom_size_multiply(job->owned + 1 + numbers_of(&b, workers), sizeof(uint64_t));
}

uint64_t carom_neighbours_bytes(const carom_detect_job *job, uint64_t rows) {
    if (job->config->neighbours == CAROM_NEIGHBOURS_NONE) {
        return 0;
    }
    const uint64_t entries = entries_of(job, rows);
    const uint64_t lists = carom_size_multiply(entries, sizeof(uint32_t) + sizeof(uint64_t));
    return carom_size_add(lists, offset_bytes(job, entries));
}

static carom_status reserve_lists(carom_detect_job *job, uint64_t entries) {
    carom_work_need need[] = {
        {CAROM_WORK_NEIGHBOUR_OFFSET, offset_bytes(job, entries)},
        {CAROM_WORK_NEIGHBOUR_BODY, carom_size_multiply(entries, sizeof(uint32_t))},
        {CAROM_WORK_NEIGHBOUR_PAIR, carom_size_multiply(entries, sizeof(uint64_t))},
    };
    carom_context_reserve_more(job->context, need, sizeof need / sizeof need[0], job->headroom);
    return carom_context_reserve(job->context, need, sizeof need / sizeof need[0], NULL);
}

static neighbour_job job_of(carom_detect_job *job, uint64_t rows, uint64_t entries) {
    carom_context *context = job->context;
    const carom_row_table *table = &context->rows;
    const uint32_t workers = context->team.workers;
    neighbour_job n = {.job = job,
                       .rows = rows,
                       .from = carom_row_table_view(job->rows.shape, table->block.data, table->capacity, 0),
                       .full = job->config->neighbours == CAROM_NEIGHBOURS_FULL,
                       .buckets = buckets_of(job->owned, entries, workers),
                       .offset = carom_context_work(context, CAROM_WORK_NEIGHBOUR_OFFSET),
                       .body = carom_context_work(context, CAROM_WORK_NEIGHBOUR_BODY),
                       .pair = carom_context_work(context, CAROM_WORK_NEIGHBOUR_PAIR),
                       .body_bits = carom_list_sort_bits(job->owned)};
    n.end = n.offset + job->owned + 1;
    n.cursor = n.end + n.buckets.count;
    n.head = n.cursor + workers * n.buckets.count;
    n.spare = n.head + ((uint64_t)workers << n.buckets.shift);
    return n;
}

carom_status carom_neighbours_list(carom_detect_job *job, uint64_t rows) {
    const uint64_t entries = entries_of(job, rows);
    CAROM_ASSERT(job->config->neighbours != CAROM_NEIGHBOURS_NONE);
    CAROM_ASSERT(rows <= job->context->rows.capacity && rows <= ROW_MASK);
    if (reserve_lists(job, entries) != CAROM_OK) {
        return CAROM_ERROR_MEMORY;
    }
    neighbour_job n = job_of(job, rows, entries);
    n.offset[0] = 0;
    if (is_alone(&n)) {
        run_alone(&n);
    } else {
        run(&n);
    }
    if (carom_job_stopped(job)) {
        return CAROM_ERROR_CANCELLED;
    }
    CAROM_ASSERT(n.offset[job->owned] == entries);
    job->detection->neighbours = (carom_neighbours){.offset = n.offset, .body = n.body, .pair = n.pair};
    job->detection->summary.phase_bytes[CAROM_PHASE_COLLECT] +=
        16.0 * (double)rows + 48.0 * (double)entries + 8.0 * (double)job->owned;
    return CAROM_OK;
}
