/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Labels from the union-find, in four parallel passes. Each worker has a contiguous range of slots or of bodies. A
 * local root is a slot that is the root of its set or has its parent in an earlier worker's range; the second kind is
 * linked.
 *   1. Each worker points its slots at their local roots and sums up, at each local root, the number of bodies and the
 *      least body below it.
 *   2. Each linked local root adds its sums to the root of its set. Only this pass writes to other workers' slots, and
 *      only sets that reach across ranges have linked roots, which are few: slots that are close lie close in space.
 *   3. Each slot gets its label from its root.
 *   4. Each body gets its label from its slot. The other way, slot by slot, two workers would write to one cache line:
 *      bodies that are close in space often have close numbers. */
#include "kernel/groups/groups.h"

#include <stdbool.h>
#include <string.h>

#include "kernel/check/assert.h"

/* A range of slots or bodies begins at a multiple of this. */
enum { GRAIN = 64 };

/* Slots whose sums are set to zero together, right before they are used and so while they are in cache. */
enum { BATCH = 256 };

/* A worker's sums for one root that may be another worker's. They stay private until another root needs the entry:
 * otherwise all workers would update the root of a giant group at once, and wait for its cache line. */
typedef struct partial_sum {
    uint32_t root;  /* NO_ROOT: the entry is free */
    uint32_t size;  /* number of bodies */
    uint32_t least; /* least body */
} partial_sum;

/* Entries of a worker's table. A root has one place in it: its number modulo the size. */
enum { PARTIAL_SUMS = 256 };
static const uint32_t NO_ROOT = UINT32_MAX;

