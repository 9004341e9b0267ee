/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a finished hull. Out: columns of unit vectors.
 *
 * A normal is the cross product of two sides of the face, in sums of two doubles (Dekker 1971): its error, 2^-98 of the
 * product of the sides' lengths, is 2^-58 of its own length where a face is no flatter than FLAT. So only the last
 * roundings count. */
#include "kernel/shape/hull_axes.h"

#include <math.h>

#include "simd/vector.h"

/* Sines between two sides of a face, at least, of hulls that have axes. */
#define FLAT 0x1p-40

/* high + low, |low| <= 2^-53 |high|. */
typedef struct two_part {
    double high;
    double low;
} two_part;

/* a + b, exactly. */
static two_part sum_of(double a, double b) {
    const double sum = a + b;
    const double of_b = sum - a;
    return (two_part){sum, (a - (sum - of_b)) + (b - of_b)};
}

/* a b + c d, within 2^-100 of the greater product. */
static two_part sum_of_products(two_part a, two_part b, two_part c, two_part d) {
    const double ab = a.high * b.high;
    const double cd = c.high * d.high;
    const double ab_low = fma(a.high, b.high, -ab) + (a.high * b.low + a.low * b.high);
    const double cd_low = fma(c.high, d.high, -cd) + (c.high * d.low + c.low * d.high);
    const two_part sum = sum_of(ab, cd);
    return sum_of(sum.high, sum.low + (ab_low + cd_low));
}

static two_part negative(two_part a) {
    return (two_part){-a.high, -a.low};
}

/* The unit normal of the triangle at three vertices; returns the sine between its sides. */
static double find_axis(const double o[3], const double p[3], const double q[3], double axis[3]) {
    two_part e[3];
    two_part f[3];
    double square_e = 0.0;
    double square_f = 0.0;
    double cross[3];
    for (int d = 0; d < 3; d++) {
        e[d] = sum_of(p[d], -o[d]);
        f[d] = sum_of(q[d], -o[d]);
        square_e += e[d].high * e[d].high;
        square_f += f[d].high * f[d].high;
    }
    for (int d = 0; d < 3; d++) {
        const int a = (d + 1) % 3;
        const int b = (d + 2) % 3;
        cross[d] = sum_of_products(e[a], f[b], negative(e[b]), f[a]).high;
    }
    const double length = carom_vector_length(cross);
    for (int d = 0; d < 3; d++) {
        axis[d] = 0.0;
    }
    (void)carom_vector_unit(cross, axis);
    return length / sqrt(square_e * square_f);
}

/* The normal of a face, of its triangle with the greatest sine at a corner. Returns the sine. */
static double find_face_axis(const carom_hull_work *work, const carom_hull_face *face, double axis[3]) {
    const uint32_t *corner = work->corner + face->first;
    double most = -1.0;
    for (uint32_t n = 0; n < face->count; n++) {
        const uint32_t before = corner[n > 0 ? n - 1 : face->count - 1];
        const uint32_t after = corner[n + 1 < face->count ? n + 1 : 0];
        double at_corner[3];
        const double sine = find_axis(work->vertex[corner[n]], work->vertex[after], work->vertex[before], at_corner);
        for (int d = 0; d < 3 && sine > most; d++) {
            axis[d] = at_corner[d];
        }
        most = sine > most ? sine : most;
    }
    return most;
}

static uint32_t padded(uint32_t count) {
    return (count + CAROM_HULL_AXES_PAD - 1) / CAROM_HULL_AXES_PAD * CAROM_HULL_AXES_PAD;
}

bool carom_hull_axes_count(const carom_hull_work *work, carom_hull_axes *axes) {
    if (work->dimensions < 3 || work->edge_count > CAROM_HULL_AXES_EDGES) {
        return false;
    }
    for (uint32_t n = 0; n < work->face_count; n++) {
        double axis[3];
        if (!(find_face_axis(work, &work->face[n], axis) > FLAT)) {
            return false;
        }
    }
    axes->faces = padded(work->face_count);
    axes->edges = work->edge_count;
    return true;
}

void carom_hull_axes_fill(const carom_hull_work *work, const carom_hull_axes *axes) {
    for (uint32_t n = 0; n < axes->faces; n++) {
        const carom_hull_face *face = &work->face[n < work->face_count ? n : 0];
        double axis[3];
        (void)find_face_axis(work, face, axis);
        axes->offset[n] = -HUGE_VAL;
        for (uint32_t c = 0; c < face->count; c++) {
            const double along = carom_vector_dot(axis, work->vertex[work->corner[face->first + c]]);
            axes->offset[n] = along > axes->offset[n] ? along : axes->offset[n];
        }
        for (int d = 0; d < 3; d++) {
            axes->axis[d][n] = axis[d];
        }
    }
    for (uint32_t n = 0; n < axes->edges; n++) {
        const carom_hull_edge *edge = &work->edge[n];
        const double *from = work->vertex[edge->vertex[0]];
        const double *to = work->vertex[edge->vertex[1]];
        const double between[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
        double way[3] = {0.0, 0.0, 0.0};
        (void)carom_vector_unit(between, way);
        for (int d = 0; d < 3; d++) {
            axes->way[d][n] = way[d];
        }
    }
}
