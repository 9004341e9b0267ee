/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "bench/shape_pairs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/scene/random.h"

/* Spreads were found by bisection with libccd: 49 to 53 % of the pairs touch if each body has its own shape, 47 to 53 %
 * of those with 64 shapes and seeds 1 to 3. */
static const carom_pair_kind KINDS[] = {
    {"sphere-sphere", CAROM_SHAPE_SPHERE, CAROM_SHAPE_SPHERE, 0, 1.26},
    {"sphere-capsule", CAROM_SHAPE_SPHERE, CAROM_SHAPE_CAPSULE, 0, 1.12},
    {"sphere-box", CAROM_SHAPE_SPHERE, CAROM_SHAPE_BOX, 0, 1.43},
    {"sphere-cylinder", CAROM_SHAPE_SPHERE, CAROM_SHAPE_CYLINDER, 0, 1.26},
    {"capsule-capsule", CAROM_SHAPE_CAPSULE, CAROM_SHAPE_CAPSULE, 0, 0.97},
    {"capsule-box", CAROM_SHAPE_CAPSULE, CAROM_SHAPE_BOX, 0, 1.33},
    {"box-box", CAROM_SHAPE_BOX, CAROM_SHAPE_BOX, 0, 1.67},
    {"box-cylinder", CAROM_SHAPE_BOX, CAROM_SHAPE_CYLINDER, 0, 1.47},
    {"cylinder-cylinder", CAROM_SHAPE_CYLINDER, CAROM_SHAPE_CYLINDER, 0, 1.29},
    {"cone-cone", CAROM_SHAPE_CONE, CAROM_SHAPE_CONE, 0, 0.86},
    {"ellipsoid-ellipsoid", CAROM_SHAPE_ELLIPSOID, CAROM_SHAPE_ELLIPSOID, 0, 1.22},
    {"hull8", CAROM_SHAPE_HULL, CAROM_SHAPE_HULL, 8, 1.00},
    {"hull16", CAROM_SHAPE_HULL, CAROM_SHAPE_HULL, 16, 1.24},
    {"hull32", CAROM_SHAPE_HULL, CAROM_SHAPE_HULL, 32, 1.39},
    {"hull64", CAROM_SHAPE_HULL, CAROM_SHAPE_HULL, 64, 1.45},
};

enum { ARRAYS = 13 }; /* of each body: prev, curr, turn, spin */

/* Half the edge of the cube that first bodies lie in. */
static const double ROOM = 10;

/* Spread of pairs at the end of their motion, over that of pairs at rest: 85 to 95 % hit. */
static const double END_SPREAD = 0.75;

/* The greatest angle that a body in motion turns by, in radians. Bullet cuts those beyond 0.78. */
static const double TURN_MAX = 0.75;

size_t carom_pair_kinds(const carom_pair_kind **kinds) {
    *kinds = KINDS;
    return sizeof KINDS / sizeof *KINDS;
}

const carom_pair_kind *carom_pair_kind_named(const char *name) {
    for (size_t n = 0; n < sizeof KINDS / sizeof *KINDS; n++) {
        if (strcmp(KINDS[n].name, name) == 0) {
            return &KINDS[n];
        }
    }
    return NULL;
}

static void *allocate(uint64_t count, size_t size) {
    void *block = calloc(count > 0 ? count : 1, size);
    if (block == NULL) {
        fputs("no memory for pairs of shapes\n", stderr);
        exit(4);
    }
    return block;
}

/* Uniform, rounded to float. */
static double between(carom_random *random, double least, double greatest) {
    return (double)(float)(least + (greatest - least) * carom_random_u01(random));
}

static void draw_points(carom_random *random, uint32_t count, double (*point)[3]) {
    double axes[3];
    for (int a = 0; a < 3; a++) {
        axes[a] = between(random, 0.5, 1);
    }
    for (uint32_t n = 0; n < count; n++) {
        carom_random_direction(random, point[n]);
        for (int a = 0; a < 3; a++) {
            point[n][a] = (double)(float)(axes[a] * point[n][a]);
        }
    }
}

static carom_shape draw_shape(carom_random *random, carom_shape_kind kind, uint32_t points, double (*point)[3]) {
    carom_shape shape = {.kind = kind};
    if (kind == CAROM_SHAPE_HULL) {
        draw_points(random, points, point);
        shape.point = (const double(*)[3])point;
        shape.point_count = points;
    } else if (kind == CAROM_SHAPE_SPHERE) {
        shape.radius = between(random, 0.25, 1);
    } else if (kind == CAROM_SHAPE_CAPSULE) {
        shape.radius = between(random, 0.1, 0.5);
    } else if (kind == CAROM_SHAPE_CYLINDER || kind == CAROM_SHAPE_CONE) {
        shape.radius = between(random, 0.25, 0.75);
    }
    for (int a = 0; a < 3; a++) {
        shape.extent[a] = between(random, 0.25, 1);
    }
    return shape;
}

