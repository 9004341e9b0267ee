/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Numbers that are to become floats. */
#ifndef CAROM_CLI_FLOATS_H
#define CAROM_CLI_FLOATS_H

#include <stdint.h>

#include "kernel/cli/say.h"

/* Names a body for a message: writes "path:line" or "path: bodies[3]" into `text`. */
typedef void carom_locate(const void *source, uint64_t body, char *text, uint64_t size);

/* Looks for a finite double beyond float's range, which would become an infinity that nobody asked for. NaN and
 * infinity themselves pass. INPUT, with a message that names the body and the property, if there is one. */
carom_exit carom_floats_check(const double *values, uint64_t count, const char *name, carom_locate *locate,
                              const void *source);

#endif
