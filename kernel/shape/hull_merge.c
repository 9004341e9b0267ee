/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a surface of triangles around a hull. Out: its vertices and faces. Triangles of one plane that touch make a face.
 * A point is a vertex if three faces meet there; with two it lies on an edge, with one in a face. */
#include "kernel/shape/hull_merge.h"

#include "kernel/shape/hull_faces.h"
#include "kernel/shape/orient.h"

/* The number of triangle n's face: the root of a union-find, whose paths stay short enough. */
static uint16_t face_of(const carom_hull_work *work, uint16_t n) {
    while (work->triangle[n].face != n) {
        n = work->triangle[n].face;
    }
    return n;
}

/* The triangle across edge e of a triangle, from point *a to point *b. */
static uint16_t across(const carom_hull_work *work, const carom_hull_triangle *t, int e, uint16_t *a, uint16_t *b) {
    *a = t->point[e];
    *b = t->point[e < 2 ? e + 1 : 0];
    return work->beside[*b][*a];
}

static bool in_plane(const carom_hull_work *work, const carom_hull_triangle *t, const carom_hull_triangle *other) {
    bool all = true;
    for (int c = 0; c < 3; c++) {
        all = all && carom_orient(work->point[t->point[0]], work->point[t->point[1]], work->point[t->point[2]],
                                  work->point[other->point[c]]) == 0;
    }
    return all;
}

static void unite_planes(carom_hull_work *work) {
    uint16_t a;
    uint16_t b;
    for (uint16_t n = 0; n < work->triangle_count; n++) {
        const carom_hull_triangle *t = &work->triangle[n];
        for (int e = 0; t->used && e < 3; e++) {
            const uint16_t other = across(work, t, e, &a, &b);
            if (in_plane(work, t, &work->triangle[other])) {
                const uint16_t root = face_of(work, n);
                const uint16_t second = face_of(work, other);
                work->triangle[root > second ? root : second].face = root > second ? second : root;
            }
        }
    }
    for (uint16_t n = 0; n < work->triangle_count; n++) {
        work->triangle[n].face = work->triangle[n].used ? face_of(work, n) : n;
    }
}

/* Whether three faces meet at the point: faces beside the edges that leave it, in order around it. */
static bool is_vertex(const carom_hull_work *work, uint32_t point) {
    uint16_t found[3];
    uint32_t count = 0;
    for (uint32_t to = 0; to < work->count && count < 3; to++) {
        const uint16_t n = work->beside[point][to];
        if (n == CAROM_HULL_NONE) {
            continue;
        }
        const uint16_t face = work->triangle[n].face;
        bool is_new = true;
        for (uint32_t m = 0; m < count; m++) {
            is_new = is_new && found[m] != face;
        }
        if (is_new) {
            found[count++] = face;
        }
    }
    return count == 3;
}

static void find_vertices(carom_hull_work *work) {
    work->vertex_count = 0;
    for (uint32_t n = 0; n < work->count; n++) {
        work->number[n] = CAROM_HULL_NONE;
        if (is_vertex(work, n)) {
            for (int d = 0; d < 3; d++) {
                work->vertex[work->vertex_count][d] = work->point[n][d];
            }
            work->number[n] = (uint16_t)work->vertex_count++;
        }
    }
}

/* Walks round a face: next[a] is the point after a on its border. Writes its vertices, the lowest first. */
static void walk(carom_hull_work *work, const uint16_t next[CAROM_HULL_POINTS_MAX], uint16_t start) {
    const uint32_t first = work->corner_count;
    uint16_t at = start;
    uint16_t lowest = start;
    do {
        const bool lower = work->number[at] < work->number[lowest];
        lowest = lower ? at : lowest;
        at = next[at];
    } while (at != start);
    at = lowest;
    do {
        if (work->number[at] != CAROM_HULL_NONE) {
            work->corner[work->corner_count++] = work->number[at];
        }
        at = next[at];
    } while (at != lowest);
    carom_hull_faces_add(work, first);
}

static void add_faces(carom_hull_work *work) {
    uint16_t next[CAROM_HULL_POINTS_MAX];
    uint16_t a;
    uint16_t b;
    for (uint16_t face = 0; face < work->triangle_count; face++) {
        uint16_t start = CAROM_HULL_NONE;
        for (uint16_t n = face; n < work->triangle_count; n++) {
            const carom_hull_triangle *t = &work->triangle[n];
            for (int e = 0; t->used && t->face == face && e < 3; e++) {
                if (work->triangle[across(work, t, e, &a, &b)].face != face) {
                    next[a] = b;
                    start = a;
                }
            }
        }
        if (start != CAROM_HULL_NONE) {
            walk(work, next, start);
        }
    }
}

void carom_hull_merge(carom_hull_work *work) {
    unite_planes(work);
    find_vertices(work);
    add_faces(work);
}
