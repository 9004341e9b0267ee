/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/broad/groups.h"

#include <string.h>

/* Slots handled at a time by one worker. */
enum { GRAIN = 4096 };

/* What a worker has seen of some roots of other workers' and not yet told them. A giant group would otherwise have
 * every worker fight over one cache line; here its share is added up privately until another root takes its place. */
enum { TALLY_SIZE = 256 };

typedef struct tally_entry {
    uint32_t root;
    uint32_t count; /* 0: unused */
    uint32_t least;
} tally_entry;

typedef struct label_job {
    const carom_team *team;
    const carom_group_space *space;
    uint64_t count;
    uint32_t *label;
    _Atomic uint64_t groups;
    _Atomic uint64_t largest;
} label_job;

static void lower(_Atomic uint32_t *value, uint32_t to) {
    uint32_t seen = atomic_load_explicit(value, memory_order_relaxed);
    while (to < seen &&
           !atomic_compare_exchange_weak_explicit(value, &seen, to, memory_order_relaxed, memory_order_relaxed)) {
    }
}

static void raise(_Atomic uint64_t *value, uint64_t to) {
    uint64_t seen = atomic_load_explicit(value, memory_order_relaxed);
    while (to > seen &&
           !atomic_compare_exchange_weak_explicit(value, &seen, to, memory_order_relaxed, memory_order_relaxed)) {
    }
}

static void tell(const label_job *job, tally_entry entry) {
    if (entry.count > 0) {
        lower(&job->space->least[entry.root], entry.least);
        atomic_fetch_add_explicit(&job->space->others[entry.root], entry.count, memory_order_relaxed);
    }
}

static void add_to_tally(const label_job *job, tally_entry *tally, uint32_t root, uint32_t body) {
    tally_entry *entry = &tally[root % TALLY_SIZE];
    if (entry->root != root || entry->count == 0) {
        tell(job, *entry);
        *entry = (tally_entry){root, 0, body};
    }
    entry->count++;
    entry->least = body < entry->least ? body : entry->least;
}

/* Members whose root is this worker's own: plain stores, for nobody else writes there yet, and no branch on which slots
 * are roots, which nothing could predict. Parents come before their children, so a slot's parent within the range
 * already points at its root, or at the first slot of another worker's on the way there. Members of other workers'
 * roots stand for themselves meanwhile. */
static void gather_own(void *data, uint32_t worker) {
    const label_job *job = data;
    carom_union_find_parent *parent = job->space->parent;
    const uint32_t *body = job->space->body;
    const uint64_t owned = job->space->owned;
    _Atomic uint32_t *least = job->space->least;
    _Atomic uint32_t *others = job->space->others;
    uint64_t begin;
    uint64_t end;
    carom_team_range(job->team, worker, job->count, GRAIN, &begin, &end);
    for (uint64_t slot = begin; slot < end; slot++) {
        uint64_t up = atomic_load_explicit(&parent[slot], memory_order_relaxed);
        uint32_t root = atomic_load_explicit(&parent[up >= begin ? up : slot], memory_order_relaxed);
        atomic_store_explicit(&parent[slot], root, memory_order_relaxed);
        root = root >= begin ? root : (uint32_t)slot;
        uint32_t known = atomic_load_explicit(&least[root], memory_order_relaxed);
        uint32_t count = atomic_load_explicit(&others[root], memory_order_relaxed);
        atomic_store_explicit(&least[root], body[slot] < known ? body[slot] : known, memory_order_relaxed);
        uint32_t member = (uint32_t)(root != slot) & (uint32_t)(body[slot] < owned);
        atomic_store_explicit(&others[root], count + member, memory_order_relaxed);
    }
}

/* Members whose root is another worker's; roots are the least of their set, so it lies before this worker's range. */
static void gather_foreign(void *data, uint32_t worker) {
    const label_job *job = data;
    const carom_group_space *space = job->space;
    tally_entry tally[TALLY_SIZE];
    memset(tally, 0, sizeof tally);
    uint64_t begin;
    uint64_t end;
    carom_team_range(job->team, worker, job->count, GRAIN, &begin, &end);
    for (uint64_t slot = begin; slot < end; slot++) {
        uint32_t root = atomic_load_explicit(&space->parent[slot], memory_order_relaxed);
        if (root < begin) {
            root = carom_union_find_root(space->parent, root);
            atomic_store_explicit(&space->parent[slot], root, memory_order_relaxed);
        }
        if (root < begin && space->body[slot] < space->owned) {
            add_to_tally(job, tally, root, space->body[slot]);
        }
    }
    for (uint32_t n = 0; n < TALLY_SIZE; n++) {
        tell(job, tally[n]);
    }
}

