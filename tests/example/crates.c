/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Rigid bodies: crates stand on each other until a stone hits them, and come to rest again. In each step Carom finds
 * the pairs that are near each other and their manifolds; impulses at the manifolds' points keep the bodies apart
 * (sequential impulses, Catto 2005). In metres, kilograms and seconds. */
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 6, CRATES = ROWS * (ROWS + 1) / 2, STONE = CRATES, FLOOR, BODIES };
enum { QUIET = 90, STEPS = 600, ROUNDS = 40, PAIRS_MOST = 20 * BODIES };
enum { CRATE_SHAPE, STONE_SHAPE, FLOOR_SHAPE, SHAPES };
static const double DT = 0.01, GRAVITY = 9.81, FRICTION = 0.6;
static const double MARGIN =
    0.3; /* bodies that are this near may meet in the step: no speed is more than MARGIN / DT */
static const double SLOP = 0.001; /* overlap that is left alone, so that contacts stay */

/* Crates and the stone, a regular octahedron, have the same inertia about every axis, so no gyroscopic term. The floor
 * has infinite mass. */
static double at[3][BODIES], turn[4][BODIES], velocity[3][BODIES], spin[3][BODIES];
static double inverse_mass[BODIES], inverse_inertia[BODIES];
static uint32_t shape_of[BODIES];

/* What keeps two bodies apart at a point, or holds them back along the surface. */
typedef struct contact {
    uint32_t i, k;
    double direction[3][3]; /* the normal from k to i, and two across it */
    double arm_i[3], arm_k[3];
    double least;      /* the least speed along the normal that is allowed */
    double impulse[3]; /* so far */
} contact;

