/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The parallel radix sort on random (key, payload): radix_sort_u32/<keys>/threads:<T> and radix_sort_u64 (40-bit keys,
 * as those of pairs among a million bodies). Each round sorts a fresh copy; copying is not measured. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench/shim.h"
#include "bench/suite.h"
#include "kernel/sort/radix_sort.h"

typedef struct sort_run {
    uint64_t count;
    uint32_t threads;
    bool wide;
} sort_run;

enum { WIDE_BITS = 40 };

typedef struct sort_arrays {
    uint64_t *original; /* random */
    uint64_t *keys;
    uint64_t *spare_keys;
    uint32_t *payload;
    uint32_t *spare_payload;
} sort_arrays;

/* splitmix64: any even spread of keys will do here. */
static uint64_t random_key(uint64_t n) {
    uint64_t z = (n + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    return z ^ (z >> 29);
}

static const sort_arrays *arrays_of(uint64_t count) {
    static sort_arrays arrays;
    static uint64_t capacity;
    if (capacity < count) {
        arrays.original = carom_bench_allocate(count * sizeof(uint64_t));
        arrays.keys = carom_bench_allocate(count * sizeof(uint64_t));
        arrays.spare_keys = carom_bench_allocate(count * sizeof(uint64_t));
        arrays.payload = carom_bench_allocate(count * sizeof(uint32_t));
        arrays.spare_payload = carom_bench_allocate(count * sizeof(uint32_t));
        capacity = count;
    }
    return &arrays;
}

static void fill(const sort_run *r, const sort_arrays *a) {
    uint32_t *narrow = (uint32_t *)(void *)a->original;
    for (uint64_t n = 0; n < r->count; n++) {
        uint64_t key = random_key(n);
        if (r->wide) {
            a->original[n] = key >> (64 - WIDE_BITS);
        } else {
            narrow[n] = (uint32_t)(key >> 32);
        }
        a->payload[n] = (uint32_t)n;
    }
}

static void bench_sort(carom_bench_state *state, void *data) {
    const sort_run *r = data;
    const sort_arrays *a = arrays_of(r->count);
    carom_team team;
    carom_memory memory;
    carom_allocator system = carom_memory_system_allocator();
    carom_radix_sort sort = {0};
    const carom_simd *simd = carom_simd_best();
    carom_team_init(&team, r->threads, NULL);
    carom_memory_init(&memory, &system, 0);
    fill(r, a);
    size_t key_bytes = r->wide ? sizeof(uint64_t) : sizeof(uint32_t);
    carom_status status = CAROM_OK;
    while (carom_bench_next(state)) {
        carom_bench_pause(state);
        memcpy(a->keys, a->original, r->count * key_bytes);
        carom_bench_resume(state);
        if (r->wide) {
            status = carom_radix_sort_u64(&sort, &team, &memory, simd, r->count, WIDE_BITS, a->keys, a->payload,
                                          a->spare_keys, a->spare_payload);
        } else {
            status = carom_radix_sort_u32(&sort, &team, &memory, simd, r->count, 32, (uint32_t *)(void *)a->keys,
                                          a->payload, (uint32_t *)(void *)a->spare_keys, a->spare_payload);
        }
    }
    if (status != CAROM_OK) {
        carom_bench_fail(state, carom_status_name(status));
    }
    carom_bench_items(state, r->count);
    carom_radix_sort_release(&sort, &memory);
}

void carom_bench_register_sort(void) {
    uint32_t threads[16];
    size_t thread_counts = carom_bench_threads(threads);
    for (int wide = 0; wide < 2; wide++) {
        for (int s = 0; s < CAROM_BENCH_SIZES; s++) {
            for (size_t t = 0; t < thread_counts; t++) {
                sort_run *r = carom_bench_allocate(sizeof *r);
                *r = (sort_run){carom_bench_sizes[s], threads[t], wide != 0};
                char name[64];
                snprintf(name, sizeof name, "radix_sort_%s/%" PRIu64 "/threads:%u", wide ? "u64" : "u32", r->count,
                         r->threads);
                carom_bench_register(name, bench_sort, r);
            }
        }
    }
}
