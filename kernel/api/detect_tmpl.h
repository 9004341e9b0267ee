/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Detection's entry point, and the check of its arguments, which coherent detection shares. */
#ifndef CAROM_API_DETECT_TMPL_H
#define CAROM_API_DETECT_TMPL_H

#include "carom/detect.h"
#include "simd/precision.h"

#define carom_detect CAROM_REAL(carom_detect)
#define carom_detect_check CAROM_REAL(carom_detect_check)
#define carom_detect_layout CAROM_REAL(carom_detect_layout)

/* ARGUMENT, with a message, for bodies, a config or an output that no detection can work on. Walks no arrays: a bad
 * body is found where the bodies are read anyway. output and error may be NULL. */
carom_status carom_detect_check(const carom_bodies *bodies, const carom_detect_config *config,
                                const CAROM_REAL(carom_detect_output) * output, carom_error *error);

/* Checked bodies as all rooms below take them: curr is never NULL, and a stride is 0 if the values are packed. */
carom_bodies carom_detect_layout(const carom_bodies *bodies);

#endif
