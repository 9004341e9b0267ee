/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The contracts of simd/kernel_list.h as functions: arguments of kernels come in, and whether a condition holds goes
 * out. Kernels and twins call them through CAROM_ASSERT only, so a release build has none of them. Some walk whole
 * arrays, in time proportional to their length. */
#ifndef CAROM_SIMD_CHECK_H
#define CAROM_SIMD_CHECK_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/check/assert.h"
#include "simd/kernels.h"
#ifdef CAROM_REAL_BITS
#include "simd/layout.h"
#endif

/* The largest float up to which all integers are floats. */
#define CAROM_CHECK_WHOLE 0x1p24F

/* [begin, end) lies in [0, count). */
static inline bool carom_check_range(uint64_t begin, uint64_t end, uint64_t count) {
    return begin <= end && end <= count;
}

/* The arrays have no byte in common. */
static inline bool carom_check_apart(const void *a, uint64_t bytes_a, const void *b, uint64_t bytes_b) {
    const uintptr_t start_a = (uintptr_t)a;
    const uintptr_t start_b = (uintptr_t)b;
    return start_a + bytes_a <= start_b || start_b + bytes_b <= start_a;
}

/* A list that is packed to the left overwrites only what has been read: `out` starts at or before the input, or behind
 * its `count` elements. */
static inline bool carom_check_packs_left(const uint32_t *out, const uint32_t *in, uint32_t count) {
    return out != NULL && in != NULL && ((uintptr_t)out <= (uintptr_t)in || (uintptr_t)out >= (uintptr_t)(in + count));
}

/* Three finite coordinates. */
static inline bool carom_check_point(const double point[3]) {
    return point != NULL && isfinite(point[0]) && isfinite(point[1]) && isfinite(point[2]);
}

/* All six sides of the boxes of elements [begin, end) are there. */
static inline bool carom_check_sides(float *const lo[3], float *const hi[3]) {
    return lo[0] != NULL && lo[1] != NULL && lo[2] != NULL && hi[0] != NULL && hi[1] != NULL && hi[2] != NULL;
}

/* slot[n] < limit for n in [begin, end). */
static inline bool carom_check_slots(const uint32_t *slot, uint64_t begin, uint64_t end, uint64_t limit) {
    bool good = true;
    for (uint64_t n = begin; n < end; n++) {
        good = good && slot[n] < limit;
    }
    return good;
}

/* Each value is at least the one before; none is NaN. */
static inline bool carom_check_ascending(const float *value, uint32_t count) {
    bool good = true;
    for (uint32_t n = 1; n < count; n++) {
        good = good && value[n - 1] <= value[n];
    }
    return good;
}

/* What is clamped to [0, last] becomes an integer. */
static inline bool carom_check_bins(const carom_bins *bins) {
    return bins->axis < 3 && bins->scale >= 0.0F && bins->last >= 0.0F && bins->last < CAROM_CHECK_WHOLE;
}

/* Codes are sums that float holds exactly. */
static inline bool carom_check_grid(const carom_grid *grid) {
    bool good = grid->wide_code >= 0.0F && grid->wide_code < CAROM_CHECK_WHOLE;
    for (int a = 0; a < 3; a++) {
        good = good && grid->columns[a] >= 1 && grid->scale[a] >= 0.0F && grid->last[a] < (float)grid->columns[a];
    }
    return good;
}

/* Each digit of a pass is a number in [0, mask], and its bits lie in the key. */
static inline bool carom_check_digits(uint32_t shift, uint32_t mask, uint32_t key_bits) {
    return mask < CAROM_DIGITS_MAX && (mask & (mask + 1)) == 0 && shift < key_bits;
}

/* The sweep continues at a pair of entries, or is done. */
static inline bool carom_check_cursor(const carom_sweep_cursor *cursor, const carom_boxes *boxes) {
    return cursor->i <= cursor->stop && cursor->stop <= boxes->count && cursor->k > cursor->i;
}

/* There is room for a row at least. */
static inline bool carom_check_direct_rows(const carom_direct_rows *rows, uint32_t capacity) {
    return rows->next <= rows->end && rows->end - rows->next + CAROM_SIMD_PAD <= capacity;
}

/* Entries are swept up to an end among them, and NaN follows them. */
static inline bool carom_check_boxes(const carom_boxes *boxes) {
    bool good = true;
    for (uint32_t n = 0; n < boxes->count; n++) {
        good = good && boxes->end[n] <= boxes->count;
    }
    for (uint32_t n = boxes->count; n < boxes->count + CAROM_SIMD_PAD; n++) {
        good = good && isnan(boxes->lo[0][n]) && isnan(boxes->hi[0][n]);
    }
    return good;
}

/* The bodies are candidates, and NaN follows these. */
static inline bool carom_check_box_hits(const carom_box_hits_in *in) {
    bool good = in->begin <= in->end && in->end <= in->count;
    for (uint32_t n = in->count; n < in->count + CAROM_SIMD_PAD; n++) {
        good = good && isnan(in->of.lo[0][n]) && isnan(in->of.hi[0][n]);
    }
    return good;
}

