/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What the benchmarks share: the suites that register themselves, sizes, thread counts, contexts, bodies. */
#ifndef CAROM_BENCH_SUITE_H
#define CAROM_BENCH_SUITE_H

#include <stddef.h>
#include <stdint.h>

#include "carom/carom.h"
#include "kernel/scene/scene.h"

void carom_bench_register_kernels(void);
void carom_bench_register_sort(void);
void carom_bench_register_union_find(void);
void carom_bench_register_detect(void);
void carom_bench_register_steps(void);
void carom_bench_register_shapes(void);
void carom_bench_register_boxes(void);
void carom_bench_register_lists(void);
void carom_bench_register_few(void);
void carom_bench_register_impacts(void);

/* 1e3, 1e4, 1e5, 1e6. */
enum { CAROM_BENCH_SIZES = 4 };
extern const uint64_t carom_bench_sizes[CAROM_BENCH_SIZES];

/* Powers of two up to the number of cores, and that number itself. Returns how many there are, at most 16. */
size_t carom_bench_threads(uint32_t threads[16]);

/* Memory that lives as long as the program; never NULL. */
void *carom_bench_allocate(size_t bytes);

/* The scene last asked for, seed 1, made again only when another is wanted. */
const carom_scene_f32 *carom_bench_scene(char letter, uint64_t count);

/* The same positions in double, kept likewise. */
carom_bodies_f64 carom_bench_bodies_f64(char letter, uint64_t count);

#endif
