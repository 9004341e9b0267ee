/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Hulls against rational arithmetic: every point lies behind or in the plane of every face, faces are convex polygons
 * without straight corners, edges join their two faces, Euler's formula holds, and the order of the points changes
 * nothing but numbers. Guards that no hull loses a point or keeps one that is no corner. */
#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/scene/random.h"
#include "kernel/shape/table.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

enum { CASES = 400, KINDS = 10, POINTS = 40 };

typedef struct cloud {
    double point[CAROM_HULL_POINTS_MAX][3];
    uint32_t count;
} cloud;

static double uniform(carom_random *random) {
    return 2.0 * carom_random_u01(random) - 1.0;
}

static double lattice(carom_random *random) {
    return (double)(carom_random_next(random) % 4);
}

/* In a ball, on a lattice, in a plane, on a line, thin, far from the origin, on a sphere, doubled, tiny, on a tilted
 * lattice. Edges of tilted lattices and planes are floats, so that points lie in planes exactly, but doubles cannot
 * tell. */
static void draw_point(carom_random *random, uint64_t kind, double edge[3][3], double p[3]) {
    for (int d = 0; d < 3; d++) {
        p[d] = kind == 1 ? lattice(random) : uniform(random);
    }
    const double u = lattice(random);
    const double v = lattice(random);
    const double w = kind == 9 ? lattice(random) : 0.0;
    for (int d = 0; d < 3; d++) {
        p[d] = kind == 2 || kind == 9 ? u * edge[0][d] + v * edge[1][d] + w * edge[2][d] : p[d];
        p[d] = kind == 3 ? 0.25 * v * (double)(d - 2) : p[d];
        p[d] = kind == 5 ? p[d] + 1e6 : p[d];
        p[d] = kind == 8 ? p[d] * 1e-40 : p[d];
    }
    p[2] *= kind == 4 ? 1e-17 : 1.0;
    if (kind == 6) {
        const double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) + 1e-3;
        for (int d = 0; d < 3; d++) {
            p[d] = p[d] / length;
        }
    }
}

static void draw(carom_random *random, uint64_t number, cloud *c) {
    const uint64_t kind = number % KINDS;
    double edge[3][3];
    for (int n = 0; n < 9; n++) {
        edge[n / 3][n % 3] = (double)(int32_t)(uniform(random) * 0x1p24) * 0x1p-24;
    }
    c->count = 1 + (uint32_t)(carom_random_next(random) % (number % 40 == 1 ? CAROM_HULL_POINTS_MAX : POINTS));
    for (uint32_t n = 0; n < c->count; n++) {
        draw_point(random, kind, edge, c->point[n]);
        if (kind == 7 && n > 0 && n % 2 == 0) {
            memcpy(c->point[n], c->point[n / 2], sizeof c->point[n]);
        }
    }
}

/* The sign of det(b - a, c - a, d - a). */
static int side(const double *a, const double *b, const double *c, const double *d) {
    const double *const to[3] = {b, c, d};
    mpq_t e[3][3];
    mpq_t product;
    mpq_t sum;
    mpq_t value;
    mpq_inits(product, sum, value, NULL);
    for (int n = 0; n < 3; n++) {
        for (int k = 0; k < 3; k++) {
            mpq_init(e[n][k]);
            mpq_set_d(e[n][k], to[n][k]);
            mpq_set_d(value, a[k]);
            mpq_sub(e[n][k], e[n][k], value);
        }
    }
    for (int n = 0; n < 3; n++) {
        for (int m = 1; m < 3; m++) {
            mpq_mul(product, e[0][n], e[1][(n + m) % 3]);
            mpq_mul(product, product, e[2][(n + 3 - m) % 3]);
            if (m == 1) {
                mpq_add(sum, sum, product);
            } else {
                mpq_sub(sum, sum, product);
            }
        }
    }
    const int sign = mpq_sgn(sum);
    for (int n = 0; n < 3; n++) {
        for (int k = 0; k < 3; k++) {
            mpq_clear(e[n][k]);
        }
    }
    mpq_clears(product, sum, value, NULL);
    return sign;
}

static void vertex(const carom_hull *hull, uint32_t n, double p[3]) {
    for (int d = 0; d < 3; d++) {
        p[d] = hull->vertex[d][n];
    }
}

