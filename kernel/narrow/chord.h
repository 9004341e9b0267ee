/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* How far in time a plane proves two moving shapes apart. */
#ifndef CAROM_NARROW_CHORD_H
#define CAROM_NARROW_CHORD_H

#include <stdbool.h>
#include <stdint.h>

/* A search for how far a plane holds. Set before it begins: */
typedef struct carom_chord {
    double low;    /* the shapes are apart at all times from the start to before this; and at it, with this height */
    double height; /* > 0 */
    double tried;  /* a later time, at most `end` */
    double other;  /* the height then */
    double end;
    double target; /* heights as small as this end the search */
    double bend;   /* bounds the second derivative (carom_plane_bend) */

    /* Set by the search: */
    double ask;     /* the time whose height it needs */
    uint32_t tries; /* heights it has asked for */
    bool moved;     /* it asks for the height at `low` */
} carom_chord;

/* Takes the height at `tried`. True if the search needs another one, at `ask`. When it has ended, `low` is the answer:
 * `end` if the shapes are apart up to and with it. */
bool carom_chord_begin(carom_chord *chord);

/* Takes the height that it asked for. Likewise. */
bool carom_chord_take(carom_chord *chord, double height);

/* A function on [0, 1] is at least a (1 - x) + b x - bend x (1 - x), with a > 0 and bend >= 0. Returns a value up to
 * which it is positive, exclusive; 1 if it is positive on all of [0, 1] (then b > 0). */
double carom_chord_root(double a, double b, double bend);

#endif
