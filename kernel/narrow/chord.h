/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* How far in time a plane proves two moving shapes apart. */
#ifndef CAROM_NARROW_CHORD_H
#define CAROM_NARROW_CHORD_H

#include "kernel/narrow/plane.h"

/* What an advance starts from: heights of the gap along the plane's normal. */
typedef struct carom_chord {
    double t;
    double height; /* at t, > 0 */
    double tried;  /* a later time, at most `end` */
    double other;  /* the height then */
    double end;
    double target; /* heights as small as this end the search */
} carom_chord;

/* Returns a time from t on, at most `end`: the plane holds the shapes apart at all times from t to before it; `end` if up
 * to and with it. */
double carom_chord_advance(const carom_approach *pair, const carom_plane *plane, const carom_chord *chord);

/* A function on [0, 1] is at least a (1 - x) + b x - bend x (1 - x), with a > 0 and bend >= 0. Returns a value up to
 * which it is positive, exclusive; 1 if it is positive on all of [0, 1] (then b > 0). */
double carom_chord_root(double a, double b, double bend);

#endif
