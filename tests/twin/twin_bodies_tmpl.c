/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Kernels over the caller's arrays against their scalar twins, to the bit: every instruction set, every size, any
 * alignment, any number. Nothing outside the output may be written. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "tests/twin/bodies_tmpl.h"

static void bounds_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    guarded_pool pool = {.count = 0};
    carom_bodies bodies = make_bodies(&pool, random, count, BODIES_WILD);
    const carom_bodies other = draw_layout(&pool, random, &bodies);
    float *side[2][6];
    for (int n = 0; n < 12; n++) {
        side[n / 6][n % 6] = guarded_array(&pool, count, sizeof(float), carom_random_next(random) % 16);
    }
    uint64_t begin = count == 0 ? 0 : carom_random_next(random) % count / 2;
    carom_kernels_of(simd)->bounds(&other, begin, count, side[0], side[0] + 3);
    carom_kernels_of(twin)->bounds(&bodies, begin, count, side[1], side[1] + 3);
    for (int n = 0; n < 6; n++) {
        note_check(guarded_same_f32(side[0][n], side[1][n], count), "bounds differ");
    }
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

void check_bounds(void **state) {
    (void)state;
    guarded_over_all("bounds", bounds_case);
}

/* Records and boxes of bodies [begin, count). After the last one others may be written, up to a multiple of the
 * vector's lanes. */
static void direct_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    guarded_pool pool = {.count = 0};
    const double centre[3] = {1.5, -2.25, 1e3};
    const body_kind kind = carom_random_next(random) % 2 == 0 ? BODIES_WILD : BODIES_FINITE;
    carom_bodies bodies = make_bodies(&pool, random, count, kind);
    const carom_bodies other = draw_layout(&pool, random, &bodies);
    const uint64_t begin = count > 0 ? carom_random_next(random) % count : 0;
    const uint64_t there = count - begin;
    const uint64_t room = (there + CAROM_SIMD_PAD - 1) / CAROM_SIMD_PAD * CAROM_SIMD_PAD;
    carom_record *records[2];
    float *side[12];
    bool good[2];
    for (int n = 0; n < 12; n++) {
        side[n] = guarded_array(&pool, room, sizeof(float), carom_random_next(random) % 16);
    }
    for (int n = 0; n < 2; n++) {
        records[n] = guarded_lines(&pool, room, sizeof(carom_record));
        good[n] = carom_kernels_of(n == 0 ? simd : twin)
                      ->direct_bodies(n == 0 ? &other : &bodies, begin, count, centre, records[n], side + 6 * n,
                                      side + 6 * n + 3);
    }
    note_check(good[0] == good[1] && (good[0] || kind == BODIES_WILD), "they disagree on whether bodies are valid");
    for (int n = 0; n < 6 && good[0]; n++) {
        note_check(guarded_same_f32(side[n], side[n + 6], there), "side %d differs", n);
    }
    note_check(memcmp(records[0], records[1], there * sizeof(carom_record)) == 0, "records differ");
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

void check_direct_bodies(void **state) {
    (void)state;
    guarded_over_all("direct bodies", direct_case);
}

static void survey_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    guarded_pool pool = {.count = 0};
    const double centre[3] = {1.5, -2.25, 1e3};
    body_kind kind = carom_random_next(random) % 2 == 0 ? BODIES_WILD : BODIES_FINITE;
    carom_bodies bodies = make_bodies(&pool, random, count, kind);
    const carom_bodies other = draw_layout(&pool, random, &bodies);
    carom_survey survey[2];
    for (int n = 0; n < 2; n++) {
        survey[n] = (carom_survey){{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}, {0, 0, 0}, 0};
        carom_kernels_of(n == 0 ? simd : twin)->survey(n == 0 ? &other : &bodies, 0, count, centre, &survey[n]);
    }
    note_check((survey[0].bad != 0) == (survey[1].bad != 0), "they disagree on whether a body is bad");
    note_check(kind == BODIES_WILD || survey[0].bad == 0, "good bodies are called bad");
    for (int a = 0; a < 3 && survey[0].bad == 0; a++) {
        note_check(guarded_same_f32(&survey[0].lo[a], &survey[1].lo[a], 1), "lo differs");
        note_check(guarded_same_f32(&survey[0].hi[a], &survey[1].hi[a], 1), "hi differs");
        note_check(guarded_same_f32(&survey[0].extent[a], &survey[1].extent[a], 1), "extent differs");
    }
    guarded_release(&pool);
}

void check_survey(void **state) {
    (void)state;
    guarded_over_all("survey", survey_case);
}

