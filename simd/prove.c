/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Until when planes hold moving cores apart: simd/ref/proof.h, a pair a lane. A vector of pairs goes on until the
 * search of each has ended. No lane sees another. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/difference_lanes.h"
#include "simd/ref/proof.h"
#include "simd/turn_lanes.h"

#define carom_prove CAROM_KERNEL_OF(prove)
#define carom_prove_twin CAROM_TWIN_OF(prove)

/* So few pairs are faster one by one. */
enum { TWIN_MOST = CAROM_PAIRS / 4 };

/* Cores that rotate: carom_swing says what the fields mean. */
typedef struct swing {
    carom_posed_lanes posed; /* `at` is the arm, `turn` the start */
    double angle[CAROM_PAIRS];
    double axis[3][CAROM_PAIRS];
    double core_reach[CAROM_PAIRS];
    double around[CAROM_PAIRS];
    double turns[CAROM_PAIRS];
    vd sine; /* at the time of the height that is computed */
    vd cosine;
} swing;

/* Columns of a proof and its course, in the order of `take`. */
typedef struct lanes {
    carom_shape_kind kind_i;
    carom_shape_kind kind_k;
    swing i;
    swing k;
    double p[3][CAROM_PAIRS];
    double u[3][CAROM_PAIRS];
    double radius[CAROM_PAIRS];
    double height_error[CAROM_PAIRS];
    double normal[3][CAROM_PAIRS];
    double t[CAROM_PAIRS];
    double drift_axis[3][CAROM_PAIRS];
    double drift_angle[CAROM_PAIRS];
    double height[CAROM_PAIRS];
    double closing[CAROM_PAIRS];
    double end[CAROM_PAIRS];
    double target[CAROM_PAIRS];
    double next[CAROM_PAIRS];
    double ahead[3][CAROM_PAIRS];
    uint32_t first; /* lanes of first proofs */
} lanes;

/* carom_turning, but for what all planes of a pair have in common. */
typedef struct turning {
    vd axis[3];
    vd angle;
} turning;

/* carom_chord says what the fields mean. */
typedef struct chord {
    vd low;
    vd height;
    vd tried;
    vd other;
    vd end;
    vd target;
    vd bend;
    vd ask;
    vd tries;
    uint32_t moved;
} chord;

static inline vd length_of(const vd x[3]) {
    return vd_sqrt(vd_dot(x, x));
}

/* a + t b */
static inline void add(const vd a[3], vd t, const vd b[3], vd sum[3]) {
    for (int d = 0; d < 3; d++) {
        sum[d] = vd_add(a[d], vd_mul(t, b[d]));
    }
}

/* The greatest product of d with a vertex of the hull. As the farthest vertex would give it, but no number is kept. */
static inline double farthest(const carom_hull *hull, double x, double y, double z) {
    const vd dx = vd_set1(x);
    const vd dy = vd_set1(y);
    const vd dz = vd_set1(z);
    vd most = vd_set1(-HUGE_VAL);
    for (uint32_t n = 0; n < hull->vertex_count; n += CAROM_PAIRS) {
        const vd far =
            vd_add(vd_add(vd_mul(dx, vd_load(hull->vertex[0] + n)), vd_mul(dy, vd_load(hull->vertex[1] + n))),
                   vd_mul(dz, vd_load(hull->vertex[2] + n)));
        most = vd_max(far, most);
    }
    return vd_greatest(most);
}

static inline vd hull_support(const carom_posed_lanes *posed, const vd d[3]) {
    _Alignas(64) double direction[3][CAROM_PAIRS];
    _Alignas(64) double most[CAROM_PAIRS];
    for (int a = 0; a < 3; a++) {
        vd_store(direction[a], d[a]);
    }
    for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
        most[l] = farthest(posed->hull[l], direction[0][l], direction[1][l], direction[2][l]);
    }
    return vd_load(most);
}

