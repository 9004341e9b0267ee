/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Contacts: slots of pairs come in; a row for each goes out: when the bodies are closest and how close, when they first
 * touch, where, and along which normal. All of it is computed in double, in both precisions, APPROACH_LANES pairs at a
 * time. Pairs whose time would be too rough, or whose numbers leave the range of doubles, are found by masks and
 * computed again by the twin, which has the exact and the scaled arithmetic. */
#include "simd/approach_limits.h"
#include "simd/approach_touches.h"
#include "simd/check.h"
#include "simd/declare.h"

#define carom_contact CAROM_KERNEL(contact)
#define carom_contact_twin CAROM_TWIN(contact)

/* Rows go to eleven columns, more streams than the hardware prefetches by itself: their lines are prefetched this many
 * rows ahead. LINE is the number of rows in a cache line of 512 bits. */
enum { LANES = APPROACH_LANES, AHEAD = 64, LINE = 512 / CAROM_REAL_BITS };

/* ordered_fields loads the fields of LANES pairs, the lower body as i, and stores the numbers of the bodies, which are
 * field 7 of the records. */
#if CAROM_REAL_BITS == 32
/* Those of slot_i lie in the lower half of the lanes and those of slot_k in the upper: to swap a pair is to swap
 * halves. */
static inline void ordered_fields(const carom_record *records, const uint32_t *slot_i, const uint32_t *slot_k,
                                  uint32_t *body_i, uint32_t *body_k, vd i[7], vd k[7]) {
    vf field[8];
    vf_rows_of_two((const float *)(const void *)records, slot_i, slot_k, field);
    vi body = vf_bits(field[7]);
    vfm swap = vi_less(vi_high_twice(body), vi_low_twice(body));
    for (int n = 0; n < 8; n++) {
        field[n] = vf_select(swap, vf_swap_halves(field[n]), field[n]);
    }
    for (int n = 0; n < 7; n++) {
        i[n] = vd_from_low(field[n]);
        k[n] = vd_from_high(field[n]);
    }
    vi_store_halves(body_i, body_k, vf_bits(field[7]));
}
#else
/* A number, read as a double, is subnormal, and such doubles compare as the numbers do. */
static inline void ordered_fields(const carom_record *records, const uint32_t *slot_i, const uint32_t *slot_k,
                                  uint32_t *body_i, uint32_t *body_k, vd i[7], vd k[7]) {
    vd a[8];
    vd b[8];
    vd_rows(records, slot_i, a);
    vd_rows(records, slot_k, b);
    vdm swap = vd_lt(b[7], a[7]);
    for (int n = 0; n < 7; n++) {
        i[n] = vd_select(swap, b[n], a[n]);
        k[n] = vd_select(swap, a[n], b[n]);
    }
    vd_store_words(body_i, vd_select(swap, b[7], a[7]));
    vd_store_words(body_k, vd_select(swap, a[7], b[7]));
}
#endif

/* |p + t v|^2 at two times, squares of lengths, >= 0. inexact_lanes compares them with the limits. */
typedef struct squares {
    vd closest; /* at t_ca */
    vd impact;  /* at t_toi; NaN if the motion of body k overflows */
} squares;

/* |p + t v|^2, and the vector itself. */
static inline vd square_at(const approach_lanes *x, vd time, vd at[3]) {
    for (int a = 0; a < 3; a++) {
        at[a] = vd_add(x->p[a], vd_mul(time, x->v[a]));
    }
    return vd_dot(at, at);
}

/* t_ca = -B / A, clamped to the step. Bodies at rest to each other (A = 0) are closest at 0. */
static inline vd closest_time(const approach_lanes *x) {
    vd zero = vd_set1(0.0);
    vd time = vd_div(vd_sub(zero, x->b), x->a);
    time = vd_min(vd_max(time, zero), vd_set1(1.0));
    return vd_select(vd_lt(zero, x->a), time, zero);
}

/* t_ca, and the distance then. `rest`: all pairs are at rest to each other. */
static inline void put_closest(const approach_lanes *x, const carom_contacts *rows, uint64_t n, bool rest,
                               squares *at_times) {
    vd at[3];
    const vd time = rest ? vd_set1(0.0) : closest_time(x);
    at_times->closest = square_at(x, time, at);
    vd_store_real(rows->t_ca + n, time);
    vd_store_real(rows->distance + n, vd_sqrt(at_times->closest));
}

/* The first root as C / (-B + sqrt(D)), which does not cancel, with each of the three at the end of its margin that
 * makes the time early (simd/margins.h). *rough: lanes where that may be too early: near a graze, or just below a
 * simple number. */
