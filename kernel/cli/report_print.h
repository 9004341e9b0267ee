/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Prints a report as a table or as JSON. */
#ifndef CAROM_CLI_REPORT_PRINT_H
#define CAROM_CLI_REPORT_PRINT_H

#include "kernel/cli/report.h"

/* Prints the report on stdout. RESOURCES, with a message, if there is no memory for JSON or stdout fails. */
carom_exit carom_report_print(const carom_report *report, bool json);

#endif