/* No point lies before a face, and those in its plane lie within it: left of its edges. */
static void check_face(const cloud *c, const carom_hull *hull, const carom_hull_face *face) {
    double p[3][3];
    for (uint32_t n = 0; n < face->count; n++) {
        for (uint32_t m = 0; m < 3; m++) {
            vertex(hull, hull->corner[face->first + (n + m) % face->count], p[m]);
        }
        for (uint32_t q = 0; q < c->count && n == 0; q++) {
            note_check(side(p[0], p[1], p[2], c->point[q]) <= 0, "point %u lies before a face", q);
        }
        for (uint32_t m = 0; m < face->count; m++) {
            double other[3];
            vertex(hull, hull->corner[face->first + m], other);
            note_check(side(p[0], p[1], p[2], other) == 0, "a face is not flat");
        }
        /* Seen from a point before the face, the corner turns left: a straight one would not. */
        double before[3];
        for (int d = 0; d < 3; d++) {
            before[d] = p[0][d] + face->normal[d] * (fabs(p[0][d]) + 1.0);
        }
        note_check(side(p[0], p[1], p[2], before) > 0, "a corner is straight or turns right");
    }
}

/* Every edge lies in both of its faces, once each way. */
static void check_edges(const carom_hull *hull) {
    uint32_t corners = 0;
    for (uint32_t n = 0; n < hull->edge_count; n++) {
        const carom_hull_edge *edge = &hull->edge[n];
        uint32_t found = 0;
        for (int f = 0; f < 2; f++) {
            const carom_hull_face *face = &hull->face[edge->face[f]];
            for (uint32_t m = 0; m < face->count; m++) {
                const uint32_t a = hull->corner[face->first + m];
                const uint32_t b = hull->corner[face->first + (m + 1) % face->count];
                found += a == edge->vertex[f] && b == edge->vertex[1 - f] ? 1U << f : 0;
            }
        }
        note_check(found == 3, "edge %u is not in its faces", n);
    }
    for (uint32_t n = 0; n < hull->face_count; n++) {
        corners += hull->face[n].count;
    }
    note_check(corners == 2 * hull->edge_count && corners == hull->corner_count, "%u corners, %u edges", corners,
               hull->edge_count);
}

static const carom_hull *make(const cloud *c, carom_shapes **shapes) {
    carom_shape shape = {.kind = CAROM_SHAPE_HULL, .point = c->point, .point_count = c->count};
    carom_error error;
    const carom_status status = carom_shapes_create(&shape, 1, NULL, shapes, &error);
    note_check(status == CAROM_OK, "%s", status == CAROM_OK ? "" : error.message);
    return (*shapes)->entry[0].hull;
}

static bool has_vertex(const carom_hull *hull, const double p[3]) {
    for (uint32_t n = 0; n < hull->vertex_count; n++) {
        double q[3];
        vertex(hull, n, q);
        if (memcmp(p, q, sizeof q) == 0) {
            return true;
        }
    }
    return false;
}

/* The points in another order make the same hull. */
static void check_order(carom_random *random, const cloud *c, const carom_hull *hull) {
    cloud other = *c;
    for (uint32_t n = other.count; n > 1; n--) {
        const uint32_t m = (uint32_t)(carom_random_next(random) % n);
        double p[3];
        memcpy(p, other.point[n - 1], sizeof p);
        memcpy(other.point[n - 1], other.point[m], sizeof p);
        memcpy(other.point[m], p, sizeof p);
    }
    carom_shapes *shapes;
    const carom_hull *again = make(&other, &shapes);
    note_check(again->vertex_count == hull->vertex_count && again->face_count == hull->face_count &&
                   again->edge_count == hull->edge_count && again->dimensions == hull->dimensions,
               "the order of the points matters");
    for (uint32_t n = 0; n < hull->vertex_count; n++) {
        double p[3];
        vertex(hull, n, p);
        note_check(has_vertex(again, p), "vertex %u is none in another order", n);
    }
    carom_shapes_destroy(shapes);
}

static void check_hull(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    cloud c;
    carom_shapes *shapes;
    draw(&random, number, &c);
    note_case(number, "%u points of kind %u", c.count, (unsigned)(number % KINDS));
    const carom_hull *hull = make(&c, &shapes);
    for (uint32_t n = 0; n < hull->face_count; n++) {
        check_face(&c, hull, &hull->face[n]);
    }
    if (hull->dimensions == 3) {
        note_check(hull->vertex_count + hull->face_count == hull->edge_count + 2, "Euler's formula fails");
    }
    if (hull->dimensions >= 2) {
        check_edges(hull);
    }
    const uint32_t faces[4] = {0, 0, 2, hull->face_count};
    note_check(hull->face_count == faces[hull->dimensions] &&
                   (hull->dimensions > 1 || hull->vertex_count == hull->dimensions + 1),
               "%u faces and %u vertices in %u dimensions", hull->face_count, hull->vertex_count, hull->dimensions);
    check_order(&random, &c, hull);
    carom_shapes_destroy(shapes);
}

static void check_hulls(void **state) {
    (void)state;
    note_each_case(CASES, check_hull);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(check_hulls)};
    note_start("test_hulls");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
