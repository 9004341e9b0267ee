/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Scenes with shapes in JSON. */
#ifndef CAROM_CLI_SHAPED_READ_H
#define CAROM_CLI_SHAPED_READ_H

#include "kernel/cli/json_read.h"
#include "kernel/cli/shaped.h"

/* The version of the format that is read and written. */
enum { CAROM_SHAPED_VERSION = 1 };

/* Reads what `text` holds and makes the table. Release also after a failure. INPUT or RESOURCES, with a message. */
carom_exit carom_shaped_read(const char *path, const carom_text *text, carom_shaped *shaped);

#endif
