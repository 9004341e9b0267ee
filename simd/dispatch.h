/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Finds the table of kernels of an instruction set at run time: a name, or nothing, comes in; a constant table that
 * this CPU can run goes out. A context keeps the pointer, so that all its calls use the same kernels; there is no
 * global choice. */
#ifndef CAROM_SIMD_DISPATCH_H
#define CAROM_SIMD_DISPATCH_H

#include <stddef.h>
#include <stdint.h>

#include "simd/kernels.h"

/* The table of the named instruction set, or NULL if it is unknown, not compiled in, or not run by this CPU. */
const carom_simd *carom_simd_find(const char *name);

/* The best table this CPU runs. Never NULL: "scalar" is always there. */
const carom_simd *carom_simd_best(void);

/* A table that may be NULL: then the best. */
static inline const carom_simd *carom_simd_or_best(const carom_simd *simd) {
    return simd != NULL ? simd : carom_simd_best();
}

/* Tables compiled in (runnable or not), and those this CPU runs, best first. Writes at most `capacity` and returns
 * how many there are. */
size_t carom_simd_compiled(const carom_simd **tables, size_t capacity);
size_t carom_simd_available(const carom_simd **tables, size_t capacity);

#endif
