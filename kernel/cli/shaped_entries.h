/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The shapes of a scene in JSON. */
#ifndef CAROM_CLI_SHAPED_ENTRIES_H
#define CAROM_CLI_SHAPED_ENTRIES_H

#include "kernel/cli/json_read.h"
#include "kernel/cli/shaped.h"

/* Reads the list `shapes` of a scene. INPUT or RESOURCES, with a message. */
carom_exit carom_shaped_entries_read(const carom_json_at *scene, carom_shaped_entries *entries);

#endif
