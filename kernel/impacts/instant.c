/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: members that touch one of them, a giant, and what its velocity has become. Out: those that may collide with it.
 *
 * Dust within a giant hits it, the giant's velocity changes a little, and other dust hits it in the same moment. Let P
 * be the giant's place as seen from the dust, which stays the same all the while, and V its velocity. They collide only
 * if P.V < 0; and when the giant's velocity has changed by u, only if P.V + P.u < 0. A list has P and P.V in columns,
 * so that a vector of pairs takes a few operations. P.V is first what floats know of it (simd/instant_pairs.h), and
 * what doubles know where that does not say enough. */
#include "kernel/impacts/instant.h"

#include <math.h>
#include <string.h>

#include "kernel/impacts/bystanders.h"
#include "kernel/sort/list_sort.h"
#include "simd/instant_pairs.h"
#include "simd/vector.h"

/* Rounding of floats, over a number, and of places in doubles, over the numbers that they are made of: bounds. */
static const double ROUNDING = 0x1p-20;
static const double SHARP_ROUNDING = 0x1p-40;

/* More than a float is rounded by however small it is. */
static const double FLOAT_LEAST = 0x1p-110;

/* Pairs looked at from which on it pays to bring those that there are into order. */
enum { LOOKED_MANY = 32 };

enum { COLUMNS = 6 };

/* The pairs with a member that touch in this moment. */
typedef struct carom_instant_list {
    carom_coarse_path own; /* of the member, when they were listed */
    double v[3];           /* its velocity then */
    uint64_t column;       /* where its columns begin */
    uint32_t count;
    uint32_t looked; /* pairs that were looked at: after many it pays to have them in order */
    uint32_t found;  /* the place that the last walk ended at, and the walk before that */
    uint32_t found_before;
    bool sorted; /* by the owners' numbers */
} carom_instant_list;

static carom_instant_list *list_of(const carom_cluster *c, const carom_member *m) {
    return (carom_instant_list *)c->own->adjacent.instant.buffer.data + m->deferral.list;
}

/* Kernels write whole vectors. */
static uint64_t room_of(const carom_member *m) {
    return m->rest - m->others + CAROM_SIMD_PAD;
}

static carom_instant_rows rows_of(const carom_cluster *c, const carom_member *m, const carom_instant_list *list) {
    const uint64_t room = room_of(m);
    float *column = (float *)c->own->adjacent.column.buffer.data + list->column;
    return (carom_instant_rows){.p = {column, column + room, column + 2 * room},
                                .rate = column + 3 * room,
                                .margin = column + 4 * room,
                                .owner = (uint32_t *)(void *)(column + 5 * room)};
}

static float time_of(const carom_cluster *c) {
    return (float)(c->now - c->window->hulls->frame.begin);
}

/* An empty list, with room for as many pairs as there may be. False, and own->failed, if there is no memory. */
static bool make_list(const carom_cluster *c, carom_member *m) {
    carom_list *column = &c->own->adjacent.column;
    const carom_instant_list empty = {.column = column->count};
    const uint64_t numbers = COLUMNS * room_of(m);
    if (!carom_list_reserve(c->window->memory, column, numbers, sizeof(float)) ||
        !carom_list_append(c->window->memory, &c->own->adjacent.instant, &empty, sizeof empty)) {
        c->own->failed = true;
        return false;
    }
    column->count += numbers;
    m->deferral.list = (uint32_t)(c->own->adjacent.instant.count - 1);
    return true;
}

static void find_touching(const carom_cluster *c, const carom_member *m) {
    carom_instant_list *list = list_of(c, m);
    const carom_instant_rows rows = rows_of(c, m, list);
    list->own = c->coarse[m - c->m];
    memcpy(list->v, m->piece.v, sizeof list->v);
    list->count = c->window->simd->instant_row(c->coarse, &list->own, c->other + m->others,
                                               (uint32_t)(m->rest - m->others), time_of(c), &rows);
    list->found = list->found_before = list->count;
}

void carom_instant_begin(const carom_cluster *c, uint32_t n) {
    carom_member *m = &c->m[n];
    if (m->deferral.list != CAROM_IMPACTS_NONE || make_list(c, m)) {
        find_touching(c, m);
    }
}

/* Brings the pairs that a kernel tests into the order of impacts in one moment: that of their owners' numbers. */
static bool sort_others(const carom_cluster *c, const carom_member *m) {
    const uint64_t count = m->rest - m->others;
    if (carom_buffer_reserve(c->window->memory, &c->own->near, 2 * count * sizeof(uint64_t)) != CAROM_OK) {
        c->own->failed = true;
        return false;
    }
    uint32_t *other = (uint32_t *)c->own->adjacent.other.buffer.data + m->others;
    uint64_t *entry = c->own->near.data;
    uint32_t bits = 0;
    for (uint64_t n = 0; n < count; n++) {
        const uint32_t number = carom_bystanders_number(c, other[n]);
        entry[n] = (uint64_t)number << 32 | other[n];
        bits |= number;
    }
    const uint64_t *sorted =
        carom_list_sort_packed(entry, entry + count, count, carom_list_sort_bits((uint64_t)bits + 1));
    for (uint64_t n = 0; n < count; n++) {
        other[n] = (uint32_t)sorted[n];
    }
    return true;
}

/* Makes the list anew, in order, once enough pairs were looked at without one. */
static void keep_order(const carom_cluster *c, const carom_member *m, carom_instant_list *list) {
    if (!list->sorted && list->looked >= LOOKED_MANY && sort_others(c, m)) {
        list->sorted = true;
        find_touching(c, m);
    }
}

