/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The 512-bit block of vec.h: AVX-512 F, DQ, BW and VL, native. Masks live in mask registers and left-packing is
 * an instruction; its register form, because the form that stores is slow on some CPUs. */
#ifndef CAROM_SIMD_VEC_512_H
#define CAROM_SIMD_VEC_512_H

#define CAROM_LANES 16

typedef __m512 vf;
typedef __mmask16 vfm;
typedef __m512i vi;
typedef __m512d vd;
typedef __mmask8 vdm;

static inline vf vf_load(const float *a) {
    return _mm512_loadu_ps(a);
}
static inline vf vf_load_first(const float *a, uint32_t count) {
    return _mm512_maskz_loadu_ps((__mmask16)((UINT32_C(1) << count) - 1), a);
}
/* CAROM_LANES numbers of 16 bits. */
static inline vf vf_load_u16(const uint16_t *a) {
    return _mm512_cvtepi32_ps(_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)a)));
}
static inline void vf_store(float *a, vf x) {
    _mm512_storeu_ps(a, x);
}
static inline vf vf_set1(float x) {
    return _mm512_set1_ps(x);
}
static inline vf vf_add(vf a, vf b) {
    return _mm512_add_ps(a, b);
}
static inline vf vf_sub(vf a, vf b) {
    return _mm512_sub_ps(a, b);
}
static inline vf vf_mul(vf a, vf b) {
    return _mm512_mul_ps(a, b);
}
static inline vf vf_div(vf a, vf b) {
    return _mm512_div_ps(a, b);
}
static inline vf vf_sqrt(vf a) {
    return _mm512_sqrt_ps(a);
}
static inline vf vf_less_product(vf c, vf a, vf b) {
    return _mm512_fnmadd_ps(a, b, c);
}
static inline vf vf_min(vf a, vf b) {
    return _mm512_min_ps(a, b);
}
static inline vf vf_min_abs(vf a, vf b) {
    return _mm512_range_ps(a, b, 0xA);
}
#define CAROM_HAS_MIN_ABS
static inline vf vf_max(vf a, vf b) {
    return _mm512_max_ps(a, b);
}
static inline vfm vf_le(vf a, vf b) {
    return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ);
}
static inline vfm vf_lt(vf a, vf b) {
    return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ);
}
static inline vfm vfm_and(vfm a, vfm b) {
    return (vfm)(a & b);
}
static inline vf vf_select(vfm m, vf a, vf b) {
    return _mm512_mask_blend_ps(m, b, a);
}
static inline vf vf_swap_halves(vf a) {
    return _mm512_shuffle_f32x4(a, a, 0x4E);
}
/* The lanes of even number of both. */
static inline vf vf_evens(vf a, vf b) {
    const __m512i lanes = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    return _mm512_permutex2var_ps(a, lanes, b);
}
static inline uint32_t vfm_bits(vfm m) {
    return m;
}
static inline vi vf_bits(vf x) {
    return _mm512_castps_si512(x);
}
static inline vf vf_from_bits(vi x) {
    return _mm512_castsi512_ps(x);
}
static inline vi vi_truncate(vf x) {
    return _mm512_cvttps_epi32(x);
}
static inline vf vf_from_int(vi x) {
    return _mm512_cvtepi32_ps(x);
}

