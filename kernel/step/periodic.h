/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Detection in a periodic box: always the f64 pipeline, on bodies and images. */
#ifndef CAROM_STEP_PERIODIC_H
#define CAROM_STEP_PERIODIC_H

#include "carom/detect.h"
#include "kernel/step/images.h"

/* The caller's output, in one precision or the other. */
typedef struct carom_periodic_output {
    const carom_detect_output_f64 *wide;
    const carom_detect_output_f32 *narrow_output;
    bool narrow; /* final rows are rounded to float: they go to the sink of narrow_output, or stay in
                    context->narrow_rows, and the detection has their number only */
} carom_periodic_output;

/* config->periodic has been checked. */
carom_status carom_periodic_run(carom_context *context, const carom_image_source *source,
                                const carom_detect_config *config, const carom_periodic_output *output,
                                carom_detection_f64 *detection, carom_error *error);

/* Loaders for carom_image_source. */
void carom_periodic_load_f32(const void *bodies, uint64_t begin, carom_image_block *block);
void carom_periodic_load_f64(const void *bodies, uint64_t begin, carom_image_block *block);

#endif
