/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/broad/groups.h"

#include <stdbool.h>

/* Slots handled at a time by one worker, and those that are passed over together if all their roots are its own. */
enum { GRAIN = 4096, BLOCK = 64 };

/* What a worker has seen of some roots of other workers' and not yet told them. A giant group would otherwise have
 * every worker fight over one cache line; here its share is added up privately until another root takes its place.
 * One entry more takes what is not to be told. */
enum { TALLY_SIZE = 256 };
static const uint32_t NO_ROOT = UINT32_MAX;

typedef struct tally_entry {
    uint32_t root;
    uint32_t count;
    uint32_t least;
} tally_entry;

typedef struct label_job {
    const carom_team *team;
    const carom_group_space *space;
    uint64_t count;
    uint32_t *label;
    _Atomic uint64_t groups;
    _Atomic uint64_t largest;
    _Atomic uint64_t next_grain;
    uint64_t begin[CAROM_THREADS_MAX]; /* of each worker's slots */
    uint32_t *foreign; /* of each block: whether some slot's root is another worker's; where the labels will be */
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

/* `x` if yes is 1, else `y`: by masks, lest the compiler branch. */
static inline uint32_t choose(uint32_t yes, uint32_t x, uint32_t y) {
    return y ^ ((x ^ y) & (0 - yes));
}

static void start_tally(tally_entry *tally) {
    for (uint32_t n = 0; n <= TALLY_SIZE; n++) {
        tally[n] = (tally_entry){NO_ROOT, 0, UINT32_MAX};
    }
}

/* Adds a member of `root`, or nothing if `tells` is 0: without a branch, as half the members of a giant group may be
 * another worker's in no order. */
static void add_to_tally(const label_job *job, tally_entry *tally, uint32_t tells, uint32_t root, uint32_t body) {
    tally_entry *entry = &tally[choose(tells, root % TALLY_SIZE, TALLY_SIZE)];
    root = choose(tells, root, NO_ROOT);
    if (entry->root != root) {
        tell(job, *entry);
        *entry = (tally_entry){root, 0, body};
    }
    entry->count++;
    entry->least = body < entry->least ? body : entry->least;
}

static inline uint32_t lesser(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/* Members whose root is this worker's own: plain stores, for nobody else writes there yet. Parents come before their
 * children, so a slot's parent within the range already points at its root, or at the first slot of another worker's on
 * the way there. Members of other workers' roots stand for themselves meanwhile. No branch on which slots are roots or
 * whose: nothing could predict it, and what a wrong guess reads of another worker's takes the cache line away from it.
 * The worker's slots begin at `begin`, and are counted from there: those before are then greater than any of its own,
 * and the lesser of such a one and the slot is the slot. Those to gather are [slot, end); returns whether the root of
 * one lies before `begin`. `alone` says that none does. */
static inline bool gather(const carom_group_space *space, uint32_t begin, uint32_t slot, uint32_t end, bool alone) {
    carom_union_find_parent *parent = space->parent + begin;
    _Atomic uint32_t *least = space->least + begin;
    _Atomic uint32_t *others = space->others + begin;
    const uint32_t *body = space->body + begin;
    const uint64_t owned = space->owned;
    const uint32_t stop = end - begin;
    uint32_t farthest = 0;
    for (uint32_t own = slot - begin; own < stop; own++) {
        uint32_t up = atomic_load_explicit(&parent[own], memory_order_relaxed) - begin;
        up = alone ? up : lesser(up, own);
        const uint32_t root = atomic_load_explicit(&parent[up], memory_order_relaxed);
        atomic_store_explicit(&parent[own], root, memory_order_relaxed);
        uint32_t at = root - begin;
        farthest = at > farthest ? at : farthest;
        at = alone ? at : lesser(at, own);
        const uint32_t known = atomic_load_explicit(&least[at], memory_order_relaxed);
        const uint32_t count = atomic_load_explicit(&others[at], memory_order_relaxed);
        atomic_store_explicit(&least[at], lesser(body[own], known), memory_order_relaxed);
        const uint32_t member = (uint32_t)(at != own) & (uint32_t)(body[own] < owned);
        atomic_store_explicit(&others[at], count + member, memory_order_relaxed);
    }
    return farthest >= stop;
}

static void gather_own(void *data, uint32_t worker) {
    label_job *job = data;
    uint64_t begin;
    uint64_t end;
    carom_team_range(job->team, worker, job->count, GRAIN, &begin, &end);
    job->begin[worker] = begin;
    if (job->team->workers == 1) {
        gather(job->space, 0, 0, (uint32_t)end, true);
        return;
    }
    for (uint64_t slot = begin; slot < end; slot += BLOCK) {
        uint64_t stop = slot + BLOCK < end ? slot + BLOCK : end;
        job->foreign[slot / BLOCK] = gather(job->space, (uint32_t)begin, (uint32_t)slot, (uint32_t)stop, false);
    }
}

/* Members in slots [slot, end) whose root lies before `begin`, where the worker's slots begin that these are of. Nearly
 * every slot is two steps from its root by now. */
static void gather_before(const label_job *job, tally_entry *tally, uint64_t begin, uint64_t slot, uint64_t end) {
    carom_union_find_parent *parent = job->space->parent;
    const uint32_t *body = job->space->body;
    for (; slot < end; slot++) {
        uint32_t up = atomic_load_explicit(&parent[slot], memory_order_relaxed);
        uint32_t root = atomic_load_explicit(&parent[up], memory_order_relaxed);
        if (atomic_load_explicit(&parent[root], memory_order_relaxed) != root) {
            root = carom_union_find_root(parent, root);
        }
        atomic_store_explicit(&parent[slot], root, memory_order_relaxed);
        uint32_t tells = (uint32_t)(root < begin) & (uint32_t)(body[slot] < job->space->owned);
        add_to_tally(job, tally, tells, root, body[slot]);
    }
}

/* Members whose root is another worker's; roots are the least of their set, so it lies before that worker's own. The
 * first worker has none, so grains are shared out among all. */
static void gather_foreign(void *data, uint32_t worker) {
    (void)worker;
    label_job *job = data;
    tally_entry tally[TALLY_SIZE + 1];
    start_tally(tally);
    uint32_t owner = 1;
    for (;;) {
        uint64_t slot = job->begin[1] + carom_team_claim(&job->next_grain) * GRAIN;
        if (slot >= job->count) {
            break;
        }
        while (owner + 1 < job->team->workers && slot >= job->begin[owner + 1]) {
            owner++;
        }
        uint64_t end = slot + GRAIN < job->count ? slot + GRAIN : job->count;
        for (; slot < end; slot += BLOCK) {
            if (job->foreign[slot / BLOCK] != 0) {
                gather_before(job, tally, job->begin[owner], slot, slot + BLOCK < end ? slot + BLOCK : end);
            }
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
    label_job job = {.team = team, .space = space, .count = count, .label = label, .foreign = label};
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
