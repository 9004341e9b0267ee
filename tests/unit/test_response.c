/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Predictions and responses on random pieces and surfaces. Predictions against the distance itself, which is computed
 * here another way, at many instants: not one before the impact is too close, and at the impact the distance is right.
 * Responses against the laws of conservation. Guards every kind of surface, and the rules of budgets, rest and contact
 * times. */
#include <math.h>
#include <string.h>

#include "kernel/response/predict.h"
#include "kernel/response/respond.h"
#include "kernel/scene/random.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

enum { PAIRS = 20000, SURFACES = 20000, LANDINGS = 1000, SHRINKS = 267, INSTANTS = 200 };

static const carom_pair_image SELF = {.code = CAROM_IMAGE_SELF};
static const carom_response_rules PLAIN = {.budget = 1000};

static double uniform(carom_random *random, double lo, double hi) {
    return lo + (hi - lo) * carom_random_u01(random);
}

static double length(const double v[3]) {
    return sqrt(carom_vector_dot(v, v));
}

/* Some components are whole numbers or zero. */
static void random_vector(carom_random *random, double size, double v[3]) {
    const uint64_t kind = carom_random_next(random) % 4;
    for (int a = 0; a < 3; a++) {
        v[a] = uniform(random, -size, size);
        v[a] = kind == 0 ? rint(v[a]) : kind == 1 && carom_random_next(random) % 2 == 0 ? 0.0 : v[a];
    }
}

static carom_piece random_piece(carom_random *random, double size) {
    carom_piece piece = {.start = 0.0, .last = CAROM_PIECE_FRESH};
    piece.start = carom_random_next(random) % 2 == 0 ? 0.0 : uniform(random, 0.0, 0.9);
    random_vector(random, size, piece.x);
    random_vector(random, 2.0 * size, piece.v);
    return piece;
}

/* Three unit vectors at right angles; in one case of three those of space. */
static void random_axes(carom_random *random, double axis[3][3]) {
    memset(axis, 0, 9 * sizeof axis[0][0]);
    axis[0][0] = axis[1][1] = axis[2][2] = 1.0;
    if (carom_random_next(random) % 3 == 0) {
        return;
    }
    double other[3] = {0.0, 0.0, 0.0};
    while (length(other) < 0.1) {
        for (int a = 0; a < 3; a++) {
            axis[0][a] = uniform(random, -1.0, 1.0);
            other[a] = uniform(random, -1.0, 1.0);
        }
        const double first = length(axis[0]);
        for (int a = 0; a < 3; a++) {
            axis[0][a] /= first;
        }
        carom_vector_add(other, -carom_vector_dot(other, axis[0]), axis[0], other);
    }
    const double second = length(other);
    for (int a = 0; a < 3; a++) {
        axis[1][a] = other[a] / second;
    }
    carom_vector_cross(axis[0], axis[1], axis[2]);
}

static carom_surface random_surface(carom_random *random) {
    carom_surface surface = {.kind = (carom_surface_kind)(carom_random_next(random) % 4), .restitution = 1.0};
    random_vector(random, 2.0, surface.at);
    random_axes(random, surface.axis);
    for (int a = 0; a < 3; a++) {
        surface.extent[a] = uniform(random, 0.2, surface.kind == CAROM_SURFACE_PIPE ? 8.0 : 3.0);
    }
    return surface;
}

/* How far a point is from the surface, on the side where bodies may be; negative beyond it. */
static double gap_at(const carom_surface *surface, const double x[3]) {
    double y[3];
    double local[3];
    for (int a = 0; a < 3; a++) {
        y[a] = x[a] - surface->at[a];
    }
    for (int a = 0; a < 3; a++) {
        local[a] = carom_vector_dot(surface->axis[a], y);
    }
    if (surface->kind == CAROM_SURFACE_PLANE) {
        return local[0];
    }
    if (surface->kind != CAROM_SURFACE_BOX) {
        const double gap = hypot(local[1], local[2]) - surface->extent[0];
        return surface->kind == CAROM_SURFACE_PILLAR ? gap : -gap;
    }
    double outside = 0.0;
    double inside = -INFINITY;
    for (int a = 0; a < 3; a++) {
        const double beyond = fabs(local[a]) - surface->extent[a];
        outside = hypot(outside, fmax(beyond, 0.0));
        inside = fmax(inside, beyond);
    }
    return inside < 0.0 ? inside : outside;
}

