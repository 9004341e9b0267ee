/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies moved to their slots and held against their fat boxes, against the scalar twin, which does not look at inner
 * fat boxes. Guards that these change no result: not by a body on their sides, not by one that is no number, not by
 * another lane's.
 */
#include <math.h>
#include <string.h>

#include "tests/twin/bodies_tmpl.h"

static const double CENTRE[3] = {0.5, 2.0, -1e3};

static void follow_both(const carom_simd *simd, const carom_simd *twin, guarded_pool *pool, carom_random *random,
                        const carom_bodies *bodies, const carom_bodies *packed, const carom_fat_box_set *fat_boxes,
                        uint32_t expected) {
    const uint32_t count = (uint32_t)bodies->count;
    const uint32_t *slot = draw_slots(pool, random, count);
    const bool past_cache = carom_random_next(random) % 2 == 0;
    carom_fat_box_set outer = *fat_boxes;
    outer.inner = NULL;
    carom_follow_out out[2];
    for (int n = 0; n < 2; n++) {
        const carom_follow_in in = {n == 0 ? bodies : packed, 0, count, n == 0 ? fat_boxes : &outer, slot, past_cache};
        out[n] = (carom_follow_out){.records = guarded_lines(pool, count, sizeof(carom_record)),
                                    .escaped = guarded_array(pool, count, sizeof(uint32_t), 0),
                                    .escaped_count = UINT32_MAX};
        carom_kernels_of(n == 0 ? simd : twin)->follow(&in, &out[n]);
    }
    const uint32_t found = out[0].escaped_count;
    const uint32_t twins = out[1].escaped_count;
    note_check(found == twins, "%u escape, not %u", found, twins);
    note_check(memcmp(out[0].escaped, out[1].escaped, found * sizeof(uint32_t)) == 0, "others escape");
    note_check(expected == UINT32_MAX || twins == expected, "%u escape of %u fat boxes too small", twins, expected);
    note_check(memcmp(out[0].records, out[1].records, count * sizeof(carom_record)) == 0, "records differ");
    note_check(guarded_intact(pool), "a canary is dead");
}

/* Fat boxes that are the boxes themselves, now and then a step short on one side, of bodies that are not all numbers.
 */
static void follow_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    guarded_pool pool = {.count = 0};
    carom_bodies bodies = make_bodies(&pool, random, count, count % 2 == 0 ? BODIES_WILD : BODIES_FINITE);
    const carom_bodies other = draw_layout(&pool, random, &bodies);
    float *side[6];
    for (int n = 0; n < 6; n++) {
        side[n] = guarded_array(&pool, count, sizeof(float), carom_random_next(random) % 16);
    }
    carom_kernels_of(twin)->fat_boxes(&bodies, 0, count, CENTRE, side, side + 3);
    uint32_t shrunk = 0;
    for (uint32_t n = 0; n < count; n++) {
        uint64_t r = carom_random_next(random);
        if (r % 4 == 0) {
            uint64_t at = r / 4 % 6;
            side[at][n] = at < 3 ? nextafterf(side[at][n], INFINITY) : nextafterf(side[at][n], -INFINITY);
            shrunk++;
        }
    }
    const carom_fat_box_set fat_boxes = {.centre = {CENTRE[0], CENTRE[1], CENTRE[2]},
                                         .lo = {side[0], side[1], side[2]},
                                         .hi = {side[3], side[4], side[5]}};
    follow_both(simd, twin, &pool, random, &other, &bodies, &fat_boxes, count % 2 == 0 ? UINT32_MAX : shrunk);
    guarded_release(&pool);
}

void check_follow(void **state) {
    (void)state;
    guarded_over_all("follow", follow_case);
}

/* Bodies of small integers well inside their inner boxes, and these in their fat boxes, no lane's where another's are.
 */
typedef struct inner_scene {
    guarded_pool pool;
    carom_bodies bodies;
    carom_real *value[7]; /* prev, curr, radius */
    float *side[6];
    uint16_t *code[6];
    carom_inner_boxes inner;
    carom_fat_box_set fat_boxes;
} inner_scene;

enum { RADIUS = 8, LANES_MOST = 16, LANE_APART = 256, GAP = 2 };

/* The fat box of body n along an axis, so far outside its box on either side. */
static void put_fat_box(inner_scene *s, uint64_t n, int a, int gap_low, int gap_high, carom_random *random) {
    const carom_real prev = s->value[a][n];
    const carom_real curr = s->value[a + 3][n];
    const int low = (int)(prev < curr ? prev : curr) - RADIUS - gap_low;
    const int high = (int)(prev > curr ? prev : curr) + RADIUS + gap_high;
    const uint64_t r = carom_random_next(random);
    s->side[a][n] = (float)low;
    s->side[a + 3][n] = (float)high;
    s->code[a][n] = (uint16_t)(low + (int)(r % 2));
    s->code[a + 3][n] = (uint16_t)(high - (int)(r / 2 % 2));
}

