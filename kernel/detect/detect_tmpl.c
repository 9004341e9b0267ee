/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In open space the stages run on the caller's bodies; in a periodic box they run on bodies and images. Boxes alone are
 * those of the caller's positions, so until = BOUNDS ignores the periodic box. */
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/detect/detect.h"
#include "kernel/detect/direct/direct_tmpl.h"
#include "kernel/detect/periodic.h"
#include "kernel/detect/stages_tmpl.h"

#define carom_detect_run CAROM_REAL(carom_detect_run)
#define carom_detect_periodic CAROM_REAL(carom_detect_periodic)
#define carom_shape_source_of CAROM_REAL(carom_shape_source_of)

carom_status carom_detect_run(carom_context *context, const carom_bodies *bodies, const carom_detect_config *config,
                              const carom_detect_output *output, carom_detection *detection, carom_error *error) {
    CAROM_ASSERT(bodies->count <= UINT32_MAX);
    CAROM_ASSERT(config->until >= CAROM_UNTIL_BOUNDS && config->until <= CAROM_UNTIL_GROUPS);
    if (config->periodic != NULL && config->until != CAROM_UNTIL_BOUNDS) {
        return carom_detect_periodic(context, bodies, config, output, detection, error);
    }
    if (carom_direct_takes(bodies, config)) {
        carom_status status;
        memset(detection, 0, sizeof *detection);
        if (carom_direct_run(context, bodies, config, output, detection, &status, error)) {
            return status;
        }
    }
    carom_detect_job job = {
        .context = context, .bodies = bodies, .config = config, .output = output, .detection = detection};
    carom_shape_source shaped;
    job.shapes.source = carom_shape_source_of(bodies, &shaped);
    return carom_detect_stages(&job, error);
}
