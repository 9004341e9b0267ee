/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The caller's config of steps, of any version of the headers, as rules. */
#ifndef CAROM_API_TAKE_RULES_H
#define CAROM_API_TAKE_RULES_H

#include "kernel/world/rules.h"

/* NULL is the default. Errors: as carom_rules_make, and ARGUMENT for structs of a wrong size. */
carom_status carom_take_rules(carom_rules *rules, carom_memory *memory, carom_rules_owner owner,
                              const carom_step_config *config, carom_error *error);

#endif
