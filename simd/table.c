/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The table of the instruction set being compiled. In: the list of kernels. Out: carom_simd_avx2, say, with a pointer
 * to every kernel. A kernel on the list that nobody has written is an error of the linker. */
#include "simd/table.h"

#include "simd/declare.h"

#define CAROM_TEXT_(x) #x
#define CAROM_TEXT(x) CAROM_TEXT_(x)

const carom_simd CAROM_PASTE(carom_simd, CAROM_ISA_SUFFIX) = {
    .name = CAROM_TEXT(CAROM_ISA),
    .lanes = CAROM_ISA_LANES,
#define CAROM_LIST_ONCE(result, kernel, parameters) .kernel = CAROM_KERNEL_OF(kernel),
#include "simd/kernel_list.h"
    .f32 =
        {
#define CAROM_LIST_REAL(result, kernel, parameters) .kernel = CAROM_KERNEL_OF(kernel##_f32),
#include "simd/kernel_list.h"
        },
    .f64 =
        {
#define CAROM_LIST_REAL(result, kernel, parameters) .kernel = CAROM_KERNEL_OF(kernel##_f64),
#include "simd/kernel_list.h"
        },
};
