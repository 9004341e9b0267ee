/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Planes through the gap that was seen at a time: which to follow, and until when it holds the shapes apart. The caller
 * computes heights, of one pair or of many side by side. */
#ifndef CAROM_NARROW_OUTLOOK_H
#define CAROM_NARROW_OUTLOOK_H

#include "kernel/narrow/chord.h"
#include "kernel/narrow/plane.h"

typedef struct carom_outlook {
    const carom_approach *pair;
    double end;       /* nothing is asked for from there on */
    double target;    /* heights are small enough from there on */
    double t;         /* when was looked */
    double height;    /* of the gap along the normal at t, > 0 */
    double closing;   /* the speed at which the witness points approach */
    double normal[3]; /* at t */
    double drift[3];  /* how the normal has rotated since the last look: a rotation vector for a whole step */
    carom_plane plane[CAROM_HEIGHT_PLANES];
    uint32_t usable; /* a bit for each plane that does not rotate too far */
    uint32_t chosen;
    carom_chord chord;
} carom_outlook;

/* Begins, before anything was seen. */
void carom_outlook_begin(carom_outlook *look, const carom_approach *pair, double target, double end);

/* Notes what was seen at t, and `before` it at a time `since` ago: normal and witness points. */
void carom_outlook_see(carom_outlook *look, double t, const double normal[3], const double point_i[3],
                       const double point_k[3]);

/* Asks for the heights of CAROM_HEIGHT_PLANES planes; look->height is set. */
void carom_outlook_ask(carom_outlook *look, carom_height_query *query);

/* Takes these heights. True if the search asks for the height of one plane again. If not, look->chord.low is how far the
 * shapes are proved apart. */
bool carom_outlook_choose(carom_outlook *look, carom_height_query *query);

/* Takes the height of one plane. Likewise. */
bool carom_outlook_follow(carom_outlook *look, carom_height_query *query);

#endif
