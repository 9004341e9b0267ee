/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The 128-bit block of vec.h. Branch-free scalar stores do what SSE2 and NEON have no instruction for: packing
 * the lanes of a mask to the left. */
#ifndef CAROM_SIMD_VEC_128_H
#define CAROM_SIMD_VEC_128_H

#define CAROM_LANES 4

typedef simde__m128 vf;
typedef simde__m128 vfm;
typedef simde__m128i vi;
typedef simde__m128d vd;
typedef simde__m128d vdm;

static inline vf vf_load(const float *a) {
    return simde_mm_loadu_ps(a);
}
/* The first `count` values in the first lanes, count <= CAROM_LANES, and 0 in the others. */
static inline vf vf_load_first(const float *a, uint32_t count) {
    float lane[CAROM_LANES] = {0.0F};
    memcpy(lane, a, count * sizeof *a);
    return vf_load(lane);
}
/* CAROM_LANES numbers of 16 bits. */
static inline vf vf_load_u16(const uint16_t *a) {
    return simde_mm_cvtepi32_ps(
        simde_mm_unpacklo_epi16(simde_mm_loadl_epi64((const simde__m128i *)(const void *)a), simde_mm_setzero_si128()));
}
static inline void vf_store(float *a, vf x) {
    simde_mm_storeu_ps(a, x);
}
static inline vf vf_set1(float x) {
    return simde_mm_set1_ps(x);
}
static inline vf vf_add(vf a, vf b) {
    return simde_mm_add_ps(a, b);
}
static inline vf vf_sub(vf a, vf b) {
    return simde_mm_sub_ps(a, b);
}
static inline vf vf_mul(vf a, vf b) {
    return simde_mm_mul_ps(a, b);
}
static inline vf vf_div(vf a, vf b) {
    return simde_mm_div_ps(a, b);
}
static inline vf vf_sqrt(vf a) {
    return simde_mm_sqrt_ps(a);
}
/* c - a b, rounded once or twice: for what decides only where this does not matter. */
static inline vf vf_less_product(vf c, vf a, vf b) {
    return vf_sub(c, vf_mul(a, b));
}
static inline vf vf_min(vf a, vf b) {
    return simde_mm_min_ps(a, b);
}
static inline vf vf_max(vf a, vf b) {
    return simde_mm_max_ps(a, b);
}
static inline vfm vf_le(vf a, vf b) {
    return simde_mm_cmple_ps(a, b);
}
static inline vfm vf_lt(vf a, vf b) {
    return simde_mm_cmplt_ps(a, b);
}
static inline vfm vfm_and(vfm a, vfm b) {
    return simde_mm_and_ps(a, b);
}
static inline vf vf_select(vfm m, vf a, vf b) {
    return simde_mm_or_ps(simde_mm_and_ps(m, a), simde_mm_andnot_ps(m, b));
}
static inline vf vf_swap_halves(vf a) {
    return simde_mm_shuffle_ps(a, a, 0x4E);
}
/* The lanes of even number of both. */
static inline vf vf_evens(vf a, vf b) {
    return simde_mm_shuffle_ps(a, b, 0x88);
}
static inline uint32_t vfm_bits(vfm m) {
    return (uint32_t)simde_mm_movemask_ps(m);
}
static inline vi vf_bits(vf x) {
    return simde_mm_castps_si128(x);
}
static inline vf vf_from_bits(vi x) {
    return simde_mm_castsi128_ps(x);
}
static inline vi vi_truncate(vf x) {
    return simde_mm_cvttps_epi32(x);
}
static inline vf vf_from_int(vi x) {
    return simde_mm_cvtepi32_ps(x);
}

