/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: bodies that collide. Out: groups. */
#include "kernel/impacts/window.h"

#include <math.h>

uint32_t carom_window_root(const carom_window *window, uint32_t entry) {
    carom_active *active = carom_window_active(window);
    while (active[entry].parent != entry) {
        active[entry].parent = active[active[entry].parent].parent;
        entry = active[entry].parent;
    }
    return entry;
}

bool carom_window_reserve(carom_window *window, uint64_t entries) {
    if (!carom_list_reserve(window->memory, &window->active, entries, sizeof(carom_active)) ||
        !carom_list_reserve(window->memory, &window->dirty, entries, sizeof(uint32_t)) ||
        !carom_list_reserve(window->memory, &window->sets.united, entries, sizeof(carom_union_find_parent))) {
        return false;
    }
    window->active.count += entries;
    return true;
}

/* Each field is written where it stays: a copy of an entry that has just been made waits until its stores are done. */
static void begin_entry(const carom_window *window, uint32_t entry, uint32_t slot, bool dirty) {
    carom_active *a = &carom_window_active(window)[entry];
    a->slot = slot;
    a->parent = entry;
    atomic_store_explicit(&a->next, entry, memory_order_relaxed);
    a->worker = 0;
    a->first = a->last = a->escape = CAROM_IMPACTS_NONE;
    a->moment = a->local = a->events = a->round = 0;
    a->dirty = dirty;
    a->verified = a->joined = a->seen = false;
    a->at_once = 0;
    atomic_store_explicit(&a->row, window->rows->longs.count > 0 ? carom_row_size(window->rows, slot) : 0,
                          memory_order_relaxed);
    atomic_store_explicit(&a->t, NAN, memory_order_relaxed);
    a->event = 0;
    window->active_of[slot] = entry;
}

void carom_window_begin_entry(const carom_window *window, uint32_t entry, uint32_t slot) {
    begin_entry(window, entry, slot, true);
}

/* The entry of a body, which gets a group of its own if it has none. CAROM_IMPACTS_NONE if there is no memory. */
static uint32_t activate(carom_window *window, uint32_t slot) {
    if (window->active_of[slot] != CAROM_IMPACTS_NONE) {
        return window->active_of[slot];
    }
    const uint32_t entry = (uint32_t)window->active.count;
    if (carom_list_add(window->memory, &window->active, sizeof(carom_active)) == NULL) {
        window->failed = true;
        return CAROM_IMPACTS_NONE;
    }
    begin_entry(window, entry, slot, false);
    return entry;
}

static void make_dirty(carom_window *window, uint32_t root) {
    carom_active *group = &carom_window_active(window)[root];
    if (!group->dirty) {
        group->dirty = carom_list_append(window->memory, &window->dirty, &root, sizeof root);
        window->failed = window->failed || !group->dirty;
    }
}

void carom_window_touch(carom_window *window, uint32_t slot) {
    const uint32_t entry = activate(window, slot);
    if (entry != CAROM_IMPACTS_NONE) {
        make_dirty(window, carom_window_root(window, entry));
    }
}

uint32_t carom_window_unite(carom_window *window, uint32_t slot_a, uint32_t slot_b) {
    const uint32_t entry_a = activate(window, slot_a);
    const uint32_t entry_b = activate(window, slot_b);
    if (window->failed) {
        return CAROM_IMPACTS_NONE;
    }
    carom_active *active = carom_window_active(window);
    const uint32_t root_a = carom_window_root(window, entry_a);
    const uint32_t root_b = carom_window_root(window, entry_b);
    const uint32_t root = root_a < root_b ? root_a : root_b;
    const uint32_t other = root_a < root_b ? root_b : root_a;
    if (root != other) {
        const uint32_t next = carom_active_next(&active[root]);
        atomic_store_explicit(&active[root].next, carom_active_next(&active[other]), memory_order_relaxed);
        atomic_store_explicit(&active[other].next, next, memory_order_relaxed);
        active[other].parent = root;
        active[root].verified = active[root].verified || active[other].verified;
        carom_window_note_row(&active[root], &active[other]);
    }
    make_dirty(window, root);
    return root;
}

carom_active *carom_window_adopt(carom_window *window, uint32_t slot, uint32_t root) {
    const uint32_t entry = activate(window, slot);
    if (entry == CAROM_IMPACTS_NONE) {
        return NULL;
    }
    carom_active *active = carom_window_active(window);
    active[entry].parent = root;
    atomic_store_explicit(&active[entry].next, carom_active_next(&active[root]), memory_order_relaxed);
    atomic_store_explicit(&active[root].next, entry, memory_order_relaxed);
    window->hulls->coarse[slot].group = root + 1;
    return &active[entry];
}

static bool in_one_group(const carom_window *window, uint32_t slot_a, uint32_t slot_b) {
    const uint32_t entry_a = window->active_of[slot_a];
    const uint32_t entry_b = window->active_of[slot_b];
    return entry_a != CAROM_IMPACTS_NONE && entry_b != CAROM_IMPACTS_NONE &&
           carom_window_root(window, entry_a) == carom_window_root(window, entry_b);
}

/* Unites the body with the neighbours that are not in its group, and appends them to the front. */
static void unite_neighbours(carom_window *window, uint32_t slot, uint64_t count) {
    carom_row_walk row = carom_row_begin(window->rows, slot);
    while (window->front.count <= count && !window->failed && carom_row_next(window->rows, &row)) {
        const uint32_t other = row.other;
        if (carom_window_is_member(window, other) && !in_one_group(window, slot, other)) {
            (void)carom_window_unite(window, slot, other);
            window->failed = window->failed || !carom_list_append(window->memory, &window->front, &other, sizeof other);
        }
    }
}

void carom_window_unite_around(carom_window *window, uint32_t slot, uint64_t count) {
    window->front.count = 0;
    window->failed = window->failed || !carom_list_append(window->memory, &window->front, &slot, sizeof slot);
    for (uint64_t n = 0; n < window->front.count && !window->failed; n++) {
        unite_neighbours(window, ((const uint32_t *)window->front.buffer.data)[n], count);
    }
}

void carom_window_flatten(carom_window *window) {
    carom_active *active = carom_window_active(window);
    uint32_t *dirty = window->dirty.buffer.data;
    uint64_t roots = 0;
    for (uint64_t n = 0; n < window->dirty.count; n++) {
        const uint32_t root = dirty[n];
        if (active[root].parent != root) {
            continue;
        }
        for (uint32_t entry = carom_active_next(&active[root]); entry != root;
             entry = carom_active_next(&active[entry])) {
            active[entry].parent = root;
        }
        dirty[roots++] = root;
    }
    window->dirty.count = roots;
}
