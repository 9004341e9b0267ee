/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The six standard scenes. Each is a row of the table `recipes`: what it draws once for the whole scene (prepare),
 * and where it puts a body (place). Direction and length of the displacement are drawn alike in all of them.
 *
 * Everything is computed in double and rounded to float where the definition in kernel/scene/README.md says so: the
 * same bits on every machine whose cbrt and pow agree to the last place kept. O(N); a few tens of nanoseconds a body.
 */
#include "kernel/scene/scene.h"

#include <stddef.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/scene/random.h"
#include "kernel/sys/arithmetic.h"
#include "kernel/sys/memory.h"

#define SCENE_PI 3.14159265358979323846
#define UNIT_VOLUME (4 * SCENE_PI / 3) /* of a sphere of radius 1 */

enum {
    CLUSTERS = 64,
    ARRAYS = 7,                    /* prev, curr: three each; radius */
    PAGE = 4096,                   /* addresses this far apart share an L1 set */
    STAGGER = 9 * CAROM_CACHE_LINE /* seven arrays this far apart, modulo PAGE, never meet */
};

/* A scene being made. */
typedef struct maker {
    carom_random random; /* every draw advances it: the order of draws is part of the definition */
    carom_scene_f32 *scene;
    double count;               /* of bodies */
    double extent[3];           /* box, one corner at the origin (column: centred on it in z) */
    double pitch;               /* dense: lattice spacing */
    uint64_t side;              /* dense: lattice sites along an axis */
    double sigma;               /* clustered: standard deviation of a cluster */
    double centre[CLUSTERS][3]; /* clustered: of each cluster */
    uint32_t *site;             /* dense: lattice site of each body; belongs to `memory` */
    carom_memory memory;
} maker;

/* How a scene is made. */
typedef struct recipe {
    char letter;      /* on the command line */
    const char *name; /* one word */
    double length;    /* of every displacement; 0: drawn from [0, 1) */
    carom_status (*prepare)(maker *make);
    void (*place)(maker *make, uint64_t body, double at[3]);
} recipe;

/* All bodies alike. */
static void fill_radius(carom_scene_f32 *scene, float radius) {
    for (uint64_t body = 0; body < scene->count; ++body) {
        scene->radius[body] = radius;
    }
}

/* The box that bodies start in. */
static void set_extent(maker *make, double x, double y, double z) {
    make->extent[0] = x;
    make->extent[1] = y;
    make->extent[2] = z;
}

/* Uniform in the box. */
static void place_in_box(maker *make, uint64_t body, double at[3]) {
    (void)body;
    for (int axis = 0; axis < 3; ++axis) {
        at[axis] = make->extent[axis] * carom_random_u01(&make->random);
    }
}

/* u: spheres fill 0.10 of a cube. */
static carom_status prepare_uniform(maker *make) {
    const double side = cbrt(make->count * UNIT_VOLUME / 0.10);
    set_extent(make, side, side, side);
    fill_radius(make->scene, 1);
    return CAROM_OK;
}

/* p: radii r >= 1 with P(radius > r) = r^-2.5, cut off at 100; spheres fill 0.10 of a cube. */
static carom_status prepare_power_law(maker *make) {
    double volume = 0;
    for (uint64_t body = 0; body < make->scene->count; ++body) {
        const double radius = pow(1 - carom_random_u01(&make->random), -1 / 2.5);
        const float rounded = (float)(radius < 100 ? radius : 100);
        make->scene->radius[body] = rounded;
        volume += UNIT_VOLUME * (double)rounded * (double)rounded * (double)rounded;
    }
    const double side = cbrt(volume / 0.10);
    set_extent(make, side, side, side);
    return CAROM_OK;
}

/* l: a layer four units thick, spheres fill 0.30 of it. */
static carom_status prepare_slab(maker *make) {
    const double side = sqrt(make->count * UNIT_VOLUME / (0.30 * 4));
    set_extent(make, side, side, 4);
    fill_radius(make->scene, 1);
    return CAROM_OK;
}

/* a: a tower of 16 by 16 units, spheres fill 0.10 of it. */
static carom_status prepare_column(maker *make) {
    set_extent(make, 16, 16, make->count * UNIT_VOLUME / (0.10 * 256));
    fill_radius(make->scene, 1);
    return CAROM_OK;
}

