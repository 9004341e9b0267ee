/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/coherent/regroup.h"

#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/coherent/ring.h"
#include "kernel/coherent/validate_groups.h"

/* An update may look at 1 / REGROUP_SHARE of the bodies, and REGROUP_LEAST; beyond, labelling all anew is cheaper. */
enum { REGROUP_SHARE = 8, REGROUP_LEAST = 64 };
/* Bodies that an update looks at for each pair that began or ended, as long as none has counted them. */
static const double MEMBERS_A_CHANGE = 4.0;
/* What is left of that count after a step without an update: groups may have become smaller. */
static const double FORGOTTEN = 0.98;
/* How many pairs or members ahead memory is fetched. */
enum { AHEAD = 8 };
/* Pairs or members between two looks whether the call is to stop; all may be far from one another in memory. */
enum { LOOKS = 4096 };
/* Words of touching bits; workers' shares are multiples of it. */
enum { GRAIN = 64 };

typedef _Atomic uint32_t word;

static inline uint32_t get(const word *array, uint64_t n) {
    return atomic_load_explicit(&array[n], memory_order_relaxed);
}

/* An update while it runs. */
typedef struct regroup {
    carom_coherent *state;
    carom_coherent_list list;
    carom_group_node *node;
    uint32_t *label; /* of each body */
    carom_group_counts *counts;
    uint32_t *changed; /* pairs that ended, or began; at most `limit` */
    uint32_t *member;  /* slots of split groups; at most `limit` */
    uint64_t members;
    uint64_t work;      /* members looked at; */
    uint64_t limit;     /* with more the update is given up */
    bool giant_changed; /* a group changed whose size of_size does not tell apart */
} regroup;

uint64_t carom_regroup_nodes_bytes(uint64_t count) {
    return count * sizeof(carom_group_node);
}

uint64_t carom_regroup_members_bytes(uint64_t count) {
    return (count / REGROUP_SHARE + REGROUP_LEAST) * 2 * sizeof(uint32_t);
}

/* The number of groups of a size. */
static uint32_t *of_size(carom_coherent *state, uint64_t size) {
    return &state->groups.of_size[size < CAROM_COHERENT_SIZES ? size : CAROM_COHERENT_SIZES - 1];
}

/* Rings from the union-find. Its parents are at most two steps from their roots; a root is the least slot of its set,
 * so its node exists before those of its members. */
static void link_rings(carom_coherent *state, carom_group_node *node) {
    const word *parent = carom_coherent_data(state, CAROM_COHERENT_PARENT);
    const word *least = carom_coherent_data(state, CAROM_COHERENT_LEAST);
    const uint32_t *body = carom_coherent_data(state, CAROM_COHERENT_BODY);
    carom_walk walk = carom_team_walk_alone(&state->context->team, state->owned);
    walk.step = CAROM_WALK_SCATTERED;
    while (carom_walk_next(&walk)) {
        for (uint64_t slot = walk.begin, end = walk.end; slot < end; slot++) {
            uint32_t own = (uint32_t)slot;
            uint32_t root = get(parent, get(parent, slot));
            CAROM_ASSERT(root <= own);
            node[slot] = (carom_group_node){.root = root, .next = own, .previous = own, .size = 1, .body = body[slot]};
            if (root == own) {
                node[slot].least = get(least, slot);
            } else {
                carom_ring_splice(node, root, own);
                node[root].size++;
            }
        }
    }
}

static void count_sizes(carom_coherent *state, const carom_group_node *node) {
    memset(state->groups.of_size, 0, sizeof state->groups.of_size);
    carom_walk walk = carom_team_walk_alone(&state->context->team, state->owned);
    while (carom_walk_next(&walk)) {
        for (uint64_t slot = walk.begin; slot < walk.end; slot++) {
            *of_size(state, node[slot].size) += node[slot].root == slot;
        }
    }
}

static void count_degrees(const carom_coherent *state, carom_group_node *node) {
    const carom_coherent_list list = carom_coherent_list_of(state);
    carom_walk walk = carom_team_walk_alone(&state->context->team, list.words);
    walk.step = CAROM_COHERENT_WORDS;
    while (carom_walk_next(&walk)) {
        for (uint64_t w = walk.begin; w < walk.end; w++) {
            for (uint64_t bits = list.before[w]; bits != 0;) {
                uint64_t n = carom_coherent_take_pair(&bits, w);
                node[carom_coherent_pair_i(&list, n)].degree++;
                node[carom_coherent_pair_k(&list, n)].degree++;
            }
        }
    }
}

