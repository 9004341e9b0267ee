// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

#include "bench/shim.h"

#include <benchmark/benchmark.h>

struct carom_bench_state {
    benchmark::State &state;
};

void carom_bench_register(const char *name, carom_bench_body *body, void *data) {
    benchmark::RegisterBenchmark(name,
                                 [body, data](benchmark::State &state) {
                                     carom_bench_state wrapped{state};
                                     body(&wrapped, data);
                                 })
        ->UseRealTime()
        ->Unit(benchmark::kMicrosecond);
}

bool carom_bench_next(carom_bench_state *state) {
    return state->state.KeepRunning();
}

void carom_bench_pause(carom_bench_state *state) {
    state->state.PauseTiming();
}

void carom_bench_resume(carom_bench_state *state) {
    state->state.ResumeTiming();
}

void carom_bench_items(carom_bench_state *state, uint64_t items) {
    state->state.SetItemsProcessed(state->state.iterations() * static_cast<int64_t>(items));
    state->state.counters["per_item"] = benchmark::Counter(
        static_cast<double>(items), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void carom_bench_bytes(carom_bench_state *state, uint64_t bytes) {
    state->state.SetBytesProcessed(state->state.iterations() * static_cast<int64_t>(bytes));
}

void carom_bench_counter(carom_bench_state *state, const char *name, double value) {
    state->state.counters[name] = value;
}

void carom_bench_fail(carom_bench_state *state, const char *message) {
    state->state.SkipWithError(message);
}

void carom_bench_context(const char *key, const char *value) {
    benchmark::AddCustomContext(key, value);
}

void carom_bench_keep(const void *value) {
    benchmark::DoNotOptimize(value);
}

int carom_bench_run(int argc, char **argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
        return 2;
    }
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
