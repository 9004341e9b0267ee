/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Kernels of detection step after step against their scalar twins. Guards, too, that pairs of boxes whose corners are a
 * few floats apart, infinite or no number are tested as the twin does, which steps every corner outward. */
#include <math.h>
#include <string.h>

#include "tests/twin/edge_records_tmpl.h"

static const double CENTRE[3] = {0.5, 2.0, -1e3};

static void hulls_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    guarded_pool pool = {.count = 0};
    bodies_view bodies = make_bodies(&pool, random, count, BODIES_WILD);
    float *side[12];
    for (int n = 0; n < 12; n++) {
        side[n] = guarded_array(&pool, count, sizeof(float), carom_random_next(random) % 16);
    }
    simd->CAROM_REAL(hulls)(&bodies, 0, count, CENTRE, side, side + 3);
    twin->CAROM_REAL(hulls)(&bodies, 0, count, CENTRE, side + 6, side + 9);
    for (int n = 0; n < 6; n++) {
        note_check(guarded_same_f32(side[n], side[n + 6], count), "hulls differ");
    }
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

void check_hulls(void **state) {
    (void)state;
    guarded_over_all("hulls", hulls_case);
}

/* In two pieces, the second of which begins anywhere; past the cache and not. */
static void place_pieces(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count,
                         bool past_cache) {
    guarded_pool pool = {.count = 0};
    bodies_view bodies = make_bodies(&pool, random, count, BODIES_WILD);
    const uint32_t *slot = draw_slots(&pool, random, count);
    record *records[2];
    const uint64_t piece = carom_random_next(random) % (count + UINT64_C(1));
    for (int n = 0; n < 2; n++) {
        const carom_simd *table = n == 0 ? simd : twin;
        records[n] = guarded_lines(&pool, count, sizeof(record));
        table->CAROM_REAL(place)(&bodies, 0, piece, count, slot, past_cache, records[n]);
        table->CAROM_REAL(place)(&bodies, piece, count, count, slot, past_cache, records[n]);
    }
    note_check(memcmp(records[0], records[1], count * sizeof(record)) == 0, "records differ");
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
static record *draw_records(guarded_pool *pool, carom_random *random, uint64_t count, uint32_t which,
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
    record *records = draw_records(&pool, random, count, count, centre);
    carom_slot_box *boxes[2];
    for (int n = 0; n < 2; n++) {
        boxes[n] = guarded_array(&pool, count, sizeof(carom_slot_box), 0);
        (n == 0 ? simd : twin)->CAROM_REAL(slot_boxes)(records, 0, count, centre, boxes[n]);
    }
    note_check(memcmp(boxes[0], boxes[1], count * sizeof(carom_slot_box)) == 0, "boxes differ");
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

void check_slot_boxes(void **state) {
    (void)state;
    guarded_over_all("slot_boxes", slot_boxes_case);
}

enum { RECORDS = 97, MORE = 300, ROUNDS = 2 * KINDS };

static void recheck_records(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count,
                            uint32_t which) {
    guarded_pool pool = {.count = 0};
    double centre[3];
    record *records = draw_records(&pool, random, RECORDS, which, centre);
    uint32_t *slot[2];
    uint32_t *out[2][2];
    uint8_t *bits[2][2];
    carom_recheck_counts found[2];
    const uint32_t more = (uint32_t)(carom_random_next(random) % MORE);
    for (int n = 0; n < 2; n++) {
        slot[n] = guarded_array(&pool, count + more, sizeof(uint32_t), carom_random_next(random) % 16);
        for (uint32_t p = 0; p < count + more; p++) {
            slot[n][p] = (uint32_t)(carom_random_next(random) % RECORDS);
        }
    }
    for (int n = 0; n < 2; n++) {
        for (int m = 0; m < 2; m++) {
            out[n][m] = guarded_array(&pool, count + CAROM_SIMD_PAD, sizeof(uint32_t), 0);
            bits[n][m] = guarded_array(&pool, (count + 7) / 8, 1, 0);
        }
        found[n] = (n == 0 ? simd : twin)
                       ->CAROM_REAL(recheck)(records, centre, count, more, slot[0], slot[1], out[n][0], out[n][1],
                                             bits[n][0], bits[n][1]);
    }
    note_check(found[0].overlapping == found[1].overlapping, "%u boxes overlap, not %u", found[0].overlapping,
               found[1].overlapping);
    note_check(found[0].touching == found[1].touching, "%u pairs touch, not %u", found[0].touching, found[1].touching);
    for (int m = 0; m < 2; m++) {
        note_check(memcmp(out[0][m], out[1][m], found[0].touching * sizeof(uint32_t)) == 0, "other pairs touch");
        note_check(memcmp(bits[0][m], bits[1][m], (count + 7) / 8) == 0, "bits differ");
    }
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