/* All of NODES, for the pairs that touched in the step before. */
static void link_nodes(carom_coherent *state) {
    carom_group_node *node = carom_coherent_data(state, CAROM_COHERENT_NODES);
    link_rings(state, node);
    count_sizes(state, node);
    count_degrees(state, node);
    state->groups.linked = true;
}

/* Counts work. False: too much, the update is given up. */
static bool afford(regroup *r, uint64_t work) {
    r->work += work;
    return r->work <= r->limit;
}

/* Whether the call is to stop: looked up after every so many pairs or members. */
static bool is_over(const regroup *r, uint64_t n) {
    return n % LOOKS == 0 && carom_control_look(r->state->context->team.control);
}

/* Counts a group of this size more (by = 1) or less (by = -1). */
static void resize(regroup *r, uint64_t size, int by) {
    *of_size(r->state, size) += (uint32_t)by;
    r->counts->groups += size > 1 ? (uint64_t)(int64_t)by : 0;
    r->giant_changed = r->giant_changed || (size >= CAROM_COHERENT_SIZES - 1);
}

/* Makes every member of the slot's group a group of its own, marked as split. */
static bool split_group(regroup *r, uint32_t slot) {
    carom_group_node *node = r->node;
    uint32_t root = node[slot].root;
    uint64_t size = node[root].size;
    if (!afford(r, size)) {
        return false;
    }
    /* counts->groups loses one: bodies alone do not count as groups. */
    resize(r, size, -1);
    *of_size(r->state, 1) += (uint32_t)size;
    CAROM_ASSERT(r->members + size <= r->limit);
    uint32_t at = slot;
    do {
        uint32_t next = node[at].next;
        uint32_t body = node[at].body;
        node[at] = (carom_group_node){.root = at,
                                      .next = at,
                                      .previous = at,
                                      .size = 1,
                                      .least = body,
                                      .body = body,
                                      .degree = node[at].degree,
                                      .split = 1};
        r->label[body] = body;
        r->member[r->members++] = at;
        __builtin_prefetch(&r->list.start[at]);
        at = next;
    } while (at != slot);
    return true;
}

/* Gives a ring a new root and label. */
static void relabel(const regroup *r, uint32_t from, uint32_t root, uint32_t least) {
    uint32_t at = from;
    do {
        r->node[at].root = root;
        r->label[r->node[at].body] = least;
        at = r->node[at].next;
    } while (at != from);
}

/* Makes one group of two. The smaller one takes the root of the larger one; both take the smaller label. */
static bool merge(regroup *r, uint32_t a, uint32_t b) {
    carom_group_node *node = r->node;
    uint32_t keep = node[a].root;
    uint32_t join = node[b].root;
    if (keep == join) {
        return true;
    }
    /* A member changes its root only when its group at least doubles. */
    if (node[keep].size < node[join].size) {
        keep = node[b].root;
        join = node[a].root;
    }
    uint32_t least = node[join].least < node[keep].least ? node[join].least : node[keep].least;
    bool renamed = least != node[keep].least;
    if (!afford(r, renamed ? (uint64_t)node[keep].size + node[join].size : node[join].size)) {
        return false;
    }
    if (renamed) {
        relabel(r, keep, keep, least);
    }
    relabel(r, join, keep, least);
    resize(r, node[keep].size, -1);
    resize(r, node[join].size, -1);
    node[keep].size += node[join].size;
    resize(r, node[keep].size, 1);
    node[keep].least = least;
    carom_ring_splice(node, keep, join);
    return true;
}

static bool touches_now(const regroup *r, uint64_t n) {
    return (r->list.touching[n / 64] >> n % 64 & 1) != 0;
}

