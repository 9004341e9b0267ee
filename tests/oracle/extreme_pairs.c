/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/oracle/extreme_pairs.h"

#include <float.h>
#include <math.h>

/* Exponents of the least number, of where squares vanish, and of the largest number. */
typedef struct number_range {
    bool for_f32;
    int least;
    int root;
    int most;
} number_range;

static const number_range RANGES[] = {{false, -1074, -540, 1023}, {true, -149, -75, 127}};

/* p, v and R, and body k's place and motion. */
typedef struct parts {
    double p[3];
    double v[3];
    double sum_radius;
    double at[3];
    double motion[3];
} parts;

static int whole(carom_random *random, int least, int most) {
    return least + (int)(carom_random_next(random) % (uint64_t)(most - least + 1));
}

static bool one_in(carom_random *random, int count) {
    return whole(random, 1, count) == 1;
}

/* Of either sign, between a half and one times 2^exponent. */
static double number(carom_random *random, int exponent) {
    const double x = 0.5 + carom_random_u01(random) / 2;
    return ldexp(one_in(random, 2) ? x : -x, exponent);
}

/* Infinite sums become the largest number. */
static double held(double x, const number_range *range) {
    const double most = range->for_f32 ? (double)FLT_MAX : DBL_MAX;
    const double limited = x < -most ? -most : x > most ? most : x;
    return range->for_f32 ? (double)(float)limited : limited;
}

static exact_pair pair_of(const parts *of, double share, const number_range *range) {
    exact_pair pair;
    for (int a = 0; a < 3; a++) {
        const double end = held(of->at[a] + of->motion[a], range);
        pair.prev[1][a] = held(of->at[a], range);
        pair.curr[1][a] = end;
        pair.prev[0][a] = held(of->at[a] + of->p[a], range);
        pair.curr[0][a] = held(end + (of->p[a] + of->v[a]), range);
    }
    pair.radius[0] = held(fabs(of->sum_radius) * share, range);
    pair.radius[1] = held(fabs(of->sum_radius) * (1 - share), range);
    return pair;
}

/* All of sizes around 2^exponent: most of them approach, many touch. */
static parts parts_alike(carom_random *random, int exponent) {
    parts of = {.sum_radius = number(random, exponent - whole(random, 0, 3))};
    for (int a = 0; a < 3; a++) {
        of.p[a] = number(random, exponent - whole(random, 0, 3));
        of.v[a] = one_in(random, 4) ? number(random, exponent) : -2 * carom_random_u01(random) * of.p[a];
        of.at[a] = one_in(random, 2) ? 0 : number(random, exponent - 1);
        of.motion[a] = one_in(random, 2) ? 0 : number(random, exponent - 2);
    }
    return of;
}

static parts parts_subnormal(carom_random *random, int least) {
    parts of = {.sum_radius = ldexp(whole(random, 0, 4096), least)};
    for (int a = 0; a < 3; a++) {
        of.p[a] = ldexp(whole(random, -4096, 4096), least);
        of.v[a] = one_in(random, 4) ? ldexp(whole(random, -4096, 4096), least) : -of.p[a];
        of.at[a] = ldexp(whole(random, -4096, 4096), least);
        of.motion[a] = ldexp(whole(random, -4096, 4096), least);
    }
    return of;
}

/* Along the axes or across them, each length of a size of its own. */
static parts parts_apart(carom_random *random, const number_range *range) {
    parts of = {.sum_radius = number(random, whole(random, range->least, range->most - 1))};
    const int size_p = whole(random, range->least, range->most - 1);
    const int size_v = whole(random, range->least, range->most - 1);
    for (int a = 0; a < 3; a++) {
        of.p[a] = one_in(random, 3) ? 0 : number(random, size_p);
        of.v[a] = one_in(random, 3) ? 0 : number(random, size_v);
        of.at[a] = one_in(random, 3) ? number(random, size_p) : 0;
        of.motion[a] = one_in(random, 3) ? number(random, size_v) : 0;
    }
    return of;
}

static parts parts_axes(carom_random *random, const number_range *range) {
    parts of = {.sum_radius = one_in(random, 8) ? 0 : number(random, whole(random, range->least, range->most - 1))};
    for (int a = 0; a < 3; a++) {
        of.p[a] = one_in(random, 3) ? 0 : number(random, whole(random, range->least, range->most - 1));
        of.v[a] = one_in(random, 3)   ? 0
                  : one_in(random, 2) ? -2 * carom_random_u01(random) * of.p[a]
                                      : number(random, whole(random, range->least, range->most - 1));
    }
    return of;
}

/* An axis of ordinary numbers, which may be 0 on it. */
static parts parts_dominant(carom_random *random, const number_range *range) {
    const int axis = whole(random, 0, 2);
    const int small = whole(random, range->least + 4, range->root);
    parts of = parts_alike(random, small);
    of.p[axis] = number(random, whole(random, -3, 3));
    of.v[axis] = one_in(random, 2) ? 0 : -2 * carom_random_u01(random) * of.p[axis];
    of.at[axis] = one_in(random, 2) ? 0 : number(random, 0);
    of.motion[axis] = 0;
    of.sum_radius = one_in(random, 2) ? number(random, whole(random, -2, 4)) : of.sum_radius;
    return of;
}