/* Where a member's pair is in a list in the order of numbers; or its length. */
static uint32_t search(const carom_cluster *c, const uint32_t *owner, uint32_t count, uint32_t other) {
    const uint32_t number = carom_bystanders_number(c, other);
    uint32_t lo = 0;
    uint32_t hi = count;
    while (lo < hi) {
        const uint32_t middle = lo + (hi - lo) / 2;
        const bool before = carom_bystanders_number(c, owner[middle]) < number;
        lo = before ? middle + 1 : lo;
        hi = before ? hi : middle;
    }
    return lo < count && owner[lo] == other ? lo : count;
}

static uint32_t find(const uint32_t *owner, uint32_t count, uint32_t other) {
    uint32_t at = 0;
    while (at < count && owner[at] != other) {
        at++;
    }
    return at;
}

/* Most often the member has collided with the one that changes: that pair was found before the giant's own change. */
void carom_instant_change(const carom_cluster *c, uint32_t n, uint32_t other) {
    const carom_member *m = &c->m[n];
    if (m->deferral.list == CAROM_IMPACTS_NONE) {
        return;
    }
    carom_instant_list *list = list_of(c, m);
    list->looked++;
    keep_order(c, m, list);
    const carom_instant_rows rows = rows_of(c, m, list);
    uint32_t at = list->found_before;
    if (at >= list->count || rows.owner[at] != other) {
        at = list->sorted ? search(c, rows.owner, list->count, other) : find(rows.owner, list->count, other);
    }
    if (at < list->count) {
        const carom_instant_pair pair = carom_instant_pair_of(&list->own, &c->coarse[other], time_of(c));
        carom_instant_put(&rows, at, &pair);
    }
}

/* A pair as doubles have it, with the member's velocity as it was when pairs were listed. If the two do not touch, as
 * floats thought, they do not come closer, whatever their velocities become. */
static carom_instant_pair sharp_pair(const carom_cluster *c, const carom_instant_walk *walk, const double v[3],
                                     const carom_member *m) {
    const double unit = c->window->hulls->frame.unit;
    const carom_piece *other = &m->piece;
    const double lasts = c->now - other->start;
    double rate = 0.0;
    double size = walk->size;
    double square = 0.0;
    double length = 0.0;
    double pace = walk->pace;
    carom_instant_pair pair;
    for (int a = 0; a < 3; a++) {
        const double at = (other->x[a] + other->v[a] * lasts) * unit;
        rate += (walk->at[a] - at) * ((v[a] - other->v[a]) * unit);
        size += fabs(other->x[a]) * unit + fabs(at);
        square += (walk->at[a] - at) * (walk->at[a] - at);
        length += fabs(walk->at[a] - at);
        pace += fabs(other->v[a]) * unit;
        pair.p[a] = (float)(walk->at[a] - at);
    }
    const double rounding = SHARP_ROUNDING * size * pace + ROUNDING * fabs(rate) + FLOAT_LEAST * (1.0 + length);
    const double reach = walk->radius + c->window->bodies->body[m->slot].radius * unit + SHARP_ROUNDING * (size + pace);
    pair.rate = square > reach * reach * (1.0 + ROUNDING) ? INFINITY : (float)(rate - rounding);
    pair.margin = (float)(SHARP_ROUNDING * size + ROUNDING * length);
    return pair;
}

carom_instant_walk carom_instant_walk_begin(const carom_cluster *c, uint32_t n) {
    const carom_member *m = &c->m[n];
    const double unit = c->window->hulls->frame.unit;
    carom_instant_walk walk = {.next = 0};
    if (m->deferral.list == CAROM_IMPACTS_NONE) {
        return walk;
    }
    carom_instant_list *list = list_of(c, m);
    keep_order(c, m, list);
    double turn[3];
    for (int a = 0; a < 3; a++) {
        turn[a] = (m->piece.v[a] - list->v[a]) * unit;
        walk.turn[a] = (float)turn[a];
        walk.at[a] = (m->piece.x[a] + m->piece.v[a] * (c->now - m->piece.start)) * unit;
        walk.size += fabs(m->piece.x[a]) * unit + fabs(walk.at[a]);
        walk.pace += fabs(list->v[a]) * unit;
    }
    walk.speed = (float)(sqrt(carom_vector_dot(turn, turn)) * (1.0 + ROUNDING));
    walk.radius = c->window->bodies->body[m->slot].radius * unit;
    walk.sorted = list->sorted;
    list->found_before = list->found;
    return walk;
}

bool carom_instant_walk_next(carom_cluster *c, uint32_t n, carom_instant_walk *walk) {
    const carom_member *m = &c->m[n];
    if (m->deferral.list == CAROM_IMPACTS_NONE) {
        return false;
    }
    carom_instant_list *list = list_of(c, m);
    const carom_instant_rows rows = rows_of(c, m, list);
    bool closes = false;
    while (!closes && walk->next < list->count) {
        const uint32_t at = c->window->simd->instant_next(&rows, walk->next, list->count, walk->turn, walk->speed);
        walk->next = at + 1;
        if (at < list->count) {
            walk->owner = rows.owner[at];
            carom_bystanders_load(c, walk->owner);
            const carom_instant_pair pair = sharp_pair(c, walk, list->v, &c->m[walk->owner]);
            carom_instant_put(&rows, at, &pair);
            closes = carom_instant_closes(&rows, at, walk->turn, walk->speed);
            list->looked++;
            list->found = closes ? at : list->found;
        }
    }
    return closes;
}