static inline vi vi_load(const uint32_t *a) {
    return _mm512_loadu_si512(a);
}
/* `count` numbers, at least one and fewer than CAROM_LANES; the other lanes have the first one. */
static inline vi vi_load_filled(const uint32_t *a, uint32_t count) {
    return _mm512_mask_loadu_epi32(_mm512_set1_epi32((int32_t)a[0]), (__mmask16)((UINT32_C(1) << count) - 1), a);
}
static inline void vi_store(uint32_t *a, vi x) {
    _mm512_storeu_si512(a, x);
}
/* The first `count` lanes, 0 to CAROM_LANES. */
static inline void vi_store_first(uint32_t *a, uint32_t count, vi x) {
    _mm512_mask_storeu_epi32(a, (__mmask16)((UINT32_C(1) << count) - 1), x);
}
static inline void vi_store_last(uint32_t *a, uint32_t count, vi before, vi x) {
    (void)before;
    vi_store_first(a, count, x);
}
static inline vi vi_set1(int32_t x) {
    return _mm512_set1_epi32(x);
}
static inline vi vi_add(vi a, vi b) {
    return _mm512_add_epi32(a, b);
}
static inline vi vi_sub(vi a, vi b) {
    return _mm512_sub_epi32(a, b);
}
static inline vi vi_and(vi a, vi b) {
    return _mm512_and_si512(a, b);
}
static inline vi vi_shift_right(vi a, uint32_t by) {
    return _mm512_srl_epi32(a, _mm_cvtsi32_si128((int32_t)by));
}
static inline vi vi_or(vi a, vi b) {
    return _mm512_or_si512(a, b);
}
static inline vi vi_xor(vi a, vi b) {
    return _mm512_xor_si512(a, b);
}
static inline vi vi_sign(vi a) {
    return _mm512_srai_epi32(a, 31);
}
static inline vi vi_select_zero(vi x, vi a, vi b) {
    return _mm512_mask_mov_epi32(b, _mm512_testn_epi32_mask(x, x), a);
}
static inline vfm vi_disjoint(vi a, vi b) {
    return _mm512_testn_epi32_mask(a, b);
}
static inline vfm vi_less(vi a, vi b) {
    return _mm512_cmplt_epu32_mask(a, b);
}
static inline vi vi_add_less(vi sum, vi a, vi b) {
    return _mm512_mask_add_epi32(sum, vi_less(a, b), sum, _mm512_set1_epi32(1));
}
static inline vi vi_min_unsigned(vi a, vi b) {
    return _mm512_min_epu32(a, b);
}
static inline vi vi_max_unsigned(vi a, vi b) {
    return _mm512_max_epu32(a, b);
}
static inline void vi_transpose(vi a[CAROM_LANES]) {
    vi t[CAROM_LANES];
    for (int n = 0; n < CAROM_LANES; n += 4) {
        const vi t0 = _mm512_unpacklo_epi32(a[n], a[n + 1]);
        const vi t1 = _mm512_unpackhi_epi32(a[n], a[n + 1]);
        const vi t2 = _mm512_unpacklo_epi32(a[n + 2], a[n + 3]);
        const vi t3 = _mm512_unpackhi_epi32(a[n + 2], a[n + 3]);
        t[n] = _mm512_unpacklo_epi64(t0, t2);
        t[n + 1] = _mm512_unpackhi_epi64(t0, t2);
        t[n + 2] = _mm512_unpacklo_epi64(t1, t3);
        t[n + 3] = _mm512_unpackhi_epi64(t1, t3);
    }
    for (int n = 0; n < 4; n++) {
        const vi even = _mm512_shuffle_i32x4(t[n], t[n + 4], 0x88);
        const vi odd = _mm512_shuffle_i32x4(t[n], t[n + 4], 0xDD);
        const vi later_even = _mm512_shuffle_i32x4(t[n + 8], t[n + 12], 0x88);
        const vi later_odd = _mm512_shuffle_i32x4(t[n + 8], t[n + 12], 0xDD);
        a[n] = _mm512_shuffle_i32x4(even, later_even, 0x88);
        a[n + 8] = _mm512_shuffle_i32x4(even, later_even, 0xDD);
        a[n + 4] = _mm512_shuffle_i32x4(odd, later_odd, 0x88);
        a[n + 12] = _mm512_shuffle_i32x4(odd, later_odd, 0xDD);
    }
}
static inline vi vi_low_twice(vi a) {
    return _mm512_shuffle_i64x2(a, a, 0x44);
}
static inline vi vi_high_twice(vi a) {
    return _mm512_shuffle_i64x2(a, a, 0xEE);
}
static inline vi vi_gather(const uint32_t *table, vi index) {
    return _mm512_i32gather_epi32(index, table, 4);
}
static inline uint32_t vi_pack_store(uint32_t *out, uint32_t bits, vi x) {
    vi_store(out, _mm512_maskz_compress_epi32((__mmask16)bits, x));
    return (uint32_t)__builtin_popcount(bits);
}
/* A store across a cache line costs: where few lanes are expected the rest is stored only where there is more. */
static inline void vi_fill_store_few(uint32_t *out, uint32_t count, vi x) {
    _mm_storeu_si128((__m128i *)(void *)out, _mm512_castsi512_si128(x));
    if (__builtin_expect(count > 4, 0)) {
        vi_store(out, x);
    }
}
static inline uint32_t vi_pack_store_few(uint32_t *out, uint32_t bits, vi x) {
    uint32_t count = (uint32_t)__builtin_popcount(bits);
    vi_fill_store_few(out, count, _mm512_maskz_compress_epi32((__mmask16)bits, x));
    return count;
}
static inline uint32_t vi_pack_ordered(uint32_t *least, uint32_t *most, uint32_t bits, vi a, vi x) {
    vi packed = _mm512_maskz_compress_epi32((__mmask16)bits, x);
    vi_store(least, vi_min_unsigned(a, packed));
    vi_store(most, vi_max_unsigned(a, packed));
    return (uint32_t)__builtin_popcount(bits);
}

