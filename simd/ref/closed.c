/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Closed forms of a run of pairs, one by one. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/ref/closed_boxes.h"
#include "simd/ref/closed_capsule_box.h"
#include "simd/ref/closed_solid.h"
#include "simd/ref/closed_segment.h"

#define carom_closed_twin CAROM_TWIN_OF(closed)

typedef void closed_form(const carom_posed *i, const carom_posed *k, carom_gap *gap);

/* The form for two kinds that have one here. */
static closed_form *form_of(carom_shape_kind i, carom_shape_kind k) {
    if (k == CAROM_SHAPE_CAPSULE) {
        return carom_closed_segment_pair;
    }
    if (i == CAROM_SHAPE_CAPSULE) {
        return carom_closed_capsule_box;
    }
    if (k == CAROM_SHAPE_SPHERE) {
        return carom_closed_segment_spheres;
    }
    return k == CAROM_SHAPE_BOX ? carom_closed_solid_box : carom_closed_solid_cylinder;
}

static void find_boxes(carom_pair_block *block, uint32_t n, const carom_posed *i, const carom_posed *k) {
    carom_gap gap;
    block->axis[n] = carom_closed_boxes(i, k, &gap);
    block->lower[n] = gap.lower;
    block->upper[n] = gap.upper;
    block->iterations[n] = 0;
}

void carom_closed_twin(carom_pair_block *block, uint32_t begin, uint32_t end) {
    for (uint32_t n = begin; n < end; n++) {
        carom_posed i;
        carom_posed k;
        carom_gap gap;
        carom_block_posed(block, 0, n, &i);
        carom_block_posed(block, 1, n, &k);
        if (i.shape->kind == CAROM_SHAPE_BOX) {
            find_boxes(block, n, &i, &k);
        } else {
            form_of(i.shape->kind, k.shape->kind)(&i, &k, &gap);
            carom_block_set_gap(block, n, &gap);
        }
    }
}
