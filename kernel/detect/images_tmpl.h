/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A periodic box as open space: bodies near its faces get images. In: the caller's bodies. Out: owned bodies and images
 * in job->periodic.images, which job->bodies points to. The search treats all of them alike; only filters, hashes, rows
 * and groups, which name bodies, go back from images to their owners. */
#ifndef CAROM_DETECT_IMAGES_TMPL_H
#define CAROM_DETECT_IMAGES_TMPL_H

#include "kernel/detect/job/job_tmpl.h"

#define carom_images_stage CAROM_REAL(carom_images_stage)

/* Does nothing in open space. Errors: BODY, MEMORY. */
carom_status carom_images_stage(carom_detect_job *job);

#endif
