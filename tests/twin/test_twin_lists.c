/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Kernels of lists by cells against their scalar twins: runs gathered, hits of cells with and without radii and in half
 * lists, at rest and in motion, hits packed, hits filtered, rows put in order; and all pairs of few boxes. */
#include <math.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/note.h"
#include "tests/twin/guarded.h"

static uint32_t *random_words(guarded_pool *pool, carom_random *random, uint64_t count) {
    uint32_t *value = guarded_array(pool, count, sizeof(uint32_t), carom_random_next(random) % 16);
    for (uint64_t n = 0; n < count; n++) {
        value[n] = (uint32_t)carom_random_next(random);
    }
    return value;
}

/* A coordinate of a candidate: a whole number of steps. */
static float random_step(carom_random *random) {
    return (float)((int32_t)(carom_random_next(random) % (3U << 20)) - (int32_t)(3U << 19)) * 8.0F;
}

static void gather_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    guarded_pool pool = {.count = 0};
    const uint64_t slots = (uint64_t)count + CAROM_GATHER_PAD;
    const uint64_t kind = carom_random_next(random) % 3;
    const bool keyed = kind == 0 || carom_random_next(random) % 2 == 0;
    carom_gather_in in = {.key = keyed ? random_words(&pool, random, slots) : NULL};
    for (int a = 0; a < 3; a++) {
        in.step[a] = kind == 0 ? NULL : random_words(&pool, random, slots);
        in.centre[a] = (uint32_t)carom_random_next(random);
    }
    for (int v = 0; v < CAROM_GATHER_VALUES; v++) {
        const bool valued = kind == 2 && (v == 0 || count % 2 == 0);
        in.value[v] = valued ? (const float *)random_words(&pool, random, slots) : NULL;
    }
    uint64_t all = 0;
    in.moved = carom_random_next(random) % 2 == 0;
    in.runs = 1 + (uint32_t)(carom_random_next(random) % CAROM_GATHER_RUNS);
    for (uint32_t r = 0; r < in.runs; r++) {
        const uint32_t begin = (uint32_t)(carom_random_next(random) % (count + 1));
        in.begin[r] = begin;
        in.end[r] = begin + (uint32_t)(carom_random_next(random) % (count - begin + 1));
        all += in.end[r] - begin;
        in.move[r].key = (uint32_t)carom_random_next(random);
        for (int a = 0; a < 3; a++) {
            in.move[r].step[a] = (uint32_t)carom_random_next(random);
        }
    }
    float *at[2][4 + CAROM_GATHER_VALUES];
    uint32_t *body[2];
    for (int n = 0; n < 2; n++) {
        for (int a = 0; a < 4 + CAROM_GATHER_VALUES; a++) {
            at[n][a] = guarded_array(&pool, all + CAROM_GATHER_PAD, sizeof(float), 0);
        }
        body[n] = guarded_array(&pool, all + CAROM_GATHER_PAD, sizeof(uint32_t), 0);
        note_check((n == 0 ? simd : twin)->cell_gather(&in, at[n], at[n] + 4, body[n]) == all, "another count");
    }
    for (int a = 0; a < 4 + CAROM_GATHER_VALUES; a++) {
        const bool wanted = a < 4 ? kind > 0 : in.value[a - 4] != NULL;
        note_check(!wanted || memcmp(at[0][a], at[1][a], (all + CAROM_SIMD_PAD) * sizeof(float)) == 0,
                   "array %d differs", a);
    }
    note_check(!keyed || memcmp(body[0], body[1], all * sizeof(uint32_t)) == 0, "keys differ");
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

static void check_gather(void **state) {
    (void)state;
    guarded_over_all("cell_gather", gather_case);
}

static uint64_t all_hits;
static uint64_t all_open;

enum { HIT_FIELDS = 5 }; /* coordinates, squares, radii */

/* The excess in doubles: at most 2^-50 of the terms off. */
static double excess_of(const carom_hits_in *in, uint32_t body, uint32_t n) {
    double square = 0.0;
    for (int a = 0; a < 3; a++) {
        const double apart = (double)in->at[a][n] - (double)in->at[a][body];
        square += apart * apart;
    }
    const double sum = in->radius != NULL ? (double)in->radius[n] + (double)in->radius[body] : 0.0;
    return square - (in->radius != NULL ? sum * sum : (double)in->square);
}

