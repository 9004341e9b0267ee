/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* One step of coherent detection, for arguments that have been checked. */
#ifndef CAROM_COHERENT_RUN_H
#define CAROM_COHERENT_RUN_H

#include "kernel/coherent/state.h"

carom_status carom_coherent_run_f32(carom_coherent *state, const carom_bodies_f32 *bodies,
                                    const carom_detect_config *config, const carom_detect_output_f32 *output,
                                    carom_detection_f32 *detection, carom_coherent_report *report, carom_error *error);
carom_status carom_coherent_run_f64(carom_coherent *state, const carom_bodies_f64 *bodies,
                                    const carom_detect_config *config, const carom_detect_output_f64 *output,
                                    carom_detection_f64 *detection, carom_coherent_report *report, carom_error *error);

#endif
