/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/api/step_state.h"

#include <string.h>

static void release_state(carom_context *context) {
    carom_step_state *state = context->step.state;
    carom_rules_release(&state->rules, &context->memory);
    carom_mover_release(&state->mover, &context->memory);
    carom_memory_release(&context->memory, state, sizeof *state);
    context->step = (carom_context_step){NULL, NULL};
}

carom_step_state *carom_step_state_of(carom_context *context) {
    if (context->step.state != NULL) {
        return context->step.state;
    }
    carom_step_state *state = carom_memory_allocate(&context->memory, sizeof *state);
    if (state != NULL) {
        memset(state, 0, sizeof *state);
        context->step = (carom_context_step){state, release_state};
    }
    return state;
}
