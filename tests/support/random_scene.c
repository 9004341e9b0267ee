/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/support/random_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where positions, displacements and radii are drawn from. */
typedef struct recipe {
    double lo[3]; /* positions are uniform in lo .. lo + size */
    double size[3];
    double move;    /* length of the longest displacement */
    double radius;  /* largest radius */
    double ratio;   /* largest to smallest radius, even in the logarithm; 1: all the same */
    double spacing; /* > 0: positions are rounded to multiples of it */
    double step;    /* > 0: displacements are rounded to multiples of it */
} recipe;

static double uniform(carom_random *random, double lo, double size) {
    return lo + size * carom_random_u01(random);
}

static double rounded(double x, double to) {
    return to > 0 ? to * nearbyint(x / to) : x;
}

static double drawn_radius(const recipe *r, carom_random *random) {
    return r->ratio > 1 ? r->radius * pow(r->ratio, -carom_random_u01(random)) : r->radius;
}

static void draw_body(random_scene *scene, uint64_t n, const recipe *r, carom_random *random) {
    double direction[3];
    carom_random_direction(random, direction);
    double move = r->move * carom_random_u01(random);
    for (int a = 0; a < 3; a++) {
        double prev = rounded(uniform(random, r->lo[a], r->size[a]), r->spacing);
        scene->field[a][n] = prev;
        scene->field[a + 3][n] = prev + rounded(direction[a] * move, r->step);
    }
    scene->field[6][n] = drawn_radius(r, random);
}

static recipe cube(double size, double move, double radius) {
    return (recipe){.size = {size, size, size}, .move = move, .radius = radius, .ratio = 1};
}

/* Edge of a cube in which `count` unit spheres fill this share of the space. */
static double edge_of(uint64_t count, double share) {
    const double unit_sphere = 4.18879020478639;
    return cbrt(((double)count + 1) * unit_sphere / share);
}

static recipe shifted(recipe r, double by) {
    for (int a = 0; a < 3; a++) {
        r.lo[a] += by;
    }
    return r;
}

static recipe stretched(uint64_t count, bool column, carom_random *random) {
    recipe r = cube(1, 1, 1);
    int special = (int)(carom_random_next(random) % 3);
    double thin = column ? 12 : 3;
    double filled = ((double)count + 1) * 4.2 / 0.15;
    for (int a = 0; a < 3; a++) {
        bool is_long = column ? a == special : a != special;
        double length = column ? filled / (thin * thin) : sqrt(filled / thin);
        r.size[a] = is_long ? length : thin;
    }
    return r;
}

static recipe scaled(recipe r, double by) {
    for (int a = 0; a < 3; a++) {
        r.lo[a] *= by;
        r.size[a] *= by;
    }
    r.move *= by;
    r.radius *= by;
    return r;
}

static recipe flattened(recipe r, bool also_x, carom_random *random) {
    r.lo[2] = uniform(random, -5, 10);
    r.size[2] = 0;
    r.size[0] = also_x ? 0 : r.size[0] * 2;
    return r;
}

static recipe choose_recipe(random_scene_kind kind, uint64_t count, carom_random *random) {
    double edge = edge_of(count, 0.1);
    recipe r = cube(edge, 1, 1);
    switch (kind) {
    case RANDOM_UNIFORM_DENSE:
        return cube(edge_of(count, 0.6), 0.5, 1);
    case RANDOM_UNIFORM_SPARSE:
        return cube(edge_of(count, 0.005), 1, 1);
    case RANDOM_RADII:
        r = cube(edge_of(count, 0.2) * 4, 2, 10);
        r.ratio = 1000;
        return r;
    case RANDOM_FAST:
        return cube(edge * 2, edge * 4, 0.3);
    case RANDOM_PLANE:
        return flattened(r, false, random);
    case RANDOM_LINE:
        return flattened(r, true, random);
    case RANDOM_POINT:
        return cube(0, 3, 0.01);
    case RANDOM_LATTICE:
        r = cube(floor(cbrt((double)count)) + 1, 1.5, 0.5);
        r.spacing = r.step = 1;
        return r;
    case RANDOM_GRAZING:
        r = cube(12, 8, 2);
        r.spacing = r.step = 1;
        return r;
    case RANDOM_OFFSET:
        return shifted(r, 1e7);
    case RANDOM_POINTS:
        r = cube(5, 3, 0);
        r.spacing = r.step = 1;
        return r;
    case RANDOM_NEGATIVE:
        return shifted(r, -2 * edge);
    case RANDOM_HUGE:
        return scaled(shifted(r, -0.5 * edge), 1e37 / edge);
    case RANDOM_TINY:
        return scaled(r, 1e-37);
    case RANDOM_REST:
        r.move = 0;
        return r;
    case RANDOM_COLUMN:
        return stretched(count, true, random);
    case RANDOM_SLAB:
        return stretched(count, false, random);
    default:
        return r;
    }
}

/* Half of the time the radii of an integer scene are halves, or differ. */
static void vary_radii(random_scene *scene, carom_random *random) {
    double factor = 0.5 * (double)(1 + carom_random_next(random) % 3);
    bool differ = carom_random_next(random) % 2 == 0;
    for (uint64_t n = 0; n < scene->bodies.count; n++) {
        scene->field[6][n] = differ ? 0.5 * (double)(carom_random_next(random) % 5) : factor;
    }
}

static void copy_body(random_scene *scene, uint64_t to, uint64_t from) {
    for (int f = 0; f < 7; f++) {
        scene->field[f][to] = scene->field[f][from];
    }
}

static void move_body(random_scene *scene, uint64_t n, int axis, double by) {
    scene->field[axis][n] += by;
    scene->field[axis + 3][n] += by;
}

