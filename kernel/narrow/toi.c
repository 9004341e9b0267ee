/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: two moving bodies. Out: a time before which they do not touch, proved, and how far apart they are then.
 *
 * Conservative advancement (Mirtich 1996): at a time t a search finds the distance and its normal n. The gap along any
 * normal is a lower bound of the distance; along n it equals it at t. So a plane's normal starts as n and may rotate as
 * it likes: chord.c proves until when it holds the shapes apart, and there is the next search. A plane that keeps up
 * with the true normal, as one does that rotates with the face that will be hit, or that goes on as the normal went
 * from the last time to this one, finds the time of impact as Newton's method does, but never passes it.
 *
 * Before: the bounding spheres' time of touch, and for fast spins that of the cylinders which the shapes sweep out in a
 * whole turn. These do not rotate, so their searches are short. */
#include "kernel/narrow/toi.h"

#include <float.h>
#include <math.h>

#include "kernel/narrow/chord.h"
#include "kernel/narrow/envelope.h"
#include "simd/vector.h"

/* Brackets and heights are as narrow as this part of the gap that a hit may have. */
static const double PART_OF_TOLERANCE = 0.25;

/* Greater components of positions and ways could overflow in the searches. Sizes are at most 1e50. */
static const double NEAR_MOST = 0x1p240;

/* Rounding of a bound of a distance. */
static const double BOUND_ERROR = 0x1p-50;

/* The time of what does not happen in the step. */
static const double NEVER = 2.0;

/* How close to each other cylinders of fast spins get, relative to the smaller, and in how many poses. */
static const double ENVELOPE_TOLERANCE = 0x1p-8;
enum { ENVELOPE_LOOKS = 12 };

/* Width of a bracket, relative to the distance, that nothing is made of. */
static const double ROUGH_TOLERANCE = 0x1p-4;

/* A search for one pair of convex shapes. */
typedef struct search {
    const carom_approach *pair;
    carom_gap_task gap;
    double length; /* the greatest gap of a hit */
    double end;    /* nothing is asked for from there on */
    uint32_t iterations_max;
} search;

static double smaller(double a, double b) {
    const double least = fmin(a, b);
    return least > 0.0 ? least : fmax(a, b);
}

/* What `tolerance` is relative to. Two points have no reach: then it is their way. */
static double scale_of(const carom_approach *pair) {
    const double shapes = smaller(pair->i.shape->reach, pair->k.shape->reach);
    const double bodies = smaller(pair->i.body->shape->reach, pair->k.body->shape->reach);
    const double scale = smaller(shapes, bodies);
    if (!(scale < HUGE_VAL)) {
        return 0.0;
    }
    return scale > 0.0 ? scale : carom_vector_length(pair->p) + carom_vector_length(pair->u);
}

static search make_search(const carom_approach *pair, const carom_toi_task *task, double end) {
    search s = {.pair = pair, .end = end, .iterations_max = task->iterations_max};
    const double reach = smaller(pair->i.shape->reach, pair->k.shape->reach);
    s.length = fmax(task->tolerance * scale_of(pair), DBL_MIN);
    s.gap.detail = CAROM_GAP_DISTANCE;
    s.gap.margin = task->margin;
    s.gap.simd = task->simd;
    s.gap.tolerance = PART_OF_TOLERANCE * task->tolerance;
    if (reach > 0.0 && reach < HUGE_VAL) {
        s.gap.tolerance = PART_OF_TOLERANCE * fmin(task->tolerance, s.length / reach);
    }
    return s;
}

/* A half-space's plane, and a line, allow for one normal only. */
static void fit_normal(const carom_posed *posed, double sign, double n[3]) {
    const double axis[3] = {posed->turn[0][2], posed->turn[1][2], posed->turn[2][2]};
    if (posed->shape->kind == CAROM_SHAPE_HALF_SPACE) {
        for (int d = 0; d < 3; d++) {
            n[d] = sign * axis[d];
        }
    } else if (posed->shape->kind == CAROM_SHAPE_LINE) {
        carom_vector_add(n, -carom_vector_dot(n, axis) / carom_vector_dot(axis, axis), axis, n);
    }
}

