/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Which pairs of shapes approach, by the formula of carom/detect.h. */
#ifndef CAROM_TESTS_SHAPE_APPROACH_H
#define CAROM_TESTS_SHAPE_APPROACH_H

#include <stdbool.h>

#include "carom/toi.h"

/* Whether bodies 0 and 1, of which one moves, approach, given their time of impact. Arrays are packed. */
bool shape_approaches(const carom_bodies_f64 *two, const carom_toi_f64 *impact);

#endif
