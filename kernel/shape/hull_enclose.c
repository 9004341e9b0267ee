/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: different points. Out: the dimension of their hull and, if it has a volume, a surface of triangles around it.
 *
 * Points are added one by one (the incremental algorithm: de Berg and others, Computational Geometry, 11). A point
 * replaces the triangles that it sees by those from it to their horizon. It does not see a triangle in whose plane it
 * lies: so triangles of one plane are seen together, what is seen is one piece, and no triangle is without area. All
 * decisions are exact. */
#include "kernel/shape/hull_enclose.h"

#include "kernel/check/assert.h"
#include "kernel/shape/orient.h"

static void add_triangle(carom_hull_work *work, uint16_t a, uint16_t b, uint16_t c) {
    uint32_t n = 0;
    while (n < work->triangle_count && work->triangle[n].used) {
        n++;
    }
    CAROM_ASSERT(n < CAROM_HULL_TRIANGLES_MAX);
    work->triangle_count += n == work->triangle_count ? 1 : 0;
    work->triangle[n] = (carom_hull_triangle){.point = {a, b, c}, .face = (uint16_t)n, .used = true};
    work->beside[a][b] = (uint16_t)n;
    work->beside[b][c] = (uint16_t)n;
    work->beside[c][a] = (uint16_t)n;
}

static bool on_line(const carom_hull_work *work, uint32_t a, uint32_t b, uint32_t c) {
    for (int axis = 0; axis < 3; axis++) {
        if (carom_orient_along(work->point[a], work->point[b], work->point[c], axis) != 0) {
            return false;
        }
    }
    return true;
}

/* Brings points that span the hull to the first places of `first`. Returns its dimension. */
static uint32_t find_span(const carom_hull_work *work, uint32_t first[4]) {
    if (work->count == 1) {
        return 0;
    }
    first[0] = 0;
    first[1] = 1;
    uint32_t n = 2;
    while (n < work->count && on_line(work, 0, 1, n)) {
        n++;
    }
    if (n == work->count) {
        return 1;
    }
    first[2] = n;
    do {
        n++;
    } while (n < work->count &&
             carom_orient(work->point[0], work->point[1], work->point[first[2]], work->point[n]) == 0);
    first[3] = n;
    return n == work->count ? 2 : 3;
}

static void begin(carom_hull_work *work, const uint32_t first[4]) {
    const uint16_t a = (uint16_t)first[0];
    const uint16_t d = (uint16_t)first[3];
    const bool before = carom_orient(work->point[a], work->point[first[1]], work->point[first[2]], work->point[d]) > 0;
    const uint16_t b = (uint16_t)first[before ? 2 : 1];
    const uint16_t c = (uint16_t)first[before ? 1 : 2];
    work->triangle_count = 0;
    add_triangle(work, a, b, c);
    add_triangle(work, b, a, d);
    add_triangle(work, c, b, d);
    add_triangle(work, a, c, d);
}

/* Marks the triangles that the point sees. False if there are none: it lies in the hull. */
static bool mark_seen(carom_hull_work *work, uint32_t point) {
    bool any = false;
    for (uint32_t n = 0; n < work->triangle_count; n++) {
        carom_hull_triangle *t = &work->triangle[n];
        t->seen = t->used && carom_orient(work->point[t->point[0]], work->point[t->point[1]], work->point[t->point[2]],
                                          work->point[point]) > 0;
        any = any || t->seen;
    }
    return any;
}

/* Edges between a triangle that is seen and one that is not: from[n] to to[n]. Returns how many. */
static uint32_t find_horizon(const carom_hull_work *work, uint16_t from[CAROM_HULL_EDGES_MAX],
                             uint16_t to[CAROM_HULL_EDGES_MAX]) {
    uint32_t count = 0;
    for (uint32_t n = 0; n < work->triangle_count; n++) {
        const carom_hull_triangle *t = &work->triangle[n];
        for (int e = 0; t->seen && e < 3; e++) {
            const uint16_t a = t->point[e];
            const uint16_t b = t->point[e < 2 ? e + 1 : 0];
            if (!work->triangle[work->beside[b][a]].seen) {
                from[count] = a;
                to[count++] = b;
            }
        }
    }
    return count;
}

static void remove_seen(carom_hull_work *work) {
    for (uint32_t n = 0; n < work->triangle_count; n++) {
        carom_hull_triangle *t = &work->triangle[n];
        for (int e = 0; t->seen && e < 3; e++) {
            work->beside[t->point[e]][t->point[e < 2 ? e + 1 : 0]] = CAROM_HULL_NONE;
        }
        t->used = t->used && !t->seen;
        t->seen = false;
    }
}

static void add_point(carom_hull_work *work, uint32_t point) {
    uint16_t from[CAROM_HULL_EDGES_MAX];
    uint16_t to[CAROM_HULL_EDGES_MAX];
    if (!mark_seen(work, point)) {
        return;
    }
    const uint32_t count = find_horizon(work, from, to);
    remove_seen(work);
    for (uint32_t n = 0; n < count; n++) {
        add_triangle(work, from[n], to[n], (uint16_t)point);
    }
}

void carom_hull_enclose(carom_hull_work *work) {
    uint32_t first[4];
    work->dimensions = find_span(work, first);
    if (work->dimensions < 3) {
        return;
    }
    begin(work, first);
    for (uint32_t n = 0; n < work->count; n++) {
        if (n != first[0] && n != first[1] && n != first[2] && n != first[3]) {
            add_point(work, n);
        }
    }
}
