/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/oracle/pair_kinds.h"

#include <float.h>
#include <math.h>

#include "tests/oracle/pair_lattice.h"

/* Exponents of what a precision holds. */
typedef struct number_range {
    bool for_f32;
    int least;       /* of the least positive number */
    int most;        /* of the largest finite number */
    int scale_least; /* 1e-40, 1e-310 */
    int scale_most;  /* 1e37, 1e300 */
} number_range;

static const number_range RANGES[] = {{false, -1074, 1023, -1029, 996}, {true, -149, 127, -132, 122}};

static double between(carom_random *random, double lo, double hi) {
    return lo + (hi - lo) * carom_random_u01(random);
}

/* Even in the logarithm, of either sign. */
static double power(carom_random *random, double least, double most) {
    double size = pow(10, between(random, least, most));
    return carom_random_next(random) % 2 == 0 ? size : -size;
}

static int whole(carom_random *random, int least, int most) {
    return least + (int)(carom_random_next(random) % (uint64_t)(most - least + 1));
}

static double rounded(double x, const number_range *range) {
    return range->for_f32 ? (double)(float)x : x;
}

/* One that can be rounded without becoming infinite. */
static double clamped(double x, const number_range *range) {
    double most = range->for_f32 ? (double)FLT_MAX : DBL_MAX;
    return rounded(x < -most ? -most : x > most ? most : x, range);
}

static void draw_vector(carom_random *random, double size, double to[3]) {
    for (int a = 0; a < 3; a++) {
        to[a] = between(random, -size, size);
    }
}

/* A unit vector across v. */
static void draw_across(carom_random *random, const double v[3], double to[3]) {
    double direction[3];
    double square;
    do {
        carom_random_direction(random, direction);
        square = 0;
        for (int a = 0; a < 3; a++) {
            int b = (a + 1) % 3;
            int c = (a + 2) % 3;
            to[a] = v[b] * direction[c] - v[c] * direction[b];
            square += to[a] * to[a];
        }
    } while (!(square > 0));
    for (int a = 0; a < 3; a++) {
        to[a] /= sqrt(square);
    }
}

static pair_shape shape_uniform(carom_random *random) {
    pair_shape shape = {.sum_radius = between(random, 0.5, 2)};
    draw_vector(random, 3, shape.p);
    draw_vector(random, 4, shape.v);
    return shape;
}

/* Least distance R (1 + gap) at a time within the step, v of this length. */
static pair_shape shape_grazing(carom_random *random, double gap, double speed) {
    pair_shape shape = {.sum_radius = between(random, 0.5, 2)};
    double across[3];
    double time = carom_random_u01(random);
    double distance = shape.sum_radius * (1 + gap);
    carom_random_direction(random, shape.v);
    draw_across(random, shape.v, across);
    for (int a = 0; a < 3; a++) {
        shape.v[a] *= speed;
        shape.p[a] = distance * across[a] - time * shape.v[a];
    }
    return shape;
}

static pair_shape shape_gap(carom_random *random, double gap) {
    return shape_grazing(random, between(random, -gap, gap), between(random, 1, 8));
}

/* Surfaces meet at this time, the bodies approaching head on or aslant with this speed. */
static pair_shape shape_meeting(carom_random *random, double time, double speed) {
    pair_shape shape = {.sum_radius = between(random, 0.5, 2)};
    double normal[3];
    carom_random_direction(random, normal);
    carom_random_direction(random, shape.v);
    double along = 0;
    for (int a = 0; a < 3; a++) {
        along += normal[a] * shape.v[a];
    }
    for (int a = 0; a < 3; a++) {
        shape.v[a] *= along > 0 ? -speed : speed;
        shape.p[a] = shape.sum_radius * normal[a] - time * shape.v[a];
    }
    return shape;
}

static pair_shape shape_start(carom_random *random) {
    pair_shape shape = {.sum_radius = between(random, 0.5, 2)};
    double distance = shape.sum_radius * (1 + power(random, -17, -3));
    carom_random_direction(random, shape.p);
    draw_vector(random, 1, shape.v);
    for (int a = 0; a < 3; a++) {
        shape.p[a] *= distance;
    }
    return shape;
}

static pair_shape shape_scaled(pair_shape shape, int exponent) {
    for (int a = 0; a < 3; a++) {
        shape.p[a] = ldexp(shape.p[a], exponent);
        shape.v[a] = ldexp(shape.v[a], exponent);
    }
    shape.sum_radius = ldexp(shape.sum_radius, exponent);
    return shape;
}

/* Where body k is and how it moves: body i's prev is at + p, its curr one p + v from body k's. */
typedef struct place {
    double at[3];
    double move[3];
} place;

static place draw_place(carom_random *random, double at, double move) {
    place p;
    draw_vector(random, at, p.at);
    draw_vector(random, move, p.move);
    return p;
}

