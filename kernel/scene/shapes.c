/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a scene of spheres. Out: a table of shapes, and for each body an entry, a rotation and a spin.
 *
 * The table has the same forms in each class of size. Forms reach at most 1 from their origin; those of class c are
 * larger by 2^(c/4). A body gets a form by chance, in the greatest class that its radius holds. So shapes stay within
 * their spheres, scenes are a little less dense than those of spheres, and tables are small whatever the radii. */
#include "kernel/scene/shapes.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/scene/random.h"
#include "kernel/sys/arithmetic.h"
#include "kernel/sys/memory.h"

/* Forms of a scene of one kind; of each kind in a mixed scene, which has seven kinds that are convex. */
enum { FORMS_ALONE = 16, FORMS_MIXED = 4, CONVEX_KINDS = 7 };

/* Points of a hull: from 8 to 24, in multiples of 4. */
enum { HULL_POINTS_MOST = 24 };

/* Compounds of a mixed scene: what they are made of, how many there are, and how many children they have in all. */
enum { PARTS = 6, COMPOUNDS = 4, CHILDREN = 3 + 3 + 2 + 2 };

enum { FORMS_MOST = CONVEX_KINDS * FORMS_MIXED + PARTS + COMPOUNDS };

/* Radii are at most 100, which is less than 2^(27/4). */
enum { CLASSES_MOST = 27 };

/* Rotation in a step is at most so much, in radians. */
static const double SPIN_MOST = 0.5;

/* The shapes of a class whose spheres have radius 1. */
typedef struct forms {
    carom_random random;
    uint64_t count;       /* entries */
    uint64_t convex;      /* those that bodies may have begin with so many convex ones, */
    uint64_t compounds;   /* and end with so many compounds */
    uint64_t point_count; /* of all hulls */
    uint64_t child_count; /* of all compounds */
    carom_shape shape[FORMS_MOST];
    double point[FORMS_ALONE * HULL_POINTS_MOST][3];
    carom_shape_child child[CHILDREN];
} forms;

/* A multiple of 2^-10, so that text is short; rounded towards 0, so that no form grows. */
static double coarse(double x) {
    return trunc(x * 1024) / 1024;
}

static double between(forms *f, double least, double most) {
    return least + (most - least) * carom_random_u01(&f->random);
}

static carom_shape draw_round(forms *f, carom_shape_kind kind) {
    carom_shape shape = {.kind = kind};
    shape.radius = coarse(between(f, 0.375, 0.75));
    /* A capsule's end is a half-sphere, a cylinder's or cone's farthest point the rim. */
    shape.extent[2] = kind == CAROM_SHAPE_CAPSULE ? 1 - shape.radius : coarse(sqrt(1 - shape.radius * shape.radius));
    return shape;
}

/* A box has its corner on the unit sphere, an ellipsoid its longest axis. */
static carom_shape draw_extents(forms *f, carom_shape_kind kind) {
    carom_shape shape = {.kind = kind};
    double square = 0;
    double most = 0;
    for (int axis = 0; axis < 3; ++axis) {
        shape.extent[axis] = between(f, 0.5, 1);
        square += shape.extent[axis] * shape.extent[axis];
        most = shape.extent[axis] > most ? shape.extent[axis] : most;
    }
    const double reach = kind == CAROM_SHAPE_BOX ? sqrt(square) : most;
    for (int axis = 0; axis < 3; ++axis) {
        shape.extent[axis] = coarse(shape.extent[axis] / reach);
    }
    return shape;
}

/* Points near the unit sphere: most of them are vertices. */
static carom_shape draw_hull(forms *f, uint64_t number) {
    carom_shape shape = {.kind = CAROM_SHAPE_HULL, .point_count = 8 + 4 * (number % 5)};
    double(*point)[3] = f->point + f->point_count;
    CAROM_ASSERT(shape.point_count <= HULL_POINTS_MOST);
    for (uint64_t n = 0; n < shape.point_count; ++n) {
        double direction[3];
        carom_random_direction(&f->random, direction);
        const double length = between(f, 0.875, 1);
        for (int axis = 0; axis < 3; ++axis) {
            point[n][axis] = coarse(direction[axis] * length);
        }
    }
    f->point_count += shape.point_count;
    shape.point = (const double(*)[3])point;
    return shape;
}

