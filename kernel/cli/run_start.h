/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What a run begins with: bodies, geometry, a box and rules, from a standard scene, a file of bodies, or a scene's file
 * in JSON; or the bytes of a snapshot. */
#ifndef CAROM_CLI_RUN_START_H
#define CAROM_CLI_RUN_START_H

#include "kernel/cli/run_options.h"
#include "kernel/cli/run_setup.h"
#include "kernel/io/frame.h"
#include "kernel/io/text.h"

/* Where it comes from. */
typedef enum carom_run_origin {
    CAROM_RUN_FROM_SCENE,
    CAROM_RUN_FROM_BODIES,
    CAROM_RUN_FROM_JSON,
    CAROM_RUN_FROM_SNAPSHOT
} carom_run_origin;

typedef struct carom_run_start {
    carom_run_origin origin;
    const char *path;      /* for messages; NULL: a scene */
    carom_text text;       /* the file */
    carom_run_setup setup; /* empty for a snapshot */
    carom_frame frame;     /* of a file of bodies: its lines, names and format */
} carom_run_start;

/* Makes or reads it, and says what is worth knowing about a file. Release also after a failure. */
carom_exit carom_run_start_open(const carom_run_options *options, carom_run_start *start);
void carom_run_start_release(carom_run_start *start);

/* "path:line" of a body, or "path: bodies[3]", or "body 3" of a scene; source: a carom_run_start. */
void carom_run_start_locate(const void *source, uint64_t body, char *text, uint64_t size);

/* Says why the library refused the bodies or the rules; of a body from a file, its line or place. */
carom_exit carom_run_start_explain(const carom_run_start *start, carom_status status, const carom_error *error);

/* "gro", "csv", ..., "json" or "snapshot"; NULL: a scene. */
const char *carom_run_start_format(const carom_run_start *start);

#endif
