/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/oracle/pair_lattice.h"

#include <stdint.h>

typedef struct frame {
    double u[3][3];
    double length;
} frame;

static int whole(carom_random *random, int least, int most) {
    return least + (int)(carom_random_next(random) % (uint64_t)(most - least + 1));
}

static frame draw_frame(carom_random *random) {
    int a = whole(random, 1, 4);
    int b = whole(random, -3, 3);
    int c = whole(random, -3, 3);
    int d = whole(random, -3, 3);
    int u[3][3] = {{a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)},
                   {2 * (b * c + a * d), a * a - b * b + c * c - d * d, 2 * (c * d - a * b)},
                   {2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d}};
    frame f = {.length = a * a + b * b + c * c + d * d};
    for (int row = 0; row < 3; row++) {
        for (int axis = 0; axis < 3; axis++) {
            f.u[row][axis] = u[row][axis];
        }
    }
    return f;
}

/* p and v as whole multiples of the frame's vectors, R of its length. */
static pair_shape shape_of(const frame *f, const int p[3], const int v[3], double sum_radius) {
    pair_shape shape = {.sum_radius = sum_radius * f->length};
    for (int row = 0; row < 3; row++) {
        for (int axis = 0; axis < 3; axis++) {
            shape.p[axis] += p[row] * f->u[row][axis];
            shape.v[axis] += v[row] * f->u[row][axis];
        }
    }
    return shape;
}

static pair_shape tangent(const frame *f, carom_random *random) {
    int s = whole(random, 1, 12);
    int q = whole(random, 1, 12);
    int m = whole(random, 0, q);
    int j = whole(random, 1, 6);
    switch (carom_random_next(random) % 4) {
    case 0: /* at the start */
        return shape_of(f, (int[3]){s, 0, 0}, (int[3]){whole(random, -6, 6), q, j}, s);
    case 1: /* at the end, still approaching */
        return shape_of(f, (int[3]){s + j, -q, 0}, (int[3]){-j, q, 0}, s);
    default: /* closest within the step, at m / q */
        return shape_of(f, (int[3]){s, -m, 0}, (int[3]){0, q, 0}, s);
    }
}

pair_shape pair_lattice(carom_random *random) {
    frame f = draw_frame(random);
    pair_shape shape = tangent(&f, random);
    uint64_t miss = carom_random_next(random) % 8;
    shape.sum_radius += miss == 0 ? 0.5 : miss == 1 ? -0.5 : 0;
    return shape;
}

pair_shape pair_lattice_axes(carom_random *random) {
    frame f = {.u = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .length = 1};
    int turn = whole(random, 0, 2);
    for (int row = 0; row < 3; row++) {
        for (int axis = 0; axis < 3; axis++) {
            f.u[row][axis] = axis == (row + turn) % 3;
        }
    }
    int q = whole(random, 2, 12);
    int s = whole(random, 1, 12);
    return shape_of(&f, (int[3]){s, -whole(random, 1, q - 1), 0}, (int[3]){0, q, 0}, s);
}

pair_shape pair_lattice_points(carom_random *random) {
    frame f = draw_frame(random);
    int q = whole(random, 1, 12);
    int aside = (int)(carom_random_next(random) % 2);
    int from = whole(random, -2, 14);
    return shape_of(&f, (int[3]){-from, aside, 0}, (int[3]){q, 0, 0}, 0);
}

pair_shape pair_lattice_rest(carom_random *random) {
    pair_shape shape = pair_lattice(random);
    for (int axis = 0; axis < 3; axis++) {
        shape.p[axis] += carom_random_next(random) % 6 == 0 ? 1 : 0;
        shape.v[axis] = 0;
    }
    return shape;
}
