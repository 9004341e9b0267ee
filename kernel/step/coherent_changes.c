/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* From the touching pairs of two steps to what changed: events, and groups brought up to date. A group is affected if
 * one of its pairs ended or one began in it; its members are made single and united anew, all others keep their labels.
 * Members are linked in rings, so that the cost is that of the change. */
#include <string.h>

#include "kernel/step/coherent.h"

/* Share of the bodies, 1 / this, up to which affected groups are done one by one and not all anew. */
enum { REGROUP_SHARE = 6, REGROUP_LEAST = 64, GRAIN = 64 };

typedef _Atomic uint32_t word;

static inline uint32_t get(const word *array, uint64_t n) {
    return atomic_load_explicit(&array[n], memory_order_relaxed);
}

static inline void put(word *array, uint64_t n, uint32_t value) {
    atomic_store_explicit(&array[n], value, memory_order_relaxed);
}

static uint64_t words_of(const carom_coherent *state) {
    return (state->pairs + 63) / 64;
}

/* Where the events of a step are written: i and k of those begun, then of those ended. */
typedef struct event_lists {
    const uint32_t *body;
    const uint32_t *pair_i;
    const uint32_t *pair_k;
} event_lists;

static uint64_t list_events(const event_lists *lists, uint64_t bits, uint64_t word_number, uint32_t *i, uint32_t *k) {
    uint64_t count = 0;
    for (; bits != 0; bits &= bits - 1) {
        uint64_t n = word_number * 64 + (uint64_t)__builtin_ctzll(bits);
        uint32_t a = lists->body[lists->pair_i[n]];
        uint32_t b = lists->body[lists->pair_k[n]];
        i[count] = a < b ? a : b;
        k[count] = a < b ? b : a;
        count++;
    }
    return count;
}

static void fill_events(const carom_coherent *state, const carom_coherent_report *report, uint32_t *block) {
    const uint64_t *now = carom_coherent_data(state, CAROM_COHERENT_TOUCHING);
    const uint64_t *before = carom_coherent_data(state, CAROM_COHERENT_TOUCHING_BEFORE);
    const uint32_t *carried = carom_coherent_data(state, CAROM_COHERENT_CARRIED);
    const event_lists lists = {carom_coherent_data(state, CAROM_COHERENT_BODY),
                               carom_coherent_data(state, CAROM_COHERENT_PAIR_I),
                               carom_coherent_data(state, CAROM_COHERENT_PAIR_K)};
    uint32_t *begun_i = block;
    uint32_t *begun_k = begun_i + report->begun;
    uint32_t *ended_i = begun_k + report->begun;
    uint32_t *ended_k = ended_i + report->ended;
    uint64_t begun = 0;
    uint64_t ended = 0;
    for (; ended < state->carried_ended; ended++) {
        uint32_t a = carried[2 * ended];
        uint32_t b = carried[2 * ended + 1];
        ended_i[ended] = a < b ? a : b;
        ended_k[ended] = a < b ? b : a;
    }
    for (uint64_t w = 0; w < words_of(state); w++) {
        begun += list_events(&lists, now[w] & ~before[w], w, begun_i + begun, begun_k + begun);
        ended += list_events(&lists, before[w] & ~now[w], w, ended_i + ended, ended_k + ended);
    }
}

carom_status carom_coherent_changes_find(carom_coherent *state, uint64_t touching, carom_coherent_report *report,
                                         uint64_t *required) {
    const uint64_t *now = carom_coherent_data(state, CAROM_COHERENT_TOUCHING);
    const uint64_t *before = carom_coherent_data(state, CAROM_COHERENT_TOUCHING_BEFORE);
    uint64_t begun = 0;
    uint64_t ended = state->carried_ended;
    for (uint64_t w = 0; w < words_of(state); w++) {
        begun += (uint64_t)__builtin_popcountll(now[w] & ~before[w]);
        ended += (uint64_t)__builtin_popcountll(before[w] & ~now[w]);
    }
    report->begun = begun;
    report->ended = ended;
    report->persisted = touching - begun;
    if (!state->config.events) {
        return CAROM_OK;
    }
    const carom_coherent_need need = {CAROM_COHERENT_EVENTS, (begun + ended) * 2 * sizeof(uint32_t)};
    carom_status status = carom_coherent_reserve(state, &need, 1, required);
    if (status == CAROM_OK) {
        uint32_t *block = carom_coherent_data(state, CAROM_COHERENT_EVENTS);
        fill_events(state, report, block);
        report->begun_i = block;
        report->begun_k = block + begun;
        report->ended_i = block + 2 * begun;
        report->ended_k = block + 2 * begun + ended;
    }
    return status;
}

/* The groups' arrays, and the bodies to be done anew. */
typedef struct regroup {
    carom_coherent *state;
    word *parent;
    word *least;
    word *others;
    uint32_t *ring;
    uint8_t *dirty; /* of a slot: its group is affected; all zero between steps */
    uint32_t *root; /* of the affected groups */
    uint64_t roots;
    uint32_t *member;
    uint64_t members;
    uint64_t room;
    bool whole; /* all fit */
} regroup;

