/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/prop/shape_scene_tmpl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/distance.h"
#include "carom/toi.h"
#include "tests/support/note.h"

typedef CAROM_REAL(carom_gap) gap_row;
typedef CAROM_REAL(carom_toi) toi_row;
#define DISTANCE_PAIRS CAROM_REAL(carom_distance_pairs)
#define TOI_PAIRS CAROM_REAL(carom_toi_pairs)

/* Convex entries come first; compounds are made of them. */
enum { CONVEX = 36, COMPOUNDS = 4, ENTRIES = CONVEX + COMPOUNDS, POINTS = 20, CHILDREN = 3, PREV_TURN = 6 };
enum { CURR_TURN = PREV_TURN + 4, SPIN = CURR_TURN + 4, FIELDS = SPIN + 3 };

static void *allocate(uint64_t bytes) {
    void *memory = calloc(1, bytes > 0 ? bytes : 1);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

static double between(carom_random *random, double least, double most) {
    return least + (most - least) * carom_random_u01(random);
}

/* A quaternion of length 0.7 to 1.4. */
static void draw_turn(carom_random *random, double turn[4]) {
    double length = 0.0;
    for (int a = 0; a < 4; a++) {
        turn[a] = carom_random_gauss(random);
        length += turn[a] * turn[a];
    }
    length = sqrt(length > 0.0 ? length : 1.0) / between(random, 0.7, 1.4);
    for (int a = 0; a < 4; a++) {
        turn[a] /= length;
    }
}

static carom_shape draw_convex(carom_shape_kind kind, carom_random *random, double (*point)[3]) {
    carom_shape shape = {.kind = kind, .radius = between(random, 0.1, 0.6)};
    for (int a = 0; a < 3; a++) {
        shape.extent[a] = between(random, 0.15, 0.7);
    }
    if (kind == CAROM_SHAPE_HULL) {
        shape.point = (const double(*)[3])point;
        shape.point_count = 4 + carom_random_next(random) % (POINTS - 3);
        for (uint64_t n = 0; n < shape.point_count; n++) {
            carom_random_direction(random, point[n]);
            for (int a = 0; a < 3; a++) {
                point[n][a] *= shape.extent[a];
            }
        }
    }
    return shape;
}

static carom_shape draw_compound(carom_random *random, carom_shape_child *child) {
    carom_shape shape = {.kind = CAROM_SHAPE_COMPOUND, .child = child, .child_count = CHILDREN};
    for (int n = 0; n < CHILDREN; n++) {
        child[n].shape = (uint32_t)(carom_random_next(random) % CONVEX);
        draw_turn(random, child[n].turn);
        for (int a = 0; a < 3; a++) {
            child[n].at[a] = between(random, -0.6, 0.6);
        }
    }
    return shape;
}

static carom_shapes *draw_table(shape_family family, carom_random *random) {
    static const carom_shape_kind kinds[] = {CAROM_SHAPE_SPHERE,   CAROM_SHAPE_BOX,  CAROM_SHAPE_CAPSULE,
                                             CAROM_SHAPE_HULL,     CAROM_SHAPE_CONE, CAROM_SHAPE_ELLIPSOID,
                                             CAROM_SHAPE_CYLINDER, CAROM_SHAPE_BOX,  CAROM_SHAPE_CAPSULE};
    static double point[CONVEX][POINTS][3];
    carom_shape shape[ENTRIES];
    carom_shape_child child[COMPOUNDS][CHILDREN];
    carom_shapes *table = NULL;
    memset(child, 0, sizeof child);
    for (uint64_t n = 0; n < CONVEX; n++) {
        const carom_shape_kind kind =
            family < FAMILY_MIXED ? kinds[family] : kinds[n % (sizeof kinds / sizeof kinds[0])];
        shape[n] = draw_convex(kind, random, point[n]);
    }
    for (uint64_t n = 0; n < COMPOUNDS; n++) {
        shape[CONVEX + n] = draw_compound(random, child[n]);
    }
    const uint64_t count = family == FAMILY_COMPOUNDS ? ENTRIES : CONVEX;
    carom_error error;
    const carom_status status = carom_shapes_create(shape, count, NULL, &table, &error);
    note_check(status == CAROM_OK, "no table: %s", error.message);
    return table;
}

static void draw_motion(shape_scene *scene, uint64_t n, carom_random *random) {
    const bool rests = n % 4 == 3;
    double turn[2][4];
    draw_turn(random, turn[0]);
    draw_turn(random, turn[1]);
    for (int a = 0; a < 3; a++) {
        scene->field[3 + a][n] = scene->field[a][n] + (carom_real)(rests ? 0.0 : between(random, -1.0, 1.0));
        scene->field[SPIN + a][n] = (carom_real)(rests ? 0.0 : between(random, -4.0, 4.0));
    }
    for (int a = 0; a < 4; a++) {
        scene->field[PREV_TURN + a][n] = (carom_real)turn[0][a];
        scene->field[CURR_TURN + a][n] = (carom_real)turn[rests ? 0 : 1][a];
    }
}

static void set_arrays(shape_scene *scene) {
    carom_bodies *bodies = &scene->bodies;
    bodies->size = sizeof *bodies;
    bodies->shapes = scene->shapes;
    bodies->shape = scene->shape;
    for (int a = 0; a < 3; a++) {
        bodies->prev[a] = scene->field[a];
        const bool stays = scene->motion == MOTION_REST || scene->motion == MOTION_PLACE;
        const bool spins = scene->motion == MOTION_SPIN || scene->motion == MOTION_PLACE;
        bodies->curr[a] = stays ? NULL : scene->field[3 + a];
        bodies->spin[a] = spins ? scene->field[SPIN + a] : NULL;
    }
    for (int a = 0; a < 4; a++) {
        bodies->prev_turn[a] = scene->field[PREV_TURN + a];
        bodies->curr_turn[a] = scene->motion == MOTION_TURN ? scene->field[CURR_TURN + a] : NULL;
    }
}

shape_scene shape_scene_make(shape_family family, shape_motion motion, uint64_t count, carom_random *random) {
    shape_scene scene = {.family = family, .motion = motion, .bodies = {.count = count}};
    const double side = cbrt((double)(count > 0 ? count : 1)) * (motion == MOTION_REST ? 0.9 : 1.3);
    scene.shapes = draw_table(family, random);
    scene.shape = allocate(count * sizeof *scene.shape);
    for (int f = 0; f < FIELDS; f++) {
        scene.field[f] = allocate(count * sizeof(carom_real));
    }
    for (uint64_t n = 0; n < count; n++) {
        const uint64_t drawn = carom_random_next(random);
        scene.shape[n] = (uint32_t)(drawn % carom_shapes_count(scene.shapes));
        if (family == FAMILY_COMPOUNDS && drawn >> 40 & 1) {
            scene.shape[n] = CONVEX + (uint32_t)(drawn >> 33) % COMPOUNDS;
        }
        for (int a = 0; a < 3; a++) {
            scene.field[a][n] = (carom_real)between(random, 0.0, side);
        }
        draw_motion(&scene, n, random);
    }
    set_arrays(&scene);
    return scene;
}

void shape_scene_release(shape_scene *scene) {
    for (int f = 0; f < FIELDS; f++) {
        free(scene->field[f]);
    }
    free(scene->shape);
    carom_shapes_destroy(scene->shapes);
}

const char *shape_scene_name(const shape_scene *scene) {
    static const char *const families[] = {"spheres", "boxes", "capsules", "hulls", "mixed", "compounds"};
    static const char *const motions[] = {"at rest", "in lines", "that turn", "that spin", "that spin in place"};
    static char name[64];
    (void)snprintf(name, sizeof name, "%s %s", families[scene->family], motions[scene->motion]);
    return name;
}

any_bodies shape_scene_any(const shape_scene *scene) {
    any_bodies bodies = {.precision = CAROM_REAL_BITS == 32 ? ANY_F32 : ANY_F64};
#if CAROM_REAL_BITS == 32
    bodies.f32 = scene->bodies;
#else
    bodies.f64 = scene->bodies;
    bodies.f32.count = scene->bodies.count; /* which any_detect reads for both */
#endif
    return bodies;
}

bool shape_scene_rests(const shape_scene *scene, uint64_t body) {
    return scene->motion == MOTION_REST || body % 4 == 3;
}

static carom_distance_config distance_config(const shape_scene *scene, carom_gap_detail detail) {
    carom_distance_config config = carom_distance_config_default();
    config.detail = detail;
    config.margin = scene->margin;
    config.tolerance = scene->tolerance;
    return config;
}

gap_row shape_scene_gap(carom_context *context, const shape_scene *scene, uint32_t i, uint32_t k) {
    const carom_distance_config config = distance_config(scene, CAROM_GAP_DISTANCE);
    gap_row row;
    carom_error error;
    const carom_status status = DISTANCE_PAIRS(context, &scene->bodies, &i, &k, 1, &config, &row, NULL, &error);
    note_check(status == CAROM_OK, "no distance: %s", error.message);
    return row;
}

toi_row shape_scene_impact(carom_context *context, const shape_scene *scene, uint32_t i, uint32_t k) {
    toi_row row;
    carom_error error;
    carom_toi_config config = carom_toi_config_default();
    config.margin = scene->margin;
    config.tolerance = scene->tolerance;
    const carom_status status = TOI_PAIRS(context, &scene->bodies, &i, &k, 1, &config, &row, &error);
    note_check(status == CAROM_OK, "no time of impact: %s", error.message);
    return row;
}

static void put_pair(brute_pairs *pairs, uint32_t i, uint32_t k) {
    if (pairs->count == pairs->capacity) {
        pairs->capacity = pairs->capacity * 2 + 16;
        pairs->i = realloc(pairs->i, pairs->capacity * sizeof *pairs->i);
        pairs->k = realloc(pairs->k, pairs->capacity * sizeof *pairs->k);
    }
    pairs->i[pairs->count] = i;
    pairs->k[pairs->count++] = k;
}

static bool overlap(const any_result *boxes, uint64_t i, uint64_t k) {
    bool meet = true;
    for (int a = 0; a < 3; a++) {
        meet = meet && boxes->box[a][i] <= boxes->box[a + 3][k] && boxes->box[a][k] <= boxes->box[a + 3][i];
    }
    return meet;
}

/* The state alone: what decides. */
static bool touches_at_rest(carom_context *context, const shape_scene *scene, uint32_t i, uint32_t k) {
    const carom_distance_config config = distance_config(scene, CAROM_GAP_STATE);
    gap_row row;
    carom_error error;
    const carom_status status = DISTANCE_PAIRS(context, &scene->bodies, &i, &k, 1, &config, &row, NULL, &error);
    note_check(status == CAROM_OK, "no state: %s", error.message);
    return row.state != CAROM_GAP_SEPARATED;
}

/* Whether the pair certainly touches: not just within a tolerance. */
static bool proved_to_touch(carom_context *context, const shape_scene *scene, uint32_t i, uint32_t k) {
    const bool rest = shape_scene_rests(scene, i) && shape_scene_rests(scene, k);
    const double gap = rest ? (double)shape_scene_gap(context, scene, i, k).upper
                            : (double)shape_scene_impact(context, scene, i, k).gap;
    return gap <= scene->margin;
}

brute_pairs shape_scene_touches(carom_context *context, const shape_scene *scene, const any_result *boxes,
                                brute_pairs *overlapping) {
    brute_pairs touching = {0};
    *overlapping = (brute_pairs){0};
    for (uint32_t i = 0; i < scene->bodies.count; i++) {
        for (uint32_t k = i + 1; k < scene->bodies.count; k++) {
            const bool boxed = overlap(boxes, i, k);
            const bool rest = shape_scene_rests(scene, i) && shape_scene_rests(scene, k);
            const bool touch = rest ? touches_at_rest(context, scene, i, k)
                                    : shape_scene_impact(context, scene, i, k).state != CAROM_TOI_NONE;
            note_check(boxed || !touch || !proved_to_touch(context, scene, i, k), "boxes of %u and %u miss a touch", i,
                       k);
            if (boxed) {
                put_pair(overlapping, i, k);
            }
            if (boxed && touch) {
                put_pair(&touching, i, k);
            }
        }
    }
    return touching;
}
