/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* One JSON object on stdout. */
#ifndef CAROM_CLI_JSON_H
#define CAROM_CLI_JSON_H

#include <jansson.h>

#include "kernel/cli/say.h"

/* Prints and releases the object; RESOURCES if jansson had no memory for it. */
carom_exit carom_json_print(json_t *object);

#endif
