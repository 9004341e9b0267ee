/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The 256-bit block of vec.h: AVX2. Left-packing is a permutation looked up by the mask. */
#ifndef CAROM_SIMD_VEC_256_H
#define CAROM_SIMD_VEC_256_H

#include "simd/pack_table.h"

#define CAROM_LANES 8

typedef simde__m256 vf;
typedef simde__m256 vfm;
typedef simde__m256i vi;
typedef simde__m256d vd;
typedef simde__m256d vdm;

static inline vf vf_load(const float *a) {
    return simde_mm256_loadu_ps(a);
}
/* The first `count` lanes. */
static inline simde__m256i vec_256_first(uint32_t count) {
    const simde__m256i lane = simde_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return simde_mm256_cmpgt_epi32(simde_mm256_set1_epi32((int32_t)count), lane);
}
static inline vf vf_load_first(const float *a, uint32_t count) {
    return simde_mm256_maskload_ps(a, vec_256_first(count));
}
/* CAROM_LANES numbers of 16 bits. */
static inline vf vf_load_u16(const uint16_t *a) {
    return simde_mm256_cvtepi32_ps(
        simde_mm256_cvtepu16_epi32(simde_mm_loadu_si128((const simde__m128i *)(const void *)a)));
}
static inline void vf_store(float *a, vf x) {
    simde_mm256_storeu_ps(a, x);
}
static inline vf vf_set1(float x) {
    return simde_mm256_set1_ps(x);
}
static inline vf vf_add(vf a, vf b) {
    return simde_mm256_add_ps(a, b);
}
static inline vf vf_sub(vf a, vf b) {
    return simde_mm256_sub_ps(a, b);
}
static inline vf vf_mul(vf a, vf b) {
    return simde_mm256_mul_ps(a, b);
}
static inline vf vf_div(vf a, vf b) {
    return simde_mm256_div_ps(a, b);
}
static inline vf vf_sqrt(vf a) {
    return simde_mm256_sqrt_ps(a);
}
static inline vf vf_less_product(vf c, vf a, vf b) {
#ifdef __FMA__
    return simde_mm256_fnmadd_ps(a, b, c);
#else
    return vf_sub(c, vf_mul(a, b));
#endif
}
static inline vf vf_min(vf a, vf b) {
    return simde_mm256_min_ps(a, b);
}
static inline vf vf_max(vf a, vf b) {
    return simde_mm256_max_ps(a, b);
}
static inline vfm vf_le(vf a, vf b) {
    return simde_mm256_cmp_ps(a, b, SIMDE_CMP_LE_OQ);
}
static inline vfm vf_lt(vf a, vf b) {
    return simde_mm256_cmp_ps(a, b, SIMDE_CMP_LT_OQ);
}
static inline vfm vfm_and(vfm a, vfm b) {
    return simde_mm256_and_ps(a, b);
}
static inline vf vf_select(vfm m, vf a, vf b) {
    return simde_mm256_blendv_ps(b, a, m);
}
static inline vf vf_swap_halves(vf a) {
    return simde_mm256_permute2f128_ps(a, a, 0x01);
}
/* The lanes of even number of both. */
static inline vf vf_evens(vf a, vf b) {
    const simde__m256d halves = simde_mm256_castps_pd(simde_mm256_shuffle_ps(a, b, 0x88));
    return simde_mm256_castpd_ps(simde_mm256_permute4x64_pd(halves, 0xD8));
}
static inline uint32_t vfm_bits(vfm m) {
    return (uint32_t)simde_mm256_movemask_ps(m);
}
static inline vi vf_bits(vf x) {
    return simde_mm256_castps_si256(x);
}
static inline vf vf_from_bits(vi x) {
    return simde_mm256_castsi256_ps(x);
}
static inline vi vi_truncate(vf x) {
    return simde_mm256_cvttps_epi32(x);
}
static inline vf vf_from_int(vi x) {
    return simde_mm256_cvtepi32_ps(x);
}

