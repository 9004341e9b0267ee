/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* How far posed shapes reach along each axis, a shape a lane (simd/ref/extent.h is the scalar form). */
#ifndef CAROM_SIMD_EXTENT_LANES_H
#define CAROM_SIMD_EXTENT_LANES_H

#include <math.h>
#include <stdbool.h>

#include "simd/pair_block.h"
#include "simd/vector_lanes.h"

typedef struct carom_extent_lanes {
    vd against[3];
    vd along[3];
} carom_extent_lanes;

/* Which lanes have a shape of which kind: a byte of bits for each kind up to hulls, and the last byte for all others.
 */
typedef struct carom_kind_lanes {
    uint64_t bits;
} carom_kind_lanes;

static inline carom_kind_lanes carom_kind_lanes_of(const carom_block_side *side, uint32_t n) {
    carom_kind_lanes kinds = {0};
    for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
        const uint32_t kind = (uint32_t)side->shape[n + l]->kind;
        kinds.bits |= (uint64_t)1 << (8 * (kind <= CAROM_SHAPE_HULL ? kind : CAROM_SHAPE_HULL + 1) + l);
    }
    return kinds;
}

static inline uint32_t carom_kind_lanes_bits(carom_kind_lanes kinds, carom_shape_kind kind) {
    return (uint32_t)(kinds.bits >> (8 * (uint32_t)kind)) & 0xFF;
}

/* The lanes whose extents are not known. */
static inline uint32_t carom_kind_lanes_other(carom_kind_lanes kinds) {
    return (uint32_t)(kinds.bits >> (8 * (CAROM_SHAPE_HULL + 1)));
}

static inline uint32_t carom_kind_lanes_curved(carom_kind_lanes kinds) {
    return carom_kind_lanes_bits(kinds, CAROM_SHAPE_CYLINDER) | carom_kind_lanes_bits(kinds, CAROM_SHAPE_CONE) |
           carom_kind_lanes_bits(kinds, CAROM_SHAPE_ELLIPSOID);
}

/* Whether all cores are points, segments and boxes: code that is told so by a constant leaves all others out. */
static inline bool carom_kind_lanes_cornered(carom_kind_lanes kinds) {
    return kinds.bits >> (8 * CAROM_SHAPE_CYLINDER) == 0;
}

static inline vdm carom_kind_lanes_mask(carom_kind_lanes kinds, carom_shape_kind kind) {
    return vdm_from_bits(carom_kind_lanes_bits(kinds, kind));
}

/* What each hull's vertices leave: least and greatest products along three axes, a vector each, of which eight numbers
 * are read. */
enum { CAROM_EXTENT_FIELDS = 6, CAROM_EXTENT_ROW = (CAROM_EXTENT_FIELDS - 1) * CAROM_PAIRS + 8 };

static inline void carom_extent_lanes_vertices(const carom_hull *hull, double direction[3][3][CAROM_PAIRS], uint32_t l,
                                               double row[CAROM_EXTENT_ROW]) {
    vd least[3];
    vd most[3];
    for (int d = 0; d < 3; d++) {
        least[d] = vd_set1(HUGE_VAL);
        most[d] = vd_set1(-HUGE_VAL);
    }
    for (uint32_t n = 0; n < hull->vertex_count; n += CAROM_PAIRS) {
        const vd x = vd_load(hull->vertex[0] + n);
        const vd y = vd_load(hull->vertex[1] + n);
        const vd z = vd_load(hull->vertex[2] + n);
        for (int d = 0; d < 3; d++) {
            const vd far =
                vd_add(vd_add(vd_mul(vd_set1(direction[d][0][l]), x), vd_mul(vd_set1(direction[d][1][l]), y)),
                       vd_mul(vd_set1(direction[d][2][l]), z));
            least[d] = vd_min(far, least[d]);
            most[d] = vd_max(far, most[d]);
        }
    }
    for (int d = 0; d < 3; d++) {
        vd_store(row + d * CAROM_PAIRS, least[d]);
        vd_store(row + (d + 3) * CAROM_PAIRS, most[d]);
    }
}

/* The least, or the greatest, of CAROM_PAIRS numbers of each row, from number `first` on. */
static inline vd carom_extent_lanes_least(const double *const row[CAROM_PAIRS], int first, bool greatest) {
    const double *from[CAROM_PAIRS];
    vd field[8];
    for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
        from[l] = row[l] + first;
    }
    vd_load_rows(from, field);
    vd found = field[0];
    for (int c = 1; c < CAROM_PAIRS; c++) {
        found = greatest ? vd_max(field[c], found) : vd_min(field[c], found);
    }
    return found;
}