/* The greatest n.a over the points a of the cores, relative to their bodies' origins. */
static inline vd swing_support(carom_shape_kind kind, swing *s, const vd n[3]) {
    vd axis[3];
    vd back[3];
    vd arm[3];
    vd local[3];
    vd point[3];
    vd_load_vector(s->axis, axis);
    vd_turn_rotate(axis, vd_negate(s->sine), s->cosine, n, back);
    for (int a = 0; a < 3; a++) {
        const vd column[3] = {vd_load(s->posed.turn[0][a]), vd_load(s->posed.turn[1][a]), vd_load(s->posed.turn[2][a])};
        local[a] = vd_dot(column, back);
    }
    vd_load_vector(s->posed.at, arm);
    const vd to_origin = vd_dot(back, arm);
    if (kind == CAROM_SHAPE_HULL) {
        return vd_add(to_origin, hull_support(&s->posed, local));
    }
    carom_support_lanes_local(kind, &s->posed, local, point);
    return vd_add(to_origin, vd_dot(local, point));
}

/* Where the cores are at t: *x receives the relative position. */
static inline void set_instant(lanes *s, vd t, vd x[3]) {
    vd p[3];
    vd u[3];
    vd_load_vector(s->p, p);
    vd_load_vector(s->u, u);
    add(p, t, u, x);
    vd_turn_sine_cosine(vd_mul(t, vd_load(s->i.angle)), &s->i.sine, &s->i.cosine);
    vd_turn_sine_cosine(vd_mul(t, vd_load(s->k.angle)), &s->k.sine, &s->k.cosine);
}

/* The planes' normals at t. */
static inline void turn_planes(lanes *s, const turning *plane, vd t, vd n[3]) {
    vd normal[3];
    vd sine;
    vd cosine;
    vd_load_vector(s->normal, normal);
    vd_turn_sine_cosine(vd_mul(vd_sub(t, vd_load(s->t)), plane->angle), &sine, &cosine);
    vd_turn_rotate(plane->axis, sine, cosine, normal, n);
}

/* The same of planes that stay. */
static inline void keep_planes(lanes *s, const turning *plane, vd n[3]) {
    vd normal[3];
    vd_load_vector(s->normal, normal);
    vd_turn_rotate(plane->axis, vd_set1(0.0), vd_set1(1.0), normal, n);
}

/* The heights along n at the time of set_instant. */
static __attribute__((noinline)) vd height_along(lanes *s, const vd x[3], const vd n[3]) {
    const vd back[3] = {vd_negate(n[0]), vd_negate(n[1]), vd_negate(n[2])};
    const vd far_i = swing_support(s->kind_i, &s->i, back);
    const vd far_k = swing_support(s->kind_k, &s->k, n);
    const vd sides = vd_add(vd_add(vd_abs(x[0]), vd_abs(x[1])), vd_abs(x[2]));
    const vd error = vd_add(vd_load(s->height_error), vd_mul(vd_set1(CAROM_HEIGHT_ERROR), sides));
    return vd_sub(vd_sub(vd_sub(vd_sub(vd_dot(n, x), far_i), far_k), vd_load(s->radius)), error);
}

static inline vd sine_between(const vd a[3], const vd b[3]) {
    vd across[3];
    vd_cross(a, b, across);
    return vd_min(vd_add(length_of(across), vd_set1(CAROM_BEND_ERROR)), vd_set1(1.0));
}

static inline vd bend_still(swing *s, const vd normal[3]) {
    const vd zero = vd_set1(0.0);
    const vd angle = vd_load(s->angle);
    const vd around = vd_load(s->around);
    vd axis[3];
    vd_load_vector(s->axis, axis);
    const vd bend = vd_mul(vd_mul(vd_mul(sine_between(normal, axis), angle), angle), around);
    return vd_select(vdm_and(vd_lt(zero, angle), vd_lt(zero, around)), bend, zero);
}

