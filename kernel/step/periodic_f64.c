/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The pipeline's job in double, for bodies of either precision. */
#define CAROM_REAL_BITS 64
#include "kernel/step/job_tmpl.h"
#include "kernel/step/periodic.h"

carom_status carom_periodic_run(carom_context *context, const carom_image_source *source,
                                const carom_detect_config *config, const carom_periodic_output *output,
                                carom_detection_f64 *detection, carom_error *error) {
    carom_images images = {.owned = source->count};
    carom_status status = carom_lattice_make(config->periodic, &images.lattice, error);
    if (status != CAROM_OK) {
        return status;
    }
    carom_detect_job job = {.context = context,
                            .bodies = &images.bodies,
                            .config = config,
                            .output = output->wide,
                            .detection = detection,
                            .images = &images,
                            .source = source,
                            .narrow = output->narrow,
                            .narrow_output = output->narrow_output};
    return carom_detect_run_job_f64(&job, error);
}

carom_status carom_detect_run_periodic_f64(carom_context *context, const carom_bodies_f64 *bodies,
                                           const carom_detect_config *config, const carom_detect_output_f64 *output,
                                           carom_detection_f64 *detection, carom_error *error) {
    carom_image_source source = {bodies, bodies->count, carom_periodic_load_f64};
    const carom_periodic_output to = {.wide = output};
    return carom_periodic_run(context, &source, config, &to, detection, error);
}
