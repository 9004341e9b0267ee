/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The public world of each precision. */
#ifndef CAROM_API_WORLD_TMPL_H
#define CAROM_API_WORLD_TMPL_H

#include "carom/world.h"
#include "kernel/world/world.h"
#include "simd/precision.h"

struct CAROM_REAL(carom_world) {
    carom_world_state world;
};

typedef CAROM_REAL(carom_world) carom_public_world;

#endif
