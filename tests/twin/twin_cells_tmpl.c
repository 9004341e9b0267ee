/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Kernels over records against their scalar twins, and the narrow phase against its definitions. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "tests/twin/bodies_tmpl.h"

static void cell_lows_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    guarded_pool pool = {.count = 0};
    const carom_grid grid = {.centre = {0.5, 2.0, -1e3}};
    carom_record *records = make_records(&pool, random, count, BODIES_FINITE);
    uint32_t axis = (uint32_t)(carom_random_next(random) % 3);
    float *low[2];
    float range[2][2] = {{FLT_MAX, -FLT_MAX}, {FLT_MAX, -FLT_MAX}};
    for (int n = 0; n < 2; n++) {
        low[n] = guarded_array(&pool, count, sizeof(float), carom_random_next(random) % 16);
        carom_kernels_of(n == 0 ? simd : twin)->cell_lows(records, count, &grid, axis, low[n], range[n]);
    }
    note_check(guarded_same_f32(low[0], low[1], count), "low corners differ");
    note_check(guarded_same_f32(range[0], range[1], 2), "ranges differ");
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

void check_cell_lows(void **state) {
    (void)state;
    guarded_over_all("cell_lows", cell_lows_case);
}

enum { BINS = 32 };

static carom_boxes make_boxes(guarded_pool *pool, uint32_t *slot, uint32_t count) {
    carom_boxes boxes = {.count = count, .slot = slot};
    for (int a = 0; a < 3; a++) {
        boxes.lo[a] = guarded_array(pool, count + CAROM_SIMD_PAD, sizeof(float), 0);
        boxes.hi[a] = guarded_array(pool, count + CAROM_SIMD_PAD, sizeof(float), 0);
    }
    boxes.end = guarded_array(pool, count, sizeof(uint32_t), 0);
    return boxes;
}

static void cell_boxes_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    guarded_pool pool = {.count = 0};
    const carom_grid grid = {.centre = {0.5, 2.0, -1e3}};
    const carom_bins bins = {(uint32_t)(carom_random_next(random) % 3), -100.0F, 0.2F, (float)(BINS - 1)};
    carom_record *records = make_records(&pool, random, count, BODIES_FINITE);
    uint32_t *slot = guarded_array(&pool, count, sizeof(uint32_t), 0);
    uint32_t bin_end[BINS];
    for (uint32_t n = 0; n < count; n++) {
        slot[n] = (uint32_t)(carom_random_next(random) % count);
    }
    for (uint32_t n = 0; n < BINS; n++) {
        bin_end[n] = n * 3;
    }
    carom_boxes boxes[2];
    for (int n = 0; n < 2; n++) {
        boxes[n] = make_boxes(&pool, slot, count);
        carom_kernels_of(n == 0 ? simd : twin)->cell_boxes(records, 0, &grid, &bins, bin_end, &boxes[n]);
    }
    for (int a = 0; a < 3; a++) {
        note_check(guarded_same_f32(boxes[0].lo[a], boxes[1].lo[a], count + CAROM_SIMD_PAD), "lo differs");
        note_check(guarded_same_f32(boxes[0].hi[a], boxes[1].hi[a], count + CAROM_SIMD_PAD), "hi differs");
        note_check(isnan(boxes[0].lo[a][count]) && isnan(boxes[0].hi[a][count + CAROM_SIMD_PAD - 1]), "no padding");
    }
    note_check(memcmp(boxes[0].end, boxes[1].end, count * sizeof(uint32_t)) == 0, "ends differ");
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

void check_cell_boxes(void **state) {
    (void)state;
    guarded_over_all("cell_boxes", cell_boxes_case);
}

enum { RECORDS = 97 };

static uint32_t *random_slots(guarded_pool *pool, carom_random *random, uint32_t count) {
    uint32_t *slot = guarded_array(pool, count + CAROM_SIMD_PAD, sizeof(uint32_t), carom_random_next(random) % 16);
    for (uint32_t n = 0; n < count; n++) {
        slot[n] = (uint32_t)(carom_random_next(random) % RECORDS);
    }
    return slot;
}

/* A kernel that keeps some of the pairs that it is given: touch or approaching. */
typedef CAROM_REAL(carom_touch_fn) keeping_kernel;

