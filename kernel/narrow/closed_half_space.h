/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Closed forms for half-spaces (kernel/narrow/closed.h). */
#ifndef CAROM_NARROW_CLOSED_HALF_SPACE_H
#define CAROM_NARROW_CLOSED_HALF_SPACE_H

#include "simd/gap.h"
#include "simd/posed.h"

/* A convex shape i against a half-space k. */
void carom_closed_half_space_convex(const carom_posed *i, const carom_posed *k, carom_gap *gap);

/* Two half-spaces. */
void carom_closed_half_space_pair(const carom_posed *i, const carom_posed *k, carom_gap *gap);

/* A half-space i against a line k. */
void carom_closed_half_space_line(const carom_posed *i, const carom_posed *k, carom_gap *gap);

#endif
