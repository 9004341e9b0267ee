/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Labels in four steps, each by all workers, each worker on slots or bodies of its own:
 *   1. gather its slots under heads: roots, and slots that hang from another worker's;
 *   2. tell the roots what the latter, which lead out, have gathered;
 *   3. write every slot's label in its place;
 *   4. write every body's, read from its slot: to scatter them by slot would have two workers write to one cache line
 *      at once, where neighbours in space are neighbours in number.
 * Only the second touches what is another's, and there is little of that: as many as touch across the borders. */
#include "kernel/groups/groups.h"

#include <stdbool.h>
#include <string.h>

/* Slots and bodies are shared out in so many; slots that are made ready together, so as to be in cache when used. */
enum { GRAIN = 64, BLOCK = 256 };

/* What a worker has to tell some roots of other workers' and has not yet told. A giant group would otherwise have every
 * worker fight over one cache line; here its share is added up privately until another root takes its place. */
enum { TALLY_SIZE = 256 };
static const uint32_t NO_ROOT = UINT32_MAX;

typedef struct tally_entry {
    uint32_t root;
    uint32_t size;
    uint32_t least;
} tally_entry;

typedef struct label_job {
    const carom_team *team;
    const carom_group_workspace *workspace;
    uint64_t count;
    uint32_t *label;
    _Atomic uint64_t groups;
    _Atomic uint64_t largest;
    /* How many of each worker's heads lead out. They are listed in `label` from the worker's first slot on. */
    uint64_t heads[CAROM_THREADS_MAX];
} label_job;

static inline uint32_t load(const _Atomic uint32_t *value, uint32_t n) {
    return atomic_load_explicit(&value[n], memory_order_relaxed);
}

static inline void store(_Atomic uint32_t *value, uint32_t n, uint32_t to) {
    atomic_store_explicit(&value[n], to, memory_order_relaxed);
}