static inline vd bend_turning(swing *s, const turning *plane) {
    const vd zero = vd_set1(0.0);
    const vd spin = vd_load(s->angle);
    const vd reach = vd_load(s->core_reach);
    vd axis[3];
    vd apart[3];
    vd_load_vector(s->axis, axis);
    for (int d = 0; d < 3; d++) {
        apart[d] = vd_sub(vd_mul(plane->angle, plane->axis[d]), vd_mul(spin, axis[d]));
    }
    const vd rounding = vd_mul(vd_set1(CAROM_BEND_ERROR), vd_add(plane->angle, spin));
    const vd difference = vd_add(length_of(apart), rounding);
    const vd cross = vd_mul(vd_mul(sine_between(plane->axis, axis), plane->angle), spin);
    const vd bend = vd_mul(vd_add(vd_mul(difference, difference), cross), reach);
    return vd_select(vd_lt(zero, reach), bend, zero);
}

static inline vd bend_path(lanes *s, const turning *plane, const vd normal[3]) {
    vd p[3];
    vd u[3];
    vd now[3];
    vd last[3];
    vd_load_vector(s->p, p);
    vd_load_vector(s->u, u);
    add(p, vd_load(s->t), u, now);
    add(p, vd_set1(1.0), u, last);
    const vd speed = length_of(u);
    const vd far_most = vd_max(length_of(now), length_of(last));
    const vd rate = vd_mul(plane->angle, sine_between(normal, plane->axis));
    const vd rounding = vd_mul(vd_set1(CAROM_BEND_ERROR), vd_add(length_of(p), speed));
    return vd_mul(rate, vd_add(vd_mul(plane->angle, vd_add(far_most, rounding)), vd_mul(vd_set1(2.0), speed)));
}

/* Of planes that stay, or of those that rotate where they do. */
static inline vd bend_of_still(lanes *s) {
    vd normal[3];
    vd_load_vector(s->normal, normal);
    return vd_mul(vd_add(bend_still(&s->i, normal), bend_still(&s->k, normal)), vd_set1(1.0 + CAROM_BEND_ERROR));
}

static inline vd bend_of(lanes *s, const turning *plane, vd still) {
    vd normal[3];
    vd_load_vector(s->normal, normal);
    const vd sum = vd_add(vd_add(bend_turning(&s->i, plane), bend_turning(&s->k, plane)), bend_path(s, plane, normal));
    const vdm rotates = vd_lt(vd_set1(0.0), plane->angle);
    return vd_select(rotates, vd_mul(sum, vd_set1(1.0 + CAROM_BEND_ERROR)), still);
}

static inline vd root_of(vd a, vd b, vd bend) {
    const vd zero = vd_set1(0.0);
    const vd one = vd_set1(1.0);
    const vd c = vd_mul(a, vd_set1(1.0 - CAROM_CHORD_ERROR));
    const vd sizes = vd_add(vd_add(a, vd_abs(b)), bend);
    const vd slope = vd_sub(vd_sub(vd_sub(b, a), bend), vd_mul(vd_set1(CAROM_CHORD_ERROR), sizes));
    const vd square = vd_sub(vd_mul(slope, slope), vd_mul(vd_mul(vd_set1(4.0), bend), c));
    const vd root = vd_div(vd_mul(vd_set1(2.0), c), vd_sub(vd_sqrt(square), slope));
    vd least = vd_select(vd_lt(root, one), root, one);
    least = vd_select(vd_lt(square, zero), one, least);
    least = vd_select(vd_le(zero, slope), one, least);
    least = vd_select(vd_lt(zero, c), least, zero);
    return vd_select(vd_lt(bend, vd_set1(HUGE_VAL)), least, zero);
}

