/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: two moving shapes that a plane holds apart at a time. Out: until when it does.
 *
 * Every point a of i and b of k has a height n(t).(a - b) whose second derivative is at most K. Between two times it
 * lies above the chord of its values there, less K tau^2 / 2 x (1 - x). So the gap g, the least of all heights, does,
 * too:
 *
 *     g(t + x tau) >= (1 - x) g(t) + x g(t + tau) - K tau^2 / 2 x (1 - x)
 *
 * Where this parabola is positive, the shapes are apart. Nothing else need be true of g, so the times that are tried
 * may be any: those of a secant search for its root, no farther ahead than the parabola can reach. Near the root a try
 * gains nearly all that there is, because K tau^2 then is small beside g. */
#include "kernel/narrow/chord.h"

#include <math.h>
#include <stdbool.h>

/* The most heights that one search computes. */
enum { TRIES_MAX = 12 };

/* The parabola is lowered by this, relative to each coefficient. A computed root is the exact one of a parabola whose
 * coefficients differ by a few units in the last place, which so is still below the one that is meant. */
static const double PARABOLA_ERROR = 0x1p-46;

/* Rounding of a time: the last bits of 1. */
static const double TIME_ERROR = 0x1p-52;

/* Steps of a square of this times g / K keep the parabola positive where g does not fall by more than 5/6. */
static const double SAFE_SQUARE = 4.0;

/* A try that proves less than this part of its stretch is followed by a shorter one from the same time. */
static const double PART_WORTH = 0.5;
static const double SHORTER = 0.7;

double carom_chord_root(double a, double b, double bend) {
    if (!(bend < HUGE_VAL)) {
        return 0.0;
    }
    const double c = a * (1.0 - PARABOLA_ERROR);
    const double slope = (b - a - bend) - PARABOLA_ERROR * (a + fabs(b) + bend);
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

/* A search: the shapes are apart before `low`, and g is `height` there; at `tried` it was `other`. */
typedef struct search {
    const carom_approach *pair;
    const carom_plane *plane;
    double end;
    double bend; /* K */
    double low;
    double height;
    double tried;
    double other;
    uint32_t tries;
} search;

static double height_at(search *s, double t) {
    s->tries++;
    return carom_plane_height(s->plane, s->pair, t);
}

/* Where a straight line through the last two values falls to 0, but at most `most` ahead and no farther than the
 * parabola reaches. */
static double next_time(const search *s, double slope, double most) {
    double tau = most;
    if (slope > 0.0) {
        tau = fmin(tau, s->height / slope);
    }
    if (s->bend > 0.0) {
        tau = fmin(tau, sqrt(SAFE_SQUARE * s->height / s->bend));
    }
    return fmin(s->end, s->low + tau);
}

/* Moves on to a part of the way to the last try, if doubles can tell. */
static bool move_by(search *s, double part) {
    const double gained = part * (s->tried - s->low) * (1.0 - 4.0 * TIME_ERROR);
    const double t = (s->low + gained) * (1.0 - TIME_ERROR);
    if (!(t > s->low)) {
        return false;
    }
    s->low = t;
    s->height = height_at(s, t);
    return true;
}

/* Takes what the last try proves, and sets the next one. False if the search is at its end. */
static bool take(search *s, double target) {
    const double tau = s->tried - s->low;
    const double slope = (s->height - s->other) / tau;
    const double part = carom_chord_root(s->height, s->other, 0.5 * s->bend * tau * tau);
    if (part >= 1.0) {
        s->low = s->tried;
        s->height = s->other;
        s->tried = next_time(s, slope, s->end - s->low);
    } else if (part < PART_WORTH && s->tries < TRIES_MAX / 2) {
        s->tried = next_time(s, slope, SHORTER * tau);
    } else if (move_by(s, part)) {
        s->tried = next_time(s, (s->height - s->other) / (s->tried - s->low), s->tried - s->low);
    } else {
        return false;
    }
    return s->height > target && s->tried > s->low;
}

double carom_chord_advance(const carom_approach *pair, const carom_plane *plane, const carom_chord *chord) {
    search s = {.pair = pair,
                .plane = plane,
                .end = chord->end,
                .bend = carom_plane_bend(plane, pair, chord->t),
                .low = chord->t,
                .height = chord->height,
                .tried = chord->tried,
                .other = chord->other};
    bool more = s.tried > s.low && take(&s, chord->target);
    while (more && s.tries < TRIES_MAX) {
        s.other = height_at(&s, s.tried);
        more = take(&s, chord->target);
    }
    return s.low;
}