/* Cells around all bodies, through their middle, and tilted; bodies large and small against the limit. */
static carom_home draw_home(carom_random *random) {
    static const double lengths[4] = {1e-3, 16.0, 1e4, 1e30};
    carom_home home = {.dimensions = 1 + (uint32_t)(carom_random_next(random) % 3),
                       .diameter = lengths[carom_random_next(random) % 4]};
    const double size = 1.0 / lengths[carom_random_next(random) % 4];
    for (int b = 0; b < 3; b++) {
        for (int a = 0; a < 3; a++) {
            const bool tilted = carom_random_next(random) % 4 == 0;
            home.dual[b][a] = a == b ? size : tilted ? 0.5 * size : 0.0;
        }
    }
    return home;
}

/* Bodies that a cell holds. */
static void move_home(carom_random *random, carom_bodies *bodies, uint32_t count) {
    for (int a = 0; a < 3; a++) {
        carom_real *prev = (carom_real *)(uintptr_t)bodies->prev[a];
        for (uint32_t n = 0; n < count; n++) {
            prev[n] = (carom_real)(0.25 * carom_random_u01(random) / 1e3);
        }
    }
}

static void home_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    guarded_pool pool = {.count = 0};
    const body_kind kind = carom_random_next(random) % 4 == 0 ? BODIES_WILD : BODIES_FINITE;
    carom_bodies bodies = make_bodies(&pool, random, count, kind);
    if (carom_random_next(random) % 2 == 0) {
        move_home(random, &bodies, count);
    }
    const carom_bodies other = draw_layout(&pool, random, &bodies);
    const carom_home home = draw_home(random);
    double *field[2][7];
    bool all[2];
    for (int n = 0; n < 2; n++) {
        for (int f = 0; f < 7; f++) {
            field[n][f] = guarded_array(&pool, count, sizeof(double), carom_random_next(random) % 16);
        }
        all[n] = carom_kernels_of(n == 0 ? simd : twin)->home(n == 0 ? &other : &bodies, 0, count, &home, field[n]);
    }
    note_check(all[0] == all[1], "they disagree on whether all bodies are home");
    for (int f = 0; f < 7 && count > 0; f++) {
        note_check(memcmp(field[0][f], field[1][f], count * sizeof(double)) == 0, "doubles differ");
    }
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

void check_home(void **state) {
    (void)state;
    guarded_over_all("home", home_case);
}

static carom_grid random_grid(carom_random *random) {
    carom_grid grid = {.centre = {0.0, 0.0, 0.0}};
    float stride = 1.0F;
    float bit = 1.0F;
    for (int a = 0; a < 3; a++) {
        grid.columns[a] = 1 + (uint32_t)(carom_random_next(random) % 30);
        grid.origin[a] = -90.0F;
        grid.scale[a] = (float)grid.columns[a] / 180.0F;
        grid.last[a] = (float)(grid.columns[a] - 1);
        grid.cell_weight[a] = 8.0F * stride;
        grid.bit_weight[a] = grid.columns[a] > 1 ? bit : 0.0F;
        grid.wide[a] = carom_random_next(random) % 2 == 0 ? INFINITY : (float)(20.0 * carom_random_u01(random));
        grid.centre[a] = 4.0 * carom_random_u01(random);
        stride *= (float)grid.columns[a];
        bit *= 2.0F;
    }
    grid.wide_code = 8.0F * stride;
    return grid;
}

static void codes_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    guarded_pool pool = {.count = 0};
    carom_bodies bodies = make_bodies(&pool, random, count, BODIES_FINITE);
    const carom_bodies other = draw_layout(&pool, random, &bodies);
    carom_grid grid = random_grid(random);
    uint32_t *code[2];
    for (int n = 0; n < 2; n++) {
        code[n] = guarded_array(&pool, count, sizeof(uint32_t), carom_random_next(random) % 16);
        carom_kernels_of(n == 0 ? simd : twin)->codes(n == 0 ? &other : &bodies, 0, count, &grid, code[n]);
    }
    note_check(memcmp(code[0], code[1], count * sizeof(uint32_t)) == 0, "codes differ");
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

void check_codes(void **state) {
    (void)state;
    guarded_over_all("codes", codes_case);
}

/* A grid around bodies between -1e4 and 1e4; the least step is far beyond doubles' last bits. */
static carom_step_grid random_step_grid(carom_random *random) {
    carom_step_grid grid = {.scale = ldexp(carom_random_u01(random) + 0.5, (int)(carom_random_next(random) % 28)),
                            .moves = carom_random_next(random) % 2 == 0};
    const uint64_t cells = 3 + carom_random_next(random) % 1200;
    grid.weight[0] = (double)(cells * cells);
    grid.weight[1] = (double)cells;
    grid.weight[2] = 1.0;
    grid.first = carom_random_next(random) % 2 == 0 ? 0.0 : grid.weight[0] + grid.weight[1] + 1.0;
    for (int a = 0; a < 3; a++) {
        grid.origin[a] = -1e4 - 1e3 * carom_random_u01(random);
    }
    return grid;
}

