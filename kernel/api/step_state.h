/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What a context keeps for carom_step between calls. */
#ifndef CAROM_API_STEP_STATE_H
#define CAROM_API_STEP_STATE_H

#include "kernel/store/context.h"
#include "kernel/world/mover.h"

typedef struct carom_step_state {
    carom_rules rules;
    carom_mover mover;
} carom_step_state;

/* The state of a context, which the caller has taken. It is made by the first call. NULL if there is no memory. */
carom_step_state *carom_step_state_of(carom_context *context);

#endif
