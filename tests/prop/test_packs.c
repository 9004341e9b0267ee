/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Packs: bodies in lattices, each of which touches its neighbours and planes around them, hit by one or two of their
 * own. Rounding makes bodies approach that in truth slide along one another. Guards that the impacts of one moment end
 * long before a budget is spent, with no body held and no momentum lost, in whatever direction the lattice lies and
 * however fast all move together. Not so with restitution 0, where impacts of several bodies converge without end. */
#include <math.h>
#include <string.h>

#include "kernel/scene/random.h"
#include "simd/vector.h"
#include "tests/support/check.h"
#include "tests/support/note.h"
#include "tests/support/queue_trial.h"

enum { PACKS = 600, EDGE_MOST = 3, STEPS = 2, IMPACTS_A_BODY = 400 };

/* Directions and origin of a lattice, and the radius of its bodies. */
typedef struct pack {
    double axis[3][3];
    double origin[3];
    double radius;
    bool close; /* densest; else cubic */
} pack;

static double uniform(carom_random *random, double least, double most) {
    return least + (most - least) * carom_random_u01(random);
}

static void random_vector(carom_random *random, double most, double v[3]) {
    for (int a = 0; a < 3; a++) {
        v[a] = uniform(random, -most, most);
    }
}

/* Whether normalizing a direction leaves its bits unchanged, as it does not of some unit vectors. */
static bool is_unit(const double axis[3]) {
    double unit[3] = {0.0, 0.0, 0.0};
    return carom_vector_unit(axis, unit) && memcmp(unit, axis, sizeof unit) == 0;
}

/* Directions of planes must be such, or a step would make them others than the queue has. */
static void random_axes(carom_random *random, double axis[3][3]) {
    do {
        double other[3];
        random_vector(random, 1.0, axis[0]);
        random_vector(random, 1.0, other);
        (void)carom_vector_unit(axis[0], axis[0]);
        carom_vector_cross(axis[0], other, axis[1]);
        (void)carom_vector_unit(axis[1], axis[1]);
        carom_vector_cross(axis[0], axis[1], axis[2]);
    } while (!is_unit(axis[0]) || !is_unit(axis[1]) || !is_unit(axis[2]));
}

static pack random_pack(carom_random *random, uint64_t number) {
    pack p = {.axis = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}},
              .radius = uniform(random, 0.1, 2.0),
              .close = carom_random_next(random) % 3 == 0};
    random_vector(random, 5.0, p.origin);
    if (number % 4 != 0) {
        random_axes(random, p.axis);
    }
    return p;
}

/* Where the body in place (i, j, l) of the lattice is. */
static void place(const pack *p, const double at[3], double x[3]) {
    const double d = 2.0 * p->radius;
    double y[3] = {d * at[0], d * at[1], d * at[2]};
    if (p->close) {
        y[0] = d * (at[0] + 0.5 * at[1] + 0.5 * at[2]);
        y[1] = d * (sqrt(3.0) / 2.0 * at[1] + sqrt(3.0) / 6.0 * at[2]);
        y[2] = d * sqrt(2.0 / 3.0) * at[2];
    }
    for (int a = 0; a < 3; a++) {
        x[a] = p->origin[a] + p->axis[0][a] * y[0] + p->axis[1][a] * y[1] + p->axis[2][a] * y[2];
    }
}

static void add_bodies(const pack *p, uint32_t edge, const double common[3], double restitution) {
    for (uint32_t n = 0; n < edge * edge * edge; n++) {
        const double at[3] = {n % edge, n / edge % edge, (double)(n / edge / edge)};
        double x[3];
        place(p, at, x);
        queue_add(&queue_trial_before, x, common, p->radius, 1.0, restitution);
    }
}

/* Planes that the outermost bodies of a cubic pack touch. */
static void add_planes(const pack *p, double restitution) {
    for (int n = 0; n < 3; n++) {
        carom_surface plane = {.kind = CAROM_SURFACE_PLANE, .restitution = restitution};
        for (int a = 0; a < 3; a++) {
            plane.axis[0][a] = p->axis[n][a];
            plane.at[a] = p->origin[a] - p->radius * p->axis[n][a];
        }
        queue_trial_before.surface[queue_trial_before.surfaces++] = plane;
    }
}

/* Lets one or two bodies move along directions of the lattice, in which they slide past others. */
static void hit(const pack *p, carom_random *random) {
    const double speed = pow(10.0, uniform(random, -12.0, 2.0));
    const uint32_t movers = 1 + (uint32_t)carom_random_next(random) % 2;
    for (uint32_t m = 0; m < movers; m++) {
        const uint32_t n = (uint32_t)(carom_random_next(random) % queue_trial_before.bodies);
        const double *axis = p->axis[carom_random_next(random) % 3];
        double *v = queue_trial_before.piece[n].v;
        carom_vector_add(v, carom_random_next(random) % 2 == 0 ? speed : -speed, axis, v);
    }
}

