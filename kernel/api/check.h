/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Argument checks that several entry points share. */
#ifndef CAROM_API_CHECK_H
#define CAROM_API_CHECK_H

#include "carom/detect.h"

/* ARGUMENT for bodies, a config or an output that no detection can work on. */
carom_status carom_detect_check_f32(const carom_bodies_f32 *bodies, const carom_detect_config *config,
                                    const carom_detect_output_f32 *output, carom_error *error);
carom_status carom_detect_check_f64(const carom_bodies_f64 *bodies, const carom_detect_config *config,
                                    const carom_detect_output_f64 *output, carom_error *error);

/* ARGUMENT for a config that no detection can work on; a part of the above. */
carom_status carom_detect_check_config(const carom_detect_config *config, carom_error *error);

#endif
