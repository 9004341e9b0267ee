/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Names of kernels while they are compiled: the build sets CAROM_ISA to the instruction set and, for files ending in
 * _tmpl.c, CAROM_REAL_BITS to 32 or 64. CAROM_KERNEL(touch) is then carom_touch_f32_avx2, say. */
#ifndef CAROM_SIMD_ISA_H
#define CAROM_SIMD_ISA_H

#include "simd/kernels.h"

/* gcc tells of each liberty, clang of all together and of finite numbers. */
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) ||                         \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ != 0)
#error "results must be the same everywhere: build without -ffast-math and its kind"
#endif

#define CAROM_PASTE_(a, b) a##b
#define CAROM_PASTE(a, b) CAROM_PASTE_(a, b)
#define CAROM_ISA_SUFFIX CAROM_PASTE(_, CAROM_ISA)

/* carom_<name>_<isa>: kernels of one precision, or called by their full name. */
#define CAROM_KERNEL_OF(name) CAROM_PASTE(CAROM_PASTE(carom_, name), CAROM_ISA_SUFFIX)
/* carom_<name>_scalar: the twin. */
#define CAROM_TWIN_OF(name) CAROM_PASTE(CAROM_PASTE(carom_, name), _scalar)

#ifdef CAROM_REAL_BITS
#define CAROM_PRECISION CAROM_PASTE(_f, CAROM_REAL_BITS)
/* CAROM_REAL(carom_record) is carom_record_f32 or carom_record_f64. */
#define CAROM_REAL(name) CAROM_PASTE(name, CAROM_PRECISION)
#define CAROM_KERNEL(name) CAROM_KERNEL_OF(CAROM_REAL(name))
#define CAROM_TWIN(name) CAROM_TWIN_OF(CAROM_REAL(name))
#if CAROM_REAL_BITS == 32
typedef float carom_real;
#else
typedef double carom_real;
#endif
#endif

#endif