static inline vd impact_time(const approach_lanes *x, vdm *rough) {
    vd zero = vd_set1(0.0);
    vd distance = vd_manhattan(x->p);
    vd path = approach_path(x, distance);
    vd margin = vd_mul(x->start, vd_set1(CAROM_MARGIN_FIRST));
    vd slope_margin = vd_add(margin, vd_mul(vd_mul(distance, path), vd_set1(CAROM_MARGIN_FIRST)));
    vd last = approach_last_margin(x, distance, path);
    vd root = vd_sqrt(vd_max(vd_add(x->discriminant, last), zero));
    vd time = vd_div(vd_sub(x->c, margin), vd_add(vd_sub(slope_margin, x->b), root));
    time = vd_mul(time, vd_set1(CAROM_MARGIN_TIME));
    vdm apart = vd_lt(margin, x->c);
    vdm grazing = vd_lt(vd_mul(vd_mul(slope_margin, root), vd_set1(CAROM_MARGIN_ROOT)), last);
    vd above = vd_mask(vd_mul(time, vd_set1(CAROM_TIME_ABOVE)), CAROM_TIME_BITS);
    *rough = vdm_and(apart, vdm_or(grazing, vd_lt(time, above)));
    return vd_select(apart, time, zero);
}

/* t_toi, normal and point. Bodies at the same place get the normal 1, 0, 0. The point is on the axis of the centres, in
 * the middle of the rounding gap between the surfaces. Returns the bits of touching lanes whose time is too rough: none
 * of bodies at rest, which touch at 0. */
static inline uint32_t put_impact(const approach_lanes *x, vdm touches, const vd k[7], const carom_contacts *rows,
                                  uint64_t n, bool rest, squares *at_times) {
    vd zero = vd_set1(0.0);
    vdm rough = vd_lt(zero, zero);
    vd time = rest ? zero : impact_time(x, &rough);
    vd at[3];
    vd motion_sum = zero;
    at_times->impact = square_at(x, time, at);
    vd length = vd_sqrt(at_times->impact);
    vdm apart = vd_lt(zero, length);
    vd reach = vd_add(k[3], vd_mul(vd_sub(length, x->sum_radius), vd_set1(0.5)));
    for (int a = 0; a < 3; a++) {
        vd along = vd_select(apart, vd_div(at[a], length), vd_set1(a == 0 ? 1.0 : 0.0));
        vd motion = vd_sub(k[4 + a], k[a]);
        vd centre = vd_add(k[a], vd_mul(time, motion));
        vd point = vd_add(centre, vd_mul(along, reach));
        motion_sum = a == 0 ? motion : vd_add(motion_sum, motion);
        vd_store_real(rows->normal[a] + n, vd_select(touches, along, zero));
        vd_store_real(rows->point[a] + n, vd_select(touches, point, zero));
    }
    at_times->impact = vd_add(at_times->impact, vd_mul(motion_sum, zero)); /* NaN if the sum is not finite */
    vd_store_real(rows->t_toi + n, vd_select(touches, vd_time_real(time), vd_set1((double)NAN)));
    return vdm_bits(vdm_and(touches, rough));
}

#if CAROM_REAL_BITS == 64
static inline vdm is_large(vd square) {
    return vd_lt(vd_set1(CAROM_SQUARE_LEAST), square);
}

/* Lanes in which all components of p and v are 0 or of ordinary size. */
static inline vdm is_ordinary(const approach_lanes *x) {
    vd least = vd_set1(CAROM_COMPONENT_LEAST);
    for (int a = 0; a < 3; a++) {
        vd p = vd_abs(x->p[a]);
        vd v = vd_abs(x->v[a]);
        least = vd_min(least, vd_select(vd_lt(vd_set1(0.0), p), p, least));
        least = vd_min(least, vd_select(vd_lt(vd_set1(0.0), v), v, least));
    }
    return vd_le(vd_set1(CAROM_COMPONENT_LEAST), least);
}

static inline vdm is_zero(const vd x[3]) {
    return vd_le(vd_manhattan(x), vd_set1(0.0));
}

/* Lanes in which p + t v is exactly 0. */
static inline vdm is_zero_at(const approach_lanes *x, const double *times) {
    vd at[3];
    (void)square_at(x, vd_load(times), at);
    return vdm_and(is_ordinary(x), is_zero(at));
}

/* Bits of the lanes in which no result has lost digits although some square is small: the "or if" cases of
 * simd/approach_limits.h. Out of line: bodies at rest come here, and bodies that meet head on; others hardly ever. */
static __attribute__((noinline)) uint32_t exact_although_small(const approach_lanes *x, vd closest_square,
                                                               vd impact_square, vdm touches,
                                                               const carom_contacts *rows, uint64_t n) {
    const uint32_t apart = APPROACH_ALL & ~vdm_bits(touches);
    vdm slopes = vdm_or(is_zero(x->v), is_large(vd_min(x->a, vd_abs(x->b))));
    vdm closest = is_large(closest_square);
    vdm impact = is_large(impact_square);
    if ((vdm_bits(vdm_and(slopes, closest)) & (vdm_bits(impact) | apart)) != APPROACH_ALL) {
        const vdm finite = vd_le(vd_set1(0.0), impact_square);
        slopes = vdm_or(slopes, is_ordinary(x));
        closest = vdm_or(closest, is_zero_at(x, rows->t_ca + n));
        impact = vdm_or(impact, vdm_and(finite, is_zero_at(x, rows->t_toi + n)));
    }
    return vdm_bits(vdm_and(approach_in_range(x), vdm_and(slopes, closest))) & (vdm_bits(impact) | apart);
}