static void add_convex(forms *f, carom_shape_kind kind, uint64_t count) {
    for (uint64_t n = 0; n < count; ++n) {
        carom_shape shape = {.kind = kind};
        if (kind == CAROM_SHAPE_HULL) {
            shape = draw_hull(f, n);
        } else if (kind == CAROM_SHAPE_BOX || kind == CAROM_SHAPE_ELLIPSOID) {
            shape = draw_extents(f, kind);
        } else if (kind == CAROM_SHAPE_SPHERE) {
            shape.radius = coarse(between(f, 0.5, 1));
        } else {
            shape = draw_round(f, kind);
        }
        f->shape[f->count++] = shape;
    }
    f->convex = f->count;
}

static void add_compound(forms *f, const carom_shape_child *child, uint64_t count) {
    carom_shape_child *to = f->child + f->child_count;
    CAROM_ASSERT(f->child_count + count <= CHILDREN);
    memcpy(to, child, count * sizeof *child);
    f->child_count += count;
    f->shape[f->count++] = (carom_shape){.kind = CAROM_SHAPE_COMPOUND, .child = to, .child_count = count};
    f->compounds++;
}

/* A dumb-bell, a cross of three bars, an angle of two short ones, and a top. */
static void add_compounds(forms *f) {
    static const carom_shape parts[PARTS] = {
        {.kind = CAROM_SHAPE_CAPSULE, .radius = 0.125, .extent = {0, 0, 0.625}},
        {.kind = CAROM_SHAPE_SPHERE, .radius = 0.375},
        {.kind = CAROM_SHAPE_BOX, .extent = {0.125, 0.125, 0.96875}},
        {.kind = CAROM_SHAPE_BOX, .extent = {0.125, 0.125, 0.5}},
        {.kind = CAROM_SHAPE_CYLINDER, .radius = 0.5, .extent = {0, 0, 0.25}},
        {.kind = CAROM_SHAPE_CONE, .radius = 0.5, .extent = {0, 0, 0.375}},
    };
    const uint32_t rod = (uint32_t)f->count;
    const uint32_t ball = rod + 1;
    const uint32_t bar = rod + 2;
    const uint32_t half = rod + 3;
    const uint32_t disc = rod + 4;
    const uint32_t cone = rod + 5;
    memcpy(f->shape + f->count, parts, sizeof parts);
    f->count += PARTS;
    /* Quarter turns about x and y. */
    const carom_shape_child children[CHILDREN] = {
        {.shape = rod, .turn = {0, 0, 0, 1}},
        {.shape = ball, .at = {0, 0, 0.625}, .turn = {0, 0, 0, 1}},
        {.shape = ball, .at = {0, 0, -0.625}, .turn = {0, 0, 0, 1}},
        {.shape = bar, .turn = {0, 0, 0, 1}},
        {.shape = bar, .turn = {1, 0, 0, 1}},
        {.shape = bar, .turn = {0, 1, 0, 1}},
        {.shape = half, .at = {0.4375, 0, 0}, .turn = {0, 0, 0, 1}},
        {.shape = half, .at = {0, 0, -0.375}, .turn = {0, 1, 0, 1}},
        {.shape = disc, .at = {0, 0, -0.4375}, .turn = {0, 0, 0, 1}},
        {.shape = cone, .at = {0, 0, 0.1875}, .turn = {0, 0, 0, 1}},
    };
    add_compound(f, children, 3);
    add_compound(f, children + 3, 3);
    add_compound(f, children + 6, 2);
    add_compound(f, children + 8, 2);
}

