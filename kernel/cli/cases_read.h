/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Reads a file of cases. */
#ifndef CAROM_CLI_CASES_READ_H
#define CAROM_CLI_CASES_READ_H

#include "kernel/cli/cases.h"

/* Reads the file, "-" for standard input. f64 false: all numbers are rounded to float. `moves`: shapes may have a
 * motion. carom_cases_release releases what was read, also after a failure. INPUT or RESOURCES, with a message. */
carom_exit carom_cases_read(const char *path, bool f64, bool moves, carom_cases *cases);

#endif