static double surface_gap(const carom_surface *surface, const carom_piece *piece, double r, double t) {
    double x[3];
    carom_piece_at(piece, t, x);
    return gap_at(surface, x) - r;
}

/* From `begin` to the predicted time, or to the end of the step. A gap that is too small must not shrink: bodies that
 * begin beyond the surface may leave. */
static void check_no_gap_before(const carom_surface *surface, const carom_piece *piece, double r, double t) {
    const double end = fmin(t, 1.0);
    double before = surface_gap(surface, piece, r, piece->start);
    for (int n = 1; n < INSTANTS; n++) {
        const double at = piece->start + (end - piece->start) * n / INSTANTS;
        const double gap = surface_gap(surface, piece, r, at);
        note_check(gap > -1e-12 || gap >= before - 1e-12, "kind %d: gap %g at %.17g, impact at %.17g",
                   (int)surface->kind, gap, at, t);
        before = gap;
    }
}

static void check_surface(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    note_case(number, "surface");
    const carom_surface surface = random_surface(&random);
    carom_piece piece = random_piece(&random, 5.0);
    const double r = number % 5 == 0 ? 0.0 : uniform(&random, 0.0, 1.5);
    const carom_response_body body = {r, 0.5, 1.0, -INFINITY};
    double kept[3];
    const carom_response_side side = {&body, &piece, kept, 1};
    const double t = carom_response_predict_surface(&PLAIN, &side, &surface, 7);
    note_check(t >= piece.start, "impact at %g, before %g", t, piece.start);
    check_no_gap_before(&surface, &piece, r, t);
    if (!(t < 1.0)) {
        return;
    }
    const double begins = surface_gap(&surface, &piece, r, piece.start);
    const double gap = surface_gap(&surface, &piece, r, t);
    note_check(begins < 1e-12 || fabs(gap) < 1e-12, "kind %d: gap %g at %g", (int)surface.kind, gap, t);
    const carom_piece before = piece;
    const carom_impact impact = carom_respond_surface(&PLAIN, &side, &surface, 7, t);
    note_check(fabs(length(impact.normal) - 1.0) < 1e-14, "normal of length %g", length(impact.normal));
    note_check(fabs(length(piece.v) - length(before.v)) < 1e-13 * (1 + length(before.v)), "speed changed");
    note_check(carom_vector_dot(piece.v, impact.normal) >= -1e-13, "still into the surface: %g",
               carom_vector_dot(piece.v, impact.normal));
    note_check(surface.kind == CAROM_SURFACE_PIPE || isinf(carom_response_predict_surface(&PLAIN, &side, &surface, 7)),
               "hits the same surface again");
    note_check(begins < 1e-12 || fabs(gap_at(&surface, impact.point)) < 1e-12, "the point is %g off",
               gap_at(&surface, impact.point));
}

static void test_surfaces(void **state) {
    (void)state;
    note_each_case(SURFACES, check_surface);
}

static double pair_gap(const carom_piece *i, const carom_piece *k, double reach, double t) {
    double p[3];
    double q[3];
    carom_piece_at(i, t, p);
    carom_piece_at(k, t, q);
    return hypot(hypot(p[0] - q[0], p[1] - q[1]), p[2] - q[2]) - reach;
}

