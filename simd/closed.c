/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Closed forms of a run of pairs, in vectors. The last vector may compute pairs after the run, of other kinds: what it
 * writes there has no meaning. Pairs whose numbers must be scaled, and boxes that are segments, are left to the twin. */
#include "simd/check.h"
#include "simd/closed_boxes_lanes.h"
#include "simd/closed_capsule_box_lanes.h"
#include "simd/closed_solid_lanes.h"
#include "simd/closed_segment_lanes.h"
#include "simd/declare.h"

#define carom_closed CAROM_KERNEL_OF(closed)
#define carom_closed_twin CAROM_TWIN_OF(closed)

/* One vector of pairs of the kinds of the run. Returns the lanes that are left to the twin. */
static inline vdm find(carom_pair_block *block, carom_shape_kind i, carom_shape_kind k, uint32_t n) {
    if (i == CAROM_SHAPE_BOX) {
        carom_boxes_lanes_find(block, n);
        return vdm_from_bits(0);
    }
    if (k == CAROM_SHAPE_CAPSULE) {
        return carom_segment_lanes_find(block, n);
    }
    if (i == CAROM_SHAPE_CAPSULE) {
        return carom_capsule_box_lanes_find(block, n);
    }
    return k == CAROM_SHAPE_SPHERE ? carom_segment_lanes_spheres(block, n)
                                   : carom_solid_lanes_find(block, n, k == CAROM_SHAPE_BOX);
}

void carom_closed(carom_pair_block *block, uint32_t begin, uint32_t end) {
    for (uint32_t n = begin; n < end; n += CAROM_PAIRS) {
        const uint32_t left = end - n < CAROM_PAIRS ? end - n : CAROM_PAIRS;
        const vdm unusual = find(block, block->side[0].shape[begin]->kind, block->side[1].shape[begin]->kind, n);
        for (uint32_t odd = vdm_bits(unusual) & ((1U << left) - 1); odd != 0; odd &= odd - 1) {
            const uint32_t at = n + (uint32_t)__builtin_ctz(odd);
            carom_closed_twin(block, at, at + 1);
        }
    }
    for (uint32_t n = begin; n < end; n++) {
        block->iterations[n] = 0;
    }
}
