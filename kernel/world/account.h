/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What the caller is told of a step: a report, and the impacts in their order. */
#ifndef CAROM_WORLD_ACCOUNT_H
#define CAROM_WORLD_ACCOUNT_H

#include "carom/world.h"
#include "kernel/world/mover.h"

/* Makes room for what the caller is told, before the bodies are written back. Errors: MEMORY. */
carom_status carom_account_reserve(carom_mover *mover, uint64_t impacts, carom_error *error);

/* Fills the report, all but times, and what steps that merge have of their own. The arrays are the mover's. handle:
 * what the caller calls the bodies; NULL: their numbers. */
void carom_account_report(carom_mover *mover, const carom_mover_impacts *impacts, const carom_handle *handle,
                          carom_step_report *report);

/* Hands the impacts to the sink, if there is one. */
void carom_account_deliver(carom_mover *mover, const carom_mover_impacts *impacts, const carom_handle *handle);

/* Fills the report's times, up to now: the last thing in a step. */
void carom_account_time(carom_mover *mover, carom_step_report *report);

#endif
