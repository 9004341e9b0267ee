/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Calls that the library does not have yet: NULL until then. */
#ifndef CAROM_BENCH_WEAK_H
#define CAROM_BENCH_WEAK_H

#include "carom/distance.h"
#include "carom/shapes.h"
#include "carom/toi.h"

#ifdef __cplusplus
extern "C" {
#endif

__attribute__((weak)) extern __typeof__(carom_shapes_create) carom_shapes_create;
__attribute__((weak)) extern __typeof__(carom_shapes_destroy) carom_shapes_destroy;
__attribute__((weak)) extern __typeof__(carom_distance_pairs_f32) carom_distance_pairs_f32;
__attribute__((weak)) extern __typeof__(carom_distance_pairs_f64) carom_distance_pairs_f64;
__attribute__((weak)) extern __typeof__(carom_toi_pairs_f32) carom_toi_pairs_f32;
__attribute__((weak)) extern __typeof__(carom_toi_pairs_f64) carom_toi_pairs_f64;

#ifdef __cplusplus
}
#endif

#endif
