/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Contacts of pairs: when they are closest and how close, when they first touch, where and along which normal. */
#include "simd/approach.h"
#include "simd/declare.h"

enum { LANES = CAROM_LANES / 2 };

typedef CAROM_REAL(carom_record) record;
typedef CAROM_REAL(carom_contact_rows) contact_rows;

/* Slots of LANES pairs with the lower body first; writes the bodies' numbers. */
static inline void order_pairs(const record *records, const uint32_t *slot_i, const uint32_t *slot_k, uint32_t *body_i,
                               uint32_t *body_k, uint32_t first[LANES], uint32_t second[LANES]) {
    for (int l = 0; l < LANES; l++) {
        uint32_t a = (uint32_t)records[slot_i[l]].body;
        uint32_t b = (uint32_t)records[slot_k[l]].body;
        first[l] = a < b ? slot_i[l] : slot_k[l];
        second[l] = a < b ? slot_k[l] : slot_i[l];
        body_i[l] = a < b ? a : b;
        body_k[l] = a < b ? b : a;
    }
}

static inline void put_closest(const approach *x, const contact_rows *rows, uint64_t n) {
    vd zero = vd_set1(0.0);
    vd time = vd_div(vd_sub(zero, x->b), x->a);
    time = vd_min(vd_max(time, zero), vd_set1(1.0));
    time = vd_select(vd_lt(zero, x->a), time, zero);
    vd at[3];
    for (int a = 0; a < 3; a++) {
        at[a] = vd_add(x->p[a], vd_mul(time, x->v[a]));
    }
    vd_store_real(rows->t_ca + n, time);
    vd_store_real(rows->distance + n, vd_sqrt(vd_dot(at, at)));
}

/* The first root as c / (-b + sqrt(discriminant)), which does not cancel. */
static inline vd impact_time(const approach *x) {
    vd zero = vd_set1(0.0);
    vd root = vd_sqrt(vd_max(x->discriminant, zero));
    vd time = vd_min(vd_div(x->c, vd_sub(root, x->b)), vd_set1(1.0));
    return vd_select(vd_le(x->c, zero), zero, time);
}

static inline void put_impact(const approach *x, const vd k[7], const contact_rows *rows, uint64_t n) {
    vd zero = vd_set1(0.0);
    vdm touches = approach_touches(x);
    vd time = impact_time(x);
    vd at[3];
    for (int a = 0; a < 3; a++) {
        at[a] = vd_add(x->p[a], vd_mul(time, x->v[a]));
    }
    vd length = vd_sqrt(vd_dot(at, at));
    vdm apart = vd_lt(zero, length);
    vd reach = vd_add(k[3], vd_mul(vd_sub(length, x->sum_radius), vd_set1(0.5)));
    for (int a = 0; a < 3; a++) {
        vd along = vd_select(apart, vd_div(at[a], length), vd_set1(a == 0 ? 1.0 : 0.0));
        vd centre = vd_add(k[a], vd_mul(time, vd_sub(k[4 + a], k[a])));
        vd point = vd_add(centre, vd_mul(along, reach));
        vd_store_real(rows->normal[a] + n, vd_select(touches, along, zero));
        vd_store_real(rows->point[a] + n, vd_select(touches, point, zero));
    }
    vd_store_real(rows->t_toi + n, vd_select(touches, time, vd_set1((double)NAN)));
}

void CAROM_KERNEL(contact)(const record *records, uint64_t begin, uint64_t end, const uint32_t *slot_i,
                           const uint32_t *slot_k, const contact_rows *rows) {
    uint64_t n = begin;
    for (; n + LANES <= end; n += LANES) {
        uint32_t first[LANES];
        uint32_t second[LANES];
        vd i[7];
        vd k[7];
        order_pairs(records, slot_i + n, slot_k + n, rows->i + n, rows->k + n, first, second);
        vd_rows(records, first, i);
        vd_rows(records, second, k);
        approach x = approach_of(i, k);
        put_closest(&x, rows, n);
        put_impact(&x, k, rows, n);
    }
    CAROM_TWIN(contact)(records, n, end, slot_i, slot_k, rows);
}
