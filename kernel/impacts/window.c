/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: bodies and impacts. Out: groups, paths and notes of later impacts. */
#include "kernel/impacts/window.h"

#include "kernel/check/assert.h"

uint32_t carom_window_root(const carom_window *window, uint32_t entry) {
    carom_active *active = carom_window_active(window);
    while (active[entry].parent != entry) {
        active[entry].parent = active[active[entry].parent].parent;
        entry = active[entry].parent;
    }
    return entry;
}

uint32_t carom_window_activate(carom_window *window, uint32_t slot) {
    if (window->active_of[slot] != CAROM_IMPACTS_NONE) {
        return window->active_of[slot];
    }
    if (!carom_list_reserve(window->memory, &window->active, 1, sizeof(carom_active))) {
        window->failed = true;
        return CAROM_IMPACTS_NONE;
    }
    const uint32_t entry = (uint32_t)window->active.count++;
    carom_window_active(window)[entry] = (carom_active){.slot = slot, .parent = entry, .next = entry};
    window->active_of[slot] = entry;
    carom_window_restart(window, entry);
    return entry;
}

static void make_dirty(carom_window *window, uint32_t root) {
    carom_active *group = &carom_window_active(window)[root];
    if (group->dirty) {
        return;
    }
    if (!carom_list_reserve(window->memory, &window->dirty, 1, sizeof(uint32_t))) {
        window->failed = true;
        return;
    }
    group->dirty = true;
    ((uint32_t *)window->dirty.buffer.data)[window->dirty.count++] = root;
}

void carom_window_touch(carom_window *window, uint32_t slot) {
    const uint32_t entry = carom_window_activate(window, slot);
    if (entry != CAROM_IMPACTS_NONE) {
        make_dirty(window, carom_window_root(window, entry));
    }
}

void carom_window_unite(carom_window *window, uint32_t slot_a, uint32_t slot_b) {
    const uint32_t entry_a = carom_window_activate(window, slot_a);
    const uint32_t entry_b = carom_window_activate(window, slot_b);
    if (window->failed) {
        return;
    }
    carom_active *active = carom_window_active(window);
    const uint32_t root_a = carom_window_root(window, entry_a);
    const uint32_t root_b = carom_window_root(window, entry_b);
    const uint32_t root = root_a < root_b ? root_a : root_b;
    const uint32_t other = root_a < root_b ? root_b : root_a;
    if (root != other) {
        const uint32_t next = active[root].next;
        active[root].next = active[other].next;
        active[other].next = next;
        active[other].parent = root;
        active[root].again = active[root].again || active[other].again;
    }
    make_dirty(window, root);
}

void carom_window_note(carom_window *window, uint32_t a, uint32_t b, double t) {
    CAROM_ASSERT(t >= window->begin && t < 1.0);
    carom_list *list = &window->pending[(uint32_t)(t * window->windows)];
    if (!carom_list_reserve(window->memory, list, 1, sizeof(carom_pending))) {
        window->failed = true;
        return;
    }
    ((carom_pending *)list->buffer.data)[list->count++] = (carom_pending){a, b};
}

static uint32_t push_piece(carom_window *window, const carom_piece *piece) {
    if (window->path.count == CAROM_IMPACTS_NONE ||
        !carom_list_reserve(window->memory, &window->path, 1, sizeof(carom_path_piece))) {
        window->failed = true;
        return CAROM_IMPACTS_NONE;
    }
    const uint32_t n = (uint32_t)window->path.count++;
    carom_window_path(window)[n] = (carom_path_piece){*piece, CAROM_IMPACTS_NONE};
    return n;
}

void carom_window_restart(carom_window *window, uint32_t entry) {
    carom_active *a = &carom_window_active(window)[entry];
    a->first = push_piece(window, &window->bodies->piece[a->slot]);
    a->last = a->first;
}

void carom_window_append(carom_window *window, uint32_t entry, const carom_piece *piece) {
    carom_active *a = &carom_window_active(window)[entry];
    const uint32_t n = push_piece(window, piece);
    if (n != CAROM_IMPACTS_NONE) {
        carom_window_path(window)[a->last].next = n;
        a->last = n;
    }
}
