/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Closed forms for a sphere, i, against a solid, k (kernel/narrow/closed.h). */
#ifndef CAROM_SIMD_REF_CLOSED_SOLID_H
#define CAROM_SIMD_REF_CLOSED_SOLID_H

#include "simd/gap.h"
#include "simd/posed.h"

void carom_closed_solid_box(const carom_posed *i, const carom_posed *k, carom_gap *gap);
void carom_closed_solid_cylinder(const carom_posed *i, const carom_posed *k, carom_gap *gap);
void carom_closed_solid_cone(const carom_posed *i, const carom_posed *k, carom_gap *gap);

#endif