static void make_inner_scene(inner_scene *s, uint32_t count, carom_random *random) {
    memset(s, 0, sizeof *s);
    s->bodies = make_bodies(&s->pool, random, count, BODIES_FINITE);
    s->value[6] = (carom_real *)(uintptr_t)s->bodies.radius;
    for (int a = 0; a < 3; a++) {
        s->value[a] = (carom_real *)(uintptr_t)s->bodies.prev[a];
        s->value[a + 3] = (carom_real *)(uintptr_t)s->bodies.curr[a];
        s->inner.step[a] = 1;
    }
    for (int n = 0; n < 6; n++) {
        s->side[n] = guarded_array(&s->pool, count, sizeof(float), carom_random_next(random) % 16);
        s->code[n] = guarded_array(&s->pool, count, sizeof(uint16_t), carom_random_next(random) % 16);
    }
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t from = LANE_APART * (n % LANES_MOST) + 32;
        s->value[6][n] = RADIUS;
        for (int a = 0; a < 3; a++) {
            s->value[a][n] = (carom_real)(from + carom_random_next(random) % 64);
            s->value[a + 3][n] = (carom_real)(from + carom_random_next(random) % 64);
            put_fat_box(s, n, a, GAP, GAP, random);
        }
    }
    for (int a = 0; a < 3; a++) {
        s->inner.lo[a] = s->code[a];
        s->inner.hi[a] = s->code[a + 3];
        s->fat_boxes.lo[a] = s->side[a];
        s->fat_boxes.hi[a] = s->side[a + 3];
    }
    s->fat_boxes.inner = &s->inner;
}

/* One body beside its fat box by so little, or on its side, or without an inner box, or no number. */
static void make_odd(inner_scene *s, uint64_t n, carom_random *random) {
    static const carom_real bad[] = {(carom_real)NAN, (carom_real)INFINITY, -(carom_real)INFINITY, -1};
    const uint64_t r = carom_random_next(random);
    const int a = (int)(r % 3);
    const int gap = (int)(r / 4 % 3) - 1;
    switch (r / 16 % 4) {
    case 0:
        put_fat_box(s, n, a, gap, GAP, random);
        break;
    case 1:
        put_fat_box(s, n, a, GAP, gap, random);
        break;
    case 2:
        s->code[a][n] = UINT16_MAX;
        s->code[a + 3][n] = 0;
        break;
    default:
        s->value[r / 64 % 7][n] = bad[r / 1024 % 4];
    }
}

/* One body at most of those that a vector holds: else none would be told by its inner boxes. */
static void follow_inner_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    inner_scene s;
    make_inner_scene(&s, count, random);
    for (uint64_t block = 0; block < count; block += LANES_MOST) {
        const uint64_t n = block + carom_random_next(random) % LANES_MOST;
        if (n < count && carom_random_next(random) % 4 != 0) {
            make_odd(&s, n, random);
        }
    }
    follow_both(simd, twin, &s.pool, random, &s.bodies, &s.bodies, &s.fat_boxes, UINT32_MAX);
    guarded_release(&s.pool);
}

void check_follow_inner(void **state) {
    (void)state;
    guarded_over_all("follow_inner", follow_inner_case);
}

/* Outer fat boxes that nothing is in, against what was promised of inner ones: only the last few bodies, which do not
 * fill a vector, may be held against those. */
static void follow_only_inner_case(const carom_simd *simd, const carom_simd *twin, carom_random *random,
                                   uint32_t count) {
    (void)twin;
    inner_scene s;
    make_inner_scene(&s, count, random);
    for (uint32_t n = 0; n < count; n++) {
        for (int a = 0; a < 3; a++) {
            s.side[a][n] = INFINITY;
            s.side[a + 3][n] = -INFINITY;
        }
    }
    carom_follow_out out = {.records = guarded_lines(&s.pool, count, sizeof(carom_record)),
                            .escaped = guarded_array(&s.pool, count, sizeof(uint32_t), 0)};
    const carom_follow_in in = {&s.bodies, 0, count, &s.fat_boxes, draw_slots(&s.pool, random, count), false};
    carom_kernels_of(simd)->follow(&in, &out);
    const uint32_t found = out.escaped_count;
    note_check(found < LANES_MOST && (count - found) % 4 == 0, "%u of %u were held against their fat boxes", found,
               count);
    for (uint32_t n = 0; n < found; n++) {
        note_check(out.escaped[n] == count - found + n, "body %u was held against its fat box", out.escaped[n]);
    }
    guarded_release(&s.pool);
}

void check_follow_only_inner(void **state) {
    (void)state;
    guarded_over_all("follow_only_inner", follow_only_inner_case);
}
