/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/oracle/solid_draw.h"

#include <math.h>
#include <string.h>

#include "tests/oracle/truth.h"

static const char *const SPECIES_NAMES[] = {"point",    "sphere",  "segment", "capsule",   "box",     "plate",
                                            "cylinder", "disc",    "cone",    "ellipsoid", "hull 4",  "hull 8",
                                            "hull 16",  "hull 32", "hull 64", "polygon",   "triangle"};
static const char *const PLACE_NAMES[] = {"anywhere",  "near",   "lattice", "parallel", "concentric",
                                          "identical", "nested", "far",     "uneven",   "extreme"};

const char *solid_species_name(solid_species species) {
    return SPECIES_NAMES[species];
}

const char *solid_place_name(solid_place place) {
    return PLACE_NAMES[place];
}

static double between(carom_random *random, double lo, double hi) {
    return lo + (hi - lo) * carom_random_u01(random);
}

/* Even in the logarithm. */
static double power(carom_random *random, double least, double most) {
    return pow(10, between(random, least, most));
}

static bool one_in(carom_random *random, uint64_t count) {
    return carom_random_next(random) % count == 0;
}

static double either_sign(carom_random *random, double x) {
    return one_in(random, 2) ? x : -x;
}

/* 1/2, 1, 3/2 or 2. */
static double half_steps(carom_random *random) {
    return 0.5 * (double)(1 + carom_random_next(random) % 4);
}

/* A length for a shape of size 1; of a sliver some are far smaller than others. */
static double length_of(carom_random *random, double sliver) {
    return between(random, 0.3, 1) * (sliver > 0 && one_in(random, 2) ? power(random, -sliver, 0) : 1);
}

static uint64_t points_of(solid_species species) {
    switch (species) {
    case SPECIES_HULL_4:
        return 4;
    case SPECIES_HULL_8:
        return 8;
    case SPECIES_HULL_16:
        return 16;
    case SPECIES_HULL_32:
        return 32;
    case SPECIES_HULL_64:
        return 64;
    case SPECIES_POLYGON:
        return 6;
    default:
        return 3;
    }
}

/* On a sphere that is stretched along the axes by the shape's extent. */
static void draw_points(carom_random *random, solid_species species, bool lattice, carom_shape *shape,
                        double point[][3]) {
    shape->kind = CAROM_SHAPE_HULL;
    shape->point = (const double(*)[3])point;
    shape->point_count = points_of(species);
    for (uint64_t n = 0; n < shape->point_count; n++) {
        carom_random_direction(random, point[n]);
        for (int a = 0; a < 3; a++) {
            const bool corner = lattice && species < SPECIES_POLYGON && n < 8;
            const double unit = corner    ? ((n >> a & 1) != (n >> ((a + 1) % 3) & 1) ? 1 : -1)
                                : lattice ? floor(2 * point[n][a] + 0.5) / 2
                                          : point[n][a];
            point[n][a] = unit * shape->extent[a];
        }
        if (species >= SPECIES_POLYGON) {
            point[n][2] = 0;
        }
    }
}

static void draw_kind(carom_random *random, solid_species species, bool lattice, carom_shape *shape,
                      double point[][3]) {
    static const carom_shape_kind kinds[] = {
        CAROM_SHAPE_SPHERE, CAROM_SHAPE_SPHERE,   CAROM_SHAPE_CAPSULE,  CAROM_SHAPE_CAPSULE, CAROM_SHAPE_BOX,
        CAROM_SHAPE_BOX,    CAROM_SHAPE_CYLINDER, CAROM_SHAPE_CYLINDER, CAROM_SHAPE_CONE,    CAROM_SHAPE_ELLIPSOID};
    if (species >= SPECIES_HULL_4) {
        draw_points(random, species, lattice, shape, point);
        return;
    }
    shape->kind = kinds[species];
    if (species == SPECIES_POINT || species == SPECIES_SEGMENT) {
        shape->radius = 0;
    }
    if (species == SPECIES_PLATE || species == SPECIES_DISC) {
        shape->extent[2] = 0;
    }
}

static void draw_shape(carom_random *random, solid_species species, bool lattice, carom_shape *shape,
                       double point[][3]) {
    const double sliver = one_in(random, 16) ? 6 : one_in(random, 8) ? 3 : 0;
    memset(shape, 0, sizeof *shape);
    shape->radius = lattice ? half_steps(random) : length_of(random, sliver);
    for (int d = 0; d < 3; d++) {
        shape->extent[d] = lattice ? half_steps(random) : length_of(random, sliver);
    }
    draw_kind(random, species, lattice, shape, point);
}

static void scale_shape(carom_shape *shape, double point[][3], double by) {
    shape->radius *= by;
    for (int d = 0; d < 3; d++) {
        shape->extent[d] *= by;
        for (uint64_t n = 0; n < shape->point_count; n++) {
            point[n][d] *= by;
        }
    }
}

