/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The kernel table of the instruction set being compiled. */
#include "simd/table.h"

#include "simd/declare.h"

#define CAROM_TEXT_(x) #x
#define CAROM_TEXT(x) CAROM_TEXT_(x)

const carom_simd CAROM_PASTE(carom_simd, CAROM_ISA_SUFFIX) = {
    .name = CAROM_TEXT(CAROM_ISA),
    .lanes = CAROM_ISA_LANES,
    .bounds_f32 = CAROM_KERNEL_OF(bounds_f32),
    .bounds_f64 = CAROM_KERNEL_OF(bounds_f64),
    .survey_f32 = CAROM_KERNEL_OF(survey_f32),
    .survey_f64 = CAROM_KERNEL_OF(survey_f64),
    .census_f32 = CAROM_KERNEL_OF(census_f32),
    .census_f64 = CAROM_KERNEL_OF(census_f64),
    .codes_f32 = CAROM_KERNEL_OF(codes_f32),
    .codes_f64 = CAROM_KERNEL_OF(codes_f64),
    .cell_lows_f32 = CAROM_KERNEL_OF(cell_lows_f32),
    .cell_lows_f64 = CAROM_KERNEL_OF(cell_lows_f64),
    .cell_boxes_f32 = CAROM_KERNEL_OF(cell_boxes_f32),
    .cell_boxes_f64 = CAROM_KERNEL_OF(cell_boxes_f64),
    .bin_keys = CAROM_KERNEL_OF(bin_keys),
    .digit_histogram_u32 = CAROM_KERNEL_OF(digit_histogram_u32),
    .digit_histogram_u64 = CAROM_KERNEL_OF(digit_histogram_u64),
    .sweep = CAROM_KERNEL_OF(sweep),
    .touch_f32 = CAROM_KERNEL_OF(touch_f32),
    .touch_f64 = CAROM_KERNEL_OF(touch_f64),
    .contact_f32 = CAROM_KERNEL_OF(contact_f32),
    .contact_f64 = CAROM_KERNEL_OF(contact_f64),
    .hulls_f32 = CAROM_KERNEL_OF(hulls_f32),
    .hulls_f64 = CAROM_KERNEL_OF(hulls_f64),
    .place_f32 = CAROM_KERNEL_OF(place_f32),
    .place_f64 = CAROM_KERNEL_OF(place_f64),
    .follow_f32 = CAROM_KERNEL_OF(follow_f32),
    .follow_f64 = CAROM_KERNEL_OF(follow_f64),
    .slot_boxes_f32 = CAROM_KERNEL_OF(slot_boxes_f32),
    .slot_boxes_f64 = CAROM_KERNEL_OF(slot_boxes_f64),
    .recheck_f32 = CAROM_KERNEL_OF(recheck_f32),
    .recheck_f64 = CAROM_KERNEL_OF(recheck_f64),
};