static inline vi vi_load(const uint32_t *a) {
    return simde_mm256_loadu_si256((const simde__m256i *)(const void *)a);
}
/* `count` numbers, at least one and fewer than CAROM_LANES; the other lanes have the first one. */
static inline vi vi_load_filled(const uint32_t *a, uint32_t count) {
    const vi there = vec_256_first(count);
    return simde_mm256_blendv_epi8(simde_mm256_set1_epi32((int32_t)a[0]),
                                   simde_mm256_maskload_epi32((const int32_t *)(const void *)a, there), there);
}
static inline void vi_store(uint32_t *a, vi x) {
    simde_mm256_storeu_si256((simde__m256i *)(void *)a, x);
}
static inline void vi_store_first(uint32_t *a, uint32_t count, vi x) {
    simde_mm256_maskstore_epi32((int32_t *)(void *)a, vec_256_first(count), x);
}
/* The first `count` numbers, after `before`, which has been stored. Stored with a mask they would take dozens of steps
 * of some processors: so a whole vector is stored that ends with them. */
static inline void vi_store_last(uint32_t *a, uint32_t count, vi before, vi x) {
    const vi lane = simde_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const vi from = simde_mm256_add_epi32(lane, simde_mm256_set1_epi32((int32_t)count)); /* permutations count modulo 8 */
    const vi is_x = simde_mm256_cmpgt_epi32(from, simde_mm256_set1_epi32(CAROM_LANES - 1));
    const vi last = simde_mm256_blendv_epi8(simde_mm256_permutevar8x32_epi32(before, from),
                                            simde_mm256_permutevar8x32_epi32(x, from), is_x);
    vi_store(a + count - CAROM_LANES, last);
}
static inline vi vi_set1(int32_t x) {
    return simde_mm256_set1_epi32(x);
}
static inline vi vi_add(vi a, vi b) {
    return simde_mm256_add_epi32(a, b);
}
static inline vi vi_sub(vi a, vi b) {
    return simde_mm256_sub_epi32(a, b);
}
static inline vi vi_and(vi a, vi b) {
    return simde_mm256_and_si256(a, b);
}
static inline vi vi_shift_right(vi a, uint32_t by) {
    return simde_mm256_srl_epi32(a, simde_mm_cvtsi32_si128((int32_t)by));
}
static inline vi vi_or(vi a, vi b) {
    return simde_mm256_or_si256(a, b);
}
static inline vi vi_xor(vi a, vi b) {
    return simde_mm256_xor_si256(a, b);
}
static inline vi vi_sign(vi a) {
    return simde_mm256_srai_epi32(a, 31);
}
static inline vi vi_select_zero(vi x, vi a, vi b) {
    return simde_mm256_blendv_epi8(b, a, simde_mm256_cmpeq_epi32(x, simde_mm256_setzero_si256()));
}
static inline vfm vi_disjoint(vi a, vi b) {
    vi common = simde_mm256_and_si256(a, b);
    return simde_mm256_castsi256_ps(simde_mm256_cmpeq_epi32(common, simde_mm256_setzero_si256()));
}
static inline vfm vi_less(vi a, vi b) {
    vi top = vi_set1(INT32_MIN);
    return simde_mm256_castsi256_ps(simde_mm256_cmpgt_epi32(vi_xor(b, top), vi_xor(a, top)));
}
static inline vi vi_add_less(vi sum, vi a, vi b) {
    return simde_mm256_sub_epi32(sum, simde_mm256_castps_si256(vi_less(a, b)));
}
static inline vi vi_min_unsigned(vi a, vi b) {
    return simde_mm256_min_epu32(a, b);
}
static inline vi vi_max_unsigned(vi a, vi b) {
    return simde_mm256_max_epu32(a, b);
}
static inline void vi_transpose(vi a[CAROM_LANES]) {
    vi t[CAROM_LANES];
    for (int n = 0; n < CAROM_LANES; n += 4) {
        const vi t0 = simde_mm256_unpacklo_epi32(a[n], a[n + 1]);
        const vi t1 = simde_mm256_unpackhi_epi32(a[n], a[n + 1]);
        const vi t2 = simde_mm256_unpacklo_epi32(a[n + 2], a[n + 3]);
        const vi t3 = simde_mm256_unpackhi_epi32(a[n + 2], a[n + 3]);
        t[n] = simde_mm256_unpacklo_epi64(t0, t2);
        t[n + 1] = simde_mm256_unpackhi_epi64(t0, t2);
        t[n + 2] = simde_mm256_unpacklo_epi64(t1, t3);
        t[n + 3] = simde_mm256_unpackhi_epi64(t1, t3);
    }
    for (int n = 0; n < 4; n++) {
        a[n] = simde_mm256_permute2x128_si256(t[n], t[n + 4], 0x20);
        a[n + 4] = simde_mm256_permute2x128_si256(t[n], t[n + 4], 0x31);
    }
}
static inline vi vi_low_twice(vi a) {
    return simde_mm256_permute2x128_si256(a, a, 0x00);
}
static inline vi vi_high_twice(vi a) {
    return simde_mm256_permute2x128_si256(a, a, 0x11);
}
static inline vi vi_gather(const uint32_t *table, vi index) {
    return simde_mm256_i32gather_epi32((const int32_t *)(const void *)table, index, 4);
}
static inline void vi_fill_store_few(uint32_t *out, uint32_t count, vi x) {
    (void)count;
    vi_store(out, x);
}
static inline vi vi_packed(uint32_t bits, vi x) {
#ifdef __AVX512VL__
    return _mm256_maskz_compress_epi32((__mmask8)bits, x);
#else
    simde__m128i order = simde_mm_loadl_epi64((const simde__m128i *)(const void *)&carom_pack_table[bits]);
    return simde_mm256_permutevar8x32_epi32(x, simde_mm256_cvtepu8_epi32(order));
#endif
}
static inline uint32_t vi_pack_store(uint32_t *out, uint32_t bits, vi x) {
    vi_store(out, vi_packed(bits, x));
    return (uint32_t)__builtin_popcount(bits);
}
static inline uint32_t vi_pack_ordered(uint32_t *least, uint32_t *most, uint32_t bits, vi a, vi x) {
    vi packed = vi_packed(bits, x);
    vi_store(least, vi_min_unsigned(a, packed));
    vi_store(most, vi_max_unsigned(a, packed));
    return (uint32_t)__builtin_popcount(bits);
}
static inline uint32_t vi_pack_store_few(uint32_t *out, uint32_t bits, vi x) {
    return vi_pack_store(out, bits, x);
}
static inline uint32_t vw_set(const uint16_t *word) {
    simde__m256i words = simde_mm256_loadu_si256((const simde__m256i *)(const void *)word);
    return ~(uint32_t)simde_mm256_movemask_epi8(simde_mm256_cmpeq_epi8(words, simde_mm256_setzero_si256()));
}
static inline uint32_t vw_less(uint16_t *word, const uint16_t *other) {
    simde__m256i words = simde_mm256_andnot_si256(simde_mm256_loadu_si256((const simde__m256i *)(const void *)other),
                                                  simde_mm256_loadu_si256((const simde__m256i *)(const void *)word));
    simde_mm256_storeu_si256((simde__m256i *)(void *)word, words);
    words = simde_mm256_cmpeq_epi16(words, simde_mm256_setzero_si256());
    const uint32_t bytes = (uint32_t)simde_mm256_movemask_epi8(simde_mm256_packs_epi16(words, words));
    return ~((bytes & UINT8_MAX) | bytes >> 8) & UINT16_MAX;
}