static contact contacts[4 * PAIRS_MOST];
static uint64_t contact_count;
static double deepest; /* overlap of all steps */
static carom_gap_f64 gaps[PAIRS_MOST];
static carom_manifold_f64 manifolds[PAIRS_MOST];

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double c[3]) {
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static void place(uint32_t body, uint32_t shape, double x, double y, double z, double mass, double inertia) {
    at[0][body] = x;
    at[1][body] = y;
    at[2][body] = z;
    turn[3][body] = 1;
    shape_of[body] = shape;
    inverse_mass[body] = 1 / mass;
    inverse_inertia[body] = 1 / inertia;
}

static carom_shapes *build(void) {
    static const double corner[6][3] = {{0.6, 0, 0},  {-0.6, 0, 0}, {0, 0.6, 0},
                                        {0, -0.6, 0}, {0, 0, 0.6},  {0, 0, -0.6}};
    const carom_shape shape[SHAPES] = {
        [CRATE_SHAPE] = {.kind = CAROM_SHAPE_BOX, .extent = {0.5, 0.5, 0.5}},
        [STONE_SHAPE] = {.kind = CAROM_SHAPE_HULL, .point = corner, .point_count = 6},
        [FLOOR_SHAPE] = {.kind = CAROM_SHAPE_BOX, .extent = {50, 50, 1}},
    };
    carom_shapes *shapes = NULL;
    carom_error error;
    if (carom_shapes_create(shape, SHAPES, NULL, &shapes, &error) != CAROM_OK) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    uint32_t body = 0;
    for (int row = 0; row < ROWS; row++) {
        for (int n = 0; n < ROWS - row; n++) {
            place(body++, CRATE_SHAPE, 1.05 * (n + 0.5 * row), 0, 0.5 + row, 100, 100.0 / 6);
        }
    }
    place(STONE, STONE_SHAPE, -22, 0.1, 2, 1000, 0.2 * 1000 * 0.36);
    velocity[0][STONE] = 20;
    velocity[2][STONE] = 7;
    place(FLOOR, FLOOR_SHAPE, 0, 0, -1, INFINITY, INFINITY);
    return shapes;
}

/* The speed of body i over k at a contact. */
static void find_speed(const contact *c, double speed[3]) {
    const double spin_i[3] = {spin[0][c->i], spin[1][c->i], spin[2][c->i]};
    const double spin_k[3] = {spin[0][c->k], spin[1][c->k], spin[2][c->k]};
    double of_i[3], of_k[3];
    cross(spin_i, c->arm_i, of_i);
    cross(spin_k, c->arm_k, of_k);
    for (int a = 0; a < 3; a++) {
        speed[a] = velocity[a][c->i] + of_i[a] - velocity[a][c->k] - of_k[a];
    }
}

/* Adds to the impulse along a direction what changes the speed there by `change`, within its limits. */
static void push(contact *c, int d, double change, double least, double most) {
    const double *n = c->direction[d];
    double round_i[3], round_k[3];
    cross(c->arm_i, n, round_i);
    cross(c->arm_k, n, round_k);
    const double inverse = inverse_mass[c->i] + inverse_mass[c->k] + inverse_inertia[c->i] * dot(round_i, round_i) +
                           inverse_inertia[c->k] * dot(round_k, round_k);
    const double next = fmin(fmax(c->impulse[d] + change / inverse, least), most);
    const double more = next - c->impulse[d];
    c->impulse[d] = next;
    for (int a = 0; a < 3; a++) {
        velocity[a][c->i] += inverse_mass[c->i] * more * n[a];
        velocity[a][c->k] -= inverse_mass[c->k] * more * n[a];
        spin[a][c->i] += inverse_inertia[c->i] * more * round_i[a];
        spin[a][c->k] -= inverse_inertia[c->k] * more * round_k[a];
    }
}

/* Friction is limited along two directions, not in all: up to 1.4 times as much along their diagonal. Without impulses
 * of the last step to begin with, this takes many rounds. */
static void solve(void) {
    for (int round = 0; round < ROUNDS; round++) {
        for (uint64_t n = 0; n < contact_count; n++) {
            contact *c = &contacts[n];
            double speed[3];
            find_speed(c, speed);
            push(c, 0, c->least - dot(speed, c->direction[0]), 0, INFINITY);
            for (int d = 1; d < 3; d++) {
                const double most = FRICTION * c->impulse[0];
                find_speed(c, speed);
                push(c, d, -dot(speed, c->direction[d]), -most, most);
            }
        }
    }
}

/* Two unit vectors across the normal and each other. */
static void find_across(double direction[3][3]) {
    const double *n = direction[0];
    const double other[3] = {fabs(n[0]) < 0.5, fabs(n[0]) >= 0.5, 0};
    cross(n, other, direction[1]);
    const double length = sqrt(dot(direction[1], direction[1]));
    for (int a = 0; a < 3; a++) {
        direction[1][a] /= length;
    }
    cross(n, direction[1], direction[2]);
}

/* A point of a manifold. Bodies that are apart may close the gap in the step, no more (a speculative contact); of an
 * overlap beyond the slop a fifth is removed (Baumgarte). */
static void add_contact(uint32_t i, uint32_t k, const double normal[3], const double point[3], double gap) {
    contact *c = &contacts[contact_count++];
    memset(c, 0, sizeof *c);
    c->i = i;
    c->k = k;
    for (int a = 0; a < 3; a++) {
        c->direction[0][a] = normal[a];
        c->arm_i[a] = point[a] - at[a][i];
        c->arm_k[a] = point[a] - at[a][k];
    }
    find_across(c->direction);
    deepest = fmax(deepest, -gap);
    c->least = gap > 0 ? -gap / DT : fmax(0, -0.2 * (gap + SLOP) / DT);
}

/* The pairs that are within the margin, and where they touch. */
static void find_contacts(carom_context *context, const carom_bodies_f64 *bodies) {
    carom_error error;
    carom_detection_f64 found = {0};
    carom_detect_config detect = carom_detect_config_default();
    carom_distance_config distance = carom_distance_config_default();
    detect.until = CAROM_UNTIL_PAIRS; /* whose boxes are that near: shapes are looked at once, below */
    detect.margin = MARGIN;
    distance.detail = CAROM_GAP_CONTACT;
    distance.margin = MARGIN;
    carom_status status = carom_detect_f64(context, bodies, &detect, NULL, &found, &error);
    if (status == CAROM_OK && found.pair_count > PAIRS_MOST) {
        fprintf(stderr, "more pairs than room\n");
        exit(1);
    }
    if (status == CAROM_OK) { /* the detection's results stay valid */
        status = carom_distance_pairs_f64(context, bodies, found.contacts.i, found.contacts.k, found.pair_count,
                                          &distance, gaps, manifolds, &error);
    }
    if (status != CAROM_OK) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    contact_count = 0;
    for (uint64_t n = 0; n < found.pair_count; n++) {
        for (int p = 0; p < gaps[n].point_count; p++) {
            add_contact(found.contacts.i[n], found.contacts.k[n], gaps[n].normal, manifolds[n].point[p],
                        manifolds[n].gap[p]);
        }
    }
}

static void move(uint32_t b) {
    const double q[4] = {turn[0][b], turn[1][b], turn[2][b], turn[3][b]};
    const double w[3] = {0.5 * DT * spin[0][b], 0.5 * DT * spin[1][b], 0.5 * DT * spin[2][b]};
    const double p[4] = {q[0] + w[0] * q[3] + w[1] * q[2] - w[2] * q[1], q[1] + w[1] * q[3] + w[2] * q[0] - w[0] * q[2],
                         q[2] + w[2] * q[3] + w[0] * q[1] - w[1] * q[0], q[3] - dot(w, q)};
    const double length = sqrt(dot(p, p) + p[3] * p[3]);
    for (int a = 0; a < 3; a++) {
        at[a][b] += DT * velocity[a][b];
    }
    for (int a = 0; a < 4; a++) {
        turn[a][b] = p[a] / length;
    }
}

static void step(carom_context *context, const carom_bodies_f64 *bodies) {
    find_contacts(context, bodies);
    for (uint32_t b = 0; b < FLOOR; b++) {
        velocity[2][b] -= GRAVITY * DT;
    }
    solve();
    for (uint32_t b = 0; b < FLOOR; b++) {
        move(b);
    }
}

static double fastest(void) {
    double most = 0;
    for (uint32_t b = 0; b < FLOOR; b++) {
        const double v[3] = {velocity[0][b], velocity[1][b], velocity[2][b]};
        most = fmax(most, sqrt(dot(v, v)));
    }
    return most;
}

static int expect(bool holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "not so: %s\n", what);
    }
    return holds ? 0 : 1;
}

