/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The part of detection that does not depend on the precision: names of phases. */
#include "carom/detect.h"

const char *carom_phase_name(carom_phase phase) {
    static const char *const names[CAROM_PHASE_COUNT] = {
        [CAROM_PHASE_BOUNDS] = "bounds",   [CAROM_PHASE_PARTITION] = "partition", [CAROM_PHASE_SORT] = "sort",
        [CAROM_PHASE_SWEEP] = "sweep",     [CAROM_PHASE_APPROACH] = "approach",   [CAROM_PHASE_GROUPS] = "groups",
        [CAROM_PHASE_COLLECT] = "collect",
    };
    return (unsigned)phase < CAROM_PHASE_COUNT ? names[phase] : NULL;
}