static void check_conservation(const carom_piece before[2], const carom_piece after[2], const double mass[2], double e,
                               const double n[3]) {
    double v[3];
    double w[3];
    for (int a = 0; a < 3; a++) {
        const double was = mass[0] * before[0].v[a] + mass[1] * before[1].v[a];
        const double is = mass[0] * after[0].v[a] + mass[1] * after[1].v[a];
        note_check(fabs(was - is) <= 1e-13 * (mass[0] + mass[1]), "momentum %g, then %g", was, is);
        v[a] = before[0].v[a] - before[1].v[a];
        w[a] = after[0].v[a] - after[1].v[a];
    }
    const double closing = -carom_vector_dot(v, n);
    note_check(fabs(carom_vector_dot(w, n) - e * closing) < 1e-12, "closing %g, then %g", closing,
               carom_vector_dot(w, n));
    carom_vector_add(v, closing, n, v);
    carom_vector_add(w, -carom_vector_dot(w, n), n, w);
    note_check(fabs(v[0] - w[0]) + fabs(v[1] - w[1]) + fabs(v[2] - w[2]) < 1e-12, "sliding changed");
}

static void check_pair(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    note_case(number, "pair");
    carom_piece piece[2] = {random_piece(&random, 3.0), random_piece(&random, 3.0)};
    const double e = number % 3 == 0 ? 1.0 : number % 3 == 1 ? 0.0 : carom_random_u01(&random);
    const double mass[2] = {uniform(&random, 0.1, 10.0), uniform(&random, 0.1, 10.0)};
    const carom_response_body body[2] = {{uniform(&random, 0, 2), 1 / mass[0], e, -INFINITY},
                                         {uniform(&random, 0, 2), 1 / mass[1], 1.0, -INFINITY}};
    double kept[3];
    const carom_response_side i = {&body[0], &piece[0], kept, 0};
    const carom_response_side k = {&body[1], &piece[1], kept, 1};
    const double reach = body[0].radius + body[1].radius;
    const double t = carom_response_predict_bodies(&PLAIN, &i, &k, &SELF);
    const double begin = fmax(piece[0].start, piece[1].start);
    note_check(t == carom_response_predict_bodies(&PLAIN, &k, &i, &SELF) && t >= begin, "impact at %g", t);
    double before = pair_gap(&piece[0], &piece[1], reach, begin);
    const bool begins_apart = before > 1e-12;
    for (int n = 1; n < INSTANTS; n++) {
        const double gap = pair_gap(&piece[0], &piece[1], reach, begin + (fmin(t, 1.0) - begin) * n / INSTANTS);
        note_check(gap > -1e-12 || gap >= before - 1e-12, "gap %g before the impact at %g", gap, t);
        before = gap;
    }
    if (!(t < 1.0)) {
        return;
    }
    note_check(!begins_apart || fabs(pair_gap(&piece[0], &piece[1], reach, t)) < 1e-12, "gap at the impact");
    const carom_piece old[2] = {piece[0], piece[1]};
    const carom_impact impact = carom_respond_bodies(&PLAIN, &i, &k, &SELF, t);
    check_conservation(old, piece, mass, e, impact.normal);
    note_check(isinf(carom_response_predict_bodies(&PLAIN, &i, &k, &SELF)), "the pair collides again");
}

static void test_pairs(void **state) {
    (void)state;
    note_each_case(PAIRS, check_pair);
}

/* Two bodies on the x axis, one unit apart, that meet at t = 0.5 with speed 2. */
typedef struct head_on {
    carom_response_body body[2];
    carom_piece piece[2];
    double kept[2][3];
} head_on;

static head_on meeting(double e) {
    return (head_on){.body = {{0.5, 1, e, -INFINITY}, {0.5, 1, e, -INFINITY}},
                     .piece = {{{0, 0, 0}, {1, 0, 0}, 0, CAROM_PIECE_FRESH, 0, 0},
                               {{2, 0, 0}, {-1, 0, 0}, 0, CAROM_PIECE_FRESH, 0, 0}}};
}

static carom_impact collide(const carom_response_rules *rules, head_on *h) {
    const carom_response_side i = {&h->body[0], &h->piece[0], h->kept[0], 0};
    const carom_response_side k = {&h->body[1], &h->piece[1], h->kept[1], 1};
    assert_true(carom_response_predict_bodies(rules, &i, &k, &SELF) == 0.5);
    return carom_respond_bodies(rules, &i, &k, &SELF, 0.5);
}

