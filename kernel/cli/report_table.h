/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Writes a report as a table for a person: its sections in their order, with an empty line between two of them. */
#ifndef CAROM_CLI_REPORT_TABLE_H
#define CAROM_CLI_REPORT_TABLE_H

#include <stdio.h>

#include "kernel/cli/report.h"

/* Fields without a label or a value are left out. main notices if stdout fails. */
void carom_report_table(const carom_report *report, FILE *to);

#endif
