/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: what labelling is given, and what it has made. Out: NULL, or what is wrong with it. O(slots). */
#include "kernel/groups/groups.h"

const char *carom_groups_validate_slots(const carom_group_workspace *workspace, uint64_t count) {
    for (uint64_t slot = 0; slot < count; slot++) {
        if (workspace->body[slot] >= count || workspace->slot_of[workspace->body[slot]] != slot) {
            return "the slot of a slot's body is another one";
        }
    }
    return carom_union_find_validate(workspace->parent, count);
}

static uint32_t load(const _Atomic uint32_t *value, uint32_t n) {
    return atomic_load_explicit(&value[n], memory_order_relaxed);
}

/* A slot's root. It is at most two steps away once labels are written. */
static uint32_t root_of(const carom_group_workspace *workspace, uint32_t slot) {
    return load(workspace->parent, load(workspace->parent, slot));
}

const char *carom_groups_validate_labels(const carom_group_workspace *workspace, uint64_t count,
                                         const uint32_t *label) {
    uint64_t bodies = 0;
    for (uint32_t slot = 0; slot < count; slot++) {
        const uint32_t root = root_of(workspace, slot);
        const uint32_t body = workspace->body[slot];
        if (load(workspace->parent, root) != root) {
            return "a slot is more than two steps from its root";
        }
        if (label[body] > body) {
            return "a label is larger than its body";
        }
        if (label[body] != label[workspace->body[root]]) {
            return "a slot has another label than its root";
        }
        if (root_of(workspace, workspace->slot_of[label[body]]) != root) {
            return "a label is a body of another set";
        }
        if (slot != root && load(workspace->size, slot) != 0) {
            return "a slot that is no root has a size";
        }
        bodies += load(workspace->size, slot);
    }
    return bodies != workspace->owned ? "the sizes of all sets do not add up to the bodies" : NULL;
}
