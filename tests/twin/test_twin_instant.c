/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* instant_row and instant_next against their scalar twins. Guards also that no body within a giant is lost that an
 * exact prediction lets collide with it in this moment, however often either of them has changed in it. */
#include <math.h>
#include <string.h>

#include "kernel/impacts/instant.h"
#include "tests/support/check.h"
#include "tests/support/note.h"
#include "tests/twin/guarded.h"

enum { PATHS = 64, GIANTS = 20000, DUST = 48, CHANGES = 8 };

static float number(carom_random *random) {
    return (float)guarded_number(random);
}

static carom_coarse_path *random_paths(guarded_pool *pool, carom_random *random) {
    carom_coarse_path *path = guarded_array(pool, PATHS, sizeof *path, 0);
    for (uint32_t n = 0; n < PATHS; n++) {
        for (int a = 0; a < 3; a++) {
            path[n].x[a] = n % 8 == 0 ? number(random) : (float)(3.0 * carom_random_u01(random));
            path[n].v[a] = n % 8 == 1 ? number(random) : (float)(8.0 * carom_random_u01(random) - 4.0);
        }
        path[n].reach = (float)carom_random_u01(random);
        path[n].group = 0;
    }
    return path;
}

static carom_instant_rows make_rows(guarded_pool *pool, uint32_t count) {
    float *column[5];
    for (int n = 0; n < 5; n++) {
        column[n] = guarded_array(pool, count + CAROM_SIMD_PAD, sizeof(float), 0);
    }
    return (carom_instant_rows){.p = {column[0], column[1], column[2]},
                                .rate = column[3],
                                .margin = column[4],
                                .owner = guarded_array(pool, count + CAROM_SIMD_PAD, sizeof(uint32_t), 0)};
}

static bool same_rows(const carom_instant_rows *a, const carom_instant_rows *b, uint32_t count) {
    bool same = memcmp(a->owner, b->owner, count * sizeof *a->owner) == 0;
    for (int d = 0; d < 3; d++) {
        same = same && guarded_same_f32(a->p[d], b->p[d], count);
    }
    return same && guarded_same_f32(a->rate, b->rate, count) && guarded_same_f32(a->margin, b->margin, count);
}

static void instant_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    guarded_pool pool = {.count = 0};
    const carom_coarse_path *path = random_paths(&pool, random);
    uint32_t *slot = guarded_array(&pool, count, sizeof *slot, carom_random_next(random) % 16);
    for (uint32_t n = 0; n < count; n++) {
        slot[n] = (uint32_t)(carom_random_next(random) % PATHS);
    }
    carom_coarse_path own = path[count % PATHS];
    own.reach = 2.0F;
    const carom_instant_rows rows = make_rows(&pool, count);
    const carom_instant_rows rows_twin = make_rows(&pool, count);
    const float time = (float)((count % 4 == 0 ? 16.0 : 1.0) * carom_random_u01(random));
    const uint32_t listed = simd->instant_row(path, &own, slot, count, time, &rows);
    note_check(listed == twin->instant_row(path, &own, slot, count, time, &rows_twin), "instant_row lists others");
    note_check(same_rows(&rows, &rows_twin, listed), "instant_row differs");
    const float turn[3] = {number(random), (float)carom_random_u01(random) - 0.5F, (float)carom_random_u01(random)};
    const float speed = count % 3 == 0 ? number(random) : 2.0F * (float)carom_random_u01(random);
    for (uint32_t from = 0; from <= listed; from++) {
        note_check(simd->instant_next(&rows, from, listed, turn, speed) ==
                       twin->instant_next(&rows, from, listed, turn, speed),
                   "instant_next differs from place %u on", from);
    }
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

static void check_kernels(void **state) {
    (void)state;
    guarded_over_all("moment", instant_case);
}

/* A giant, which is member 0 and in slot 0, and dust in it. */
typedef struct giant {
    carom_member member[1 + DUST];
    carom_coarse_path coarse[1 + DUST];
    carom_piece piece[1 + DUST];
    carom_response_body body[1 + DUST];
    double kept[1 + DUST][3];
    uint32_t number[1 + DUST];
    uint32_t other[DUST];
    carom_memory memory;
    carom_impacts_worker worker;
    carom_impacts_bodies bodies;
    carom_hulls hulls;
    carom_window window;
    carom_cluster cluster;
} giant;