/* t = 1 / 2^n when x is 0; y is then what it was, moves there, or both. */
static parts parts_head_on(carom_random *random, const number_range *range) {
    const int axis = whole(random, 0, 2);
    const int size = whole(random, range->root, range->most - 3);
    const int small = whole(random, range->least, size);
    parts of = {.sum_radius = one_in(random, 2) ? number(random, whole(random, range->least, small)) : 0};
    of.p[axis] = number(random, size);
    of.v[axis] = -ldexp(of.p[axis], whole(random, 0, 2));
    of.p[(axis + 1) % 3] = one_in(random, 2) ? 0 : number(random, small);
    of.v[(axis + 1) % 3] = one_in(random, 2) ? 0 : number(random, small);
    of.sum_radius = one_in(random, 3) ? 2 * of.p[(axis + 1) % 3] : of.sum_radius;
    return of;
}

static parts parts_lattice(carom_random *random, const number_range *range) {
    parts of = {.sum_radius = 0};
    for (int a = 0; a < 3; a++) {
        const int unit = whole(random, range->least, range->most - 6);
        of.p[a] = ldexp(whole(random, -4, 4), unit);
        of.v[a] = one_in(random, 2) ? -of.p[a] : ldexp(whole(random, -4, 4), unit);
        of.at[a] = ldexp(whole(random, -4, 4), unit);
        of.motion[a] = ldexp(whole(random, -1, 1), unit);
        of.sum_radius = one_in(random, 2) ? ldexp(whole(random, 0, 8), unit) : of.sum_radius;
    }
    return of;
}

static parts parts_rest(carom_random *random, const number_range *range) {
    const int size = whole(random, range->least, range->most - 2);
    const int small = one_in(random, 4) ? size + 1 : whole(random, range->least, size);
    parts of = parts_alike(random, small);
    of.sum_radius = number(random, size);
    for (int a = 0; a < 3; a++) {
        of.p[a] = one_in(random, 3) ? 0 : of.p[a];
        of.v[a] = one_in(random, 8) ? of.v[a] : 0;
    }
    return of;
}

/* curr - prev overflows on an axis, or two. */
static parts parts_crossing(carom_random *random, const number_range *range) {
    parts of = parts_alike(random, one_in(random, 2) ? 0 : whole(random, range->least, range->most));
    const double most = range->for_f32 ? (double)FLT_MAX : DBL_MAX;
    const int axis = whole(random, 0, 2);
    for (int n = 0; n < whole(random, 1, 2); n++) {
        const int a = (axis + n) % 3;
        const double side = one_in(random, 2) ? 1 : -1;
        of.at[a] = side * most * (1 - carom_random_u01(random) / 4);
        of.motion[a] = -2 * of.at[a] * (1 - carom_random_u01(random) / 16);
        of.p[a] = one_in(random, 2) ? 0 : of.p[a];
        of.v[a] = one_in(random, 2) ? 0 : of.v[a];
    }
    return of;
}

/* Where body k ends: at + motion may overflow on the way, and must not. */
static exact_pair crossing_pair(carom_random *random, const number_range *range) {
    parts of = parts_crossing(random, range);
    exact_pair pair = pair_of(&of, carom_random_u01(random), range);
    for (int a = 0; a < 3; a++) {
        if (isinf(of.motion[a])) {
            pair.curr[1][a] = -of.at[a];
            pair.curr[0][a] = held(of.p[a] + of.v[a] - of.at[a], range);
        }
    }
    return pair;
}

static parts parts_of(extreme_kind kind, const number_range *range, carom_random *random) {
    switch (kind) {
    case EXTREME_HUGE:
        return parts_alike(random, range->most - whole(random, 0, 6));
    case EXTREME_TINY:
        return parts_alike(random, whole(random, range->least, range->root));
    case EXTREME_SUBNORMAL:
        return parts_subnormal(random, range->least);
    case EXTREME_APART:
        return parts_apart(random, range);
    case EXTREME_AXES:
        return parts_axes(random, range);
    case EXTREME_DOMINANT:
        return parts_dominant(random, range);
    case EXTREME_HEAD_ON:
        return parts_head_on(random, range);
    case EXTREME_LATTICE:
        return parts_lattice(random, range);
    default:
        return parts_rest(random, range);
    }
}

exact_pair extreme_pair(extreme_kind kind, bool for_f32, carom_random *random) {
    const number_range *range = &RANGES[for_f32];
    if (kind == EXTREME_CROSSING) {
        return crossing_pair(random, range);
    }
    const parts of = parts_of(kind, range, random);
    return pair_of(&of, one_in(random, 4) ? 1 : 0.5, range);
}

const char *extreme_kind_name(extreme_kind kind) {
    static const char *const names[EXTREME_KINDS] = {
        [EXTREME_HUGE] = "huge",         [EXTREME_TINY] = "tiny",       [EXTREME_SUBNORMAL] = "least numbers",
        [EXTREME_APART] = "apart",       [EXTREME_AXES] = "axes",       [EXTREME_DOMINANT] = "dominant axis",
        [EXTREME_HEAD_ON] = "head on",   [EXTREME_LATTICE] = "lattice", [EXTREME_REST] = "far smaller than R",
        [EXTREME_CROSSING] = "crossing",
    };
    return names[kind];
}