/* Computes the distance at t. */
static void look(const search *s, double t, carom_toi_found *found) {
    const carom_approach *pair = s->pair;
    carom_posed i;
    carom_posed k;
    carom_gap gap;
    double shift[3];
    carom_approach_pose(pair, t, &i, &k, shift);
    carom_gap_find(&i, &k, &s->gap, &gap);
    found->iterations++;
    found->t = t;
    found->gap = gap.upper + pair->pose_error;
    for (int d = 0; d < 3; d++) {
        const double origin = shift[d] + (pair->k.body->at[d] + t * pair->k.body->move[d]);
        found->normal[d] = gap.normal[d];
        found->point_i[d] = gap.point_i[d] + origin;
        found->point_k[d] = gap.point_k[d] + origin;
    }
    fit_normal(&i, -1.0, found->normal);
    fit_normal(&k, 1.0, found->normal);
    (void)carom_vector_unit(found->normal, found->normal);
}

/* Whether the shapes are so close that it is a hit, with the margin's rounding. */
static bool is_hit(const search *s, const carom_toi_found *found) {
    const double margin = s->gap.margin;
    return found->gap - margin + BOUND_ERROR * margin <= s->length;
}

/* No plane turns by more radians than this, so that its normal's rounding is bounded. */
static const double TURN_MOST = 4.0;

/* With heights of h at both ends and between, the bend times the square of a stretch is at most this times h. */
static const double BEND_MOST = 8.0;

/* Planes that are tried: fixed, rotating with either body, as its faces do, and rotating on as the normal did. */
enum { PLANES = 4 };

/* What the planes of one look are made of. */
typedef struct outlook {
    double t;
    double height;    /* of the gap along the normal at t, > 0 */
    double target;    /* heights are small enough from there on */
    double closing;   /* the speed at which the witness points approach */
    double normal[3]; /* at t */
    double drift[3];  /* how the normal has rotated since the last look: a rotation vector for a whole step */
} outlook;

/* When the gap would be closed at the present speed, but no later than the fixed plane could hold with this bend. */
static double closing_time(const outlook *from, double bend, double end) {
    double left = end - from->t;
    if (from->closing * left > from->height) {
        left = from->height / from->closing;
    }
    if (bend * left * left > BEND_MOST * from->height) {
        left = sqrt(BEND_MOST * from->height / bend);
    }
    return fmin(from->t + left, end);
}

/* Until when the plane is of use. */
static double plane_end(const carom_plane *plane, const outlook *from, double end) {
    return plane->angle * (end - from->t) > TURN_MOST ? from->t + TURN_MOST / plane->angle : end;
}

/* The plane that is highest at the time tried, of those that do not rotate too far; *other receives its height. */
static carom_plane highest_plane(const search *s, const outlook *from, double tried, double *other) {
    static const double still[3] = {0.0, 0.0, 0.0};
    const double *spin[PLANES] = {still, s->pair->i.body->spin, s->pair->k.body->spin, from->drift};
    const int count = s->pair->reach < HUGE_VAL ? PLANES : 1;
    carom_plane highest;
    *other = -HUGE_VAL;
    for (int n = 0; n < count; n++) {
        carom_plane plane;
        carom_plane_make(from->normal, from->t, spin[n], &plane);
        if (n > 0 && (!(plane.angle > 0.0) || plane_end(&plane, from, tried) < tried)) {
            continue;
        }
        const double height = carom_plane_height(&plane, s->pair, tried);
        if (n == 0 || height > *other) {
            *other = height;
            highest = plane;
        }
    }
    return highest;
}

