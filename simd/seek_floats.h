/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Searches in floats for the distance of two hulls: GJK (simd/ref/gjk.c) in the frame of i. The simplex holds numbers
 * of vertices in place of points of the hulls. It has no weights: it says only which points are in use. A direction
 * whose gap is greater than all rounding proves that the hulls are apart, and a ball around the origin within four
 * points of their difference that they touch. What a search does not decide is for double, which goes on from where it
 * ends.
 *
 * The number of a vertex is put into the low eight bits of its product with the direction: so the greatest product says
 * whose it is.
 *
 * Rounding, in units of u = 2^-24 and of the pair's size S: the length of b, the way from i to k, and the reaches of
 * both hulls. Poses are as in simd/quick_floats.h: an entry of a rotation is off by 21 u, so a rotation by 63 u, the
 * relative one by 2 * 63 u and 9 u from its own products, and b in the frame of i by 70 u |b|, with its products and
 * difference. Any direction n proves a bound, so n has no error. Replacing the low bits changes a product by at most
 * 512 u |n| |v|.
 *   - A gap along n is off by (512 + 135 + 16) u S from the products of both hulls, by 70 u S from b, and by 16 u S
 * from sums, n's length and the division: by less than 750 u S.
 *   - A point of the difference is off by 135 u S and 70 u S: by less than 210 u S.
 *   - A ball's radius is that of a gap along the normal of a face, whatever that normal is: with its points it is off
 * by less than 230 u S. CAROM_SEEK_ERROR S = 1024 u S bounds each; also what S falls short by, as |b| is that of the
 * rounded way.
 *
 * The ball counts only if the four faces are known to surround the origin. They do if the heights of all four planes,
 * in units of their normals and with normals that point to one side, are positive. Points are multiplied by a power of
 * two that makes S 1 to 2: so points are no longer than 2, edges than 4, a normal is off by 7 u 16, and a height by
 * 224 u from that and 96 u from its own products. Heights of less than CAROM_SEEK_HEIGHT = 512 u say nothing. */
#ifndef CAROM_SIMD_SEEK_FLOATS_H
#define CAROM_SIMD_SEEK_FLOATS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "simd/pair_block.h"
#include "simd/posed.h"

#define CAROM_SEEK_ERROR 0x1p-14F

/* Errors of pairs that are searched for: well within the sizes of simd/quick_floats.h, on which it depends that callers
 * of searches begin alike. */
#define CAROM_SEEK_LEAST (CAROM_SEEK_ERROR * 0x1p-36F)
#define CAROM_SEEK_MOST (CAROM_SEEK_ERROR * 0x1p56F)

/* Squares of directions, edges and normals that count. */
#define CAROM_SEEK_SHORT 0x1p-80F

/* Heights of planes that count. */
#define CAROM_SEEK_HEIGHT 0x1p-15F

/* The number of a point is that of i's vertex times this and that of k's. */
enum { CAROM_SEEK_HULL = 256 };
_Static_assert((int)CAROM_SEEK_HULL >= (int)CAROM_HULL_POINTS_MAX, "each vertex has a number");

/* The number of the difference of both origins, a point within it where both hulls hold theirs: searches begin there.
 */
#define CAROM_SEEK_ORIGINS 65536.0F

/* A search ends where its bracket is this wide, over the error. */
#define CAROM_SEEK_WIDTH 1.25F

/* Steps at most: searches take 3 to 8. */
enum { CAROM_SEEK_STEPS_MAX = 24 };