/* No point of the shape is farther from its origin. */
static double reach_of(const carom_shape *shape) {
    const double *e = shape->extent;
    switch (shape->kind) {
    case CAROM_SHAPE_SPHERE:
        return shape->radius;
    case CAROM_SHAPE_CAPSULE:
        return shape->radius + e[2];
    case CAROM_SHAPE_BOX:
        return sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
    case CAROM_SHAPE_CYLINDER:
    case CAROM_SHAPE_CONE:
        return sqrt(shape->radius * shape->radius + e[2] * e[2]);
    default:
        return 1; /* ellipsoids and hulls are no longer */
    }
}

static void draw_shapes(carom_shape_pairs *pairs, carom_random *random) {
    const uint64_t side = pairs->config.shapes > 0 ? pairs->config.shapes : pairs->config.count;
    const uint32_t points = pairs->kind.points;
    pairs->shape_count = 2 * side;
    pairs->shape = allocate(pairs->shape_count, sizeof *pairs->shape);
    pairs->point = allocate(pairs->shape_count * points, sizeof *pairs->point);
    for (uint64_t n = 0; n < pairs->shape_count; n++) {
        pairs->shape[n] =
            draw_shape(random, n < side ? pairs->kind.i : pairs->kind.k, points, pairs->point + n * points);
    }
}

static void draw_turn(carom_random *random, const carom_shape_pairs *pairs, uint32_t body) {
    double q[4];
    double square = 0;
    for (int a = 0; a < 4; a++) {
        q[a] = carom_random_gauss(random);
        square += q[a] * q[a];
    }
    for (int a = 0; a < 4; a++) {
        pairs->turn[a][body] = (float)(square > 0 ? q[a] / sqrt(square) : 0.5);
    }
}

static void draw_spin(carom_random *random, const carom_shape_pairs *pairs, uint32_t body) {
    double axis[3];
    carom_random_direction(random, axis);
    const double angle = TURN_MAX * carom_random_u01(random);
    for (int a = 0; a < 3; a++) {
        pairs->spin[a][body] = (float)(angle * axis[a]);
    }
}

static void draw_cube(carom_random *random, double half, double v[3]) {
    for (int a = 0; a < 3; a++) {
        v[a] = half * (2 * carom_random_u01(random) - 1);
    }
}

/* From i to k, at the start and at the end. */
static void draw_ways(carom_random *random, const carom_shape_pairs *pairs, uint64_t n, double begin[3],
                      double end[3]) {
    if (!pairs->config.moving) {
        draw_cube(random, pairs->kind.spread, begin);
        memcpy(end, begin, 3 * sizeof *end);
        return;
    }
    const carom_shape *i = &pairs->shape[pairs->entry[pairs->i[n]]];
    const carom_shape *k = &pairs->shape[pairs->entry[pairs->k[n]]];
    const double far = reach_of(i) + reach_of(k) + carom_random_u01(random);
    carom_random_direction(random, begin);
    for (int a = 0; a < 3; a++) {
        begin[a] *= far;
    }
    draw_cube(random, END_SPREAD * pairs->kind.spread, end);
}

static void draw_pair(carom_random *random, const carom_shape_pairs *pairs, uint64_t n) {
    const uint64_t side = pairs->shape_count / 2;
    const uint32_t i = pairs->i[n];
    const uint32_t k = pairs->k[n];
    double at[3];
    double begin[3];
    double end[3];
    pairs->entry[i] = (uint32_t)(pairs->config.shapes > 0 ? carom_random_next(random) % side : n);
    pairs->entry[k] = (uint32_t)(side + (pairs->config.shapes > 0 ? carom_random_next(random) % side : n));
    draw_cube(random, ROOM, at);
    draw_ways(random, pairs, n, begin, end);
    for (int a = 0; a < 3; a++) {
        const double half = (end[a] - begin[a]) / 2;
        pairs->prev[a][i] = (float)at[a];
        pairs->curr[a][i] = (float)(at[a] - half);
        pairs->prev[a][k] = (float)(at[a] + begin[a]);
        pairs->curr[a][k] = (float)(at[a] + begin[a] + half);
    }
    draw_turn(random, pairs, i);
    draw_turn(random, pairs, k);
    draw_spin(random, pairs, i);
    draw_spin(random, pairs, k);
}

