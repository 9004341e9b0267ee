/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Arrays between canaries and pages that no one may touch, at any alignment of their elements, and comparison by bits.
 */
#ifndef CAROM_TESTS_GUARDED_H
#define CAROM_TESTS_GUARDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/scene/random.h"
#include "simd/dispatch.h"

/* Where an array lies between the two pages that fault. What is left there are canaries, which a write changes. */
typedef enum guarded_placement {
    GUARDED_AT_END,   /* its last byte is the last before a page that faults */
    GUARDED_AT_START, /* its first byte is the first after one */
    GUARDED_BETWEEN,  /* somewhere between canaries, at any alignment */
    GUARDED_PLACEMENTS
} guarded_placement;

/* Every array of a case, released together. */
typedef struct guarded_pool {
    struct {
        unsigned char *room; /* what may be touched */
        size_t room_bytes;
        unsigned char *array;
        size_t bytes;
    } entry[64];
    int count;
} guarded_pool;

/* `count` elements of `size` bytes, all 0xA5. GUARDED_BETWEEN: `offset` elements off a cache line's start. */
void *guarded_array(guarded_pool *pool, uint64_t count, size_t size, uint64_t offset);

/* The same for a kernel that writes whole cache lines: always at a line's start, so that up to a line less one byte of
 * canary lies between the end and the page. */
void *guarded_lines(guarded_pool *pool, uint64_t count, size_t size);

/* How arrays are placed from now on; guarded_over_all goes through all ways. */
void guarded_place(guarded_placement placement);

/* True if every canary is whole. */
bool guarded_intact(const guarded_pool *pool);

void guarded_release(guarded_pool *pool);

/* Equal bits; any two NaNs are equal. */
bool guarded_same_f32(const float *a, const float *b, uint64_t count);
bool guarded_same_f64(const double *a, const double *b, uint64_t count);

/* One kernel of one instruction set against its twin, over `count` items. */
typedef void guarded_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count);

/* Runs a case for every instruction set this CPU has, every size from 0 to 67 and some beyond, and every placement. To
 * touch a page that faults fails the test with the case that did. */
void guarded_over_all(const char *kernel, guarded_case *run);

/* A number of any kind: mostly ordinary, sometimes zero of either sign, subnormal, huge, infinite, NaN. */
double guarded_number(carom_random *random);

#endif
