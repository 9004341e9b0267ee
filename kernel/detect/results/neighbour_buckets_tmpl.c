/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Entries are counted and placed by buckets, each of some bodies that follow one another. No two workers write to one
 * counter: each has its own for all buckets, and then one worker at a time takes a bucket, counts the entries of its
 * bodies, brings each to its list, and puts the lists in order. */
#include "kernel/detect/results/neighbour_buckets_tmpl.h"

#include <string.h>

#include "kernel/check/assert.h"

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

typedef struct bucket_job {
    carom_neighbour_lists lists;
    buckets buckets;
    uint64_t *cursor;         /* of each worker, for each bucket: its entries, then where its next one goes */
    uint64_t *end;            /* of each bucket's entries */
    uint64_t *head;           /* of each worker, for each body of a bucket: where its list's next entry goes */
    uint64_t *spare;          /* of each worker, room for copies */
    _Atomic uint64_t claimed; /* buckets that some worker has taken */
} bucket_job;

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

static uint64_t *cursor_of(const bucket_job *n, uint32_t worker) {
    return n->cursor + worker * n->buckets.count;
}

/* Counts the entries of a worker's rows in each bucket. */
static void count_entries(void *data, uint32_t worker) {
    const bucket_job *n = data;
    const uint32_t shift = n->buckets.shift;
    uint64_t *count = cursor_of(n, worker);
    carom_walk walk = carom_team_walk(&n->lists.job->context->team, worker, n->lists.rows, CAROM_NEIGHBOUR_GRAIN);
    memset(count, 0, n->buckets.count * sizeof *count);
    while (carom_walk_next(&walk)) {
        for (uint64_t row = walk.begin, end = walk.end; row < end; row++) {
            count[n->lists.from.i[row] >> shift]++;
        }
        for (uint64_t row = walk.begin, end = walk.end; row < end && n->lists.full; row++) {
            count[n->lists.from.k[row] >> shift]++;
        }
    }
}