/* Bodies at rest stay where they were; some are exactly between two steps. */
static void set_steps(carom_random *random, carom_bodies *bodies, uint32_t count, const carom_step_grid *grid) {
    for (int a = 0; a < 3; a++) {
        carom_real *prev = (carom_real *)(uintptr_t)bodies->prev[a];
        carom_real *curr = (carom_real *)(uintptr_t)bodies->curr[a];
        for (uint32_t n = 0; n < count; n++) {
            const double at = 2e4 * carom_random_u01(random) - 1e4;
            const double step = (floor((at - grid->origin[a]) * grid->scale) + 0.5) / grid->scale;
            prev[n] = (carom_real)(carom_random_next(random) % 4 == 0 ? grid->origin[a] + step : at);
            curr[n] = grid->moves ? (carom_real)(2e4 * carom_random_u01(random) - 1e4) : prev[n];
        }
    }
}

static void grid_steps_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    guarded_pool pool = {.count = 0};
    carom_bodies bodies = make_bodies(&pool, random, count, BODIES_FINITE);
    const carom_step_grid grid = random_step_grid(random);
    set_steps(random, &bodies, count, &grid);
    const carom_bodies other = draw_layout(&pool, random, &bodies);
    uint32_t *word[2][4];
    for (int n = 0; n < 2; n++) {
        for (int f = 0; f < 4; f++) {
            word[n][f] = guarded_array(&pool, count, sizeof(uint32_t), carom_random_next(random) % 16);
        }
        carom_kernels_of(n == 0 ? simd : twin)
            ->grid_steps(n == 0 ? &other : &bodies, 0, count, &grid, word[n], word[n][3]);
    }
    for (int f = 0; f < 4; f++) {
        note_check(memcmp(word[0][f], word[1][f], count * sizeof(uint32_t)) == 0,
                   f < 3 ? "steps differ" : "cells differ");
    }
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

void check_grid_steps(void **state) {
    (void)state;
    guarded_over_all("grid_steps", grid_steps_case);
}

static void census_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    guarded_pool pool = {.count = 0};
    const double centre[3] = {1.5, -2.25, 1e3};
    carom_bodies bodies = make_bodies(&pool, random, count, BODIES_FINITE);
    const carom_bodies other = draw_layout(&pool, random, &bodies);
    carom_census census[2];
    for (int l = 0; l < CAROM_CENSUS_LIMITS; l++) {
        census[0].limit[l] = (float)ldexp(0.01, l);
        census[0].wider[l] = 7;
    }
    census[1] = census[0];
    carom_kernels_of(simd)->census(&other, 0, count, centre, &census[0]);
    carom_kernels_of(twin)->census(&bodies, 0, count, centre, &census[1]);
    note_check(memcmp(&census[0], &census[1], sizeof census[0]) == 0, "counts differ");
    note_check(count == 0 || census[0].wider[0] > census[0].wider[CAROM_CENSUS_LIMITS - 1] || count < 64,
               "all are as wide: the test is empty");
    guarded_release(&pool);
}

void check_census(void **state) {
    (void)state;
    guarded_over_all("census", census_case);
}

/* The twin is the specification, so it is held against the definition itself: in exact arithmetic (long double holds
 * the sum of two floats, or of two doubles of like size, without loss), lo is below the box and hi above, and no more
 * than three float steps. */
void bounds_contain_the_exact_box(void **state) {
    (void)state;
    guarded_pool pool = {.count = 0};
    carom_random random = carom_random_seeded(note_case_seed(0));
    enum { COUNT = 20000 };
    carom_bodies b = make_bodies(&pool, &random, COUNT, BODIES_FINITE);
    float *side[6];
    for (int n = 0; n < 6; n++) {
        side[n] = guarded_array(&pool, COUNT, sizeof(float), 0);
    }
    carom_kernels_of(carom_simd_find("scalar"))->bounds(&b, 0, COUNT, side, side + 3);
    for (uint64_t n = 0; n < COUNT; n++) {
        for (int a = 0; a < 3; a++) {
            long double prev = (long double)b.prev[a][n];
            long double curr = (long double)b.curr[a][n];
            long double lo = fminl(prev, curr) - (long double)b.radius[n];
            long double hi = fmaxl(prev, curr) + (long double)b.radius[n];
            long double slack = 3 * (long double)FLT_EPSILON * fmaxl(fabsl(lo), fabsl(hi)) + (long double)FLT_MIN;
            note_check(side[a][n] <= lo && side[a + 3][n] >= hi, "the exact box sticks out");
            note_check(side[a][n] >= lo - slack && side[a + 3][n] <= hi + slack, "the box is too wide");
        }
    }
    guarded_release(&pool);
}