/* Floats may be off by as much, for coordinates up to 2^24. */
static const double HITS_ROUNDING = 0x1p29;

static bool has(const uint16_t *bits, uint32_t n) {
    return bits != NULL && (bits[n / 16] >> n % 16 & 1) != 0;
}

/* Bits are those of the excess but for what is close, and whoever has close ones is open. close: NULL if the body is
 * not open. */
static void check_body_hits(const carom_hits_in *in, uint32_t body, const uint16_t *bits, uint32_t length,
                            const uint16_t *close) {
    bool open = false;
    uint32_t set = 0;
    for (uint32_t n = 0; n < in->count; n++) {
        const double excess = excess_of(in, body, n);
        const double beyond = fabs(excess) - (double)in->margin;
        const bool hit = has(bits, n);
        const bool counts = n != body && (n > body || !in->later) && (in->id == NULL || in->id[n] > in->id[body]);
        set += hit;
        open = open || has(close, n);
        note_check(fabs(beyond) <= HITS_ROUNDING || has(close, n) == (beyond <= 0.0),
                   "candidate %u of body %u: excess %g, close or not", n, body, excess);
        note_check(fabs(excess) <= HITS_ROUNDING || hit == (counts && excess <= 0.0),
                   "candidate %u of body %u: excess %g", n, body, excess);
    }
    note_check(set == length, "body %u: %u bits, length %u", body, set, length);
    note_check(open == (close != NULL), "body %u is open, or is not", body);
}

static void hits_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    guarded_pool pool = {.count = 0};
    float *value[HIT_FIELDS];
    const uint64_t kind = carom_random_next(random) % 4;
    for (int a = 0; a < HIT_FIELDS; a++) {
        value[a] = guarded_array(&pool, (uint64_t)count + CAROM_SIMD_PAD, sizeof(float), 0);
        for (uint32_t n = 0; n < count + CAROM_SIMD_PAD; n++) {
            value[a][n] = n < count ? random_step(random) : a == 3 ? CAROM_HITS_FAR : 0.0F;
            value[a][n] = a == 4 ? fabsf(value[a][n]) / 2.0F : value[a][n];
        }
    }
    for (uint32_t n = 0; n < count; n++) {
        value[3][n] = value[0][n] * value[0][n] + value[1][n] * value[1][n] + value[2][n] * value[2][n];
    }
    const uint32_t first = count > 0 ? (uint32_t)(carom_random_next(random) % count) : 0;
    const carom_hits_in in = {
        .at = {value[0], value[1], value[2]},
        .square_of = value[3],
        .radius = kind % 2 == 0 ? NULL : value[4],
        .id = kind / 2 == 0 ? NULL : random_words(&pool, random, (uint64_t)count + CAROM_SIMD_PAD),
        .count = count,
        .first = first,
        .bodies = count > 0 ? (uint32_t)(carom_random_next(random) % (count - first + 1)) : 0,
        .later = carom_random_next(random) % 3 == 0,
        .square = 0x1p46F,
        .margin = carom_random_next(random) % 4 == 0 ? 0x1p42F : 0x1p30F,
    };
    const uint64_t words = (uint64_t)in.bodies * carom_hits_words(count);
    uint16_t *bits[2];
    uint16_t *close[2];
    uint32_t *length[2];
    uint8_t *open[2];
    for (int n = 0; n < 2; n++) {
        bits[n] = guarded_array(&pool, words, sizeof(uint16_t), carom_random_next(random) % 32);
        length[n] = guarded_array(&pool, in.bodies, sizeof(uint32_t), carom_random_next(random) % 16);
        close[n] = guarded_array(&pool, words + CAROM_SIMD_PAD, sizeof(uint16_t), carom_random_next(random) % 32);
        open[n] = guarded_array(&pool, in.bodies, 1, carom_random_next(random) % 64);
        if (!(n == 0 ? simd : twin)->cell_hits(&in, bits[n], close[n], length[n], open[n])) {
            memset(open[n], 0, in.bodies);
        }
        for (uint32_t b = 0; b < in.bodies; b++) {
            const size_t from = b * carom_hits_words(count);
            check_body_hits(&in, first + b, bits[n] + from, length[n][b], open[n][b] != 0 ? close[n] + from : NULL);
        }
    }
    for (uint32_t n = 0; n < in.bodies; n++) {
        all_hits += length[1][n];
        all_open += open[1][n];
    }
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

