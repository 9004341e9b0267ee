/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The geometry of a scene in JSON: a list of planes, boxes, pillars and pipes. */
#ifndef CAROM_CLI_RUN_JSON_GEOMETRY_H
#define CAROM_CLI_RUN_JSON_GEOMETRY_H

#include "kernel/cli/json_read.h"
#include "kernel/cli/run_geometry.h"

/* Reads the scene's member "geometry", which may be missing, with room for `more` surfaces. INPUT, with a message, if
 * it is none. */
carom_exit carom_run_json_geometry(const carom_json_at *scene, carom_run_geometry *geometry, uint64_t more);

#endif