static double uniform(carom_random *random) {
    return 2.0 * carom_random_u01(random) - 1.0;
}

/* Dust within the giant, at its surface or outside, which closes in or parts, or hardly does either. All move at up to
 * `pace`; some dust rests. */
static void random_dust(carom_random *random, double scale, double pace, giant *g, uint32_t n) {
    const double depth = n % 3 == 0 ? 1.0 + 1e-9 * uniform(random) : 1.2 * carom_random_u01(random);
    const double speed = pow(10.0, -12.0 * carom_random_u01(random));
    double at[3] = {uniform(random), uniform(random), n % 2 == 0 ? 0.3 : -0.3};
    const double length = sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
    g->body[n].radius = scale * 0.01 * carom_random_u01(random);
    g->piece[n] = (carom_piece){.start = g->piece[0].start * carom_random_u01(random), .last = CAROM_PIECE_FRESH};
    for (int a = 0; a < 3; a++) {
        const double off = depth * (g->body[0].radius + g->body[n].radius) * at[a] / length;
        g->piece[n].v[a] = n % 5 == 0 ? 0.0 : g->piece[0].v[a] + pace * speed * uniform(random);
        g->piece[n].x[a] = g->piece[0].x[a] + off - (g->piece[0].start - g->piece[n].start) * g->piece[n].v[a];
    }
}

static void random_giant(carom_random *random, double scale, double pace, double far, giant *g) {
    g->piece[0] = (carom_piece){.start = carom_random_u01(random), .last = CAROM_PIECE_FRESH};
    g->body[0].radius = scale;
    for (int a = 0; a < 3; a++) {
        g->piece[0].x[a] = far + scale * uniform(random);
        g->piece[0].v[a] = pace * uniform(random);
    }
    for (uint32_t n = 1; n <= DUST; n++) {
        random_dust(random, scale, pace, g, n);
    }
    for (uint32_t n = 0; n <= DUST; n++) {
        g->body[n] = (carom_response_body){g->body[n].radius, 1.0, 1.0, -INFINITY};
        g->number[n] = n;
    }
}

static void take(giant *g, uint32_t n) {
    g->member[n].piece = g->piece[n];
    g->coarse[n] = carom_hulls_coarse(&g->hulls, &g->bodies, n, &g->piece[n]);
    g->coarse[n].group = 0;
}

/* The group of the giant and its dust, whose pairs are the dust's. */
static void make_cluster(carom_random *random, const carom_simd *simd, giant *g) {
    const double steps = (double)(1 + carom_random_next(random) % 16);
    const double over = floor(steps * carom_random_u01(random));
    carom_memory_init(&g->memory, NULL, 0);
    g->bodies = (carom_impacts_bodies){.count = 1 + DUST,
                                       .rules = {.budget = 99},
                                       .piece = g->piece,
                                       .body = g->body,
                                       .kept = g->kept,
                                       .number = g->number};
    g->hulls = (carom_hulls){.until = 1.0};
    carom_hulls_set_scales(&g->hulls, &g->bodies);
    carom_hulls_set_time(&g->hulls, &g->bodies, -over, steps - over);
    g->worker = (carom_impacts_worker){.adjacent.other = {.buffer.data = g->other, .count = DUST}};
    g->window = (carom_window){.bodies = &g->bodies, .hulls = &g->hulls, .memory = &g->memory, .simd = simd};
    g->cluster = (carom_cluster){.window = &g->window,
                                 .own = &g->worker,
                                 .count = 1 + DUST,
                                 .all = 1 + DUST,
                                 .now = g->piece[0].start,
                                 .m = g->member,
                                 .coarse = g->coarse,
                                 .other = g->other};
    for (uint32_t n = 0; n <= DUST; n++) {
        g->member[n] = (carom_member){.slot = n, .number = n, .begin = DUST, .others = DUST, .rest = DUST, .end = DUST};
        take(g, n);
    }
    for (uint32_t n = 0; n < DUST; n++) {
        const uint32_t at = (uint32_t)(carom_random_next(random) % (n + 1));
        g->other[n] = g->other[at];
        g->other[at] = n + 1;
    }
    g->member[0].begin = g->member[0].others = 0;
    g->member[0].deferral.list = CAROM_IMPACTS_NONE;
}

