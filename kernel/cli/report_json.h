/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Writes a report as one JSON object for a program, whatever the table leaves out. */
#ifndef CAROM_CLI_REPORT_JSON_H
#define CAROM_CLI_REPORT_JSON_H

#include <stdio.h>

#include "kernel/cli/report.h"

/* All of the object or nothing. RESOURCES, with a message, if there is no memory for it or `to` fails. */
carom_exit carom_report_json(const carom_report *report, FILE *to);

#endif
