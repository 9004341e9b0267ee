/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/detect/images_tmpl.h"

#include "kernel/check/assert.h"
#include "kernel/periodic/load.h"

#define carom_load_bodies CAROM_REAL(carom_load_bodies)
#define carom_load_body CAROM_REAL(carom_load_body)

carom_status carom_images_stage(carom_detect_job *job) {
    carom_images *images = job->periodic.images;
    if (images == NULL) {
        return CAROM_OK;
    }
    CAROM_ASSERT(job->owned == images->owned && job->bodies == (const void *)&images->bodies);
    uint64_t required = 0;
    images->shaped = job->shapes.source != NULL;
    const carom_image_source points = {
        .bodies = job->shapes.boxes, .count = job->owned, .load = carom_load_bodies, .load_one = carom_load_body};
    const carom_image_source *source = images->shaped ? &points : job->periodic.source;
    carom_status status = carom_images_make(job->context, source, images, &required, job->error);
    if (status == CAROM_ERROR_MEMORY) {
        return carom_job_no_memory(job, required);
    }
    /* Two passes read the caller's bodies, one writes them and the images. */
    double read = 2.0 * (double)images->owned * (job->periodic.float_results ? sizeof(float) : sizeof(double));
    double written = (double)(images->owned + images->count) * sizeof(double);
    job->detection->summary.phase_bytes[CAROM_PHASE_BOUNDS] += CAROM_BODY_FIELDS * (read + written);
    return status;
}
