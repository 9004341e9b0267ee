/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The part of steps that does not depend on the precision: names of phases. */
#include "carom/step.h"

const char *carom_step_phase_name(carom_step_phase phase) {
    static const char *const names[CAROM_STEP_PHASE_COUNT] = {
        [CAROM_STEP_PHASE_BEGIN] = "begin",     [CAROM_STEP_PHASE_NEIGHBOURS] = "neighbours",
        [CAROM_STEP_PHASE_PREDICT] = "predict", [CAROM_STEP_PHASE_SIMULATE] = "simulate",
        [CAROM_STEP_PHASE_VERIFY] = "verify",   [CAROM_STEP_PHASE_END] = "end",
    };
    return (unsigned)phase < CAROM_STEP_PHASE_COUNT ? names[phase] : "unknown phase";
}