/* Until when a plane through the gap at t proves the shapes apart. *apart: whether it does at t. */
static double prove(const search *s, outlook *from, bool *apart) {
    static const double still[3] = {0.0, 0.0, 0.0};
    carom_plane plane;
    carom_plane_make(from->normal, from->t, still, &plane);
    from->height = carom_plane_height(&plane, s->pair, from->t);
    *apart = from->height > 0.0;
    if (!*apart) {
        return from->t;
    }
    carom_chord chord = {.t = from->t, .height = from->height, .target = from->target};
    chord.tried = closing_time(from, carom_plane_bend(&plane, s->pair, from->t), s->end);
    plane = highest_plane(s, from, chord.tried, &chord.other);
    chord.end = plane_end(&plane, from, s->end);
    return carom_chord_advance(s->pair, &plane, &chord);
}

/* The rotation vector per step of a normal that was `before` at a time before. */
static void set_drift(outlook *from, const double before[3], double since) {
    double across[3];
    carom_vector_cross(before, from->normal, across);
    for (int d = 0; d < 3; d++) {
        from->drift[d] = since > 0.0 ? across[d] / since : 0.0;
    }
}

/* The speed of a point of a body along n. */
static double speed_of(const carom_moving *body, double t, const double point[3], const double n[3]) {
    double arm[3];
    double turning[3];
    for (int d = 0; d < 3; d++) {
        arm[d] = point[d] - (body->at[d] + t * body->move[d]);
    }
    carom_vector_cross(body->spin, arm, turning);
    return carom_vector_dot(n, body->move) + carom_vector_dot(n, turning);
}

/* Looks at the time that has been reached. */
static void look_out(const search *s, double last, outlook *from, carom_toi_found *found) {
    const double before[3] = {from->normal[0], from->normal[1], from->normal[2]};
    look(s, from->t, found);
    for (int d = 0; d < 3; d++) {
        from->normal[d] = found->normal[d];
    }
    set_drift(from, before, from->t - last);
    from->closing = speed_of(s->pair->k.body, from->t, found->point_k, from->normal) -
                    speed_of(s->pair->i.body, from->t, found->point_i, from->normal);
}

/* Searches from t on, before which the shapes do not touch. */
static void advance(const search *s, double t, carom_toi_found *found) {
    outlook from = {.t = t, .target = PART_OF_TOLERANCE * s->length};
    double last = t;
    for (;;) {
        look_out(s, last, &from, found);
        if (is_hit(s, found)) {
            found->state = CAROM_TOI_HIT;
            return;
        }
        bool apart;
        const double next = prove(s, &from, &apart);
        if (apart && next >= s->end) {
            found->state = CAROM_TOI_NONE;
            return;
        }
        if (!(next > from.t) || found->iterations >= s->iterations_max) {
            found->state = CAROM_TOI_CAPPED;
            return;
        }
        last = from.t;
        from.t = next;
    }
}

/* When the cylinders of fast spins touch, from t on; NEVER: not in the step. The search may end anywhere, because all
 * times before are proved. */
static double advance_envelopes(const search *s, double t, uint32_t *iterations) {
    carom_envelope envelope;
    const carom_toi_task task = {.simd = s->gap.simd,
                                 .margin = s->gap.margin,
                                 .tolerance = ENVELOPE_TOLERANCE,
                                 .iterations_max =
                                     s->iterations_max < ENVELOPE_LOOKS ? s->iterations_max / 2 : ENVELOPE_LOOKS};
    if (task.iterations_max == 0 || !carom_envelope_make(s->pair, s->end - t, task.margin, &envelope)) {
        return t;
    }
    const search outer = make_search(&envelope.pair, &task, s->end);
    carom_toi_found found = {.iterations = 0};
    advance(&outer, t, &found);
    *iterations += found.iterations;
    return found.state == CAROM_TOI_NONE ? NEVER : found.t;
}

/* Nothing is known but when the bounding spheres touch. */
static void find_far(const search *s, double touch, carom_toi_found *found) {
    const carom_approach *pair = s->pair;
    found->state = CAROM_TOI_CAPPED;
    found->t = touch;
    found->gap = DBL_MAX;
    if (!carom_vector_unit(pair->p, found->normal)) {
        found->normal[0] = 1.0;
    }
    for (int d = 0; d < 3; d++) {
        found->point_i[d] = pair->i.body->at[d];
        found->point_k[d] = pair->k.body->at[d];
    }
}