static inline vi vi_load(const uint32_t *a) {
    return simde_mm_loadu_si128((const simde__m128i *)(const void *)a);
}
/* `count` numbers, at least one and fewer than CAROM_LANES; the other lanes have the first one. */
static inline vi vi_load_filled(const uint32_t *a, uint32_t count) {
    return simde_mm_set_epi32((int32_t)a[0], (int32_t)a[count > 2 ? 2 : 0], (int32_t)a[count > 1 ? 1 : 0],
                              (int32_t)a[0]);
}
static inline void vi_store(uint32_t *a, vi x) {
    simde_mm_storeu_si128((simde__m128i *)(void *)a, x);
}
static inline void vi_store_first(uint32_t *a, uint32_t count, vi x) {
    uint32_t lane[CAROM_LANES];
    vi_store(lane, x);
    for (uint32_t n = 0; n < count; n++) {
        a[n] = lane[n];
    }
}
static inline void vi_store_last(uint32_t *a, uint32_t count, vi before, vi x) {
    (void)before;
    vi_store_first(a, count, x);
}
static inline vi vi_set1(int32_t x) {
    return simde_mm_set1_epi32(x);
}
static inline vi vi_add(vi a, vi b) {
    return simde_mm_add_epi32(a, b);
}
static inline vi vi_sub(vi a, vi b) {
    return simde_mm_sub_epi32(a, b);
}
static inline vi vi_and(vi a, vi b) {
    return simde_mm_and_si128(a, b);
}
static inline vi vi_shift_right(vi a, uint32_t by) {
    return simde_mm_srl_epi32(a, simde_mm_cvtsi32_si128((int32_t)by));
}
static inline vi vi_or(vi a, vi b) {
    return simde_mm_or_si128(a, b);
}
static inline vi vi_xor(vi a, vi b) {
    return simde_mm_xor_si128(a, b);
}
static inline vi vi_sign(vi a) {
    return simde_mm_srai_epi32(a, 31);
}
/* x == 0 ? a : b */
static inline vi vi_select_zero(vi x, vi a, vi b) {
    vi m = simde_mm_cmpeq_epi32(x, simde_mm_setzero_si128());
    return simde_mm_or_si128(simde_mm_and_si128(m, a), simde_mm_andnot_si128(m, b));
}
/* (a & b) == 0 */
static inline vfm vi_disjoint(vi a, vi b) {
    return simde_mm_castsi128_ps(simde_mm_cmpeq_epi32(simde_mm_and_si128(a, b), simde_mm_setzero_si128()));
}
/* Unsigned. */
static inline vfm vi_less(vi a, vi b) {
    vi top = vi_set1(INT32_MIN);
    return simde_mm_castsi128_ps(simde_mm_cmpgt_epi32(vi_xor(b, top), vi_xor(a, top)));
}
/* One more in lanes where a is less than b, unsigned. */
static inline vi vi_add_less(vi sum, vi a, vi b) {
    return simde_mm_sub_epi32(sum, simde_mm_castps_si128(vi_less(a, b)));
}
/* Unsigned. */
static inline vi vi_min_unsigned(vi a, vi b) {
    const vi less = simde_mm_castps_si128(vi_less(a, b));
    return simde_mm_or_si128(simde_mm_and_si128(less, a), simde_mm_andnot_si128(less, b));
}
static inline vi vi_max_unsigned(vi a, vi b) {
    const vi less = simde_mm_castps_si128(vi_less(a, b));
    return simde_mm_or_si128(simde_mm_and_si128(less, b), simde_mm_andnot_si128(less, a));
}
/* Lane l of vector n and lane n of vector l change places. */
static inline void vi_transpose(vi a[CAROM_LANES]) {
    const vi t0 = simde_mm_unpacklo_epi32(a[0], a[1]);
    const vi t1 = simde_mm_unpackhi_epi32(a[0], a[1]);
    const vi t2 = simde_mm_unpacklo_epi32(a[2], a[3]);
    const vi t3 = simde_mm_unpackhi_epi32(a[2], a[3]);
    a[0] = simde_mm_unpacklo_epi64(t0, t2);
    a[1] = simde_mm_unpackhi_epi64(t0, t2);
    a[2] = simde_mm_unpacklo_epi64(t1, t3);
    a[3] = simde_mm_unpackhi_epi64(t1, t3);
}
/* The lower half of the lanes in both halves, and the upper. */
static inline vi vi_low_twice(vi a) {
    return simde_mm_unpacklo_epi64(a, a);
}
static inline vi vi_high_twice(vi a) {
    return simde_mm_unpackhi_epi64(a, a);
}
static inline void vi_store_halves(uint32_t *low, uint32_t *high, vi x) {
    simde_mm_storel_epi64((simde__m128i *)(void *)low, x);
    simde_mm_storel_epi64((simde__m128i *)(void *)high, simde_mm_unpackhi_epi64(x, x));
}
static inline vi vi_gather(const uint32_t *table, vi index) {
    uint32_t at[4];
    vi_store(at, index);
    return simde_mm_setr_epi32((int32_t)table[at[0]], (int32_t)table[at[1]], (int32_t)table[at[2]],
                               (int32_t)table[at[3]]);
}
/* Writes the first `count` lanes of x at least, all of them at most. */
static inline void vi_fill_store_few(uint32_t *out, uint32_t count, vi x) {
    (void)count;
    vi_store(out, x);
}
/* Writes the lanes of `x` whose mask bits are set, packed; may write CAROM_LANES values. Returns how many. */
static inline uint32_t vi_pack_store(uint32_t *out, uint32_t bits, vi x) {
    uint32_t lane[4];
    vi_store(lane, x);
    uint32_t n = 0;
    for (uint32_t l = 0; l < 4; l++) {
        out[n] = lane[l];
        n += (bits >> l) & 1U;
    }
    return n;
}
/* The same, for masks with few bits. */
static inline uint32_t vi_pack_store_few(uint32_t *out, uint32_t bits, vi x) {
    return vi_pack_store(out, bits, x);
}
/* Packs, likewise, the lesser of a and each such lane of `x` to `least`, and the greater to `most`. */
static inline uint32_t vi_pack_ordered(uint32_t *least, uint32_t *most, uint32_t bits, vi a, vi x) {
    vi_pack_store(least, bits, vi_min_unsigned(a, x));
    return vi_pack_store(most, bits, vi_max_unsigned(a, x));
}
/* Which of sixteen words may have bits: bit n for word n; 256 bits: bit n for half word n. Skipping empty words costs
 * more here than packing them. */
