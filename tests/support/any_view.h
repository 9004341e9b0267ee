/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What a detect call of either precision returned, where the library has it: for results so large that copies of them
 * (any_detect.h) would take longer than finding them. */
#ifndef CAROM_TESTS_ANY_VIEW_H
#define CAROM_TESTS_ANY_VIEW_H

#include "tests/support/any_detect.h"

/* Its arrays are valid until the context's next call. */
typedef struct any_view {
    uint64_t bodies;
    any_precision precision;
    carom_detect_summary summary;
    carom_detection_f32 f32;
    carom_detection_f64 f64;
} any_view;

/* Fails the test if the call does. */
any_view any_view_detect(carom_context *context, const any_bodies *bodies, const carom_detect_config *config);

/* Same results, rows and groups compared bit by bit and in order; see any_result_same. */
bool any_view_same(const any_view *a, const any_view *b);

#endif
