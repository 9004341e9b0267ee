/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The parts of detection that do not depend on the precision: defaults, and names of phases. */
#include "carom/detect.h"

#include <stddef.h>

carom_detect_config carom_detect_config_default(void) {
    return (carom_detect_config){.size = sizeof(carom_detect_config), .until = CAROM_UNTIL_GROUPS};
}

carom_filter carom_filter_default(void) {
    return (carom_filter){.size = sizeof(carom_filter)};
}

const char *carom_phase_name(carom_phase phase) {
    static const char *const names[CAROM_PHASE_COUNT] = {
        [CAROM_PHASE_BOUNDS] = "bounds",   [CAROM_PHASE_PARTITION] = "partition", [CAROM_PHASE_SORT] = "sort",
        [CAROM_PHASE_SWEEP] = "sweep",     [CAROM_PHASE_APPROACH] = "approach",   [CAROM_PHASE_GROUPS] = "groups",
        [CAROM_PHASE_COLLECT] = "collect",
    };
    return (unsigned)phase < CAROM_PHASE_COUNT ? names[phase] : NULL;
}