static void set_motion(random_scene *scene, uint64_t n, const double motion[3]) {
    for (int a = 0; a < 3; a++) {
        scene->field[a + 3][n] = scene->field[a][n] + motion[a];
    }
}

/* Clusters of 50, far apart: the bodies of one keep their places within it. */
static void cluster(random_scene *scene, carom_random *random) {
    uint64_t clusters = scene->bodies.count / 50 + 2;
    double size = edge_of(50, 0.2) / edge_of(scene->bodies.count, 0.1);
    for (uint64_t n = 0; n < scene->bodies.count; n++) {
        uint64_t c = carom_random_next(random) % clusters;
        for (int a = 0; a < 3; a++) {
            carom_random place = carom_random_seeded(3 * c + (uint64_t)a);
            double prev = scene->field[a][n];
            double to = prev * size + 300 * carom_random_u01(&place);
            move_body(scene, n, a, to - prev);
        }
    }
}

/* What a recipe alone cannot say. */
static void finish(random_scene *scene, random_scene_kind kind, carom_random *random) {
    uint64_t count = scene->bodies.count;
    const double motion[3] = {0.5, -1.25, 2};
    if (kind == RANDOM_GRAZING) {
        vary_radii(scene, random);
    }
    if (kind == RANDOM_OUTLIER && count > 0) {
        move_body(scene, carom_random_next(random) % count, (int)(carom_random_next(random) % 3), 1e9);
    }
    if (kind == RANDOM_GIANT && count > 0) {
        scene->field[6][carom_random_next(random) % count] = 1000;
    }
    if (kind == RANDOM_CLUSTERED) {
        cluster(scene, random);
    }
    for (uint64_t n = 0; n < count; n++) {
        if (kind == RANDOM_COPIES && n >= count / 4 + 1) {
            copy_body(scene, n, carom_random_next(random) % (count / 4 + 1));
        } else if (kind == RANDOM_TOGETHER) {
            set_motion(scene, n, motion);
        } else if (kind == RANDOM_DIAGONAL) {
            move_body(scene, n, 2, scene->field[0][n] + scene->field[1][n] - 0.9 * scene->field[2][n]);
        }
    }
}

random_scene random_scene_blank(uint64_t count) {
    random_scene scene = {.bodies = {.count = count}};
    double *block = calloc(7 * count + 1, sizeof *block);
    if (block == NULL) {
        abort();
    }
    for (uint64_t f = 0; f < 7; f++) {
        scene.field[f] = block + f * count;
    }
    for (int a = 0; a < 3; a++) {
        scene.bodies.prev[a] = scene.field[a];
        scene.bodies.curr[a] = scene.field[a + 3];
    }
    scene.bodies.radius = scene.field[6];
    return scene;
}

random_scene random_scene_make(random_scene_kind kind, uint64_t count, bool for_f32, carom_random *random) {
    random_scene scene = random_scene_blank(count);
    recipe r = choose_recipe(kind, count, random);
    for (uint64_t n = 0; n < count; n++) {
        draw_body(&scene, n, &r, random);
    }
    finish(&scene, kind, random);
    for (uint64_t n = 0; for_f32 && n < 7 * count; n++) {
        scene.field[0][n] = (double)(float)scene.field[0][n];
    }
    return scene;
}

random_scene random_scene_permuted(const random_scene *scene, const uint32_t *order) {
    random_scene permuted = random_scene_blank(scene->bodies.count);
    for (int f = 0; f < 7; f++) {
        for (uint64_t n = 0; n < scene->bodies.count; n++) {
            permuted.field[f][n] = scene->field[f][order[n]];
        }
    }
    return permuted;
}

void random_scene_release(random_scene *scene) {
    free(scene->field[0]);
    memset(scene, 0, sizeof *scene);
}

uint32_t *random_order(uint64_t count, carom_random *random) {
    uint32_t *order = calloc(count + 1, sizeof *order);
    if (order == NULL) {
        abort();
    }
    for (uint64_t n = 0; n < count; n++) {
        order[n] = (uint32_t)n;
    }
    for (uint64_t n = count; n > 1; n--) {
        uint64_t other = carom_random_next(random) % n;
        uint32_t last = order[n - 1];
        order[n - 1] = order[other];
        order[other] = last;
    }
    return order;
}

const char *random_scene_name(random_scene_kind kind) {
    static const char *const names[RANDOM_KINDS] = {
        [RANDOM_UNIFORM_DENSE] = "dense", [RANDOM_UNIFORM_SPARSE] = "sparse",
        [RANDOM_RADII] = "radii",         [RANDOM_FAST] = "fast",
        [RANDOM_PLANE] = "plane",         [RANDOM_LINE] = "line",
        [RANDOM_POINT] = "point",         [RANDOM_LATTICE] = "lattice",
        [RANDOM_GRAZING] = "grazing",     [RANDOM_OUTLIER] = "outlier",
        [RANDOM_OFFSET] = "offset",       [RANDOM_POINTS] = "points",
        [RANDOM_COPIES] = "copies",       [RANDOM_NEGATIVE] = "negative",
        [RANDOM_HUGE] = "huge",           [RANDOM_TINY] = "tiny",
        [RANDOM_REST] = "rest",           [RANDOM_GIANT] = "giant",
        [RANDOM_TOGETHER] = "together",   [RANDOM_DIAGONAL] = "diagonal",
        [RANDOM_CLUSTERED] = "clustered", [RANDOM_COLUMN] = "column",
        [RANDOM_SLAB] = "slab",
    };
    return kind < RANDOM_KINDS ? names[kind] : "?";
}