static void keep_case(keeping_kernel *simd, keeping_kernel *twin, carom_random *random, uint32_t count) {
    guarded_pool pool = {.count = 0};
    carom_record *records = make_records(&pool, random, RECORDS, count % 2 == 0 ? BODIES_WILD : BODIES_NEAR);
    uint32_t *slot_i = random_slots(&pool, random, count);
    uint32_t *slot_k = random_slots(&pool, random, count);
    uint32_t *out[4];
    for (int n = 0; n < 4; n++) {
        out[n] = guarded_array(&pool, count + CAROM_SIMD_PAD, sizeof(uint32_t), 0);
    }
    uint32_t kept = simd(records, count, slot_i, slot_k, out[0], out[1]);
    uint32_t twins = twin(records, count, slot_i, slot_k, out[2], out[3]);
    uint32_t in_place = simd(records, count, slot_i, slot_k, slot_i, slot_k);
    note_check(kept == twins && kept == in_place, "%u pairs are kept, not %u", kept, twins);
    note_check(memcmp(out[0], out[2], kept * sizeof(uint32_t)) == 0, "i differs");
    note_check(memcmp(out[1], out[3], kept * sizeof(uint32_t)) == 0, "k differs");
    note_check(memcmp(slot_i, out[2], kept * sizeof(uint32_t)) == 0, "i differs in place");
    note_check(memcmp(slot_k, out[3], kept * sizeof(uint32_t)) == 0, "k differs in place");
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

static void touch_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    keep_case(carom_kernels_of(simd)->touch, carom_kernels_of(twin)->touch, random, count);
}

void check_touch(void **state) {
    (void)state;
    guarded_over_all("touch", touch_case);
}

static void approaching_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    keep_case(carom_kernels_of(simd)->approaching, carom_kernels_of(twin)->approaching, random, count);
}

void check_approaching(void **state) {
    (void)state;
    guarded_over_all("approaching", approaching_case);
}

/* The nine real fields of a row, in order. */
static carom_real *field_of(const carom_contacts *rows, int field) {
    carom_real *all[] = {rows->t_ca,      rows->distance, rows->t_toi,    rows->normal[0], rows->normal[1],
                         rows->normal[2], rows->point[0], rows->point[1], rows->point[2]};
    return all[field];
}

static carom_contacts make_rows(guarded_pool *pool, carom_random *random, uint32_t count) {
    carom_contacts rows = {.i = guarded_array(pool, count, sizeof(uint32_t), carom_random_next(random) % 16),
                           .k = guarded_array(pool, count, sizeof(uint32_t), carom_random_next(random) % 16)};
    carom_real **fields[] = {&rows.t_ca,      &rows.distance, &rows.t_toi,    &rows.normal[0], &rows.normal[1],
                             &rows.normal[2], &rows.point[0], &rows.point[1], &rows.point[2]};
    for (int f = 0; f < 9; f++) {
        *fields[f] = guarded_array(pool, count, sizeof(carom_real), carom_random_next(random) % 16);
    }
    return rows;
}

/* Bodies stay where they are along the axes whose bits are set: pairs at rest to each other have a way of their own. */
static void stop_along(carom_record *records, uint32_t axes) {
    for (uint32_t n = 0; n < RECORDS; n++) {
        for (int a = 0; a < 3; a++) {
            records[n].curr[a] = (axes >> a & 1) != 0 ? records[n].prev[a] : records[n].curr[a];
        }
    }
}

static void contact_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    guarded_pool pool = {.count = 0};
    carom_record *records = make_records(&pool, random, RECORDS, count % 2 == 0 ? BODIES_WILD : BODIES_NEAR);
    stop_along(records, (uint32_t)(carom_random_next(random) % 8));
    uint32_t *slot_i = random_slots(&pool, random, count);
    uint32_t *slot_k = random_slots(&pool, random, count);
    carom_contacts rows[2];
    uint32_t begin = count == 0 ? 0 : (uint32_t)(carom_random_next(random) % count / 2);
    const carom_contact_in pairs = {records, begin, count, slot_i, slot_k, false};
    for (int n = 0; n < 2; n++) {
        rows[n] = make_rows(&pool, random, count);
        carom_kernels_of(n == 0 ? simd : twin)->contact(&pairs, &rows[n]);
    }
    note_check(memcmp(rows[0].i, rows[1].i, count * sizeof(uint32_t)) == 0, "i differs");
    note_check(memcmp(rows[0].k, rows[1].k, count * sizeof(uint32_t)) == 0, "k differs");
    for (int f = 0; f < 9; f++) {
        note_check(same_real(field_of(&rows[0], f), field_of(&rows[1], f), count), "field %d differs", f + 2);
    }
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

void check_contact(void **state) {
    (void)state;
    guarded_over_all("contact", contact_case);
}

/* Two bodies a pair, records 2n and 2n + 1. */
enum { PAIRS = 5000 };

static carom_record *near_pairs(guarded_pool *pool, carom_random *random, uint32_t *slot[2]) {
    carom_record *records = make_records(pool, random, 2 * PAIRS, BODIES_NEAR);
    for (int side = 0; side < 2; side++) {
        slot[side] = guarded_array(pool, PAIRS + CAROM_SIMD_PAD, sizeof(uint32_t), 0);
        for (uint32_t n = 0; n < PAIRS; n++) {
            slot[side][n] = 2 * n + (uint32_t)side;
        }
    }
    return records;
}

