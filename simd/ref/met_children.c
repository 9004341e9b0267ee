/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: a box meets a child if lo <= high and low <= hi on every axis. */
#include "simd/check.h"
#include "simd/declare.h"

#define carom_met_children_twin CAROM_TWIN_OF(met_children)

static bool meets(const carom_children *children, uint64_t child, const float box[6]) {
    bool met = true;
    for (int a = 0; a < 3; a++) {
        const float lo = children->hull != NULL ? children->hull[child].lo[a] : children->lo[a][child];
        const float hi = children->hull != NULL ? children->hull[child].hi[a] : children->hi[a][child];
        met = met && lo <= box[a + 3] && box[a] <= hi;
    }
    return met;
}

static bool counts(const carom_children *children, uint64_t child, uint64_t box) {
    return meets(children, child, children->box + 6 * box) &&
           (children->known == NULL || !meets(children, child, children->known + 6 * box) ||
            (children->marks[child / 64] >> child % 64 & 1) != 0);
}

uint64_t carom_met_children_twin(const carom_children *children, const uint32_t *box, const uint32_t *node,
                                 uint64_t count, uint32_t *child_box, uint32_t *child) {
    uint64_t met = 0;
    for (uint64_t n = 0; n < count; n++) {
        for (uint32_t at = node[n] * CAROM_CHILDREN; at < (node[n] + 1) * CAROM_CHILDREN; at++) {
            if (counts(children, at, box[n])) {
                child_box[met] = box[n];
                child[met++] = at;
            }
        }
    }
    return met;
}
