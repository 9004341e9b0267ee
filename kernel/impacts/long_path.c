/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: pieces of a giant's path, and its row. Out: as for verify.c. */
#include "kernel/impacts/long_path.h"

#include "kernel/impacts/held.h"
#include "kernel/impacts/long_rows.h"
#include "kernel/impacts/tube.h"

/* Candidates that are one vector to the kernel, more or less: a narrower tube leaves out little of them. */
enum { FEW = 16 };

/* Slots in own->verification.kept. */
typedef struct slots {
    uint64_t first;
    uint32_t count;
} slots;

typedef struct giant {
    const carom_window *window;
    const carom_active *body;
    carom_impacts_worker *own;
    slots grouped; /* of its row, those that are in other groups */
} giant;

static uint32_t *kept_at(const giant *g, uint64_t at) {
    return (uint32_t *)g->own->verification.kept.buffer.data + at;
}

static carom_tube tube_of(const giant *g, uint32_t begin, uint32_t count) {
    return (carom_tube){g->body, (const uint32_t *)g->own->verification.piece.buffer.data + begin, count};
}

/* Where a slot of the row belongs. Of a path that is seen, bodies in no group were bystanders of its simulation. */
static carom_list *list_of(const giant *g, uint32_t slot, bool seen) {
    const bool idle = seen && g->window->active_of[slot] == CAROM_IMPACTS_NONE;
    return idle ? &g->own->verification.idle : &g->own->verification.kept;
}

/* Divides the row into candidates, which come first in kept, and what is not for the kernel. */
static slots divide_row(const giant *g, bool seen) {
    carom_memory *memory = g->window->memory;
    carom_verification *v = &g->own->verification;
    carom_row_walk row = carom_long_rows_begin(g->window->rows, g->body->slot);
    bool done = true;
    v->kept.count = v->idle.count = v->other.count = 0;
    while (done && carom_row_next(g->window->rows, &row)) {
        const carom_row_entry entry = {row.other, row.image};
        done = carom_held_is_for_kernel(entry.other, entry.image)
                   ? carom_list_append(memory, list_of(g, entry.other, seen), &entry.other, sizeof entry.other)
                   : carom_list_append(memory, &v->other, &entry, sizeof entry);
    }
    g->own->failed = !done;
    return (slots){0, (uint32_t)v->kept.count};
}

/* Room in kept for so many slots from `first` on, and for twice as many elsewhere. */
static bool reserve(const giant *g, uint64_t first, uint64_t count) {
    g->own->verification.kept.count = first;
    g->own->failed = g->own->failed ||
                     !carom_list_reserve(g->window->memory, &g->own->verification.kept, count, sizeof(uint32_t)) ||
                     carom_buffer_reserve(g->window->memory, &g->own->near, 2 * count * sizeof(uint32_t)) != CAROM_OK;
    return !g->own->failed;
}

/* Of the row those that a piece may meet. Notes those in groups, which do not depend on pieces. */
static slots keep_first(giant *g, slots row) {
    const carom_tube tube = tube_of(g, 0, (uint32_t)g->own->verification.piece.count);
    const uint64_t each = (uint64_t)row.count + CAROM_SIMD_PAD;
    slots near = {row.count + each, 0};
    if (reserve(g, row.count, 2 * each)) {
        const carom_near_counts counts =
            carom_tube_keep(g->window, &tube, kept_at(g, 0), row.count, kept_at(g, near.first), kept_at(g, row.count));
        g->grouped = (slots){row.count, counts.grouped};
        near.count = counts.near;
    }
    return near;
}

/* Of candidates those that a piece in the tube may meet, which come behind them. */
static slots keep_some(const giant *g, const carom_tube *tube, slots from) {
    slots near = {from.first + from.count, 0};
    if (reserve(g, near.first, (uint64_t)from.count + CAROM_SIMD_PAD)) {
        near.count = carom_tube_keep(g->window, tube, kept_at(g, from.first), from.count, kept_at(g, near.first),
                                     g->own->near.data)
                         .near;
    }
    return near;
}

static void hold_piece(const giant *g, uint32_t n, slots from) {
    const uint64_t each = (uint64_t)from.count + CAROM_SIMD_PAD;
    if (!reserve(g, from.first + from.count, each)) {
        return;
    }
    const carom_held h = carom_held_of(g->window, g->own, g->body, n);
    const carom_candidates bodies = {kept_at(g, from.first), kept_at(g, g->grouped.first), from.count,
                                     g->grouped.count};
    const carom_row_entry *other = g->own->verification.other.buffer.data;
    uint32_t *near = g->own->near.data;
    carom_held_bodies(&h, &bodies, near, near + each);
    for (uint64_t entry = 0; entry < g->own->verification.other.count; entry++) {
        carom_held_other(&h, other[entry].other, other[entry].image);
    }
}

/* Holds pieces against candidates that a tube around them meets. In order of time, as carom_held_grouped asks for. */
static void hold_pieces(const giant *g, carom_tube tube, slots from) {
    if (tube.count > 1 && from.count > FEW) {
        const uint32_t half = tube.count / 2;
        const carom_tube halves[2] = {{tube.body, tube.piece, half}, {tube.body, tube.piece + half, tube.count - half}};
        for (int h = 0; h < 2; h++) {
            hold_pieces(g, halves[h], halves[h].count > 1 ? keep_some(g, &halves[h], from) : from);
        }
        return;
    }
    for (uint32_t n = 0; n < tube.count && !g->own->failed; n++) {
        hold_piece(g, tube.piece[n], from);
    }
}

/* Holds the last piece against bodies that were bystanders: what it may do to them in later windows. */
static void hold_last(const giant *g) {
    const carom_list *idle = &g->own->verification.idle;
    const carom_held last = carom_held_of(g->window, g->own, g->body, g->body->last);
    const uint64_t each = idle->count + CAROM_SIMD_PAD;
    if (carom_buffer_reserve(g->window->memory, &g->own->near, 2 * each * sizeof(uint32_t)) != CAROM_OK) {
        g->own->failed = true;
        return;
    }
    const carom_candidates bodies = {.near = idle->buffer.data, .count = (uint32_t)idle->count};
    uint32_t *near = g->own->near.data;
    carom_held_bodies(&last, &bodies, near, near + each);
}

void carom_long_path_hold(const carom_window *window, const carom_active *a, carom_impacts_worker *own) {
    giant g = {.window = window, .body = a, .own = own};
    const slots row = divide_row(&g, carom_long_path_is_seen(a));
    if (!own->failed) {
        const slots near = keep_first(&g, row);
        hold_pieces(&g, tube_of(&g, 0, (uint32_t)own->verification.piece.count), near);
    }
    if (!own->failed && own->verification.idle.count > 0) {
        hold_last(&g);
    }
}