/* What the bodies of a world have together: three of momentum, energy, and the sum of all speeds. */
typedef struct motion {
    double momentum[3];
    double energy;
    double speeds;
} motion;

static motion motion_of(const queue_world *world) {
    motion sum = {.energy = 0.0};
    for (uint32_t n = 0; n < world->bodies; n++) {
        const double *v = world->piece[n].v;
        carom_vector_add(sum.momentum, 1.0, v, sum.momentum);
        sum.energy += 0.5 * carom_vector_dot(v, v);
        sum.speeds += carom_vector_length(v);
    }
    return sum;
}

static void check_motion(const motion *before, const motion *after) {
    note_check(after->energy <= before->energy * (1.0 + 1e-12), "energy grew from %.17g to %.17g", before->energy,
               after->energy);
    for (int a = 0; a < 3 && queue_trial_before.surfaces == 0; a++) {
        note_check(fabs(after->momentum[a] - before->momentum[a]) <= 1e-12 * before->speeds,
                   "momentum went from %.17g to %.17g", before->momentum[a], after->momentum[a]);
    }
}

static void check_pack(uint64_t number) {
    static const double restitutions[] = {1.0, 0.8, 0.5};
    carom_random random = carom_random_seeded(note_case_seed(number));
    const pack p = random_pack(&random, number);
    const double restitution = restitutions[number % 3];
    const bool walled = number % 5 == 0;
    const uint32_t edge = 2 + (uint32_t)carom_random_next(&random) % (EDGE_MOST - 1);
    double common[3] = {0.0, 0.0, 0.0};
    if (number % 2 == 1 && !walled) {
        random_vector(&random, pow(10.0, uniform(&random, 0.0, 6.0)), common);
    }
    queue_trial_begin(10000);
    add_bodies(&p, edge, common, restitution);
    if (walled) {
        add_planes(&p, restitution);
    }
    hit(&p, &random);
    for (int n = 0; n < STEPS; n++) {
        const motion before = motion_of(&queue_trial_before);
        const uint64_t held = queue_trial_step(number, "a pack that is hit");
        const motion after = motion_of(&queue_trial_before);
        note_check(held == 0, "%g bodies are held", (double)held);
        note_check(queue_trial_after.impacts <= (uint64_t)IMPACTS_A_BODY * queue_trial_after.bodies, "%g impacts",
                   (double)queue_trial_after.impacts);
        check_motion(&before, &after);
    }
}

static void test_packs(void **state) {
    (void)state;
    note_each_case(PACKS, check_pack);
}

enum { GROOVES = 2000, GROOVE_IMPACTS = 200 };

/* Planes that a body of radius 1 at the origin touches, and are not nearly opposite. */
static void add_groove(carom_random *random, double restitution, double along[3]) {
    carom_surface *plane = queue_trial_before.surface;
    double axis[2][3][3];
    do {
        random_axes(random, axis[0]);
        random_axes(random, axis[1]);
    } while (carom_vector_dot(axis[0][0], axis[1][0]) < -0.8);
    for (int n = 0; n < 2; n++) {
        plane[n] = (carom_surface){.kind = CAROM_SURFACE_PLANE, .restitution = restitution};
        memcpy(plane[n].axis[0], axis[n][0], sizeof plane[n].axis[0]);
        carom_vector_add(plane[n].at, 1e-12 - 1.0, axis[n][0], plane[n].at);
    }
    queue_trial_before.surfaces = 2;
    carom_vector_cross(axis[0][0], axis[1][0], along);
}

/* Parallel pillars that the same body touches, far along their axes. */
static void add_pillars(carom_random *random, double restitution, double along[3]) {
    const double radius = uniform(random, 0.1, 3.0);
    const double angle = uniform(random, 0.4, 1.4);
    double axis[3][3];
    random_axes(random, axis);
    for (int n = 0; n < 2; n++) {
        carom_surface *pillar = &queue_trial_before.surface[n];
        *pillar = (carom_surface){.kind = CAROM_SURFACE_PILLAR, .restitution = restitution, .extent = {radius}};
        memcpy(pillar->axis[0], axis[0], sizeof axis[0]);
        carom_vector_add(pillar->at, -pow(10.0, uniform(random, 0.0, 6.0)), axis[0], pillar->at);
        carom_vector_add(pillar->at, (n == 0 ? 1.0 : -1.0) * (radius + 1.0 - 1e-9) * cos(angle), axis[1], pillar->at);
        carom_vector_add(pillar->at, -(radius + 1.0 - 1e-9) * sin(angle), axis[2], pillar->at);
    }
    queue_trial_before.surfaces = 2;
    carom_vector_add(axis[0], -uniform(random, 0.0, 1.0), axis[2], along);
}

