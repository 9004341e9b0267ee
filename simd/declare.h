/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Declares every kernel of simd/kernel_list.h twice: for the instruction set being compiled, and its scalar twin, which
 * vector kernels call for their tails. Kernels include this file, so that a definition that differs from the list does
 * not compile. */
#ifndef CAROM_SIMD_DECLARE_H
#define CAROM_SIMD_DECLARE_H

#include "simd/isa.h"

#define CAROM_LIST_ONCE(result, name, parameters) carom_##name##_fn CAROM_KERNEL_OF(name), CAROM_TWIN_OF(name);
#define CAROM_LIST_REAL(result, name, parameters)                                                                      \
    carom_##name##_fn_f32 CAROM_KERNEL_OF(name##_f32), CAROM_TWIN_OF(name##_f32);                                      \
    carom_##name##_fn_f64 CAROM_KERNEL_OF(name##_f64), CAROM_TWIN_OF(name##_f64);
#include "simd/kernel_list.h"

#endif
