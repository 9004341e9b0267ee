/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Short names for the calls of worlds, of the precision at hand. */
#ifndef CAROM_TESTS_WORLD_CALLS_TMPL_H
#define CAROM_TESTS_WORLD_CALLS_TMPL_H

#include <carom/carom.h>

#include "simd/precision.h"

#define STEP CAROM_REAL(carom_step)
#define CREATE CAROM_REAL(carom_world_create)
#define DESTROY CAROM_REAL(carom_world_destroy)
#define CONFIGURE CAROM_REAL(carom_world_configure)
#define ADD CAROM_REAL(carom_world_add)
#define REMOVE CAROM_REAL(carom_world_remove)
#define GET CAROM_REAL(carom_world_get)
#define SET CAROM_REAL(carom_world_set)
#define COUNT CAROM_REAL(carom_world_count)
#define HANDLES CAROM_REAL(carom_world_handles)
#define TOTAL CAROM_REAL(carom_world_total)
#define WORLD_STEP CAROM_REAL(carom_world_step)
#define SAVE CAROM_REAL(carom_world_save)
#define LOAD CAROM_REAL(carom_world_load)

#endif
