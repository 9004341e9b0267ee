/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Google Benchmark for C: the few calls that the benchmarks here need. All times are wall time. */
#ifndef CAROM_BENCH_SHIM_H
#define CAROM_BENCH_SHIM_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carom_bench_state carom_bench_state;
typedef void carom_bench_body(carom_bench_state *state, void *data);

/* Registers a benchmark. `data` must live until carom_bench_run returns. */
void carom_bench_register(const char *name, carom_bench_body *body, void *data);

/* The measured loop: while (carom_bench_next(state)) { ... }. What comes before it is not measured. */
bool carom_bench_next(carom_bench_state *state);
void carom_bench_pause(carom_bench_state *state);
void carom_bench_resume(carom_bench_state *state);

/* After the loop: what one iteration did. */
void carom_bench_items(carom_bench_state *state, uint64_t items);
void carom_bench_bytes(carom_bench_state *state, uint64_t bytes);
void carom_bench_counter(carom_bench_state *state, const char *name, double value);

/* Ends this benchmark with an error in its report. */
void carom_bench_fail(carom_bench_state *state, const char *message);

/* A line in the report's context. */
void carom_bench_context(const char *key, const char *value);

/* Keeps the compiler from dropping what only a benchmark computes. */
void carom_bench_keep(const void *value);

/* Parses Google Benchmark's options and runs what they select. Returns the exit status. */
int carom_bench_run(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif
