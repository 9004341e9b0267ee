/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The closed form for a capsule, i, against a box, k (kernel/narrow/closed.h). */
#ifndef CAROM_NARROW_CLOSED_CAPSULE_BOX_H
#define CAROM_NARROW_CLOSED_CAPSULE_BOX_H

#include "simd/gap.h"
#include "simd/posed.h"

void carom_closed_capsule_box(const carom_posed *i, const carom_posed *k, carom_gap *gap);

#endif