static inline uint32_t lesser(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

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

static bool any_before(const uint32_t *parent, uint64_t slot, uint64_t stop, uint32_t begin) {
    uint32_t before = 0;
    for (; slot < stop; slot++) {
        before |= parent[slot] < begin;
    }
    return before != 0;
}

/* Slots of [begin, end) whose parent lies before become roots for now. Lists them with their parents; returns how many.
 * Nobody else reads or writes any slot here meanwhile. */
static uint64_t cut_off(const label_job *job, uint64_t begin, uint64_t end) {
    uint32_t *parent = (uint32_t *)job->workspace->parent;
    uint32_t *head = job->label + begin;
    uint32_t *above = job->workspace->spare + begin;
    uint64_t found = 0;
    for (uint64_t block = begin; block < end; block += GRAIN) {
        const uint64_t stop = block + GRAIN < end ? block + GRAIN : end;
        if (!any_before(parent, block, stop, (uint32_t)begin)) {
            continue;
        }
        for (uint64_t slot = block; slot < stop; slot++) {
            const uint32_t up = parent[slot];
            const bool leads_out = up < begin;
            head[found] = (uint32_t)slot;
            above[found] = up;
            found += leads_out;
            parent[slot] = leads_out ? (uint32_t)slot : up;
        }
    }
    return found;
}

static void put_back(const label_job *job, uint64_t begin, uint64_t count) {
    for (uint64_t n = begin; n < begin + count; n++) {
        store(job->workspace->parent, job->label[n], job->workspace->spare[n]);
    }
}

/* Gathers slots [begin, end), none of which leads out, under their roots. Parents come before their children, so a
 * slot's parent already points at its root. */
static void gather(const carom_group_workspace *workspace, uint64_t begin, uint64_t end) {
    carom_union_find_parent *parent = workspace->parent;
    _Atomic uint32_t *least = workspace->least;
    _Atomic uint32_t *size = workspace->size;
    const uint32_t *body = workspace->body;
    const uint64_t owned = workspace->owned;
    for (uint64_t block = begin; block < end; block += BLOCK) {
        const uint64_t stop = block + BLOCK < end ? block + BLOCK : end;
        memcpy((void *)(least + block), body + block, (stop - block) * sizeof *body);
        memset((void *)(size + block), 0, (stop - block) * sizeof *size);
        for (uint32_t slot = (uint32_t)block; slot < stop; slot++) {
            const uint32_t own = body[slot];
            const uint32_t root = load(parent, load(parent, slot));
            store(parent, slot, root);
            store(least, root, lesser(own, load(least, root)));
            store(size, root, load(size, root) + (own < owned));
        }
    }
}

/* Each worker's slots under heads: roots, and slots whose parent is another worker's. */
static void gather_own(void *data, uint32_t worker) {
    label_job *job = data;
    const carom_range own = carom_team_range(job->team, worker, job->count, GRAIN);
    job->heads[worker] = own.begin > 0 ? cut_off(job, own.begin, own.end) : 0;
    gather(job->workspace, own.begin, own.end);
    put_back(job, own.begin, job->heads[worker]);
}

static void tell(const label_job *job, const tally_entry *entry) {
    if (entry->root != NO_ROOT) {
        lower(&job->workspace->least[entry->root], entry->least);
        atomic_fetch_add_explicit(&job->workspace->size[entry->root], entry->size, memory_order_relaxed);
    }
}

static void add_to_tally(const label_job *job, tally_entry *tally, tally_entry share) {
    tally_entry *entry = &tally[share.root % TALLY_SIZE];
    if (entry->root != share.root) {
        tell(job, entry);
        *entry = (tally_entry){share.root, 0, UINT32_MAX};
    }
    entry->size += share.size;
    entry->least = lesser(entry->least, share.least);
}

/* Without a change to other workers' slots: those must go on pointing at their heads. */
static uint32_t root_of(const carom_union_find_parent *parent, uint32_t slot) {
    for (uint32_t up = load(parent, slot); up != slot; up = load(parent, slot)) {
        slot = up;
    }
    return slot;
}

/* Heads that are no roots tell theirs what they have gathered, and point at them. */
static void tell_roots(void *data, uint32_t worker) {
    label_job *job = data;
    const carom_group_workspace *workspace = job->workspace;
    tally_entry tally[TALLY_SIZE];
    const carom_range own = carom_team_range(job->team, worker, job->count, GRAIN);
    for (uint32_t n = 0; n < TALLY_SIZE; n++) {
        tally[n].root = NO_ROOT;
    }
    for (uint64_t n = 0; n < job->heads[worker]; n++) {
        const uint32_t head = job->label[own.begin + n];
        const uint32_t root = root_of(workspace->parent, head);
        store(workspace->parent, head, root);
        add_to_tally(job, tally, (tally_entry){root, load(workspace->size, head), load(workspace->least, head)});
        store(workspace->size, head, 0);
    }
    for (uint32_t n = 0; n < TALLY_SIZE; n++) {
        tell(job, &tally[n]);
    }
}

typedef struct group_count {
    uint32_t groups;
    uint32_t largest;
} group_count;

static inline void count_slot(group_count *count, uint32_t size) {
    count->groups += size > 1;
    count->largest = size > count->largest ? size : count->largest;
}

static void add_count(label_job *job, group_count count) {
    atomic_fetch_add_explicit(&job->groups, count.groups, memory_order_relaxed);
    raise(&job->largest, count.largest > 1 ? count.largest : 0);
}

/* Every slot's label in place of its least. At roots they are the same, and no other's least is asked for. */
static void settle_slots(void *data, uint32_t worker) {
    label_job *job = data;
    const carom_group_workspace *workspace = job->workspace;
    group_count count = {0, 0};
    const carom_range own = carom_team_range(job->team, worker, job->count, GRAIN);
    for (uint32_t slot = (uint32_t)own.begin; slot < own.end; slot++) {
        const uint32_t root = load(workspace->parent, load(workspace->parent, slot));
        store(workspace->least, slot, load(workspace->least, root));
        count_slot(&count, load(workspace->size, slot));
    }
    add_count(job, count);
}

static void write_labels(void *data, uint32_t worker) {
    const label_job *job = data;
    const _Atomic uint32_t *least = job->workspace->least;
    const uint32_t *slot_of = job->workspace->slot_of;
    uint32_t *label = job->label;
    const carom_range own = carom_team_range(job->team, worker, job->count, GRAIN);
    for (uint64_t body = own.begin; body < own.end; body++) {
        label[body] = load(least, slot_of[body]);
    }
}

/* One worker's slots point at their roots, and no other's labels share its cache lines. */
static void write_labels_alone(label_job *job) {
    const carom_group_workspace *workspace = job->workspace;
    group_count count = {0, 0};
    for (uint32_t slot = 0; slot < job->count; slot++) {
        job->label[workspace->body[slot]] = load(workspace->least, load(workspace->parent, slot));
        count_slot(&count, load(workspace->size, slot));
    }
    add_count(job, count);
}

carom_group_counts carom_groups_label(const carom_team *team, const carom_group_workspace *workspace, uint64_t count,
                                      uint32_t *label) {
    label_job job = {.team = team, .workspace = workspace, .count = count, .label = label};
    carom_team_run(team, gather_own, &job);
    if (team->workers > 1) {
        carom_team_run(team, tell_roots, &job);
        carom_team_run(team, settle_slots, &job);
        carom_team_run(team, write_labels, &job);
    } else {
        write_labels_alone(&job);
    }
    return (carom_group_counts){job.groups, job.largest};
}