/* A body whose budget is spent rests, and goes on afterwards with the velocity that it had. */
static void test_budget(void **state) {
    (void)state;
    const carom_response_rules rules = {.budget = 3};
    head_on h = meeting(1.0);
    h.piece[0].count = 2;
    collide(&rules, &h);
    assert_true(h.piece[0].v[0] == 0.0 && h.kept[0][0] == -1.0 && h.piece[0].x[0] == 0.5);
    assert_true(h.piece[1].v[0] == 1.0 && h.piece[1].count == 1);
    head_on held = meeting(1.0); /* as a wall */
    held.piece[0] = (carom_piece){{1, 0, 0}, {0, 0, 0}, 0.25, 9, 3, CAROM_IMAGE_SELF};
    held.piece[1].x[0] = 2.5;
    collide(&rules, &held);
    assert_true(held.piece[0].start == 0.25 && held.piece[0].count == 3 && held.piece[1].v[0] == 1.0);
    held.piece[1].count = 3; /* neither moves any more */
    held.piece[1].last = 9;
    const carom_response_side i = {&held.body[0], &held.piece[0], held.kept[0], 0};
    const carom_response_side k = {&held.body[1], &held.piece[1], held.kept[1], 1};
    assert_true(isinf(carom_response_predict_bodies(&rules, &i, &k, &SELF)));
}

/* A body that is caught up with, and held at once, is where the other one goes: that one must not pass through it. */
static void test_held_ahead(void **state) {
    (void)state;
    const carom_response_rules rules = {.budget = 3};
    head_on h = meeting(1.0);
    h.piece[0].v[0] = 3.0;
    h.piece[1].v[0] = 1.0;
    h.piece[1].count = 2;
    collide(&rules, &h);
    assert_true(h.piece[0].v[0] == 1.0 && h.piece[1].v[0] == 0.0 && h.kept[1][0] == 3.0);
    const carom_impact impact = collide(&rules, &h);
    assert_true(h.piece[0].v[0] == -1.0 && h.piece[1].v[0] == 0.0 && impact.impulse == 2.0);
    const carom_response_side i = {&h.body[0], &h.piece[0], h.kept[0], 0};
    const carom_response_side k = {&h.body[1], &h.piece[1], h.kept[1], 1};
    assert_true(isinf(carom_response_predict_bodies(&rules, &i, &k, &SELF)));
}

static void test_infinite_mass(void **state) {
    (void)state;
    head_on h = meeting(1.0);
    h.body[0].inverse_mass = 0.0;
    const carom_impact impact = collide(&PLAIN, &h);
    assert_true(h.piece[0].v[0] == 1.0 && h.piece[0].start == 0.0 && h.piece[0].count == 0);
    assert_true(h.piece[1].v[0] == 3.0 && impact.impulse == 4.0 && impact.normal[0] == -1.0);
}

/* Slow impacts do not bounce, and neither lose energy those that follow another one at once, be they slow or not. */
static void test_rest_and_contact_time(void **state) {
    (void)state;
    head_on h = meeting(0.5);
    collide(&(carom_response_rules){.budget = 9, .rest_speed = 2.5}, &h);
    assert_true(h.piece[0].v[0] == 0.0 && h.piece[1].v[0] == 0.0);
    h = meeting(0.5);
    collide(&(carom_response_rules){.budget = 9, .contact_time = 0.125}, &h);
    assert_true(h.piece[0].v[0] == -0.5 && h.piece[1].v[0] == 0.5);
    h = meeting(0.5);
    h.body[1].last_impact = -0.125;
    collide(&(carom_response_rules){.budget = 9, .contact_time = 0.75}, &h);
    assert_true(h.piece[0].v[0] == -1.0 && h.piece[1].v[0] == 1.0);
    h = meeting(0.5);
    h.body[1].last_impact = -0.125;
    collide(&(carom_response_rules){.budget = 9, .contact_time = 0.75, .rest_speed = 2.5}, &h);
    assert_true(h.piece[0].v[0] == -1.0 && h.piece[1].v[0] == 1.0);
}

