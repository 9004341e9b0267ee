/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Reads the caller's bodies, of either precision, into batches of doubles. */
#ifndef CAROM_PERIODIC_LOAD_H
#define CAROM_PERIODIC_LOAD_H

#include "kernel/periodic/image_batch.h"
#include "simd/dispatch.h"

/* Loaders for carom_image_source: bodies [begin, begin + batch->count), where `bodies` is a carom_bodies_f32 or
 * carom_bodies_f64. */
void carom_load_bodies_f32(const void *bodies, uint64_t begin, carom_image_batch *batch);
void carom_load_bodies_f64(const void *bodies, uint64_t begin, carom_image_batch *batch);

/* The kernel `home` over bodies [begin, end) of these. */
bool carom_load_home_f32(const void *bodies, const carom_simd *simd, uint64_t begin, uint64_t end,
                         const carom_home *home, double *const field[CAROM_BODY_FIELDS]);
bool carom_load_home_f64(const void *bodies, const carom_simd *simd, uint64_t begin, uint64_t end,
                         const carom_home *home, double *const field[CAROM_BODY_FIELDS]);

/* One body of these. */
void carom_load_body_f32(const void *bodies, uint64_t body, double value[CAROM_BODY_FIELDS]);
void carom_load_body_f64(const void *bodies, uint64_t body, double value[CAROM_BODY_FIELDS]);

#endif
