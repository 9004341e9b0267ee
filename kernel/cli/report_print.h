/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Prints a report as a table or as JSON. */
#ifndef CAROM_CLI_REPORT_PRINT_H
#define CAROM_CLI_REPORT_PRINT_H

#include <stdio.h>

#include "kernel/cli/report.h"

/* Prints the report. RESOURCES, with a message, if there is no memory for JSON or `to` fails in it. */
carom_exit carom_report_print(const carom_report *report, bool json, FILE *to);

#endif