/* A body that lands in a pipe without bouncing goes on along its axis, whatever rounding leaves of the other motion. */
static void check_landing(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    note_case(number, "landing in a pipe");
    carom_surface pipe = {.kind = CAROM_SURFACE_PIPE, .extent = {2.0}};
    random_axes(&random, pipe.axis);
    const carom_response_body body = {0.5, 1.0, 0.0, -INFINITY};
    carom_piece piece = {.last = CAROM_PIECE_FRESH};
    for (int a = 0; a < 3; a++) {
        piece.v[a] = 3.0 * pipe.axis[0][a] + 4.0 * pipe.axis[1][a];
    }
    double kept[3];
    const carom_response_side side = {&body, &piece, kept, 1};
    for (double t = 0.0; t < 1.0; t = carom_response_predict_surface(&PLAIN, &side, &pipe, 7)) {
        if (t > 0.0) {
            carom_respond_surface(&PLAIN, &side, &pipe, 7, t);
        }
    }
    note_check(piece.count == 1, "%u impacts", piece.count);
    /* Axes are at right angles but for ten roundings. */
    note_check(fabs(carom_vector_dot(piece.v, pipe.axis[0]) - 3.0) < 1e-13, "it does not go on");
}

/* Impacts of a body that slides, a radian. */
static const double CHORDS = 64.0;

/* A body that moves along the wall of a pipe, or comes to that since each impact takes speed from it, follows the wall:
 * it has a number of impacts that its way says, keeps its speed along the axis and gains no energy. */
static void check_sliding(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const double restitution = number % 3 == 0 ? 0.0 : number % 3 == 1 ? 1.0 : uniform(&random, 0.0, 0.9);
    const double inward = number % 2 == 0 ? 0.0 : uniform(&random, 0.5, 3.0) * (number % 4 == 1 ? 1.0 : -1.0);
    note_case(number, "sliding along a pipe, restitution %g", restitution);
    carom_surface pipe = {.kind = CAROM_SURFACE_PIPE, .restitution = restitution, .extent = {2.0}};
    random_axes(&random, pipe.axis);
    const carom_response_body body = {0.5, 1.0, 1.0, -INFINITY};
    carom_piece piece = {.last = CAROM_PIECE_FRESH};
    for (int a = 0; a < 3; a++) {
        piece.x[a] = 1.5 * pipe.axis[1][a];
        piece.v[a] = 2.0 * pipe.axis[0][a] + 9.0 * pipe.axis[2][a] + inward * pipe.axis[1][a];
    }
    double kept[3];
    double energy = carom_vector_dot(piece.v, piece.v);
    const carom_response_side side = {&body, &piece, kept, 1};
    double t = carom_response_predict_surface(&PLAIN, &side, &pipe, 7);
    for (; t < 1.0 && piece.count < 5000; t = carom_response_predict_surface(&PLAIN, &side, &pipe, 7)) {
        carom_respond_surface(&PLAIN, &side, &pipe, 7, t);
        const double now = carom_vector_dot(piece.v, piece.v);
        note_check(now <= energy * (1.0 + 1e-14), "energy %.17g, not %.17g", now, energy);
        energy = now;
    }
    note_check(piece.count <= 16 + CHORDS * 9.0 / 1.5, "%u impacts", piece.count);
    note_check(energy > 0.99 * (4.0 + 81.0), "energy %g is left", energy);
    note_check(fabs(carom_vector_dot(piece.v, pipe.axis[0]) - 2.0) < 1e-12, "the axis matters");
    double end[3];
    carom_piece_at(&piece, 1.0, end);
    carom_vector_add(end, -carom_vector_dot(end, pipe.axis[0]), pipe.axis[0], end);
    note_check(carom_vector_length(end) <= 1.5 * (1.0 + 1e-12), "%g in the wall, %u impacts",
               carom_vector_length(end) - 1.5, piece.count);
}

