/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A group in which a pair ended is taken apart and its members are merged anew; a pair that began merges two groups;
 * all others keep their labels. Members are linked in rings, so that the cost is that of the change. */
#include "kernel/coherent/regroup.h"

#include <string.h>

/* Share of the bodies, 1 / this, that may be looked at before doing all groups anew is cheaper. */
enum { REGROUP_SHARE = 6, REGROUP_LEAST = 64, GRAIN = 64 };
/* Bodies to be looked at for each pair that began or ended, by experience. */
enum { MEMBERS_A_CHANGE = 4 };
/* How far ahead the pairs of members are fetched. */
enum { AHEAD = 8 };

typedef _Atomic uint32_t word;

static inline uint32_t get(const word *array, uint64_t n) {
    return atomic_load_explicit(&array[n], memory_order_relaxed);
}

static uint64_t words_of(const carom_coherent *state) {
    return (state->list.pairs + 63) / 64;
}

/* A slot's part in its group: one cache line has all that an update needs. */
typedef struct carom_group_node {
    uint32_t root; /* a member that stands for the group */
    uint32_t next; /* the members form a ring */
    uint32_t last;
    uint32_t size;  /* at the root: members */
    uint32_t least; /* at the root: the smallest body, which is the label of all */
    uint32_t body;
    uint32_t degree; /* touching pairs */
    uint32_t lone;   /* taken out of its group in this step */
} carom_group_node;

typedef struct regroup {
    carom_coherent *state;
    carom_group_node *node;
    uint32_t *label;
    carom_group_counts *counts;
    uint32_t *changed; /* pairs that ended, or began */
    uint32_t *member;  /* taken out of their groups */
    uint64_t members;
    const uint32_t *row;
    uint64_t work; /* members looked at; more than `room`: not worth it */
    uint64_t room;
    bool giant_changed; /* a group as large as of_size does not tell apart has changed */
} regroup;

uint64_t carom_regroup_nodes_bytes(uint64_t count) {
    return count * sizeof(carom_group_node);
}

uint64_t carom_regroup_members_bytes(uint64_t count) {
    return (count / REGROUP_SHARE + REGROUP_LEAST) * 2 * sizeof(uint32_t);
}

/* Puts the ring of b behind a, or takes b's part of a ring out of a's: next and last change places. */
static void splice(carom_group_node *node, uint32_t a, uint32_t b) {
    uint32_t after_a = node[a].next;
    uint32_t after_b = node[b].next;
    node[a].next = after_b;
    node[after_b].last = a;
    node[b].next = after_a;
    node[after_a].last = b;
}

static uint32_t *of_size(carom_coherent *state, uint64_t size) {
    return &state->of_size[size < CAROM_COHERENT_SIZES ? size : CAROM_COHERENT_SIZES - 1];
}

/* Nodes from parents that are at most two steps from their roots, these being the least slot of their set, and the
 * touching pairs behind them. */
static void link_nodes(carom_coherent *state, const uint64_t *touching) {
    const word *parent = carom_coherent_data(state, CAROM_COHERENT_PARENT);
    const word *least = carom_coherent_data(state, CAROM_COHERENT_LEAST);
    const uint32_t *body = carom_coherent_data(state, CAROM_COHERENT_BODY);
    const uint32_t *pair_i = carom_coherent_data(state, CAROM_COHERENT_PAIR_I);
    const uint32_t *pair_k = carom_coherent_data(state, CAROM_COHERENT_PAIR_K);
    carom_group_node *node = carom_coherent_data(state, CAROM_COHERENT_NODES);
    for (uint64_t slot = 0; slot < state->count; slot++) {
        uint32_t own = (uint32_t)slot;
        uint32_t root = get(parent, get(parent, slot));
        node[slot] = (carom_group_node){.root = root, .next = own, .last = own, .size = 1, .body = body[slot]};
        if (root == own) {
            node[slot].least = get(least, slot);
        } else {
            splice(node, root, own);
            node[root].size++;
        }
    }
    memset(state->of_size, 0, sizeof state->of_size);
    for (uint64_t slot = 0; slot < state->count; slot++) {
        *of_size(state, node[slot].size) += node[slot].root == slot;
    }
    for (uint64_t w = 0; w < words_of(state); w++) {
        for (uint64_t bits = touching[w]; bits != 0; bits &= bits - 1) {
            uint64_t n = w * 64 + (uint64_t)__builtin_ctzll(bits);
            node[pair_i[n]].degree++;
            node[pair_k[n]].degree++;
        }
    }
    state->linked = true;
}

