/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* collide against its scalar twin, and the twin against the response of two bodies, one pair at a time: the same bits,
 * and what it leaves to the caller is what it should. */
#include <math.h>
#include <string.h>

#include "kernel/impacts/hulls.h"
#include "tests/support/check.h"
#include "tests/support/note.h"
#include "tests/twin/guarded.h"

enum { BODIES = 64, CASES = 20000 };

/* A crowd of bodies of a scale, and pairs of them. */
typedef struct crowd {
    carom_hull_frame frame;
    carom_piece *piece;
    carom_hull_box *box;
    carom_collide_in in;
} crowd;

static double uniform(carom_random *random) {
    return 2.0 * carom_random_u01(random) - 1.0;
}

/* Most bodies stay in their boxes, some leave by a face, some values are unkind. */
static void make_body(crowd *c, carom_random *random, double scale, uint32_t n) {
    carom_piece *piece = &c->piece[n];
    *piece = (carom_piece){.start = n % 3 == 0 ? 0.0 : 0.4 * carom_random_u01(random),
                           .last = n % 3 == 0 ? CAROM_PIECE_FRESH : n,
                           .count = (uint16_t)(n % 3),
                           .image = CAROM_IMAGE_SELF};
    for (int a = 0; a < 3; a++) {
        piece->x[a] = n % 16 == 1 ? guarded_number(random) : scale * uniform(random);
        piece->v[a] = n % 16 == 2 ? guarded_number(random) : scale * uniform(random);
        c->box[n].lo[a] = (float)(-scale * 6.0 * carom_random_u01(random));
        c->box[n].hi[a] = (float)(scale * 6.0 * carom_random_u01(random));
    }
}

static crowd make_crowd(guarded_pool *pool, carom_random *random, double scale) {
    crowd c = {.frame = {.begin = 0.2 * carom_random_u01(random),
                         .drift = {carom_random_u01(random), 0.0, -1.0},
                         .end = 0.8 + carom_random_u01(random),
                         .unit = 0x1p20 / scale,
                         .reach = scale * carom_random_u01(random)},
               .piece = guarded_array(pool, BODIES, sizeof(carom_piece), 0),
               .box = guarded_array(pool, BODIES, sizeof(carom_hull_box), 0)};
    for (uint32_t n = 0; n < BODIES; n++) {
        make_body(&c, random, scale, n);
    }
    c.in = (carom_collide_in){.motion = (const double *)(const void *)c.piece, .box = c.box};
    return c;
}

static void draw_pairs(carom_random *random, double scale, carom_collide_block *block) {
    for (uint32_t n = 0; n < CAROM_COLLIDE_MOST; n++) {
        for (int s = 0; s < 2; s++) {
            block->slot[s][n] = (uint32_t)(carom_random_next(random) % BODIES);
            block->radius[s][n] = n % 7 == 0 ? 0.0 : scale * carom_random_u01(random);
            block->inverse_mass[s][n] = pow(10.0, 6.0 * uniform(random));
        }
        block->t[n] = 0.4 + 0.4 * carom_random_u01(random);
        block->bounce[n] = 1.0 + carom_random_u01(random);
        block->rest_speed[n] = carom_random_next(random) % 2 == 0 ? 0.0 : 0.5 * scale;
    }
}

static uint64_t count_of(uint64_t size) {
    return size * sizeof(double);
}

/* Whether a kernel and its twin made the same of pair n. */
static bool same_pair(const carom_collide_block *a, const carom_collide_block *b, uint32_t n) {
    bool same = guarded_same_f64(a->impact[n], b->impact[n], 8);
    for (int s = 0; s < 2; s++) {
        same = same && guarded_same_f64(a->motion[s][n], b->motion[s][n], 7) &&
               memcmp(&a->motion[s][n][7], &b->motion[s][n][7], count_of(1)) == 0 &&
               guarded_same_f32(a->coarse[s][n].x, b->coarse[s][n].x, 7) &&
               a->coarse[s][n].group == b->coarse[s][n].group && (a->stays[s] >> n & 1) == (b->stays[s] >> n & 1);
    }
    return same;
}

static double random_scale(carom_random *random) {
    const uint64_t kind = carom_random_next(random) % 4;
    return kind > 1 ? 1.0 : pow(10.0, (kind == 0 ? 30.0 : 170.0) * uniform(random));
}