/* All sides are there. They may have any values: a fat box may be infinite. */
static inline bool carom_check_fat_boxes(const carom_fat_box_set *fat_boxes) {
    bool good = carom_check_point(fat_boxes->centre);
    for (int a = 0; a < 3; a++) {
        good = good && fat_boxes->lo[a] != NULL && fat_boxes->hi[a] != NULL;
        if (fat_boxes->inner != NULL) {
            good = good && fat_boxes->inner->lo[a] != NULL && fat_boxes->inner->hi[a] != NULL &&
                   fat_boxes->inner->step[a] >= 0.0F;
        }
    }
    return good;
}

#ifdef CAROM_REAL_BITS
/* Bodies [begin, end) are there; they may have any values. Without a radius they are points, as bodies with shapes are
 * for the search. */
static inline bool carom_check_bodies(const carom_bodies *bodies, uint64_t begin, uint64_t end) {
    bool good = carom_check_range(begin, end, bodies->count);
    for (int a = 0; a < 3; a++) {
        good = good && (begin == end || (bodies->prev[a] != NULL && bodies->curr[a] != NULL));
    }
    return good;
}

/* A valid body: what detection has checked before it makes records. */
static inline bool carom_check_record(const carom_record *record) {
    bool good = isfinite(record->radius) && record->radius >= 0;
    for (int a = 0; a < 3; a++) {
        good = good && isfinite(record->prev[a]) && isfinite(record->curr[a]);
    }
    return good;
}

/* The values of bodies [begin, end) are valid. */
static inline bool carom_check_finite(const carom_bodies *bodies, uint64_t begin, uint64_t end) {
    bool good = true;
    for (uint64_t n = begin; n < end; n++) {
        const carom_record body = carom_layout_body(bodies, n);
        good = good && carom_check_record(&body);
    }
    return good;
}

/* Records [begin, end) are valid. */
static inline bool carom_check_records(const carom_record *records, uint64_t begin, uint64_t end) {
    bool good = begin <= end;
    for (uint64_t n = begin; n < end; n++) {
        good = good && carom_check_record(&records[n]);
    }
    return good;
}

/* The records at slot[begin .. end) are valid. */
static inline bool carom_check_named(const carom_record *records, const uint32_t *slot, uint64_t begin, uint64_t end) {
    bool good = begin <= end;
    for (uint64_t n = begin; n < end; n++) {
        good = good && carom_check_record(&records[slot[n]]);
    }
    return good;
}

/* All eleven columns are there. */
static inline bool carom_check_rows(const carom_contacts *rows) {
    bool good = rows->i != NULL && rows->k != NULL && rows->t_ca != NULL && rows->distance != NULL;
    for (int a = 0; a < 3; a++) {
        good = good && rows->normal[a] != NULL && rows->point[a] != NULL;
    }
    return good && rows->t_toi != NULL;
}

/* Slots are read up to `known`. There is a record for each body. */
static inline bool carom_check_place(const carom_place_in *in) {
    return carom_check_bodies(in->bodies, in->begin, in->end) &&
           carom_check_range(in->end, in->known, in->bodies->count) &&
           carom_check_slots(in->slot, in->begin, in->known, in->bodies->count);
}

/* There is a fat box and a slot for each body. */
static inline bool carom_check_follow(const carom_follow_in *in) {
    return carom_check_bodies(in->bodies, in->begin, in->end) && carom_check_fat_boxes(in->fat_boxes) &&
           carom_check_slots(in->slot, in->begin, in->end, in->bodies->count);
}

/* Every record is valid, or hidden by a radius of -inf. */
static inline bool carom_check_shown(const carom_record *records, const uint32_t *slot, uint32_t count) {
    bool good = true;
    for (uint32_t n = 0; n < count; n++) {
        carom_record record = records[slot[n]];
        record.radius = isinf(record.radius) && record.radius < 0 ? 0 : record.radius;
        good = good && carom_check_record(&record);
    }
    return good;
}

/* Both records of every pair are valid or hidden. */
static inline bool carom_check_recheck(const carom_recheck_in *in) {
    return carom_check_point(in->centre) && carom_check_shown(in->records, in->slot_i, in->count) &&
           carom_check_shown(in->records, in->slot_k, in->count);
}

/* No output overlaps an input of its kind. */
static inline bool carom_check_recheck_out(const carom_recheck_in *in, const carom_recheck_out *out) {
    const uint64_t list = in->count * sizeof(uint32_t);
    const uint64_t bits = (in->count + UINT64_C(7)) / 8;
    return carom_check_apart(out->slot_i, list, in->slot_i, list) &&
           carom_check_apart(out->slot_k, list, in->slot_k, list) &&
           carom_check_apart(out->slot_i, list, out->slot_k, list) &&
           carom_check_apart(out->overlapping, bits, out->touching, bits);
}

static inline bool carom_check_contact(const carom_contact_in *in) {
    return carom_check_named(in->records, in->slot_i, in->begin, in->end) &&
           carom_check_named(in->records, in->slot_k, in->begin, in->end);
}
#endif

#endif
