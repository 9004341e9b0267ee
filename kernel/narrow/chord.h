/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* How far in time one plane's normal proves two moving shapes apart. */
#ifndef CAROM_NARROW_CHORD_H
#define CAROM_NARROW_CHORD_H

#include "kernel/narrow/approach.h"

/* The shapes are apart at t, by at least `height` > 0 along n, which is a unit vector from k to i. Returns a time from t
 * on, at most `end`: the shapes are apart at all times from t to before it, along n; `end` if up to and with it. Searches
 * until the height there is `target` or less. */
double carom_chord_advance(const carom_approach *pair, const double n[3], double t, double height, double end,
                           double target);

/* A function on [0, 1] is at least a (1 - x) + b x - bend x (1 - x), with a > 0 and bend >= 0. Returns a value up to
 * which it is positive, exclusive; 1 if it is positive on all of [0, 1] (then b > 0). */
double carom_chord_root(double a, double b, double bend);

#endif
