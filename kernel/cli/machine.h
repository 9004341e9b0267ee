/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What a measurement ran on, and when: without it a time says little. Taken before the work begins. */
#ifndef CAROM_CLI_MACHINE_H
#define CAROM_CLI_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

enum { CAROM_MACHINE_TEXT_SIZE = 128, CAROM_MACHINE_LOADS = 3 };

typedef struct carom_machine {
    char cpu[CAROM_MACHINE_TEXT_SIZE]; /* model; "" if the system does not tell */
    uint32_t cores;                    /* that this process may use, as the system counts them */
    uint32_t cores_online;             /* that the machine has */
    bool has_load;                     /* the next is known */
    double load[CAROM_MACHINE_LOADS];  /* averages over 1, 5 and 15 minutes */
    char date[32];                     /* ISO 8601 in UTC */
} carom_machine;

/* What there is to know now. Nothing is allocated. */
carom_machine carom_machine_look(void);

/* Whether others used more than half the cores. */
bool carom_machine_is_busy(const carom_machine *machine);

#endif
