/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/oracle/fields.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

enum { BITS = 320, MANTISSA_BITS = 53 };

static void each_number(fields *f, void (*apply)(mpf_t)) {
    for (int a = 0; a < 3; a++) {
        apply(f->p[a]);
        apply(f->v[a]);
        apply(f->at[a]);
    }
    mpf_ptr rest[] = {f->sum_radius, f->size_p, f->size_v, f->length, f->square, f->slope,
                      f->t,          f->value,  f->bound,  f->part,   f->other};
    for (size_t n = 0; n < sizeof rest / sizeof rest[0]; n++) {
        apply(rest[n]);
    }
}

static void make_number(mpf_t x) {
    mpf_init2(x, BITS);
}

static void clear_number(mpf_t x) {
    mpf_clear(x);
}

void fields_start(fields *f, const field_bounds *bounds) {
    f->bounds = *bounds;
    each_number(f, make_number);
}

void fields_end(fields *f) {
    each_number(f, clear_number);
}

/* x = m 2^exponent. */
static void set_scaled(mpf_t x, double m, long exponent) {
    mpf_set_d(x, m);
    if (exponent < 0) {
        mpf_div_2exp(x, x, (mp_bitcnt_t)-exponent);
    } else {
        mpf_mul_2exp(x, x, (mp_bitcnt_t)exponent);
    }
}

/* To the nearest number of 53 bits, ties to even. f->part and f->other are lost. */
static void round_number(fields *f, mpf_t x) {
    long exponent;
    const double cut = mpf_get_d_2exp(&exponent, x); /* 1/2 <= |cut| < 1, towards zero */
    if (cut == 0) {
        return;
    }
    const bool odd = (int64_t)ldexp(cut, MANTISSA_BITS) % 2 != 0;
    set_scaled(f->part, cut, exponent);
    mpf_sub(f->other, x, f->part);
    mpf_abs(f->other, f->other);
    mpf_set(x, f->part);
    set_scaled(f->part, 0.5, exponent - MANTISSA_BITS);
    const int above_half = mpf_cmp(f->other, f->part);
    if (above_half > 0 || (above_half == 0 && odd)) {
        set_scaled(f->part, copysign(1, cut), exponent - MANTISSA_BITS);
        mpf_add(x, x, f->part);
    }
}

/* to = a - b, rounded. */
static void set_difference(fields *f, mpf_t to, double a, double b) {
    mpf_set_d(f->part, b);
    mpf_set_d(to, a);
    mpf_sub(to, to, f->part);
    round_number(f, to);
}

/* to = x.y */
static void set_dot(fields *f, mpf_t to, mpf_t x[3], mpf_t y[3]) {
    mpf_mul(to, x[0], y[0]);
    for (int a = 1; a < 3; a++) {
        mpf_mul(f->part, x[a], y[a]);
        mpf_add(to, to, f->part);
    }
}

static void set_size(fields *f, mpf_t to, mpf_t x[3]) {
    set_dot(f, to, x, x);
    mpf_sqrt(to, to);
}

void fields_set(fields *f, const exact_pair *pair) {
    f->pair = pair;
    for (int a = 0; a < 3; a++) {
        set_difference(f, f->p[a], pair->prev[0][a], pair->prev[1][a]);
        set_difference(f, f->v[a], pair->curr[0][a], pair->curr[1][a]);
        mpf_sub(f->v[a], f->v[a], f->p[a]);
        round_number(f, f->v[a]);
    }
    set_difference(f, f->sum_radius, pair->radius[0], -pair->radius[1]);
    set_size(f, f->size_p, f->p);
    set_size(f, f->size_v, f->v);
    set_dot(f, f->square, f->v, f->v);
    mpf_set_ui(f->slope, 0);
    for (int a = 0; a < 3; a++) {
        mpf_mul(f->part, f->p[a], f->v[a]);
        mpf_abs(f->part, f->part);
        mpf_add(f->slope, f->slope, f->part);
    }
}

/* at and length for f->t. */
static void move(fields *f) {
    for (int a = 0; a < 3; a++) {
        mpf_mul(f->at[a], f->t, f->v[a]);
        mpf_add(f->at[a], f->at[a], f->p[a]);
    }
    set_size(f, f->length, f->at);
}

/* f->bound = share of it, and the least number. */
static void take_share(fields *f) {
    mpf_set_d(f->part, f->bounds.share);
    mpf_mul(f->bound, f->bound, f->part);
    mpf_set_d(f->part, f->bounds.least);
    mpf_add(f->bound, f->bound, f->part);
}

/* Whether x is infinite on this side, and the number so large that it may be. */
static bool is_beyond(fields *f, double x) {
    mpf_abs(f->other, f->value);
    mpf_add(f->other, f->other, f->bound);
    set_scaled(f->part, 1.0, f->bounds.most_exponent);
    return isinf(x) && (x > 0) == (mpf_sgn(f->value) > 0) && mpf_cmp(f->other, f->part) >= 0;
}

/* Whether x is f->value within f->bound. */
static bool is_close(fields *f, double x) {
    if (!isfinite(x)) {
        return is_beyond(f, x);
    }
    mpf_set_d(f->part, x);
    mpf_sub(f->part, f->part, f->value);
    mpf_abs(f->part, f->part);
    return mpf_cmp(f->part, f->bound) <= 0;
}