static void check_hits(void **state) {
    (void)state;
    all_hits = 0;
    all_open = 0;
    guarded_over_all("cell_hits", hits_case);
    note_check(note_only_case() != UINT64_MAX || (all_hits > 1000 && all_open > 100), "the test is empty");
}

/* The excess with other radii, likewise. */
static double excess_with(const carom_hits_in *in, const float *radius, uint32_t body, uint32_t n) {
    carom_hits_in other = *in;
    other.radius = radius;
    return excess_of(&other, body, n);
}

/* The least square of the distance in the step, less that of the sum of radii, in doubles. */
static double least_excess(const carom_hits_in *in, uint32_t body, uint32_t n) {
    double square = 0.0;
    double along = 0.0;
    double ways = 0.0;
    for (int a = 0; a < 3; a++) {
        const double p = (double)in->at[a][n] - (double)in->at[a][body];
        const double w = (double)in->way[a][n] - (double)in->way[a][body];
        square += p * p;
        along += p * w;
        ways += w * w;
    }
    const double sum = in->radius != NULL ? (double)in->radius[n] + (double)in->radius[body] : 0.0;
    const double least = fabs(along) < ways ? square - along * along / ways : square - 2.0 * fabs(along) + ways;
    return least - (in->radius != NULL ? sum * sum : (double)in->square);
}

/* Where floats decide, bits are those of the excess; a candidate is close if they do not, unless half ways say enough.
 */
static void check_moving_hits(const carom_hits_in *in, uint32_t body, const uint16_t *bits, uint32_t length,
                              const uint16_t *close) {
    uint32_t set = 0;
    bool open = false;
    for (uint32_t n = 0; n < in->count; n++) {
        const bool counts = n != body && (n > body || !in->later) && (in->id == NULL || in->id[n] > in->id[body]);
        const bool hit = has(bits, n);
        const double excess = least_excess(in, body, n);
        const double beyond = fabs(excess) - (double)in->margin;
        const bool decided = excess_with(in, in->radius, body, n) <= HITS_ROUNDING - (double)in->margin ||
                             excess_with(in, in->outer, body, n) >= (double)in->margin - HITS_ROUNDING;
        set += hit;
        open = open || has(close, n);
        note_check(!has(close, n) || (counts && beyond <= HITS_ROUNDING), "candidate %u of body %u is close: excess %g",
                   n, body, excess);
        note_check(has(close, n) || !counts || decided || beyond > -HITS_ROUNDING,
                   "candidate %u of body %u is not close: excess %g", n, body, excess);
        note_check(fabs(excess) <= HITS_ROUNDING || hit == (counts && excess <= 0.0),
                   "candidate %u of body %u: excess %g", n, body, excess);
    }
    note_check(set == length, "body %u: %u bits, length %u", body, set, length);
    note_check(open == (close != NULL), "body %u is open, or is not", body);
}

static uint64_t all_moving_hits;
static uint64_t all_moving_open;

enum { MOVING_FIELDS = 9 }; /* coordinates, squares, radii, outer radii, half ways */

/* Half ways of all lengths: some bodies are at rest, and some all but at rest. */
static void set_ways(carom_random *random, float *const value[MOVING_FIELDS], uint32_t count) {
    static const float lengths[5] = {0.0F, 1e-30F, 1e-3F, 0.1F, 0.5F};
    for (uint32_t n = 0; n < count; n++) {
        const float length = lengths[carom_random_next(random) % 5];
        double square = 0.0;
        for (int a = 6; a < 9; a++) {
            value[a][n] = random_step(random) * length;
            square += (double)value[a][n] * (double)value[a][n];
        }
        value[5][n] = value[4][n] + (float)(sqrt(square) * (1.0 + 0x1p-20));
    }
}

