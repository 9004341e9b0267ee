/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A scene in JSON: bodies, geometry, a periodic box and rules. scene_schema.json describes it. */
#ifndef CAROM_CLI_RUN_JSON_H
#define CAROM_CLI_RUN_JSON_H

#include "kernel/cli/run_setup.h"
#include "kernel/io/text.h"

/* Reads a file into bodies, geometry, box and rules, with room for `more` surfaces besides the file's. `path` is for
 * messages. INPUT, with a message that names the line or the path of the member, if the file is none. */
carom_exit carom_run_json_read(const char *path, const carom_text *text, uint64_t more, carom_run_setup *setup);

#endif
