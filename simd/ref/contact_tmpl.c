/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: t_ca = clamp(-b / a, 0, 1) and the distance |p + t_ca v|; t_toi = c / (-b + sqrt(discriminant)), made a
 * little smaller by the margins, or exact arithmetic's where rounding decides; normal and point at t_toi. */
#include <float.h>
#include <string.h>

#include "simd/approach_limits.h"
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/ref/approach.h"
#include "simd/ref/contact_scaled.h"

#define carom_contact_twin CAROM_TWIN(contact)

static double clamp_unit(double t) {
    t = t > 0.0 ? t : 0.0;
    return t < 1.0 ? t : 1.0;
}

/* Whether the margins hold. For f32 they hold wherever they are needed. */
static bool is_within(const approach *x) {
    return sizeof(carom_real) == sizeof(float) || approach_in_range(x);
}

/* Rounded down to the bits of a simple number (simd/margins.h). */
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

static double impact_time(const approach *x, const carom_record *i, const carom_record *k) {
    if (!is_within(x)) {
        return exact_time(i, k);
    }
    /* C, B and sqrt(D), each at the end of its margin that makes the time early. */
    double distance = manhattan(x->p);
    double margin = x->start * CAROM_MARGIN_FIRST;
    double slope_margin = margin + distance * path_length(x, distance) * CAROM_MARGIN_FIRST;
    double last = last_margin(x);
    double padded = x->discriminant + last;
    double root = sqrt(padded > 0.0 ? padded : 0.0);
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

/* Returns |p + t_ca v|^2. */
static double set_closest(const approach *x, contact *c) {
    double at[3];
    c->t_ca = x->a > 0.0 ? clamp_unit((0.0 - x->b) / x->a) : 0.0;
    double square = approach_at(x, c->t_ca, at);
    c->distance = sqrt(square);
    return square;
}

/* normal and point at t_toi. Returns |p + t_toi v|^2. */
static double set_impact(const approach *x, const carom_record *k, contact *c) {
    double at[3];
    double square = approach_at(x, c->t_toi, at);
    double length = sqrt(square);
    double reach = (double)k->radius + (length - x->sum_radius) * 0.5;
    for (int a = 0; a < 3; a++) {
        double prev = (double)k->prev[a];
        double along = length > 0.0 ? at[a] / length : (a == 0 ? 1.0 : 0.0);
        c->normal[a] = along;
        c->point[a] = prev + c->t_toi * ((double)k->curr[a] - prev) + along * reach;
    }
    return square;
}

static bool is_large(double square) {
    return CAROM_SQUARE_LEAST < square;
}

/* Whether the components of p and v are zero or of ordinary size. */
static bool is_ordinary(const approach *x) {
    bool ordinary = true;
    for (int a = 0; a < 3; a++) {
        ordinary &= x->p[a] == 0.0 || fabs(x->p[a]) >= CAROM_COMPONENT_LEAST;
        ordinary &= x->v[a] == 0.0 || fabs(x->v[a]) >= CAROM_COMPONENT_LEAST;
    }
    return ordinary;
}

/* Whether p + t v is exactly 0. */
static bool is_zero_at(const approach *x, double t) {
    double at[3];
    (void)approach_at(x, t, at);
    return is_ordinary(x) && at[0] == 0.0 && at[1] == 0.0 && at[2] == 0.0;
}

/* Whether doubles computed the contact as if their exponents had no limits: see simd/approach_limits.h. Squares are
 * |p + t v|^2. */
static bool is_kept(const approach *x, const contact *c, double closest_square, double impact_square) {
    bool slopes = (is_large(x->a) && is_large(fabs(x->b))) || manhattan(x->v) == 0.0 || is_ordinary(x);
    bool closest = is_large(closest_square) || is_zero_at(x, c->t_ca);
    bool impact = is_large(impact_square) || is_zero_at(x, c->t_toi);
    return is_within(x) && slopes && closest && impact;
}

/* Whether the motion of body k overflows on no axis. */
static bool moves_within_range(const carom_record *k) {
    double motion[3];
    for (int a = 0; a < 3; a++) {
        motion[a] = (double)k->curr[a] - (double)k->prev[a];
    }
    return isfinite(motion[0] + motion[1] + motion[2]);
}

/* Out of line: hardly ever needed. */
static __attribute__((noinline, cold)) contact scaled_contact(const carom_record *i, const carom_record *k,
                                                              double t_toi, bool within) {
    scaled_approach x = scaled_approach_of(i, k);
    contact c = {.t_toi = t_toi};
    scaled_closest(&x, &c);
    if (!isnan(t_toi)) {
        scaled_impact(&x, k, within, &c);
    }
    return c;
}

static contact contact_of(const carom_record *i, const carom_record *k, bool all_touch) {
    approach x = approach_of(i, k);
    bool touches = all_touch || approach_touches(&x, i, k);
    contact c = {.t_toi = touches ? impact_time(&x, i, k) : (double)NAN};
    double closest_square = set_closest(&x, &c);
    double impact_square = touches ? set_impact(&x, k, &c) : (double)INFINITY;
    bool in_range = !touches || moves_within_range(k);
    if (sizeof(carom_real) == sizeof(float) || (in_range && is_kept(&x, &c, closest_square, impact_square))) {
        return c;
    }
    return scaled_contact(i, k, c.t_toi, is_within(&x));
}

static void put_contact(const contact *c, const carom_contacts *rows, uint64_t n) {
    rows->t_ca[n] = (carom_real)c->t_ca;
    rows->distance[n] = (carom_real)c->distance;
    rows->t_toi[n] = isnan(c->t_toi) ? (carom_real)NAN : time_real(c->t_toi);
    for (int a = 0; a < 3; a++) {
        rows->normal[a][n] = (carom_real)c->normal[a];
        rows->point[a][n] = (carom_real)c->point[a];
    }
}

void carom_contact_twin(const carom_contact_in *in, const carom_contacts *rows) {
    CAROM_ASSERT(carom_check_contact(in));
    CAROM_ASSERT(in->begin == in->end || carom_check_rows(rows));
    const carom_record *records = in->records;
    const uint32_t *slot_i = in->slot_i;
    const uint32_t *slot_k = in->slot_k;
    for (uint64_t n = in->begin; n < in->end; n++) {
        bool ordered = records[slot_i[n]].body < records[slot_k[n]].body;
        const carom_record *i = &records[ordered ? slot_i[n] : slot_k[n]];
        const carom_record *k = &records[ordered ? slot_k[n] : slot_i[n]];
        contact c = contact_of(i, k, in->all_touch);
        rows->i[n] = (uint32_t)i->body;
        rows->k[n] = (uint32_t)k->body;
        put_contact(&c, rows, n);
    }
}