/* A body that slides along a groove, or flies straight into it. */
static void check_groove(uint64_t number) {
    static const double origin[3] = {0.0, 0.0, 0.0};
    static const double restitutions[] = {1.0, 0.7, 0.0};
    carom_random random = carom_random_seeded(note_case_seed(number));
    double v[3];
    queue_trial_begin(1000);
    (number % 4 == 3 ? add_pillars : add_groove)(&random, restitutions[number % 3], v);
    for (int n = 0; n < 2 && number % 4 == 1; n++) {
        carom_vector_add(v, -uniform(&random, 0.0, 2.0), queue_trial_before.surface[n].axis[0], v);
    }
    queue_add(&queue_trial_before, origin, v, 1.0, 1.0, 1.0);
    const uint64_t held = queue_trial_step(number, "a body in a groove");
    note_check(held == 0 && queue_trial_after.impacts <= GROOVE_IMPACTS, "%g are held, %g impacts", (double)held,
               (double)queue_trial_after.impacts);
}

enum { WEDGED = 24, WEDGED_IMPACTS = 900 };

/* One or two bodies that fit exactly between two planes, roll along them and are pushed against them. Each impact
 * takes a part of the speed. */
static void check_wedged(uint64_t number) {
    static const double restitutions[] = {0.9, 0.7, 0.5, 0.0};
    const double restitution = restitutions[number % 4];
    const uint32_t balls = 1 + (uint32_t)number / 4 % 2;
    const double high = 0.5 * balls;
    carom_random random = carom_random_seeded(note_case_seed(number));
    queue_trial_begin(10000);
    for (int side = -1; side < 2; side += 2) {
        carom_surface plane = {.kind = CAROM_SURFACE_PLANE, .restitution = restitution, .at = {0.0, 0.0, high * side}};
        plane.axis[0][2] = -side;
        queue_trial_before.surface[queue_trial_before.surfaces++] = plane;
    }
    for (uint32_t n = 0; n < balls; n++) {
        const double x[3] = {0.0, 0.0, 0.5 - high + n};
        const double v[3] = {1.0, 0.0, n == 0 ? uniform(&random, -1.0, 1.0) : 0.0};
        queue_add(&queue_trial_before, x, v, 0.5, 1.0, restitution);
    }
    const uint64_t held = queue_trial_step(number, "bodies between planes");
    note_check(held == 0 && queue_trial_after.impacts <= WEDGED_IMPACTS, "%g are held, %g impacts", (double)held,
               (double)queue_trial_after.impacts);
    note_check(fabs(queue_trial_before.piece[0].x[0] - 1.0) < 1e-12, "it rolls to %g",
               queue_trial_before.piece[0].x[0]);
}

static void test_wedged(void **state) {
    (void)state;
    note_each_case(WEDGED, check_wedged);
}

static void test_grooves(void **state) {
    (void)state;
    note_each_case(GROOVES, check_groove);
}

/* A body that slides past two others at right angles, which in doubles it approaches: as far from the origin as this
 * the centres are a rounding away from where they should be. The small velocities are what impacts before have left. */
static void test_three(void **state) {
    (void)state;
    static const double at[3][3] = {{2.7999999999999998, 1.3999999999999999, 1.3999999999999999},
                                    {2.8000000000000003, 2.0999999999999996, 1.3999999999999999},
                                    {2.8000000000000003, 1.3999999999999999, 2.0999999999999996}};
    static const double v[3][3] = {
        {1.0213372539801429e-10, 0, 0}, {0, 6.4794979158639212e-26, 1e-24}, {0, 3e-24, 6.4794979158639212e-26}};
    queue_trial_begin(10000);
    for (int n = 0; n < 3; n++) {
        queue_add(&queue_trial_before, at[n], v[n], 0.35, 1.0, 1.0);
    }
    const uint64_t held = queue_trial_step(0, "a body that slides past two");
    note_check(held == 0 && queue_trial_after.impacts <= 2, "%g are held, %g impacts", (double)held,
               (double)queue_trial_after.impacts);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_packs), cmocka_unit_test(test_grooves),
                                       cmocka_unit_test(test_wedged), cmocka_unit_test(test_three)};
    note_start("tests/prop/test_packs");
    queue_trial_open();
    const int failed = cmocka_run_group_tests_name("packs", tests, NULL, NULL);
    queue_trial_close();
    return failed;
}
