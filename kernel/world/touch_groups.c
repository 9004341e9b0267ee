/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: touches. Out: who takes part in any, in groups. */
#include "kernel/world/touch_groups.h"

#include <string.h>

/* Union-find in which lower members are nearer to the root: the root is the first of its group. */
typedef struct link {
    uint32_t parent;
    int64_t offset[3]; /* from the parent, in edges of the box */
} link;

/* Sets the bits of bodies that touch. */
static void mark(const carom_touch_groups *groups, carom_control *control, const carom_impacts_event *event,
                 uint64_t count) {
    uint64_t *touch = groups->touch.data;
    for (uint64_t n = 0; n < count && carom_control_goes_on(control, n); n++) {
        touch[event[n].i / 64] |= UINT64_C(1) << event[n].i % 64;
        touch[event[n].k / 64] |= UINT64_C(1) << event[n].k % 64;
    }
}

/* Counts members. */
static uint32_t number_members(const carom_touch_groups *groups, uint64_t words) {
    const uint64_t *touch = groups->touch.data;
    uint32_t *before = groups->before.data;
    uint32_t count = 0;
    for (uint64_t w = 0; w < words; w++) {
        before[w] = count;
        count += (uint32_t)__builtin_popcountll(touch[w]);
    }
    return count;
}

static void list_members(const carom_touch_groups *groups, uint64_t words) {
    const uint64_t *touch = groups->touch.data;
    uint32_t *body = groups->body.data;
    link *links = groups->link.data;
    uint32_t member = 0;
    for (uint64_t w = 0; w < words; w++) {
        for (uint64_t left = touch[w]; left != 0; left &= left - 1) {
            body[member] = (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(left);
            links[member] = (link){.parent = member};
            member++;
        }
    }
}

/* The member that a body is. */
static uint32_t member_of(const carom_touch_groups *groups, uint32_t body) {
    const uint64_t word = ((const uint64_t *)groups->touch.data)[body / 64];
    const uint64_t lower = word & ((UINT64_C(1) << body % 64) - 1);
    return ((const uint32_t *)groups->before.data)[body / 64] + (uint32_t)__builtin_popcountll(lower);
}

carom_touch_place carom_touch_groups_place(const carom_touch_groups *groups, uint32_t member) {
    link *links = groups->link.data;
    carom_touch_place place = {.root = member};
    while (links[place.root].parent != place.root) {
        link *l = &links[place.root];
        const link *parent = &links[l->parent];
        for (int a = 0; a < 3; a++) {
            l->offset[a] += parent->parent != l->parent ? parent->offset[a] : 0;
            place.offset[a] += l->offset[a];
        }
        l->parent = parent->parent;
        place.root = l->parent;
    }
    return place;
}

static void unite(const carom_touch_groups *groups, const carom_impacts_event *event) {
    const carom_touch_place i = carom_touch_groups_place(groups, member_of(groups, event->i));
    const carom_touch_place k = carom_touch_groups_place(groups, member_of(groups, event->k));
    if (i.root == k.root) {
        return;
    }
    const bool i_first = i.root < k.root;
    link *joining = (link *)groups->link.data + (i_first ? k.root : i.root);
    joining->parent = i_first ? i.root : k.root;
    for (int a = 0; a < 3; a++) {
        const int64_t between = i.offset[a] + event->shift[a] - k.offset[a]; /* from i's root to k's */
        joining->offset[a] = i_first ? between : -between;
    }
}

bool carom_touch_groups_make(carom_touch_groups *groups, carom_memory *memory, carom_control *control, uint32_t bodies,
                             const carom_list *events) {
    const carom_impacts_event *event = events->buffer.data;
    const uint64_t words = events->count > 0 ? carom_window_words(bodies) : 0;
    groups->count = 0;
    if (carom_buffer_reserve(memory, &groups->touch, words * sizeof(uint64_t)) != CAROM_OK ||
        carom_buffer_reserve(memory, &groups->before, words * sizeof(uint32_t)) != CAROM_OK) {
        return false;
    }
    if (words > 0) {
        memset(groups->touch.data, 0, words * sizeof(uint64_t));
    }
    mark(groups, control, event, events->count);
    const uint32_t count = number_members(groups, words);
    if (carom_buffer_grow(memory, &groups->body, count * sizeof(uint32_t), 0) != CAROM_OK ||
        carom_buffer_grow(memory, &groups->link, count * sizeof(link), 0) != CAROM_OK) {
        return false;
    }
    groups->count = count;
    list_members(groups, words);
    for (uint64_t n = 0; n < events->count && carom_control_goes_on(control, n); n++) {
        unite(groups, &event[n]);
    }
    return true;
}

void carom_touch_groups_release(carom_touch_groups *groups, carom_memory *memory) {
    carom_buffer_release(memory, &groups->touch);
    carom_buffer_release(memory, &groups->before);
    carom_buffer_release(memory, &groups->body);
    carom_buffer_release(memory, &groups->link);
}