/* Extents of lanes with a hull, without the radius: rows of hulls become lanes. */
static inline void carom_extent_lanes_hulls(const carom_block_side *side, uint32_t n, uint32_t hulls, vd turn[3][3],
                                            carom_extent_lanes *extent) {
    static const double none[CAROM_EXTENT_ROW] = {0.0};
    _Alignas(64) double row[CAROM_PAIRS][CAROM_EXTENT_ROW];
    double direction[3][3][CAROM_PAIRS];
    const double *from[CAROM_PAIRS];
    for (int d = 0; d < 3; d++) {
        vd_store_vector(direction[d], turn[d]);
    }
    for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
        if ((hulls >> l & 1) != 0) {
            carom_extent_lanes_vertices(side->shape[n + l]->hull, direction, l, row[l]);
        }
    }
    for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
        from[l] = (hulls >> l & 1) != 0 ? row[l] : none;
    }
    for (int d = 0; d < 3; d++) {
        const vd least = carom_extent_lanes_least(from, d * CAROM_PAIRS, false);
        const vd most = carom_extent_lanes_least(from, (d + 3) * CAROM_PAIRS, true);
        const vdm is_hull = vdm_from_bits(hulls);
        extent->against[d] = vd_select(is_hull, vd_sub(vd_set1(0.0), least), extent->against[d]);
        extent->along[d] = vd_select(is_hull, most, extent->along[d]);
    }
}

/* Of lanes without a hull, along the direction `row`, without the radius, but for ellipsoids. */
static inline __attribute__((always_inline)) void carom_extent_lanes_round(carom_kind_lanes kinds, const vd h[3],
                                                                           const vd row[3], vd *against, vd *along) {
    const vd x = vd_mul(vd_abs(row[0]), h[0]);
    const vd y = vd_mul(vd_abs(row[1]), h[1]);
    const vd z = vd_mul(vd_abs(row[2]), h[2]);
    const uint32_t curved = carom_kind_lanes_curved(kinds);
    *along = vd_add(vd_add(x, y), z);
    *against = *along;
    if (curved == 0) {
        return;
    }
    const vdm cone = carom_kind_lanes_mask(kinds, CAROM_SHAPE_CONE);
    const vd flat = vd_add(vd_mul(x, x), vd_mul(y, y));
    const vdm ellipsoid = carom_kind_lanes_mask(kinds, CAROM_SHAPE_ELLIPSOID);
    const vd root = vd_sqrt(vd_select(ellipsoid, vd_add(flat, vd_mul(z, z)), flat));
    const vd apex = vd_mul(row[2], h[2]);
    const vd far = vd_select(carom_kind_lanes_mask(kinds, CAROM_SHAPE_CYLINDER), vd_add(root, z), root);
    const vd both = vd_select(vdm_from_bits(curved), far, *along);
    *along = vd_select(cone, vd_max(apex, vd_sub(root, apex)), both);
    *against = vd_select(cone, vd_max(vd_sub(vd_set1(0.0), apex), vd_add(root, apex)), both);
}

/* Of shapes n, n + 1, ... of a side; lanes of other kinds have no meaning. */
static inline __attribute__((always_inline)) void carom_extent_lanes_set(const carom_block_side *side, uint32_t n,
                                                                         carom_kind_lanes kinds, vd turn[3][3],
                                                                         carom_extent_lanes *extent) {
    const uint32_t hulls = carom_kind_lanes_bits(kinds, CAROM_SHAPE_HULL);
    const vd h[3] = {vd_load(side->extent[0] + n), vd_load(side->extent[1] + n), vd_load(side->extent[2] + n)};
    const uint32_t ellipsoids = carom_kind_lanes_bits(kinds, CAROM_SHAPE_ELLIPSOID);
    vd radius = vd_load(side->radius + n);
    if (ellipsoids != 0) {
        radius = vd_select(vdm_from_bits(ellipsoids), vd_set1(0.0), radius);
    }
    for (int d = 0; d < 3; d++) {
        carom_extent_lanes_round(kinds, h, turn[d], &extent->against[d], &extent->along[d]);
    }
    if (hulls != 0) {
        carom_extent_lanes_hulls(side, n, hulls, turn, extent);
    }
    for (int d = 0; d < 3; d++) {
        extent->against[d] = vd_add(extent->against[d], radius);
        extent->along[d] = vd_add(extent->along[d], radius);
    }
}

#endif