/* Takes a slot out of its group that has lost its only pair: the others stay connected. */
static bool isolate(regroup *r, uint32_t slot) {
    carom_group_node *node = r->node;
    carom_group_node *own = &node[slot];
    uint32_t other = own->next;
    uint32_t size = node[own->root].size;
    uint32_t root = own->root == slot ? other : own->root;
    uint32_t least = node[own->root].least;
    carom_ring_splice(node, own->previous, slot);
    if (own->body == least) {
        least = carom_ring_least(node, other);
    }
    /* Only the root and the least body make a difference to the others. */
    if (own->body == node[own->root].least || own->root == slot) {
        if (!afford(r, size)) {
            return false;
        }
        relabel(r, other, root, least);
    }
    node[root].size = size - 1;
    node[root].least = least;
    own->root = slot;
    own->size = 1;
    own->least = own->body;
    r->label[own->body] = own->body;
    resize(r, size, -1);
    resize(r, size - 1, 1);
    resize(r, 1, 1);
    return true;
}

/* One pair less. If one of its slots has no other pair, only this slot leaves the group. Otherwise the group is split,
 * and the pairs that are left will show who is still connected. */
static bool end_pair(regroup *r, uint32_t i, uint32_t k) {
    carom_group_node *node = r->node;
    node[i].degree--;
    node[k].degree--;
    /* Both slots were in one group, so one mark speaks for both. */
    if (node[i].split != 0) {
        return true;
    }
    if (node[i].degree == 0) {
        return isolate(r, i);
    }
    return node[k].degree == 0 ? isolate(r, k) : split_group(r, i);
}

/* Fills `changed` with the pairs whose bits are set in `these` and not in `those`. False if they are too many. */
static bool find_changed(regroup *r, const uint64_t *these, const uint64_t *those, uint64_t *count) {
    *count = 0;
    for (uint64_t w = 0; w < r->list.words; w++) {
        for (uint64_t bits = these[w] & ~those[w]; bits != 0;) {
            if (*count == r->limit) {
                return false;
            }
            r->changed[(*count)++] = (uint32_t)carom_coherent_take_pair(&bits, w);
        }
    }
    return true;
}

/* A pair names its slots, a slot its node, a node its neighbours in the ring and its body: each in a cache line far
 * from the others. Lines are fetched some pairs ahead, and the lines that they name some pairs later. */
static inline __attribute__((always_inline)) void fetch_ahead(const regroup *r, uint64_t at, uint64_t count) {
    const carom_coherent_list *list = &r->list;
    if (at + 4 * AHEAD < count) {
        __builtin_prefetch(&list->i[r->changed[at + 4 * AHEAD]]);
        __builtin_prefetch(&list->k[r->changed[at + 4 * AHEAD]]);
    }
    if (at + 2 * AHEAD < count) {
        __builtin_prefetch(&r->node[carom_coherent_pair_i(list, r->changed[at + 2 * AHEAD])], 1);
        __builtin_prefetch(&r->node[carom_coherent_pair_k(list, r->changed[at + 2 * AHEAD])], 1);
    }
    if (at + AHEAD < count) {
        const carom_group_node *i = &r->node[carom_coherent_pair_i(list, r->changed[at + AHEAD])];
        const carom_group_node *k = &r->node[carom_coherent_pair_k(list, r->changed[at + AHEAD])];
        __builtin_prefetch(&r->node[i->next], 1);
        __builtin_prefetch(&r->node[i->previous], 1);
        __builtin_prefetch(&r->node[i->root], 1);
        __builtin_prefetch(&r->node[k->next], 1);
        __builtin_prefetch(&r->node[k->root], 1);
        __builtin_prefetch(&r->label[i->body], 1);
        __builtin_prefetch(&r->label[k->body], 1);
    }
}

/* All pairs that end come before all that begin: degrees and groups are then those of the pairs that persist. */
static bool end_pairs(regroup *r) {
    uint64_t count;
    if (!find_changed(r, r->list.before, r->list.touching, &count)) {
        return false;
    }
    for (uint64_t n = 0; n < count; n++) {
        fetch_ahead(r, n, count);
        const uint64_t pair = r->changed[n];
        if (is_over(r, n) ||
            !end_pair(r, carom_coherent_pair_i(&r->list, pair), carom_coherent_pair_k(&r->list, pair))) {
            return false;
        }
    }
    return true;
}

/* Merges the members of split groups along the pairs that still touch. A group is split as a whole, so both slots of
 * its pairs are members, and the pair is found under the larger one; pairs with images and appended pairs are few and
 * are all looked at. */
