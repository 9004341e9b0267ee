/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The batch kernels: what each computes and how its arrays are laid out. Every kernel exists once per
 * instruction set and does exactly what its scalar twin in simd/ref does, to the bit. Kernels allocate
 * nothing, keep no state and check nothing but by assert: their callers have. */
#ifndef CAROM_SIMD_KERNELS_H
#define CAROM_SIMD_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/bodies.h"

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
    uint32_t *missing; /* bit set: its low corner lies in a column before this cell's, on that axis */
    uint32_t *end;     /* first entry that cannot overlap it on the sweep axis */
} carom_boxes;

/* Where a sweep stopped: entry i against entries from k on. Start at {first, first + 1, stop}; done when i == stop. */
typedef struct carom_sweep_cursor {
    uint32_t i;
    uint32_t k;
    uint32_t stop; /* sweeps entries i below it, against all that follow */
} carom_sweep_cursor;

typedef struct carom_contact_rows_f32 {
    uint32_t *i;
    uint32_t *k;
    float *t_ca;
    float *distance;
    float *t_toi;
    float *normal[3];
    float *point[3];
} carom_contact_rows_f32;

typedef struct carom_contact_rows_f64 {
    uint32_t *i;
    uint32_t *k;
    double *t_ca;
    double *distance;
    double *t_toi;
    double *normal[3];
    double *point[3];
} carom_contact_rows_f64;

/* Swept boxes of bodies [begin, end): lo = min(prev, curr) - r, hi = max(prev, curr) + r per axis, one float step
 * outward from the rounded value, so that the exact box lies inside; beyond float's range infinite. Bodies with NaN
 * get some box. The outputs are indexed like the input and must not overlap it. */
typedef void carom_bounds_f32_fn(const carom_bodies_f32 *bodies, uint64_t begin, uint64_t end, float *const lo[3],
                                 float *const hi[3]);
typedef void carom_bounds_f64_fn(const carom_bodies_f64 *bodies, uint64_t begin, uint64_t end, float *const lo[3],
                                 float *const hi[3]);

/* The same boxes relative to centre, as the partition sees them. */
typedef void carom_hulls_f32_fn(const carom_bodies_f32 *bodies, uint64_t begin, uint64_t end, const double centre[3],
                                float *const lo[3], float *const hi[3]);
typedef void carom_hulls_f64_fn(const carom_bodies_f64 *bodies, uint64_t begin, uint64_t end, const double centre[3],
                                float *const lo[3], float *const hi[3]);

/* Moves bodies [begin, end) to records[slot[n]]. No two slots are the same; those of bodies up to `known` (>= end) are
 * there to be read. past_cache: records that are whole cache lines, those of doubles, are written to memory straight.
 */
typedef void carom_place_f32_fn(const carom_bodies_f32 *bodies, uint64_t begin, uint64_t end, uint64_t known,
                                const uint32_t *slot, bool past_cache, carom_record_f32 *records);
typedef void carom_place_f64_fn(const carom_bodies_f64 *bodies, uint64_t begin, uint64_t end, uint64_t known,
                                const uint32_t *slot, bool past_cache, carom_record_f64 *records);

/* A box inside each hull, in half the bytes: sides are origin + number step. */
typedef struct carom_inner_hulls {
    const uint16_t *lo[3];
    const uint16_t *hi[3];
    float origin[3];
    float step[3];
} carom_inner_hulls;

/* Boxes relative to centre that swept boxes are promised to stay in. Where a body is inside its inner hull no other
 * needs to be looked at; inner may be NULL, and no result depends on it. */
typedef struct carom_hull_set {
    double centre[3];
    const float *lo[3];
    const float *hi[3];
    const carom_inner_hulls *inner;
} carom_hull_set;

/* Moves bodies [begin, end) to records[slot[n]], as place does with slots that are all known. Writes to `out`, in
 * order, which of them are not inside their hulls (bodies with NaN, infinity or a negative radius never are). `out`
 * holds end - begin. Returns how many. */
typedef uint32_t carom_follow_f32_fn(const carom_bodies_f32 *bodies, uint64_t begin, uint64_t end,
                                     const carom_hull_set *hulls, const uint32_t *slot, bool past_cache,
                                     carom_record_f32 *records, uint32_t *out);