/* In every other case all radii are the same. */
static void moving_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    guarded_pool pool = {.count = 0};
    float *value[MOVING_FIELDS];
    const uint64_t half = carom_random_next(random) % 2;
    const bool same = carom_random_next(random) % 2 == 0;
    const float radius = fabsf(random_step(random)) / 4.0F;
    for (int a = 0; a < MOVING_FIELDS; a++) {
        value[a] = guarded_array(&pool, (uint64_t)count + CAROM_SIMD_PAD, sizeof(float), 0);
        for (uint32_t n = 0; n < count + CAROM_SIMD_PAD; n++) {
            value[a][n] = n < count ? random_step(random) : a == 3 ? CAROM_HITS_FAR : 0.0F;
            value[a][n] = a != 4 ? value[a][n] : same ? n < count ? radius : 0.0F : fabsf(value[a][n]) / 4.0F;
        }
    }
    for (uint32_t n = 0; n < count; n++) {
        value[3][n] = value[0][n] * value[0][n] + value[1][n] * value[1][n] + value[2][n] * value[2][n];
    }
    set_ways(random, value, count);
    const uint32_t first = count > 0 ? (uint32_t)(carom_random_next(random) % count) : 0;
    const carom_hits_in in = {
        .at = {value[0], value[1], value[2]},
        .square_of = value[3],
        .radius = same ? NULL : value[4],
        .square = 4.0F * radius * radius,
        .outer = value[5],
        .way = {value[6], value[7], value[8]},
        .id = half == 0 ? NULL : random_words(&pool, random, (uint64_t)count + CAROM_SIMD_PAD),
        .count = count,
        .first = first,
        .bodies = count > 0 ? (uint32_t)(carom_random_next(random) % (count - first + 1)) : 0,
        .later = carom_random_next(random) % 3 == 0,
        .margin = carom_random_next(random) % 4 == 0 ? 0x1p42F : 0x1p30F,
    };
    const uint64_t words = (uint64_t)in.bodies * carom_hits_words(count);
    for (int n = 0; n < 2; n++) {
        uint16_t *bits = guarded_array(&pool, words, sizeof(uint16_t), carom_random_next(random) % 32);
        uint16_t *close =
            guarded_array(&pool, words + CAROM_SIMD_PAD, sizeof(uint16_t), carom_random_next(random) % 32);
        uint32_t *length = guarded_array(&pool, in.bodies, sizeof(uint32_t), carom_random_next(random) % 16);
        uint8_t *open = guarded_array(&pool, in.bodies, 1, carom_random_next(random) % 64);
        if (!(n == 0 ? simd : twin)->moving_hits(&in, bits, close, length, open)) {
            memset(open, 0, in.bodies);
        }
        for (uint32_t b = 0; b < in.bodies; b++) {
            const size_t from = b * carom_hits_words(count);
            check_moving_hits(&in, first + b, bits + from, length[b], open[b] != 0 ? close + from : NULL);
            all_moving_hits += length[b];
            all_moving_open += open[b];
        }
    }
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

static void check_moving(void **state) {
    (void)state;
    all_moving_hits = 0;
    all_moving_open = 0;
    guarded_over_all("moving_hits", moving_case);
    note_check(note_only_case() != UINT64_MAX || (all_moving_hits > 1000 && all_moving_open > 100),
               "the test is empty");
}

static void pack_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    guarded_pool pool = {.count = 0};
    const uint32_t *id = random_words(&pool, random, (uint64_t)count + CAROM_SIMD_PAD);
    uint16_t *bits = guarded_array(&pool, (uint64_t)carom_hits_words(count) + CAROM_SIMD_PAD, sizeof(uint16_t), 0);
    const uint64_t rare = carom_random_next(random) % 2 == 0 ? 3 : 40; /* 40: most words have no bits */
    uint32_t *packed[2];
    uint32_t set = 0;
    memset(bits, 0, carom_hits_words(count) * sizeof(uint16_t));
    for (uint32_t n = 0; n < count && set < CAROM_HIT_ROW_MOST; n++) {
        const uint32_t bit = carom_random_next(random) % rare == 0;
        bits[n / 16] = (uint16_t)(bits[n / 16] | bit << n % 16);
        set += bit;
    }
    for (int n = 0; n < 2; n++) {
        packed[n] = guarded_array(&pool, CAROM_HIT_ROW_ROOM, sizeof(uint32_t), 0);
        (n == 0 ? simd : twin)->pack_hits(id, bits, count, packed[n]);
    }
    note_check(memcmp(packed[0], packed[1], (set + CAROM_HIT_ROW_ENDS) * sizeof(uint32_t)) == 0, "rows differ");
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

