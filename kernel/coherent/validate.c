/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/coherent/validate.h"

#include "kernel/coherent/validate_list.h"

const char *carom_coherent_order_validate(const carom_coherent *state) {
    const carom_coherent_list list = carom_coherent_list_of(state);
    for (uint64_t s = 0; s < state->count; s++) {
        if (list.body[s] >= state->count) {
            return "a slot has a body that does not exist";
        }
        if (list.slot[list.body[s]] != s) {
            return "slots and bodies are not inverse permutations";
        }
        if ((s < state->owned) != (list.body[s] < state->owned)) {
            return "a body has a slot after those of images";
        }
    }
    return NULL;
}

/* Both false where a side is NaN. */
static bool contains(const carom_slot_box *outer, const carom_slot_box *inner) {
    bool all = true;
    for (int a = 0; a < 3; a++) {
        all = all && outer->lo[a] <= inner->lo[a] && inner->hi[a] <= outer->hi[a];
    }
    return all;
}

static bool overlap(const carom_slot_box *x, const carom_slot_box *y) {
    bool all = true;
    for (int a = 0; a < 3; a++) {
        all = all && x->lo[a] <= y->hi[a] && y->lo[a] <= x->hi[a];
    }
    return all;
}

static carom_slot_box box_in(const carom_box_blocks *boxes, uint64_t n) {
    carom_slot_box box = {.lo = {0}};
    carom_box_blocks_get(boxes, n, box.lo, box.hi);
    return box;
}

const char *carom_coherent_index_validate(const carom_coherent_index *index) {
    for (uint32_t l = 1; l < index->tree.levels; l++) {
        const carom_box_blocks *below = &index->tree.level[l - 1];
        for (uint64_t n = 0; n < below->count; n++) {
            const carom_slot_box inner = box_in(below, n);
            const carom_slot_box outer = box_in(&index->tree.level[l], n / CAROM_BOX_TREE_WIDTH);
            if (!contains(&outer, &inner)) {
                return l == 1 ? "a node of the index does not contain its fat boxes"
                              : "a node of the index does not contain its nodes";
            }
        }
    }
    return NULL;
}

/* The fat box of a body, gathered from six arrays. */
static carom_slot_box fat_box_of(const carom_fat_box_set *set, uint64_t body) {
    carom_slot_box box = {.lo = {0}};
    for (int a = 0; a < 3; a++) {
        box.lo[a] = set->lo[a][body];
        box.hi[a] = set->hi[a][body];
    }
    return box;
}

/* The side of an inner box, with the arithmetic that steps read it by. */
static float side_of(const carom_inner_boxes *inner, int a, uint16_t number) {
    return inner->origin[a] + (float)number * inner->step[a];
}

/* Steps compare strictly, so an inner box whose lower side is not below its upper one contains nothing. */
static bool is_inner_inside(const carom_inner_boxes *inner, uint64_t body, const carom_slot_box *fat_box) {
    bool inside = true;
    bool empty = false;
    for (int a = 0; a < 3; a++) {
        const float lo = side_of(inner, a, inner->lo[a][body]);
        const float hi = side_of(inner, a, inner->hi[a][body]);
        empty = empty || !(lo < hi);
        inside = inside && lo >= fat_box->lo[a] && hi <= fat_box->hi[a];
    }
    return inside || empty;
}

static const char *check_fat_boxes(const carom_coherent *state, const carom_coherent_index *index) {
    const carom_fat_box_set set = carom_coherent_fat_box_set(state);
    const uint32_t *slot = carom_coherent_data(state, CAROM_COHERENT_SLOT);
    for (uint64_t n = 0; n < state->count; n++) {
        const carom_slot_box box = fat_box_of(&set, n);
        const carom_slot_box listed = carom_coherent_index_get(index, slot[n]);
        if (!contains(&listed, &box)) {
            return "a box of the index does not contain the fat box of its body";
        }
        if (state->has_inner && !is_inner_inside(&state->inner, n, &box)) {
            return "an inner box is not inside its fat box";
        }
    }
    return NULL;
}

const char *carom_coherent_boxes_validate(const carom_coherent *state) {
    const carom_coherent_list list = carom_coherent_list_of(state);
    const carom_coherent_index index =
        carom_coherent_index_view(carom_coherent_data(state, CAROM_COHERENT_INDEX), state->count);
    for (uint64_t n = 0; n < state->list.pairs; n++) {
        const carom_slot_box i = carom_coherent_index_get(&index, list.i[n]);
        const carom_slot_box k = carom_coherent_index_get(&index, list.k[n]);
        if (!overlap(&i, &k)) {
            return "the fat boxes of a pair on the list do not overlap";
        }
    }
    return check_fat_boxes(state, &index);
}

const char *carom_coherent_validate(const carom_coherent *state) {
    const carom_coherent_index index =
        carom_coherent_index_view(carom_coherent_data(state, CAROM_COHERENT_INDEX), state->count);
    const char *reason = state->built ? NULL : "there is no list";
    reason = reason == NULL ? carom_coherent_order_validate(state) : reason;
    reason = reason == NULL ? carom_coherent_list_validate(state) : reason;
    reason = reason == NULL ? carom_coherent_touching_validate(state) : reason;
    reason = reason == NULL ? carom_coherent_index_validate(&index) : reason;
    return reason == NULL ? carom_coherent_boxes_validate(state) : reason;
}