typedef uint32_t carom_follow_f64_fn(const carom_bodies_f64 *bodies, uint64_t begin, uint64_t end,
                                     const carom_hull_set *hulls, const uint32_t *slot, bool past_cache,
                                     carom_record_f64 *records, uint32_t *out);

/* Boxes of records [begin, end), relative to centre, indexed alike. */
typedef void carom_slot_boxes_f32_fn(const carom_record_f32 *records, uint64_t begin, uint64_t end,
                                     const double centre[3], carom_slot_box *boxes);
typedef void carom_slot_boxes_f64_fn(const carom_record_f64 *records, uint64_t begin, uint64_t end,
                                     const double centre[3], carom_slot_box *boxes);

/* Of `count` pairs of slots: which have boxes (relative to centre) that overlap, and which of these touch; the latter
 * are also kept, in order. Bit n % 8 of byte n / 8 tells of pair n; bits past the last are 0. The pairs kept are
 * padded, and no output overlaps an input. `more` pairs follow behind these, whose records may be asked for. */
typedef struct carom_recheck_counts {
    uint32_t overlapping;
    uint32_t touching;
} carom_recheck_counts;
typedef carom_recheck_counts carom_recheck_f32_fn(const carom_record_f32 *records, const double centre[3],
                                                  uint32_t count, uint64_t more, const uint32_t *slot_i,
                                                  const uint32_t *slot_k, uint32_t *out_i, uint32_t *out_k,
                                                  uint8_t *overlapping, uint8_t *touching);
typedef carom_recheck_counts carom_recheck_f64_fn(const carom_record_f64 *records, const double centre[3],
                                                  uint32_t count, uint64_t more, const uint32_t *slot_i,
                                                  const uint32_t *slot_k, uint32_t *out_i, uint32_t *out_k,
                                                  uint8_t *overlapping, uint8_t *touching);

/* Accumulates bodies [begin, end) into *survey. Positions are relative to centre (f64 only; NULL for f32). */
typedef void carom_survey_f32_fn(const carom_bodies_f32 *bodies, uint64_t begin, uint64_t end, const double centre[3],
                                 carom_survey *survey);
typedef void carom_survey_f64_fn(const carom_bodies_f64 *bodies, uint64_t begin, uint64_t end, const double centre[3],
                                 carom_survey *survey);

/* Adds to census->wider the bodies [begin, end) whose boxes are wider than each limit. */
typedef void carom_census_f32_fn(const carom_bodies_f32 *bodies, uint64_t begin, uint64_t end, const double centre[3],
                                 carom_census *census);
typedef void carom_census_f64_fn(const carom_bodies_f64 *bodies, uint64_t begin, uint64_t end, const double centre[3],
                                 carom_census *census);

/* Sort keys of the partition: code[n] for n in [begin, end). */
typedef void carom_codes_f32_fn(const carom_bodies_f32 *bodies, uint64_t begin, uint64_t end, const carom_grid *grid,
                                uint32_t *code);
typedef void carom_codes_f64_fn(const carom_bodies_f64 *bodies, uint64_t begin, uint64_t end, const carom_grid *grid,
                                uint32_t *code);

/* Low corner on `axis` of the box of each of `count` consecutive records, and the least and greatest of them folded
 * into range[0] and range[1]. */
typedef void carom_cell_lows_f32_fn(const carom_record_f32 *records, uint32_t count, const carom_grid *grid,
                                    uint32_t axis, float *low, float range[2]);
typedef void carom_cell_lows_f64_fn(const carom_record_f64 *records, uint32_t count, const carom_grid *grid,
                                    uint32_t axis, float *low, float range[2]);

/* Sort keys within a cell: the bin of each of `count` low corners. */
typedef void carom_bin_keys_fn(const float *low, uint32_t count, const carom_bins *bins, uint32_t *key);

/* Fills lo, hi and end of entries begin .. boxes->count - 1 from the records that boxes->slot names, with NaN after
 * them. bin_end[b] is the first entry after bin b. */
typedef void carom_cell_boxes_f32_fn(const carom_record_f32 *records, uint32_t begin, const carom_grid *grid,
                                     const carom_bins *bins, const uint32_t *bin_end, const carom_boxes *boxes);
typedef void carom_cell_boxes_f64_fn(const carom_record_f64 *records, uint32_t begin, const carom_grid *grid,
                                     const carom_bins *bins, const uint32_t *bin_end, const carom_boxes *boxes);

