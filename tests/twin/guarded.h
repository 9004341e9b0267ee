/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Arrays between canaries, at any alignment of their elements, and comparison by bits. */
#ifndef CAROM_TESTS_GUARDED_H
#define CAROM_TESTS_GUARDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/scene/random.h"
#include "simd/dispatch.h"

/* Bytes of canary on either side of an array. */
enum { GUARD_BYTES = 64 };

/* Every array of a case, released together. */
typedef struct guarded_pool {
    struct {
        unsigned char *block;
        unsigned char *array;
        size_t bytes;
    } entry[64];
    int count;
} guarded_pool;

/* `count` elements of `size` bytes, `offset` elements off a cache line's start, all bytes 0xA5 and canaries around. */
void *guarded_array(guarded_pool *pool, uint64_t count, size_t size, uint64_t offset);

/* True if every canary is whole. */
bool guarded_intact(const guarded_pool *pool);

void guarded_release(guarded_pool *pool);

/* Equal bits; any two NaNs are equal. */
bool guarded_same_f32(const float *a, const float *b, uint64_t count);
bool guarded_same_f64(const double *a, const double *b, uint64_t count);

/* One kernel of one instruction set against its twin, over `count` items. */
typedef void guarded_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count);

/* Runs a case for every instruction set this CPU has and every size from 0 to 67 and some beyond. */
void guarded_over_all(const char *kernel, guarded_case *run);

/* A number of any kind: mostly ordinary, sometimes zero of either sign, subnormal, huge, infinite, NaN. */
double guarded_number(carom_random *random);

#endif