static inline vd vd_load(const double *a) {
    return simde_mm256_loadu_pd(a);
}
static inline vd vd_load_first(const double *a, uint32_t count) {
    const simde__m256i lane = simde_mm256_setr_epi64x(0, 1, 2, 3);
    return simde_mm256_maskload_pd(a, simde_mm256_cmpgt_epi64(simde_mm256_set1_epi64x((int64_t)count), lane));
}
static inline vd vd_gather(const double *from, const uint32_t *index) {
    return simde_mm256_i32gather_pd(from, simde_mm_loadu_si128((const simde__m128i *)(const void *)index), 8);
}
static inline vd vd_load_each(const double *const *a) {
    const simde__m128d low = simde_mm_loadh_pd(simde_mm_load_sd(a[0]), a[1]);
    const simde__m128d high = simde_mm_loadh_pd(simde_mm_load_sd(a[2]), a[3]);
    return simde_mm256_insertf128_pd(simde_mm256_castpd128_pd256(low), high, 1);
}
static inline void vd_store(double *a, vd x) {
    simde_mm256_storeu_pd(a, x);
}
static inline void vd_store_f32(float *a, vd x) {
    simde_mm_storeu_ps(a, simde_mm256_cvtpd_ps(x));
}
static inline vd vd_set1(double x) {
    return simde_mm256_set1_pd(x);
}
static inline vd vd_add(vd a, vd b) {
    return simde_mm256_add_pd(a, b);
}
static inline vd vd_sub(vd a, vd b) {
    return simde_mm256_sub_pd(a, b);
}
static inline vd vd_mul(vd a, vd b) {
    return simde_mm256_mul_pd(a, b);
}
static inline vd vd_div(vd a, vd b) {
    return simde_mm256_div_pd(a, b);
}
static inline vd vd_sqrt(vd a) {
    return simde_mm256_sqrt_pd(a);
}
static inline vd vd_min(vd a, vd b) {
    return simde_mm256_min_pd(a, b);
}
static inline vd vd_max(vd a, vd b) {
    return simde_mm256_max_pd(a, b);
}
static inline double vd_greatest(vd a) {
    simde__m128d half = simde_mm_max_pd(simde_mm256_castpd256_pd128(a), simde_mm256_extractf128_pd(a, 1));
    return simde_mm_cvtsd_f64(simde_mm_max_sd(half, simde_mm_unpackhi_pd(half, half)));
}
static inline double vd_least(vd a) {
    simde__m128d half = simde_mm_min_pd(simde_mm256_castpd256_pd128(a), simde_mm256_extractf128_pd(a, 1));
    return simde_mm_cvtsd_f64(simde_mm_min_sd(half, simde_mm_unpackhi_pd(half, half)));
}
static inline vd vd_abs(vd a) {
    return simde_mm256_andnot_pd(simde_mm256_set1_pd(-0.0), a);
}
static inline vd vd_mask(vd a, uint64_t bits) {
    double mask;
    memcpy(&mask, &bits, sizeof mask);
    return simde_mm256_and_pd(a, vd_set1(mask));
}
static inline vdm vd_le(vd a, vd b) {
    return simde_mm256_cmp_pd(a, b, SIMDE_CMP_LE_OQ);
}
static inline vdm vd_lt(vd a, vd b) {
    return simde_mm256_cmp_pd(a, b, SIMDE_CMP_LT_OQ);
}
static inline vdm vdm_and(vdm a, vdm b) {
    return simde_mm256_and_pd(a, b);
}
static inline vdm vdm_or(vdm a, vdm b) {
    return simde_mm256_or_pd(a, b);
}
static inline vdm vdm_and_not(vdm a, vdm b) {
    return simde_mm256_andnot_pd(b, a);
}
static inline uint32_t vdm_bits(vdm m) {
    return (uint32_t)simde_mm256_movemask_pd(m);
}
static inline vdm vdm_from_bits(uint32_t bits) {
    vi lane = simde_mm256_set_epi64x(8, 4, 2, 1);
    vi set = vi_and(simde_mm256_set1_epi64x((int64_t)bits), lane);
    return simde_mm256_castsi256_pd(simde_mm256_cmpeq_epi64(set, lane));
}
static inline vd vd_evens(vd a, vd b) {
    return simde_mm256_permute4x64_pd(simde_mm256_unpacklo_pd(a, b), 0xD8);
}
static inline vd vd_from_low(vf a) {
    return simde_mm256_cvtps_pd(simde_mm256_castps256_ps128(a));
}
static inline vd vd_from_high(vf a) {
    return simde_mm256_cvtps_pd(simde_mm256_extractf128_ps(a, 1));
}
static inline void vi_store_halves(uint32_t *low, uint32_t *high, vi x) {
    simde_mm_storeu_si128((simde__m128i *)(void *)low, simde_mm256_castsi256_si128(x));
    simde_mm_storeu_si128((simde__m128i *)(void *)high, simde_mm256_extracti128_si256(x, 1));
}
static inline vd vd_select(vdm m, vd a, vd b) {
    return simde_mm256_blendv_pd(b, a, m);
}
static inline void vd_store_words(uint32_t *out, vd x) {
    vi order = simde_mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
    vi words = simde_mm256_permutevar8x32_epi32(simde_mm256_castpd_si256(x), order);
    simde_mm_storeu_si128((simde__m128i *)(void *)out, simde_mm256_castsi256_si128(words));
}
static inline vf vf_from_vd(vd a, vd b) {
    vf low = simde_mm256_castps128_ps256(simde_mm256_cvtpd_ps(a));
    return simde_mm256_insertf128_ps(low, simde_mm256_cvtpd_ps(b), 1);
}

