/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The caller's bodies as all rooms below take them. */
#ifndef CAROM_API_BODIES_TMPL_H
#define CAROM_API_BODIES_TMPL_H

#include "carom/bodies.h"
#include "carom/status.h"
#include "simd/precision.h"

#define carom_bodies_take CAROM_REAL(carom_bodies_take)
#define carom_bodies_refuse_shapes CAROM_REAL(carom_bodies_refuse_shapes)

/* Copies the caller's struct, but not what its arrays hold: in *own curr is never NULL, and a stride is 0 where values
 * are packed. Errors: ARGUMENT, with a message, if no detection can work on them. */
carom_status carom_bodies_take(carom_bodies *own, const carom_bodies *given, carom_error *error);

/* For calls that know spheres only, which would otherwise ignore the shapes: ARGUMENT if the bodies have some. */
carom_status carom_bodies_refuse_shapes(const carom_bodies *bodies, carom_error *error);

#endif
