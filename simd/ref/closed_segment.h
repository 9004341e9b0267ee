/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Closed forms for shapes whose cores are points, segments or lines (kernel/narrow/closed.h). */
#ifndef CAROM_SIMD_REF_CLOSED_SEGMENT_H
#define CAROM_SIMD_REF_CLOSED_SEGMENT_H

#include "simd/gap.h"
#include "simd/posed.h"

/* A sphere against a sphere. */
void carom_closed_segment_spheres(const carom_posed *i, const carom_posed *k, carom_gap *gap);

/* Spheres, capsules and lines against one another, but for two lines. */
void carom_closed_segment_pair(const carom_posed *i, const carom_posed *k, carom_gap *gap);

/* Two lines. */
void carom_closed_segment_lines(const carom_posed *i, const carom_posed *k, carom_gap *gap);

#endif