static bool merge_members(regroup *r) {
    const carom_coherent *state = r->state;
    const uint32_t *pair_k = r->list.k;
    const uint32_t *start = r->list.start;
    for (uint64_t m = 0; m < r->members; m++) {
        uint32_t slot = r->member[m];
        if (is_over(r, m)) {
            return false;
        }
        if (m + 2 * AHEAD < r->members) {
            __builtin_prefetch(&start[r->member[m + 2 * AHEAD]]);
        }
        if (m + AHEAD < r->members) {
            __builtin_prefetch(&pair_k[start[r->member[m + AHEAD]]]);
        }
        for (uint64_t n = start[slot]; n < start[slot + 1]; n++) {
            if (touches_now(r, n) && !merge(r, slot, pair_k[n])) {
                return false;
            }
        }
    }
    /* Images have the last slots, and appended pairs are in no order. */
    for (uint64_t n = start[state->owned]; n < state->list.pairs; n++) {
        const uint32_t i = carom_coherent_pair_i(&r->list, n);
        if (touches_now(r, n) && r->node[i].split != 0 && !merge(r, i, carom_coherent_pair_k(&r->list, n))) {
            return false;
        }
    }
    return true;
}

/* Merges the groups of the pairs that began. */
static bool merge_begun(regroup *r) {
    uint64_t count;
    if (!find_changed(r, r->list.touching, r->list.before, &count)) {
        return false;
    }
    for (uint64_t n = 0; n < count; n++) {
        uint32_t i = carom_coherent_pair_i(&r->list, r->changed[n]);
        uint32_t k = carom_coherent_pair_k(&r->list, r->changed[n]);
        fetch_ahead(r, n, count);
        r->node[i].degree++;
        r->node[k].degree++;
        if (is_over(r, n) || !merge(r, i, k)) {
            return false;
        }
    }
    return true;
}

/* The size of the largest group, 0 if all bodies are alone. */
static uint64_t largest_of_all(const regroup *r) {
    uint64_t size = CAROM_COHERENT_SIZES - 1;
    while (size > 1 && r->state->groups.of_size[size] == 0) {
        size--;
    }
    if (size < CAROM_COHERENT_SIZES - 1) {
        return size > 1 ? size : 0;
    }
    /* The largest of the last step is still there, and no other has grown to this size. */
    if (!r->giant_changed && r->counts->largest >= size) {
        return r->counts->largest;
    }
    carom_walk walk = carom_team_walk_alone(&r->state->context->team, r->state->owned);
    while (carom_walk_next(&walk)) {
        for (uint64_t slot = walk.begin, end = walk.end; slot < end; slot++) {
            uint64_t own = r->node[slot].root == slot ? r->node[slot].size : 0;
            size = own > size ? own : size;
        }
    }
    return size;
}

static uint64_t limit_of(const carom_coherent *state) {
    return state->owned / REGROUP_SHARE + REGROUP_LEAST;
}

bool carom_regroup_is_promising(const carom_coherent *state, uint64_t changed) {
    const double last = state->groups.members_a_change > 0.0 ? state->groups.members_a_change : MEMBERS_A_CHANGE;
    const double members = last > 1.0 ? last : 1.0; /* the changes themselves must be within the limit, too */
    return (double)changed * members <= (double)limit_of(state);
}

void carom_regroup_forget(carom_coherent *state) {
    state->groups.members_a_change *= FORGOTTEN;
}

/* What the next update will cost. Of one that was given up nobody knows; then the next one is a good while away,
 * because groups have to be linked for it. */
static void learn(const regroup *r, uint64_t changed, bool done) {
    if (changed > 0) {
        const double members = (double)(r->work > 0 ? r->work : 1) / (double)changed;
        r->state->groups.members_a_change = done ? members : 2.0 * members;
    }
}

