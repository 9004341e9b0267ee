/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Kernels of detection step after step against their scalar twins. Guards, too, that pairs of boxes whose corners are a
 * few floats apart, infinite or no number are tested as the twin does, which steps every corner outward. */
#include <math.h>
#include <string.h>

#include "tests/twin/edge_records_tmpl.h"

static const double CENTRE[3] = {0.5, 2.0, -1e3};

static void fat_boxes_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    guarded_pool pool = {.count = 0};
    carom_bodies bodies = make_bodies(&pool, random, count, BODIES_WILD);
    const carom_bodies other = draw_layout(&pool, random, &bodies);
    float *side[12];
    for (int n = 0; n < 12; n++) {
        side[n] = guarded_array(&pool, count, sizeof(float), carom_random_next(random) % 16);
    }
    carom_kernels_of(simd)->fat_boxes(&other, 0, count, CENTRE, side, side + 3);
    carom_kernels_of(twin)->fat_boxes(&bodies, 0, count, CENTRE, side + 6, side + 9);
    for (int n = 0; n < 6; n++) {
        note_check(guarded_same_f32(side[n], side[n + 6], count), "fat boxes differ");
    }
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

void check_fat_boxes(void **state) {
    (void)state;
    guarded_over_all("fat boxes", fat_boxes_case);
}

/* In two pieces, the second of which begins anywhere; past the cache and not. */
static void place_pieces(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count,
                         bool past_cache) {
    guarded_pool pool = {.count = 0};
    carom_bodies bodies = make_bodies(&pool, random, count, BODIES_WILD);
    const carom_bodies other = draw_layout(&pool, random, &bodies);
    const uint32_t *slot = draw_slots(&pool, random, count);
    carom_record *records[2];
    const uint64_t piece = carom_random_next(random) % (count + UINT64_C(1));
    for (int n = 0; n < 2; n++) {
        const carom_kernels *kernels = carom_kernels_of(n == 0 ? simd : twin);
        const carom_bodies *from = n == 0 ? &other : &bodies;
        const carom_place_in first = {from, 0, piece, count, slot, past_cache};
        const carom_place_in second = {from, piece, count, count, slot, past_cache};
        records[n] = guarded_lines(&pool, count, sizeof(carom_record));
        kernels->place(&first, records[n]);
        kernels->place(&second, records[n]);
    }
    note_check(memcmp(records[0], records[1], count * sizeof(carom_record)) == 0, "records differ");
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

static void place_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    place_pieces(simd, twin, random, count, false);
    place_pieces(simd, twin, random, count, true);
}

void check_place(void **state) {
    (void)state;
    guarded_over_all("place", place_case);
}

enum { KINDS = 4 };

/* Of any kind that `which` says, with a centre that suits them. */
static carom_record *draw_records(guarded_pool *pool, carom_random *random, uint64_t count, uint32_t which,
                                  double centre[3]) {
    memcpy(centre, CENTRE, sizeof CENTRE);
    switch (which % KINDS) {
    case 0:
        return make_records(pool, random, count, BODIES_WILD);
    case 1:
        return make_records(pool, random, count, BODIES_NEAR);
    default:
        return make_edge_records(pool, random, count, centre);
    }
}

static void slot_boxes_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    guarded_pool pool = {.count = 0};
    double centre[3];
    carom_record *records = draw_records(&pool, random, count, count, centre);
    carom_slot_box *boxes[2];
    for (int n = 0; n < 2; n++) {
        boxes[n] = guarded_array(&pool, count, sizeof(carom_slot_box), 0);
        carom_kernels_of(n == 0 ? simd : twin)->slot_boxes(records, 0, count, centre, boxes[n]);
    }
    note_check(memcmp(boxes[0], boxes[1], count * sizeof(carom_slot_box)) == 0, "boxes differ");
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

void check_slot_boxes(void **state) {
    (void)state;
    guarded_over_all("slot_boxes", slot_boxes_case);
}

/* Sides, and inner and outer lengths. */
enum { COLUMNS = 8 };

