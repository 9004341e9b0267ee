/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The parts of detection that do not depend on the precision: defaults, and names of phases. */
#include "carom/detect.h"

#include <stddef.h>

#include "kernel/api/detect.h"
#include "kernel/periodic/lattice.h"
#include "kernel/sys/error.h"

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

carom_status carom_detect_check_config(const carom_detect_config *config, carom_error *error) {
    if (config->size != sizeof *config) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT,
                               "config.size is %zu, not %zu: start from carom_detect_config_default()", config->size,
                               sizeof *config);
    }
    if ((unsigned)config->until > CAROM_UNTIL_GROUPS) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "config.until is %d, which is no stage",
                               (int)config->until);
    }
    if ((unsigned)config->method > CAROM_METHOD_SHARED) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "config.method is %d, which is no method",
                               (int)config->method);
    }
    if ((unsigned)config->neighbours > CAROM_NEIGHBOURS_FULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "config.neighbours is %d, which is no kind of list",
                               (int)config->neighbours);
    }
    if (config->neighbours != CAROM_NEIGHBOURS_NONE && config->count_only) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT,
                               "config.neighbours are made from stored pairs, but config.count_only stores none");
    }
    carom_lattice lattice;
    return config->periodic != NULL ? carom_lattice_make(config->periodic, &lattice, error) : CAROM_OK;
}