static regroup view(carom_coherent *state) {
    uint64_t count = state->count;
    uint64_t room = count / REGROUP_SHARE + REGROUP_LEAST;
    regroup r = {.state = state,
                 .parent = carom_coherent_data(state, CAROM_COHERENT_PARENT),
                 .least = carom_coherent_data(state, CAROM_COHERENT_LEAST),
                 .others = carom_coherent_data(state, CAROM_COHERENT_OTHERS),
                 .ring = carom_coherent_data(state, CAROM_COHERENT_RING),
                 .root = carom_coherent_data(state, CAROM_COHERENT_DIRTY),
                 .room = room,
                 .whole = true};
    r.member = r.root + room;
    r.dirty = (uint8_t *)(r.member + room);
    return r;
}

uint64_t carom_coherent_changes_bytes(uint64_t count) {
    return (count / REGROUP_SHARE + REGROUP_LEAST) * 2 * sizeof(uint32_t) + count;
}

/* Every group's members in a ring, from the flat parents; roots are the least of their set. */
static void link_rings(const regroup *r) {
    for (uint64_t slot = 0; slot < r->state->count; slot++) {
        uint32_t root = get(r->parent, slot);
        r->ring[slot] = (uint32_t)slot;
        if (root != slot) {
            r->ring[slot] = r->ring[root];
            r->ring[root] = (uint32_t)slot;
        }
    }
    r->state->ringed = true;
}

static void affect(regroup *r, uint32_t slot) {
    uint32_t root = get(r->parent, slot);
    if (r->dirty[root] != 0) {
        return;
    }
    uint64_t size = (uint64_t)get(r->others, root) + 1;
    if (r->members + size > r->room) {
        r->whole = false;
        return;
    }
    r->dirty[root] = 1;
    r->root[r->roots++] = root;
    r->members += size;
}

static void find_affected(regroup *r) {
    const carom_coherent *state = r->state;
    const uint64_t *now = carom_coherent_data(state, CAROM_COHERENT_TOUCHING);
    const uint64_t *before = carom_coherent_data(state, CAROM_COHERENT_TOUCHING_BEFORE);
    const uint32_t *pair_i = carom_coherent_data(state, CAROM_COHERENT_PAIR_I);
    const uint32_t *pair_k = carom_coherent_data(state, CAROM_COHERENT_PAIR_K);
    for (uint64_t w = 0; w < words_of(state) && r->whole; w++) {
        for (uint64_t bits = now[w] ^ before[w]; bits != 0 && r->whole; bits &= bits - 1) {
            uint64_t n = w * 64 + (uint64_t)__builtin_ctzll(bits);
            affect(r, pair_i[n]);
            affect(r, pair_k[n]);
        }
    }
}

/* Takes the affected groups apart; returns the bodies in the largest of them. */
static uint64_t take_apart(regroup *r, carom_group_counts *counts) {
    const uint32_t *body = carom_coherent_data(r->state, CAROM_COHERENT_BODY);
    uint64_t largest = 0;
    uint64_t at = 0;
    for (uint64_t g = 0; g < r->roots; g++) {
        uint64_t size = (uint64_t)get(r->others, r->root[g]) + 1;
        counts->groups -= size > 1;
        largest = size > largest ? size : largest;
        uint32_t slot = r->root[g];
        do {
            uint32_t next = r->ring[slot];
            r->member[at++] = slot;
            r->ring[slot] = slot;
            r->dirty[slot] = 1;
            put(r->parent, slot, slot);
            put(r->others, slot, 0);
            put(r->least, slot, body[slot]);
            slot = next;
        } while (slot != r->root[g]);
    }
    return largest;
}

static uint32_t root_of(word *parent, uint32_t x) {
    for (uint32_t up = get(parent, x); up != x; up = get(parent, x)) {
        uint32_t upper = get(parent, up);
        put(parent, x, upper);
        x = upper;
    }
    return x;
}

static void unite(const regroup *r, uint32_t a, uint32_t b) {
    uint32_t x = root_of(r->parent, a);
    uint32_t y = root_of(r->parent, b);
    if (x == y) {
        return;
    }
    put(r->parent, x > y ? x : y, x > y ? y : x);
    uint32_t next = r->ring[a];
    r->ring[a] = r->ring[b];
    r->ring[b] = next;
}

static bool touches(const uint64_t *touching, uint64_t n) {
    return (touching[n / 64] >> n % 64 & 1) != 0;
}

static void unite_members(const regroup *r) {
    const carom_coherent *state = r->state;
    const uint64_t *now = carom_coherent_data(state, CAROM_COHERENT_TOUCHING);
    const uint32_t *row = carom_coherent_data(state, CAROM_COHERENT_ROW);
    const uint32_t *pair_i = carom_coherent_data(state, CAROM_COHERENT_PAIR_I);
    const uint32_t *pair_k = carom_coherent_data(state, CAROM_COHERENT_PAIR_K);
    for (uint64_t m = 0; m < r->members; m++) {
        uint32_t slot = r->member[m];
        for (uint64_t n = row[slot]; n < row[slot + 1]; n++) {
            if (touches(now, n)) {
                unite(r, slot, pair_k[n]);
            }
        }
    }
    for (uint64_t n = state->ordered; n < state->pairs; n++) {
        if (touches(now, n) && r->dirty[pair_i[n]] != 0) {
            unite(r, pair_i[n], pair_k[n]);
        }
    }
}