static carom_box_columns make_columns(guarded_pool *pool, uint64_t count, float *column[COLUMNS]) {
    for (int c = 0; c < COLUMNS; c++) {
        column[c] = guarded_array(pool, count, sizeof(float), 0);
    }
    return (carom_box_columns){
        {column[0], column[1], column[2]}, {column[3], column[4], column[5]}, column[6], column[7]};
}

static void box_columns_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    guarded_pool pool = {.count = 0};
    double centre[3];
    carom_record *records = draw_records(&pool, random, count, count, centre);
    float *column[2][COLUMNS];
    for (int n = 0; n < 2; n++) {
        const carom_box_columns to = make_columns(&pool, count, column[n]);
        carom_kernels_of(n == 0 ? simd : twin)->box_columns(records, 0, count, centre, &to);
    }
    for (int c = 0; c < COLUMNS; c++) {
        note_check(guarded_same_f32(column[0][c], column[1][c], count), "column %d differs", c);
    }
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

void check_box_columns(void **state) {
    (void)state;
    guarded_over_all("box_columns", box_columns_case);
}

enum { PACKED = 150, PACKED_ROUNDS = 300, KINDS_OF_PACKED = 8 };
static const double FAR = sizeof(carom_real) == sizeof(double) ? 1e12 : 1e5;
static uint64_t certain_touch;
static uint64_t certain_apart;

/* Bodies that are close together, of several kinds: at rest, slow, fast, far from the origin, very large, very small.
 */
static void pack_records(carom_random *random, uint64_t kind, carom_record *records) {
    const double scale = kind == 4 ? 1e30 : kind == 5 ? 1e-30 : 1.0;
    for (uint32_t n = 0; n < PACKED; n++) {
        for (int a = 0; a < 3; a++) {
            const double place =
                kind == 6 ? (double)(carom_random_next(random) % 13) / 3.0 : 4.0 * carom_random_u01(random);
            const double at = (kind == 3 ? 1e5 : kind == 7 ? FAR : 0.0) + place;
            const double by = kind == 0 || kind == 6 ? 0.0 : (kind == 2 ? 8.0 : 0.3) * (carom_random_u01(random) - 0.5);
            records[n].prev[a] = (carom_real)(scale * at);
            records[n].curr[a] = (carom_real)(scale * (at + by));
        }
        const double radius =
            kind == 6 ? (double)(1 + carom_random_next(random) % 4) / 6.0 : 0.8 * carom_random_u01(random);
        records[n].radius = (carom_real)(scale * radius);
        records[n].body = n;
    }
}

/* Whether a pair that lengths decide is decided as the kernel `touch` does, which is exact. */
static void check_decided(const carom_simd *twin, const carom_record *records, uint32_t i, uint32_t k, bool touch,
                          bool close) {
    uint32_t slot[2] = {i, k};
    const bool does = carom_kernels_of(twin)->touch(records, 1, &slot[0], &slot[1], &slot[0], &slot[1]) == 1;
    note_check(close || touch == does, "bodies %u and %u: %d, not %d", i, k, touch, does);
    certain_touch += !close && touch;
    certain_apart += !close && !touch;
}

static void decide_packed(const carom_simd *twin, carom_random *random, uint64_t kind) {
    static carom_record records[PACKED];
    static float place[COLUMNS][PACKED + CAROM_SIMD_PAD];
    static uint16_t bits[2][PACKED * ((PACKED + 15) / 16)];
    uint32_t length[2][PACKED];
    const double far = kind == 7 ? FAR : 0.0;
    const double centre[3] = {far, far, far};
    const uint32_t words = carom_hits_words(PACKED);
    const carom_box_columns box = {{place[0], place[1], place[2]}, {place[3], place[4], place[5]}, place[6], place[7]};
    pack_records(random, kind, records);
    for (int c = 0; c < COLUMNS; c++) {
        for (uint32_t n = PACKED; n < PACKED + CAROM_SIMD_PAD; n++) {
            place[c][n] = NAN;
        }
    }
    carom_kernels_of(twin)->box_columns(records, 0, PACKED, centre, &box);
    const carom_box_hits_in in = {.of = box, .count = PACKED, .end = PACKED, .decides = true};
    twin->box_hits(&in, bits[0], bits[1], length[0], length[1]);
    for (uint32_t i = 0; i < PACKED; i++) {
        for (uint32_t k = i + 1; k < PACKED; k++) {
            const bool touch = (bits[0][i * words + k / 16] >> k % 16 & 1) != 0;
            const bool close = (bits[1][i * words + k / 16] >> k % 16 & 1) != 0;
            check_decided(twin, records, i, k, touch, close);
        }
    }
}

