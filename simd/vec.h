/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The vectors that kernels are written in, and the only file that includes SIMDe.
 *
 *   vf  CAROM_LANES floats            vfm  a mask of as many lanes
 *   vi  CAROM_LANES 32-bit integers
 *   vd  CAROM_LANES / 2 doubles       vdm  a mask of as many lanes
 *
 * A name is type_operation: vf_add, vd_select, vfm_bits (a mask as an integer, bit n for lane n). One file a width has
 * them all, chosen by what the compiler may use: 128 bits (SSE2, and NEON through SIMDe's spelling), 256 (AVX2), 512
 * (AVX-512 F, DQ, BW, VL; native, because SIMDe lacks much of it). A kernel that defines CAROM_VEC_256 first has no more
 * than 256. simd/vec_128.h says what each unusual one does.
 * Those named "rows" load or store records and transpose them: memory has the eight values of a record side by side, a
 * vector has one value of many records.
 *
 * All widths give the same bits, but for vf_less_product, c - a b, which is rounded once where there is an instruction
 * for it (256 and 512 bits), else twice: min(a, b) is a < b ? a : b and max(a, b) is a > b ? a : b, so b where either is NaN.
 * Comparisons with NaN are false. Nothing is estimated, and nothing else is fused but the rounding error of a product,
 * which is exact either way. */
#ifndef CAROM_SIMD_VEC_H
#define CAROM_SIMD_VEC_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__AVX512F__) && !defined(CAROM_VEC_256)
#include <immintrin.h>

/* Without optimisation gcc's intrinsics are macros that convert -1 to a mask: its business, not ours. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
#include "simd/vec_512.h"
#pragma GCC diagnostic pop
#elif defined(__AVX2__)
#include <simde/x86/avx2.h>
#include <simde/x86/fma.h>

#include "simd/vec_256.h"
#else
#include <simde/x86/sse2.h>

#include "simd/vec_128.h"
#endif

/* Copies vectors. A compiler may divide what memcpy copies into parts, and whoever loads a whole vector waits for them. */
static inline __attribute__((always_inline)) void vi_copy(vi *to, const vi *from, int count) {
    for (int n = 0; n < count; n++) {
        to[n] = from[n];
    }
}
static inline __attribute__((always_inline)) void vf_copy(vf *to, const vf *from, int count) {
    for (int n = 0; n < count; n++) {
        to[n] = from[n];
    }
}
static inline __attribute__((always_inline)) void vd_copy(vd *to, const vd *from, int count) {
    for (int n = 0; n < count; n++) {
        to[n] = from[n];
    }
}

/* One float step down or up: the neighbouring value, so that a rounded bound becomes a safe one. Finite inputs of
 * either sign, zeros and infinities away from the step's direction; -FLT_MAX steps down to -inf. */
static inline vf vf_step_down(vf x) {
    vi bits = vf_bits(x);
    vi step = vi_or(vi_sign(bits), vi_set1(1)); /* +1 for positive, -1 for negative */
    vi zero = vf_bits(vf_set1(-0.0F));          /* both zeros step from -0 */
    return vf_from_bits(vi_sub(vi_select_zero(bits, zero, bits), vi_select_zero(bits, vi_set1(-1), step)));
}

static inline vf vf_abs(vf x) {
    return vf_from_bits(vi_and(vf_bits(x), vi_set1(INT32_MAX)));
}

#ifndef CAROM_HAS_MIN_ABS
/* The lesser of a, which is not negative, and |b|; numbers. */
static inline vf vf_min_abs(vf a, vf b) {
    return vf_min(a, vf_abs(b));
}
#endif

/* CAROM_LANES numbers, of which `count` are there, at least one: copies of the first are the rest. They are stored as
 * one vector, for loads of single numbers from it do not wait, as a load of a vector does from single stores. */
static inline const uint32_t *vi_fill_up(const uint32_t *number, uint32_t count, uint32_t spare[CAROM_LANES]) {
    if (count >= CAROM_LANES) {
        return number;
    }
    vi_store(spare, vi_load_filled(number, count));
    return spare;
}

/* from[index], whose lanes are below 2^31. */
static inline vf vf_gather(const float *from, vi index) {
    return vf_from_bits(vi_gather((const uint32_t *)(const void *)from, index));
}

/* vf_load_points of points that are `stride` bytes apart. */
static inline void vf_points(const char *at, uint64_t stride, vf field[3]) {
    const float *point[CAROM_LANES];
    for (uint64_t n = 0; n < CAROM_LANES; n++) {
        point[n] = (const float *)(const void *)(at + n * stride);
    }
    vf_load_points(point, field);
}

static inline vf vf_negate(vf x) {
    return vf_from_bits(vi_xor(vf_bits(x), vf_bits(vf_set1(-0.0F))));
}

static inline vf vf_step_up(vf x) {
    return vf_negate(vf_step_down(vf_negate(x)));
}

/* trunc(x) for 0 <= x < 2^31, as a float. */
static inline vf vf_floor_positive(vf x) {
    return vf_from_int(vi_truncate(x));
}

/* trunc(clamp((x - origin) scale, 0, last)) as a float: the column or bin of x. */
static inline vf vf_place(vf x, float origin, float scale, float last) {
    vf at = vf_mul(vf_sub(x, vf_set1(origin)), vf_set1(scale));
    return vf_floor_positive(vf_min(vf_max(at, vf_set1(0.0F)), vf_set1(last)));
}

#endif