/* Sets the next times to try, in some lanes. Returns those of them that have one. */
static inline uint32_t try_next(chord *c, vdm where, vd slope, vd most) {
    const vd zero = vd_set1(0.0);
    const vd secant = vd_min(most, vd_div(c->height, slope));
    vd tau = vd_select(vd_lt(zero, slope), secant, most);
    const vd safe = vd_min(tau, vd_sqrt(vd_div(vd_mul(vd_set1(CAROM_CHORD_SAFE_SQUARE), c->height), c->bend)));
    tau = vd_select(vd_lt(zero, c->bend), safe, tau);
    c->tried = vd_select(where, vd_min(c->end, vd_add(c->low, tau)), c->tried);
    c->ask = vd_select(where, c->tried, c->ask);
    c->moved &= ~vdm_bits(where);
    const vdm high = vd_lt(c->target, c->height);
    const vdm later = vd_lt(c->low, c->tried);
    const vdm few = vd_lt(c->tries, vd_set1(CAROM_CHORD_TRIES_MAX));
    return vdm_bits(vdm_and(vdm_and(where, high), vdm_and(later, few)));
}

/* Takes what the last tries prove, in some lanes, and the heights where the search has moved to, in the others. Returns
 * the lanes that go on. */
static inline uint32_t advance(chord *c, uint32_t took, uint32_t moved) {
    const vd tau = vd_sub(c->tried, c->low);
    const vd slope = vd_div(vd_sub(c->height, c->other), tau);
    const vd part = root_of(c->height, c->other, vd_mul(vd_mul(vd_mul(vd_set1(0.5), c->bend), tau), tau));
    const uint32_t whole = took & vdm_bits(vd_le(vd_set1(1.0), part));
    const vdm early = vd_lt(c->tries, vd_set1(CAROM_CHORD_TRIES_MAX / 2));
    const uint32_t shorter = took & ~whole & vdm_bits(vdm_and(vd_lt(part, vd_set1(CAROM_CHORD_WORTH)), early));
    const vd gained = vd_mul(vd_mul(part, tau), vd_set1(1.0 - 4.0 * CAROM_CHORD_TIME_ERROR));
    const vd t = vd_mul(vd_add(c->low, gained), vd_set1(1.0 - CAROM_CHORD_TIME_ERROR));
    const uint32_t moves = took & ~whole & ~shorter & vdm_bits(vd_lt(c->low, t));
    const vdm is_whole = vdm_from_bits(whole);
    const vdm is_move = vdm_from_bits(moves);
    c->low = vd_select(is_whole, c->tried, vd_select(is_move, t, c->low));
    c->height = vd_select(is_whole, c->other, c->height);
    c->ask = vd_select(is_move, t, c->ask);
    vd most = vd_select(vdm_from_bits(shorter), vd_mul(vd_set1(CAROM_CHORD_SHORTER), tau), tau);
    most = vd_select(is_whole, vd_sub(c->end, c->low), most);
    const uint32_t tries = try_next(c, vdm_from_bits(whole | shorter | moved), slope, most);
    c->moved |= moves;
    return tries | moves;
}

/* Takes the heights that some lanes asked for. Returns those that go on. */
static inline uint32_t follow(chord *c, uint32_t busy, vd height) {
    const uint32_t moved = busy & c->moved;
    const vdm is_moved = vdm_from_bits(moved);
    const vdm is_taken = vdm_from_bits(busy & ~moved);
    c->tries = vd_select(vdm_from_bits(busy), vd_add(c->tries, vd_set1(1.0)), c->tries);
    c->height = vd_select(is_moved, height, c->height);
    c->other = vd_select(is_taken, height, c->other);
    return advance(c, busy & ~moved, moved);
}

static inline vd closing_time(lanes *s, vd bend) {
    const vd t = vd_load(s->t);
    const vd end = vd_load(s->end);
    const vd height = vd_load(s->height);
    const vd closing = vd_load(s->closing);
    vd left = vd_sub(end, t);
    left = vd_select(vd_lt(height, vd_mul(closing, left)), vd_div(height, closing), left);
    const vd most = vd_mul(vd_set1(CAROM_PROOF_BEND_MOST), height);
    left = vd_select(vd_lt(most, vd_mul(vd_mul(bend, left), left)), vd_sqrt(vd_div(most, bend)), left);
    return vd_min(vd_add(t, left), end);
}

