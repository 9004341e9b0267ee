/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a group with a giant. Out: bodies around it that join the group. */
#include "kernel/impacts/bystanders.h"

#include <math.h>
#include <string.h>

#include "kernel/impacts/long_rows.h"
#include "kernel/impacts/paths.h"

/* Entries ahead whose bodies are fetched. */
enum { AHEAD = 16 };

/* Joined bodies of a group, beyond which one that joins is not looked for among them: the group then runs again. */
enum { JOINED_MOST = 256 };

static inline __attribute__((always_inline)) void fetch(const carom_window *window, uint32_t other) {
    if (!carom_impacts_is_surface(other)) {
        __builtin_prefetch(&window->active_of[other]);
        __builtin_prefetch(&window->hulls->coarse[other]);
    }
}

/* Whether an entry of the giant's row is a body in no group, at no image but itself. */
static bool is_bystander(const carom_window *window, const carom_row_walk *row) {
    return !carom_impacts_is_surface(row->other) && row->image == CAROM_IMAGE_SELF &&
           window->active_of[row->other] == CAROM_IMPACTS_NONE;
}

/* Room for so many more entries of lists. */
static bool reserve(const carom_cluster *c, uint64_t more) {
    c->own->failed = c->own->failed ||
                     !carom_list_reserve(c->window->memory, &c->own->adjacent.other, more, sizeof(uint32_t)) ||
                     !carom_list_reserve(c->window->memory, &c->own->adjacent.image, more, sizeof(uint32_t));
    return !c->own->failed;
}

/* Where there is room. */
static void append(const carom_cluster *c, uint32_t other, uint32_t image) {
    carom_adjacency *adjacent = &c->own->adjacent;
    ((uint32_t *)adjacent->other.buffer.data)[adjacent->other.count++] = other;
    ((uint32_t *)adjacent->image.buffer.data)[adjacent->image.count++] = image;
}

static void add(carom_cluster *c, uint32_t slot) {
    const uint32_t n = c->all + c->bystanders.count;
    c->bystanders.slot[c->bystanders.count++] = slot;
    c->place[n] = CAROM_IMPACTS_NONE;
    c->coarse[n] = c->window->hulls->coarse[slot];
    append(c, n, CAROM_IMAGE_SELF);
}

/* Lists the bystanders behind all else that the giant may hit. */
static void list_all(carom_cluster *c) {
    const carom_impacts_rows *rows = c->window->rows;
    const uint32_t slot = c->m[c->giant].slot;
    carom_row_walk row = carom_long_rows_begin(rows, slot);
    if (!reserve(c, carom_long_rows_count(rows, slot) + 1)) {
        return;
    }
    while (carom_row_next(rows, &row)) {
        fetch(c->window, row.at + AHEAD < row.end ? rows->other[row.at + AHEAD] : row.other);
        if (is_bystander(c->window, &row)) {
            add(c, row.other);
        }
    }
    c->m[c->giant].end = c->own->adjacent.other.count;
}

/* What is at other images, which the kernel does not test, changes places with the last of the bystanders. */
static void put_images_last(const carom_cluster *c) {
    carom_member *m = &c->m[c->giant];
    uint32_t *other = c->own->adjacent.other.buffer.data;
    uint32_t *image = c->own->adjacent.image.buffer.data;
    const uint64_t images = m->end - m->rest - c->bystanders.count;
    const uint64_t some = images < c->bystanders.count ? images : c->bystanders.count;
    for (uint64_t n = 0; n < some; n++) {
        const uint64_t first = m->rest + n;
        const uint64_t last = m->end - 1 - n;
        const uint32_t kept[2] = {other[first], image[first]};
        other[first] = other[last];
        image[first] = image[last];
        other[last] = kept[0];
        image[last] = kept[1];
    }
    m->rest += c->bystanders.count;
}

static void note_lists(carom_cluster *c) {
    c->other = c->own->adjacent.other.buffer.data;
    c->image = c->own->adjacent.image.buffer.data;
}

void carom_bystanders_list(carom_cluster *c) {
    if (c->giant == CAROM_IMPACTS_NONE || c->own->failed || carom_control_stopped(c->window->control)) {
        return;
    }
    list_all(c);
    if (!c->own->failed) {
        put_images_last(c);
        c->bystanders.list = c->own->adjacent.other.count;
        append(c, c->giant, CAROM_IMAGE_SELF);
    }
    note_lists(c);
}

