/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Answers in double, as the caller's structs have them: rounded to the precision, the bounds outward. */
#ifndef CAROM_NARROW_ROUND_TMPL_H
#define CAROM_NARROW_ROUND_TMPL_H

#include "carom/distance.h"
#include "carom/toi.h"
#include "kernel/narrow/pair.h"
#include "kernel/narrow/toi.h"
#include "simd/precision.h"

#define carom_round_gap CAROM_REAL(carom_round_gap)
#define carom_round_manifold CAROM_REAL(carom_round_manifold)
#define carom_round_impact CAROM_REAL(carom_round_impact)

typedef CAROM_REAL(carom_toi) carom_toi_row;

/* All bytes of *row are set. */
void carom_round_gap(const carom_pair_answer *answer, carom_gap_row *row);
void carom_round_manifold(const carom_manifold_points *points, carom_manifold_row *row);
void carom_round_impact_f32(const carom_toi_found *found, carom_toi_f32 *row);
void carom_round_impact_f64(const carom_toi_found *found, carom_toi_f64 *row);

#endif