/* Packs the slots, one a lane of vd, whose mask bits are set; may write CAROM_LANES / 2 values. Returns how many. */
static inline uint32_t vd_pack_slots(uint32_t *out, uint32_t bits, const uint32_t *slot) {
    uint32_t lane[CAROM_LANES / 2];
    memcpy(lane, slot, sizeof lane); /* out may be slot */
    uint32_t n = 0;
    for (uint32_t l = 0; l < CAROM_LANES / 2; l++) {
        out[n] = lane[l];
        n += (bits >> l) & 1U;
    }
    return n;
}

static inline void vd_rows_f64(const double *records, const uint32_t *slot, vd field[8]) {
    for (int half = 0; half < 2; half++) {
        vd a = simde_mm256_loadu_pd(records + 8 * (size_t)slot[0] + 4 * half);
        vd b = simde_mm256_loadu_pd(records + 8 * (size_t)slot[1] + 4 * half);
        vd c = simde_mm256_loadu_pd(records + 8 * (size_t)slot[2] + 4 * half);
        vd d = simde_mm256_loadu_pd(records + 8 * (size_t)slot[3] + 4 * half);
        vd ab_low = simde_mm256_unpacklo_pd(a, b);
        vd ab_high = simde_mm256_unpackhi_pd(a, b);
        vd cd_low = simde_mm256_unpacklo_pd(c, d);
        vd cd_high = simde_mm256_unpackhi_pd(c, d);
        field[4 * half] = simde_mm256_permute2f128_pd(ab_low, cd_low, 0x20);
        field[4 * half + 1] = simde_mm256_permute2f128_pd(ab_high, cd_high, 0x20);
        field[4 * half + 2] = simde_mm256_permute2f128_pd(ab_low, cd_low, 0x31);
        field[4 * half + 3] = simde_mm256_permute2f128_pd(ab_high, cd_high, 0x31);
    }
}
static inline void vec_256_transpose(const vd row[4], vd field[4]) {
    vd ab_low = simde_mm256_unpacklo_pd(row[0], row[1]);
    vd ab_high = simde_mm256_unpackhi_pd(row[0], row[1]);
    vd cd_low = simde_mm256_unpacklo_pd(row[2], row[3]);
    vd cd_high = simde_mm256_unpackhi_pd(row[2], row[3]);
    field[0] = simde_mm256_permute2f128_pd(ab_low, cd_low, 0x20);
    field[1] = simde_mm256_permute2f128_pd(ab_high, cd_high, 0x20);
    field[2] = simde_mm256_permute2f128_pd(ab_low, cd_low, 0x31);
    field[3] = simde_mm256_permute2f128_pd(ab_high, cd_high, 0x31);
}
static inline void vd_load_rows(const double *const *row, vd field[8]) {
    for (int half = 0; half < 2; half++) {
        vd whole[4];
        for (int n = 0; n < 4; n++) {
            whole[n] = simde_mm256_loadu_pd(row[n] + 4 * half);
        }
        vec_256_transpose(whole, field + 4 * half);
    }
}
static inline void vd_store_rows(double *const *row, const vd field[8]) {
    for (int half = 0; half < 2; half++) {
        vd whole[4];
        vec_256_transpose(field + 4 * half, whole);
        for (int n = 0; n < 4; n++) {
            simde_mm256_storeu_pd(row[n] + 4 * half, whole[n]);
        }
    }
}
static inline void vf_rows_of_two(const float *records, const uint32_t *low, const uint32_t *high, vf field[8]) {
    vf row[8];
    vf mixed[8];
    for (int n = 0; n < 8; n++) {
        row[n] = simde_mm256_loadu_ps(records + 8 * (size_t)(n < 4 ? low[n] : high[n - 4]));
    }
    for (int n = 0; n < 8; n += 4) {
        vf ab_low = simde_mm256_unpacklo_ps(row[n], row[n + 1]);
        vf ab_high = simde_mm256_unpackhi_ps(row[n], row[n + 1]);
        vf cd_low = simde_mm256_unpacklo_ps(row[n + 2], row[n + 3]);
        vf cd_high = simde_mm256_unpackhi_ps(row[n + 2], row[n + 3]);
        mixed[n] = simde_mm256_shuffle_ps(ab_low, cd_low, 0x44);
        mixed[n + 1] = simde_mm256_shuffle_ps(ab_low, cd_low, 0xEE);
        mixed[n + 2] = simde_mm256_shuffle_ps(ab_high, cd_high, 0x44);
        mixed[n + 3] = simde_mm256_shuffle_ps(ab_high, cd_high, 0xEE);
    }
    for (int n = 0; n < 4; n++) {
        field[n] = simde_mm256_permute2f128_ps(mixed[n], mixed[n + 4], 0x20);
        field[n + 4] = simde_mm256_permute2f128_ps(mixed[n], mixed[n + 4], 0x31);
    }
}
static inline void vf_rows(const float *records, const uint32_t *slot, vf field[7]) {
    vf all[8];
    vf_rows_of_two(records, slot, slot + 4, all);
    for (int n = 0; n < 7; n++) {
        field[n] = all[n];
    }
}