static place draw_lattice_place(carom_random *random) {
    place p;
    for (int a = 0; a < 3; a++) {
        p.at[a] = whole(random, -1000, 1000);
        p.move[a] = whole(random, -20, 20);
    }
    return p;
}

/* Everything times 2^exponent, then rounded. */
static exact_pair pair_at(const pair_shape *shape, const place *where, double share, int exponent,
                          const number_range *range) {
    exact_pair pair;
    for (int a = 0; a < 3; a++) {
        double curr = where->at[a] + where->move[a];
        pair.prev[1][a] = clamped(ldexp(where->at[a], exponent), range);
        pair.curr[1][a] = clamped(ldexp(curr, exponent), range);
        pair.prev[0][a] = clamped(ldexp(where->at[a] + shape->p[a], exponent), range);
        pair.curr[0][a] = clamped(ldexp(curr + (shape->p[a] + shape->v[a]), exponent), range);
    }
    double radius = shape->sum_radius * share;
    pair.radius[0] = clamped(ldexp(radius, exponent), range);
    pair.radius[1] = clamped(ldexp(shape->sum_radius - radius, exponent), range);
    return pair;
}

static exact_pair pair_from(pair_shape shape, place where, const number_range *range, carom_random *random) {
    return pair_at(&shape, &where, carom_random_u01(random), 0, range);
}

static exact_pair pair_of_lattice(pair_shape shape, int exponent, const number_range *range, carom_random *random) {
    place where = draw_lattice_place(random);
    return pair_at(&shape, &where, carom_random_next(random) % 3 == 0 ? 1 : 0.5, exponent, range);
}

static double *number_of(exact_pair *pair, int n) {
    int body = n % 2;
    return n < 6 ? &pair->prev[body][n / 2] : n < 12 ? &pair->curr[body][n / 2 - 3] : &pair->radius[body];
}

static exact_pair pair_nudged(const number_range *range, carom_random *random) {
    exact_pair pair = pair_of_lattice(pair_lattice(random), whole(random, -20, 20), range, random);
    double *x = number_of(&pair, whole(random, 0, 13));
    double towards = carom_random_next(random) % 2 == 0             ? 1e30
                     : x == &pair.radius[0] || x == &pair.radius[1] ? 0
                                                                    : -1e30;
    *x = range->for_f32 ? (double)nextafterf((float)*x, (float)towards) : nextafter(*x, towards);
    return pair;
}

static exact_pair pair_needle(const number_range *range, carom_random *random) {
    pair_shape shape = pair_lattice_axes(random);
    place origin = {{0, 0, 0}, {0, 0, 0}};
    exact_pair pair = pair_at(&shape, &origin, 1, 0, range);
    for (int n = 0; n < 12; n++) {
        double *x = number_of(&pair, n);
        if (*x == 0 && carom_random_next(random) % 4 == 0) {
            *x = rounded(power(random, range->for_f32 ? -44 : -310, -7), range);
        }
    }
    return pair;
}

static exact_pair pair_offset(double by, const number_range *range, carom_random *random) {
    place where = draw_place(random, 4, 1);
    bool together = carom_random_next(random) % 2 == 0;
    for (int a = 0; a < 3; a++) {
        double sign = carom_random_next(random) % 2 == 0 ? 1 : -1;
        where.at[a] += together ? by : by * between(random, 1, 2) * sign;
    }
    bool near = carom_random_next(random) % 2 == 0;
    return pair_from(near ? shape_gap(random, 1e-7) : shape_uniform(random), where, range, random);
}

static exact_pair pair_tiny_step(const number_range *range, carom_random *random) {
    double speed = fabs(power(random, -12, -3));
    pair_shape shape = shape_meeting(random, between(random, 0, 1.5), speed);
    return pair_from(shape, draw_place(random, range->for_f32 ? 0 : 1, 0), range, random);
}

static pair_shape shape_any(carom_random *random) {
    switch (carom_random_next(random) % 4) {
    case 0:
        return shape_uniform(random);
    case 1:
        return shape_gap(random, 1e-6);
    case 2:
        return shape_meeting(random, 1 + power(random, -16, -2), 2);
    default:
        return pair_lattice(random);
    }
}

static exact_pair pair_scales(const number_range *range, carom_random *random) {
    int exponent = whole(random, range->scale_least, range->scale_most);
    place where = draw_place(random, 4, 1);
    pair_shape shape = shape_any(random);
    return pair_at(&shape, &where, carom_random_u01(random), exponent, range);
}

