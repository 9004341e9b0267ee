/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* One step of coherent detection. In: checked arguments, and what earlier steps kept (state.h). Out: what carom_detect
 * gives for the same bodies, and a report. A step moves the bodies to their slots and checks them against their fat
 * boxes; extends the list if a few have escaped, or rebuilds it; walks the list; and compares with the step before. It
 * never assumes that bodies move little: if they do not, every step is a rebuild. */
#ifndef CAROM_COHERENT_RUN_H
#define CAROM_COHERENT_RUN_H

#include "kernel/coherent/state.h"

/* until >= CAROM_UNTIL_PAIRS, no periodic box; *report and *detection are zero. Errors: those of
 * carom_coherent_detect. */
carom_status carom_coherent_run_f32(carom_coherent *state, const carom_bodies_f32 *bodies,
                                    const carom_detect_config *config, const carom_detect_output_f32 *output,
                                    carom_detection_f32 *detection, carom_coherent_report *report, carom_error *error);
carom_status carom_coherent_run_f64(carom_coherent *state, const carom_bodies_f64 *bodies,
                                    const carom_detect_config *config, const carom_detect_output_f64 *output,
                                    carom_detection_f64 *detection, carom_coherent_report *report, carom_error *error);

#endif