static bool is_loaded(const carom_cluster *c, uint32_t n) {
    return n < c->all || c->place[n] != CAROM_IMPACTS_NONE;
}

/* One that hits nothing may be the last of the heap: nothing comes after it. */
void carom_bystanders_load(carom_cluster *c, uint32_t n) {
    if (is_loaded(c, n)) {
        return;
    }
    const carom_impacts_bodies *bodies = c->window->bodies;
    const uint32_t slot = c->bystanders.slot[n - c->all];
    c->m[n] = (carom_member){.piece = bodies->piece[slot],
                             .t = INFINITY,
                             .i = UINT32_MAX,
                             .k = UINT32_MAX,
                             .partner = CAROM_IMPACTS_NONE,
                             .entry = CAROM_IMPACTS_NONE,
                             .slot = slot,
                             .number = bodies->number[slot],
                             .begin = c->bystanders.list,
                             .others = c->bystanders.list + 1,
                             .rest = c->bystanders.list + 1,
                             .end = c->bystanders.list + 1,
                             .deferral = {.list = CAROM_IMPACTS_NONE}};
    c->place[n] = c->heaped;
    c->heap[c->heaped++] = (carom_heap_entry){INFINITY, UINT32_MAX, UINT32_MAX, n};
}

uint32_t carom_bystanders_number(const carom_cluster *c, uint32_t n) {
    return is_loaded(c, n) ? c->m[n].number : c->window->bodies->number[c->bystanders.slot[n - c->all]];
}

static carom_joined *joined_of(const carom_cluster *c) {
    return c->own->path.joined.buffer.data;
}

carom_active *carom_bystanders_active(const carom_cluster *c, uint32_t n) {
    return n < c->all ? &carom_window_active(c->window)[c->m[n].entry] : &joined_of(c)[c->m[n].entry].active;
}

carom_response_side carom_bystanders_side(const carom_cluster *c, uint32_t n) {
    carom_member *m = &c->m[n];
    carom_response_side side = carom_impacts_side(c->window->bodies, m->slot, &m->piece);
    if (n >= c->all) {
        side.kept = joined_of(c)[m->entry].kept;
    }
    return side;
}

static bool has_joined(const carom_cluster *c, uint32_t slot) {
    const carom_joined *joined = joined_of(c);
    bool found = false;
    for (uint64_t n = c->bystanders.joined; n < c->own->path.joined.count && !found; n++) {
        found = joined[n].active.slot == slot;
    }
    return found;
}

static bool is_in_group(const carom_cluster *c, uint32_t slot) {
    const uint32_t entry = c->window->active_of[slot];
    return (entry != CAROM_IMPACTS_NONE && carom_window_active(c->window)[entry].parent == c->root) ||
           has_joined(c, slot);
}

/* What it may hit is the giant and, from now on, surfaces. */
static void list_surface(carom_cluster *c, carom_member *m, uint32_t surface) {
    if (!reserve(c, 2)) {
        return;
    }
    if (m->begin == c->bystanders.list) {
        m->begin = c->own->adjacent.other.count;
        append(c, c->giant, CAROM_IMAGE_SELF);
    }
    append(c, surface, CAROM_IMAGE_SELF);
    m->others = m->rest = m->end = c->own->adjacent.other.count;
    note_lists(c);
}

/* What a row has for one that joins. Until then it was tested against the giant alone: if another of the group is near,
 * the two may have met. */
static void meet_neighbour(carom_cluster *c, carom_member *m, const carom_row_walk *row) {
    if (carom_impacts_is_surface(row->other)) {
        list_surface(c, m, row->other);
    } else if (row->other != c->m[c->giant].slot || row->image != CAROM_IMAGE_SELF) {
        c->bystanders.missed = c->bystanders.missed || is_in_group(c, row->other);
    }
}