/* Uniform, of a length from 0.6 to 1.6. */
static void draw_turn(carom_random *random, double turn[4]) {
    double square;
    do {
        square = 0;
        for (int d = 0; d < 4; d++) {
            turn[d] = between(random, -1, 1);
            square += turn[d] * turn[d];
        }
    } while (square > 1 || square < 0.1);
    const double by = between(random, 0.6, 1.6) / sqrt(square);
    for (int d = 0; d < 4; d++) {
        turn[d] *= one_in(random, 8) ? 1 / sqrt(square) : by;
    }
    if (one_in(random, 16)) {
        memset(turn, 0, 4 * sizeof *turn);
    }
}

static void draw_quarter_turn(carom_random *random, double turn[4]) {
    static const double turns[][4] = {{0, 0, 0, 0}, {0, 0, 0, 1}, {1, 0, 0, 1},        {0, 1, 0, 1},
                                      {0, 0, 1, 1}, {1, 0, 0, 0}, {0.5, 0.5, 0.5, 0.5}};
    memcpy(turn, turns[carom_random_next(random) % (sizeof turns / sizeof turns[0])], sizeof turns[0]);
}

static double reach_of(const solid_input *input) {
    const solid_pair pair = solid_pair_of(input, input);
    return (double)(pair.i.reach + pair.i.radius);
}

/* Moves i by x along a vector. */
static void move(solid_drawn *pair, const wide along[3], wide x) {
    for (int d = 0; d < 3; d++) {
        pair->i.at[d] = (double)((wide)pair->i.at[d] + x * along[d]);
    }
}

/* i away from k along a direction, by a share of the way on which their slabs overlap. */
static void move_apart(solid_drawn *pair, const double direction[3], double share) {
    const wide n[3] = {direction[0], direction[1], direction[2]};
    wide a[3];
    wide b[3];
    const solid_pair solids = solid_pair_of(&pair->i, &pair->k);
    const wide way = solids.radii - solid_gap_along(&solids, n, a, b);
    move(pair, n, (way > 0 ? way : 1) * share);
}

/* From where they are apart, to a gap that is a tiny part of the size, of either sign. */
static void move_near(carom_random *random, solid_drawn *pair) {
    const truth_effort effort = {.width = 1e-12L, .triangles = 2000};
    const solid_pair solids = solid_pair_of(&pair->i, &pair->k);
    const truth t = truth_find(&solids, &effort);
    const double gap = one_in(random, 8) ? 0 : either_sign(random, power(random, -15, -3));
    move(pair, t.normal, gap * truth_scale(&solids) - t.lower);
}

static void place_parallel(carom_random *random, solid_drawn *pair) {
    const double off = one_in(random, 4) ? 0 : power(random, -17, -2);
    const double *turn_k = pair->k.turn;
    if (turn_k[0] == 0 && turn_k[1] == 0 && turn_k[2] == 0 && turn_k[3] == 0) {
        pair->k.turn[3] = 1;
    }
    for (int d = 0; d < 4; d++) {
        pair->i.turn[d] = pair->k.turn[d] * (1 + off * between(random, -1, 1)) + off * between(random, -0.5, 0.5);
    }
    wide turn[3][3];
    solid_turn(pair->k.turn, turn);
    const int axis = (int)(carom_random_next(random) % 3);
    double direction[3];
    for (int d = 0; d < 3; d++) {
        direction[d] = (double)turn[d][axis];
    }
    move_apart(pair, direction, between(random, 1.01, 1.2));
    const double size = fmin(reach_of(&pair->i), reach_of(&pair->k));
    for (int d = 0; d < 3; d++) {
        const double beside = size * between(random, -0.5, 0.5);
        pair->i.at[d] += beside * (double)turn[d][(axis + 1) % 3];
    }
    move_near(random, pair);
}

static void place_lattice(carom_random *random, solid_drawn *pair) {
    draw_quarter_turn(random, pair->i.turn);
    draw_quarter_turn(random, pair->k.turn);
    for (int d = 0; d < 3; d++) {
        const double across = one_in(random, 3) ? 0 : half_steps(random);
        pair->i.at[d] = pair->k.at[d] + either_sign(random, across);
    }
}

static void place_inside(carom_random *random, solid_drawn *pair) {
    double direction[3];
    carom_random_direction(random, direction);
    const double far = fmax(reach_of(&pair->i), reach_of(&pair->k)) * between(random, 0, 0.7);
    for (int d = 0; d < 3; d++) {
        pair->i.at[d] += far * direction[d];
    }
}