static void test_sliding_in_pipes(void **state) {
    (void)state;
    note_each_case(LANDINGS, check_sliding);
}

static void test_landings_in_pipes(void **state) {
    (void)state;
    note_each_case(LANDINGS, check_landing);
}

/* A time does not depend on the units of length and speed, however small both are. */
static void check_units(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const int length = (int)uniform(&random, 0.0, 900.0);
    const int speed = (int)uniform(&random, 0.0, 900.0);
    double p[3];
    double v[3];
    double sizes[3];
    double small_p[3];
    double small_v[3];
    double small_sizes[3];
    const double reach = uniform(&random, 0.5, 6.0);
    note_case(number, "lengths times 2^-%d, speeds times 2^-%d", length, speed);
    for (int a = 0; a < 3; a++) {
        p[a] = uniform(&random, -5.0, 5.0);
        v[a] = uniform(&random, -1.0, 1.0) - p[a];
        sizes[a] = fabs(v[a]) + (a == 0 ? 1e13 : 0.0);
        small_p[a] = ldexp(p[a], -length);
        small_v[a] = ldexp(v[a], -speed);
        small_sizes[a] = ldexp(sizes[a], -speed);
    }
    const double t = carom_predict_reach(p, v, reach, sizes);
    const double small = carom_predict_reach(small_p, small_v, ldexp(reach, -length), small_sizes);
    note_check(small == ldexp(t, speed - length), "%.17g, not %.17g", small, ldexp(t, speed - length));
}

static void test_units(void **state) {
    (void)state;
    note_each_case(PAIRS, check_units);
}

/* Of bodies that touch, those whose approach is rounding of their speeds do not collide, whatever the units. */
static void test_rounding_is_no_approach(void **state) {
    (void)state;
    for (int length = 0; length <= 900; length += 300) {
        for (int speed = 0; speed <= 900; speed += 300) {
            const double sizes[3] = {1e20, ldexp(3.0, -speed), 1e20};
            const double p[3] = {0.0, ldexp(0.75, -length), 0.0};
            const double slow[3] = {0.0, -0x1p-50 * sizes[1], 0.0};
            const double faster[3] = {0.0, 1.125 * slow[1], 0.0};
            note_case((uint64_t)(1000 * length + speed), "lengths times 2^-%d, speeds times 2^-%d", length, speed);
            note_check(isinf(carom_predict_reach(p, slow, p[1], sizes)), "rounding is an approach");
            note_check(carom_predict_reach(p, faster, p[1], sizes) == 0.0, "an approach is taken for rounding");
            note_check(carom_predict_reach(p, slow, 0.5 * p[1], sizes) < INFINITY, "bodies apart do not approach");
        }
    }
}

/* A body within a surface that slides along it does not hit it; one that goes into it ever so slightly does. */
static void check_rounding_at_surface(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    carom_surface surface = random_surface(&random);
    surface.kind = (carom_surface_kind)(number % 3);
    carom_piece piece = {.start = 0.25};
    const double r = uniform(&random, 0.1, 1.5);
    const double reach = r - 1e-9 + (surface.kind == CAROM_SURFACE_PLANE ? 0.0 : surface.extent[0]);
    const double *normal = surface.axis[0];
    while (length(piece.v) < 0.5) {
        const double across[3] = {uniform(&random, -1.0, 1.0), uniform(&random, -1.0, 1.0), 1.0};
        carom_vector_cross(normal, across, piece.v);
    }
    if (surface.kind == CAROM_SURFACE_PILLAR) {
        normal = surface.axis[1];
        carom_vector_cross(surface.axis[0], normal, piece.v);
        carom_vector_add(piece.v, uniform(&random, -1.0, 1.0), surface.axis[0], piece.v);
    }
    carom_vector_add(surface.at, reach, normal, piece.x);
    double there[3];
    carom_surface_normal(&surface, piece.x, piece.v, there);
    carom_vector_add(piece.v, -carom_vector_dot(there, piece.v), there, piece.v);
    const double speed = carom_vector_length(piece.v);
    note_case(number, "a body that slides along a surface of kind %d", (int)surface.kind);
    note_check(isinf(carom_surface_predict(&surface, &piece, r)), "rounding is an approach");
    carom_vector_add(piece.v, -1e-13 * speed, normal, piece.v);
    note_check(carom_surface_predict(&surface, &piece, r) == piece.start, "an approach is taken for rounding");
}

