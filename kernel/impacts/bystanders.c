/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a group with a giant. Out: bodies around it that join the group. */
#include "kernel/impacts/bystanders.h"

#include <math.h>

#include "kernel/impacts/long_rows.h"

/* Entries ahead whose bodies are fetched. */
enum { AHEAD = 16 };

/* Joined bodies of a group, beyond which one that joins is not looked for among them. */
enum { JOINED_MOST = 256 };

static inline __attribute__((always_inline)) void fetch(const carom_window *window, uint32_t other) {
    if (!carom_impacts_is_surface(other)) {
        __builtin_prefetch(&window->active_of[other]);
        __builtin_prefetch(&window->hulls->coarse[other]);
    }
}

/* Entries of a row that are bodies at no image but themselves. */
static bool is_body(const carom_impacts_rows *rows, uint64_t at) {
    return !carom_impacts_is_surface(rows->other[at]) && (rows->image == NULL || rows->image[at] == CAROM_IMAGE_SELF);
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

/* Lists the bystanders behind all else that the giant may hit. */
static void list_all(carom_cluster *c) {
    const carom_window *window = c->window;
    const carom_impacts_rows *rows = window->rows;
    const uint32_t slot = c->m[c->giant].slot;
    const uint64_t end = carom_long_rows_end(rows, slot);
    if (!reserve(c, end - rows->head[slot].start + 1)) {
        return;
    }
    for (uint64_t at = rows->head[slot].start; at < end; at++) {
        fetch(window, rows->other[at + AHEAD < end ? at + AHEAD : at]);
        if (is_body(rows, at) && window->active_of[rows->other[at]] == CAROM_IMPACTS_NONE) {
            const uint32_t n = c->all + c->bystanders.count;
            c->bystanders.slot[c->bystanders.count++] = rows->other[at];
            c->place[n] = CAROM_IMPACTS_NONE;
            c->coarse[n] = window->hulls->coarse[rows->other[at]];
            append(c, n, CAROM_IMAGE_SELF);
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

/* One that hits nothing may be the last of the heap, wherever that is. */
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

/* Lets a member's list, which moves to the end of all, have one more. */
static void extend(carom_cluster *c, uint32_t n, bool own, uint32_t other, uint32_t image) {
    carom_member *m = &c->m[n];
    const carom_member was = *m;
    if (!reserve(c, was.end - was.begin + 1)) {
        return;
    }
    note_lists(c);
    m->begin = c->own->adjacent.other.count;
    for (uint64_t at = was.begin; at < was.others; at++) {
        append(c, c->other[at], c->image[at]);
    }
    if (own) {
        append(c, other, image);
    }
    m->others = c->own->adjacent.other.count;
    m->rest = m->others + (was.rest - was.others);
    for (uint64_t at = was.others; at < was.end; at++) {
        append(c, c->other[at], c->image[at]);
    }
    if (!own) {
        append(c, other, image);
    }
    m->end = c->own->adjacent.other.count;
}

static bool has_joined(const carom_cluster *c, uint32_t slot) {
    const carom_joined *joined = joined_of(c);
    bool found = false;
    for (uint64_t n = c->bystanders.joined; n < c->own->path.joined.count && !found; n++) {
        found = joined[n].active.slot == slot;
    }
    return found;
}

/* The group's member in a slot, or CAROM_IMPACTS_NONE. */
static uint32_t member_of(const carom_cluster *c, uint32_t slot) {
    const uint32_t entry = c->window->active_of[slot];
    const carom_active *active = carom_window_active(c->window);
    return entry != CAROM_IMPACTS_NONE && active[entry].parent == c->root ? active[entry].local : CAROM_IMPACTS_NONE;
}

/* What a row has for one that joins. So far the two have not been held against each other, but as pieces with which the
 * window begins: if the other has changed, it may have met this one. */
static void meet_neighbour(carom_cluster *c, uint32_t n, const carom_row_walk *row) {
    if (carom_impacts_is_surface(row->other)) {
        extend(c, n, true, row->other, CAROM_IMAGE_SELF);
        return;
    }
    const uint32_t other = member_of(c, row->other);
    if (other == CAROM_IMPACTS_NONE) {
        c->bystanders.missed = c->bystanders.missed || has_joined(c, row->other);
    } else if (other != c->giant || row->image != CAROM_IMAGE_SELF) {
        c->bystanders.missed = c->bystanders.missed || carom_bystanders_active(c, other)->first != CAROM_IMPACTS_NONE;
        extend(c, n, true, other, row->image);
        extend(c, other, false, n, carom_image_opposite(row->image));
    }
}

/* Makes the body the group's, if no other group has it. */
static bool claim(const carom_window *window, uint32_t slot) {
    const uint64_t bit = UINT64_C(1) << slot % 64;
    return (atomic_fetch_or_explicit(&window->sets.due[slot / 64], bit, memory_order_relaxed) & bit) == 0;
}

static void join(carom_cluster *c, uint32_t n) {
    carom_member *m = &c->m[n];
    carom_joined *joined = carom_list_add(c->window->memory, &c->own->path.joined, sizeof *joined);
    if (joined == NULL) {
        c->own->failed = true;
        return;
    }
    joined->root = c->root;
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
        meet_neighbour(c, n, &row);
    }
}

static void note_meeting(const carom_cluster *c, uint32_t slot) {
    const carom_contact_pair pair = {c->m[c->giant].slot, slot, CAROM_IMAGE_SELF};
    const bool noted = carom_list_append(c->window->memory, &c->own->meeting, &pair, sizeof pair);
    c->own->failed = c->own->failed || !noted;
}

/* Memory gives out before the claim, or the body is in the list of those whose claims end. */
bool carom_bystanders_may_collide(carom_cluster *c, uint32_t n) {
    if (n < c->all || c->m[n].entry != CAROM_IMPACTS_NONE) {
        return true;
    }
    if (!carom_list_reserve(c->window->memory, &c->own->path.joined, 1, sizeof(carom_joined))) {
        c->own->failed = true;
        return false;
    }
    if (!claim(c->window, c->m[n].slot)) {
        note_meeting(c, c->m[n].slot);
        return false;
    }
    join(c, n);
    return !c->own->failed;
}

void carom_bystanders_end(const carom_cluster *c) {
    if (c->giant != CAROM_IMPACTS_NONE) {
        carom_bystanders_active(c, c->giant)->seen = true;
    }
    if (c->bystanders.missed) {
        note_meeting(c, joined_of(c)[c->bystanders.joined].active.slot);
    }
}

/* What a simulation gave the body becomes that of its entry. */
static void settle(carom_window *window, const carom_active *joined, uint32_t root) {
    carom_active *a = carom_window_adopt(window, joined->slot, root);
    if (a != NULL) {
        a->worker = joined->worker;
        a->first = joined->first;
        a->last = joined->last;
        a->moment = joined->moment;
        a->escape = joined->escape;
    }
}

static void end_claim(const carom_window *window, uint32_t slot) {
    _Atomic uint64_t *word = &window->sets.due[slot / 64];
    const uint64_t bits = atomic_load_explicit(word, memory_order_relaxed);
    atomic_store_explicit(word, bits & ~(UINT64_C(1) << slot % 64), memory_order_relaxed);
}

void carom_bystanders_settle(carom_window *window, uint32_t workers, bool count) {
    for (uint32_t w = 0; w < workers; w++) {
        carom_impacts_worker *own = &window->worker[w];
        const carom_joined *joined = own->path.joined.buffer.data;
        for (uint64_t n = 0; n < own->path.joined.count; n++) {
            end_claim(window, joined[n].active.slot);
            if (count && !window->failed) {
                settle(window, &joined[n].active, joined[n].root);
            }
        }
        own->path.joined.count = 0;
    }
}
