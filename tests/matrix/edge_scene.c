/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/matrix/edge_scene.h"

#include <math.h>
#include <stdlib.h>

#include "kernel/scene/random.h"

enum { FIELDS = 7, SPACING = 4, STEPS = 3 };

static carom_scene_f32 blank(uint64_t count) {
    carom_scene_f32 scene = {.count = count};
    float *block = calloc(FIELDS * count + 1, sizeof *block);
    if (block == NULL) {
        abort();
    }
    scene.memory = block;
    for (uint64_t a = 0; a < 3; a++) {
        scene.prev[a] = block + a * count;
        scene.curr[a] = block + (a + 3) * count;
    }
    scene.radius = block + 6 * count;
    return scene;
}

/* Along an axis so far that neighbours of radii 1 and 2 meet at the end or pass each other, or two axes as 3 to 4, by
 * which a sphere grazes one that is two sites on and one aside. */
static void draw_displacement(carom_random *random, int displacement[3]) {
    static const int along[] = {0, 0, 1, 2, 2, 4, 8, 6};
    const uint64_t bits = carom_random_next(random);
    const uint64_t axis = bits % 3;
    const int length = along[bits >> 8 & 7];
    displacement[0] = displacement[1] = displacement[2] = 0;
    displacement[axis] = (bits >> 16 & 1) != 0 ? -length : length;
    if (length == 6) {
        displacement[(axis + 1 + (bits >> 17 & 1)) % 3] = (bits >> 18 & 1) != 0 ? -8 : 8;
    }
}

static uint64_t sites_a_side(uint64_t count) {
    uint64_t side = 1;
    while (side * side * side < count) {
        side++;
    }
    return side;
}

static carom_scene_f32 make_tangent(uint64_t count, carom_random *random) {
    carom_scene_f32 scene = blank(count);
    const uint64_t side = sites_a_side(count);
    for (uint64_t n = 0; n < count; n++) {
        const uint64_t site[3] = {n % side, n / side % side, n / side / side};
        int displacement[3];
        draw_displacement(random, displacement);
        for (int a = 0; a < 3; a++) {
            scene.prev[a][n] = (float)(SPACING * site[a]);
            scene.curr[a][n] = scene.prev[a][n] + (float)displacement[a];
        }
        scene.radius[n] = carom_random_next(random) % 4 == 0 ? 1.0F : 2.0F;
    }
    for (int a = 0; a < 3; a++) {
        scene.box[a] = (double)(SPACING * side);
    }
    return scene;
}

static double dot(const double x[3], const double y[3]) {
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

/* Least distance of bodies n and n + 1 in the step. */
static double least_distance(const carom_scene_f32 *scene, uint64_t n) {
    double p[3];
    double v[3];
    for (int a = 0; a < 3; a++) {
        p[a] = (double)scene->prev[a][n] - (double)scene->prev[a][n + 1];
        v[a] = (double)scene->curr[a][n] - (double)scene->curr[a][n + 1] - p[a];
    }
    const double square = dot(v, v);
    const double closest = square > 0 ? -dot(p, v) / square : 0;
    const double t = closest < 0 ? 0 : closest > 1 ? 1 : closest;
    for (int a = 0; a < 3; a++) {
        p[a] += t * v[a];
    }
    return sqrt(dot(p, p));
}

static void place_body(carom_random *random, carom_scene_f32 *scene, uint64_t n, const double middle[3]) {
    double aside[3];
    carom_random_direction(random, aside);
    for (int a = 0; a < 3; a++) {
        scene->prev[a][n] = (float)(middle[a] + aside[a]);
        scene->curr[a][n] = scene->prev[a][n] + (float)(2 * carom_random_u01(random) - 1);
    }
}

/* The second radius is what the first leaves of the distance, up to STEPS floats more or less. */
static void fit_radii(carom_random *random, carom_scene_f32 *scene, uint64_t n) {
    const double distance = least_distance(scene, n);
    scene->radius[n] = (float)(distance * (0.25 + 0.5 * carom_random_u01(random)));
    float rest = (float)(distance - (double)scene->radius[n]);
    const int steps = (int)(carom_random_next(random) % (2 * STEPS + 1)) - STEPS;
    for (int step = 0; step < abs(steps); step++) {
        rest = nextafterf(rest, steps < 0 ? 0.0F : INFINITY);
    }
    scene->radius[n + 1] = rest;
}

static carom_scene_f32 make_near(uint64_t count, carom_random *random) {
    carom_scene_f32 scene = blank(count);
    const double side = (double)(SPACING * sites_a_side(count / 2));
    double middle[3] = {0, 0, 0};
    for (uint64_t n = 0; n < count; n++) {
        for (int a = 0; a < 3 && n % 2 == 0; a++) {
            middle[a] = side * carom_random_u01(random);
        }
        place_body(random, &scene, n, middle);
        if (n % 2 == 1) {
            fit_radii(random, &scene, n - 1);
        }
    }
    return scene;
}

bool edge_scene_knows(char letter) {
    return letter == 't' || letter == 'n';
}

carom_scene_f32 edge_scene_make(char letter, uint64_t count) {
    carom_random random = carom_random_seeded((uint64_t)letter << 56 ^ count);
    return letter == 't' ? make_tangent(count, &random) : make_near(count, &random);
}

void edge_scene_release(carom_scene_f32 *scene) {
    free(scene->memory);
    *scene = (carom_scene_f32){0};
}