static inline uint32_t vw_set(const uint16_t *word) {
    const __m256i words = _mm256_loadu_si256((const __m256i *)(const void *)word);
    return _mm256_test_epi16_mask(words, words);
}
static inline uint32_t vw_less(uint16_t *word, const uint16_t *other) {
    const __m256i words = _mm256_andnot_si256(_mm256_loadu_si256((const __m256i *)(const void *)other),
                                              _mm256_loadu_si256((const __m256i *)(const void *)word));
    _mm256_storeu_si256((__m256i *)(void *)word, words);
    return _mm256_test_epi16_mask(words, words);
}

static inline vd vd_load(const double *a) {
    return _mm512_loadu_pd(a);
}
static inline vd vd_load_first(const double *a, uint32_t count) {
    return _mm512_maskz_loadu_pd((__mmask8)((UINT32_C(1) << count) - 1), a);
}
static inline vd vd_gather(const double *from, const uint32_t *index) {
    return _mm512_i32gather_pd(_mm256_loadu_si256((const __m256i *)(const void *)index), from, 8);
}
static inline vd vd_load_each(const double *const *a) {
    const __m256d low = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadh_pd(_mm_load_sd(a[0]), a[1])),
                                             _mm_loadh_pd(_mm_load_sd(a[2]), a[3]), 1);
    const __m256d high = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadh_pd(_mm_load_sd(a[4]), a[5])),
                                              _mm_loadh_pd(_mm_load_sd(a[6]), a[7]), 1);
    return _mm512_insertf64x4(_mm512_castpd256_pd512(low), high, 1);
}
static inline void vd_store(double *a, vd x) {
    _mm512_storeu_pd(a, x);
}
static inline void vd_store_f32(float *a, vd x) {
    _mm256_storeu_ps(a, _mm512_cvtpd_ps(x));
}
static inline vd vd_set1(double x) {
    return _mm512_set1_pd(x);
}
static inline vd vd_add(vd a, vd b) {
    return _mm512_add_pd(a, b);
}
static inline vd vd_sub(vd a, vd b) {
    return _mm512_sub_pd(a, b);
}
static inline vd vd_mul(vd a, vd b) {
    return _mm512_mul_pd(a, b);
}
/* a b - c, rounded once. Of this width alone: all of its processors have it. */
static inline vd vd_multiply_subtract(vd a, vd b, vd c) {
    return _mm512_fmsub_pd(a, b, c);
}
static inline vd vd_div(vd a, vd b) {
    return _mm512_div_pd(a, b);
}
static inline vd vd_sqrt(vd a) {
    return _mm512_sqrt_pd(a);
}
static inline vd vd_min(vd a, vd b) {
    return _mm512_min_pd(a, b);
}
static inline vd vd_max(vd a, vd b) {
    return _mm512_max_pd(a, b);
}
static inline double vd_greatest(vd a) {
    return _mm512_reduce_max_pd(a);
}
static inline double vd_least(vd a) {
    return _mm512_reduce_min_pd(a);
}
static inline vd vd_abs(vd a) {
    return _mm512_abs_pd(a);
}
static inline vd vd_mask(vd a, uint64_t bits) {
    double mask;
    memcpy(&mask, &bits, sizeof mask);
    return _mm512_and_pd(a, vd_set1(mask));
}
static inline vdm vd_le(vd a, vd b) {
    return _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ);
}
static inline vdm vd_lt(vd a, vd b) {
    return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ);
}
static inline vdm vdm_and(vdm a, vdm b) {
    return (vdm)(a & b);
}
static inline vdm vdm_or(vdm a, vdm b) {
    return (vdm)(a | b);
}
static inline vdm vdm_and_not(vdm a, vdm b) {
    return (vdm)(a & ~b);
}
static inline uint32_t vdm_bits(vdm m) {
    return m;
}
static inline vdm vdm_from_bits(uint32_t bits) {
    return (vdm)bits;
}
static inline vd vd_evens(vd a, vd b) {
    return _mm512_permutex2var_pd(a, _mm512_set_epi64(14, 12, 10, 8, 6, 4, 2, 0), b);
}
static inline vd vd_from_low(vf a) {
    return _mm512_cvtps_pd(_mm512_castps512_ps256(a));
}
static inline vd vd_from_high(vf a) {
    return _mm512_cvtps_pd(_mm512_extractf32x8_ps(a, 1));
}
static inline void vi_store_halves(uint32_t *low, uint32_t *high, vi x) {
    _mm256_storeu_si256((__m256i *)(void *)low, _mm512_castsi512_si256(x));
    _mm256_storeu_si256((__m256i *)(void *)high, _mm512_extracti64x4_epi64(x, 1));
}
static inline vd vd_select(vdm m, vd a, vd b) {
    return _mm512_mask_blend_pd(m, b, a);
}
static inline void vd_store_words(uint32_t *out, vd x) {
    _mm256_storeu_si256((__m256i *)(void *)out, _mm512_cvtepi64_epi32(_mm512_castpd_si512(x)));
}
static inline vf vf_from_vd(vd a, vd b) {
    vf low = _mm512_castps256_ps512(_mm512_cvtpd_ps(a));
    return _mm512_insertf32x8(low, _mm512_cvtpd_ps(b), 1);
}