/* Lengths decide only what is certain: pairs that they take for touching do touch, and those that they drop do not. */
void lengths_decide_rightly(void **state) {
    (void)state;
    const carom_simd *twin = carom_simd_find("scalar");
    for (uint64_t round = 0; round < PACKED_ROUNDS; round++) {
        carom_random random = carom_random_seeded(note_case_seed(round));
        note_case(round, "packed bodies of kind %u", (unsigned)(round % KINDS_OF_PACKED));
        decide_packed(twin, &random, round % KINDS_OF_PACKED);
    }
    note_check(certain_touch > 10000 && certain_apart > 100000, "the test is empty");
}

enum { RECORDS = 97, MORE = 300, ROUNDS = 2 * KINDS };

static carom_recheck_out make_recheck_out(guarded_pool *pool, uint32_t count) {
    return (carom_recheck_out){.slot_i = guarded_array(pool, count + CAROM_SIMD_PAD, sizeof(uint32_t), 0),
                               .slot_k = guarded_array(pool, count + CAROM_SIMD_PAD, sizeof(uint32_t), 0),
                               .overlapping = guarded_array(pool, (count + 7) / 8, 1, 0),
                               .touching = guarded_array(pool, (count + 7) / 8, 1, 0),
                               .counts = {UINT32_MAX, UINT32_MAX}};
}

static void recheck_records(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count,
                            uint32_t which) {
    guarded_pool pool = {.count = 0};
    double centre[3];
    carom_record *records = draw_records(&pool, random, RECORDS, which, centre);
    uint32_t *slot[2];
    carom_recheck_out out[2];
    const uint32_t more = (uint32_t)(carom_random_next(random) % MORE);
    for (int n = 0; n < 2; n++) {
        slot[n] = guarded_array(&pool, count + more, sizeof(uint32_t), carom_random_next(random) % 16);
        for (uint32_t p = 0; p < count + more; p++) {
            slot[n][p] = (uint32_t)(carom_random_next(random) % RECORDS);
        }
    }
    for (uint32_t n = 0; n < RECORDS; n++) { /* only steps in double hide any */
        const bool hides = CAROM_REAL_BITS == 64 && which % 2 == 1 && carom_random_next(random) % 8 == 0;
        records[n].radius = hides ? -(carom_real)INFINITY : records[n].radius;
    }
    const carom_recheck_in in = {records, centre, count, more, slot[0], slot[1]};
    for (int n = 0; n < 2; n++) {
        out[n] = make_recheck_out(&pool, count);
        carom_kernels_of(n == 0 ? simd : twin)->recheck(&in, &out[n]);
    }
    const carom_recheck_counts found = out[0].counts;
    const carom_recheck_counts twins = out[1].counts;
    note_check(found.overlapping == twins.overlapping, "%u boxes overlap, not %u", found.overlapping,
               twins.overlapping);
    note_check(found.touching == twins.touching, "%u pairs touch, not %u", found.touching, twins.touching);
    note_check(memcmp(out[0].slot_i, out[1].slot_i, found.touching * sizeof(uint32_t)) == 0, "other pairs touch");
    note_check(memcmp(out[0].slot_k, out[1].slot_k, found.touching * sizeof(uint32_t)) == 0, "other pairs touch");
    note_check(memcmp(out[0].overlapping, out[1].overlapping, (count + 7) / 8) == 0, "bits of overlap differ");
    note_check(memcmp(out[0].touching, out[1].touching, (count + 7) / 8) == 0, "bits of touch differ");
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

/* Rare is what tells one order of minima from another: an axis without numbers after one with a gap of a float. */
static void recheck_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    for (uint32_t which = 0; which < (note_short() ? KINDS : ROUNDS); which++) {
        recheck_records(simd, twin, random, count, which);
    }
}

void check_recheck(void **state) {
    (void)state;
    guarded_over_all("recheck", recheck_case);
}