static void draw_forms(forms *f, carom_scene_kind kind) {
    static const carom_shape_kind alone[CAROM_SCENE_KINDS] = {[CAROM_SCENE_BOXES] = CAROM_SHAPE_BOX,
                                                              [CAROM_SCENE_CAPSULES] = CAROM_SHAPE_CAPSULE,
                                                              [CAROM_SCENE_HULLS] = CAROM_SHAPE_HULL};
    static const carom_shape_kind convex[CONVEX_KINDS] = {
        CAROM_SHAPE_SPHERE, CAROM_SHAPE_CAPSULE,   CAROM_SHAPE_BOX, CAROM_SHAPE_CYLINDER,
        CAROM_SHAPE_CONE,   CAROM_SHAPE_ELLIPSOID, CAROM_SHAPE_HULL};
    if (kind != CAROM_SCENE_MIXED) {
        add_convex(f, alone[kind], FORMS_ALONE);
        return;
    }
    for (int n = 0; n < CONVEX_KINDS; ++n) {
        add_convex(f, convex[n], FORMS_MIXED);
    }
    add_compounds(f);
}

/* 2^(c/4): powers of two times fourth roots, the same bits everywhere. */
static double scale_of(uint64_t class) {
    static const double roots[4] = {1, 1.1892071150027210, 1.4142135623730951, 1.6817928305074290};
    return ldexp(roots[class % 4], (int)(class / 4));
}

static uint64_t class_of(float radius) {
    uint64_t class = 0;
    while (class + 1 < CLASSES_MOST && scale_of(class + 1) <= (double)radius) {
        ++class;
    }
    return class;
}

static uint64_t count_classes(const carom_scene_f32 *scene) {
    float most = 0;
    for (uint64_t body = 0; body < scene->count; ++body) {
        most = scene->radius[body] > most ? scene->radius[body] : most;
    }
    return class_of(most) + 1;
}

/* Where the arrays lie in one allocation, those of the table first. */
typedef struct layout {
    uint64_t shapes; /* in the table */
    uint64_t points;
    uint64_t children;
    uint64_t bodies;
} layout;

static uint64_t table_bytes(const layout *l) {
    return l->shapes * sizeof(carom_shape) + l->points * 3 * sizeof(double) + l->children * sizeof(carom_shape_child);
}

/* The arrays exist, if empty, for no bodies too. */
static carom_status allocate(const layout *l, carom_scene_shapes *shapes) {
    const uint64_t bytes = table_bytes(l) + l->bodies * (sizeof(uint32_t) + 7 * sizeof(float)) + CAROM_CACHE_LINE;
    carom_memory memory;
    carom_memory_init(&memory, NULL, 0);
    char *block = carom_memory_allocate(&memory, bytes);
    if (block == NULL) {
        return CAROM_ERROR_MEMORY;
    }
    *shapes = (carom_scene_shapes){.count = l->bodies, .shape_count = l->shapes, .bytes = bytes, .memory = block};
    shapes->shape = (carom_shape *)block;
    float *floats = (float *)(block + table_bytes(l));
    for (uint64_t n = 0; n < 7; ++n) {
        *(n < 4 ? &shapes->turn[n] : &shapes->spin[n - 4]) = floats + n * l->bodies;
    }
    shapes->of = (uint32_t *)(floats + 7 * l->bodies);
    return CAROM_OK;
}

static carom_shape_child scaled_child(const carom_shape_child *form, uint64_t first, double scale) {
    carom_shape_child child = *form;
    child.shape += (uint32_t)first;
    for (int axis = 0; axis < 3; ++axis) {
        child.at[axis] *= scale;
    }
    return child;
}

/* The entries of a class, and their points and children. */
static void fill_class(const forms *f, uint64_t class, carom_scene_shapes *shapes, double (*point)[3],
                       carom_shape_child *child) {
    const double scale = scale_of(class);
    for (uint64_t n = 0; n < f->count; ++n) {
        carom_shape shape = f->shape[n];
        shape.radius *= scale;
        for (int axis = 0; axis < 3; ++axis) {
            shape.extent[axis] *= scale;
        }
        if (shape.point_count > 0) {
            shape.point = (const double(*)[3])(point + (shape.point - (const double(*)[3])f->point));
        }
        if (shape.child_count > 0) {
            shape.child = child + (shape.child - f->child);
        }
        shapes->shape[class * f->count + n] = shape;
    }
    for (uint64_t n = 0; n < f->point_count; ++n) {
        for (int axis = 0; axis < 3; ++axis) {
            point[n][axis] = f->point[n][axis] * scale;
        }
    }
    for (uint64_t n = 0; n < f->child_count; ++n) {
        child[n] = scaled_child(&f->child[n], class * f->count, scale);
    }
}

