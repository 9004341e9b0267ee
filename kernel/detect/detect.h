/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Detection behind carom_detect_f32 and _f64. In: arguments that have been checked. Out: the detection, or a status and
 * an error. */
#ifndef CAROM_DETECT_DETECT_H
#define CAROM_DETECT_DETECT_H

#include "carom/detect.h"
#include "kernel/store/context.h"

carom_status carom_detect_run_f32(carom_context *context, const carom_bodies_f32 *bodies,
                                  const carom_detect_config *config, const carom_detect_output_f32 *output,
                                  carom_detection_f32 *detection, carom_error *error);
carom_status carom_detect_run_f64(carom_context *context, const carom_bodies_f64 *bodies,
                                  const carom_detect_config *config, const carom_detect_output_f64 *output,
                                  carom_detection_f64 *detection, carom_error *error);

#endif
