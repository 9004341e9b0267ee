/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* How far in time a plane proves two moving shapes apart. */
#ifndef CAROM_NARROW_CHORD_H
#define CAROM_NARROW_CHORD_H

#include "kernel/narrow/plane.h"

/* The shapes are apart at t, by at least `height` > 0 along the plane's normal. Returns a time from t on, at most `end`:
 * the plane holds the shapes apart at all times from t to before it; `end` if up to and with it. Searches until the
 * height there is `target` or less. `tried` is the first time to try, t < tried <= end. */
double carom_chord_advance(const carom_approach *pair, const carom_plane *plane, double t, double height, double tried,
                           double end, double target);

/* A function on [0, 1] is at least a (1 - x) + b x - bend x (1 - x), with a > 0 and bend >= 0. Returns a value up to
 * which it is positive, exclusive; 1 if it is positive on all of [0, 1] (then b > 0). */
double carom_chord_root(double a, double b, double bend);

#endif
