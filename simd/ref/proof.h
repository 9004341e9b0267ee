/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: two moving cores and a plane that holds them apart at a time. Out: until when a plane does that goes on from it.
 *
 * Planes: one that stays, one that rotates with either body, as its faces do, and one that goes on as the normal went
 * since the last look. The one that is highest at a later time is followed.
 *
 * Height: the gap along the plane's normal n(t),
 *
 *     g(t) = min over a in i of n(t).a - max over b in k of n(t).b - margin
 *
 * The cores are not rotated: the normal is, back into each one's frame.
 *
 * Bend: a bound of how fast the slope of n(t).(a(t) - b(t)) can change, for all points. For a point r of a body with
 * spin w and a normal with spin v, n.r has the second derivative n.((A - B)^2 - [A, B]) r with A = [v] and B = [w]: at
 * most (|v - w|^2 + |v x w|) |r|. For v = 0 it is at most |w|^2 |n x w / |w|| times r's distance from the axis. For the
 * bodies' relative position x(t) = p + t u, n.x has the second derivative n''.x + 2 n'.u, with |n'| = |v x n| and
 * |n''| = |v| |v x n|.
 *
 * Chord: every point a of i and b of k has a height n(t).(a - b) whose second derivative is at most the bend K. Between
 * two times it lies above the chord of its values there, less K tau^2 / 2 x (1 - x). So the gap g, the least of all
 * heights, does, too:
 *
 *     g(t + x tau) >= (1 - x) g(t) + x g(t + tau) - K tau^2 / 2 x (1 - x)
 *
 * Where this parabola is positive, the shapes are apart. Nothing else need be true of g, so the times that are tried
 * may be any: those of a secant search for its root, no farther ahead than the parabola can reach. Near the root a try
 * gains nearly all that there is, because K tau^2 then is small beside g. */
#ifndef CAROM_SIMD_REF_PROOF_H
#define CAROM_SIMD_REF_PROOF_H

#include <stdbool.h>
#include <string.h>

#include "simd/proof.h"
#include "simd/ref/support.h"
#include "simd/ref/turn.h"

/* Rounding of bounds of second derivatives, and of the sine of the angle between two unit vectors. */
#define CAROM_BEND_ERROR 0x1p-46

/* No plane turns by more radians than this, so that its normal's rounding is bounded. */
#define CAROM_PROOF_TURN_MOST 4.0

/* With heights of h at both ends and between, the bend times the square of a stretch is at most this times h. */
#define CAROM_PROOF_BEND_MOST 8.0

/* The most heights that a search along a chord computes. */
enum { CAROM_CHORD_TRIES_MAX = 12 };

/* The parabola is lowered by this, relative to each coefficient. A computed root is the exact one of a parabola whose
 * coefficients differ by a few units in the last place, which so is still below the one that is meant. */
#define CAROM_CHORD_ERROR 0x1p-46

/* Rounding of a time: the last bits of 1. */
#define CAROM_CHORD_TIME_ERROR 0x1p-52

/* Steps of a square of this times g / K keep the parabola positive where g does not fall by more than 5/6. */
#define CAROM_CHORD_SAFE_SQUARE 4.0

/* A try that proves less than this part of its stretch is followed by a shorter one from the same time. */
#define CAROM_CHORD_WORTH 0.5
#define CAROM_CHORD_SHORTER 0.7

/* Where the cores are at a time: the bodies' relative position, and sine and cosine of both rotations. */
typedef struct carom_instant {
    double x[3];
    double sine[2];
    double cosine[2];
} carom_instant;

static inline void carom_instant_set(const carom_course *course, double t, carom_instant *instant) {
    carom_vector_add(course->p, t, course->u, instant->x);
    carom_turn_sine_cosine(t * course->i->angle, &instant->sine[0], &instant->cosine[0]);
    carom_turn_sine_cosine(t * course->k->angle, &instant->sine[1], &instant->cosine[1]);
}

/* The greatest n.a over the points a of the core, relative to its body's origin. */
static inline double carom_swing_support(const carom_swing *swing, double sine, double cosine, const double n[3]) {
    double back[3];
    double local[3];
    double s[3];
    carom_turn_rotate(swing->axis, -sine, cosine, n, back);
    carom_pose_to_local(swing->start, back, local);
    carom_support_local(swing->shape, local, s);
    return carom_vector_dot(back, swing->arm) + carom_vector_dot(local, s);
}

/* The height at a instant t over the plane, rounded down by all that its rounding may be; *n receives its normal. */
static inline double carom_turning_height(const carom_turning *plane, const carom_course *course, double t,
                                          const carom_instant *instant, double n[3]) {
    const double *x = instant->x;
    double sine;
    double cosine;
    carom_turn_sine_cosine((t - plane->t) * plane->angle, &sine, &cosine);
    carom_turn_rotate(plane->axis, sine, cosine, plane->normal, n);
    const double back[3] = {-n[0], -n[1], -n[2]};
    const double far_i = carom_swing_support(course->i, instant->sine[0], instant->cosine[0], back);
    const double far_k = carom_swing_support(course->k, instant->sine[1], instant->cosine[1], n);
    const double error = course->height_error + CAROM_HEIGHT_ERROR * (fabs(x[0]) + fabs(x[1]) + fabs(x[2]));
    return carom_vector_dot(n, x) - far_i - far_k - course->radius - error;
}