/* to = -(p.v) / (v.v), v not 0. */
static void set_raw_closest(fields *f, mpf_t to) {
    set_dot(f, to, f->p, f->v);
    mpf_neg(to, to);
    mpf_div(to, to, f->square);
}

/* f->t = t_ca, exactly. */
static void set_closest(fields *f) {
    mpf_set_ui(f->t, 0);
    if (mpf_sgn(f->square) > 0) {
        set_raw_closest(f, f->t);
    }
    if (mpf_sgn(f->t) < 0) {
        mpf_set_ui(f->t, 0);
    } else if (mpf_cmp_ui(f->t, 1) > 0) {
        mpf_set_ui(f->t, 1);
    }
}

/* Whether t_ca is what some number within f->bound of f->value is when limited to 0 .. 1. */
static bool is_limited(fields *f, double t_ca) {
    if (t_ca == 0) {
        return mpf_cmp(f->value, f->bound) <= 0;
    }
    if (t_ca == 1) {
        mpf_add(f->part, f->value, f->bound);
        return mpf_cmp_ui(f->part, 1) >= 0;
    }
    return t_ca > 0 && t_ca < 1 && is_close(f, t_ca);
}

static bool is_t_ca(fields *f, double t_ca) {
    if (mpf_sgn(f->square) == 0) {
        return t_ca == 0;
    }
    set_raw_closest(f, f->value);
    mpf_div(f->bound, f->slope, f->square);
    take_share(f);
    return is_limited(f, t_ca);
}

static bool is_distance(fields *f, double distance) {
    set_closest(f);
    move(f);
    mpf_set(f->value, f->length);
    mpf_mul_2exp(f->bound, f->size_p, 1);
    take_share(f);
    return is_close(f, distance);
}

/* f->other = (t + what t may be more) |v|. */
static void set_way(fields *f) {
    mpf_set_d(f->other, f->bounds.time);
    mpf_add(f->other, f->other, f->t);
    mpf_mul(f->other, f->other, f->size_v);
}

static bool is_unit(fields *f, const double normal[3]) {
    mpf_set_ui(f->value, 0);
    for (int a = 0; a < 3; a++) {
        mpf_set_d(f->part, normal[a]);
        mpf_mul(f->part, f->part, f->part);
        mpf_add(f->value, f->value, f->part);
    }
    mpf_sqrt(f->value, f->value);
    mpf_set_ui(f->bound, 1);
    take_share(f);
    return is_close(f, 1);
}

/* Of the pair at f->t. Where centres coincide in stored times but not in those of doubles, the normal may be any. */
static bool is_normal(fields *f, const double normal[3]) {
    if (!is_unit(f, normal)) {
        return false;
    }
    if (mpf_sgn(f->length) == 0) {
        return f->bounds.time > 0 || (normal[0] == 1 && normal[1] == 0 && normal[2] == 0);
    }
    bool close = true;
    for (int a = 0; a < 3 && close; a++) {
        set_way(f);
        mpf_div(f->bound, f->other, f->length);
        mpf_add_ui(f->bound, f->bound, 1);
        take_share(f);
        mpf_div(f->value, f->at[a], f->length);
        close = is_close(f, normal[a]);
    }
    return close;
}

/* f->value = x_k + t (y_k - x_k) + normal (r_k + (length - R) / 2) on axis a. */
static void set_point(fields *f, int a, double normal) {
    mpf_set_d(f->part, f->pair->prev[1][a]);
    mpf_set_d(f->value, f->pair->curr[1][a]);
    mpf_sub(f->value, f->value, f->part);
    mpf_mul(f->value, f->value, f->t);
    mpf_add(f->value, f->value, f->part);
    mpf_sub(f->other, f->length, f->sum_radius);
    mpf_div_2exp(f->other, f->other, 1);
    mpf_set_d(f->part, f->pair->radius[1]);
    mpf_add(f->other, f->other, f->part);
    mpf_set_d(f->part, normal);
    mpf_mul(f->other, f->other, f->part);
    mpf_add(f->value, f->value, f->other);
}

/* f->bound = share of |x_k|_a + |y_k|_a + R + |p| + t |v|. */
static void set_point_bound(fields *f, int a) {
    const double ends[] = {fabs(f->pair->prev[1][a]), fabs(f->pair->curr[1][a])};
    set_way(f);
    mpf_add(f->bound, f->other, f->sum_radius);
    mpf_add(f->bound, f->bound, f->size_p);
    for (int n = 0; n < 2; n++) {
        mpf_set_d(f->part, ends[n]);
        mpf_add(f->bound, f->bound, f->part);
    }
    take_share(f);
}

static bool is_point(fields *f, const field_row *row) {
    bool close = true;
    for (int a = 0; a < 3 && close; a++) {
        set_point_bound(f, a);
        set_point(f, a, row->normal[a]);
        close = is_close(f, row->point[a]);
    }
    return close;
}

const char *fields_first_wrong(fields *f, const field_row *row) {
    if (!is_t_ca(f, row->t_ca)) {
        return "t_ca";
    }
    if (!is_distance(f, row->distance)) {
        return "distance";
    }
    if (isnan(row->t_toi)) {
        return NULL;
    }
    mpf_set_d(f->t, row->t_toi);
    move(f);
    if (!is_normal(f, row->normal)) {
        return "normal";
    }
    return is_point(f, row) ? NULL : "point";
}