/* As the column stands centred on z = 0, large coordinates of both signs occur. */
static void place_in_column(maker *make, uint64_t body, double at[3]) {
    (void)body;
    at[0] = make->extent[0] * carom_random_u01(&make->random);
    at[1] = make->extent[1] * carom_random_u01(&make->random);
    at[2] = make->extent[2] * (carom_random_u01(&make->random) - 0.5);
}

/* c: 64 clusters in a cube, each a Gaussian cloud whose peak density fills 0.5. */
static carom_status prepare_clustered(maker *make) {
    const double side = cbrt(make->count * UNIT_VOLUME / 0.02);
    for (int cluster = 0; cluster < CLUSTERS; ++cluster) {
        for (int axis = 0; axis < 3; ++axis) {
            make->centre[cluster][axis] = side * carom_random_u01(&make->random);
        }
    }
    make->sigma = cbrt(make->count / CLUSTERS * UNIT_VOLUME / (pow(2 * SCENE_PI, 1.5) * 0.5));
    fill_radius(make->scene, 1);
    return CAROM_OK;
}

/* A cluster by chance, then a normal deviate on each axis. */
static void place_in_cluster(maker *make, uint64_t body, double at[3]) {
    (void)body;
    const double *centre = make->centre[carom_random_next(&make->random) % CLUSTERS];
    for (int axis = 0; axis < 3; ++axis) {
        at[axis] = centre[axis] + make->sigma * carom_random_gauss(&make->random);
    }
}

/* d: a cubic lattice in shuffled order, filled to 0.45, each body a little off its site. */
static carom_status prepare_dense(maker *make) {
    const uint64_t count = make->scene->count;
    const double slack = 1e-9; /* so that the root of a perfect cube, a hair too large, does not add a layer */
    make->pitch = cbrt(UNIT_VOLUME / 0.45);
    make->side = (uint64_t)ceil(cbrt(make->count) - slack);
    set_extent(make, (double)make->side * make->pitch, (double)make->side * make->pitch,
               (double)make->side * make->pitch);
    fill_radius(make->scene, 1);
    if (count == 0) {
        return CAROM_OK;
    }
    make->site = carom_memory_allocate(&make->memory, count * sizeof *make->site);
    if (make->site == NULL) {
        return CAROM_ERROR_MEMORY;
    }
    for (uint64_t body = 0; body < count; ++body) {
        make->site[body] = (uint32_t)body;
    }
    /* Fisher and Yates' shuffle: neighbours in the lattice are not neighbours in memory. */
    for (uint64_t last = count - 1; last > 0; --last) {
        const uint64_t other = carom_random_next(&make->random) % (last + 1);
        const uint32_t moved = make->site[last];
        make->site[last] = make->site[other];
        make->site[other] = moved;
    }
    return CAROM_OK;
}

static void place_on_lattice(maker *make, uint64_t body, double at[3]) {
    const double wobble = 0.2; /* full width of the offset from the site */
    CAROM_ASSERT(make->site[body] < make->scene->count);
    uint64_t site = make->site[body];
    for (int axis = 0; axis < 3; ++axis) {
        const double index = (double)(site % make->side);
        at[axis] = (index + 0.5) * make->pitch + (carom_random_u01(&make->random) - 0.5) * wobble;
        site /= make->side;
    }
}

/* In the order of carom_scene_letters. */
static const recipe recipes[] = {
    {'u', "uniform", 0, prepare_uniform, place_in_box},     {'d', "dense", 0.2, prepare_dense, place_on_lattice},
    {'p', "power-law", 0, prepare_power_law, place_in_box}, {'c', "clustered", 0, prepare_clustered, place_in_cluster},
    {'l', "slab", 0, prepare_slab, place_in_box},           {'a', "column", 0, prepare_column, place_in_column},
};

static const recipe *recipe_of(char letter) {
    for (size_t index = 0; index < sizeof recipes / sizeof *recipes; ++index) {
        if (recipes[index].letter == letter) {
            return &recipes[index];
        }
    }
    return NULL;
}

/* prev and the displacement are rounded to float first, and their sum again: curr is what a simulation that keeps
 * float positions and float displacements would have. */
