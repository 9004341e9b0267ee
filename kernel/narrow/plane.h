/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Planes that hold two moving shapes apart. Their normal rotates evenly, as a face does that spins with its body. */
#ifndef CAROM_NARROW_PLANE_H
#define CAROM_NARROW_PLANE_H

#include "kernel/narrow/approach.h"

/* A plane whose normal is n at t and rotates as the vector `spin` says. */
void carom_plane_make(const double n[3], double t, const double spin[3], carom_turning *plane);

/* The height of the gap along the plane's normal at t (simd/ref/proof.h), rounded down by all that its rounding may be.
 * Against a half-space n is its normal, against a line at right angles to it, and does not rotate. */
double carom_plane_height(const carom_turning *plane, const carom_approach *pair, double t);

/* Bounds the second derivative of n(t).(a(t) - b(t)) for all points a of i and b of k, from the plane's time on. */
double carom_plane_bend(const carom_turning *plane, const carom_approach *pair);

#endif
