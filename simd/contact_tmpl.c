/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Contacts of pairs: when they are closest and how close, when they first touch, where and along which normal. */
#include "simd/approach_limits.h"
#include "simd/approach_touches.h"
#include "simd/declare.h"

/* Rows go to eleven columns, more streams than the hardware follows by itself: their lines are asked for this many rows
 * ahead. */
enum { LANES = APPROACH_LANES, AHEAD = 64, LINE = 512 / CAROM_REAL_BITS };

typedef CAROM_REAL(carom_record) record;
typedef CAROM_REAL(carom_contact_rows) contact_rows;

/* Columns of LANES pairs, the lower body's first, and the bodies' numbers, which are field 7 of the records. */
#if CAROM_REAL_BITS == 32
/* Those of slot_i lie in the lower half of the lanes and those of slot_k in the upper: to swap a pair is to swap
 * halves. */
static inline void ordered_rows(const record *records, const uint32_t *slot_i, const uint32_t *slot_k, uint32_t *body_i,
                                uint32_t *body_k, vd i[7], vd k[7]) {
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
/* The numbers are the bits of subnormal doubles, in the same order. */
static inline void ordered_rows(const record *records, const uint32_t *slot_i, const uint32_t *slot_k, uint32_t *body_i,
                                uint32_t *body_k, vd i[7], vd k[7]) {
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

/* What tells the lanes in which doubles may have lost something. */
typedef struct remains {
    vd closest; /* |p + t v|^2 at the closest approach */
    vd impact;  /* and at the impact */
    vd point;   /* the sum of the point's coordinates */
} remains;

/* |p + t v|^2 and the vector itself. */
static inline vd square_at(const approach *x, vd time, vd at[3]) {
    for (int a = 0; a < 3; a++) {
        at[a] = vd_add(x->p[a], vd_mul(time, x->v[a]));
    }
    return vd_dot(at, at);
}

static inline void put_closest(const approach *x, const contact_rows *rows, uint64_t n, remains *left) {
    vd zero = vd_set1(0.0);
    vd at[3];
    vd time = vd_div(vd_sub(zero, x->b), x->a);
    time = vd_min(vd_max(time, zero), vd_set1(1.0));
    time = vd_select(vd_lt(zero, x->a), time, zero);
    left->closest = square_at(x, time, at);
    vd_store_real(rows->t_ca + n, time);
    vd_store_real(rows->distance + n, vd_sqrt(left->closest));
}

/* The first root as c / (-b + sqrt(discriminant)), which does not cancel, each taken at the end of its margin that
 * makes the time early. *rough: lanes where that makes it too early, or where it may be a simple number. */
static inline vd impact_time(const approach *x, vdm *rough) {
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

/* Returns the bits of lanes whose time is too rough. */
static inline uint32_t put_impact(const approach *x, vdm touches, const vd k[7], const contact_rows *rows, uint64_t n,
                                  remains *left) {
    vd zero = vd_set1(0.0);
    vdm rough;
    vd time = impact_time(x, &rough);
    vd at[3];
    vd point[3];
    left->impact = square_at(x, time, at);
    vd length = vd_sqrt(left->impact);
    vdm apart = vd_lt(zero, length);
    vd reach = vd_add(k[3], vd_mul(vd_sub(length, x->sum_radius), vd_set1(0.5)));
    for (int a = 0; a < 3; a++) {
        vd along = vd_select(apart, vd_div(at[a], length), vd_set1(a == 0 ? 1.0 : 0.0));
        vd centre = vd_add(k[a], vd_mul(time, vd_sub(k[4 + a], k[a])));
        point[a] = vd_add(centre, vd_mul(along, reach));
        vd_store_real(rows->normal[a] + n, vd_select(touches, along, zero));
        vd_store_real(rows->point[a] + n, vd_select(touches, point[a], zero));
    }
    left->point = vd_add(vd_add(point[0], point[1]), point[2]);
    vd_store_real(rows->t_toi + n, vd_select(touches, vd_time_real(time), vd_set1((double)NAN)));
    return vdm_bits(vdm_and(touches, rough));
}

#if CAROM_REAL_BITS == 64
static inline vdm is_large(vd square) {
    return vd_lt(vd_set1(CAROM_SQUARE_LEAST), square);
}

/* Lanes in which the components of p and v are zero or of ordinary size. */
static inline vdm has_ordinary_components(const approach *x) {
    vd least = vd_set1(CAROM_POINT_MOST);
    for (int a = 0; a < 3; a++) {
        vd p = vd_abs(x->p[a]);
        vd v = vd_abs(x->v[a]);
        least = vd_min(least, vd_select(vd_lt(vd_set1(0.0), p), p, least));
        least = vd_min(least, vd_select(vd_lt(vd_set1(0.0), v), v, least));
    }
    return vd_le(vd_set1(CAROM_COMPONENT_LEAST), least);
}

/* Lanes in which |p + t v|^2 is large, or 0 for the good reason. */
static inline vdm keeps_distance(const approach *x, const double *times, vdm ordinary) {
    vd at[3];
    vdm large = is_large(square_at(x, vd_load(times), at));
    return vdm_or(large, vdm_and(ordinary, vd_le(vd_manhattan(at), vd_set1(0.0))));
}

/* Bits of the lanes in which nothing is lost, whether or not squares are large. Out of line: bodies at rest and bodies
 * that meet head on come here, others hardly ever. */
static __attribute__((noinline)) uint32_t kept_with_zeros(const approach *x, vdm touches, vdm finite,
                                                          const contact_rows *rows, uint64_t n) {
    const vdm ordinary = has_ordinary_components(x);
    const vdm slopes = vdm_or(ordinary, vdm_and(is_large(x->a), is_large(vd_abs(x->b))));
    const vdm closest = vdm_and(vdm_and(approach_in_range(x), slopes), keeps_distance(x, rows->t_ca + n, ordinary));
    const vdm impact = vdm_and(finite, keeps_distance(x, rows->t_toi + n, ordinary));
    return vdm_bits(closest) & (vdm_bits(impact) | ~vdm_bits(touches));
}

/* Bits of the lanes in which doubles may have lost something: see simd/approach_limits.h. */
static inline uint32_t lost_lanes(const approach *x, vdm touches, const remains *left, const contact_rows *rows,
                                  uint64_t n) {
    const vd least = vd_min(vd_min(x->a, vd_abs(x->b)), left->closest);
    const vdm finite = vd_lt(vd_abs(left->point), vd_set1(CAROM_POINT_MOST));
    const vdm closest = vdm_and(approach_in_range(x), is_large(least));
    const vdm impact = vdm_and(is_large(left->impact), finite);
    const uint32_t kept = vdm_bits(closest) & (vdm_bits(impact) | ~vdm_bits(touches));
    if (__builtin_expect(kept == APPROACH_ALL, 1)) {
        return 0;
    }
    return APPROACH_ALL & ~kept_with_zeros(x, touches, finite, rows, n);
}
#else
/* Doubles lose nothing of floats: products of their differences are 0 or above 2^-300, and below 2^600. */
static inline uint32_t lost_lanes(const approach *x, vdm touches, const remains *left, const contact_rows *rows,
                                  uint64_t n) {
    (void)x;
    (void)touches;
    (void)left;
    (void)rows;
    (void)n;
    return 0;
}
#endif

static inline __attribute__((always_inline)) void fetch_rows(const contact_rows *rows, uint64_t n) {
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

void CAROM_KERNEL(contact)(const record *records, uint64_t begin, uint64_t end, const uint32_t *slot_i,
                           const uint32_t *slot_k, bool all_touch, const contact_rows *rows) {
    uint64_t n = begin;
    for (; n + LANES <= end; n += LANES) {
        vd i[7];
        vd k[7];
        if (n % LINE == 0) {
            fetch_rows(rows, n + AHEAD);
        }
        ordered_rows(records, slot_i + n, slot_k + n, rows->i + n, rows->k + n, i, k);
        approach x = approach_of(i, k);
        remains left;
        put_closest(&x, rows, n, &left);
        vdm touches = vdm_from_bits(all_touch ? APPROACH_ALL : approach_touches(&x, i, k, APPROACH_ALL));
        uint32_t again = put_impact(&x, touches, k, rows, n, &left);
        again |= lost_lanes(&x, touches, &left, rows, n);
        for (; __builtin_expect(again != 0, 0); again &= again - 1) {
            uint64_t at = n + (uint32_t)__builtin_ctz(again);
            CAROM_TWIN(contact)
            (records, at, at + 1, slot_i, slot_k, all_touch, rows); /* has exact and scaled arithmetic */
        }
    }
    CAROM_TWIN(contact)(records, n, end, slot_i, slot_k, all_touch, rows);
}