static inline vd end_of(lanes *s, vd angle) {
    const vd t = vd_load(s->t);
    const vd end = vd_load(s->end);
    const vd most = vd_set1(CAROM_PROOF_TURN_MOST);
    const vdm far = vd_lt(most, vd_mul(angle, vd_sub(end, t)));
    return vd_select(far, vd_add(t, vd_div(most, angle)), end);
}

/* Takes a plane where it is usable and higher than the others so far. */
static inline void take_higher(lanes *s, const turning *plane, vdm usable, const vd n[3], vd height, vd *other,
                               turning *highest) {
    const vdm higher = vdm_and(usable, vd_lt(*other, height));
    *other = vd_select(higher, height, *other);
    highest->angle = vd_select(higher, plane->angle, highest->angle);
    for (int a = 0; a < 3; a++) {
        highest->axis[a] = vd_select(higher, plane->axis[a], highest->axis[a]);
        vd_store(s->ahead[a], vd_select(higher, n[a], vd_load(s->ahead[a])));
    }
}

/* The planes that are highest at the times tried. Returns their heights. Planes that no lane can use are left out: in a
 * first look none drifts. */
static inline vd choose(lanes *s, vd tried, turning *highest) {
    const vd zero = vd_set1(0.0);
    double(*const axis[3])[CAROM_PAIRS] = {s->i.axis, s->k.axis, s->drift_axis};
    const double *const angle[3] = {s->i.angle, s->k.angle, s->drift_angle};
    vd x[3];
    vd n[3];
    set_instant(s, tried, x);
    vd_load_vector(s->drift_axis, highest->axis);
    highest->angle = zero;
    keep_planes(s, highest, n);
    vd_store_vector(s->ahead, n);
    vd other = height_along(s, x, n);
    const vdm turns = vdm_and(vdm_and(vd_lt(zero, vd_load(s->i.turns)), vd_lt(zero, vd_load(s->k.turns))),
                              vdm_from_bits(~s->first & ((1U << CAROM_PAIRS) - 1)));
    for (int p = 0; p < 3; p++) {
        turning plane = {.angle = vd_load(angle[p])};
        const vdm usable = vdm_and(vdm_and(vd_lt(zero, plane.angle), vd_le(tried, end_of(s, plane.angle))), turns);
        if (vdm_bits(usable) == 0) {
            continue;
        }
        vd_load_vector(axis[p], plane.axis);
        plane.angle = vd_select(usable, plane.angle, zero);
        turn_planes(s, &plane, tried, n);
        take_higher(s, &plane, usable, n, height_along(s, x, n), &other, highest);
    }
    return other;
}

/* Finds the heights of first proofs. Returns the other lanes, and those whose height is above the target. */
static inline uint32_t find_first(lanes *s) {
    const vdm is_first = vdm_from_bits(s->first);
    turning plane = {.angle = vd_set1(0.0)};
    vd x[3];
    vd n[3];
    set_instant(s, vd_load(s->t), x);
    vd_load_vector(s->drift_axis, plane.axis);
    keep_planes(s, &plane, n);
    const vd height = vd_select(is_first, height_along(s, x, n), vd_load(s->height));
    vd_store(s->height, height);
    return vdm_bits(vd_lt(vd_load(s->target), height)) | ~s->first;
}

static inline void prove(lanes *s) {
    const uint32_t high = s->first != 0 ? find_first(s) : ~0U;
    const vd still = bend_of_still(s);
    turning plane;
    chord c = {.low = vd_load(s->t), .height = vd_load(s->height), .target = vd_load(s->target)};
    c.tries = vd_set1(0.0);
    c.tried = closing_time(s, still);
    c.ask = c.tried;
    c.other = choose(s, c.tried, &plane);
    c.end = end_of(s, plane.angle);
    c.bend = bend_of(s, &plane, still);
    uint32_t busy = advance(&c, vdm_bits(vd_lt(c.low, c.tried)) & high, 0);
    while (busy != 0) {
        const vdm where = vdm_from_bits(busy);
        vd x[3];
        vd n[3];
        set_instant(s, c.ask, x);
        turn_planes(s, &plane, c.ask, n);
        const vd height = height_along(s, x, n);
        for (int a = 0; a < 3; a++) {
            vd_store(s->ahead[a], vd_select(where, n[a], vd_load(s->ahead[a])));
        }
        busy = follow(&c, busy, height);
    }
    vd_store(s->next, c.low);
}