void carom_bystanders_join(carom_cluster *c, uint32_t n) {
    carom_member *m = &c->m[n];
    if (n < c->all || m->entry != CAROM_IMPACTS_NONE) {
        return;
    }
    carom_joined *joined = carom_list_add(c->window->memory, &c->own->path.joined, sizeof *joined);
    if (joined == NULL) {
        c->own->failed = true;
        return;
    }
    joined->root = c->root;
    joined->giant = c->m[c->giant].slot;
    memcpy(joined->kept, c->window->bodies->kept[m->slot], sizeof joined->kept);
    joined->active = (carom_active){.slot = m->slot,
                                    .worker = c->worker,
                                    .first = CAROM_IMPACTS_NONE,
                                    .last = CAROM_IMPACTS_NONE,
                                    .escape = CAROM_IMPACTS_NONE,
                                    .local = n};
    m->entry = (uint32_t)c->own->path.joined.count - 1;
    c->bystanders.missed = c->bystanders.missed || c->own->path.joined.count - c->bystanders.joined > JOINED_MOST;
    carom_row_walk row = carom_row_begin(c->window->rows, m->slot);
    while (!c->bystanders.missed && carom_row_next(c->window->rows, &row)) {
        meet_neighbour(c, m, &row);
    }
}

static void note_meeting(const carom_window *window, carom_impacts_worker *own, uint32_t giant, uint32_t slot) {
    const carom_contact_pair pair = {giant, slot, CAROM_IMAGE_SELF};
    own->failed = own->failed || !carom_list_append(window->memory, &own->meeting, &pair, sizeof pair);
}

void carom_bystanders_end(const carom_cluster *c) {
    if (c->giant != CAROM_IMPACTS_NONE) {
        carom_window_active(c->window)[c->m[c->giant].entry].seen = true;
    }
    if (c->bystanders.missed) {
        note_meeting(c->window, c->own, c->m[c->giant].slot, joined_of(c)[c->bystanders.joined].active.slot);
    }
}

/* What a simulation gave the body becomes that of its entry. */
static void adopt(carom_window *window, const carom_joined *joined) {
    carom_active *a = carom_window_adopt(window, joined->active.slot, joined->root);
    if (a == NULL) {
        return;
    }
    a->worker = joined->active.worker;
    a->first = joined->active.first;
    a->last = joined->active.last;
    a->moment = joined->active.moment;
    memcpy(window->bodies->kept[a->slot], joined->kept, sizeof joined->kept);
    const carom_path_piece *path = carom_window_path(window, a->worker);
    for (uint32_t n = a->first; n != CAROM_IMPACTS_NONE; n = path[n].next) {
        carom_paths_check(window, a, &path[n].piece);
    }
}

/* In active_of while bodies that have joined are counted: they have joined one group, or several. */
static const uint32_t ONCE = UINT32_MAX - 1;
static const uint32_t TWICE = UINT32_MAX - 2;

static void count_joined(carom_window *window, carom_impacts_worker *own, const carom_joined *joined) {
    uint32_t *entry = &window->active_of[joined->active.slot];
    (void)own;
    *entry = *entry == CAROM_IMPACTS_NONE ? ONCE : TWICE;
}

/* Which group would have it if several did must not depend on which was simulated first: so they meet. */
static void settle(carom_window *window, carom_impacts_worker *own, const carom_joined *joined) {
    uint32_t *entry = &window->active_of[joined->active.slot];
    if (*entry == TWICE) {
        note_meeting(window, own, joined->giant, joined->active.slot);
    } else {
        *entry = CAROM_IMPACTS_NONE;
        adopt(window, joined);
    }
}

static void clear(carom_window *window, carom_impacts_worker *own, const carom_joined *joined) {
    uint32_t *entry = &window->active_of[joined->active.slot];
    (void)own;
    *entry = *entry == TWICE ? CAROM_IMPACTS_NONE : *entry;
}

/* Calls a function for each body that has joined a group. */
static void for_each(carom_window *window, uint32_t workers,
                     void run(carom_window *window, carom_impacts_worker *own, const carom_joined *joined)) {
    for (uint32_t w = 0; w < workers; w++) {
        carom_impacts_worker *own = &window->worker[w];
        for (uint64_t n = 0; n < own->path.joined.count; n++) {
            run(window, own, (const carom_joined *)own->path.joined.buffer.data + n);
        }
    }
}

uint64_t carom_bystanders_settle(carom_window *window, uint32_t workers) {
    const uint64_t entries = window->active.count;
    for_each(window, workers, count_joined);
    for_each(window, workers, settle);
    for_each(window, workers, clear);
    for (uint32_t w = 0; w < workers; w++) {
        window->worker[w].path.joined.count = 0;
    }
    return window->active.count - entries;
}
