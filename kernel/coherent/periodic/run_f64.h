/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A step in double for callers of either precision. */
#ifndef CAROM_COHERENT_PERIODIC_RUN_F64_H
#define CAROM_COHERENT_PERIODIC_RUN_F64_H

#include "kernel/coherent/state.h"
#include "kernel/detect/periodic.h"

/* Returns results of the step that has just been computed to a caller who has floats. */
typedef carom_status carom_periodic_deliver(void *data);

typedef struct carom_periodic_call {
    const carom_image_source *source;
    const carom_shape_source *shaped; /* NULL: all bodies are spheres */
    const carom_detect_config *config;
    const carom_detect_output_f64 *output; /* NULL for a caller who has floats */
    carom_periodic_floats *floats;         /* NULL for a caller who has doubles */
    carom_periodic_deliver *deliver;       /* likewise */
    void *data;                            /* of deliver */
} carom_periodic_call;

carom_status carom_periodic_run(carom_coherent *state, const carom_periodic_call *call, carom_detection_f64 *detection,
                                carom_coherent_report *report, carom_error *error);

#endif
