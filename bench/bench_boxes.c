/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Detection of boxes, of spheres of the same sizes at the same places, and of other shapes within the boxes:
 * detect-boxes/<shapes>/<step>/<bodies>/threads:<T>, with shapes `boxes`, `spheres`, `hulls` or `mixed` and steps
 * `resting` or `moving`. Hulls have 16 points on the ellipsoid in the box; mixed shapes are of all convex kinds in
 * turn.
 *
 * Boxes have half extents U[.25, 1] and uniform rotations; a sphere has the mean half width of its box's own box. Each
 * body moves by U[0, .5) in a random direction and turns by U[0, .5) radians about one. The cube that they lie in is as
 * large as makes one box pair a body at rest (each overlaps two others, on average). Items are bodies. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/shim.h"
#include "bench/suite.h"
#include "kernel/scene/random.h"
#include "simd/posed.h"

enum { SHAPES = 1024, SAMPLES = 100000, ARRAYS = 17, POINTS = 16 };

/* What the bodies are. */
typedef enum kind { BOXES, SPHERES, HULLS, MIXED, KINDS } kind;
static const char *const KIND_NAMES[KINDS] = {"boxes", "spheres", "hulls", "mixed"};

static const double MOVE_MAX = 0.5; /* units of length */
static const double SPIN_MAX = 0.5; /* radians */

typedef struct run {
    kind kind;
    bool moving;
    uint64_t bodies;
    uint32_t threads;
} run;

/* Bodies as all kinds. */
typedef struct crowd {
    uint64_t count;
    carom_shape shape[SHAPES];       /* the boxes */
    double point[SHAPES][POINTS][3]; /* on their ellipsoids */
    carom_shapes *shapes[KINDS];     /* NULL for spheres */
    uint32_t *entry;
    float *prev[3], *curr[3], *turn[4], *spin[3];
    float *half[3]; /* half widths of a box's own box, at rest */
    float *radius;
    float *memory;
} crowd;

static float *next_array(crowd *c, int *used) {
    return c->memory + (uint64_t)(*used)++ * c->count;
}

static void lay_out(crowd *c, uint64_t count) {
    int used = 0;
    c->count = count;
    c->entry = carom_bench_allocate(count * sizeof *c->entry);
    c->memory = carom_bench_allocate(ARRAYS * count * sizeof *c->memory);
    for (int a = 0; a < 3; a++) {
        c->prev[a] = next_array(c, &used);
        c->curr[a] = next_array(c, &used);
        c->spin[a] = next_array(c, &used);
        c->half[a] = next_array(c, &used);
    }
    for (int a = 0; a < 4; a++) {
        c->turn[a] = next_array(c, &used);
    }
    c->radius = next_array(c, &used);
}

/* A shape of another kind within box n. */
static carom_shape shape_within(const crowd *c, uint32_t n, carom_shape_kind as) {
    carom_shape shape = c->shape[n];
    const double *e = shape.extent;
    const double across = fmin(e[0], e[1]);
    shape.kind = as;
    if (as == CAROM_SHAPE_SPHERE || as == CAROM_SHAPE_CAPSULE) {
        shape.radius = fmin(across, e[2]) / 2;
        shape.extent[2] -= shape.radius;
    } else if (as == CAROM_SHAPE_CYLINDER || as == CAROM_SHAPE_CONE) {
        shape.radius = across;
    } else if (as == CAROM_SHAPE_HULL) {
        shape.point = c->point[n];
        shape.point_count = POINTS;
    }
    return shape;
}

static void make_shapes(crowd *c) {
    static carom_shape shape[SHAPES];
    for (int k = 0; k < KINDS; k++) {
        for (uint32_t n = 0; n < SHAPES && k != SPHERES; n++) {
            const int as = k == BOXES   ? CAROM_SHAPE_BOX
                           : k == HULLS ? CAROM_SHAPE_HULL
                                        : (int)n % (CAROM_SHAPE_HULL + 1);
            shape[n] = shape_within(c, n, (carom_shape_kind)as);
        }
        if (k != SPHERES && c->shapes[k] == NULL) {
            (void)carom_shapes_create(shape, SHAPES, NULL, &c->shapes[k], NULL);
        }
    }
}

static void draw_points(crowd *c) {
    carom_random random = carom_random_seeded(2);
    for (uint32_t n = 0; n < SHAPES; n++) {
        for (int p = 0; p < POINTS; p++) {
            carom_random_direction(&random, c->point[n][p]);
            for (int a = 0; a < 3; a++) {
                c->point[n][p][a] *= c->shape[n].extent[a];
            }
        }
    }
}

static void draw_turn(crowd *c, carom_random *random, uint64_t n) {
    double q[4];
    double turn[3][3];
    double square = 0;
    for (int a = 0; a < 4; a++) {
        q[a] = carom_random_gauss(random);
        square += q[a] * q[a];
    }
    for (int a = 0; a < 4; a++) {
        q[a] = square > 0 ? q[a] / sqrt(square) : 0.5;
        c->turn[a][n] = (float)q[a];
    }
    carom_pose_turn(q, turn);
    for (int a = 0; a < 3; a++) {
        const double *e = c->shape[c->entry[n]].extent;
        c->half[a][n] = (float)(fabs(turn[a][0]) * e[0] + fabs(turn[a][1]) * e[1] + fabs(turn[a][2]) * e[2]);
    }
    c->radius[n] = (c->half[0][n] + c->half[1][n] + c->half[2][n]) / 3;
}