static inline uint32_t vw_set(const uint16_t *word) {
    (void)word;
    return UINT16_MAX;
}
static inline simde__m128i vec_128_words_less(uint16_t *word, const uint16_t *other) {
    simde__m128i less = simde_mm_andnot_si128(simde_mm_loadu_si128((const simde__m128i *)(const void *)other),
                                              simde_mm_loadu_si128((const simde__m128i *)(const void *)word));
    simde_mm_storeu_si128((simde__m128i *)(void *)word, less);
    return simde_mm_cmpeq_epi16(less, simde_mm_setzero_si128());
}
/* Takes away from sixteen words the bits of others. Which have bits then: bit n for word n. */
static inline uint32_t vw_less(uint16_t *word, const uint16_t *other) {
    simde__m128i low = vec_128_words_less(word, other);
    simde__m128i high = vec_128_words_less(word + 8, other + 8);
    return ~(uint32_t)simde_mm_movemask_epi8(simde_mm_packs_epi16(low, high)) & UINT16_MAX;
}

static inline vd vd_load(const double *a) {
    return simde_mm_loadu_pd(a);
}
/* `count` numbers, at most as many as there are lanes; the others are 0. */
static inline vd vd_load_first(const double *a, uint32_t count) {
    return count > 1 ? vd_load(a) : count > 0 ? simde_mm_load_sd(a) : simde_mm_setzero_pd();
}
/* from[index[l]] in lane l; indices are below 2^31. */
static inline vd vd_gather(const double *from, const uint32_t *index) {
    return simde_mm_setr_pd(from[index[0]], from[index[1]]);
}
/* A number for each lane, from anywhere. They do not go through an array of lanes: a vector that is stored in parts and
 * loaded whole waits for its stores. */
