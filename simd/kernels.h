/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The batch kernels: how their arrays are laid out, and the table of one instruction set. simd/kernel_list.h says what
 * each computes. Every kernel exists once per instruction set and gives the same bits as its scalar twin in simd/ref.
 * Kernels allocate nothing and keep no state. They check their arguments by CAROM_ASSERT only: callers have checked
 * them. */
#ifndef CAROM_SIMD_KERNELS_H
#define CAROM_SIMD_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/bodies.h"
#include "simd/paste.h"

/* Arrays read or written in whole vectors are padded by this many elements. */
enum { CAROM_SIMD_PAD = 16 };

/* A body as it is carried through the partition: one load brings all of it. Its numbers are finite, its radius >= 0. */
typedef struct carom_record_f32 {
    float prev[3];
    float radius;
    float curr[3];
    uint32_t body;
} carom_record_f32;

typedef struct carom_record_f64 {
    double prev[3];
    double radius;
    double curr[3];
    uint64_t body;
} carom_record_f64;

/* The cells that partition space. A coordinate x is in column trunc(clamp((x - origin) scale, 0, last)) of its axis,
 * a monotone map: what lies outside is in the border columns. A body is filed by its box's low corner, with one
 * "straddle" bit for each split axis on which its high corner is in the next column:
 * code = sum over axes of column cell_weight + straddle bit_weight, exact in float below 2^24. A body whose box is
 * wider than `wide` on a split axis has wide_code instead. */
typedef struct carom_grid {
    uint32_t columns[3];
    float origin[3];
    float scale[3];
    float last[3];
    float cell_weight[3];
    float bit_weight[3];
    float wide[3];
    float wide_code;
    double centre[3]; /* subtracted from f64 positions before they are rounded to float; unused for f32 */
} carom_grid;

/* What one pass over the bodies learns. Start from carom_survey_start; survey kernels accumulate. */
typedef struct carom_survey {
    float lo[3];     /* least low corner */
    float hi[3];     /* greatest high corner */
    float extent[3]; /* greatest hi - lo of one box */
    uint32_t bad;    /* nonzero: some body has NaN, infinity or a negative radius */
} carom_survey;

/* How many bodies' boxes are wider than each of some limits, ascending, on their widest axis. */
enum { CAROM_CENSUS_LIMITS = 12 };
typedef struct carom_census {
    float limit[CAROM_CENSUS_LIMITS];
    uint64_t wider[CAROM_CENSUS_LIMITS];
} carom_census;

/* The map from a coordinate on the sweep axis to a bin of one cell: trunc(clamp((x - origin) scale, 0, last)). */
typedef struct carom_bins {
    uint32_t axis;
    float origin;
    float scale;
    float last;
} carom_bins;

/* A box as one row: what lies between the corners is 0. */
typedef struct carom_slot_box {
    float lo[4];
    float hi[4];
} carom_slot_box;

/* The boxes of one cell in swept order; axis 0 is the sweep axis. Entries count .. count + CAROM_SIMD_PAD - 1 are NaN
 * and so overlap nothing. */
typedef struct carom_boxes {
    uint32_t count;
    float *lo[3];
    float *hi[3];
    uint32_t *slot;    /* record of each entry */
    uint32_t *earlier; /* bit set: its low corner lies in a column before this cell's, on that axis */
    uint32_t *end;     /* first entry that cannot overlap it on the sweep axis */
} carom_boxes;

/* Where a sweep stopped: entry i against entries from k on. Start at {first, first + 1, stop}; done when i == stop. */
typedef struct carom_sweep_cursor {
    uint32_t i;
    uint32_t k;
    uint32_t stop; /* sweeps entries i below it, against all that follow */
} carom_sweep_cursor;

/* A box inside each fat box, in half the bytes: sides are origin + number step. */
typedef struct carom_inner_boxes {
    const uint16_t *lo[3];
    const uint16_t *hi[3];
    float origin[3];
    float step[3];
} carom_inner_boxes;

/* Boxes relative to centre that swept boxes are promised to stay in. Where a body is inside its inner box no other
 * needs to be looked at; inner may be NULL, and no result depends on it. */
typedef struct carom_fat_box_set {
    double centre[3];
    const float *lo[3];
    const float *hi[3];
    const carom_inner_boxes *inner;
} carom_fat_box_set;

/* Of some pairs, how many have overlapping boxes and how many touch. */
typedef struct carom_recheck_counts {
    uint32_t overlapping;
    uint32_t touching;
} carom_recheck_counts;

/* The most values that a digit of a radix sort has. */
enum { CAROM_DIGITS_MAX = 256 };

typedef float carom_real_f32;
typedef double carom_real_f64;

/* Arguments of kernels, types of kernels and the tables carom_kernels_f32 and carom_kernels_f64. */
#define CAROM_BOUND_TO _f32
#include "simd/kernels_tmpl.h"
#undef CAROM_BOUND_TO
#define CAROM_BOUND_TO _f64
#include "simd/kernels_tmpl.h"
#undef CAROM_BOUND_TO

#define CAROM_LIST_ONCE(result, name, parameters) typedef result carom_##name##_fn parameters;
#include "simd/kernel_list.h"

/* One instruction set. */
typedef struct carom_simd {
    const char *name;
    uint32_t lanes; /* floats in a vector */
#define CAROM_LIST_ONCE(result, name, parameters) carom_##name##_fn *name;
#include "simd/kernel_list.h"
    carom_kernels_f32 f32;
    carom_kernels_f64 f64;
} carom_simd;

#endif
