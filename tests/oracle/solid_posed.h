/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Shapes and poses as the library's searches take them, made of what a caller gives. */
#ifndef CAROM_TESTS_SOLID_POSED_H
#define CAROM_TESTS_SOLID_POSED_H

#include "simd/posed.h"
#include "simd/rounded.h"
#include "tests/oracle/solid.h"

enum { SOLID_VERTICES_MOST = 256 };

/* An entry of a table of shapes, with its hull; not to be copied. */
typedef struct solid_entry {
    carom_shape_entry entry;
    carom_hull hull;
    _Alignas(64) double row[3][SOLID_VERTICES_MOST];
    _Alignas(64) float rounded[CAROM_ROUNDED_ALL * SOLID_VERTICES_MOST];
} solid_entry;

/* Hulls have vertices, no faces and edges; all their points are taken as vertices. */
void solid_entry_make(solid_entry *to, const carom_shape *shape);

/* i's position relative to k's, rounded, as a caller of the library's searches makes it; `own` leaves both as they
 * are. */
void solid_posed_make(const solid_input *i, const solid_input *k, const carom_shape_entry *entry_i,
                      const carom_shape_entry *entry_k, bool own, carom_posed posed[2]);

#endif