/* Which bodies make pair n: 2n and 2n + 1, or those that a permutation of all bodies puts there (Durstenfeld 1964). */
static void choose_bodies(carom_shape_pairs *pairs, carom_random *random) {
    uint32_t *body = allocate(pairs->body_count, sizeof *body);
    for (uint64_t n = 0; n < pairs->body_count; n++) {
        const uint64_t other = pairs->config.shuffled ? carom_random_next(random) % (n + 1) : n;
        body[n] = body[other];
        body[other] = (uint32_t)n;
    }
    for (uint64_t n = 0; n < pairs->config.count; n++) {
        pairs->i[n] = body[2 * n];
        pairs->k[n] = body[2 * n + 1];
    }
    free(body);
}

/* The body arrays: float ones, and their places in the double ones. */
static void each_array(carom_shape_pairs *pairs, float **array[ARRAYS]) {
    for (int a = 0; a < 3; a++) {
        array[a] = &pairs->prev[a];
        array[3 + a] = &pairs->curr[a];
        array[10 + a] = &pairs->spin[a];
    }
    for (int a = 0; a < 4; a++) {
        array[6 + a] = &pairs->turn[a];
    }
}

static void widen(carom_shape_pairs *pairs) {
    float **array[ARRAYS];
    each_array(pairs, array);
    for (uint64_t a = 0; a < ARRAYS; a++) {
        for (uint64_t n = 0; n < pairs->body_count; n++) {
            pairs->wide[a * pairs->body_count + n] = (double)(*array[a])[n];
        }
    }
}

void carom_shape_pairs_make(const carom_pair_kind *kind, const carom_shape_pairs_config *config,
                            carom_shape_pairs *pairs) {
    carom_random random = carom_random_seeded(config->seed);
    float **array[ARRAYS];
    *pairs = (carom_shape_pairs){.kind = *kind, .config = *config, .body_count = 2 * config->count};
    pairs->entry = allocate(pairs->body_count, sizeof *pairs->entry);
    pairs->i = allocate(config->count, sizeof *pairs->i);
    pairs->k = allocate(config->count, sizeof *pairs->k);
    pairs->wide = allocate(ARRAYS * pairs->body_count, sizeof *pairs->wide);
    each_array(pairs, array);
    for (int a = 0; a < ARRAYS; a++) {
        *array[a] = allocate(pairs->body_count, sizeof **array[a]);
    }
    choose_bodies(pairs, &random);
    draw_shapes(pairs, &random);
    for (uint64_t n = 0; n < config->count; n++) {
        draw_pair(&random, pairs, n);
    }
    widen(pairs);
}

carom_bodies_f32 carom_shape_pairs_bodies_f32(const carom_shape_pairs *pairs, const carom_shapes *shapes) {
    carom_bodies_f32 bodies = {
        .size = sizeof bodies, .count = pairs->body_count, .shapes = shapes, .shape = pairs->entry};
    for (int a = 0; a < 3; a++) {
        bodies.prev[a] = pairs->prev[a];
        bodies.curr[a] = pairs->config.moving ? pairs->curr[a] : NULL;
        bodies.spin[a] = pairs->config.moving ? pairs->spin[a] : NULL;
    }
    for (int a = 0; a < 4; a++) {
        bodies.prev_turn[a] = pairs->turn[a];
    }
    return bodies;
}

carom_bodies_f64 carom_shape_pairs_bodies_f64(const carom_shape_pairs *pairs, const carom_shapes *shapes) {
    const uint64_t count = pairs->body_count;
    carom_bodies_f64 bodies = {.size = sizeof bodies, .count = count, .shapes = shapes, .shape = pairs->entry};
    for (uint64_t a = 0; a < 3; a++) {
        bodies.prev[a] = pairs->wide + a * count;
        bodies.curr[a] = pairs->config.moving ? pairs->wide + (3 + a) * count : NULL;
        bodies.spin[a] = pairs->config.moving ? pairs->wide + (10 + a) * count : NULL;
    }
    for (uint64_t a = 0; a < 4; a++) {
        bodies.prev_turn[a] = pairs->wide + (6 + a) * count;
    }
    return bodies;
}

void carom_shape_pairs_release(carom_shape_pairs *pairs) {
    float **array[ARRAYS];
    each_array(pairs, array);
    for (int a = 0; a < ARRAYS; a++) {
        free(*array[a]);
    }
    free(pairs->shape);
    free(pairs->point);
    free(pairs->entry);
    free(pairs->i);
    free(pairs->k);
    free(pairs->wide);
    *pairs = (carom_shape_pairs){.body_count = 0};
}
