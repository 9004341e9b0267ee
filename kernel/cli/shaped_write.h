/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Scenes with shapes as JSON. */
#ifndef CAROM_CLI_SHAPED_WRITE_H
#define CAROM_CLI_SHAPED_WRITE_H

#include "carom/status.h"
#include "kernel/cli/shaped.h"
#include "kernel/io/write.h"

/* Writes what carom_shaped_read gives back, with F32 to the same floats. Errors: FILE, MEMORY. */
carom_status carom_shaped_write(const char *path, const carom_shaped *shaped, carom_write_precision precision,
                                carom_written *written, carom_error *error);

#endif