/* Distance of centres at time t, in long double from the inputs. */
static long double separation(const carom_record *i, const carom_record *k, long double t) {
    long double square = 0;
    for (int a = 0; a < 3; a++) {
        long double p = (long double)i->prev[a] - (long double)k->prev[a];
        long double q = (long double)i->curr[a] - (long double)k->curr[a];
        square += (p + t * (q - p)) * (p + t * (q - p));
    }
    return sqrtl(square);
}

/* The least distance over the step, by ternary search: |p + t v|^2 is convex. */
static long double least_separation(const carom_record *i, const carom_record *k) {
    long double lo = 0;
    long double hi = 1;
    for (int n = 0; n < 200; n++) {
        long double a = lo + (hi - lo) / 3;
        long double b = hi - (hi - lo) / 3;
        if (separation(i, k, a) < separation(i, k, b)) {
            hi = b;
        } else {
            lo = a;
        }
    }
    return separation(i, k, (lo + hi) / 2);
}

/* Relative gap between distance and sum of radii below which the search above does not decide. */
static const long double UNDECIDED = 1e-9L;

void touch_agrees_with_the_definition(void **state) {
    (void)state;
    guarded_pool pool = {.count = 0};
    carom_random random = carom_random_seeded(note_case_seed(1));
    uint32_t *slot[2];
    carom_record *records = near_pairs(&pool, &random, slot);
    uint32_t touching = 0;
    for (uint32_t n = 0; n < PAIRS; n++) {
        const carom_record *i = &records[2 * n];
        uint32_t out[2][CAROM_SIMD_PAD + 1];
        uint32_t kept =
            carom_kernels_of(carom_simd_find("scalar"))->touch(records, 1, slot[0] + n, slot[1] + n, out[0], out[1]);
        long double reach = (long double)i->radius + (long double)i[1].radius;
        long double gap = least_separation(i, i + 1) - reach;
        if (fabsl(gap) > UNDECIDED * reach) {
            note_check((kept == 1) == (gap < 0), "pair %u: the gap is %Lg", n, gap);
        }
        touching += kept;
    }
    note_check(touching > PAIRS / 20 && touching < PAIRS - PAIRS / 20, "%u of the pairs touch: the test is empty",
               touching);
    guarded_release(&pool);
}

static void check_row(const carom_record *records, const carom_contacts *rows, uint32_t n) {
    bool ordered = records[2 * n].body < records[2 * n + 1].body;
    const carom_record *i = &records[2 * n + !ordered];
    const carom_record *k = &records[2 * n + ordered];
    const long double tolerance = 64 * (sizeof(carom_real) == 4 ? (long double)FLT_EPSILON : (long double)DBL_EPSILON);
    long double toi = (long double)rows->t_toi[n];
    long double reach = (long double)i->radius + (long double)k->radius;
    note_check(rows->i[n] == i->body && rows->k[n] == k->body, "pair %u: the bodies are not in order", n);
    note_check(fabsl((long double)rows->distance[n] - least_separation(i, k)) < 8 * tolerance, "pair %u: distance", n);
    note_check(fabsl(separation(i, k, (long double)rows->t_ca[n]) - least_separation(i, k)) < 8 * tolerance,
               "pair %u: not closest at t_ca", n);
    if (isnan(toi)) {
        return;
    }
    long double at_impact = separation(i, k, toi);
    note_check(toi >= 0 && toi <= 1, "pair %u: t_toi", n);
    note_check(toi > 0 ? fabsl(at_impact - reach) < 8 * tolerance : at_impact <= reach * (1 + tolerance),
               "pair %u: at t_toi the gap is %Lg", n, at_impact - reach);
    long double square = 0;
    for (int a = 0; a < 3; a++) {
        long double normal = (long double)rows->normal[a][n];
        long double xi = (long double)i->prev[a] + toi * ((long double)i->curr[a] - (long double)i->prev[a]);
        long double xk = (long double)k->prev[a] + toi * ((long double)k->curr[a] - (long double)k->prev[a]);
        long double along = (long double)k->radius + (at_impact - reach) / 2;
        square += normal * normal;
        note_check(fabsl(normal * at_impact - (xi - xk)) < 8 * tolerance, "pair %u: the normal is not from k to i", n);
        note_check(fabsl((long double)rows->point[a][n] - (xk + normal * along)) < 8 * tolerance, "pair %u: point", n);
    }
    note_check(fabsl(square - 1) < tolerance, "pair %u: the normal is not of unit length", n);
}

void contacts_meet_their_definitions(void **state) {
    (void)state;
    guarded_pool pool = {.count = 0};
    carom_random random = carom_random_seeded(note_case_seed(2));
    uint32_t *slot[2];
    carom_record *records = near_pairs(&pool, &random, slot);
    carom_contacts rows = make_rows(&pool, &random, PAIRS);
    const carom_contact_in pairs = {records, 0, PAIRS, slot[0], slot[1], false};
    carom_kernels_of(carom_simd_find("scalar"))->contact(&pairs, &rows);
    for (uint32_t n = 0; n < PAIRS; n++) {
        check_row(records, &rows, n);
    }
    guarded_release(&pool);
}
