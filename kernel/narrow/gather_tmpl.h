/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies from a caller's arrays, poses and sweeps, as doubles. */
#ifndef CAROM_NARROW_GATHER_TMPL_H
#define CAROM_NARROW_GATHER_TMPL_H

#include "carom/distance.h"
#include "carom/toi.h"
#include "kernel/narrow/body.h"
#include "simd/precision.h"

#define carom_gather_body CAROM_REAL(carom_gather_body)
#define carom_gather_pose CAROM_REAL(carom_gather_pose)
#define carom_gather_sweep CAROM_REAL(carom_gather_sweep)

typedef CAROM_REAL(carom_pose) carom_pose;
typedef CAROM_REAL(carom_sweep) carom_sweep;

/* Body n of the caller's, whose layout kernel/api has made plain: at the start of the step, and if it is moving also
 * its way to the end. */
void carom_gather_body(const carom_bodies *bodies, uint64_t n, bool moving, carom_body_numbers *body);

/* A pose, at rest. */
void carom_gather_pose(const carom_pose *pose, carom_body_numbers *body);

/* Adds its motion; NULL: none. */
void carom_gather_sweep(const carom_sweep *sweep, carom_body_numbers *body);

#endif