/* Roots, sizes and labels of the members; returns the bodies in the largest group made. */
static uint64_t label_members(const regroup *r, carom_group_counts *counts) {
    const uint32_t *body = carom_coherent_data(r->state, CAROM_COHERENT_BODY);
    uint32_t *label = carom_coherent_data(r->state, CAROM_COHERENT_LABEL);
    uint64_t largest = 0;
    for (uint64_t m = 0; m < r->members; m++) {
        uint32_t slot = r->member[m];
        uint32_t root = root_of(r->parent, slot);
        put(r->parent, slot, root);
        put(r->others, root, get(r->others, root) + (root != slot));
        put(r->least, root, body[slot] < get(r->least, root) ? body[slot] : get(r->least, root));
    }
    for (uint64_t m = 0; m < r->members; m++) {
        uint32_t slot = r->member[m];
        uint64_t others = get(r->others, slot);
        label[body[slot]] = get(r->least, get(r->parent, slot));
        counts->groups += others > 0;
        largest = others + 1 > largest ? others + 1 : largest;
        r->dirty[slot] = 0;
    }
    return largest;
}

static uint64_t largest_of_all(const regroup *r) {
    uint32_t most = 0;
    for (uint64_t slot = 0; slot < r->state->count; slot++) {
        uint32_t others = get(r->others, slot);
        most = others > most ? others : most;
    }
    return (uint64_t)most + 1;
}

bool carom_coherent_changes_regroup(carom_coherent *state, carom_group_counts *counts) {
    regroup r = view(state);
    find_affected(&r);
    if (!r.whole) {
        for (uint64_t g = 0; g < r.roots; g++) {
            r.dirty[r.root[g]] = 0;
        }
        return false;
    }
    if (!state->ringed) {
        link_rings(&r);
    }
    uint64_t apart = take_apart(&r, counts);
    unite_members(&r);
    uint64_t made = label_members(&r, counts);
    if (made < counts->largest && apart == counts->largest) {
        made = largest_of_all(&r);
    } else {
        made = made > counts->largest ? made : counts->largest;
    }
    counts->largest = made > 1 ? made : 0;
    return true;
}

static void start_groups(void *data, uint32_t worker) {
    carom_coherent *state = data;
    uint64_t begin;
    uint64_t end;
    carom_team_range(&state->context->team, worker, state->count, CAROM_SIMD_PAD, &begin, &end);
    carom_union_find_init(carom_coherent_data(state, CAROM_COHERENT_PARENT), begin, end);
    memcpy((uint32_t *)carom_coherent_data(state, CAROM_COHERENT_LEAST) + begin,
           (const uint32_t *)carom_coherent_data(state, CAROM_COHERENT_BODY) + begin, (end - begin) * sizeof(uint32_t));
    memset((uint32_t *)carom_coherent_data(state, CAROM_COHERENT_OTHERS) + begin, 0, (end - begin) * sizeof(uint32_t));
}

static void unite_all(void *data, uint32_t worker) {
    carom_coherent *state = data;
    const uint64_t *now = carom_coherent_data(state, CAROM_COHERENT_TOUCHING);
    const uint32_t *pair_i = carom_coherent_data(state, CAROM_COHERENT_PAIR_I);
    const uint32_t *pair_k = carom_coherent_data(state, CAROM_COHERENT_PAIR_K);
    carom_union_find_parent *parent = carom_coherent_data(state, CAROM_COHERENT_PARENT);
    uint64_t begin;
    uint64_t end;
    carom_team_range(&state->context->team, worker, words_of(state), GRAIN, &begin, &end);
    for (uint64_t w = begin; w < end; w++) {
        for (uint64_t bits = now[w]; bits != 0; bits &= bits - 1) {
            uint64_t n = w * 64 + (uint64_t)__builtin_ctzll(bits);
            carom_union_find_unite(parent, pair_i[n], pair_k[n]);
        }
    }
}

carom_group_counts carom_coherent_changes_group_all(carom_coherent *state) {
    const carom_team *team = &state->context->team;
    const carom_group_space space = {.parent = carom_coherent_data(state, CAROM_COHERENT_PARENT),
                                     .least = carom_coherent_data(state, CAROM_COHERENT_LEAST),
                                     .others = carom_coherent_data(state, CAROM_COHERENT_OTHERS),
                                     .body = carom_coherent_data(state, CAROM_COHERENT_BODY)};
    carom_team_run(team, start_groups, state);
    carom_team_run(team, unite_all, state);
    state->ringed = false;
    return carom_groups_label(team, &space, state->count, carom_coherent_data(state, CAROM_COHERENT_LABEL));
}