static void place_same(carom_random *random, solid_drawn *pair) {
    pair->i.shape = pair->k.shape;
    memcpy(pair->point[0], pair->point[1], sizeof pair->point[0]);
    if (pair->i.shape.point != NULL) {
        pair->i.shape.point = (const double(*)[3])pair->point[0];
    }
    memcpy(pair->i.turn, pair->k.turn, sizeof pair->i.turn);
    for (int d = 0; d < 3 && one_in(random, 2); d++) {
        pair->i.at[d] += reach_of(&pair->k) * either_sign(random, power(random, -17, -1));
    }
}

/* Anywhere, near the other, or far away. */
static void place_extreme(carom_random *random, solid_drawn *pair) {
    double direction[3];
    carom_random_direction(random, direction);
    if (one_in(random, 4)) {
        const double far = power(random, -100, 140);
        for (int d = 0; d < 3; d++) {
            pair->i.at[d] += far * direction[d];
        }
    } else {
        move_apart(pair, direction, between(random, 0, 1.35));
    }
}

/* Both shapes have their turns and lie at one place. */
static void put_place(carom_random *random, solid_place place, solid_drawn *pair) {
    double direction[3];
    carom_random_direction(random, direction);
    switch (place) {
    case PLACE_NEAR:
        move_apart(pair, direction, between(random, 1.001, 1.5));
        move_near(random, pair);
        break;
    case PLACE_LATTICE:
        place_lattice(random, pair);
        break;
    case PLACE_PARALLEL:
        place_parallel(random, pair);
        break;
    case PLACE_CONCENTRIC:
        for (int d = 0; d < 3 && one_in(random, 2); d++) {
            pair->i.at[d] += reach_of(&pair->k) * either_sign(random, power(random, -17, -3));
        }
        break;
    case PLACE_IDENTICAL:
        place_same(random, pair);
        break;
    case PLACE_NESTED:
        place_inside(random, pair);
        break;
    case PLACE_FAR:
        move_apart(pair, direction, power(random, 1, 6));
        break;
    case PLACE_EXTREME:
        place_extreme(random, pair);
        break;
    default:
        move_apart(pair, direction, between(random, 0, 1.35));
    }
}

static double size_of_i(carom_random *random, solid_place place) {
    return place == PLACE_UNEVEN    ? power(random, -4, 4)
           : place == PLACE_EXTREME ? (one_in(random, 2) ? power(random, -0.3, 0.3) : power(random, -40, 40))
           : place == PLACE_NESTED  ? power(random, -3, -0.5)
                                    : power(random, -0.3, 0.3);
}

static double scale_of(carom_random *random, solid_place place) {
    if (place == PLACE_LATTICE) {
        return ldexp(1, (int)between(random, -20, 20));
    }
    if (place == PLACE_EXTREME) {
        return power(random, -43, 49.5);
    }
    return one_in(random, 2) ? 1 : power(random, -6, 6);
}

/* Sizes that a table of shapes does not take become the nearest that it does. */
static void limit_shape(carom_shape *shape, double point[][3]) {
    const double least = 1e-50;
    const double most = 1e50;
    shape->radius = shape->radius > 0 ? fmin(fmax(shape->radius, least), most) : 0;
    for (int d = 0; d < 3; d++) {
        shape->extent[d] = shape->extent[d] > 0 ? fmin(fmax(shape->extent[d], least), most) : 0;
        for (uint64_t n = 0; n < shape->point_count; n++) {
            const double size = fabs(point[n][d]);
            point[n][d] = size < least ? 0 : copysign(fmin(size, most), point[n][d]);
        }
    }
}

void solid_draw(carom_random *random, solid_species i, solid_species k, solid_place place, solid_drawn *pair) {
    const bool lattice = place == PLACE_LATTICE;
    const double scale = scale_of(random, place);
    draw_shape(random, i, lattice, &pair->i.shape, pair->point[0]);
    draw_shape(random, k, lattice, &pair->k.shape, pair->point[1]);
    draw_turn(random, pair->i.turn);
    draw_turn(random, pair->k.turn);
    if (!lattice) {
        scale_shape(&pair->i.shape, pair->point[0], scale * size_of_i(random, place));
        scale_shape(&pair->k.shape, pair->point[1], scale);
        limit_shape(&pair->i.shape, pair->point[0]);
        limit_shape(&pair->k.shape, pair->point[1]);
    }
    const double shift = one_in(random, 2) ? 0 : one_in(random, 8) ? 1000 : 4;
    for (int d = 0; d < 3; d++) {
        const double at = between(random, -shift, shift);
        pair->k.at[d] = lattice ? floor(at) : scale * at;
        pair->i.at[d] = pair->k.at[d];
    }
    put_place(random, place, pair);
    if (lattice) {
        scale_shape(&pair->i.shape, pair->point[0], scale);
        scale_shape(&pair->k.shape, pair->point[1], scale);
        for (int d = 0; d < 3; d++) {
            pair->i.at[d] *= scale;
            pair->k.at[d] *= scale;
        }
    }
}