static bool is_far(const carom_approach *pair) {
    bool far = false;
    for (int d = 0; d < 3; d++) {
        far = far || !(fabs(pair->p[d]) < NEAR_MOST && fabs(pair->u[d]) < NEAR_MOST);
    }
    return far;
}

/* One pair of convex shapes, until `end`. `found` is NONE so far. */
static void find_convex(const search *s, carom_toi_found *found) {
    const double touch = carom_approach_spheres(s->pair);
    if (touch > s->end) {
        return;
    }
    if (is_far(s->pair)) {
        find_far(s, touch, found);
        return;
    }
    const double start = advance_envelopes(s, touch, &found->iterations);
    if (start <= s->end) {
        advance(s, start, found);
    }
}

/* Whether a pair of children's answer replaces the best so far. */
static bool is_better(const carom_toi_found *found, const carom_toi_found *best) {
    if (found->state == CAROM_TOI_NONE || best->state == CAROM_TOI_NONE) {
        return found->state != CAROM_TOI_NONE || (best->state == CAROM_TOI_NONE && found->gap < best->gap);
    }
    return found->t < best->t ||
           (found->t <= best->t && found->state == CAROM_TOI_HIT && best->state == CAROM_TOI_CAPPED);
}

static uint32_t add_counts(uint32_t a, uint32_t b) {
    return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

static void try_pair(const carom_approach *pair, const uint32_t child[2], const carom_toi_task *task,
                     carom_toi_found *best) {
    const search s = make_search(pair, task, best->state == CAROM_TOI_NONE ? 1.0 : best->t);
    carom_toi_found found = {.state = CAROM_TOI_NONE, .gap = HUGE_VAL, .child_i = child[0], .child_k = child[1]};
    find_convex(&s, &found);
    const uint32_t iterations = add_counts(best->iterations, found.iterations);
    if (is_better(&found, best)) {
        *best = found;
    }
    best->iterations = iterations;
}

/* Pairs whose spheres stay apart are not looked at; then a caller still gets a distance. */
static void look_once(carom_approach *pair, const carom_toi_task *task, carom_toi_found *found) {
    carom_track_make(pair->i.body, 0, &pair->i);
    carom_track_make(pair->k.body, 0, &pair->k);
    carom_approach_set(pair, task->margin);
    search s = make_search(pair, task, 1.0);
    s.gap.tolerance = ROUGH_TOLERANCE;
    if (is_far(pair)) {
        find_far(&s, 0.0, found);
    } else {
        look(&s, 0.0, found);
    }
    found->state = CAROM_TOI_NONE;
    found->iterations = 1;
    found->child_i = 0;
    found->child_k = 0;
}

/* Whether nothing can be earlier. */
static bool is_first(const carom_toi_found *found) {
    return found->state == CAROM_TOI_HIT && !(found->t > 0.0);
}

void carom_toi_find(const carom_moving *i, const carom_moving *k, const carom_toi_task *task, carom_toi_found *found) {
    carom_approach pair;
    pair.i.body = i;
    pair.k.body = k;
    *found = (carom_toi_found){.state = CAROM_TOI_NONE, .gap = HUGE_VAL};
    for (uint32_t n = 0; n < carom_track_count(i) && !is_first(found); n++) {
        carom_track_make(i, n, &pair.i);
        for (uint32_t m = 0; m < carom_track_count(k) && !is_first(found); m++) {
            carom_track_make(k, m, &pair.k);
            carom_approach_set(&pair, task->margin);
            try_pair(&pair, (const uint32_t[2]){n, m}, task, found);
        }
    }
    if (found->state == CAROM_TOI_NONE) {
        if (!(found->gap < HUGE_VAL)) {
            look_once(&pair, task, found);
        }
        found->t = 1.0;
    }
}
