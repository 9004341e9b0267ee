/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* How the program was called, where and when: what every report begins with, so that a result can be traced and
 * repeated. */
#ifndef CAROM_CLI_INVOCATION_H
#define CAROM_CLI_INVOCATION_H

#include <stddef.h>
#include <stdint.h>

#include "kernel/cli/machine.h"
#include "kernel/cli/report.h"

typedef struct carom_invocation {
    const char *const *words; /* of the command line, the program's name first */
    size_t count;
    carom_machine machine; /* before the work began */
} carom_invocation;

/* Adds the command line, the date and the machine to a report, and for `threads` threads (0: none ran) what spoils
 * times: a busy machine, more threads than cores. */
void carom_invocation_report(const carom_invocation *invocation, uint32_t threads, carom_report *report);

#endif