/* How it moves, kept in curr until it has a place. */
static void draw_motion(crowd *c, carom_random *random, uint64_t n) {
    double move[3];
    double axis[3];
    carom_random_direction(random, move);
    carom_random_direction(random, axis);
    const double length = MOVE_MAX * carom_random_u01(random);
    const double angle = SPIN_MAX * carom_random_u01(random);
    for (int a = 0; a < 3; a++) {
        c->curr[a][n] = (float)(length * move[a]);
        c->spin[a][n] = (float)(angle * axis[a]);
    }
}

/* Edge of the cube in which N bodies have N pairs: a body overlaps those whose centres lie in a box as large as both.
 */
static double edge_of(const crowd *c, carom_random *random) {
    double sum = 0;
    for (int sample = 0; sample < SAMPLES; sample++) {
        const uint64_t i = carom_random_next(random) % c->count;
        const uint64_t k = carom_random_next(random) % c->count;
        double volume = 1;
        for (int a = 0; a < 3; a++) {
            volume *= 2 * (double)(c->half[a][i] + c->half[a][k]);
        }
        sum += volume;
    }
    return cbrt((double)c->count / 2 * sum / SAMPLES);
}

static void draw_places(crowd *c, carom_random *random) {
    const double edge = edge_of(c, random);
    for (uint64_t n = 0; n < c->count; n++) {
        for (int a = 0; a < 3; a++) {
            c->prev[a][n] = (float)(edge * carom_random_u01(random));
            c->curr[a][n] += c->prev[a][n];
        }
    }
}

static void draw_crowd(crowd *c, uint64_t count) {
    carom_random random = carom_random_seeded(1);
    lay_out(c, count);
    for (int n = 0; n < SHAPES; n++) {
        c->shape[n] = (carom_shape){.kind = CAROM_SHAPE_BOX};
        for (int a = 0; a < 3; a++) {
            c->shape[n].extent[a] = 0.25 + 0.75 * carom_random_u01(&random);
        }
    }
    for (uint64_t n = 0; n < count; n++) {
        c->entry[n] = (uint32_t)(carom_random_next(&random) % SHAPES);
        draw_turn(c, &random, n);
        draw_motion(c, &random, n);
    }
    draw_places(c, &random);
}

/* The crowd last asked for. */
static const crowd *shared_crowd(uint64_t count) {
    static crowd c;
    if (c.count != count) {
        free(c.entry);
        free(c.memory);
        draw_crowd(&c, count);
        draw_points(&c);
        make_shapes(&c);
    }
    return &c;
}

static carom_bodies_f32 bodies_of(const crowd *c, const run *r) {
    carom_bodies_f32 bodies = {.size = sizeof bodies, .count = c->count};
    for (int a = 0; a < 3; a++) {
        bodies.prev[a] = c->prev[a];
        bodies.curr[a] = r->moving ? c->curr[a] : NULL;
        bodies.spin[a] = r->moving && r->kind != SPHERES ? c->spin[a] : NULL;
    }
    if (r->kind != SPHERES) {
        bodies.shapes = c->shapes[r->kind];
        bodies.shape = c->entry;
        for (int a = 0; a < 4; a++) {
            bodies.prev_turn[a] = c->turn[a];
        }
    } else {
        bodies.radius = c->radius;
    }
    return bodies;
}

static void measure(carom_bench_state *state, carom_context *context, const run *r, const crowd *c) {
    const carom_bodies_f32 bodies = bodies_of(c, r);
    const carom_detect_config config = carom_detect_config_default();
    carom_detection_f32 found = {0};
    carom_status status = carom_detect_f32(context, &bodies, &config, NULL, &found, NULL);
    while (carom_bench_next(state) && status == CAROM_OK) {
        status = carom_detect_f32(context, &bodies, &config, NULL, &found, NULL);
    }
    if (status != CAROM_OK) {
        carom_bench_fail(state, carom_status_name(status));
    } else {
        carom_bench_counter(state, "box_pairs", (double)found.summary.box_pairs);
        carom_bench_counter(state, "touching_pairs", (double)found.summary.touching_pairs);
        carom_bench_items(state, c->count);
    }
}

static void bench_boxes(carom_bench_state *state, void *data) {
    const run *r = data;
    const crowd *c = shared_crowd(r->bodies);
    carom_context_config config = carom_context_config_default();
    carom_context *context;
    carom_error error = {.message = "no table of shapes"};
    config.threads = r->threads;
    if ((r->kind != SPHERES && c->shapes[r->kind] == NULL) ||
        carom_context_create(&config, &context, &error) != CAROM_OK) {
        carom_bench_fail(state, error.message);
        return;
    }
    measure(state, context, r, c);
    carom_context_destroy(context);
}

static void add(run r) {
    char name[96];
    run *kept = carom_bench_allocate(sizeof *kept);
    *kept = r;
    snprintf(name, sizeof name, "detect-boxes/%s/%s/%" PRIu64 "/threads:%u", KIND_NAMES[r.kind],
             r.moving ? "moving" : "resting", r.bodies, r.threads);
    carom_bench_register(name, bench_boxes, kept);
}

void carom_bench_register_boxes(void) {
    uint32_t threads[16];
    const size_t thread_counts = carom_bench_threads(threads);
    for (int s = 1; s < CAROM_BENCH_SIZES; s++) {
        for (size_t t = 0; t < thread_counts; t++) {
            for (int variant = 0; variant < 2 * KINDS; variant++) {
                add((run){.kind = (kind)(variant % KINDS),
                          .moving = variant >= KINDS,
                          .bodies = carom_bench_sizes[s],
                          .threads = threads[t]});
            }
        }
    }
}
