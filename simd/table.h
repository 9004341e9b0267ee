/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The tables that may be compiled in. CAROM_HAVE_avx2 and its like, set by simd/meson.build, say which are; only
 * simd/dispatch.c uses them by name. */
#ifndef CAROM_SIMD_TABLE_H
#define CAROM_SIMD_TABLE_H

#include "simd/kernels.h"

extern const carom_simd carom_simd_scalar;
extern const carom_simd carom_simd_sse2;
extern const carom_simd carom_simd_avx2;
extern const carom_simd carom_simd_avx512;
extern const carom_simd carom_simd_neon;

#endif
