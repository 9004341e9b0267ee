/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Declares the kernels of the instruction set being compiled and their scalar twins. */
#ifndef CAROM_SIMD_DECLARE_H
#define CAROM_SIMD_DECLARE_H

#include "simd/isa.h"
#include "simd/kernels.h"

#define CAROM_DECLARE(name)                                                                                            \
    CAROM_PASTE(CAROM_PASTE(carom_, name), _fn)                                                                        \
    CAROM_KERNEL_OF(name), CAROM_TWIN_OF(name)

CAROM_DECLARE(bounds_f32);
CAROM_DECLARE(bounds_f64);
CAROM_DECLARE(survey_f32);
CAROM_DECLARE(survey_f64);
CAROM_DECLARE(census_f32);
CAROM_DECLARE(census_f64);
CAROM_DECLARE(codes_f32);
CAROM_DECLARE(codes_f64);
CAROM_DECLARE(cell_lows_f32);
CAROM_DECLARE(cell_lows_f64);
CAROM_DECLARE(cell_boxes_f32);
CAROM_DECLARE(cell_boxes_f64);
CAROM_DECLARE(bin_keys);
CAROM_DECLARE(digit_histogram_u32);
CAROM_DECLARE(digit_histogram_u64);
CAROM_DECLARE(sweep);
CAROM_DECLARE(touch_f32);
CAROM_DECLARE(touch_f64);
CAROM_DECLARE(contact_f32);
CAROM_DECLARE(contact_f64);
CAROM_DECLARE(hulls_f32);
CAROM_DECLARE(hulls_f64);
CAROM_DECLARE(place_f32);
CAROM_DECLARE(place_f64);
CAROM_DECLARE(follow_f32);
CAROM_DECLARE(follow_f64);
CAROM_DECLARE(slot_boxes_f32);
CAROM_DECLARE(slot_boxes_f64);
CAROM_DECLARE(recheck_f32);
CAROM_DECLARE(recheck_f64);

#endif
