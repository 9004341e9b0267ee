/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Manifolds of boxes whose contacts are there, in vectors. */
#include "simd/boxes_manifold_lanes.h"
#include "simd/check.h"
#include "simd/declare.h"

#define carom_boxes_manifold CAROM_KERNEL_OF(boxes_manifold)

static inline void find_lanes(const carom_pair_block *block, const uint32_t *list, uint32_t n,
                              carom_block_manifolds *manifolds) {
    const carom_lanes_at at = carom_lanes_at_of(block, list);
    carom_touch_lanes touch;
    carom_lanes_gather_box(&block->side[0], &at, &touch.i);
    carom_lanes_gather_box(&block->side[1], &at, &touch.k);
    carom_lanes_gather_vector(block->normal, &at, touch.normal);
    carom_lanes_gather_vector(block->point_i, &at, touch.point_i);
    carom_lanes_gather_vector(block->point_k, &at, touch.point_k);
    carom_manifold_lanes_find(block, &at, &touch, n, manifolds);
}

void carom_boxes_manifold(const carom_pair_block *block, const uint32_t *place, uint32_t count,
                          carom_block_manifolds *manifolds) {
    CAROM_ASSERT(count <= CAROM_BLOCK_PAIRS && carom_check_slots(place, 0, count, CAROM_BLOCK_PAIRS));
    uint32_t list[CAROM_BLOCK_ROOM];
    carom_lanes_list(place, count, list);
    for (uint32_t n = 0; n < count; n += CAROM_PAIRS) {
        find_lanes(block, list + n, n, manifolds);
    }
}
