/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Pairs of a caller's bodies as a block of columns (kernel/narrow/many.h): positions and rotations at the start of the
 * step, as they are, valid or not. */
#ifndef CAROM_NARROW_COLUMNS_TMPL_H
#define CAROM_NARROW_COLUMNS_TMPL_H

#include "kernel/narrow/many.h"
#include "simd/precision.h"

#define carom_columns_load CAROM_REAL(carom_columns_load)

/* Gives columns to `count` pairs i[n], k[n] and fills them. The bodies have shapes. Pairs of bodies or shapes that are
 * not there have no column. */
void carom_columns_load(const carom_bodies *bodies, const uint32_t *i, const uint32_t *k, uint32_t count,
                        carom_many *many);

#endif
