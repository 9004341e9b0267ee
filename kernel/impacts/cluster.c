/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: the bodies of a group. Out: its members, and what each may hit. */
#include "kernel/impacts/cluster.h"

#include <math.h>

/* Neighbours from which on a row is long. */
enum { ROW_LONG = 64 };

/* Room for so many members, and their heap. What was there is gone. */
static bool reserve(carom_cluster *c, uint64_t members) {
    const uint64_t bytes = members * (sizeof(carom_member) + sizeof(uint32_t));
    if (members >= CAROM_IMPACTS_SURFACE ||
        carom_buffer_reserve(c->window->memory, &c->own->cluster, bytes) != CAROM_OK) {
        c->own->failed = true;
        return false;
    }
    c->m = c->own->cluster.data;
    c->heap = (uint32_t *)(c->m + members);
    return true;
}

/* Fixed bodies near a member, as often as they are near. */
static uint64_t count_fixed(const carom_window *window, uint32_t slot) {
    uint64_t count = 0;
    carom_row_walk row = carom_row_begin(window->rows, slot);
    while (carom_row_next(window->rows, &row)) {
        count += !carom_impacts_is_surface(row.other) && carom_impacts_is_fixed(window->bodies, row.other) ? 1 : 0;
    }
    return count;
}

/* Members that a simulation has at most. */
static uint64_t members_of(const carom_cluster *c) {
    const carom_active *active = carom_window_active(c->window);
    uint64_t count = c->count;
    uint32_t entry = c->root;
    for (uint32_t n = 0; n < c->count && !c->window->bodies->all_movable; n++) {
        count += count_fixed(c->window, active[entry].slot);
        entry = active[entry].next;
    }
    return count;
}

static uint32_t ring_length(const carom_window *window, uint32_t root) {
    const carom_active *active = carom_window_active(window);
    uint32_t count = 1;
    for (uint32_t entry = active[root].next; entry != root; entry = active[entry].next) {
        count++;
    }
    return count;
}

/* Makes the path of each member what it was when the window began. */
static void begin_paths(const carom_cluster *c) {
    const carom_window *window = c->window;
    uint32_t entry = c->root;
    for (uint32_t n = 0; n < c->count; n++) {
        carom_active *a = &carom_window_active(window)[entry];
        a->local = n;
        a->worker = c->worker;
        a->escape = CAROM_IMPACTS_NONE;
        a->first = a->last = CAROM_IMPACTS_NONE;
        window->hulls->coarse[a->slot].group = c->root + 1;
        c->m[n] = (carom_member){.piece = window->bodies->piece[a->slot],
                                 .t = INFINITY,
                                 .k = UINT32_MAX,
                                 .entry = entry,
                                 .slot = a->slot,
                                 .number = window->bodies->number[a->slot]};
        entry = a->next;
    }
}

bool carom_cluster_gather(carom_cluster *c) {
    c->count = ring_length(c->window, c->root);
    if (!reserve(c, members_of(c))) {
        return false;
    }
    begin_paths(c);
    return true;
}

/* Makes a fixed body the next member. */
static uint32_t add_fixed(carom_cluster *c, uint32_t slot) {
    const carom_impacts_bodies *bodies = c->window->bodies;
    c->m[c->all] = (carom_member){.piece = bodies->piece[slot],
                                  .t = INFINITY,
                                  .k = UINT32_MAX,
                                  .entry = CAROM_IMPACTS_NONE,
                                  .slot = slot,
                                  .number = bodies->number[slot]};
    return c->all++;
}

/* What a row has for a member: surfaces, fixed bodies, and members of the group. */
static carom_adjacent adjacent_of(carom_cluster *c, const carom_row_walk *row) {
    if (carom_impacts_is_surface(row->other)) {
        return (carom_adjacent){row->other, CAROM_IMAGE_SELF};
    }
    if (carom_impacts_is_fixed(c->window->bodies, row->other)) {
        return (carom_adjacent){add_fixed(c, row->other), row->image};
    }
    if (c->window->hulls->coarse[row->other].group != c->root + 1) {
        return (carom_adjacent){CAROM_IMPACTS_NONE, row->image};
    }
    const uint32_t entry = c->window->active_of[row->other];
    return (carom_adjacent){carom_window_active(c->window)[entry].local, row->image};
}