/* Counts to places: in a bucket the entries of the first worker come first. */
static void place_buckets(const bucket_job *n) {
    const uint32_t workers = n->lists.job->context->team.workers;
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

static inline void put_entry(const bucket_job *n, uint64_t *cursor, uint32_t owner, uint32_t neighbour, uint64_t row) {
    const uint32_t shift = n->buckets.shift;
    const uint64_t at = cursor[owner >> shift]++;
    n->lists.body[at] = neighbour;
    n->lists.pair[at] = row | (uint64_t)(owner & ((UINT32_C(1) << shift) - 1)) << ROW_BITS;
}

/* Puts the entries of a worker's rows into their buckets. */
static void put_entries(void *data, uint32_t worker) {
    const bucket_job *n = data;
    uint64_t *cursor = cursor_of(n, worker);
    carom_walk walk = carom_team_walk(&n->lists.job->context->team, worker, n->lists.rows, CAROM_NEIGHBOUR_GRAIN);
    walk.step = CAROM_WALK_SCATTERED;
    while (carom_walk_next(&walk)) {
        for (uint64_t row = walk.begin, end = walk.end; row < end; row++) {
            const uint32_t i = n->lists.from.i[row];
            const uint32_t k = n->lists.from.k[row];
            CAROM_ASSERT(row <= ROW_MASK && i < n->lists.job->owned && k < n->lists.job->owned);
            put_entry(n, cursor, i, k, row);
            if (n->lists.full) {
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

static bucket bucket_at(const bucket_job *n, uint64_t number) {
    const uint64_t first = number << n->buckets.shift;
    const uint64_t last = (number + 1) << n->buckets.shift;
    return (bucket){first, last < n->lists.job->owned ? last : n->lists.job->owned, number > 0 ? n->end[number - 1] : 0,
                    n->end[number]};
}

/* Finds where each list begins: offset[body + 1] is where it ends. */
static void place_lists(const bucket_job *n, const bucket *b, uint64_t *head) {
    const uint64_t bodies = b->last - b->first;
    uint64_t place = b->begin;
    memset(head, 0, bodies * sizeof *head);
    for (uint64_t at = b->begin; at < b->end; at++) {
        head[n->lists.pair[at] >> ROW_BITS]++;
    }
    for (uint64_t body = 0; body < bodies; body++) {
        const uint64_t count = head[body];
        head[body] = place;
        place += count;
        n->lists.offset[b->first + body + 1] = place;
    }
}

/* Brings each entry to its list (McIlroy, Bostic and McIlroy 1993): one that is in another list's place goes there, and
 * what was there goes on in the same way, until one belongs where the first was taken from. */
static void bring_to_lists(const bucket_job *n, const bucket *b, uint64_t *head) {
    for (uint64_t body = 0; body < b->last - b->first; body++) {
        const uint64_t end = n->lists.offset[b->first + body + 1];
        while (head[body] < end) {
            uint32_t neighbour = n->lists.body[head[body]];
            uint64_t pair = n->lists.pair[head[body]];
            for (uint64_t owner = pair >> ROW_BITS; owner != body; owner = pair >> ROW_BITS) {
                const uint64_t at = head[owner]++;
                const uint32_t next = n->lists.body[at];
                const uint64_t next_pair = n->lists.pair[at];
                n->lists.body[at] = neighbour;
                n->lists.pair[at] = pair & ROW_MASK;
                neighbour = next;
                pair = next_pair;
            }
            n->lists.body[head[body]] = neighbour;
            n->lists.pair[head[body]++] = pair & ROW_MASK;
        }
    }
}

/* The same by way of a copy, which is faster: no step waits for the one before. */
static void copy_to_lists(const bucket_job *n, const bucket *b, uint64_t *head, uint64_t *spare) {
    const uint64_t count = b->end - b->begin;
    const uint32_t *body = (uint32_t *)(spare + count);
    memcpy(spare, n->lists.pair + b->begin, count * sizeof *spare);
    memcpy(spare + count, n->lists.body + b->begin, count * sizeof *body);
    for (uint64_t at = 0; at < count; at++) {
        const uint64_t to = head[spare[at] >> ROW_BITS]++;
        n->lists.pair[to] = spare[at] & ROW_MASK;
        n->lists.body[to] = body[at];
    }
}

static void fill_lists(const bucket_job *n, const bucket *b, uint64_t *head, uint64_t *spare) {
    const uint64_t count = b->end - b->begin;
    if (count == 0) {
        return; /* there may be no arrays */
    }
    if (count + (count + 1) / 2 <= n->buckets.spare) {
        copy_to_lists(n, b, head, spare);
    } else {
        bring_to_lists(n, b, head);
    }
}

/* Buckets are claimed, not divided beforehand: they differ in length. */
static void order_buckets(void *data, uint32_t worker) {
    bucket_job *n = data;
    carom_control *control = n->lists.job->context->team.control;
    uint64_t *head = n->head + ((uint64_t)worker << n->buckets.shift);
    for (uint64_t number = carom_team_claim(&n->claimed); number < n->buckets.count;
         number = carom_team_claim(&n->claimed)) {
        const bucket b = bucket_at(n, number);
        if (carom_control_note(control, b.last - b.first, n->lists.job->owned)) {
            return;
        }
        place_lists(n, &b, head);
        fill_lists(n, &b, head, n->spare + worker * n->buckets.spare);
        carom_neighbour_lists_sort(&n->lists, b.first, b.last, b.begin);
    }
}

uint64_t carom_neighbour_buckets_numbers(uint64_t bodies, uint64_t entries, uint32_t workers) {
    const buckets b = buckets_of(bodies, entries, workers);
    return workers * (b.count + (UINT64_C(1) << b.shift) + b.spare) + b.count;
}

/* Each stage needs all of the one before: the team meets after every one. */
void carom_neighbour_buckets_fill(const carom_neighbour_lists *lists, uint64_t entries, uint64_t *numbers) {
    const carom_team *team = &lists->job->context->team;
    bucket_job n = {.lists = *lists, .buckets = buckets_of(lists->job->owned, entries, team->workers), .end = numbers};
    n.cursor = n.end + n.buckets.count;
    n.head = n.cursor + team->workers * n.buckets.count;
    n.spare = n.head + ((uint64_t)team->workers << n.buckets.shift);
    carom_team_run(team, count_entries, &n);
    if (!carom_job_stopped(lists->job)) {
        place_buckets(&n);
        carom_team_run(team, put_entries, &n);
    }
    if (!carom_job_stopped(lists->job)) {
        carom_team_run(team, order_buckets, &n);
    }
}
