/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What the kernels of both precisions are measured on: a cell's worth of bodies in every form they take on their way.
 */
#ifndef CAROM_BENCH_BENCH_KERNELS_H
#define CAROM_BENCH_BENCH_KERNELS_H

#include "kernel/broad/cell.h"
#include "simd/dispatch.h"

/* Bodies of the column scene: its cross-section is that of a cell, so one cell holds them all. */
enum { CAROM_BENCH_CELL = 2048 };

/* The plan of a single cell whose low corners on the sweep axis have this range. */
void carom_bench_plan_cell(const float range[2], carom_plan *plan);

void carom_bench_register_kernels_f32(const carom_simd *simd);
void carom_bench_register_kernels_f64(const carom_simd *simd);
void carom_bench_register_swept_f32(const carom_simd *simd);
void carom_bench_register_swept_f64(const carom_simd *simd);

#endif