static void check_pack(void **state) {
    (void)state;
    guarded_over_all("pack_hits", pack_case);
}

static void pack_pairs_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    guarded_pool pool = {.count = 0};
    const uint32_t *id = random_words(&pool, random, (uint64_t)count + CAROM_SIMD_PAD);
    uint16_t *bits = guarded_array(&pool, (uint64_t)carom_hits_words(count) + CAROM_SIMD_PAD, sizeof(uint16_t), 0);
    const uint32_t body = (uint32_t)carom_random_next(random);
    const uint64_t rare = carom_random_next(random) % 2 == 0 ? 3 : 40;
    uint32_t *packed[2][2];
    uint32_t set = 0;
    memset(bits, 0, carom_hits_words(count) * sizeof(uint16_t));
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t bit = carom_random_next(random) % rare == 0;
        bits[n / 16] = (uint16_t)(bits[n / 16] | bit << n % 16);
        set += bit;
    }
    for (int n = 0; n < 2; n++) {
        for (int a = 0; a < 2; a++) {
            packed[n][a] = guarded_array(&pool, (uint64_t)set + CAROM_SIMD_PAD, sizeof(uint32_t), 0);
        }
        (n == 0 ? simd : twin)->pack_pairs(body, id, bits, count, packed[n][0], packed[n][1]);
    }
    note_check(memcmp(packed[0][0], packed[1][0], set * sizeof(uint32_t)) == 0, "lesser numbers differ");
    note_check(memcmp(packed[0][1], packed[1][1], set * sizeof(uint32_t)) == 0, "greater numbers differ");
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

static void check_pack_pairs(void **state) {
    (void)state;
    guarded_over_all("pack_pairs", pack_pairs_case);
}

/* Words of which each bit is as often set as not, or seldom. */
static uint32_t *random_masks(guarded_pool *pool, carom_random *random, uint64_t count, bool seldom) {
    uint32_t *value = random_words(pool, random, count);
    for (uint64_t n = 0; n < count && seldom; n++) {
        value[n] &= (uint32_t)(carom_random_next(random) & carom_random_next(random) & carom_random_next(random));
    }
    return value;
}

static uint16_t *random_bits(guarded_pool *pool, carom_random *random, uint32_t count) {
    uint16_t *bits = guarded_array(pool, carom_hits_words(count), sizeof(uint16_t), carom_random_next(random) % 32);
    memset(bits, 0, carom_hits_words(count) * sizeof(uint16_t));
    for (uint32_t n = 0; n < count; n++) {
        bits[n / 16] = (uint16_t)(bits[n / 16] | (uint32_t)(carom_random_next(random) % 2) << n % 16);
    }
    return bits;
}

static uint64_t all_refused;
static uint64_t all_left;

static void filter_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    guarded_pool pool = {.count = 0};
    const uint64_t slots = (uint64_t)count + CAROM_SIMD_PAD;
    const uint64_t kind = carom_random_next(random) % 8;
    uint32_t *group = random_words(&pool, random, slots);
    for (uint64_t n = 0; n < slots; n++) {
        group[n] = group[n] % 3 * UINT32_C(0x80000001);
    }
    const carom_filter_columns of = {
        .category = kind % 2 != 0 ? random_masks(&pool, random, slots, true) : NULL,
        .mask = kind % 2 != 0 ? random_masks(&pool, random, slots, false) : NULL,
        .group = kind / 2 % 2 != 0 ? group : NULL,
        .apart = kind / 4 != 0 ? random_masks(&pool, random, slots, true) : NULL,
    };
    uint16_t *bits[2] = {random_bits(&pool, random, count), NULL};
    bits[1] = guarded_array(&pool, carom_hits_words(count), sizeof(uint16_t), 0);
    memcpy(bits[1], bits[0], carom_hits_words(count) * sizeof(uint16_t));
    for (uint32_t tries = 0; tries < 2 && count > 0; tries++) {
        const uint32_t own = (uint32_t)(carom_random_next(random) % count);
        const uint32_t left = simd->filter_hits(&of, own, count, bits[0]);
        const uint32_t wanted = twin->filter_hits(&of, own, count, bits[1]);
        note_check(left == wanted, "%u are left, not %u", left, wanted);
        note_check(memcmp(bits[0], bits[1], carom_hits_words(count) * sizeof(uint16_t)) == 0, "bits differ");
        all_left += left;
        all_refused += count - left;
    }
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

