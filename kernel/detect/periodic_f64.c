/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/detect/periodic.h"

#include "kernel/check/assert.h"
#include "kernel/detect/stages_tmpl.h"
#include "kernel/periodic/load.h"

carom_status carom_detect_periodic_run(carom_context *context, const carom_image_source *source,
                                       const carom_shape_source *shaped, const carom_detect_config *config,
                                       const carom_detect_output_f64 *output, carom_periodic_floats *floats,
                                       carom_detection_f64 *detection, carom_error *error) {
    CAROM_ASSERT(config->periodic != NULL && config->until != CAROM_UNTIL_BOUNDS);
    CAROM_ASSERT(floats == NULL || output == NULL);
    carom_images images = {.self_images = config->periodic->self_images, .owned = source->count};
    carom_status status = carom_lattice_make(config->periodic, &images.lattice, error);
    if (status != CAROM_OK) {
        return status;
    }
    carom_detect_job job = {.context = context,
                            .bodies = &images.bodies,
                            .config = config,
                            .output = output,
                            .detection = detection,
                            .periodic = {.images = &images,
                                         .source = source,
                                         .float_results = floats != NULL,
                                         .float_output = floats != NULL ? floats->output : NULL}};
    job.shapes.source = shaped;
    status = carom_detect_stages(&job, error);
    if (status == CAROM_OK && floats != NULL) {
        floats->rows = &context->float_rows;
        floats->sink_hash = job.sink.hash;
        floats->compounds = job.shapes.compounds;
    }
    return status;
}

carom_status carom_detect_periodic_f64(carom_context *context, const carom_bodies_f64 *bodies,
                                       const carom_detect_config *config, const carom_detect_output_f64 *output,
                                       carom_detection_f64 *detection, carom_error *error) {
    const carom_image_source source = {
        .bodies = bodies, .count = bodies->count, .load = carom_load_bodies_f64, .load_one = carom_load_body_f64};
    carom_shape_source shaped;
    return carom_detect_periodic_run(context, &source, carom_shape_source_of_f64(bodies, &shaped), config, output, NULL,
                                     detection, error);
}