static void test_rounding_at_surfaces(void **state) {
    (void)state;
    note_each_case(SURFACES, check_rounding_at_surface);
}

/* A time does not depend on units, for surfaces of each kind. */
static void check_surface_units(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const int length = (int)uniform(&random, 0.0, 900.0);
    const int speed = (int)uniform(&random, 0.0, 900.0);
    const carom_surface surface = random_surface(&random);
    carom_piece piece = random_piece(&random, 4.0);
    const double r = uniform(&random, 0.0, 1.5);
    carom_surface small = surface;
    carom_piece slow = piece;
    note_case(number, "kind %d, lengths times 2^-%d, speeds times 2^-%d", (int)surface.kind, length, speed);
    piece.start = slow.start = 0.0;
    for (int a = 0; a < 3; a++) {
        small.at[a] = ldexp(surface.at[a], -length);
        small.extent[a] = ldexp(surface.extent[a], -length);
        slow.x[a] = ldexp(piece.x[a], -length);
        slow.v[a] = ldexp(piece.v[a], -speed);
    }
    const double t = ldexp(carom_surface_predict(&surface, &piece, r), speed - length);
    const double found = carom_surface_predict(&small, &slow, ldexp(r, -length));
    const bool at_rest = t == 0.0 && speed > length; /* what it would move in a step is rounding of its radius */
    note_check(found == t || (at_rest && isinf(found)), "%.17g, not %.17g", found, t);
}

static void test_surface_units(void **state) {
    (void)state;
    note_each_case(SURFACES, check_surface_units);
}

/* Whole numbers times 2^-shrink, which doubles hold down to their least exponents; never all 0. */
static void whole_vector(carom_random *random, int shrink, double v[3]) {
    for (int a = 0; a < 3; a++) {
        v[a] = ldexp(rint(uniform(random, -20.0, 20.0)), -shrink);
    }
    v[0] = v[0] == 0.0 ? ldexp(3.0, -shrink) : v[0];
}

static void check_same(const double normal[3], const double wanted[3]) {
    for (int a = 0; a < 3; a++) {
        note_check(normal[a] == wanted[a], "normal %.17g, not %.17g", normal[a], wanted[a]);
    }
}

/* The normal of two bodies at a distance p, which move with v to one another. */
static void pair_normal(const double p[3], const double v[3], double normal[3]) {
    static const carom_response_body body = {0.0, 1.0, 1.0, -INFINITY};
    double kept[3];
    carom_piece piece[2] = {{.v = {0.0}}, {.v = {0.0}}};
    memcpy(piece[0].x, p, sizeof piece[0].x);
    memcpy(piece[0].v, v, sizeof piece[0].v);
    const carom_response_side i = {&body, &piece[0], kept, 0};
    const carom_response_side k = {&body, &piece[1], kept, 1};
    const carom_impact impact = carom_respond_bodies(&PLAIN, &i, &k, &SELF, 0.0);
    note_check(isfinite(piece[0].v[0]) && isfinite(impact.point[0]) && isfinite(impact.impulse), "no number");
    memcpy(normal, impact.normal, sizeof impact.normal);
}

/* Directions of bodies and surfaces are those of a scene 2^shrink times as large: of lengths whose squares doubles do
 * not hold, too. Bodies with one centre collide head-on. */
