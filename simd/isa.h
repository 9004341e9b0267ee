/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Names of kernels while they are compiled: the build sets CAROM_ISA to the instruction set and, for files ending in
 * _tmpl.c, CAROM_REAL_BITS to 32 or 64. CAROM_KERNEL(touch) is then carom_touch_f32_avx2, say. A source renames the
 * plain names of its kernels once, at its top, and uses these. */
#ifndef CAROM_SIMD_ISA_H
#define CAROM_SIMD_ISA_H

#include "simd/kernels.h"
#include "simd/paste.h"

/* gcc defines a macro for each of these options, clang for all together and for finite numbers. */
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) ||                         \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ != 0)
#error "results must be the same everywhere: build without -ffast-math and its kind"
#endif

#define CAROM_ISA_SUFFIX CAROM_PASTE(_, CAROM_ISA)

/* carom_<name>_<isa>: a kernel without a precision, or one called by its full name. */
#define CAROM_KERNEL_OF(name) CAROM_JOIN(carom_, name, CAROM_ISA_SUFFIX)
/* carom_<name>_scalar: its twin. */
#define CAROM_TWIN_OF(name) CAROM_JOIN(carom_, name, _scalar)

#ifdef CAROM_REAL_BITS
#include "simd/precision.h"

/* The same for the precision being compiled. */
#define CAROM_KERNEL(name) CAROM_KERNEL_OF(CAROM_REAL(name))
#define CAROM_TWIN(name) CAROM_TWIN_OF(CAROM_REAL(name))
#endif

#endif