static void append_adjacent(const carom_cluster *c, const carom_adjacent *adjacent) {
    const bool appended = carom_list_append(c->window->memory, &c->own->adjacent, adjacent, sizeof *adjacent);
    c->own->failed = c->own->failed || !appended;
}

/* Lists the member that each fixed body may hit. */
static void find_opposite(const carom_cluster *c) {
    for (uint32_t n = 0; n < c->count && !c->own->failed; n++) {
        for (uint64_t at = c->m[n].begin; at < c->m[n].end && !c->own->failed; at++) {
            const carom_adjacent *adjacent = (const carom_adjacent *)c->own->adjacent.buffer.data + at;
            if (!carom_impacts_is_surface(adjacent->other) && adjacent->other >= c->count) {
                const carom_adjacent opposite = {n, carom_image_opposite(adjacent->image)};
                carom_member *fixed = &c->m[adjacent->other];
                fixed->begin = c->own->adjacent.count;
                append_adjacent(c, &opposite);
                fixed->end = c->own->adjacent.count;
            }
        }
    }
}

static uint64_t row_length(const carom_cluster *c, uint32_t n) {
    const uint64_t *start = &c->window->rows->start[c->m[n].slot];
    return start[1] - start[0];
}

/* The member with the longest row, if that is long: a giant among dust. Its neighbours in the group have it in their
 * rows, so its own need not be walked. CAROM_IMPACTS_NONE: there is none. */
static uint32_t find_giant(const carom_cluster *c) {
    uint32_t giant = CAROM_IMPACTS_NONE;
    uint64_t longest = ROW_LONG;
    for (uint32_t n = 0; n < c->count && c->window->bodies->all_movable; n++) {
        if (row_length(c, n) > longest) {
            longest = row_length(c, n);
            giant = n;
        }
    }
    return giant;
}

static void walk_row(carom_cluster *c, uint32_t n) {
    carom_row_walk row = carom_row_begin(c->window->rows, c->m[n].slot);
    while (carom_row_next(c->window->rows, &row)) {
        const carom_adjacent adjacent = adjacent_of(c, &row);
        if (adjacent.other != CAROM_IMPACTS_NONE) {
            append_adjacent(c, &adjacent);
        }
    }
}

/* Surfaces come first in a row, but for extras. */
static void walk_surfaces(carom_cluster *c, uint32_t n) {
    carom_row_walk row = carom_row_begin(c->window->rows, c->m[n].slot);
    const uint64_t end = row.end;
    while (row.at < end && carom_impacts_is_surface(c->window->rows->other[row.at])) {
        const carom_adjacent surface = {c->window->rows->other[row.at++], CAROM_IMAGE_SELF};
        append_adjacent(c, &surface);
    }
    row.at = end;
    while (carom_row_next(c->window->rows, &row)) {
        if (carom_impacts_is_surface(row.other)) {
            const carom_adjacent surface = {row.other, CAROM_IMAGE_SELF};
            append_adjacent(c, &surface);
        }
    }
}

/* Lists the members that list the giant. */
static void find_around(carom_cluster *c, uint32_t giant) {
    const uint64_t count = c->own->adjacent.count;
    uint32_t n = 0;
    c->m[giant].begin = count;
    walk_surfaces(c, giant);
    for (uint64_t at = 0; at < count && !c->own->failed; at++) {
        const carom_adjacent adjacent = ((const carom_adjacent *)c->own->adjacent.buffer.data)[at];
        while (n == giant || at >= c->m[n].end) {
            n++;
        }
        if (adjacent.other == giant) {
            const carom_adjacent opposite = {n, carom_image_opposite(adjacent.image)};
            append_adjacent(c, &opposite);
        }
    }
    c->m[giant].end = c->own->adjacent.count;
}

void carom_cluster_find_adjacent(carom_cluster *c) {
    carom_list *list = &c->own->adjacent;
    const uint32_t giant = find_giant(c);
    list->count = 0;
    c->all = c->count;
    for (uint32_t n = 0; n < c->count; n++) {
        c->m[n].begin = list->count;
        if (n != giant) {
            walk_row(c, n);
        }
        c->m[n].end = list->count;
    }
    if (giant != CAROM_IMPACTS_NONE) {
        find_around(c, giant);
    }
    find_opposite(c);
    c->adjacent = list->buffer.data;
}