/* The sine of the angle between two unit vectors, rounded up. */
static inline double carom_turning_sine(const double a[3], const double b[3]) {
    double across[3];
    carom_vector_cross(a, b, across);
    return fmin(carom_vector_length(across) + CAROM_BEND_ERROR, 1.0);
}

/* The bend of a core's points over a plane that stays. */
static inline double carom_swing_bend_still(const carom_swing *swing, const double normal[3]) {
    const double bend = carom_turning_sine(normal, swing->axis) * swing->angle * swing->angle * swing->around;
    return swing->angle > 0.0 && swing->around > 0.0 ? bend : 0.0;
}

/* The same over one that rotates. */
static inline double carom_swing_bend(const carom_swing *swing, const carom_turning *plane) {
    const double spin = swing->angle;
    double apart[3];
    for (int d = 0; d < 3; d++) {
        apart[d] = plane->angle * plane->axis[d] - spin * swing->axis[d];
    }
    const double difference = carom_vector_length(apart) + CAROM_BEND_ERROR * (plane->angle + spin);
    const double cross = carom_turning_sine(plane->axis, swing->axis) * plane->angle * spin;
    return swing->core_reach > 0.0 ? (difference * difference + cross) * swing->core_reach : 0.0;
}

/* Of the relative position over a plane that rotates, from its time on. */
static inline double carom_course_bend(const carom_course *course, const carom_turning *plane) {
    double now[3];
    double last[3];
    carom_vector_add(course->p, plane->t, course->u, now);
    carom_vector_add(course->p, 1.0, course->u, last);
    const double speed = carom_vector_length(course->u);
    const double far_most = fmax(carom_vector_length(now), carom_vector_length(last));
    const double rate = plane->angle * carom_turning_sine(plane->normal, plane->axis);
    const double rounding = CAROM_BEND_ERROR * (carom_vector_length(course->p) + speed);
    return rate * (plane->angle * (far_most + rounding) + 2.0 * speed);
}

static inline double carom_turning_bend(const carom_turning *plane, const carom_course *course) {
    double sum;
    if (plane->angle > 0.0) {
        sum = carom_swing_bend(course->i, plane) + carom_swing_bend(course->k, plane) +
              carom_course_bend(course, plane);
    } else {
        sum = carom_swing_bend_still(course->i, plane->normal) + carom_swing_bend_still(course->k, plane->normal);
    }
    return sum * (1.0 + CAROM_BEND_ERROR);
}

/* A function on [0, 1] is at least a (1 - x) + b x - bend x (1 - x), with a > 0 and bend >= 0. Returns a value up to
 * which it is positive, exclusive; 1 if it is positive on all of [0, 1] (then b > 0). */
static inline double carom_chord_root_of(double a, double b, double bend) {
    if (!(bend < HUGE_VAL)) {
        return 0.0;
    }
    const double c = a * (1.0 - CAROM_CHORD_ERROR);
    const double slope = (b - a - bend) - CAROM_CHORD_ERROR * (a + fabs(b) + bend);
    if (!(c > 0.0)) {
        return 0.0;
    }
    if (slope >= 0.0) {
        return 1.0;
    }
    const double square = slope * slope - 4.0 * bend * c;
    if (square < 0.0) {
        return 1.0;
    }
    const double root = 2.0 * c / (sqrt(square) - slope);
    return root < 1.0 ? root : 1.0;
}

/* A search along a chord: the shapes are apart before `low`, and g is `height` there; at `tried` it was `other`. */
typedef struct carom_chord {
    double low;
    double height;
    double tried;
    double other;
    double end;
    double target;
    double bend;
    double ask;     /* the time whose height is needed next: `tried`, or if it has `moved` there, `low` */
    uint32_t tries; /* heights that it has taken */
    bool moved;
} carom_chord;

/* Asks for the height at the next time to try: where a straight line through the last two values falls to 0, but at most
 * `most` ahead and no farther than the parabola reaches. False if there is none. */
static inline bool carom_chord_try(carom_chord *chord, double slope, double most) {
    double tau = most;
    if (slope > 0.0) {
        tau = fmin(tau, chord->height / slope);
    }
    if (chord->bend > 0.0) {
        tau = fmin(tau, sqrt(CAROM_CHORD_SAFE_SQUARE * chord->height / chord->bend));
    }
    chord->tried = fmin(chord->end, chord->low + tau);
    chord->ask = chord->tried;
    chord->moved = false;
    return chord->height > chord->target && chord->tried > chord->low && chord->tries < CAROM_CHORD_TRIES_MAX;
}

/* Takes what the last try proves, and sets the next one. If it proves a part, the search moves on by that, if doubles can
 * tell, and asks for the height there. False if the search is at its end. */