static void check_filter(void **state) {
    (void)state;
    all_refused = 0;
    all_left = 0;
    guarded_over_all("filter_hits", filter_case);
    note_check(note_only_case() != UINT64_MAX || (all_left > 1000 && all_refused > 1000), "the test is empty");
}

static uint64_t all_traced;

static void trace_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    guarded_pool pool = {.count = 0};
    const uint64_t slots = (uint64_t)count + CAROM_SIMD_PAD;
    uint32_t *bit[2] = {guarded_array(&pool, slots, sizeof(uint32_t), 0),
                        guarded_array(&pool, slots, sizeof(uint32_t), 0)};
    for (uint64_t n = 0; n < slots; n++) {
        bit[0][n] = UINT32_C(1) << carom_random_next(random) % 32;
        bit[1][n] = UINT32_C(1) << carom_random_next(random) % 32;
    }
    const carom_trace_columns of = {
        .trace = {random_masks(&pool, random, slots, false), random_masks(&pool, random, slots, false)},
        .bit = {bit[0], bit[1]}};
    const uint16_t *bits = random_bits(&pool, random, count);
    uint32_t *number[2];
    uint32_t found[2] = {0, 0};
    const uint32_t own = count > 0 ? (uint32_t)(carom_random_next(random) % count) : 0;
    for (int n = 0; n < 2 && count > 0; n++) {
        number[n] = guarded_array(&pool, slots, sizeof(uint32_t), carom_random_next(random) % 16);
        found[n] = (n == 0 ? simd : twin)->trace_hits(&of, own, count, bits, number[n]);
    }
    note_check(found[0] == found[1], "%u candidates, not %u", found[0], found[1]);
    note_check(count == 0 || memcmp(number[0], number[1], found[0] * sizeof(uint32_t)) == 0, "numbers differ");
    all_traced += found[0];
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

static void check_trace(void **state) {
    (void)state;
    all_traced = 0;
    guarded_over_all("trace_hits", trace_case);
    note_check(note_only_case() != UINT64_MAX || all_traced > 1000, "the test is empty");
}

static void sort_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    guarded_pool pool = {.count = 0};
    const uint32_t rows = 1 + count % CAROM_HIT_ROWS;
    const uint32_t most = 1 + (uint32_t)(carom_random_next(random) % CAROM_HIT_ROW_MOST);
    uint32_t *packed = random_words(&pool, random, (uint64_t)rows * CAROM_HIT_ROW_ROOM);
    uint32_t length[CAROM_HIT_ROWS];
    uint32_t *row[2][CAROM_HIT_ROWS];
    uint32_t longest = 0;
    for (uint32_t n = 0; n < rows; n++) {
        length[n] = (uint32_t)(carom_random_next(random) % (most + 1));
        longest = length[n] > longest ? length[n] : longest;
    }
    for (uint32_t n = 0; n < rows; n++) {
        for (uint32_t at = length[n]; at < (longest + 15) / 16 * 16; at++) {
            packed[n * CAROM_HIT_ROW_ROOM + at] = UINT32_MAX;
        }
        for (int side = 0; side < 2; side++) {
            row[side][n] = guarded_array(&pool, length[n], sizeof(uint32_t), carom_random_next(random) % 16);
        }
    }
    simd->sort_rows(packed, length, rows, row[0]);
    twin->sort_rows(packed, length, rows, row[1]);
    for (uint32_t n = 0; n < rows; n++) {
        note_check(memcmp(row[0][n], row[1][n], length[n] * sizeof(uint32_t)) == 0, "row %u of %u differs", n,
                   length[n]);
        for (uint32_t e = 1; e < length[n]; e++) {
            note_check(row[0][n][e - 1] <= row[0][n][e], "row %u is not in order", n);
        }
    }
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

static void check_sort(void **state) {
    (void)state;
    guarded_over_all("sort_rows", sort_case);
}