int main(void) {
    carom_context *context = NULL;
    carom_error error;
    carom_shapes *shapes = build();
    if (carom_context_create(NULL, &context, &error) != CAROM_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    /* Carom sees bodies at rest, where they are when a step begins: curr is prev. */
    const carom_bodies_f64 bodies = {.size = sizeof bodies,
                                     .count = BODIES,
                                     .prev = {at[0], at[1], at[2]},
                                     .curr = {at[0], at[1], at[2]},
                                     .shapes = shapes,
                                     .shape = shape_of,
                                     .prev_turn = {turn[0], turn[1], turn[2], turn[3]}};
    const double top = at[2][CRATES - 1];
    double sunk = 0;
    for (int n = 0; n < STEPS; n++) {
        step(context, &bodies);
        if (n < QUIET) {
            sunk = fmax(sunk, fabs(at[2][CRATES - 1] - top));
        }
    }
    const double fallen = top - at[2][CRATES - 1];
    double lowest = INFINITY;
    for (uint32_t b = 0; b < FLOOR; b++) {
        lowest = fmin(lowest, at[2][b]);
    }
    printf(
        "The topmost crate sinks by %.1f mm before the stone comes, and falls by %.1f m when it does. In the end the\n"
        "fastest body has %.4f m/s; no overlap was deeper than %.1f mm.\n",
        1e3 * sunk, fallen, fastest(), 1e3 * deepest);
    carom_context_destroy(context);
    carom_shapes_destroy(shapes);
    return expect(sunk < 0.01, "crates stand on each other") | expect(fallen > 1, "the stone brings them down") |
           expect(fastest() < 0.02, "all bodies come to rest") | expect(deepest < 0.02, "bodies stay apart") |
           expect(lowest > 0.3, "none sinks into the floor");
}