/* Pairs of hulls that may be searched for. Value n is of pair n. */
typedef struct carom_seek_pairs {
    float turn[9][CAROM_BLOCK_PAIRS];    /* in the frame of i: the rotation of k, row by row, */
    float between[3][CAROM_BLOCK_PAIRS]; /* and the way from i to k */
    float error[CAROM_BLOCK_PAIRS];      /* CAROM_SEEK_ERROR S */
    float lower[CAROM_BLOCK_PAIRS];      /* what is known of the distance: searches make it narrower */
    float upper[CAROM_BLOCK_PAIRS];
    const carom_hull *hull[2][CAROM_BLOCK_PAIRS]; /* of i and k */
    bool has_axes;
    float look[3][CAROM_BLOCK_PAIRS]; /* with axes: directions in which searches look first, or 0 */
    /* Out: where the search has ended. */
    float number[3][CAROM_BLOCK_PAIRS]; /* of the simplex's points; negative: there is none */
    float direction[3][CAROM_BLOCK_PAIRS];
    float steps[CAROM_BLOCK_PAIRS];
    float normal[3][CAROM_BLOCK_PAIRS]; /* with axes: the direction, of any length, that proves `lower` */

    /* Goals. A search ends where lower > above, or with a ball. Pairs touch where upper <= below: who asks says so. */
    float above; /* >= 0; infinite: go on */
    float below; /* >= 0, or -infinite: not asked */
} carom_seek_pairs;

/* Where a search has ended: the start of one in double, if it has proved that the pair is apart or overlaps. In between
 * the simplex and direction of floats mean nothing. */
typedef struct carom_seek_start {
    float number[3];
    float direction[3];
    float steps;  /* 0: there is no start */
    bool overlap; /* that is proved */
} carom_seek_start;

static inline carom_seek_start carom_seek_start_of(const carom_seek_pairs *pairs, uint32_t n) {
    const bool overlap = pairs->upper[n] <= 0.0F;
    const bool is_known = overlap || pairs->lower[n] >= 0.0F;
    carom_seek_start start = {.steps = is_known ? pairs->steps[n] : 0.0F, .overlap = overlap};
    for (int d = 0; d < 3; d++) {
        start.number[d] = pairs->number[d][n];
        start.direction[d] = pairs->direction[d][n];
    }
    return start;
}

/* Whether a pair of this error is searched for. */
static inline bool carom_seek_has(float error) {
    return error >= CAROM_SEEK_LEAST && error <= CAROM_SEEK_MOST;
}

/* What is known of a pair whose frame and hulls are set: it is no farther apart, and no deeper, than its size and the
 * error of that. Returns whether it may be searched for. */
static inline bool carom_seek_set(carom_seek_pairs *pairs, uint32_t n) {
    const float way = (fabsf(pairs->between[0][n]) + fabsf(pairs->between[1][n])) + fabsf(pairs->between[2][n]);
    const float size = way + (pairs->hull[0][n]->reach + pairs->hull[1][n]->reach);
    const float error = CAROM_SEEK_ERROR * size;
    pairs->error[n] = error;
    pairs->lower[n] = -(size + error);
    pairs->upper[n] = size + error;
    pairs->steps[n] = 0.0F;
    return carom_seek_has(pairs->error[n]);
}

/* Whether there is a direction in which the search for pair n looks first; pairs have axes. */
static inline bool carom_seek_has_look(const carom_seek_pairs *pairs, uint32_t n) {
    const float x = pairs->look[0][n];
    const float y = pairs->look[1][n];
    const float z = pairs->look[2][n];
    return (x * x + y * y) + z * z >= CAROM_SEEK_SHORT;
}

/* Points of the difference are multiplied by this power of two: then the pair's size is 1 to 2. */
static inline float carom_seek_unit(float error) {
    uint32_t bits;
    float unit;
    memcpy(&bits, &error, sizeof bits);
    bits = ((UINT32_C(254) - 14) << 23) - (bits & UINT32_C(0xFF800000));
    memcpy(&unit, &bits, sizeof unit);
    return unit;
}

/* A vertex' product with a direction, and its number. */
static inline float carom_seek_coded(float product, uint32_t number) {
    uint32_t bits;
    memcpy(&bits, &product, sizeof bits);
    bits = (bits & ~(uint32_t)(CAROM_SEEK_HULL - 1)) | number;
    memcpy(&product, &bits, sizeof bits);
    return product;
}

/* The number in it. */
static inline uint32_t carom_seek_number(float coded) {
    uint32_t bits;
    memcpy(&bits, &coded, sizeof bits);
    return bits & (CAROM_SEEK_HULL - 1);
}

#endif
