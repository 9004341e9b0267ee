/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: t_ca = clamp(-b / a, 0, 1) and the distance |p + t_ca v|; t_toi = c / (-b + sqrt(discriminant)), made a
 * little smaller by the margins, or exact arithmetic's where rounding decides; normal and point at t_toi. */
#include <float.h>
#include <string.h>

#include "simd/check.h"
#include "simd/declare.h"
#include "simd/ref/approach.h"

#define carom_contact_twin CAROM_TWIN(contact)

static double clamp_unit(double t) {
    t = t > 0.0 ? t : 0.0;
    return t < 1.0 ? t : 1.0;
}

/* x 2^exponent. */
static double times_unit(double x, int exponent) {
    return exponent == 0 ? x : scalbn(x, exponent);
}

static void put_closest(const approach *x, int unit, const carom_contact_rows *rows, uint64_t n) {
    double at[3];
    double time = x->a > 0.0 ? clamp_unit((0.0 - x->b) / x->a) : 0.0;
    rows->t_ca[n] = (carom_real)time;
    rows->distance[n] = (carom_real)times_unit(approach_at(x, time, at), unit);
}

static double few_bits(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= CAROM_TIME_BITS;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static double exact_time(const carom_record *i, const carom_record *k) {
    double fields[2][7];
    exact_fields(i, fields[0]);
    exact_fields(k, fields[1]);
    return carom_exact_time(fields[0], fields[1]);
}

static double impact_time(const approach *x, int unit, const carom_record *i, const carom_record *k) {
    double distance = manhattan(x->p);
    double margin = x->start * CAROM_MARGIN_FIRST;
    double slope_margin = margin + distance * path_length(x, distance) * CAROM_MARGIN_FIRST;
    double last = last_margin(x);
    double padded = x->discriminant + last;
    double root = sqrt(padded > 0.0 ? padded : 0.0);
    if (unit != 0) {
        return exact_time(i, k);
    }
    if (!(margin < x->c)) {
        return 0.0;
    }
    double time = (x->c - margin) / ((slope_margin - x->b) + root) * CAROM_MARGIN_TIME;
    bool grazing = slope_margin * root * CAROM_MARGIN_ROOT < last;
    return grazing || time < few_bits(time * CAROM_TIME_ABOVE) ? exact_time(i, k) : time;
}

/* A time in [0, 1] as it is stored: floats are rounded down, to 0 below their normal range. */
static carom_real time_real(double time) {
    if (sizeof(carom_real) == sizeof(double)) {
        return (carom_real)time;
    }
    return time < (double)FLT_MIN ? 0 : (carom_real)few_bits(time);
}

/* Body k at a time. Where values are out of range their differences may be so too. */
static double centre_at(const carom_record *k, int a, double time, int unit) {
    double prev = (double)k->prev[a];
    double curr = (double)k->curr[a];
    return unit == 0 ? prev + time * (curr - prev) : prev - time * prev + time * curr;
}

static void put_impact(const approach *x, int unit, const carom_record *i, const carom_record *k,
                       const carom_contact_rows *rows, uint64_t n) {
    double at[3];
    double time = impact_time(x, unit, i, k);
    double length = approach_at(x, time, at);
    double reach = (double)k->radius + times_unit((length - x->sum_radius) * 0.5, unit);
    for (int a = 0; a < 3; a++) {
        double along = length > 0.0 ? at[a] / length : (a == 0 ? 1.0 : 0.0);
        rows->normal[a][n] = (carom_real)along;
        rows->point[a][n] = (carom_real)(centre_at(k, a, time, unit) + along * reach);
    }
    rows->t_toi[n] = time_real(time);
}

static void put_no_impact(const carom_contact_rows *rows, uint64_t n) {
    for (int a = 0; a < 3; a++) {
        rows->normal[a][n] = 0;
        rows->point[a][n] = 0;
    }
    rows->t_toi[n] = (carom_real)NAN;
}

void carom_contact_twin(const carom_contact_in *in, const carom_contact_rows *rows) {
    CAROM_ASSERT(carom_check_contact(in));
    CAROM_ASSERT(in->begin == in->end || carom_check_rows(rows));
    const carom_record *records = in->records;
    const uint32_t *slot_i = in->slot_i;
    const uint32_t *slot_k = in->slot_k;
    for (uint64_t n = in->begin; n < in->end; n++) {
        bool ordered = records[slot_i[n]].body < records[slot_k[n]].body;
        const carom_record *i = &records[ordered ? slot_i[n] : slot_k[n]];
        const carom_record *k = &records[ordered ? slot_k[n] : slot_i[n]];
        approach x = approach_of(i, k);
        bool touches = in->all_touch || approach_touches(&x, i, k);
        int unit = approach_choose_unit(&x, i, k);
        rows->i[n] = (uint32_t)i->body;
        rows->k[n] = (uint32_t)k->body;
        put_closest(&x, unit, rows, n);
        if (touches) {
            put_impact(&x, unit, i, k, rows, n);
        } else {
            put_no_impact(rows, n);
        }
    }
}