/* Doubles of a record from its angle to its arm. */
enum { ARM = (offsetof(carom_swing, arm) - offsetof(carom_swing, angle)) / sizeof(double) };

static inline void take_swings(swing *s, const carom_swing *const *from) {
    const double *row[CAROM_PAIRS];
    vd field[8];
    vd more[16];
    for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
        row[l] = &from[l]->angle;
        s->posed.hull[l] = from[l]->shape->hull;
    }
    vd_load_rows(row, field);
    for (uint32_t r = 0; r < 2; r++) {
        for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
            row[l] = &from[l]->angle + ARM + 8 * (size_t)r;
        }
        vd_load_rows(row, more + 8 * (size_t)r);
    }
    vd_store(s->angle, field[0]);
    vd_store_vector(s->axis, field + 1);
    vd_store(s->core_reach, field[4]);
    vd_store(s->around, field[5]);
    vd_store(s->turns, field[6]);
    vd_store_vector(s->posed.at, more);
    for (int a = 0; a < 3; a++) {
        vd_store_vector(s->posed.turn[a], more + 3 + 3 * a);
    }
    vd_store_vector(s->posed.extent, more + 12);
    vd_store(s->posed.radius, more[15]);
}

static inline void take_course(lanes *s, const carom_proof *const *from) {
    const double *row[CAROM_PAIRS];
    const carom_swing *side[CAROM_PAIRS];
    vd field[8];
    for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
        row[l] = from[l]->course->p;
        side[l] = from[l]->course->i;
    }
    take_swings(&s->i, side);
    vd_load_rows(row, field);
    vd_store_vector(s->p, field);
    vd_store_vector(s->u, field + 3);
    vd_store(s->radius, field[6]);
    vd_store(s->height_error, field[7]);
    for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
        side[l] = from[l]->course->k;
    }
    take_swings(&s->k, side);
}

static inline void take(lanes *s, const carom_proof *const *from) {
    const double *row[CAROM_PAIRS];
    vd field[8];
    take_course(s, from);
    for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
        row[l] = from[l]->drift.normal;
    }
    vd_load_rows(row, field);
    vd_store_vector(s->normal, field);
    vd_store(s->t, field[3]);
    vd_store_vector(s->drift_axis, field + 4);
    vd_store(s->drift_angle, field[7]);
    for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
        row[l] = &from[l]->height;
    }
    vd_load_rows(row, field);
    vd_store(s->height, field[0]);
    vd_store(s->closing, field[1]);
    vd_store(s->end, field[2]);
    vd_store(s->target, field[3]);
}

void carom_prove(carom_proof *const *proofs, uint32_t count) {
    lanes s;
    uint32_t begin = 0;
    s.kind_i = proofs[0]->course->i->shape->kind;
    s.kind_k = proofs[0]->course->k->shape->kind;
    for (; begin + TWIN_MOST < count; begin += CAROM_PAIRS) {
        const carom_proof *from[CAROM_PAIRS]; /* a lane without a pair repeats the first */
        const uint32_t some = count - begin < CAROM_PAIRS ? count - begin : CAROM_PAIRS;
        for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
            from[l] = proofs[begin + (l < some ? l : 0)];
        }
        take(&s, from);
        s.first = 0;
        for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
            s.first |= (uint32_t)from[l]->first << l;
        }
        prove(&s);
        for (uint32_t l = 0; l < some; l++) {
            proofs[begin + l]->next = s.next[l];
            for (int a = 0; a < 3; a++) {
                proofs[begin + l]->ahead[a] = s.ahead[a][l];
            }
        }
    }
    if (begin < count) {
        carom_prove_twin(proofs + begin, count - begin);
    }
}
