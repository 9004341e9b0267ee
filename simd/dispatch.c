/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Compiled for the baseline: this file runs before it is known what else the CPU can do. */
#include "simd/dispatch.h"

#include <stdbool.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "simd/table.h"

/* Best first; simd/meson.build defines CAROM_HAVE_... for what the compiler can target. */
static const carom_simd *const compiled[] = {
#ifdef CAROM_HAVE_avx512
    &carom_simd_avx512,
#endif
#ifdef CAROM_HAVE_avx2
    &carom_simd_avx2,
#endif
#ifdef CAROM_HAVE_sse2
    &carom_simd_sse2,
#endif
#ifdef CAROM_HAVE_neon
    &carom_simd_neon,
#endif
    &carom_simd_scalar,
};

enum { COMPILED_COUNT = sizeof compiled / sizeof compiled[0] };

#if defined(__x86_64__)
/* The AVX kernels are compiled with these extensions, too. Every CPU with AVX2 has them, but a virtual machine may hide
 * them. */
static bool has_bit_extensions(void) {
    return __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}
#endif

/* Whether this CPU has all that the kernels of the table were compiled with (isa_flags in simd/meson.build). */
static bool runs_here(const carom_simd *table) {
#if defined(__x86_64__)
    if (strcmp(table->name, "avx512") == 0) {
        return has_bit_extensions() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    }
    if (strcmp(table->name, "avx2") == 0) {
        return has_bit_extensions() && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    }
    if (strcmp(table->name, "sse2") == 0) {
        return __builtin_cpu_supports("sse2") != 0;
    }
#endif
    /* Scalar code runs anywhere, and NEON is part of every 64-bit Arm. */
    (void)table;
    return true;
}

const carom_simd *carom_simd_find(const char *name) {
    CAROM_ASSERT(name != NULL);
    for (size_t n = 0; n < COMPILED_COUNT; n++) {
        if (strcmp(compiled[n]->name, name) == 0) {
            return runs_here(compiled[n]) ? compiled[n] : NULL;
        }
    }
    return NULL;
}

const carom_simd *carom_simd_best(void) {
    size_t n = 0;
    while (!runs_here(compiled[n])) { /* ends at the scalar table */
        n++;
    }
    return compiled[n];
}

size_t carom_simd_compiled(const carom_simd **tables, size_t capacity) {
    CAROM_ASSERT(tables != NULL || capacity == 0);
    for (size_t n = 0; n < COMPILED_COUNT && n < capacity; n++) {
        tables[n] = compiled[n];
    }
    return COMPILED_COUNT;
}

size_t carom_simd_available(const carom_simd **tables, size_t capacity) {
    CAROM_ASSERT(tables != NULL || capacity == 0);
    size_t count = 0;
    for (size_t n = 0; n < COMPILED_COUNT; n++) {
        if (runs_here(compiled[n])) {
            if (count < capacity) {
                tables[count] = compiled[n];
            }
            count++;
        }
    }
    return count;
}
