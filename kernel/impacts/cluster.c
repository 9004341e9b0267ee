/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: the bodies of a group. Out: its members, and what each may hit. */
#include "kernel/impacts/cluster.h"

#include <math.h>

#include "kernel/impacts/long_rows.h"
#include "kernel/impacts/paths.h"

/* Impacts, or members, between looks at the host's flag. */
enum { LOOK = 1024 };

/* Pairs of others from which on the kernel tests them. */
enum { FILTER_LEAST = 16 };

/* Room for so many members, their coarse paths and their heap. What was there is gone. */
static bool reserve(carom_cluster *c, uint64_t members) {
    const uint64_t bytes =
        members * (sizeof *c->m + sizeof *c->coarse + sizeof *c->heap + sizeof *c->place + sizeof *c->bystanders.slot);
    if (members >= CAROM_IMPACTS_SURFACE ||
        carom_buffer_reserve(c->window->memory, &c->own->adjacent.cluster, bytes) != CAROM_OK) {
        c->own->failed = true;
        return false;
    }
    c->coarse = c->own->adjacent.cluster.data;
    c->m = (carom_member *)(void *)(c->coarse + members);
    c->heap = (carom_heap_entry *)(void *)(c->m + members);
    c->place = (uint32_t *)(void *)(c->heap + members);
    c->bystanders.slot = c->place + members;
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

/* Members that a simulation has at most, with bystanders. */
static uint64_t members_of(const carom_cluster *c, uint32_t giant) {
    const carom_window *window = c->window;
    const carom_active *active = carom_window_active(window);
    uint64_t count = c->count;
    uint32_t entry = c->root;
    for (uint32_t n = 0; n < c->count && !window->bodies->all_movable; n++) {
        count += count_fixed(window, active[entry].slot);
        entry = carom_active_next(&active[entry]);
    }
    return giant == CAROM_IMPACTS_NONE ? count : count + carom_long_rows_count(window->rows, giant);
}

/* Counts the members, and finds the giant among dust: who has the longest row, if that is long. Its neighbours in the
 * group have it in their rows, so its own need not be walked for these. Returns its slot, or CAROM_IMPACTS_NONE. */
static uint32_t measure(carom_cluster *c) {
    const carom_window *window = c->window;
    const carom_active *active = carom_window_active(window);
    uint64_t longest = window->bodies->all_movable ? window->rows->long_above : UINT64_MAX;
    uint32_t giant = CAROM_IMPACTS_NONE;
    uint32_t entry = c->root;
    c->giant = CAROM_IMPACTS_NONE;
    c->count = 0;
    do {
        const uint64_t length = carom_row_length(window->rows, active[entry].slot);
        if (length > longest || (length == longest && giant != CAROM_IMPACTS_NONE && active[entry].slot < giant)) {
            longest = length;
            giant = active[entry].slot;
            c->giant = c->count;
        }
        c->count++;
        entry = carom_active_next(&active[entry]);
    } while (entry != c->root);
    return giant;
}

/* Makes the path of each member what it was when the window began. */
static void begin_paths(const carom_cluster *c) {
    const carom_window *window = c->window;
    uint32_t entry = c->root;
    for (uint32_t n = 0; n < c->count; n++) {
        carom_active *a = &carom_window_active(window)[entry];
        carom_paths_begin(window, a, c->worker);
        a->local = n;
        window->hulls->coarse[a->slot].group = c->root + 1;
        c->m[n] = (carom_member){.piece = window->bodies->piece[a->slot],
                                 .t = INFINITY,
                                 .k = UINT32_MAX,
                                 .partner = CAROM_IMPACTS_NONE,
                                 .entry = entry,
                                 .slot = a->slot,
                                 .number = window->bodies->number[a->slot],
                                 .deferral = {.list = CAROM_IMPACTS_NONE}};
        entry = carom_active_next(a);
    }
}

bool carom_cluster_gather(carom_cluster *c) {
    const uint32_t giant = measure(c);
    if (!reserve(c, members_of(c, giant))) {
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
                                  .partner = CAROM_IMPACTS_NONE,
                                  .entry = CAROM_IMPACTS_NONE,
                                  .slot = slot,
                                  .number = bodies->number[slot],
                                  .deferral = {.list = CAROM_IMPACTS_NONE}};
    return c->all++;
}

static void append(const carom_cluster *c, uint32_t other, uint32_t image) {
    const bool appended = carom_list_append(c->window->memory, &c->own->adjacent.other, &other, sizeof other) &&
                          carom_list_append(c->window->memory, &c->own->adjacent.image, &image, sizeof image);
    c->own->failed = c->own->failed || !appended;
}

/* What a row has for a member: surfaces, fixed bodies, and members of the group; CAROM_IMPACTS_NONE: nothing. */
static uint32_t adjacent_of(carom_cluster *c, const carom_row_walk *row) {
    if (carom_impacts_is_surface(row->other)) {
        return row->other;
    }
    if (carom_impacts_is_fixed(c->window->bodies, row->other)) {
        return add_fixed(c, row->other);
    }
    /* The coarse path's group may be being written by the worker that simulates that group. */
    const uint32_t entry = c->window->active_of[row->other];
    const carom_active *active = carom_window_active(c->window);
    return entry != CAROM_IMPACTS_NONE && active[entry].parent == c->root ? active[entry].local : CAROM_IMPACTS_NONE;
}

static void walk_row(carom_cluster *c, uint32_t n) {
    carom_row_walk row = carom_row_begin(c->window->rows, c->m[n].slot);
    while (carom_row_next(c->window->rows, &row)) {
        const uint32_t other = adjacent_of(c, &row);
        if (other != CAROM_IMPACTS_NONE) {
            append(c, other, row.image);
        }
    }
}

/* Surfaces come first in a row, but for extras. */
static void walk_surfaces(carom_cluster *c, uint32_t n) {
    carom_row_walk row = carom_row_begin(c->window->rows, c->m[n].slot);
    const uint64_t end = row.end;
    while (row.at < end && carom_impacts_is_surface(c->window->rows->other[row.at])) {
        append(c, c->window->rows->other[row.at++], CAROM_IMAGE_SELF);
    }
    row.at = end;
    while (carom_row_next(c->window->rows, &row)) {
        if (carom_impacts_is_surface(row.other)) {
            append(c, row.other, CAROM_IMAGE_SELF);
        }
    }
}

static uint32_t other_at(const carom_cluster *c, uint64_t at) {
    return ((const uint32_t *)c->own->adjacent.other.buffer.data)[at];
}

static uint32_t image_at(const carom_cluster *c, uint64_t at) {
    return ((const uint32_t *)c->own->adjacent.image.buffer.data)[at];
}

/* Lists the member that each fixed body may hit. */
static void find_opposite(const carom_cluster *c) {
    for (uint32_t n = 0; n < c->count && c->all > c->count; n++) {
        for (uint64_t at = c->m[n].begin; at < c->m[n].end && !c->own->failed; at++) {
            const uint32_t other = other_at(c, at);
            if (!carom_impacts_is_surface(other) && other >= c->count) {
                c->m[other].begin = c->own->adjacent.other.count;
                append(c, n, carom_image_opposite(image_at(c, at)));
                c->m[other].end = c->own->adjacent.other.count;
            }
        }
    }
}

/* Lists the members that list the giant. */
static void find_around(carom_cluster *c, uint32_t giant) {
    const uint64_t count = c->own->adjacent.other.count;
    uint32_t n = 0;
    c->m[giant].begin = count;
    walk_surfaces(c, giant);
    for (uint64_t at = 0; at < count && !c->own->failed; at++) {
        while (n == giant || at >= c->m[n].end) {
            n++;
        }
        if (other_at(c, at) == giant) {
            append(c, n, carom_image_opposite(image_at(c, at)));
        }
    }
    c->m[giant].end = c->own->adjacent.other.count;
}

static uint64_t degree(const carom_member *m) {
    return m->end - m->begin;
}

/* Whether the pair with what is in the list at `at` is the member's own. */
static bool owns(const carom_cluster *c, const carom_member *m, uint64_t at) {
    const uint32_t other = other_at(c, at);
    if (carom_impacts_is_surface(other)) {
        return true;
    }
    const carom_member *o = &c->m[other];
    return degree(m) != degree(o) ? degree(m) < degree(o) : m->number < o->number;
}

static bool is_unmoved(const carom_cluster *c, const carom_member *m, uint64_t at) {
    (void)m;
    return image_at(c, at) == CAROM_IMAGE_SELF;
}

/* Brings those of [begin, end) that pass a test to the front; returns where they end. */
static uint64_t divide(const carom_cluster *c, const carom_member *m, uint64_t begin, uint64_t end,
                       bool passes(const carom_cluster *c, const carom_member *m, uint64_t at)) {
    uint32_t *other = c->own->adjacent.other.buffer.data;
    uint32_t *image = c->own->adjacent.image.buffer.data;
    uint64_t front = begin;
    for (uint64_t at = begin; at < end; at++) {
        if (passes(c, m, at)) {
            const uint32_t kept[2] = {other[front], image[front]};
            other[front] = other[at];
            image[front++] = image[at];
            other[at] = kept[0];
            image[at] = kept[1];
        }
    }
    return front;
}

static void divide_all(carom_cluster *c) {
    for (uint32_t n = 0; n < c->all; n++) {
        carom_member *m = &c->m[n];
        m->others = m->rest = divide(c, m, m->begin, m->end, owns);
        if (m->end - m->others >= FILTER_LEAST || n == c->giant) {
            m->rest = divide(c, m, m->others, m->end, is_unmoved);
            c->filtered = true;
        }
    }
}

static void find_coarse(const carom_cluster *c) {
    for (uint32_t n = 0; n < c->all && c->filtered; n++) {
        c->coarse[n] = c->window->hulls->coarse[c->m[n].slot];
        c->coarse[n].group = 0;
    }
}

bool carom_cluster_stopped(const carom_cluster *c, uint64_t count) {
    carom_control *control = c->window->control;
    return control != NULL && (count % LOOK == LOOK - 1 ? carom_control_look(control) : carom_control_stopped(control));
}

void carom_cluster_find_adjacent(carom_cluster *c) {
    carom_list *list = &c->own->adjacent.other;
    list->count = c->own->adjacent.image.count = 0;
    c->own->adjacent.instant.count = c->own->adjacent.column.count = 0;
    c->all = c->count;
    for (uint32_t n = 0; n < c->count && !carom_cluster_stopped(c, n); n++) {
        c->m[n].begin = list->count;
        if (n != c->giant) {
            walk_row(c, n);
        }
        c->m[n].end = list->count;
    }
    if (c->giant != CAROM_IMPACTS_NONE) {
        find_around(c, c->giant);
    }
    find_opposite(c);
    if (!c->own->failed && !carom_control_stopped(c->window->control)) {
        divide_all(c);
        find_coarse(c);
    }
    c->other = list->buffer.data;
    c->image = c->own->adjacent.image.buffer.data;
}