static inline void vf_store_rows(float *rows, const vf field[8]) {
    vf mixed[8];
    for (int n = 0; n < 8; n += 4) {
        vf ab_low = simde_mm256_unpacklo_ps(field[n], field[n + 1]);
        vf ab_high = simde_mm256_unpackhi_ps(field[n], field[n + 1]);
        vf cd_low = simde_mm256_unpacklo_ps(field[n + 2], field[n + 3]);
        vf cd_high = simde_mm256_unpackhi_ps(field[n + 2], field[n + 3]);
        mixed[n] = simde_mm256_shuffle_ps(ab_low, cd_low, 0x44);
        mixed[n + 1] = simde_mm256_shuffle_ps(ab_low, cd_low, 0xEE);
        mixed[n + 2] = simde_mm256_shuffle_ps(ab_high, cd_high, 0x44);
        mixed[n + 3] = simde_mm256_shuffle_ps(ab_high, cd_high, 0xEE);
    }
    for (int n = 0; n < 4; n++) {
        simde_mm256_storeu_ps(rows + 8 * n, simde_mm256_permute2f128_ps(mixed[n], mixed[n + 4], 0x20));
        simde_mm256_storeu_ps(rows + 8 * (n + 4), simde_mm256_permute2f128_ps(mixed[n], mixed[n + 4], 0x31));
    }
}

