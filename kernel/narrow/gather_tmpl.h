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
#define carom_gather_kind CAROM_REAL(carom_gather_kind)
#define carom_gather_shape CAROM_REAL(carom_gather_shape)
#define carom_gather_fetch CAROM_REAL(carom_gather_fetch)
#define carom_gather_pose CAROM_REAL(carom_gather_pose)
#define carom_gather_sweep CAROM_REAL(carom_gather_sweep)

typedef CAROM_REAL(carom_pose) carom_pose;
typedef CAROM_REAL(carom_sweep) carom_sweep;

/* Body n of the caller's, whose layout kernel/api has made plain: at the start of the step, and if it is moving also
 * its way to the end. */
void carom_gather_body(const carom_bodies *bodies, uint64_t n, bool moving, carom_body_numbers *body);

/* Has the processor fetch what most calls read of body n, which must be there. */
void carom_gather_fetch(const carom_bodies *bodies, uint64_t n);

/* The number of its shape, which need not be there. */
uint32_t carom_gather_shape(const carom_bodies *bodies, uint64_t n);

/* The kind of a body's shape; COMPOUND if body or shape are not there. */
uint32_t carom_gather_kind(const carom_bodies *bodies, uint32_t body);

/* A pose, at rest. */
void carom_gather_pose(const carom_pose *pose, carom_body_numbers *body);

/* Adds its motion; NULL: none. */
void carom_gather_sweep(const carom_sweep *sweep, carom_body_numbers *body);

#endif