static bool afford(regroup *r, uint64_t work) {
    r->work += work;
    return r->work <= r->room;
}

/* A group of so many bodies more or less. */
static void resize(regroup *r, uint64_t size, int by) {
    *of_size(r->state, size) += (uint32_t)by;
    r->counts->groups += size > 1 ? (uint64_t)(int64_t)by : 0;
    r->giant_changed = r->giant_changed || (size >= CAROM_COHERENT_SIZES - 1);
}

/* Makes every member of the slot's group a group of its own. */
static bool take_apart(regroup *r, uint32_t slot) {
    carom_group_node *node = r->node;
    uint32_t root = node[slot].root;
    uint64_t size = node[root].size;
    if (!afford(r, size)) {
        return false;
    }
    resize(r, size, -1);
    *of_size(r->state, 1) += (uint32_t)size;
    uint32_t at = slot;
    do {
        uint32_t next = node[at].next;
        uint32_t body = node[at].body;
        node[at] = (carom_group_node){.root = at,
                                      .next = at,
                                      .last = at,
                                      .size = 1,
                                      .least = body,
                                      .body = body,
                                      .degree = node[at].degree,
                                      .lone = 1};
        r->label[body] = body;
        r->member[r->members++] = at;
        __builtin_prefetch(&r->row[at]);
        at = next;
    } while (at != slot);
    return true;
}

/* Points a ring at a new root and label. */
static void relabel(const regroup *r, uint32_t from, uint32_t root, uint32_t least) {
    uint32_t at = from;
    do {
        r->node[at].root = root;
        r->label[r->node[at].body] = least;
        at = r->node[at].next;
    } while (at != from);
}

/* One group of two: the smaller takes on the larger's root, and both the smaller label. */
static bool merge(regroup *r, uint32_t a, uint32_t b) {
    carom_group_node *node = r->node;
    uint32_t keep = node[a].root;
    uint32_t join = node[b].root;
    if (keep == join) {
        return true;
    }
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
    splice(node, keep, join);
    return true;
}

static bool touches(const uint64_t *touching, uint64_t n) {
    return (touching[n / 64] >> n % 64 & 1) != 0;
}