/* Packs the slots, one a lane of vd, whose mask bits are set; may write CAROM_LANES / 2 values. Returns how many. */
static inline uint32_t vd_pack_slots(uint32_t *out, uint32_t bits, const uint32_t *slot) {
    __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)slot);
    _mm256_storeu_si256((__m256i *)(void *)out, _mm256_maskz_compress_epi32((__mmask8)bits, x));
    return (uint32_t)__builtin_popcount(bits);
}

/* The fields of sixteen records of eight floats: lanes 0 .. 7 those of the slots `low`, the others of `high`. Four rows
 * apart lie in one register, so that the last shuffle puts lanes in order. */
static inline void vf_rows_of_two(const float *records, const uint32_t *low, const uint32_t *high, vf field[8]) {
    vf row[8];
    vf mixed[8];
    for (int n = 0; n < 8; n++) {
        const uint32_t *slot = n < 4 ? low + n : high + n - 4;
        row[n] = _mm512_insertf32x8(_mm512_castps256_ps512(_mm256_loadu_ps(records + 8 * (size_t)slot[0])),
                                    _mm256_loadu_ps(records + 8 * (size_t)slot[4]), 1);
    }
    for (int n = 0; n < 8; n += 4) {
        vf ab_low = _mm512_unpacklo_ps(row[n], row[n + 1]);
        vf ab_high = _mm512_unpackhi_ps(row[n], row[n + 1]);
        vf cd_low = _mm512_unpacklo_ps(row[n + 2], row[n + 3]);
        vf cd_high = _mm512_unpackhi_ps(row[n + 2], row[n + 3]);
        mixed[n] = _mm512_shuffle_ps(ab_low, cd_low, 0x44);
        mixed[n + 1] = _mm512_shuffle_ps(ab_low, cd_low, 0xEE);
        mixed[n + 2] = _mm512_shuffle_ps(ab_high, cd_high, 0x44);
        mixed[n + 3] = _mm512_shuffle_ps(ab_high, cd_high, 0xEE);
    }
    for (int n = 0; n < 4; n++) {
        field[n] = _mm512_shuffle_f32x4(mixed[n], mixed[n + 4], 0x88);
        field[n + 4] = _mm512_shuffle_f32x4(mixed[n], mixed[n + 4], 0xDD);
    }
}
static inline void vf_rows(const float *records, const uint32_t *slot, vf field[7]) {
    vf all[8];
    vf_rows_of_two(records, slot, slot + 8, all);
    for (int n = 0; n < 7; n++) {
        field[n] = all[n];
    }
}
static inline void vec_512_transpose(const __m512d row[8], __m512d field[8]) {
    vd pair[8];
    vd quad[8];
    for (int n = 0; n < 8; n += 2) {
        pair[n] = _mm512_unpacklo_pd(row[n], row[n + 1]);
        pair[n + 1] = _mm512_unpackhi_pd(row[n], row[n + 1]);
    }
    for (int n = 0; n < 8; n += 4) {
        for (int odd = 0; odd < 2; odd++) {
            quad[n + odd] = _mm512_shuffle_f64x2(pair[n + odd], pair[n + 2 + odd], 0x88);
            quad[n + 2 + odd] = _mm512_shuffle_f64x2(pair[n + odd], pair[n + 2 + odd], 0xDD);
        }
    }
    for (int n = 0; n < 4; n++) {
        field[n] = _mm512_shuffle_f64x2(quad[n], quad[n + 4], 0x88);
        field[n + 4] = _mm512_shuffle_f64x2(quad[n], quad[n + 4], 0xDD);
    }
}
static inline void vd_rows_f64(const double *records, const uint32_t *slot, vd field[8]) {
    vd row[8];
    for (int n = 0; n < 8; n++) {
        row[n] = _mm512_loadu_pd(records + 8 * (size_t)slot[n]);
    }
    vec_512_transpose(row, field);
}
static inline void vd_load_rows(const double *const *row, vd field[8]) {
    vd whole[8];
    for (int n = 0; n < 8; n++) {
        whole[n] = _mm512_loadu_pd(row[n]);
    }
    vec_512_transpose(whole, field);
}
static inline void vd_store_rows(double *const *row, const vd field[8]) {
    vd whole[8];
    vec_512_transpose(field, whole);
    for (int n = 0; n < 8; n++) {
        _mm512_storeu_pd(row[n], whole[n]);
    }
}
static inline void vec_512_store_rows8(float *rows, const __m256 field[8]) {
    __m256 mixed[8];
    for (int n = 0; n < 8; n += 4) {
        __m256 ab_low = _mm256_unpacklo_ps(field[n], field[n + 1]);
        __m256 ab_high = _mm256_unpackhi_ps(field[n], field[n + 1]);
        __m256 cd_low = _mm256_unpacklo_ps(field[n + 2], field[n + 3]);
        __m256 cd_high = _mm256_unpackhi_ps(field[n + 2], field[n + 3]);
        mixed[n] = _mm256_shuffle_ps(ab_low, cd_low, 0x44);
        mixed[n + 1] = _mm256_shuffle_ps(ab_low, cd_low, 0xEE);
        mixed[n + 2] = _mm256_shuffle_ps(ab_high, cd_high, 0x44);
        mixed[n + 3] = _mm256_shuffle_ps(ab_high, cd_high, 0xEE);
    }
    for (int n = 0; n < 4; n++) {
        _mm256_storeu_ps(rows + 8 * n, _mm256_permute2f128_ps(mixed[n], mixed[n + 4], 0x20));
        _mm256_storeu_ps(rows + 8 * (n + 4), _mm256_permute2f128_ps(mixed[n], mixed[n + 4], 0x31));
    }
}
static inline void vf_store_rows(float *rows, const vf field[8]) {
    __m256 half[8];
    for (int n = 0; n < 8; n++) {
        half[n] = _mm512_castps512_ps256(field[n]);
    }
    vec_512_store_rows8(rows, half);
    for (int n = 0; n < 8; n++) {
        half[n] = _mm512_extractf32x8_ps(field[n], 1);
    }
    vec_512_store_rows8(rows + 64, half);
}