static void rank_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    guarded_pool pool = {.count = 0};
    const uint32_t entries = count % (CAROM_RANK_MOST + 1);
    const bool equal = carom_random_next(random) % 4 == 0;
    uint32_t *key[2] = {random_words(&pool, random, entries), NULL};
    uint64_t *value[2];
    for (uint32_t n = 1; n < entries && equal; n++) {
        key[0][n] = key[0][n - 1 - carom_random_next(random) % n];
    }
    key[1] = guarded_array(&pool, entries, sizeof(uint32_t), 0);
    memcpy(key[1], key[0], entries * sizeof(uint32_t));
    for (int side = 0; side < 2; side++) {
        value[side] = guarded_array(&pool, entries, sizeof(uint64_t), 0);
        for (uint32_t n = 0; n < entries; n++) {
            value[side][n] = n;
        }
    }
    const bool sorted = simd->rank_sort(key[0], value[0], entries);
    note_check(sorted == twin->rank_sort(key[1], value[1], entries) && (sorted || (equal && entries > 1)),
               "one sorts, the other does not");
    note_check(memcmp(key[0], key[1], entries * sizeof(uint32_t)) == 0, "keys differ");
    note_check(memcmp(value[0], value[1], entries * sizeof(uint64_t)) == 0, "values differ");
    for (uint32_t n = 1; n < entries && sorted; n++) {
        note_check(key[0][n - 1] < key[0][n], "keys are not in order");
    }
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

static void check_rank(void **state) {
    (void)state;
    guarded_over_all("rank_sort", rank_case);
}

/* Boxes of which some overlap, some touch and some are nothing at all; some are infinite on one side. */
static float *random_sides(guarded_pool *pool, carom_random *random, uint32_t count, float shift) {
    float *side = guarded_lines(pool, (uint64_t)count + CAROM_SIMD_PAD, sizeof(float));
    for (uint32_t n = 0; n < count; n++) {
        const uint64_t drawn = carom_random_next(random);
        side[n] = drawn % 64 == 0 ? (shift > 0.0F ? INFINITY : -INFINITY) : (float)(drawn / 64 % 8) + shift;
    }
    return side;
}

/* All rows, with room that ends in the middle: both stop before the same row. */
static void direct_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    guarded_pool pool = {.count = 0};
    const float *lo[3];
    const float *hi[3];
    const uint32_t capacity = count + CAROM_SIMD_PAD + (uint32_t)(carom_random_next(random) % (4 * count + 1));
    const uint32_t first = (uint32_t)(carom_random_next(random) % (count + 1));
    carom_direct_rows rows[2] = {{first, count}, {first, count}};
    uint32_t *slot[4];
    for (int a = 0; a < 3; a++) {
        lo[a] = random_sides(&pool, random, count, 0.0F);
        hi[a] = random_sides(&pool, random, count, 2.0F);
    }
    for (int n = 0; n < 4; n++) {
        slot[n] = guarded_array(&pool, capacity, sizeof(uint32_t), carom_random_next(random) % 16);
    }
    do {
        const uint32_t hits = simd->direct_pairs(lo, hi, &rows[0], slot[0], slot[1], capacity);
        const uint32_t wanted = twin->direct_pairs(lo, hi, &rows[1], slot[2], slot[3], capacity);
        note_check(hits == wanted && rows[0].next == rows[1].next, "%u pairs, then row %u; not %u, %u", hits,
                   rows[0].next, wanted, rows[1].next);
        note_check(memcmp(slot[0], slot[2], hits * sizeof(uint32_t)) == 0, "other slots i");
        note_check(memcmp(slot[1], slot[3], hits * sizeof(uint32_t)) == 0, "other slots k");
    } while (rows[0].next < count);
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

static void check_direct(void **state) {
    (void)state;
    guarded_over_all("direct_pairs", direct_case);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_gather), cmocka_unit_test(check_hits),       cmocka_unit_test(check_moving),
        cmocka_unit_test(check_pack),   cmocka_unit_test(check_pack_pairs), cmocka_unit_test(check_sort),
        cmocka_unit_test(check_rank),   cmocka_unit_test(check_direct),     cmocka_unit_test(check_filter),
        cmocka_unit_test(check_trace),
    };
    note_start("test_twin_lists");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