static void draw_body(maker *make, const recipe *how, uint64_t body) {
    double at[3];
    double direction[3];
    how->place(make, body, at);
    carom_random_direction(&make->random, direction);
    const double length = how->length > 0 ? how->length : carom_random_u01(&make->random);
    for (int axis = 0; axis < 3; ++axis) {
        /* The sum is one of floats, rounded once. */
        const float prev = (float)at[axis];
        const float displacement = (float)(direction[axis] * length);
        make->scene->prev[axis][body] = prev;
        make->scene->curr[axis][body] = prev + displacement;
    }
}

/* Distance between the beginnings of two arrays. No overflow: count is a 32-bit number. */
static uint64_t stride_of(uint64_t count) {
    /* Whole pages and a few lines, so that no two arrays begin at the same place in a page. */
    return (count * sizeof(float) + PAGE - 1) / PAGE * PAGE + STAGGER;
}

/* The arrays exist, if empty, for no bodies too: detection takes no null arrays. */
static carom_status allocate_arrays(carom_memory *memory, uint64_t count, carom_scene_f32 *scene) {
    const uint64_t stride = stride_of(count);
    char *bytes = carom_memory_allocate(memory, ARRAYS * stride);
    if (bytes == NULL) {
        return CAROM_ERROR_MEMORY;
    }
    scene->count = count;
    scene->memory = bytes;
    for (size_t axis = 0; axis < 3; ++axis) {
        scene->prev[axis] = (float *)(bytes + axis * stride);
        scene->curr[axis] = (float *)(bytes + (3 + axis) * stride);
    }
    scene->radius = (float *)(bytes + 6 * stride);
    return CAROM_OK;
}

/* First what the scene draws as a whole, then body by body. */
static carom_status make_bodies(const recipe *how, maker *make, uint64_t seed) {
    const uint64_t count = make->scene->count;
    /* Scenes of one seed but another letter or size share no numbers. */
    const uint64_t start = UINT64_C(0x9E3779B97F4A7C15) * seed ^ (uint64_t)(unsigned char)how->letter << 56 ^ count;
    make->random = carom_random_seeded(start);
    make->count = (double)count;
    const carom_status status = how->prepare(make);
    if (status == CAROM_OK) {
        for (uint64_t body = 0; body < count; ++body) {
            draw_body(make, how, body);
        }
        memcpy(make->scene->box, make->extent, sizeof make->extent);
    }
    carom_memory_release(&make->memory, make->site, count * sizeof *make->site);
    return status;
}

const char *carom_scene_letters(void) {
    return "udpcla";
}

const char *carom_scene_name(char letter) {
    const recipe *how = recipe_of(letter);
    return how == NULL ? NULL : how->name;
}

carom_status carom_scene_make(char letter, uint64_t count, uint64_t seed, carom_scene_f32 *scene) {
    if (scene == NULL) {
        return CAROM_ERROR_ARGUMENT;
    }
    *scene = (carom_scene_f32){0};
    const recipe *how = recipe_of(letter);
    if (how == NULL || count > CAROM_BODIES_MAX) {
        return CAROM_ERROR_ARGUMENT;
    }
    maker make = {.scene = scene};
    carom_memory_init(&make.memory, NULL, 0);
    carom_status status = allocate_arrays(&make.memory, count, scene);
    if (status == CAROM_OK) {
        const carom_arithmetic before = carom_arithmetic_enter();
        status = make_bodies(how, &make, seed);
        carom_arithmetic_leave(before);
    }
    if (status != CAROM_OK) {
        carom_scene_release(scene);
    }
    return status;
}

carom_bodies_f32 carom_scene_bodies(const carom_scene_f32 *scene) {
    return (carom_bodies_f32){.count = scene->count,
                              .prev = {scene->prev[0], scene->prev[1], scene->prev[2]},
                              .curr = {scene->curr[0], scene->curr[1], scene->curr[2]},
                              .radius = scene->radius};
}

void carom_scene_release(carom_scene_f32 *scene) {
    if (scene == NULL || scene->memory == NULL) {
        return;
    }
    const carom_allocator system = carom_memory_system_allocator();
    system.release(system.user, scene->memory, (size_t)(ARRAYS * stride_of(scene->count)));
    *scene = (carom_scene_f32){0};
}