/* Takes a slot that has lost its only pair out of its group: the others stay connected. */
static bool isolate(regroup *r, uint32_t slot) {
    carom_group_node *node = r->node;
    carom_group_node *own = &node[slot];
    uint32_t other = own->next;
    uint32_t size = node[own->root].size;
    uint32_t root = own->root == slot ? other : own->root;
    uint32_t least = node[own->root].least;
    splice(node, own->last, slot);
    if (own->body == least) {
        least = node[other].body;
        for (uint32_t at = node[other].next; at != other; at = node[at].next) {
            least = node[at].body < least ? node[at].body : least;
        }
    }
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

/* One pair less. If one of its bodies has no other, only that one leaves the group; else who is still connected must be
 * found out. */
static bool end_pair(regroup *r, uint32_t i, uint32_t k) {
    carom_group_node *node = r->node;
    node[i].degree--;
    node[k].degree--;
    if (node[i].lone != 0) {
        return true;
    }
    if (node[i].degree == 0) {
        return isolate(r, i);
    }
    return node[k].degree == 0 ? isolate(r, k) : take_apart(r, i);
}

/* The pairs whose bits are set in `these` and not in `those`, to `list`. False if there are too many. */
static bool list_pairs(regroup *r, const uint64_t *these, const uint64_t *those, uint64_t *count) {
    *count = 0;
    for (uint64_t w = 0; w < words_of(r->state); w++) {
        for (uint64_t bits = these[w] & ~those[w]; bits != 0; bits &= bits - 1) {
            if (*count == r->room) {
                return false;
            }
            r->changed[(*count)++] = (uint32_t)(w * 64 + (uint64_t)__builtin_ctzll(bits));
        }
    }
    return true;
}

/* The work goes from one cache line to another that the first one names, all of them far away: lines are asked for some
 * pairs ahead, those that they name some pairs later. */
static inline __attribute__((always_inline)) void fetch_ahead(const regroup *r, uint64_t at, uint64_t count) {
    const uint32_t *pair_i = carom_coherent_data(r->state, CAROM_COHERENT_PAIR_I);
    const uint32_t *pair_k = carom_coherent_data(r->state, CAROM_COHERENT_PAIR_K);
    if (at + 4 * AHEAD < count) {
        __builtin_prefetch(&pair_i[r->changed[at + 4 * AHEAD]]);
        __builtin_prefetch(&pair_k[r->changed[at + 4 * AHEAD]]);
    }
    if (at + 2 * AHEAD < count) {
        __builtin_prefetch(&r->node[pair_i[r->changed[at + 2 * AHEAD]]], 1);
        __builtin_prefetch(&r->node[pair_k[r->changed[at + 2 * AHEAD]]], 1);
    }
    if (at + AHEAD < count) {
        const carom_group_node *i = &r->node[pair_i[r->changed[at + AHEAD]]];
        const carom_group_node *k = &r->node[pair_k[r->changed[at + AHEAD]]];
        __builtin_prefetch(&r->node[i->next], 1);
        __builtin_prefetch(&r->node[i->last], 1);
        __builtin_prefetch(&r->node[i->root], 1);
        __builtin_prefetch(&r->node[k->next], 1);
        __builtin_prefetch(&r->node[k->root], 1);
        __builtin_prefetch(&r->label[i->body], 1);
        __builtin_prefetch(&r->label[k->body], 1);
    }
}

static bool end_pairs(regroup *r, const uint64_t *now, const uint64_t *before) {
    const uint32_t *pair_i = carom_coherent_data(r->state, CAROM_COHERENT_PAIR_I);
    const uint32_t *pair_k = carom_coherent_data(r->state, CAROM_COHERENT_PAIR_K);
    uint64_t count;
    if (!list_pairs(r, before, now, &count)) {
        return false;
    }
    for (uint64_t n = 0; n < count; n++) {
        fetch_ahead(r, n, count);
        if (!end_pair(r, pair_i[r->changed[n]], pair_k[r->changed[n]])) {
            return false;
        }
    }
    return true;
}

/* A pair is filed under one of its two slots, and both of those that were taken apart are among the members. */
static bool merge_members(regroup *r, const uint64_t *now) {
    const carom_coherent *state = r->state;
    const uint32_t *pair_i = carom_coherent_data(state, CAROM_COHERENT_PAIR_I);
    const uint32_t *pair_k = carom_coherent_data(state, CAROM_COHERENT_PAIR_K);
    for (uint64_t m = 0; m < r->members; m++) {
        uint32_t slot = r->member[m];
        if (m + 2 * AHEAD < r->members) {
            __builtin_prefetch(&r->row[r->member[m + 2 * AHEAD]]);
        }
        if (m + AHEAD < r->members) {
            __builtin_prefetch(&pair_k[r->row[r->member[m + AHEAD]]]);
        }
        for (uint64_t n = r->row[slot]; n < r->row[slot + 1]; n++) {
            if (touches(now, n) && !merge(r, slot, pair_k[n])) {
                return false;
            }
        }
    }
    for (uint64_t n = state->list.ordered; n < state->list.pairs; n++) {
        if (touches(now, n) && r->node[pair_i[n]].lone != 0 && !merge(r, pair_i[n], pair_k[n])) {
            return false;
        }
    }
    return true;
}

static bool merge_begun(regroup *r, const uint64_t *now, const uint64_t *before) {
    const uint32_t *pair_i = carom_coherent_data(r->state, CAROM_COHERENT_PAIR_I);
    const uint32_t *pair_k = carom_coherent_data(r->state, CAROM_COHERENT_PAIR_K);
    uint64_t count;
    if (!list_pairs(r, now, before, &count)) {
        return false;
    }
    for (uint64_t n = 0; n < count; n++) {
        uint32_t i = pair_i[r->changed[n]];
        uint32_t k = pair_k[r->changed[n]];
        fetch_ahead(r, n, count);
        r->node[i].degree++;
        r->node[k].degree++;
        if (!merge(r, i, k)) {
            return false;
        }
    }
    return true;
}

static uint64_t largest_of_all(const regroup *r) {
    uint64_t size = CAROM_COHERENT_SIZES - 1;
    while (size > 1 && r->state->of_size[size] == 0) {
        size--;
    }
    if (size < CAROM_COHERENT_SIZES - 1) {
        return size > 1 ? size : 0;
    }
    if (!r->giant_changed && r->counts->largest >= size) {
        return r->counts->largest;
    }
    for (uint64_t slot = 0; slot < r->state->count; slot++) {
        uint64_t own = r->node[slot].root == slot ? r->node[slot].size : 0;
        size = own > size ? own : size;
    }
    return size;
}

bool carom_regroup_update(carom_coherent *state, uint64_t changed, carom_group_counts *counts) {
    const uint64_t *now = carom_coherent_data(state, CAROM_COHERENT_TOUCHING);
    const uint64_t *before = carom_coherent_data(state, CAROM_COHERENT_TOUCHING_BEFORE);
    const uint64_t room = state->count / REGROUP_SHARE + REGROUP_LEAST;
    if (changed > room / MEMBERS_A_CHANGE) {
        return false;
    }
    if (!state->linked) {
        link_nodes(state, before);
    }
    regroup r = {.state = state,
                 .node = carom_coherent_data(state, CAROM_COHERENT_NODES),
                 .label = carom_coherent_data(state, CAROM_COHERENT_LABEL),
                 .member = carom_coherent_data(state, CAROM_COHERENT_MEMBERS),
                 .row = carom_coherent_data(state, CAROM_COHERENT_ROW),
                 .counts = counts,
                 .changed = (uint32_t *)carom_coherent_data(state, CAROM_COHERENT_MEMBERS) + room,
                 .room = room};
    if (!end_pairs(&r, now, before) || !merge_members(&r, now) || !merge_begun(&r, now, before)) {
        state->linked = false;
        return false;
    }
    for (uint64_t m = 0; m < r.members; m++) {
        r.node[r.member[m]].lone = 0;
    }
    counts->largest = largest_of_all(&r);
    return true;
}

static void start_groups(void *data, uint32_t worker) {
    carom_coherent *state = data;
    const carom_range own = carom_team_range(&state->context->team, worker, state->count, CAROM_SIMD_PAD);
    carom_union_find_init(carom_coherent_data(state, CAROM_COHERENT_PARENT), own.begin, own.end);
}

static void unite_all(void *data, uint32_t worker) {
    carom_coherent *state = data;
    const uint64_t *now = carom_coherent_data(state, CAROM_COHERENT_TOUCHING);
    const uint32_t *pair_i = carom_coherent_data(state, CAROM_COHERENT_PAIR_I);
    const uint32_t *pair_k = carom_coherent_data(state, CAROM_COHERENT_PAIR_K);
    carom_union_find_parent *parent = carom_coherent_data(state, CAROM_COHERENT_PARENT);
    const carom_range own = carom_team_range(&state->context->team, worker, words_of(state), GRAIN);
    for (uint64_t w = own.begin; w < own.end; w++) {
        for (uint64_t bits = now[w]; bits != 0; bits &= bits - 1) {
            uint64_t n = w * 64 + (uint64_t)__builtin_ctzll(bits);
            carom_union_find_unite(parent, pair_i[n], pair_k[n]);
        }
    }
}

carom_group_counts carom_regroup_all(carom_coherent *state) {
    const carom_team *team = &state->context->team;
    const carom_group_workspace workspace = {.parent = carom_coherent_data(state, CAROM_COHERENT_PARENT),
                                             .least = carom_coherent_data(state, CAROM_COHERENT_LEAST),
                                             .size = carom_coherent_data(state, CAROM_COHERENT_GROUP_SIZE),
                                             .body = carom_coherent_data(state, CAROM_COHERENT_BODY),
                                             .slot_of = carom_coherent_data(state, CAROM_COHERENT_SLOT),
                                             .spare = carom_coherent_data(state, CAROM_COHERENT_NODES),
                                             .owned = state->count};
    carom_team_run(team, start_groups, state);
    carom_team_run(team, unite_all, state);
    state->linked = false;
    return carom_groups_label(team, &workspace, state->count, carom_coherent_data(state, CAROM_COHERENT_LABEL));
}
