/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What `carom distance` and `carom toi` print: a table with a line for each case, or a JSON object. */
#ifndef CAROM_CLI_CASES_REPORT_H
#define CAROM_CLI_CASES_REPORT_H

#include "kernel/cli/cases.h"
#include "kernel/cli/cases_options.h"
#include "kernel/cli/report.h"

/* One case: its columns, in their order, as fields whose names are those of the columns. */
typedef struct carom_cases_printed {
    const carom_cases_options *options;
    const carom_cases *cases;
    const void *answers; /* what describe makes of it: one for each case */
    void (*describe)(const void *source, uint64_t number, carom_report *row); /* its source is this struct */
} carom_cases_printed;

/* Adds the id of a case: the first column. */
void carom_cases_report_id(const carom_case *c, carom_report *row);

carom_exit carom_cases_report_print(const carom_cases_printed *printed);

#endif
