/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "bench/bench_kernels.h"

#include "bench/suite.h"

void carom_bench_plan_cell(const float range[2], carom_plan *plan) {
    *plan = (carom_plan){.grid = {.columns = {1, 1, 1}},
                         .sweep_axis = 2,
                         .stride = {1, 1, 1},
                         .cell_count = 1,
                         .code_count = 1,
                         .sweep_lo = range[0],
                         .sweep_hi = range[1]};
}

void carom_bench_register_kernels(void) {
    const carom_simd *tables[8];
    size_t count = carom_simd_available(tables, 8);
    for (size_t n = 0; n < count && n < 8; n++) {
        carom_bench_register_kernels_f32(tables[n]);
        carom_bench_register_kernels_f64(tables[n]);
        carom_bench_register_swept_f32(tables[n]);
        carom_bench_register_swept_f64(tables[n]);
    }
}
