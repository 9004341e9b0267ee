/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Detections of few bodies. In: arguments of a detection. Out: all that it finds, or nothing: what is out of the
 * ordinary, and every error, is left to the stages of a detection (kernel/detect/stages_tmpl.h). Both find the same. */
#ifndef CAROM_DETECT_DIRECT_DIRECT_TMPL_H
#define CAROM_DETECT_DIRECT_DIRECT_TMPL_H

#include "carom/detect.h"
#include "kernel/store/context.h"
#include "simd/precision.h"

#define carom_direct_takes CAROM_REAL(carom_direct_takes)
#define carom_direct_run CAROM_REAL(carom_direct_run)

typedef CAROM_REAL(carom_detect_output) carom_direct_output;
typedef CAROM_REAL(carom_detection) carom_direct_detection;

/* Whether bodies are few, and the call asks for nothing that only the stages do. Looks at no array. */
bool carom_direct_takes(const carom_bodies *bodies, const carom_detect_config *config);

/* Detects, if the call is taken. Returns false, with a detection of no use, if a body is not valid, if memory or the
 * caller's arrays do not suffice, or if the call is cancelled. The detection is zero before, but for its size, which is
 * not looked at; without output only members of version 0.2 are written. output and error may be NULL. *status: OK or
 * STOPPED. */
bool carom_direct_run(carom_context *context, const carom_bodies *bodies, const carom_detect_config *config,
                      const carom_direct_output *output, carom_direct_detection *detection, carom_status *status,
                      carom_error *error);

#endif
