/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: different points of one plane or line, or one point. Out: the hull's vertices and, of a polygon, its two faces.
 *
 * The polygon is that of its shadow along an axis that the plane is not parallel to, by Andrew's monotone chain (1979):
 * points are sorted, and a lower and an upper chain keep those that turn. */
#include "kernel/shape/hull_flatten.h"

#include "kernel/shape/hull_faces.h"
#include "kernel/shape/orient.h"

/* Whether point a comes before point b: by the coordinates after `axis`, then by the next, then by the axis itself. */
static bool before(const carom_hull_work *work, uint16_t a, uint16_t b, int axis) {
    const double *p = work->point[a];
    const double *q = work->point[b];
    for (int d = 1; d < 3; d++) {
        const int c = (axis + d) % 3;
        if (p[c] < q[c] || p[c] > q[c]) {
            return p[c] < q[c];
        }
    }
    return p[axis] < q[axis];
}

static void sort(const carom_hull_work *work, int axis, uint16_t order[CAROM_HULL_POINTS_MAX]) {
    for (uint32_t n = 0; n < work->count; n++) {
        uint32_t at = n;
        for (; at > 0 && before(work, (uint16_t)n, order[at - 1], axis); at--) {
            order[at] = order[at - 1];
        }
        order[at] = (uint16_t)n;
    }
}

/* An axis along which the shadow of the points has an area. */
static int find_axis(const carom_hull_work *work) {
    for (int axis = 0; axis < 2; axis++) {
        for (uint32_t n = 2; n < work->count; n++) {
            if (carom_orient_along(work->point[0], work->point[1], work->point[n], axis) != 0) {
                return axis;
            }
        }
    }
    return 2;
}

/* Adds a point to a chain, which keeps its first `least` points; those that do not turn left before it go. */
static uint32_t extend(const carom_hull_work *work, int axis, uint16_t *chain, uint32_t count, uint32_t least,
                       uint16_t point) {
    while (count > least && carom_orient_along(work->point[chain[count - 2]], work->point[chain[count - 1]],
                                               work->point[point], axis) <= 0) {
        count--;
    }
    chain[count] = point;
    return count + 1;
}

/* The polygon's points, counterclockwise seen from the axis. */
static uint32_t find_polygon(const carom_hull_work *work, int axis, uint16_t chain[2 * CAROM_HULL_POINTS_MAX]) {
    uint16_t order[CAROM_HULL_POINTS_MAX];
    uint32_t count = 0;
    sort(work, axis, order);
    for (uint32_t n = 0; n < work->count; n++) {
        count = extend(work, axis, chain, count, 1, order[n]);
    }
    const uint32_t lower = count;
    for (uint32_t n = work->count - 1; n > 0; n--) {
        count = extend(work, axis, chain, count, lower, order[n - 1]);
    }
    return count - 1; /* the first point again */
}

/* Vertices keep the points' order. */
static void number_vertices(carom_hull_work *work, const uint16_t *chosen, uint32_t count) {
    bool is_vertex[CAROM_HULL_POINTS_MAX] = {false};
    for (uint32_t n = 0; n < count; n++) {
        is_vertex[chosen[n]] = true;
    }
    work->vertex_count = 0;
    for (uint32_t n = 0; n < work->count; n++) {
        work->number[n] = is_vertex[n] ? (uint16_t)work->vertex_count : CAROM_HULL_NONE;
        for (int d = 0; is_vertex[n] && d < 3; d++) {
            work->vertex[work->vertex_count][d] = work->point[n][d];
        }
        work->vertex_count += is_vertex[n] ? 1 : 0;
    }
}

/* Both faces begin with vertex 0. */
static void add_faces(carom_hull_work *work, const uint16_t *chain, uint32_t count) {
    uint32_t lowest = 0;
    while (work->number[chain[lowest]] != 0) {
        lowest++;
    }
    for (int side = 0; side < 2; side++) {
        const uint32_t first = work->corner_count;
        for (uint32_t n = 0; n < count; n++) {
            const uint32_t at = side == 0 ? lowest + n : lowest + count - n;
            work->corner[work->corner_count++] = work->number[chain[at % count]];
        }
        carom_hull_faces_add(work, first);
    }
}

void carom_hull_flatten(carom_hull_work *work) {
    uint16_t chain[2 * CAROM_HULL_POINTS_MAX];
    if (work->dimensions == 2) {
        const int axis = find_axis(work);
        const uint32_t count = find_polygon(work, axis, chain);
        number_vertices(work, chain, count);
        add_faces(work, chain, count);
        return;
    }
    uint16_t order[CAROM_HULL_POINTS_MAX];
    sort(work, 0, order);
    chain[0] = order[0];
    chain[1] = order[work->count - 1];
    number_vertices(work, chain, 2);
}