typedef struct label_job {
    const carom_team *team;
    const carom_group_workspace *workspace;
    uint64_t count;           /* slots, and bodies */
    uint32_t *label;          /* the result; until the last pass the lists of linked local roots */
    _Atomic uint64_t groups;  /* groups of two or more so far */
    _Atomic uint64_t largest; /* bodies in the largest of them so far */
    uint64_t *linked;         /* of each worker: linked local roots, in `label` from its first slot on */
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

/* *value becomes the lesser of itself and `to`. */
static void lower(_Atomic uint32_t *value, uint32_t to) {
    uint32_t seen = atomic_load_explicit(value, memory_order_relaxed);
    while (to < seen &&
           !atomic_compare_exchange_weak_explicit(value, &seen, to, memory_order_relaxed, memory_order_relaxed)) {
    }
}

/* *value becomes the greater of itself and `to`. */
static void raise(_Atomic uint64_t *value, uint64_t to) {
    uint64_t seen = atomic_load_explicit(value, memory_order_relaxed);
    while (to > seen &&
           !atomic_compare_exchange_weak_explicit(value, &seen, to, memory_order_relaxed, memory_order_relaxed)) {
    }
}

/* Whether some slot of [slot, stop) has its parent before `begin`. No branch, so that compilers make it vector code. */
static bool any_before(const uint32_t *parent, uint64_t slot, uint64_t stop, uint32_t begin) {
    uint32_t before = 0;
    for (; slot < stop; slot++) {
        before |= parent[slot] < begin;
    }
    return before != 0;
}

/* Makes the linked local roots of [begin, end), in a range from `first` on, plain roots for the first pass. Lists them
 * in `label` and their parents in `spare`, both from `first` on, after the `found` that are there; returns how many
 * there are then. No other worker uses a slot of this range meanwhile. */
static uint64_t detach_linked(const label_job *job, uint64_t first, uint64_t begin, uint64_t end, uint64_t found) {
    uint32_t *parent = (uint32_t *)job->workspace->parent;
    uint32_t *linked = job->label + first;
    uint32_t *above = job->workspace->spare + first;
    for (uint64_t batch = begin; batch < end; batch += GRAIN) {
        const uint64_t stop = batch + GRAIN < end ? batch + GRAIN : end;
        if (!any_before(parent, batch, stop, (uint32_t)first)) {
            continue;
        }
        for (uint64_t slot = batch; slot < stop; slot++) {
            const uint32_t up = parent[slot];
            const bool is_linked = up < first;
            linked[found] = (uint32_t)slot;
            above[found] = up;
            found += is_linked;
            parent[slot] = is_linked ? (uint32_t)slot : up;
        }
    }
    return found;
}

/* Whether to go on with entry n of a list of linked roots: with levels and shared cells, whose neighbours have slots
 * far apart, they are many. */
static inline bool goes_on(const label_job *job, uint64_t n) {
    return n % CAROM_WALK_SCATTERED != 0 || !carom_control_look(job->team->control);
}

/* Gives the linked local roots their parents back. */
static void reattach_linked(const label_job *job, uint64_t begin, uint64_t count) {
    for (uint64_t n = begin; n < begin + count && goes_on(job, n); n++) {
        store(job->workspace->parent, job->label[n], job->workspace->spare[n]);
    }
}

/* Points slots [begin, end), all of whose parents are at `first` or after it, at their roots, and sums up there.
 * Parents are less than their children, so a slot's parent already points at the root. */
static void sum_range(const carom_group_workspace *workspace, uint64_t first, uint64_t begin, uint64_t end) {
    carom_union_find_parent *parent = workspace->parent;
    _Atomic uint32_t *least = workspace->least;
    _Atomic uint32_t *size = workspace->size;
    const uint32_t *body = workspace->body;
    const uint64_t owned = workspace->owned;
    for (uint64_t batch = begin; batch < end; batch += BATCH) {
        const uint64_t stop = batch + BATCH < end ? batch + BATCH : end;
        memcpy((void *)(least + batch), body + batch, (stop - batch) * sizeof *body);
        memset((void *)(size + batch), 0, (stop - batch) * sizeof *size);
        for (uint32_t slot = (uint32_t)batch; slot < stop; slot++) {
            const uint32_t own = body[slot];
            const uint32_t root = load(parent, load(parent, slot));
            CAROM_ASSERT(root >= first && root <= slot);
            store(parent, slot, root);
            store(least, root, lesser(own, load(least, root)));
            store(size, root, load(size, root) + (own < owned));
        }
    }
}

/* Pass 1. */
static void sum_own_slots(void *data, uint32_t worker) {
    label_job *job = data;
    const uint64_t first = carom_team_range(job->team, worker, job->count, GRAIN).begin;
    uint64_t linked = 0;
    carom_walk walk = carom_team_walk(job->team, worker, job->count, GRAIN);
    while (first > 0 && carom_walk_next(&walk)) {
        linked = detach_linked(job, first, walk.begin, walk.end, linked);
    }
    walk = carom_team_walk(job->team, worker, job->count, GRAIN);
    while (carom_walk_next(&walk)) {
        sum_range(job->workspace, first, walk.begin, walk.end);
    }
    reattach_linked(job, first, linked);
    job->linked[worker] = linked;
}

/* Adds an entry to its root, which other workers may update at the same time. */
static void flush_partial_sum(const label_job *job, const partial_sum *entry) {
    if (entry->root != NO_ROOT) {
        lower(&job->workspace->least[entry->root], entry->least);
        atomic_fetch_add_explicit(&job->workspace->size[entry->root], entry->size, memory_order_relaxed);
    }
}

static void add_partial_sum(const label_job *job, partial_sum *table, partial_sum share) {
    partial_sum *entry = &table[share.root % PARTIAL_SUMS];
    if (entry->root != share.root) {
        flush_partial_sum(job, entry);
        *entry = (partial_sum){share.root, 0, UINT32_MAX};
    }
    entry->size += share.size;
    entry->least = lesser(entry->least, share.least);
}

/* Climbs without halving paths: other workers' slots must go on pointing at their local roots. */
static uint32_t root_of(const carom_union_find_parent *parent, uint32_t slot) {
    for (uint32_t up = load(parent, slot); up != slot; up = load(parent, slot)) {
        slot = up;
    }
    return slot;
}

/* Pass 2. Linked local roots then point at the roots of their sets and have size 0. */
static void merge_linked_roots(void *data, uint32_t worker) {
    label_job *job = data;
    const carom_group_workspace *workspace = job->workspace;
    partial_sum table[PARTIAL_SUMS];
    const carom_range own = carom_team_range(job->team, worker, job->count, GRAIN);
    for (uint32_t n = 0; n < PARTIAL_SUMS; n++) {
        table[n].root = NO_ROOT;
    }
    for (uint64_t n = 0; n < job->linked[worker] && goes_on(job, n); n++) {
        const uint32_t slot = job->label[own.begin + n];
        const uint32_t root = root_of(workspace->parent, slot);
        store(workspace->parent, slot, root);
        add_partial_sum(job, table, (partial_sum){root, load(workspace->size, slot), load(workspace->least, slot)});
        store(workspace->size, slot, 0);
    }
    for (uint32_t n = 0; n < PARTIAL_SUMS; n++) {
        flush_partial_sum(job, &table[n]);
    }
}

/* Groups of some slots. */
typedef struct group_count {
    uint32_t groups;  /* of two bodies or more */
    uint32_t largest; /* size of the largest set, 1 for a body alone */
} group_count;

static inline void count_slot(group_count *count, uint32_t size) {
    count->groups += size > 1;
    count->largest = size > count->largest ? size : count->largest;
}

static void add_count(label_job *job, group_count count) {
    atomic_fetch_add_explicit(&job->groups, count.groups, memory_order_relaxed);
    raise(&job->largest, count.largest > 1 ? count.largest : 0);
}

/* Pass 3: writes every slot's label over `least`, which nobody reads but at roots, where it is the label already. */
static void label_slots(void *data, uint32_t worker) {
    label_job *job = data;
    const carom_group_workspace *workspace = job->workspace;
    group_count count = {0, 0};
    carom_walk walk = carom_team_walk(job->team, worker, job->count, GRAIN);
    while (carom_walk_next(&walk)) {
        for (uint32_t slot = (uint32_t)walk.begin, end = (uint32_t)walk.end; slot < end; slot++) {
            const uint32_t root = load(workspace->parent, load(workspace->parent, slot));
            store(workspace->least, slot, load(workspace->least, root));
            count_slot(&count, load(workspace->size, slot));
        }
    }
    add_count(job, count);
}

/* Pass 4. */
static void label_bodies(void *data, uint32_t worker) {
    const label_job *job = data;
    const _Atomic uint32_t *least = job->workspace->least;
    const uint32_t *slot_of = job->workspace->slot_of;
    uint32_t *label = job->label;
    carom_walk walk = carom_team_walk(job->team, worker, job->count, GRAIN);
    while (carom_walk_next(&walk)) {
        for (uint64_t body = walk.begin, end = walk.end; body < end; body++) {
            label[body] = load(least, slot_of[body]);
        }
    }
}

/* So many labels stay in a second-level cache, where stores at random places cost little. */
enum { LABELS_CACHED = 1 << 18 };

/* Every body its own label: the vector code that compilers make of this costs a tenth of stores at random places. */
static void label_singles(const label_job *job) {
    carom_walk walk = carom_team_walk_alone(job->team, job->count);
    while (carom_walk_next(&walk)) {
        for (uint64_t body = walk.begin, end = walk.end; body < end; body++) {
            job->label[body] = (uint32_t)body;
        }
    }
}

/* Labels of the bodies of some slots, at random places: of all bodies, or only of those that are not their own labels.
 * Nothing predicts which these are, so the others are written then, too, but always to the same place. */
static inline __attribute__((always_inline)) void label_range(label_job *job, uint32_t begin, uint32_t end, bool all,
                                                              group_count *count) {
    const carom_group_workspace *workspace = job->workspace;
    uint32_t nowhere;
    uint32_t *const to[2] = {&nowhere, job->label};
    for (uint32_t slot = begin; slot < end; slot++) {
        const uint32_t body = workspace->body[slot];
        const uint32_t least = load(workspace->least, load(workspace->parent, slot));
        const uint32_t is_written = all || least != body;
        to[is_written][is_written * body] = least;
        count_slot(count, load(workspace->size, slot));
    }
}

/* Passes 3 and 4 for one worker: all its slots point at their roots, and nobody else writes labels. */
static void label_alone(label_job *job) {
    group_count count = {0, 0};
    const bool all = job->count <= LABELS_CACHED;
    if (!all) {
        label_singles(job);
    }
    carom_walk walk = carom_team_walk_alone(job->team, job->count);
    walk.step = CAROM_WALK_SCATTERED;
    while (carom_walk_next(&walk)) {
        if (all) {
            label_range(job, (uint32_t)walk.begin, (uint32_t)walk.end, true, &count);
        } else {
            label_range(job, (uint32_t)walk.begin, (uint32_t)walk.end, false, &count);
        }
    }
    add_count(job, count);
}

carom_group_counts carom_groups_label(const carom_team *team, const carom_group_workspace *workspace, uint64_t count,
                                      uint32_t *label) {
    CAROM_ASSERT(team->workers == 1 || workspace->spare != NULL);
    CAROM_ASSERT(workspace->owned <= count && workspace->shares != NULL);
    CAROM_VALIDATE(carom_team_stopped(team) ? NULL : carom_groups_validate_slots(workspace, count));
    label_job job = {.team = team, .workspace = workspace, .count = count, .label = label, .linked = workspace->shares};
    carom_team_run(team, sum_own_slots, &job);
    if (carom_team_stopped(team)) {
        return (carom_group_counts){0, 0};
    }
    if (team->workers > 1) {
        carom_team_run(team, merge_linked_roots, &job);
        carom_team_run(team, label_slots, &job);
        carom_team_run(team, label_bodies, &job);
    } else {
        label_alone(&job);
    }
    CAROM_VALIDATE(carom_team_stopped(team) ? NULL : carom_groups_validate_labels(workspace, count, label));
    return (carom_group_counts){job.groups, job.largest};
}
