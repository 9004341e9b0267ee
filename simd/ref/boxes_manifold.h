/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The manifold of two boxes. */
#ifndef CAROM_SIMD_REF_BOXES_MANIFOLD_H
#define CAROM_SIMD_REF_BOXES_MANIFOLD_H

#include "simd/manifold.h"

/* What decides which points are kept. */
typedef struct carom_boxes_limits {
    double reach; /* the smaller shape's */
    double margin;
} carom_boxes_limits;

/* Fills `found`, in the frame of the poses, and returns how many points there are. */
uint32_t carom_boxes_manifold_find(const carom_posed *i, const carom_posed *k, const carom_gap *gap,
                                   carom_boxes_limits limits, carom_manifold_points *found);

/* That of the pair at a place of a block, whose contact is there and whose boxes these are, as manifold n; its points
 * are not relative to the origin. */
void carom_boxes_manifold_add(const carom_pair_block *block, uint32_t place, const carom_posed *i, const carom_posed *k,
                              uint32_t n, carom_block_manifolds *manifolds);

#endif