static void check_small(uint64_t number) {
    const int shrink = 4 * (int)(number * 100 % SHRINKS); /* far ones in short runs, too */
    const uint64_t seed = note_case_seed(number);
    carom_surface surfaces[] = {
        {.kind = CAROM_SURFACE_PILLAR}, {.kind = CAROM_SURFACE_PIPE}, {.kind = CAROM_SURFACE_BOX}};
    static const double nowhere[3] = {0.0};
    double p[2][3];
    double v[2][3];
    double normal[2][3];
    note_case(number, "lengths times 2^-%d", shrink);
    for (int small = 0; small < 2; small++) {
        carom_random random = carom_random_seeded(seed);
        whole_vector(&random, small * shrink, p[small]);
        whole_vector(&random, small * shrink, v[small]);
    }
    pair_normal(p[0], v[0], normal[0]);
    pair_normal(p[1], v[1], normal[1]);
    check_same(normal[1], normal[0]);
    pair_normal(nowhere, v[0], normal[0]);
    pair_normal(nowhere, v[1], normal[1]);
    check_same(normal[1], normal[0]);
    note_check(fabs(carom_vector_dot(normal[1], v[0]) + length(v[0])) < 1e-13 * length(v[0]), "not head-on");
    for (size_t s = 0; s < sizeof surfaces / sizeof *surfaces; s++) {
        surfaces[s].axis[0][0] = surfaces[s].axis[1][1] = surfaces[s].axis[2][2] = 1.0;
        p[0][1] = p[0][1] == 0.0 ? 2.0 : p[0][1];
        p[1][1] = ldexp(p[0][1], -shrink);
        carom_surface_normal(&surfaces[s], p[0], v[0], normal[0]);
        carom_surface_normal(&surfaces[s], p[1], v[1], normal[1]);
        check_same(normal[1], normal[0]);
        note_check(fabs(length(normal[1]) - 1.0) < 1e-14, "normal of length %g", length(normal[1]));
    }
}

static void test_small(void **state) {
    (void)state;
    note_each_case(SHRINKS, check_small);
}

/* A body that fills a pipe hits its wall head-on, whatever members say that cylinders do not use. */
static void test_filled_pipe(void **state) {
    (void)state;
    const carom_response_body body = {2.0, 1.0, 0.0, -INFINITY};
    const carom_surface pipe = {
        .kind = CAROM_SURFACE_PIPE, .extent = {2.0}, .axis = {{0.0, 0.0, 1.0}, {NAN, NAN, NAN}, {NAN, NAN, NAN}}};
    carom_piece piece = {.v = {3.0, -4.0, 5.0}, .last = CAROM_PIECE_FRESH};
    double kept[3];
    const carom_response_side side = {&body, &piece, kept, 1};
    assert_true(carom_response_predict_surface(&PLAIN, &side, &pipe, 7) == 0.0);
    const carom_impact impact = carom_respond_surface(&PLAIN, &side, &pipe, 7, 0.0);
    assert_true(impact.normal[0] == -0.6 && impact.normal[1] == 0.8 && impact.normal[2] == 0.0);
    assert_true(fabs(piece.v[0]) < 1e-15 && fabs(piece.v[1]) < 1e-15 && piece.v[2] == 5.0);
    assert_true(isinf(carom_response_predict_surface(&PLAIN, &side, &pipe, 7)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_surfaces),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_budget),
        cmocka_unit_test(test_held_ahead),
        cmocka_unit_test(test_infinite_mass),
        cmocka_unit_test(test_rest_and_contact_time),
        cmocka_unit_test(test_landings_in_pipes),
        cmocka_unit_test(test_sliding_in_pipes),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_rounding_is_no_approach),
        cmocka_unit_test(test_rounding_at_surfaces),
        cmocka_unit_test(test_surface_units),
        cmocka_unit_test(test_small),
        cmocka_unit_test(test_filled_pipe),
    };
    note_start("test_response");
    return cmocka_run_group_tests_name("response", tests, NULL, NULL);
}
