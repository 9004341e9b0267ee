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

/* Where a straight line through the last two values falls to 0, but at most `most` ahead and no farther than the
 * parabola reaches. */
static double next_time(const carom_chord *chord, double slope, double most) {
    double tau = most;
    if (slope > 0.0) {
        tau = fmin(tau, chord->height / slope);
    }
    if (chord->bend > 0.0) {
        tau = fmin(tau, sqrt(SAFE_SQUARE * chord->height / chord->bend));
    }
    return fmin(chord->end, chord->low + tau);
}

/* Asks for the height at the next time to try, if there is one. */
static bool try_next(carom_chord *chord, double slope, double most) {
    chord->tried = next_time(chord, slope, most);
    chord->ask = chord->tried;
    chord->moved = false;
    return chord->height > chord->target && chord->tried > chord->low && chord->tries < TRIES_MAX;
}

/* Moves on to a part of the way to the last try, if doubles can tell, and asks for the height there. */
static bool move_by(carom_chord *chord, double part) {
    const double gained = part * (chord->tried - chord->low) * (1.0 - 4.0 * TIME_ERROR);
    const double t = (chord->low + gained) * (1.0 - TIME_ERROR);
    if (!(t > chord->low)) {
        return false;
    }
    chord->low = t;
    chord->ask = t;
    chord->moved = true;
    return true;
}

/* Takes what the last try proves, and sets the next one. False if the search is at its end. */
static bool take(carom_chord *chord) {
    const double tau = chord->tried - chord->low;
    const double slope = (chord->height - chord->other) / tau;
    const double part = carom_chord_root(chord->height, chord->other, 0.5 * chord->bend * tau * tau);
    if (part >= 1.0) {
        chord->low = chord->tried;
        chord->height = chord->other;
        return try_next(chord, slope, chord->end - chord->low);
    }
    if (part < PART_WORTH && chord->tries < TRIES_MAX / 2) {
        return try_next(chord, slope, SHORTER * tau);
    }
    return move_by(chord, part);
}

bool carom_chord_begin(carom_chord *chord) {
    chord->tries = 0;
    return chord->tried > chord->low && take(chord);
}

bool carom_chord_take(carom_chord *chord, double height) {
    chord->tries++;
    if (!chord->moved) {
        chord->other = height;
        return take(chord);
    }
    chord->height = height;
    return try_next(chord, (chord->height - chord->other) / (chord->tried - chord->low), chord->tried - chord->low);
}
