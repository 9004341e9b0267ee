/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Kernels of steps with impacts, on bodies of the dense scene, of which two and two collide: kernel/collide/<isa>,
 * kernel/impact_times/<isa> and kernel/hulls/<isa>. Items are pairs and bodies. */
#include <stdio.h>

#include "bench/shim.h"
#include "bench/suite.h"
#include "simd/dispatch.h"

enum { BODIES = 2048, BLOCKS = BODIES / (2 * CAROM_COLLIDE_MOST) };

typedef struct fixture {
    carom_hull_frame frame;
    double motion[BODIES][8];
    double body[BODIES][4];
    carom_hull_box box[BODIES];
    carom_coarse_path coarse[BODIES];
    carom_collide_block block[BLOCKS];
    uint32_t first[BODIES / 2]; /* of each pair */
    uint32_t second[BODIES / 2];
    double reach[BODIES / 2 + CAROM_SIMD_PAD];
    double t[BODIES / 2 + CAROM_SIMD_PAD];
} fixture;

static void put_pair(fixture *f, uint32_t n) {
    carom_collide_block *block = &f->block[n / CAROM_COLLIDE_MOST];
    const uint32_t at = n % CAROM_COLLIDE_MOST;
    for (uint32_t s = 0; s < 2; s++) {
        block->slot[s][at] = 2 * n + s;
        block->radius[s][at] = f->body[2 * n + s][0];
        block->inverse_mass[s][at] = 1.0;
    }
    f->first[n] = 2 * n;
    f->second[n] = 2 * n + 1;
    f->reach[n] = f->body[2 * n][0] + f->body[2 * n + 1][0];
    block->t[at] = 0.5;
    block->bounce[at] = 2.0;
    block->rest_speed[at] = 0.0;
}

static fixture *make_fixture(void) {
    const carom_scene_f32 *scene = carom_bench_scene('d', BODIES);
    fixture *f = carom_bench_allocate(sizeof *f);
    f->frame = (carom_hull_frame){.end = 1.0, .unit = 1024.0, .reach = 1.0, .own_room = 0.35, .room_most = 1e9};
    for (uint32_t n = 0; n < BODIES; n++) {
        for (int a = 0; a < 3; a++) {
            f->motion[n][a] = (double)scene->prev[a][n];
            f->motion[n][3 + a] = (double)scene->curr[a][n] - (double)scene->prev[a][n];
        }
        f->motion[n][6] = f->motion[n][7] = 0.0;
        f->body[n][0] = (double)scene->radius[n];
        f->body[n][1] = 1.0;
    }
    for (uint32_t n = 0; n < BODIES / 2; n++) {
        put_pair(f, n);
    }
    return f;
}

static fixture *fixture_of(void) {
    static fixture *made;
    made = made != NULL ? made : make_fixture();
    return made;
}

static void run_hulls(const carom_simd *simd, fixture *f) {
    const carom_hull_paths out = {f->box, f->coarse};
    (void)simd->hulls(&f->frame, f->motion[0], f->body[0], 0, BODIES, &out);
}

static void bench_hulls(carom_bench_state *state, void *data) {
    fixture *f = fixture_of();
    while (carom_bench_next(state)) {
        run_hulls(data, f);
    }
    carom_bench_items(state, BODIES);
}

static void bench_collide(carom_bench_state *state, void *data) {
    const carom_simd *simd = data;
    fixture *f = fixture_of();
    const carom_collide_in in = {&f->frame, f->motion[0], f->box};
    run_hulls(simd, f);
    while (carom_bench_next(state)) {
        for (uint32_t n = 0; n < BLOCKS; n++) {
            (void)simd->collide(&in, CAROM_COLLIDE_MOST, &f->block[n]);
        }
    }
    carom_bench_items(state, BODIES / 2);
}

/* Of each body and the next one, as predictions have them. */
static void bench_times(carom_bench_state *state, void *data) {
    const carom_simd *simd = data;
    fixture *f = fixture_of();
    while (carom_bench_next(state)) {
        simd->impact_times(f->motion[0], f->first, f->motion[0], f->second, f->reach, BODIES / 2, f->t);
    }
    carom_bench_items(state, BODIES / 2);
}

static void add(const carom_simd *simd, const char *name, carom_bench_body *run) {
    char text[64];
    snprintf(text, sizeof text, "kernel/%s/%s", name, simd->name);
    carom_bench_register(text, run, (void *)simd);
}

void carom_bench_register_impacts(void) {
    const carom_simd *tables[8];
    const size_t count = carom_simd_available(tables, 8);
    for (size_t n = 0; n < count && n < 8; n++) {
        add(tables[n], "collide", bench_collide);
        add(tables[n], "impact_times", bench_times);
        add(tables[n], "hulls", bench_hulls);
    }
}
