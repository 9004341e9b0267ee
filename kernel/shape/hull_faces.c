/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: corners of faces, and vertices. Out: normals, the order of faces, edges. */
#include "kernel/shape/hull_faces.h"

#include <string.h>

#include "simd/vector.h"

/* The normal of the triangle with the face's first corner that has the greatest area. */
static void find_normal(const carom_hull_work *work, const carom_hull_face *face, double normal[3]) {
    const uint32_t *corner = work->corner + face->first;
    const double *o = work->vertex[corner[0]];
    double most = -1.0;
    double best[3] = {0.0, 0.0, 0.0};
    for (uint32_t n = 1; n + 1 < face->count; n++) {
        const double *p = work->vertex[corner[n]];
        const double *q = work->vertex[corner[n + 1]];
        const double e[3] = {p[0] - o[0], p[1] - o[1], p[2] - o[2]};
        const double f[3] = {q[0] - o[0], q[1] - o[1], q[2] - o[2]};
        double cross[3];
        carom_vector_cross(e, f, cross);
        const double square = carom_vector_dot(cross, cross);
        if (square > most) {
            most = square;
            memcpy(best, cross, sizeof best);
        }
    }
    memset(normal, 0, 3 * sizeof(double));
    (void)carom_vector_unit(best, normal);
}

void carom_hull_faces_add(carom_hull_work *work, uint32_t first) {
    carom_hull_face *face = &work->face[work->face_count++];
    face->first = first;
    face->count = work->corner_count - first;
    find_normal(work, face, face->normal);
    face->offset = carom_vector_dot(face->normal, work->vertex[work->corner[first]]);
    for (uint32_t n = 1; n < face->count; n++) {
        const double far = carom_vector_dot(face->normal, work->vertex[work->corner[first + n]]);
        face->offset = far > face->offset ? far : face->offset;
    }
}

/* Whether the corners of face a come before those of face b. */
static bool face_before(const carom_hull_work *work, const carom_hull_face *a, const carom_hull_face *b) {
    for (uint32_t n = 0; n < a->count && n < b->count; n++) {
        const uint32_t p = work->corner[a->first + n];
        const uint32_t q = work->corner[b->first + n];
        if (p != q) {
            return p < q;
        }
    }
    return a->count < b->count;
}

/* Puts the faces in the order of their corners, and their corners side by side. */
static void sort_faces(carom_hull_work *work) {
    uint32_t corner[2 * CAROM_HULL_EDGES_MAX];
    uint32_t count = 0;
    for (uint32_t n = 1; n < work->face_count; n++) {
        const carom_hull_face face = work->face[n];
        uint32_t at = n;
        for (; at > 0 && face_before(work, &face, &work->face[at - 1]); at--) {
            work->face[at] = work->face[at - 1];
        }
        work->face[at] = face;
    }
    for (uint32_t n = 0; n < work->face_count; n++) {
        carom_hull_face *face = &work->face[n];
        memcpy(corner + count, work->corner + face->first, face->count * sizeof *corner);
        face->first = count;
        count += face->count;
    }
    memcpy(work->corner, corner, count * sizeof *corner);
}

/* The face that has the edge from vertex a to vertex b. */
static uint32_t face_with(const carom_hull_work *work, uint32_t a, uint32_t b) {
    for (uint32_t n = 0; n < work->face_count; n++) {
        const carom_hull_face *face = &work->face[n];
        for (uint32_t c = 0; c < face->count; c++) {
            const uint32_t after = c + 1 < face->count ? c + 1 : 0;
            if (work->corner[face->first + c] == a && work->corner[face->first + after] == b) {
                return n;
            }
        }
    }
    return 0;
}

static void insert_edge(carom_hull_work *work, carom_hull_edge edge) {
    uint32_t at = work->edge_count++;
    for (; at > 0; at--) {
        const carom_hull_edge *other = &work->edge[at - 1];
        if (other->vertex[0] < edge.vertex[0] ||
            (other->vertex[0] == edge.vertex[0] && other->vertex[1] < edge.vertex[1])) {
            break;
        }
        work->edge[at] = *other;
    }
    work->edge[at] = edge;
}

static void find_edges(carom_hull_work *work) {
    work->edge_count = 0;
    for (uint32_t n = 0; n < work->face_count; n++) {
        const carom_hull_face *face = &work->face[n];
        for (uint32_t c = 0; c < face->count; c++) {
            const uint32_t a = work->corner[face->first + c];
            const uint32_t b = work->corner[face->first + (c + 1 < face->count ? c + 1 : 0)];
            if (a < b) {
                insert_edge(work, (carom_hull_edge){{a, b}, {n, face_with(work, b, a)}});
            }
        }
    }
    if (work->dimensions == 1) {
        insert_edge(work, (carom_hull_edge){{0, 1}, {0, 0}});
    }
}

void carom_hull_faces_finish(carom_hull_work *work) {
    sort_faces(work);
    find_edges(work);
}
