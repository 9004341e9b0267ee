/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Signed distances from half-spaces and lines, in closed form. */
#ifndef CAROM_NARROW_ENDLESS_H
#define CAROM_NARROW_ENDLESS_H

#include "kernel/narrow/bracket.h"
#include "simd/posed.h"

/* A convex shape i against a half-space k: s is the least height of the shape over the plane. */
void carom_endless_half_space(const carom_posed *i, const carom_posed *k, carom_gap *gap);

/* A sphere or capsule i against a line k: the core's distance from the line, less the radius. */
void carom_endless_line(const carom_posed *i, const carom_posed *k, carom_gap *gap);

#endif