/* The 16 values of x lie in different lanes of the three registers, as 3 and 16 have no common factor: so one register
 * holds them all, out of order. So it is with y and z, and with doubles. */
static inline vf vec_512_third(vf a, vf b, vf c, __mmask16 from_b, __mmask16 from_c, vi order) {
    return _mm512_permutexvar_ps(order, _mm512_mask_blend_ps(from_c, _mm512_mask_blend_ps(from_b, a, b), c));
}
static inline void vf_triples(const float *at, vf field[3]) {
    const vf a = _mm512_loadu_ps(at);
    const vf b = _mm512_loadu_ps(at + 16);
    const vf c = _mm512_loadu_ps(at + 32);
    const vi x = _mm512_setr_epi32(0, 3, 6, 9, 12, 15, 2, 5, 8, 11, 14, 1, 4, 7, 10, 13);
    const vi y = _mm512_setr_epi32(1, 4, 7, 10, 13, 0, 3, 6, 9, 12, 15, 2, 5, 8, 11, 14);
    const vi z = _mm512_setr_epi32(2, 5, 8, 11, 14, 1, 4, 7, 10, 13, 0, 3, 6, 9, 12, 15);
    field[0] = vec_512_third(a, b, c, 0x4924, 0x2492, x);
    field[1] = vec_512_third(a, b, c, 0x9249, 0x4924, y);
    field[2] = vec_512_third(a, b, c, 0x2492, 0x9249, z);
}
static inline vd vec_512_third_f64(vd a, vd b, vd c, __mmask8 from_b, __mmask8 from_c, vi order) {
    return _mm512_permutexvar_pd(order, _mm512_mask_blend_pd(from_c, _mm512_mask_blend_pd(from_b, a, b), c));
}
static inline void vd_triples(const double *at, vd field[3]) {
    const vd a = _mm512_loadu_pd(at);
    const vd b = _mm512_loadu_pd(at + 8);
    const vd c = _mm512_loadu_pd(at + 16);
    const vi x = _mm512_setr_epi64(0, 3, 6, 1, 4, 7, 2, 5);
    const vi y = _mm512_setr_epi64(1, 4, 7, 2, 5, 0, 3, 6);
    const vi z = _mm512_setr_epi64(2, 5, 0, 3, 6, 1, 4, 7);
    field[0] = vec_512_third_f64(a, b, c, 0x92, 0x24, x);
    field[1] = vec_512_third_f64(a, b, c, 0x24, 0x49, y);
    field[2] = vec_512_third_f64(a, b, c, 0x49, 0x92, z);
}
static inline vf vec_512_greatest_of_four(const vf row[4]) {
    vf ab = vf_max(_mm512_unpacklo_ps(row[0], row[1]), _mm512_unpackhi_ps(row[0], row[1]));
    vf cd = vf_max(_mm512_unpacklo_ps(row[2], row[3]), _mm512_unpackhi_ps(row[2], row[3]));
    return vf_max(_mm512_shuffle_ps(ab, cd, 0x44), _mm512_shuffle_ps(ab, cd, 0xEE));
}
static inline vf vec_512_greatest_of_quarters(vf a, vf b) {
    return vf_max(_mm512_shuffle_f32x4(a, b, 0x88), _mm512_shuffle_f32x4(a, b, 0xDD));
}
/* Of four rows in each quarter first. */
static inline vf vf_greatest_of_rows(const vf row[CAROM_LANES]) {
    vf low = vec_512_greatest_of_quarters(vec_512_greatest_of_four(row), vec_512_greatest_of_four(row + 4));
    vf high = vec_512_greatest_of_quarters(vec_512_greatest_of_four(row + 8), vec_512_greatest_of_four(row + 12));
    return vec_512_greatest_of_quarters(low, high);
}
/* Every fourth point in one register, so that transposing its quarters apart puts lanes in order. */
static inline void vf_load_points(const float *const *point, vf field[3]) {
    vf row[4];
    for (int n = 0; n < 4; n++) {
        row[n] = _mm512_castps128_ps512(_mm_loadu_ps(point[n]));
        row[n] = _mm512_insertf32x4(row[n], _mm_loadu_ps(point[n + 4]), 1);
        row[n] = _mm512_insertf32x4(row[n], _mm_loadu_ps(point[n + 8]), 2);
        row[n] = _mm512_insertf32x4(row[n], _mm_loadu_ps(point[n + 12]), 3);
    }
    vf ab = _mm512_unpacklo_ps(row[0], row[1]);
    vf cd = _mm512_unpacklo_ps(row[2], row[3]);
    vf ab_high = _mm512_unpackhi_ps(row[0], row[1]);
    vf cd_high = _mm512_unpackhi_ps(row[2], row[3]);
    field[0] = _mm512_shuffle_ps(ab, cd, 0x44);
    field[1] = _mm512_shuffle_ps(ab, cd, 0xEE);
    field[2] = _mm512_shuffle_ps(ab_high, cd_high, 0x44);
}
/* Points n and n + 2 in one register: unpacked and shuffled they are in order. */
static inline void vd_points(const char *at, uint64_t stride, vd field[3]) {
    vd row[4];
    for (uint64_t n = 0; n < 4; n++) {
        const char *from = at + (n % 2 + n / 2 * 4) * stride;
        row[n] = _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd((const double *)(const void *)from)),
                                    _mm256_loadu_pd((const double *)(const void *)(from + 2 * stride)), 1);
    }
    vd ab = _mm512_unpacklo_pd(row[0], row[1]);
    vd cd = _mm512_unpacklo_pd(row[2], row[3]);
    field[0] = _mm512_shuffle_f64x2(ab, cd, 0x88);
    field[1] = _mm512_shuffle_f64x2(_mm512_unpackhi_pd(row[0], row[1]), _mm512_unpackhi_pd(row[2], row[3]), 0x88);
    field[2] = _mm512_shuffle_f64x2(ab, cd, 0xDD);
}
/* Three values that lie side by side, and a fourth after them. Reads a value past the three. */
static inline void vf_store_four(float *to, const float *three, float fourth) {
    _mm_storeu_ps(to, _mm_blend_ps(_mm_loadu_ps(three), _mm_set1_ps(fourth), 8));
}

static inline void carom_stream_line(void *to, const void *from) {
    _mm512_stream_si512((__m512i *)to, _mm512_load_si512(from));
}
static inline void carom_stream_fence(void) {
    _mm_sfence();
}

#endif