static inline vf vec_256_halves(const float *low, const float *high) {
    return simde_mm256_insertf128_ps(simde_mm256_castps128_ps256(simde_mm_loadu_ps(low)), simde_mm_loadu_ps(high), 1);
}
static inline void vf_triples(const float *at, vf field[3]) {
    vf a = vec_256_halves(at, at + 12);     /* x0 y0 z0 x1 | x4 y4 z4 x5 */
    vf b = vec_256_halves(at + 4, at + 16); /* y1 z1 x2 y2 | .. */
    vf c = vec_256_halves(at + 8, at + 20); /* z2 x3 y3 z3 | .. */
    vf xy = simde_mm256_shuffle_ps(b, c, 0x9E);
    vf yz = simde_mm256_shuffle_ps(a, b, 0x49);
    field[0] = simde_mm256_shuffle_ps(a, xy, 0x8C);
    field[1] = simde_mm256_shuffle_ps(yz, xy, 0xD8);
    field[2] = simde_mm256_shuffle_ps(yz, c, 0xCD);
}
static inline vd vec_256_halves_f64(const double *low, const double *high) {
    return simde_mm256_insertf128_pd(simde_mm256_castpd128_pd256(simde_mm_loadu_pd(low)), simde_mm_loadu_pd(high), 1);
}
static inline void vd_triples(const double *at, vd field[3]) {
    vd a = vec_256_halves_f64(at, at + 6);      /* x0 y0 | x2 y2 */
    vd b = vec_256_halves_f64(at + 2, at + 8);  /* z0 x1 | z2 x3 */
    vd c = vec_256_halves_f64(at + 4, at + 10); /* y1 z1 | y3 z3 */
    field[0] = simde_mm256_shuffle_pd(a, b, 0xA);
    field[1] = simde_mm256_shuffle_pd(a, c, 0x5);
    field[2] = simde_mm256_shuffle_pd(b, c, 0xA);
}
/* Three values that lie side by side, and a fourth after them. Reads a value past the three. */
static inline void vf_store_four(float *to, const float *three, float fourth) {
    simde_mm_storeu_ps(to, simde_mm_blend_ps(simde_mm_loadu_ps(three), simde_mm_set1_ps(fourth), 8));
}
static inline vf vec_256_greatest_of_four(const vf row[4]) {
    vf ab = vf_max(simde_mm256_unpacklo_ps(row[0], row[1]), simde_mm256_unpackhi_ps(row[0], row[1]));
    vf cd = vf_max(simde_mm256_unpacklo_ps(row[2], row[3]), simde_mm256_unpackhi_ps(row[2], row[3]));
    return vf_max(simde_mm256_shuffle_ps(ab, cd, 0x44), simde_mm256_shuffle_ps(ab, cd, 0xEE));
}
/* Of four rows in each half first. */
static inline vf vf_greatest_of_rows(const vf row[CAROM_LANES]) {
    vf low = vec_256_greatest_of_four(row);
    vf high = vec_256_greatest_of_four(row + 4);
    return vf_max(simde_mm256_permute2f128_ps(low, high, 0x20), simde_mm256_permute2f128_ps(low, high, 0x31));
}
/* The points of each half are transposed apart, so lane n and lane n + 4 begin in one register. */
static inline void vf_load_points(const float *const *point, vf field[3]) {
    vf row[4];
    for (int n = 0; n < 4; n++) {
        row[n] = vec_256_halves(point[n], point[n + 4]);
    }
    vf ab = simde_mm256_unpacklo_ps(row[0], row[1]);
    vf cd = simde_mm256_unpacklo_ps(row[2], row[3]);
    vf ab_high = simde_mm256_unpackhi_ps(row[0], row[1]);
    vf cd_high = simde_mm256_unpackhi_ps(row[2], row[3]);
    field[0] = simde_mm256_shuffle_ps(ab, cd, 0x44);
    field[1] = simde_mm256_shuffle_ps(ab, cd, 0xEE);
    field[2] = simde_mm256_shuffle_ps(ab_high, cd_high, 0x44);
}
static inline void vd_points(const char *at, uint64_t stride, vd field[3]) {
    vd row[4];
    for (uint64_t n = 0; n < 4; n++) {
        row[n] = simde_mm256_loadu_pd((const double *)(const void *)(at + n * stride));
    }
    vd ab = simde_mm256_unpacklo_pd(row[0], row[1]);
    vd cd = simde_mm256_unpacklo_pd(row[2], row[3]);
    field[0] = simde_mm256_permute2f128_pd(ab, cd, 0x20);
    field[1] = simde_mm256_permute2f128_pd(simde_mm256_unpackhi_pd(row[0], row[1]),
                                           simde_mm256_unpackhi_pd(row[2], row[3]), 0x20);
    field[2] = simde_mm256_permute2f128_pd(ab, cd, 0x31);
}

static inline void carom_stream_line(void *to, const void *from) {
    for (int n = 0; n < 2; n++) {
        simde__m256i x = simde_mm256_load_si256((const simde__m256i *)from + n);
        simde_mm256_stream_si256((simde__m256i *)to + n, x);
    }
}
static inline void carom_stream_fence(void) {
    simde_mm_sfence();
}

#endif
