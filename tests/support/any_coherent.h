/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Detection step after step for both precisions, its results as any_detect has them. */
#ifndef CAROM_TESTS_ANY_COHERENT_H
#define CAROM_TESTS_ANY_COHERENT_H

#include "tests/support/any_detect.h"

/* One of the two is NULL. */
typedef struct any_coherent {
    carom_coherent_f32 *f32;
    carom_coherent_f64 *f64;
} any_coherent;

/* Fails the test if there is no memory. */
any_coherent any_coherent_start(carom_context *context, any_precision precision);
void any_coherent_stop(any_coherent *coherent);

/* One step; output is the default. */
any_result any_coherent_step(any_coherent *coherent, const any_bodies *bodies, const carom_detect_config *config,
                             carom_coherent_report *report);

#endif
