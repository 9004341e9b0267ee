/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Kernels that make boxes of shapes: kernel/pose_boxes_<precision>/<isa>/<shapes> and
 * kernel/swept_boxes_<precision>/<isa>/<shapes>, of one kind of shape or of all convex ones in turn. Sizes are U[.25,
 * 1], hulls have 16 points; each body turns by U[0, .5) radians. Items are bodies. */
#include <math.h>
#include <stdio.h>

#include "bench/bench_kernels.h"
#include "bench/shim.h"
#include "bench/suite.h"
#include "kernel/narrow/columns_tmpl.h"
#include "kernel/scene/random.h"
#include "simd/dispatch.h"

enum { BLOCKS = 16, BODIES = BLOCKS * CAROM_BLOCK_PAIRS, POINTS = 16, KINDS = CAROM_SHAPE_HULL + 1, MIXED = KINDS };

static const char *const NAMES[KINDS + 1] = {"spheres", "capsules",   "boxes", "cylinders",
                                             "cones",   "ellipsoids", "hulls", "mixed"};

typedef struct fixture {
    carom_shape shape[BODIES];
    double point[BODIES][POINTS][3];
    carom_real number[13][BODIES]; /* of prev, curr, turn and spin */
    uint32_t entry[BODIES];
    carom_columns_bodies block[BLOCKS];
    carom_real corner[6][BODIES];
    float path[BODIES][CAROM_PATH_NUMBERS];
} fixture;

typedef struct run {
    const carom_simd *simd;
    int shapes;
    bool moving;
} run;

static void draw_shape(fixture *f, carom_random *random, uint32_t n, carom_shape_kind kind) {
    carom_shape *shape = &f->shape[n];
    const bool round = kind != CAROM_SHAPE_BOX && kind != CAROM_SHAPE_ELLIPSOID && kind != CAROM_SHAPE_HULL;
    *shape = (carom_shape){.kind = kind, .radius = round ? 0.25 + 0.5 * carom_random_u01(random) : 0.0};
    for (int d = 0; d < 3; d++) {
        shape->extent[d] = 0.25 + 0.75 * carom_random_u01(random);
    }
    if (kind == CAROM_SHAPE_HULL) {
        for (int p = 0; p < POINTS; p++) {
            carom_random_direction(random, f->point[n][p]);
        }
        shape->point = (const double(*)[3])f->point[n];
        shape->point_count = POINTS;
    }
}

static void draw_body(fixture *f, carom_random *random, uint32_t n) {
    double axis[3];
    carom_random_direction(random, axis);
    const double angle = 0.5 * carom_random_u01(random);
    for (int d = 0; d < 3; d++) {
        f->number[d][n] = (carom_real)(10.0 * carom_random_u01(random));
        f->number[3 + d][n] = f->number[d][n] + (carom_real)(carom_random_u01(random) - 0.5);
        f->number[10 + d][n] = (carom_real)(angle * axis[d]);
    }
    for (int d = 0; d < 4; d++) {
        f->number[6 + d][n] = (carom_real)carom_random_gauss(random) + (carom_real)0.01;
    }
    f->entry[n] = n;
}

/* Quaternions of length 1. */
static void shorten_turn(fixture *f, uint32_t n) {
    double square = 0;
    for (int d = 0; d < 4; d++) {
        square += (double)f->number[6 + d][n] * (double)f->number[6 + d][n];
    }
    for (int d = 0; d < 4; d++) {
        f->number[6 + d][n] = (carom_real)((double)f->number[6 + d][n] / sqrt(square));
    }
}

static fixture *make_fixture(int shapes) {
    carom_random random = carom_random_seeded(1);
    fixture *f = carom_bench_allocate(sizeof *f);
    carom_bodies bodies = {.size = sizeof bodies, .count = BODIES, .shape = f->entry};
    carom_shapes *table;
    for (uint32_t n = 0; n < BODIES; n++) {
        draw_shape(f, &random, n, (carom_shape_kind)(shapes == MIXED ? (int)(n % KINDS) : shapes));
        draw_body(f, &random, n);
        shorten_turn(f, n);
    }
    if (carom_shapes_create(f->shape, BODIES, NULL, &table, NULL) != CAROM_OK) {
        return NULL;
    }
    bodies.shapes = table;
    for (int d = 0; d < 4; d++) {
        bodies.prev[d % 3] = f->number[d % 3];
        bodies.curr[d % 3] = f->number[3 + d % 3];
        bodies.prev_turn[d] = f->number[6 + d];
        bodies.spin[d % 3] = f->number[10 + d % 3];
    }
    for (uint32_t b = 0; b < BLOCKS; b++) {
        const uint64_t first = (uint64_t)b * CAROM_BLOCK_PAIRS;
        carom_columns_load_bodies(&bodies, first, CAROM_BLOCK_PAIRS, &f->block[b]);
        carom_columns_load_motion(&bodies, first, CAROM_BLOCK_PAIRS, &f->block[b].motion);
    }
    return f;
}

static fixture *fixture_of(int shapes) {
    static fixture *made[KINDS + 1];
    made[shapes] = made[shapes] != NULL ? made[shapes] : make_fixture(shapes);
    return made[shapes];
}

/* Returns the bodies that the kernel leaves. */
static uint64_t run_block(const run *r, fixture *f, uint32_t b) {
    carom_columns_bodies *block = &f->block[b];
    const uint64_t first = (uint64_t)b * CAROM_BLOCK_PAIRS;
    carom_real *const corner[6] = {f->corner[0], f->corner[1], f->corner[2], f->corner[3], f->corner[4], f->corner[5]};
    const carom_swept_out out = {corner, first, f->path + first};
    return r->moving
               ? carom_kernels_of(r->simd)->swept_boxes(&block->side, &block->motion, block->reach, 0,
                                                        CAROM_BLOCK_PAIRS, &out)
               : carom_kernels_of(r->simd)->pose_boxes(&block->side, block->reach, 0, CAROM_BLOCK_PAIRS, corner, first);
}

static void bench_swept(carom_bench_state *state, void *data) {
    const run *r = data;
    fixture *f = fixture_of(r->shapes);
    uint64_t left = 0;
    if (f == NULL) {
        carom_bench_fail(state, "no table of shapes");
        return;
    }
    while (carom_bench_next(state)) {
        for (uint32_t b = 0; b < BLOCKS; b++) {
            left |= run_block(r, f, b);
        }
        carom_bench_keep(f->corner);
    }
    carom_bench_counter(state, "left", (double)__builtin_popcountll(left));
    carom_bench_items(state, BODIES);
}

static void add(run r) {
    char name[96];
    run *kept = carom_bench_allocate(sizeof *kept);
    *kept = r;
    snprintf(name, sizeof name, "kernel/%s_boxes_f%d/%s/%s", r.moving ? "swept" : "pose", CAROM_REAL_BITS, r.simd->name,
             NAMES[r.shapes]);
    carom_bench_register(name, bench_swept, kept);
}

void CAROM_REAL(carom_bench_register_swept)(const carom_simd *simd) {
    for (int shapes = 0; shapes <= MIXED; shapes++) {
        add((run){simd, shapes, false});
        add((run){simd, shapes, true});
    }
}
