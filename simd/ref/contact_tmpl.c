/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "simd/declare.h"
#include "simd/ref/approach.h"

typedef CAROM_REAL(carom_record) record;
typedef CAROM_REAL(carom_contact_rows) contact_rows;

static double clamp_unit(double t) {
    t = t > 0.0 ? t : 0.0;
    return t < 1.0 ? t : 1.0;
}

/* |p + t v| and the vector itself. */
static double separation(const approach *x, double t, double at[3]) {
    for (int a = 0; a < 3; a++) {
        at[a] = x->p[a] + t * x->v[a];
    }
    return sqrt(dot(at, at));
}

static void put_closest(const approach *x, const contact_rows *rows, uint64_t n) {
    double at[3];
    double time = x->a > 0.0 ? clamp_unit((0.0 - x->b) / x->a) : 0.0;
    rows->t_ca[n] = (carom_real)time;
    rows->distance[n] = (carom_real)separation(x, time, at);
}

static double impact_time(const approach *x) {
    if (x->c <= 0.0) {
        return 0.0;
    }
    double time = x->c / (sqrt(x->discriminant > 0.0 ? x->discriminant : 0.0) - x->b);
    return time < 1.0 ? time : 1.0;
}

static void put_impact(const approach *x, const record *k, const contact_rows *rows, uint64_t n) {
    double at[3];
    double time = impact_time(x);
    double length = separation(x, time, at);
    double reach = (double)k->radius + (length - x->sum_radius) * 0.5;
    for (int a = 0; a < 3; a++) {
        double along = length > 0.0 ? at[a] / length : (a == 0 ? 1.0 : 0.0);
        double centre = (double)k->prev[a] + time * ((double)k->curr[a] - (double)k->prev[a]);
        rows->normal[a][n] = (carom_real)along;
        rows->point[a][n] = (carom_real)(centre + along * reach);
    }
    rows->t_toi[n] = (carom_real)time;
}

static void put_no_impact(const contact_rows *rows, uint64_t n) {
    for (int a = 0; a < 3; a++) {
        rows->normal[a][n] = 0;
        rows->point[a][n] = 0;
    }
    rows->t_toi[n] = (carom_real)NAN;
}

void CAROM_TWIN(contact)(const record *records, uint64_t begin, uint64_t end, const uint32_t *slot_i,
                         const uint32_t *slot_k, const contact_rows *rows) {
    for (uint64_t n = begin; n < end; n++) {
        bool ordered = records[slot_i[n]].body < records[slot_k[n]].body;
        const record *i = &records[ordered ? slot_i[n] : slot_k[n]];
        const record *k = &records[ordered ? slot_k[n] : slot_i[n]];
        approach x = approach_of(i, k);
        rows->i[n] = (uint32_t)i->body;
        rows->k[n] = (uint32_t)k->body;
        put_closest(&x, rows, n);
        if (approach_touches(&x)) {
            put_impact(&x, k, rows, n);
        } else {
            put_no_impact(rows, n);
        }
    }
}