/* Bits of the lanes in which a result may have lost digits to overflow or underflow (simd/approach_limits.h). */
static inline uint32_t inexact_lanes(const approach_lanes *x, squares at_times, vdm touches, const carom_contacts *rows,
                                     uint64_t n) {
    const vd least = vd_min(vd_min(x->a, vd_abs(x->b)), at_times.closest);
    /* vd_min returns its second argument if that is NaN. */
    const vdm kept = vdm_and(approach_in_range(x), is_large(vd_min(least, at_times.impact)));
    if (__builtin_expect(vdm_bits(kept) == APPROACH_ALL, 1)) {
        return 0;
    }
    return APPROACH_ALL & ~exact_although_small(x, at_times.closest, at_times.impact, touches, rows, n);
}
#else
/* f32 pairs are always within the limits. */
static inline uint32_t inexact_lanes(const approach_lanes *x, squares at_times, vdm touches, const carom_contacts *rows,
                                     uint64_t n) {
    (void)x;
    (void)at_times;
    (void)touches;
    (void)rows;
    (void)n;
    return 0;
}
#endif

static inline __attribute__((always_inline)) void fetch_rows(const carom_contacts *rows, uint64_t n) {
    __builtin_prefetch(rows->i + n, 1);
    __builtin_prefetch(rows->k + n, 1);
    __builtin_prefetch(rows->t_ca + n, 1);
    __builtin_prefetch(rows->distance + n, 1);
    __builtin_prefetch(rows->t_toi + n, 1);
    for (int a = 0; a < 3; a++) {
        __builtin_prefetch(rows->normal[a] + n, 1);
        __builtin_prefetch(rows->point[a] + n, 1);
    }
}

/* Pairs [begin, end) by the twin: the tail, and the lanes to be computed again. */
static void contact_singly(const carom_contact_in *in, uint64_t begin, uint64_t end, const carom_contacts *rows) {
    carom_contact_in some = *in;
    some.begin = begin;
    some.end = end;
    carom_contact_twin(&some, rows);
}

/* Rows of LANES pairs. Returns the bits of those that the twin is to compute again. */
static inline __attribute__((always_inline)) uint32_t put_rows(const approach_lanes *x, vdm touches, const vd k[7],
                                                               const carom_contacts *rows, uint64_t n, bool rest) {
    squares at_times;
    put_closest(x, rows, n, rest, &at_times);
    const uint32_t rough = put_impact(x, touches, k, rows, n, rest, &at_times);
    return rough | inexact_lanes(x, at_times, touches, rows, n);
}

/* Without the roots and quotients of bodies that move. */
static __attribute__((noinline)) uint32_t put_resting(const approach_lanes *x, vdm touches, const vd k[7],
                                                      const carom_contacts *rows, uint64_t n) {
    return put_rows(x, touches, k, rows, n, true);
}

void carom_contact(const carom_contact_in *in, const carom_contacts *rows) {
    CAROM_ASSERT(carom_check_contact(in));
    CAROM_ASSERT(in->begin == in->end || carom_check_rows(rows));
    const carom_record *records = in->records;
    const uint32_t *slot_i = in->slot_i;
    const uint32_t *slot_k = in->slot_k;
    const bool all_touch = in->all_touch;
    const uint64_t end = in->end;
    uint64_t n = in->begin;
    for (; n + LANES <= end; n += LANES) {
        vd i[7];
        vd k[7];
        if (n % LINE == 0) {
            fetch_rows(rows, n + AHEAD);
        }
        ordered_fields(records, slot_i + n, slot_k + n, rows->i + n, rows->k + n, i, k);
        approach_lanes x = approach_of(i, k);
        vdm touches = vdm_from_bits(all_touch ? APPROACH_ALL : approach_touches(&x, i, k, APPROACH_ALL));
        const bool rest = vdm_bits(vd_le(vd_manhattan(x.v), vd_set1(0.0))) == APPROACH_ALL;
        uint32_t again = rest ? put_resting(&x, touches, k, rows, n) : put_rows(&x, touches, k, rows, n, false);
        for (; __builtin_expect(again != 0, 0); again &= again - 1) {
            uint64_t at = n + (uint32_t)__builtin_ctz(again);
            contact_singly(in, at, at + 1, rows);
        }
    }
    contact_singly(in, n, end, rows);
}