static void collide_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t size) {
    guarded_pool pool = {.count = 0};
    const uint32_t count = size % (CAROM_COLLIDE_MOST + 1);
    const double scale = random_scale(random);
    crowd c = make_crowd(&pool, random, scale);
    carom_collide_block *block[2] = {guarded_array(&pool, 1, sizeof **block, 0),
                                     guarded_array(&pool, 1, sizeof **block, 0)};
    c.in.frame = &c.frame;
    draw_pairs(random, scale, block[0]);
    *block[1] = *block[0];
    const uint32_t kernel = simd->collide(&c.in, count, block[0]);
    const uint32_t reference = twin->collide(&c.in, count, block[1]);
    note_check(kernel == reference, "collide computes %x, its twin %x", kernel, reference);
    note_check(kernel >> count == 0, "more pairs than there are");
    for (uint32_t n = 0; n < count; n++) {
        note_check((kernel >> n & 1) == 0 || same_pair(block[0], block[1], n), "collide differs at pair %u", n);
    }
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

static void check_collide(void **state) {
    (void)state;
    guarded_over_all("collide", collide_case);
}

/* Two bodies that are about to meet, and the rules. */
typedef struct encounter {
    carom_response_rules rules;
    carom_response_body body[2];
    carom_piece piece[2];
    double kept[2][3];
} encounter;

static encounter draw_encounter(carom_random *random, double scale) {
    encounter e = {.rules = {.budget = 9,
                             .rest_speed = carom_random_next(random) % 2 == 0 ? 0.0 : 0.5 * scale,
                             .contact_time = carom_random_next(random) % 2 == 0 ? 0.0 : 0.2}};
    for (int s = 0; s < 2; s++) {
        e.body[s] = (carom_response_body){scale * carom_random_u01(random), pow(10.0, 3.0 * uniform(random)),
                                          carom_random_u01(random), -0.2 * carom_random_u01(random)};
        e.piece[s] = (carom_piece){.start = 0.3 * carom_random_u01(random), .last = 7, .count = 1};
        for (int a = 0; a < 3; a++) {
            e.piece[s].x[a] = scale * uniform(random);
            e.piece[s].v[a] = scale * uniform(random);
        }
    }
    return e;
}

static carom_response_side side_of(encounter *e, uint32_t s) {
    return (carom_response_side){&e->body[s], &e->piece[s], e->kept[s], s};
}

/* Fills pair 0 as a step does. */
static void put_encounter(encounter *e, double t, carom_collide_block *block) {
    const carom_response_side i = side_of(e, 0);
    const carom_response_side k = side_of(e, 1);
    block->t[0] = t;
    const carom_response_bounce bounce = carom_response_bounce_of(&e->rules, &i, &k, t);
    block->bounce[0] = bounce.factor;
    block->rest_speed[0] = bounce.rest_speed;
    for (uint32_t s = 0; s < 2; s++) {
        block->slot[s][0] = s;
        block->radius[s][0] = e->body[s].radius;
        block->inverse_mass[s][0] = e->body[s].inverse_mass;
    }
}

static uint32_t collide_once(encounter *e, double t, carom_collide_block *block) {
    const carom_hull_box box[2] = {{.lo = {0}}, {.lo = {0}}};
    const carom_hull_frame frame = {.begin = 0.0, .end = 1.0, .span = 1.0, .unit = 1.0, .rounding = 0x1p-40};
    const carom_collide_in in = {&frame, (const double *)(const void *)e->piece, box};
    put_encounter(e, t, block);
    return carom_simd_find("scalar")->collide(&in, 1, block);
}

static void check_encounter(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const double scale = number % 4 == 0 ? pow(10.0, 100.0 * uniform(&random)) : 1.0;
    encounter e = draw_encounter(&random, scale);
    const double t = 0.3 + 0.5 * carom_random_u01(&random);
    const carom_pair_image self = carom_image_of(NULL, CAROM_IMAGE_SELF);
    carom_collide_block block = {.slot = {{0}, {0}}};
    const uint32_t computed = collide_once(&e, t, &block);
    const carom_response_side i = side_of(&e, 0);
    const carom_response_side k = side_of(&e, 1);
    const carom_impact impact = carom_respond_bodies(&e.rules, &i, &k, &self, t);
    note_case(number, "scale %g, impulse %g", scale, impact.impulse);
    note_check((computed == 1) == (impact.impulse > 0.0), "computed: %u", computed);
    if (computed == 1) {
        note_check(memcmp(&impact, block.impact[0], sizeof impact) == 0, "another impact");
        for (int s = 0; s < 2; s++) {
            note_check(memcmp(&e.piece[s], block.motion[s][0], count_of(7)) == 0, "another piece");
        }
    }
}

static void check_response(void **state) {
    (void)state;
    note_each_case(CASES, check_encounter);
}

/* Centres that coincide, and squares beyond doubles, are left to the caller. */
static void check_unusual(void **state) {
    (void)state;
    static const double distances[] = {0.0, 1e-200, 1e200};
    for (int n = 0; n < 3; n++) {
        encounter e = {.rules = {.budget = 9}};
        carom_collide_block block = {.slot = {{0}, {0}}};
        e.body[0] = e.body[1] = (carom_response_body){1.0, 1.0, 1.0, -1.0};
        e.piece[0].v[0] = -1e-9;
        e.piece[0].x[0] = distances[n];
        e.piece[1].start = 0.5;
        e.piece[0].start = 0.5;
        note_case((uint64_t)n, "distance %g", distances[n]);
        note_check(collide_once(&e, 0.5, &block) == 0, "computed");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(check_collide), cmocka_unit_test(check_response),
                                       cmocka_unit_test(check_unusual)};
    note_start("test_twin_collide");
    return cmocka_run_group_tests_name("impacts of pairs", tests, NULL, NULL);
}
