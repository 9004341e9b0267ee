/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: points of a difference, one by one. Out: a closed surface of triangles.
 *
 * The surface stays closed whatever rounding does, because faces are only replaced together, by a fan between the new
 * point and their outline. A face's distance is the least of its corners along its normal, which bounds its distance
 * from the origin from below however inexact the normal is. If all distances are positive the surface winds around the
 * origin, and a ball of the least distance lies inside: that is the proof of a depth. */
#include "kernel/narrow/polytope.h"

#include <math.h>

#include "kernel/sys/vector.h"

/* The edge of a removed face that a new face grows from. */
typedef struct outline_edge {
    uint8_t from;
    uint8_t to;
    uint8_t beyond; /* the face that stays */
} outline_edge;

typedef struct outline {
    uint32_t count;
    outline_edge edge[CAROM_POLYTOPE_FACES];
} outline;

static bool is_used(const carom_polytope_face *face) {
    return face->neighbour[1] != CAROM_POLYTOPE_NONE;
}

/* The direction of the triangle's plane; for a triangle without area, that of its first point. */
static void set_normal(const carom_polytope *polytope, carom_polytope_face *face) {
    const double *p = polytope->point[face->point[0]].w;
    const double *q = polytope->point[face->point[1]].w;
    const double *r = polytope->point[face->point[2]].w;
    const double e[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
    const double f[3] = {r[0] - p[0], r[1] - p[1], r[2] - p[2]};
    double n[3];
    carom_vector_cross(e, f, n);
    if (!carom_vector_unit(n, face->normal) && !carom_vector_unit(p, face->normal)) {
        face->normal[0] = 1.0;
        face->normal[1] = 0.0;
        face->normal[2] = 0.0;
    }
    const double to_p = carom_vector_dot(face->normal, p);
    const double to_q = carom_vector_dot(face->normal, q);
    const double to_r = carom_vector_dot(face->normal, r);
    face->distance = fmin(to_p, fmin(to_q, to_r));
}

/* An unused entry, or NONE. */
static uint32_t take_entry(carom_polytope *polytope) {
    const uint32_t entry = polytope->free;
    if (entry != CAROM_POLYTOPE_NONE) {
        polytope->free = polytope->face[entry].neighbour[0];
        return entry;
    }
    return polytope->face_count < CAROM_POLYTOPE_FACES ? polytope->face_count++ : CAROM_POLYTOPE_NONE;
}

static void give_entry(carom_polytope *polytope, uint32_t entry) {
    polytope->face[entry].neighbour[0] = polytope->free;
    polytope->face[entry].neighbour[1] = CAROM_POLYTOPE_NONE;
    polytope->free = (uint8_t)entry;
}

static void set_face(carom_polytope *polytope, uint32_t entry, const uint8_t point[3], const uint8_t neighbour[3]) {
    carom_polytope_face *face = &polytope->face[entry];
    for (int e = 0; e < 3; e++) {
        face->point[e] = point[e];
        face->neighbour[e] = neighbour[e];
    }
    set_normal(polytope, face);
}

bool carom_polytope_begin(carom_polytope *polytope) {
    const double *o = polytope->point[0].w;
    double side[3][3];
    for (int n = 0; n < 3; n++) {
        for (int d = 0; d < 3; d++) {
            side[n][d] = polytope->point[n + 1].w[d] - o[d];
        }
    }
    double cross[3];
    carom_vector_cross(side[0], side[1], cross);
    const double volume = carom_vector_dot(cross, side[2]);
    if (!(volume > 0.0) && !(volume < 0.0)) {
        return false;
    }
    /* Point 3 lies behind the face of points 0, 1 and 2 seen from outside. */
    const uint8_t b = volume < 0.0 ? 1 : 2;
    const uint8_t c = volume < 0.0 ? 2 : 1;
    polytope->free = CAROM_POLYTOPE_NONE;
    polytope->face_count = 4;
    set_face(polytope, 0, (const uint8_t[3]){0, b, c}, (const uint8_t[3]){1, 2, 3});
    set_face(polytope, 1, (const uint8_t[3]){b, 0, 3}, (const uint8_t[3]){0, 3, 2});
    set_face(polytope, 2, (const uint8_t[3]){c, b, 3}, (const uint8_t[3]){0, 1, 3});
    set_face(polytope, 3, (const uint8_t[3]){0, c, 3}, (const uint8_t[3]){0, 2, 1});
    return true;
}

uint32_t carom_polytope_nearest(const carom_polytope *polytope) {
    uint32_t nearest = CAROM_POLYTOPE_NONE;
    double least = HUGE_VAL;
    for (uint32_t n = 0; n < polytope->face_count; n++) {
        const carom_polytope_face *face = &polytope->face[n];
        if (is_used(face) && face->distance < least) {
            least = face->distance;
            nearest = n;
        }
    }
    return nearest;
}

static bool sees(const carom_polytope *polytope, uint32_t face, const double w[3]) {
    const carom_polytope_face *plane = &polytope->face[face];
    return carom_vector_dot(plane->normal, w) > plane->distance + polytope->flat;
}

/* The edge of the face that runs from point `from` to point `to`; 3: none. */
static uint32_t edge_between(const carom_polytope_face *face, uint8_t from, uint8_t to) {
    uint32_t e = 0;
    while (e < 3 && !(face->point[e] == from && face->point[(e + 1) % 3] == to)) {
        e++;
    }
    return e;
}

/* Removes the faces that the last point sees, from `first` on, across edges. Their outline goes to *edges. */
static bool remove_seen(carom_polytope *polytope, uint32_t first, outline *edges) {
    const double *w = polytope->point[polytope->point_count - 1].w;
    uint8_t stack[CAROM_POLYTOPE_FACES];
    bool seen[CAROM_POLYTOPE_FACES] = {false};
    uint32_t depth = 0;
    edges->count = 0;
    stack[depth++] = (uint8_t)first;
    seen[first] = true;
    for (uint32_t n = 0; n < depth; n++) {
        const carom_polytope_face *face = &polytope->face[stack[n]];
        for (uint32_t e = 0; e < 3; e++) {
            const uint8_t next = face->neighbour[e];
            if (!seen[next] && sees(polytope, next, w)) {
                seen[next] = true;
                stack[depth++] = next;
            }
        }
    }
    for (uint32_t n = 0; n < depth; n++) {
        const carom_polytope_face *face = &polytope->face[stack[n]];
        for (uint32_t e = 0; e < 3; e++) {
            if (!seen[face->neighbour[e]]) {
                edges->edge[edges->count++] =
                    (outline_edge){face->point[e], face->point[(e + 1) % 3], face->neighbour[e]};
            }
        }
    }
    for (uint32_t n = 0; n < depth; n++) {
        give_entry(polytope, stack[n]);
    }
    return edges->count >= 3;
}

/* Puts the edges in the order of one loop. */
static bool order_outline(outline *edges) {
    for (uint32_t n = 0; n + 1 < edges->count; n++) {
        uint32_t next = n + 1;
        while (next < edges->count && edges->edge[next].from != edges->edge[n].to) {
            next++;
        }
        if (next == edges->count) {
            return false;
        }
        const outline_edge edge = edges->edge[next];
        edges->edge[next] = edges->edge[n + 1];
        edges->edge[n + 1] = edge;
    }
    return edges->edge[edges->count - 1].to == edges->edge[0].from;
}

bool carom_polytope_grow(carom_polytope *polytope, uint32_t first) {
    outline edges;
    if (!remove_seen(polytope, first, &edges) || !order_outline(&edges)) {
        return false;
    }
    uint8_t entry[CAROM_POLYTOPE_FACES];
    for (uint32_t n = 0; n < edges.count; n++) {
        const uint32_t taken = take_entry(polytope);
        if (taken == CAROM_POLYTOPE_NONE) {
            return false;
        }
        entry[n] = (uint8_t)taken;
    }
    const uint8_t apex = (uint8_t)(polytope->point_count - 1);
    for (uint32_t n = 0; n < edges.count; n++) {
        const outline_edge *edge = &edges.edge[n];
        const uint8_t after = entry[n + 1 < edges.count ? n + 1 : 0];
        const uint8_t before = entry[n > 0 ? n - 1 : edges.count - 1];
        carom_polytope_face *beyond = &polytope->face[edge->beyond];
        const uint32_t e = edge_between(beyond, edge->to, edge->from);
        if (e == 3) {
            return false;
        }
        beyond->neighbour[e] = entry[n];
        set_face(polytope, entry[n], (const uint8_t[3]){edge->from, edge->to, apex},
                 (const uint8_t[3]){edge->beyond, after, before});
    }
    return true;
}