static exact_pair pair_largest(const number_range *range, carom_random *random) {
    pair_shape shape = shape_uniform(random);
    place where = draw_place(random, 1, 1);
    if (carom_random_next(random) % 2 == 0) {
        return pair_at(&shape, &where, 0.5, range->most - whole(random, 0, 3), range);
    }
    /* A lattice whose points lie symmetric about the origin, so that p is twice what the type holds. */
    shape = pair_lattice(random);
    for (int a = 0; a < 3; a++) {
        where.at[a] = -floor(shape.p[a] / 2);
        where.move[a] = -floor(shape.v[a] / 2);
    }
    return pair_at(&shape, &where, 0.5, range->most - whole(random, 7, 10), range);
}

static exact_pair pair_subnormal(const number_range *range, carom_random *random) {
    pair_shape shape = shape_scaled(pair_lattice(random), 1); /* halves of radii become whole */
    return pair_of_lattice(shape, range->least, range, random);
}

static exact_pair pair_mixed(const number_range *range, carom_random *random) {
    exact_pair pair;
    int spread = whole(random, 2, range->most);
    int middle = carom_random_next(random) % 2 == 0 ? 0 : whole(random, range->least, range->most);
    for (int n = 0; n < 14; n++) {
        double x = between(random, n < 12 ? -1 : 0, 1);
        *number_of(&pair, n) = clamped(ldexp(x, middle + whole(random, -spread, spread)), range);
    }
    return pair;
}

exact_pair pair_draw(pair_kind kind, bool for_f32, carom_random *random) {
    const number_range *range = &RANGES[for_f32];
    place near = draw_place(random, 4, 1);
    switch (kind) {
    case PAIR_UNIFORM:
        return pair_from(shape_uniform(random), near, range, random);
    case PAIR_GAP_3:
        return pair_from(shape_gap(random, 1e-3), near, range, random);
    case PAIR_GAP_6:
        return pair_from(shape_gap(random, 1e-6), near, range, random);
    case PAIR_GAP_7:
        return pair_from(shape_gap(random, 1e-7), near, range, random);
    case PAIR_GAP_15:
        return pair_from(shape_gap(random, 1e-15), near, range, random);
    case PAIR_LONG:
        return pair_from(shape_grazing(random, power(random, -16, -6), fabs(power(random, 3, 7))), near, range, random);
    case PAIR_START:
        return pair_from(shape_start(random), near, range, random);
    case PAIR_END:
        return pair_from(shape_meeting(random, 1 + power(random, -17, -3), between(random, 1, 8)), near, range, random);
    case PAIR_OFFSET_6:
        return pair_offset(1e6, range, random);
    case PAIR_OFFSET_7:
        return pair_offset(1e7, range, random);
    case PAIR_OFFSET_12:
        return pair_offset(for_f32 ? 1e5 : 1e12, range, random);
    case PAIR_TINY_STEP:
        return pair_tiny_step(range, random);
    case PAIR_TOGETHER:
        return pair_from(shape_grazing(random, power(random, -15, -3), fabs(power(random, -3, 1))),
                         draw_place(random, 4, 1000), range, random);
    case PAIR_LATTICE:
        return pair_of_lattice(pair_lattice(random), whole(random, -20, 20), range, random);
    case PAIR_NUDGED:
        return pair_nudged(range, random);
    case PAIR_NEEDLE:
        return pair_needle(range, random);
    case PAIR_REST:
        return pair_of_lattice(pair_lattice_rest(random), 0, range, random);
    case PAIR_POINTS:
        return pair_of_lattice(pair_lattice_points(random), whole(random, -20, 20), range, random);
    case PAIR_SCALES:
        return pair_scales(range, random);
    case PAIR_LARGEST:
        return pair_largest(range, random);
    case PAIR_SUBNORMAL:
        return pair_subnormal(range, random);
    default:
        return pair_mixed(range, random);
    }
}

const char *pair_kind_name(pair_kind kind) {
    static const char *const names[PAIR_KINDS] = {
        [PAIR_UNIFORM] = "uniform",
        [PAIR_GAP_3] = "gap-1e-3",
        [PAIR_GAP_6] = "gap-1e-6",
        [PAIR_GAP_7] = "gap-1e-7",
        [PAIR_GAP_15] = "gap-1e-15",
        [PAIR_LONG] = "long",
        [PAIR_START] = "start",
        [PAIR_END] = "end",
        [PAIR_OFFSET_6] = "offset-1e6",
        [PAIR_OFFSET_7] = "offset-1e7",
        [PAIR_OFFSET_12] = "offset-1e12",
        [PAIR_TINY_STEP] = "tiny-step",
        [PAIR_TOGETHER] = "together",
        [PAIR_LATTICE] = "lattice",
        [PAIR_NUDGED] = "nudged",
        [PAIR_NEEDLE] = "needle",
        [PAIR_REST] = "rest",
        [PAIR_POINTS] = "points",
        [PAIR_SCALES] = "scales",
        [PAIR_LARGEST] = "largest",
        [PAIR_SUBNORMAL] = "subnormal",
        [PAIR_MIXED] = "mixed",
    };
    return names[kind];
}