static void write_labels(void *data, uint32_t worker) {
    label_job *job = data;
    const carom_group_space *space = job->space;
    uint64_t groups = 0;
    uint64_t largest = 0;
    uint64_t begin;
    uint64_t end;
    carom_team_range(job->team, worker, job->count, GRAIN, &begin, &end);
    for (uint64_t slot = begin; slot < end; slot++) {
        uint32_t root = atomic_load_explicit(&space->parent[slot], memory_order_relaxed);
        job->label[space->body[slot]] = atomic_load_explicit(&space->least[root], memory_order_relaxed);
        uint32_t members = atomic_load_explicit(&space->others[slot], memory_order_relaxed) + 1;
        groups += members > 1;
        largest = members > largest ? members : largest;
    }
    atomic_fetch_add_explicit(&job->groups, groups, memory_order_relaxed);
    raise(&job->largest, largest > 1 ? largest : 0);
}

carom_group_counts carom_groups_label(const carom_team *team, const carom_group_space *space, uint64_t count,
                                      uint32_t *label) {
    label_job job = {.team = team, .space = space, .count = count, .label = label};
    carom_team_run(team, gather_own, &job);
    if (team->workers > 1) {
        carom_team_run(team, gather_foreign, &job);
    }
    carom_team_run(team, write_labels, &job);
    return (carom_group_counts){job.groups, job.largest};
}

typedef struct list_job {
    const carom_team *team;
    const carom_member_space *space;
    const uint32_t *label;
    uint64_t count;
    uint64_t *offset;
    uint32_t *member;
    uint64_t total;
    uint64_t begin[CAROM_THREADS_MAX]; /* where each worker writes: members, then groups */
} list_job;

static void mark_grouped(void *data, uint32_t worker) {
    list_job *job = data;
    uint64_t begin;
    uint64_t end;
    carom_team_range(job->team, worker, job->count, GRAIN, &begin, &end);
    for (uint64_t n = begin; n < end; n++) {
        if (job->label[n] != n) {
            atomic_store_explicit(&job->space->grouped[job->label[n]], 1, memory_order_relaxed);
        }
    }
}

static uint32_t is_grouped(const list_job *job, uint64_t body) {
    return job->label[body] != body || atomic_load_explicit(&job->space->grouped[body], memory_order_relaxed) != 0;
}

static void count_grouped(void *data, uint32_t worker) {
    list_job *job = data;
    uint64_t begin;
    uint64_t end;
    carom_team_range(job->team, worker, job->count, GRAIN, &begin, &end);
    uint64_t found = 0;
    for (uint64_t n = begin; n < end; n++) {
        found += is_grouped(job, n);
    }
    job->begin[worker] = found;
}

static void list_grouped(void *data, uint32_t worker) {
    list_job *job = data;
    uint64_t begin;
    uint64_t end;
    carom_team_range(job->team, worker, job->count, GRAIN, &begin, &end);
    uint64_t at = job->begin[worker];
    for (uint64_t n = begin; n < end; n++) {
        if (is_grouped(job, n)) {
            job->space->key[at] = job->label[n];
            job->member[at] = (uint32_t)n;
            at++;
        }
    }
}

static uint32_t starts_group(const list_job *job, uint64_t at) {
    return at == 0 || job->space->key[at] != job->space->key[at - 1];
}

static void count_starts(void *data, uint32_t worker) {
    list_job *job = data;
    uint64_t begin;
    uint64_t end;
    carom_team_range(job->team, worker, job->total, GRAIN, &begin, &end);
    uint64_t found = 0;
    for (uint64_t n = begin; n < end; n++) {
        found += starts_group(job, n);
    }
    job->begin[worker] = found;
}

static void write_starts(void *data, uint32_t worker) {
    list_job *job = data;
    uint64_t begin;
    uint64_t end;
    carom_team_range(job->team, worker, job->total, GRAIN, &begin, &end);
    uint64_t at = job->begin[worker];
    for (uint64_t n = begin; n < end; n++) {
        if (starts_group(job, n)) {
            job->offset[at++] = n;
        }
    }
}

/* Counts per worker to where each begins; returns the sum. */
static uint64_t sum_workers(list_job *job) {
    uint64_t sum = 0;
    for (uint32_t w = 0; w < job->team->workers; w++) {
        uint64_t own = job->begin[w];
        job->begin[w] = sum;
        sum += own;
    }
    return sum;
}

static uint32_t bits_of(uint64_t value) {
    uint32_t bits = 1;
    while (value >> bits != 0) {
        bits++;
    }
    return bits;
}

carom_status carom_groups_list(const carom_team *team, const carom_simd *simd, carom_memory *memory,
                               carom_radix_sort *sort, const carom_member_space *space, uint64_t count,
                               const uint32_t *label, uint64_t *offset, uint32_t *member) {
    list_job job = {.team = team, .space = space, .label = label, .count = count, .offset = offset, .member = member};
    carom_team_run(team, mark_grouped, &job);
    carom_team_run(team, count_grouped, &job);
    job.total = sum_workers(&job);
    carom_team_run(team, list_grouped, &job);
    carom_status status = carom_radix_sort_u32(sort, team, memory, simd, job.total, bits_of(count), space->key, member,
                                               space->spare_key, space->spare_member);
    if (status != CAROM_OK) {
        return status;
    }
    carom_team_run(team, count_starts, &job);
    uint64_t groups = sum_workers(&job);
    carom_team_run(team, write_starts, &job);
    offset[groups] = job.total;
    return CAROM_OK;
}
