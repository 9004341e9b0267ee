/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The result of `carom detect` on stdout: a table for a person, or one JSON object for a program. */
#ifndef CAROM_CLI_REPORT_H
#define CAROM_CLI_REPORT_H

#include <stdbool.h>

#include "kernel/cli/measure.h"

typedef struct carom_report {
    const carom_detect_options *options;
    const carom_subject *subject;
    const carom_measured *measured;
    uint32_t threads;
    const char *isa;
} carom_report;

/* Which stage the phase belongs to: it ran if --until is that stage or a later one. */
bool carom_report_has_phase(const carom_report *report, carom_phase phase);

void carom_report_table(const carom_report *report);
carom_exit carom_report_json(const carom_report *report);

#endif
