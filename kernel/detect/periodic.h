/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Detection in a periodic box: the stages in double, on owned bodies and images. A call for floats runs them too, and
 * rounds the rows to float once. */
#ifndef CAROM_DETECT_PERIODIC_H
#define CAROM_DETECT_PERIODIC_H

#include "carom/detect.h"
#include "kernel/detect/shaped/shape_source.h"
#include "kernel/periodic/images.h"
#include "kernel/store/context.h"

/* config->periodic and the other arguments have been checked. */
carom_status carom_detect_periodic_f32(carom_context *context, const carom_bodies_f32 *bodies,
                                       const carom_detect_config *config, const carom_detect_output_f32 *output,
                                       carom_detection_f32 *detection, carom_error *error);
carom_status carom_detect_periodic_f64(carom_context *context, const carom_bodies_f64 *bodies,
                                       const carom_detect_config *config, const carom_detect_output_f64 *output,
                                       carom_detection_f64 *detection, carom_error *error);

/* What the stages in double leave for a call for floats. */
typedef struct carom_periodic_floats {
    const carom_detect_output_f32 *output; /* in: the caller's arrays and sink; may be NULL */
    const carom_row_table *rows;           /* out: float rows, detection->pair_count of them */
    uint64_t sink_hash;                    /* out: of all rows that went to the sink */
    bool compounds;                        /* out: rows name children of compounds */
} carom_periodic_floats;

/* Returns the results of stages in double, whose rows are in `floats`, to a caller who has floats: his arrays and the
 * detection, but for summary.seconds. Errors: CAPACITY. */
carom_status carom_periodic_round(carom_context *context, const carom_bodies_f32 *bodies,
                                  const carom_detect_config *config, const carom_periodic_floats *floats,
                                  const carom_detection_f64 *from, carom_detection_f32 *detection, carom_error *error);

/* The same without rows: all there is without bodies, and after a failure the sizes that are needed. */
void carom_periodic_summarise(const carom_detection_f64 *from, carom_status status, carom_detection_f32 *detection);

/* Runs the stages in double for bodies of either precision; shaped: NULL if all are spheres. With `floats`, rows go to
 * the sink of floats->output or to floats->rows, and the detection has only their number; without, the caller's arrays
 * are `output`. */
carom_status carom_detect_periodic_run(carom_context *context, const carom_image_source *source,
                                       const carom_shape_source *shaped, const carom_detect_config *config,
                                       const carom_detect_output_f64 *output,
                                       carom_periodic_floats *floats, carom_detection_f64 *detection,
                                       carom_error *error);

#endif