/* Finds overlapping boxes from *cursor on: slots of both, entry order. Of pairs whose low corners both lie before
 * this cell on some axis (a common bit in `missing`), or that are told apart so, another cell takes care. Stops when
 * fewer than CAROM_SIMD_PAD places are left. slot_i and slot_k hold `capacity` (> CAROM_SIMD_PAD). Returns the hits. */
typedef uint32_t carom_sweep_fn(const carom_boxes *boxes, carom_sweep_cursor *cursor, uint32_t *slot_i,
                                uint32_t *slot_k, uint32_t capacity);

/* Keeps, in order, the pairs that touch in the step, as exact arithmetic decides. out_i, out_k may be slot_i, slot_k;
 * both padded. */
typedef uint32_t carom_touch_f32_fn(const carom_record_f32 *records, uint32_t count, const uint32_t *slot_i,
                                    const uint32_t *slot_k, uint32_t *out_i, uint32_t *out_k);
typedef uint32_t carom_touch_f64_fn(const carom_record_f64 *records, uint32_t count, const uint32_t *slot_i,
                                    const uint32_t *slot_k, uint32_t *out_i, uint32_t *out_k);

/* Contacts of pairs [begin, end), indexed alike in and out, given in any order of i and k and written with i < k.
 * all_touch says that all are known to touch; else a pair that does not touch in the step has t_toi = NaN and normal =
 * point = 0. */
typedef void carom_contact_f32_fn(const carom_record_f32 *records, uint64_t begin, uint64_t end, const uint32_t *slot_i,
                                  const uint32_t *slot_k, bool all_touch, const carom_contact_rows_f32 *rows);
typedef void carom_contact_f64_fn(const carom_record_f64 *records, uint64_t begin, uint64_t end, const uint32_t *slot_i,
                                  const uint32_t *slot_k, bool all_touch, const carom_contact_rows_f64 *rows);

/* Digit histogram of a radix sort: counts[d] = how many of `count` (< 2^32) keys have (key >> shift) & mask == d, for d
 * in [0, mask]. mask + 1 is a power of two, at most CAROM_DIGITS_MAX. */
enum { CAROM_DIGITS_MAX = 256 };
typedef void carom_digit_histogram_u32_fn(const uint32_t *keys, uint64_t count, uint32_t shift, uint32_t mask,
                                          uint32_t *counts);
typedef void carom_digit_histogram_u64_fn(const uint64_t *keys, uint64_t count, uint32_t shift, uint32_t mask,
                                          uint32_t *counts);

/* One instruction set. */
typedef struct carom_simd {
    const char *name;
    uint32_t lanes; /* floats in a vector */
    carom_bounds_f32_fn *bounds_f32;
    carom_bounds_f64_fn *bounds_f64;
    carom_survey_f32_fn *survey_f32;
    carom_survey_f64_fn *survey_f64;
    carom_census_f32_fn *census_f32;
    carom_census_f64_fn *census_f64;
    carom_codes_f32_fn *codes_f32;
    carom_codes_f64_fn *codes_f64;
    carom_cell_lows_f32_fn *cell_lows_f32;
    carom_cell_lows_f64_fn *cell_lows_f64;
    carom_bin_keys_fn *bin_keys;
    carom_digit_histogram_u32_fn *digit_histogram_u32;
    carom_digit_histogram_u64_fn *digit_histogram_u64;
    carom_cell_boxes_f32_fn *cell_boxes_f32;
    carom_cell_boxes_f64_fn *cell_boxes_f64;
    carom_sweep_fn *sweep;
    carom_touch_f32_fn *touch_f32;
    carom_touch_f64_fn *touch_f64;
    carom_contact_f32_fn *contact_f32;
    carom_contact_f64_fn *contact_f64;
    carom_hulls_f32_fn *hulls_f32;
    carom_hulls_f64_fn *hulls_f64;
    carom_place_f32_fn *place_f32;
    carom_place_f64_fn *place_f64;
    carom_follow_f32_fn *follow_f32;
    carom_follow_f64_fn *follow_f64;
    carom_slot_boxes_f32_fn *slot_boxes_f32;
    carom_slot_boxes_f64_fn *slot_boxes_f64;
    carom_recheck_f32_fn *recheck_f32;
    carom_recheck_f64_fn *recheck_f64;
} carom_simd;

#endif