static void fill_table(const forms *f, uint64_t classes, carom_scene_shapes *shapes) {
    double(*point)[3] = (double(*)[3])(shapes->shape + shapes->shape_count);
    carom_shape_child *child = (carom_shape_child *)(point + classes * f->point_count);
    for (uint64_t class = 0; class < classes; ++class) {
        fill_class(f, class, shapes, point + class * f->point_count, child + class * f->child_count);
    }
}

/* Uniform on the unit sphere of quaternions, by rejection from the cube. */
static void draw_turn(carom_random *random, double turn[4]) {
    const double least = 1e-8; /* squared length below which dividing by the length would lose the direction */
    double square;
    do {
        square = 0;
        for (int d = 0; d < 4; ++d) {
            turn[d] = 2 * carom_random_u01(random) - 1;
            square += turn[d] * turn[d];
        }
    } while (square <= least || square > 1);
    const double length = sqrt(square);
    for (int d = 0; d < 4; ++d) {
        turn[d] /= length;
    }
}

/* Parts of compounds are entries that no body has. */
static void draw_body(forms *f, const carom_scene_f32 *scene, uint64_t body, carom_scene_shapes *shapes) {
    const uint64_t form = carom_random_next(&f->random) % (f->convex + f->compounds);
    const uint64_t entry = form < f->convex ? form : f->count - f->compounds + (form - f->convex);
    double turn[4];
    double direction[3];
    shapes->of[body] = (uint32_t)(class_of(scene->radius[body]) * f->count + entry);
    draw_turn(&f->random, turn);
    carom_random_direction(&f->random, direction);
    const double angle = SPIN_MOST * carom_random_u01(&f->random);
    for (int d = 0; d < 4; ++d) {
        shapes->turn[d][body] = (float)turn[d];
    }
    for (int axis = 0; axis < 3; ++axis) {
        shapes->spin[axis][body] = (float)(direction[axis] * angle);
    }
}

const char *carom_scene_kind_name(carom_scene_kind kind) {
    static const char *const names[CAROM_SCENE_KINDS] = {NULL, "boxes", "capsules", "hulls", "mixed"};
    return kind < CAROM_SCENE_KINDS ? names[kind] : NULL;
}

carom_status carom_scene_shapes_make(carom_scene_kind kind, char letter, uint64_t seed, const carom_scene_f32 *scene,
                                     carom_scene_shapes *shapes) {
    if (shapes == NULL) {
        return CAROM_ERROR_ARGUMENT;
    }
    *shapes = (carom_scene_shapes){.count = 0};
    if (scene == NULL || carom_scene_kind_name(kind) == NULL) {
        return CAROM_ERROR_ARGUMENT;
    }
    const carom_arithmetic before = carom_arithmetic_enter();
    /* As in carom_scene_make, and the kind besides: neither the scene's numbers nor another kind's. */
    const uint64_t start = UINT64_C(0x9E3779B97F4A7C15) * seed ^ (uint64_t)(unsigned char)letter << 56 ^
                           (uint64_t)kind << 48 ^ scene->count;
    forms f = {.random = carom_random_seeded(start)};
    draw_forms(&f, kind);
    const uint64_t classes = count_classes(scene);
    const layout l = {.shapes = classes * f.count,
                      .points = classes * f.point_count,
                      .children = classes * f.child_count,
                      .bodies = scene->count};
    const carom_status status = allocate(&l, shapes);
    if (status == CAROM_OK) {
        fill_table(&f, classes, shapes);
        for (uint64_t body = 0; body < scene->count; ++body) {
            draw_body(&f, scene, body, shapes);
        }
    }
    carom_arithmetic_leave(before);
    return status;
}

void carom_scene_shapes_release(carom_scene_shapes *shapes) {
    if (shapes != NULL && shapes->memory != NULL) {
        const carom_allocator system = carom_memory_system_allocator();
        system.release(system.user, shapes->memory, (size_t)shapes->bytes);
        *shapes = (carom_scene_shapes){.count = 0};
    }
}