static inline bool carom_chord_take(carom_chord *chord) {
    const double tau = chord->tried - chord->low;
    const double slope = (chord->height - chord->other) / tau;
    const double part = carom_chord_root_of(chord->height, chord->other, 0.5 * chord->bend * tau * tau);
    if (part >= 1.0) {
        chord->low = chord->tried;
        chord->height = chord->other;
        return carom_chord_try(chord, slope, chord->end - chord->low);
    }
    if (part < CAROM_CHORD_WORTH && chord->tries < CAROM_CHORD_TRIES_MAX / 2) {
        return carom_chord_try(chord, slope, CAROM_CHORD_SHORTER * tau);
    }
    const double gained = part * tau * (1.0 - 4.0 * CAROM_CHORD_TIME_ERROR);
    const double t = (chord->low + gained) * (1.0 - CAROM_CHORD_TIME_ERROR);
    if (!(t > chord->low)) {
        return false;
    }
    chord->low = t;
    chord->ask = t;
    chord->moved = true;
    return true;
}

/* Takes the height that was asked for. Likewise. */
static inline bool carom_chord_next(carom_chord *chord, double height) {
    chord->tries++;
    if (!chord->moved) {
        chord->other = height;
        return carom_chord_take(chord);
    }
    const double tau = chord->tried - chord->low;
    chord->height = height;
    return carom_chord_try(chord, (height - chord->other) / tau, tau);
}

/* When the gap would be closed at the present speed, but no later than the plane that stays could hold. */
static inline double carom_proof_closing(const carom_proof *proof, double height, double bend) {
    double left = proof->end - proof->drift.t;
    if (proof->closing * left > height) {
        left = height / proof->closing;
    }
    if (bend * left * left > CAROM_PROOF_BEND_MOST * height) {
        left = sqrt(CAROM_PROOF_BEND_MOST * height / bend);
    }
    return fmin(proof->drift.t + left, proof->end);
}

/* Until when a plane that rotates by `angle` is of use. */
static inline double carom_proof_end(const carom_proof *proof, double angle) {
    const double t = proof->drift.t;
    return angle * (proof->end - t) > CAROM_PROOF_TURN_MOST ? t + CAROM_PROOF_TURN_MOST / angle : proof->end;
}

/* The plane that is highest at the time tried, of those that do not rotate too far; *other receives its height. */
static inline carom_turning carom_proof_plane(carom_proof *proof, double tried, double *other) {
    const carom_course *course = proof->course;
    const double *axis[4] = {proof->drift.axis, course->i->axis, course->k->axis, proof->drift.axis};
    const double angle[4] = {0.0, course->i->angle, course->k->angle, proof->drift.angle};
    carom_turning highest = proof->drift;
    carom_instant instant;
    carom_instant_set(course, tried, &instant);
    *other = -HUGE_VAL;
    const bool turns = course->i->turns > 0.0 && course->k->turns > 0.0;
    for (int p = 0; p < 4; p++) {
        carom_turning plane = proof->drift;
        double n[3];
        const bool usable = !proof->first && angle[p] > 0.0 && carom_proof_end(proof, angle[p]) >= tried && turns;
        if (p > 0 && !usable) {
            continue;
        }
        plane.angle = angle[p];
        for (int d = 0; d < 3; d++) {
            plane.axis[d] = axis[p][d];
        }
        const double height = carom_turning_height(&plane, course, tried, &instant, n);
        if (height > *other || p == 0) {
            *other = height;
            highest = plane;
            memcpy(proof->ahead, n, sizeof n);
        }
    }
    return highest;
}

/* The height at the beginning of the plane that stays. */
static inline double carom_proof_first(const carom_proof *proof) {
    carom_instant instant;
    carom_turning still = proof->drift;
    double n[3];
    still.angle = 0.0;
    carom_instant_set(proof->course, proof->drift.t, &instant);
    return carom_turning_height(&still, proof->course, proof->drift.t, &instant, n);
}

static inline void carom_proof_find(carom_proof *proof) {
    const carom_course *course = proof->course;
    carom_turning still = proof->drift;
    const double height = proof->first ? carom_proof_first(proof) : proof->height;
    carom_chord chord = {.low = proof->drift.t, .height = height, .target = proof->target};
    still.angle = 0.0;
    chord.tried = carom_proof_closing(proof, height, carom_turning_bend(&still, course));
    const carom_turning plane = carom_proof_plane(proof, chord.tried, &chord.other);
    chord.end = carom_proof_end(proof, plane.angle);
    chord.bend = carom_turning_bend(&plane, course);
    const bool high = !proof->first || height > proof->target;
    bool more = high && chord.tried > chord.low && carom_chord_take(&chord);
    while (more) {
        carom_instant instant;
        carom_instant_set(course, chord.ask, &instant);
        more = carom_chord_next(&chord, carom_turning_height(&plane, course, chord.ask, &instant, proof->ahead));
    }
    proof->next = chord.low;
}

#endif
