/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Checks of the caller's shapes. */
#ifndef CAROM_SHAPE_CHECK_H
#define CAROM_SHAPE_CHECK_H

#include <stdint.h>

#include "carom/shapes.h"

/* BODY, which names the shape and its member, unless all shapes are as carom/shapes.h says. */
carom_status carom_shape_check(const carom_shape *shape, uint64_t count, carom_error *error);

/* The length of a quaternion whose square is none of CAROM_TURN_SQUARE_LEAST to CAROM_TURN_SQUARE_MOST, for a message: it
 * is none of 0.5 to 2 either, though it may round to these. */
double carom_shape_wrong_length(double square);

#endif