static inline vd vd_load_each(const double *const *a) {
    return simde_mm_loadh_pd(simde_mm_load_sd(a[0]), a[1]);
}
static inline void vd_store(double *a, vd x) {
    simde_mm_storeu_pd(a, x);
}
static inline void vd_store_f32(float *a, vd x) {
    simde_mm_storel_pi((simde__m64 *)(void *)a, simde_mm_cvtpd_ps(x));
}
static inline vd vd_set1(double x) {
    return simde_mm_set1_pd(x);
}
static inline vd vd_add(vd a, vd b) {
    return simde_mm_add_pd(a, b);
}
static inline vd vd_sub(vd a, vd b) {
    return simde_mm_sub_pd(a, b);
}
static inline vd vd_mul(vd a, vd b) {
    return simde_mm_mul_pd(a, b);
}
static inline vd vd_div(vd a, vd b) {
    return simde_mm_div_pd(a, b);
}
static inline vd vd_sqrt(vd a) {
    return simde_mm_sqrt_pd(a);
}
#if defined(SIMDE_X86_SSE2_NATIVE)
static inline vd vd_min(vd a, vd b) {
    return simde_mm_min_pd(a, b);
}
static inline vd vd_max(vd a, vd b) {
    return simde_mm_max_pd(a, b);
}
#else
/* SIMDe's minimum and maximum of doubles are those of the machine: on NEON, NaN where either is. Ours are b there. */
static inline vd vec_128_pick(vd m, vd a, vd b) {
    return simde_mm_or_pd(simde_mm_and_pd(m, a), simde_mm_andnot_pd(m, b));
}
static inline vd vd_min(vd a, vd b) {
    return vec_128_pick(simde_mm_cmplt_pd(a, b), a, b);
}
static inline vd vd_max(vd a, vd b) {
    return vec_128_pick(simde_mm_cmplt_pd(b, a), a, b);
}
#endif
/* The greatest value of a vector without NaN. */
static inline double vd_greatest(vd a) {
    double lane[2];
    vd_store(lane, a);
    return lane[0] > lane[1] ? lane[0] : lane[1];
}
/* The least value of a vector without NaN. */
static inline double vd_least(vd a) {
    double lane[2];
    vd_store(lane, a);
    return lane[0] < lane[1] ? lane[0] : lane[1];
}
static inline vd vd_abs(vd a) {
    return simde_mm_andnot_pd(simde_mm_set1_pd(-0.0), a);
}
static inline vd vd_mask(vd a, uint64_t bits) {
    double mask;
    memcpy(&mask, &bits, sizeof mask);
    return simde_mm_and_pd(a, vd_set1(mask));
}
static inline vdm vd_le(vd a, vd b) {
    return simde_mm_cmple_pd(a, b);
}
static inline vdm vd_lt(vd a, vd b) {
    return simde_mm_cmplt_pd(a, b);
}
static inline vdm vdm_and(vdm a, vdm b) {
    return simde_mm_and_pd(a, b);
}
static inline vdm vdm_or(vdm a, vdm b) {
    return simde_mm_or_pd(a, b);
}
static inline vdm vdm_and_not(vdm a, vdm b) {
    return simde_mm_andnot_pd(b, a);
}
static inline uint32_t vdm_bits(vdm m) {
    return (uint32_t)simde_mm_movemask_pd(m);
}
static inline vdm vdm_from_bits(uint32_t bits) {
    vi lane = simde_mm_setr_epi32(1, 1, 2, 2);
    return simde_mm_castsi128_pd(simde_mm_cmpeq_epi32(vi_and(vi_set1((int32_t)bits), lane), lane));
}
static inline vd vd_evens(vd a, vd b) {
    return simde_mm_unpacklo_pd(a, b);
}
/* The lower and the upper half of the lanes, widened. */
static inline vd vd_from_low(vf a) {
    return simde_mm_cvtps_pd(a);
}
static inline vd vd_from_high(vf a) {
    return simde_mm_cvtps_pd(simde_mm_movehl_ps(a, a));
}
/* m ? a : b */
static inline vd vd_select(vdm m, vd a, vd b) {
    return simde_mm_or_pd(simde_mm_and_pd(m, a), simde_mm_andnot_pd(m, b));
}
/* The lower 32 bits of each lane. */
static inline void vd_store_words(uint32_t *out, vd x) {
    vi words = simde_mm_shuffle_epi32(simde_mm_castpd_si128(x), 0x88);
    simde_mm_storel_epi64((simde__m128i *)(void *)out, words);
}
/* Rounds to nearest; the lanes of a come first. */
static inline vf vf_from_vd(vd a, vd b) {
    return simde_mm_movelh_ps(simde_mm_cvtpd_ps(a), simde_mm_cvtpd_ps(b));
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

/* The fields of CAROM_LANES / 2 records of eight doubles. */
static inline void vd_rows_f64(const double *records, const uint32_t *slot, vd field[8]) {
    for (int pair = 0; pair < 4; pair++) {
        vd a = simde_mm_loadu_pd(records + 8 * (size_t)slot[0] + 2 * pair);
        vd b = simde_mm_loadu_pd(records + 8 * (size_t)slot[1] + 2 * pair);
        field[2 * pair] = simde_mm_unpacklo_pd(a, b);
        field[2 * pair + 1] = simde_mm_unpackhi_pd(a, b);
    }
}
static inline void vd_load_rows(const double *const *row, vd field[8]) {
    for (int pair = 0; pair < 4; pair++) {
        vd a = simde_mm_loadu_pd(row[0] + 2 * pair);
        vd b = simde_mm_loadu_pd(row[1] + 2 * pair);
        field[2 * pair] = simde_mm_unpacklo_pd(a, b);
        field[2 * pair + 1] = simde_mm_unpackhi_pd(a, b);
    }
}
static inline void vd_store_rows(double *const *row, const vd field[8]) {
    for (int pair = 0; pair < 4; pair++) {
        simde_mm_storeu_pd(row[0] + 2 * pair, simde_mm_unpacklo_pd(field[2 * pair], field[2 * pair + 1]));
        simde_mm_storeu_pd(row[1] + 2 * pair, simde_mm_unpackhi_pd(field[2 * pair], field[2 * pair + 1]));
    }
}
/* The fields of CAROM_LANES records of eight floats: those of the slots `low` in the lower half of the lanes, of `high`
 * in the upper. */
static inline void vf_rows_of_two(const float *records, const uint32_t *low, const uint32_t *high, vf field[8]) {
    for (int half = 0; half < 2; half++) {
        vf a = simde_mm_loadu_ps(records + 8 * (size_t)low[0] + 4 * half);
        vf b = simde_mm_loadu_ps(records + 8 * (size_t)low[1] + 4 * half);
        vf c = simde_mm_loadu_ps(records + 8 * (size_t)high[0] + 4 * half);
        vf d = simde_mm_loadu_ps(records + 8 * (size_t)high[1] + 4 * half);
        vf ab_low = simde_mm_unpacklo_ps(a, b);
        vf ab_high = simde_mm_unpackhi_ps(a, b);
        vf cd_low = simde_mm_unpacklo_ps(c, d);
        vf cd_high = simde_mm_unpackhi_ps(c, d);
        field[4 * half] = simde_mm_movelh_ps(ab_low, cd_low);
        field[4 * half + 1] = simde_mm_movehl_ps(cd_low, ab_low);
        field[4 * half + 2] = simde_mm_movelh_ps(ab_high, cd_high);
        field[4 * half + 3] = simde_mm_movehl_ps(cd_high, ab_high);
    }
}
/* Fields 0 .. 6 of CAROM_LANES records of eight floats. */
static inline void vf_rows(const float *records, const uint32_t *slot, vf field[7]) {
    vf all[8];
    vf_rows_of_two(records, slot, slot + 2, all);
    for (int n = 0; n < 7; n++) {
        field[n] = all[n];
    }
}

/* Four fields of CAROM_LANES records of eight floats, the first or the second half of each. */
static inline void vec_128_store_half(float *rows, vf a, vf b, vf c, vf d) {
    vf ab_low = simde_mm_unpacklo_ps(a, b);
    vf ab_high = simde_mm_unpackhi_ps(a, b);
    vf cd_low = simde_mm_unpacklo_ps(c, d);
    vf cd_high = simde_mm_unpackhi_ps(c, d);
    vf_store(rows, simde_mm_movelh_ps(ab_low, cd_low));
    vf_store(rows + 8, simde_mm_movehl_ps(cd_low, ab_low));
    vf_store(rows + 16, simde_mm_movelh_ps(ab_high, cd_high));
    vf_store(rows + 24, simde_mm_movehl_ps(cd_high, ab_high));
}
/* The eight fields of CAROM_LANES records of eight floats. */
static inline void vf_store_rows(float *rows, const vf field[8]) {
    vec_128_store_half(rows, field[0], field[1], field[2], field[3]);
    vec_128_store_half(rows + 4, field[4], field[5], field[6], field[7]);
}

/* Three values that lie side by side, and a fourth after them. Reads a value past the three. */
static inline void vf_store_four(float *to, const float *three, float fourth) {
    const vf from = simde_mm_loadu_ps(three);
    const vf last = simde_mm_shuffle_ps(from, simde_mm_set1_ps(fourth), 0x0A); /* z z 4 4 */
    simde_mm_storeu_ps(to, simde_mm_shuffle_ps(from, last, 0x84));
}

/* x, y and z of CAROM_LANES points that lie side by side. Reads these values and no more. */
static inline void vf_triples(const float *at, vf field[3]) {
    vf a = simde_mm_loadu_ps(at);     /* x0 y0 z0 x1 */
    vf b = simde_mm_loadu_ps(at + 4); /* y1 z1 x2 y2 */
    vf c = simde_mm_loadu_ps(at + 8); /* z2 x3 y3 z3 */
    vf xy = simde_mm_shuffle_ps(b, c, 0x9E);
    vf yz = simde_mm_shuffle_ps(a, b, 0x49);
    field[0] = simde_mm_shuffle_ps(a, xy, 0x8C);
    field[1] = simde_mm_shuffle_ps(yz, xy, 0xD8);
    field[2] = simde_mm_shuffle_ps(yz, c, 0xCD);
}
/* The same for CAROM_LANES / 2 points of doubles. */
static inline void vd_triples(const double *at, vd field[3]) {
    vd a = simde_mm_loadu_pd(at);     /* x0 y0 */
    vd b = simde_mm_loadu_pd(at + 2); /* z0 x1 */
    vd c = simde_mm_loadu_pd(at + 4); /* y1 z1 */
    field[0] = simde_mm_shuffle_pd(a, b, 2);
    field[1] = simde_mm_shuffle_pd(a, c, 1);
    field[2] = simde_mm_shuffle_pd(b, c, 2);
}
/* The greatest value of each row, row n's in lane n. */
static inline vf vf_greatest_of_rows(const vf row[CAROM_LANES]) {
    vf ab = vf_max(simde_mm_unpacklo_ps(row[0], row[1]), simde_mm_unpackhi_ps(row[0], row[1]));
    vf cd = vf_max(simde_mm_unpacklo_ps(row[2], row[3]), simde_mm_unpackhi_ps(row[2], row[3]));
    return vf_max(simde_mm_movelh_ps(ab, cd), simde_mm_movehl_ps(cd, ab));
}
/* x, y and z of CAROM_LANES points. Four values are read of each. */
static inline void vf_load_points(const float *const *point, vf field[3]) {
    vf a = simde_mm_loadu_ps(point[0]);
    vf b = simde_mm_loadu_ps(point[1]);
    vf c = simde_mm_loadu_ps(point[2]);
    vf d = simde_mm_loadu_ps(point[3]);
    vf ab = simde_mm_unpacklo_ps(a, b);
    vf cd = simde_mm_unpacklo_ps(c, d);
    field[0] = simde_mm_movelh_ps(ab, cd);
    field[1] = simde_mm_movehl_ps(cd, ab);
    field[2] = simde_mm_movelh_ps(simde_mm_unpackhi_ps(a, b), simde_mm_unpackhi_ps(c, d));
}
/* x, y and z of CAROM_LANES / 2 points of doubles, `stride` bytes from one to the next. Four values are read of each. */
static inline void vd_points(const char *at, uint64_t stride, vd field[3]) {
    const double *a = (const double *)(const void *)at;
    const double *b = (const double *)(const void *)(at + stride);
    field[0] = simde_mm_unpacklo_pd(simde_mm_loadu_pd(a), simde_mm_loadu_pd(b));
    field[1] = simde_mm_unpackhi_pd(simde_mm_loadu_pd(a), simde_mm_loadu_pd(b));
    field[2] = simde_mm_unpacklo_pd(simde_mm_loadu_pd(a + 2), simde_mm_loadu_pd(b + 2));
}

/* Writes a whole cache line past the cache; both aligned to 64 bytes. */
static inline void carom_stream_line(void *to, const void *from) {
    for (int n = 0; n < 4; n++) {
        simde__m128i x = simde_mm_load_si128((const simde__m128i *)from + n);
        simde_mm_stream_si128((simde__m128i *)to + n, x);
    }
}
static inline void carom_stream_fence(void) {
    simde_mm_sfence();
}

#endif