/* The giant has another velocity from now on, and now and then some dust has, too. */
static void change(carom_random *random, double pace, giant *g) {
    const double turn = pace * pow(10.0, 3.0 - 15.0 * carom_random_u01(random));
    for (int a = 0; a < 3; a++) {
        g->piece[0].v[a] += turn * uniform(random);
    }
    take(g, 0);
    if (carom_random_next(random) % 2 == 0) {
        const uint32_t n = 1 + (uint32_t)(carom_random_next(random) % DUST);
        for (int a = 0; a < 3; a++) {
            g->piece[n].x[a] += g->piece[n].v[a] * (g->cluster.now - g->piece[n].start);
            g->piece[n].v[a] += turn * uniform(random);
        }
        g->piece[n].start = g->cluster.now;
        take(g, n);
        carom_instant_change(&g->cluster, 0, n);
    }
}

/* All that collides with the giant now is walked over, in order if the list has one. */
static uint32_t check_walk(giant *g) {
    carom_instant_walk walk = carom_instant_walk_begin(&g->cluster, 0);
    bool is_walked[1 + DUST] = {false};
    uint32_t before = 0;
    uint32_t collide = 0;
    while (carom_instant_walk_next(&g->cluster, 0, &walk)) {
        note_check(!walk.sorted || walk.owner > before, "body %u after %u", walk.owner, before);
        before = walk.owner;
        is_walked[walk.owner] = true;
    }
    for (uint32_t n = 1; n <= DUST; n++) {
        const double t = carom_impacts_predict(&g->bodies, 0, &g->piece[0], n, &g->piece[n], CAROM_IMAGE_SELF);
        note_check(is_walked[n] || !(t <= g->cluster.now), "the impact with body %u is lost", n);
        collide += t <= g->cluster.now;
    }
    return collide;
}

static uint64_t giants;
static uint64_t collisions;

static void check_giant(uint64_t number_of_giant) {
    carom_random random = carom_random_seeded(note_case_seed(number_of_giant));
    const carom_simd *simd[8];
    const size_t sets = carom_simd_available(simd, 8);
    const double scale = pow(10.0, 30.0 * uniform(&random));
    const double far = number_of_giant % 2 == 0 ? 0.0 : scale * pow(10.0, 5.0 * carom_random_u01(&random));
    const double slow = number_of_giant % 3 == 0 ? pow(10.0, -60.0 * carom_random_u01(&random)) : 1.0;
    const double pace = scale * slow;
    giant g = {.cluster = {0}};
    random_giant(&random, scale, pace, far, &g);
    make_cluster(&random, simd[number_of_giant % sets], &g);
    note_case(number_of_giant, "%s, scale %g, speeds %g, %g from the origin, at %g", simd[number_of_giant % sets]->name,
              scale, pace, far, g.cluster.now);
    carom_instant_begin(&g.cluster, 0);
    giants++;
    collisions += check_walk(&g);
    for (int n = 0; n < CHANGES; n++) {
        change(&random, pace, &g);
        collisions += check_walk(&g);
    }
    carom_buffer_release(&g.memory, &g.worker.adjacent.instant.buffer);
    carom_buffer_release(&g.memory, &g.worker.adjacent.column.buffer);
    carom_buffer_release(&g.memory, &g.worker.near);
}

static void check_giants(void **state) {
    (void)state;
    note_each_case(GIANTS, check_giant);
    note_check(note_only_case() != UINT64_MAX || collisions > giants * DUST, "hardly any impacts");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(check_kernels), cmocka_unit_test(check_giants)};
    note_start("test_twin_instant");
    return cmocka_run_group_tests_name("moments", tests, NULL, NULL);
}