bool carom_regroup_update(carom_coherent *state, uint64_t changed, carom_group_counts *counts) {
    const uint64_t limit = limit_of(state);
    if (!carom_regroup_is_promising(state, changed)) {
        return false;
    }
    CAROM_ASSERT(state->built && state->groups.known);
    if (!state->groups.linked) {
        link_nodes(state);
    }
    if (carom_team_stopped(&state->context->team)) {
        return false;
    }
    regroup r = {.state = state,
                 .list = carom_coherent_list_of(state),
                 .node = carom_coherent_data(state, CAROM_COHERENT_NODES),
                 .label = carom_coherent_data(state, CAROM_COHERENT_LABEL),
                 .member = carom_coherent_data(state, CAROM_COHERENT_MEMBERS),
                 .counts = counts,
                 .changed = (uint32_t *)carom_coherent_data(state, CAROM_COHERENT_MEMBERS) + limit,
                 .limit = limit};
    const bool done = end_pairs(&r) && merge_members(&r) && merge_begun(&r);
    learn(&r, changed, done);
    if (!done) {
        state->groups.linked = false;
        return false;
    }
    for (uint64_t m = 0; m < r.members; m++) {
        r.node[r.member[m]].split = 0;
    }
    counts->largest = largest_of_all(&r);
    CAROM_VALIDATE(carom_team_stopped(&state->context->team) ? NULL : carom_coherent_groups_validate(state));
    return true;
}

/* Tasks of a team: every slot alone, then united along all pairs that touch. */
static void start_groups(void *data, uint32_t worker) {
    carom_coherent *state = data;
    carom_walk walk = carom_team_walk(&state->context->team, worker, state->owned, CAROM_SIMD_PAD);
    while (carom_walk_next(&walk)) {
        carom_union_find_init(carom_coherent_data(state, CAROM_COHERENT_PARENT), walk.begin, walk.end);
    }
}

void carom_regroup_start(carom_coherent *state) {
    state->groups.linked = false;
    state->groups.known = false;
    carom_team_run(&state->context->team, start_groups, state);
}

void carom_regroup_unite(const carom_coherent *state, uint64_t count, const uint32_t *i, const uint32_t *k) {
    carom_union_find_parent *parent = carom_coherent_data(state, CAROM_COHERENT_PARENT);
    if (state->context->team.workers == 1) {
        carom_union_find_unite_pairs_alone(parent, count, i, k);
    } else {
        carom_union_find_unite_pairs(parent, count, i, k);
    }
}

/* Pairs that are united together: one by one, each would wait for its memory. */
enum { BLOCK = 512 };

typedef struct pair_block {
    uint64_t count;
    uint32_t i[BLOCK];
    uint32_t k[BLOCK];
} pair_block;

/* Puts the pairs of a word of touching bits into the block. */
static void add_word(const carom_coherent_list *list, uint64_t w, pair_block *block) {
    for (uint64_t bits = list->touching[w]; bits != 0;) {
        const uint64_t n = carom_coherent_take_pair(&bits, w);
        block->i[block->count] = carom_coherent_pair_i(list, n);
        block->k[block->count] = carom_coherent_pair_k(list, n);
        block->count++;
    }
}

static void unite_all(void *data, uint32_t worker) {
    const carom_coherent *state = data;
    const carom_coherent_list list = carom_coherent_list_of(state);
    pair_block block = {.count = 0};
    carom_walk walk = carom_team_walk(&state->context->team, worker, list.words, GRAIN);
    walk.step = CAROM_COHERENT_WORDS;
    while (carom_walk_next(&walk)) {
        for (uint64_t w = walk.begin; w < walk.end; w++) {
            add_word(&list, w, &block);
            if (block.count > BLOCK - 64) {
                carom_regroup_unite(state, block.count, block.i, block.k);
                block.count = 0;
            }
        }
    }
    carom_regroup_unite(state, block.count, block.i, block.k);
}

carom_group_counts carom_regroup_label(carom_coherent *state) {
    const carom_group_workspace workspace = {.parent = carom_coherent_data(state, CAROM_COHERENT_PARENT),
                                             .least = carom_coherent_data(state, CAROM_COHERENT_LEAST),
                                             .size = carom_coherent_data(state, CAROM_COHERENT_GROUP_SIZE),
                                             .body = carom_coherent_data(state, CAROM_COHERENT_BODY),
                                             .slot_of = carom_coherent_data(state, CAROM_COHERENT_SLOT),
                                             .spare = carom_coherent_data(state, CAROM_COHERENT_NODES),
                                             .shares = carom_context_shares(state->context),
                                             .owned = state->owned};
    return carom_groups_label(&state->context->team, &workspace, state->owned,
                              carom_coherent_data(state, CAROM_COHERENT_LABEL));
}

carom_group_counts carom_regroup_all(carom_coherent *state) {
    carom_regroup_start(state);
    carom_team_run(&state->context->team, unite_all, state);
    return carom_regroup_label(state);
}
