/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Searches in floats for the states of hulls (simd/seek_floats.h), one by one. */
#include "simd/seek_floats.h"

#include <math.h>

#include "simd/check.h"
#include "simd/declare.h"
#include "simd/rounded.h"

#define carom_seek_twin CAROM_TWIN_OF(seek)

typedef struct seek_point {
    float w[3];
    float number; /* negative: not in use */
} seek_point;

/* Entries 0 to 2 are the simplex's points; entry 3 is one that is being added. */
typedef struct seek_search {
    const carom_hull *hull[2];
    float turn[3][3];
    float between[3];
    float error;
    float unit;
    float above;
    float direction[3];
    float normal[3]; /* proves `lower` */
    seek_point point[4];
    float square; /* of the simplex's distance from the origin */
    float lower;
    float upper;
    uint32_t steps;
} seek_search;

/* A part of the simplex: `keep` says which points it has. */
typedef struct seek_part {
    float square;
    bool keep[4];
    float direction[3];
} seek_part;

typedef struct seek_edges {
    float edge[3][3];
    float around[3][3];
} seek_edges;

static float dot(const float a[3], const float b[3]) {
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

static void cross(const float a[3], const float b[3], float c[3]) {
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static float lesser(float a, float b) {
    return a < b ? a : b;
}

static float greater(float a, float b) {
    return a > b ? a : b;
}

/* 1 / x, or 0 if x is too small. */
static float inverse(float x) {
    return x >= CAROM_SEEK_SHORT ? 1.0F / x : 0.0F;
}

/* The greatest product of a vertex with d, and that vertex. */
static float support(const carom_hull *hull, const float d[3], uint32_t *vertex, float point[3]) {
    const float *x = hull->rounded;
    const uint32_t padded = hull->padded;
    float most = -HUGE_VALF;
    for (uint32_t n = 0; n < hull->vertex_count; n++) {
        const float far = (d[0] * x[n] + d[1] * x[padded + n]) + d[2] * x[2 * padded + n];
        most = greater(carom_seek_coded(far, n), most);
    }
    *vertex = carom_seek_number(most);
    memcpy(point, x + CAROM_ROUNDED_ROWS * padded + 4 * *vertex, 3 * sizeof *point);
    return most;
}

/* Adds a point. Returns the gap along the direction. */
static float look(seek_search *s) {
    uint32_t vertex[2];
    float at[2][3];
    float d[3];
    const float *n = s->direction;
    seek_point *p = &s->point[3];
    for (int a = 0; a < 3; a++) {
        d[a] = -n[a];
    }
    const float far_i = support(s->hull[0], d, &vertex[0], at[0]);
    for (int a = 0; a < 3; a++) {
        d[a] = (s->turn[0][a] * n[0] + s->turn[1][a] * n[1]) + s->turn[2][a] * n[2];
    }
    const float far_k = support(s->hull[1], d, &vertex[1], at[1]);
    for (int a = 0; a < 3; a++) {
        p->w[a] = ((at[0][a] - s->between[a]) - dot(s->turn[a], at[1])) * s->unit;
    }
    p->number = (float)vertex[0] * (float)CAROM_SEEK_HULL + (float)vertex[1];
    const float square = dot(n, n);
    const float gap = -(((dot(n, s->between) + far_i) + far_k) / sqrtf(square));
    return square >= CAROM_SEEK_SHORT ? gap - s->error : -HUGE_VALF;
}

static void try_edge(const seek_search *s, const seek_edges *edges, int n, seek_part *best) {
    const float *p = s->point[3].w;
    const float *e = edges->edge[n];
    const float scale = inverse(dot(e, e));
    const float t = lesser(greater(-dot(p, e) * scale, 0.0F), 1.0F);
    float at[3];
    for (int d = 0; d < 3; d++) {
        at[d] = p[d] + t * e[d];
    }
    const float square = dot(at, at);
    if (s->point[n].number >= 0.0F && square < best->square) {
        const float back = dot(at, e) * scale;
        *best = (seek_part){.square = square};
        best->keep[n] = t > 0.0F;
        best->keep[3] = t < 1.0F;
        for (int d = 0; d < 3; d++) {
            best->direction[d] = at[d] - back * e[d];
        }
    }
}

/* Returns the height of the face's plane over the origin, in units of the normal's length. */
static float try_face(const seek_search *s, const seek_edges *edges, int n, int m, seek_part *best) {
    float normal[3];
    cross(edges->edge[n], edges->edge[m], normal);
    const float square = dot(normal, normal);
    const float part_n = dot(normal, edges->around[m]);
    const float part_m = -dot(normal, edges->around[n]);
    const float rest = square - (part_n + part_m);
    const float height = dot(normal, s->point[3].w);
    const float distance = (height * height) * inverse(square);
    const bool inside = part_n >= 0.0F && part_m >= 0.0F && rest >= 0.0F && square >= CAROM_SEEK_SHORT;
    if (inside && s->point[n].number >= 0.0F && s->point[m].number >= 0.0F && distance < best->square) {
        *best = (seek_part){.square = distance};
        best->keep[n] = part_n > 0.0F;
        best->keep[m] = part_m > 0.0F;
        best->keep[3] = rest > 0.0F;
        for (int d = 0; d < 3; d++) {
            best->direction[d] = height < 0.0F ? -normal[d] : normal[d];
        }
    }
    return height;
}

static bool holds_origin(const seek_search *s, const seek_edges *edges, const float height[3]) {
    float normal[3];
    cross(edges->edge[0], edges->edge[1], normal);
    const float rest = dot(edges->edge[2], normal) + ((height[0] + height[1]) + height[2]);
    const bool below = height[0] < 0.0F && height[1] < 0.0F && height[2] < 0.0F && rest > 0.0F;
    const bool above = height[0] > 0.0F && height[1] > 0.0F && height[2] > 0.0F && rest < 0.0F;
    return (below || above) && s->point[0].number >= 0.0F && s->point[1].number >= 0.0F && s->point[2].number >= 0.0F;
}

/* The part that is closest to the origin; true if the points lie around it. */
static bool find(const seek_search *s, seek_part *closest) {
    const float *p = s->point[3].w;
    seek_edges edges;
    float height[3];
    for (int n = 0; n < 3; n++) {
        for (int d = 0; d < 3; d++) {
            edges.edge[n][d] = s->point[n].w[d] - p[d];
        }
        cross(edges.edge[n], p, edges.around[n]);
    }
    *closest = (seek_part){.square = dot(p, p), .keep = {[3] = true}, .direction = {p[0], p[1], p[2]}};
    for (int n = 0; n < 3; n++) {
        try_edge(s, &edges, n, closest);
    }
    height[2] = try_face(s, &edges, 0, 1, closest);
    height[0] = try_face(s, &edges, 1, 2, closest);
    height[1] = try_face(s, &edges, 2, 0, closest);
    return holds_origin(s, &edges, height);
}

/* carom_simplex_face_distance, or 0 if the plane's height does not count. */
static float face_distance(const float a[3], const float b[3], const float c[3], float side) {
    float e[3];
    float f[3];
    float normal[3];
    for (int d = 0; d < 3; d++) {
        e[d] = b[d] - a[d];
        f[d] = c[d] - a[d];
    }
    cross(e, f, normal);
    const float square = dot(normal, normal);
    const float least = lesser(lesser(side * dot(normal, a), side * dot(normal, b)), side * dot(normal, c));
    return square >= CAROM_SEEK_SHORT && least >= CAROM_SEEK_HEIGHT ? least / sqrtf(square) : 0.0F;
}

/* carom_simplex_ball, or 0 if the faces are not known to surround the origin. */
static float ball_of(const seek_search *s) {
    const float *a = s->point[0].w;
    const float *b = s->point[1].w;
    const float *c = s->point[2].w;
    const float *p = s->point[3].w;
    float e[3];
    float f[3];
    float normal[3];
    for (int d = 0; d < 3; d++) {
        e[d] = a[d] - p[d];
        f[d] = b[d] - p[d];
    }
    cross(e, f, normal);
    const float side = dot(normal, p) < 0.0F ? -1.0F : 1.0F;
    const float beside_p =
        lesser(lesser(face_distance(p, a, b, side), face_distance(p, b, c, side)), face_distance(p, c, a, side));
    return lesser(beside_p, face_distance(a, c, b, side));
}

/* The new point moves to the first entry that is free. */
static void keep(seek_search *s, const seek_part *part) {
    bool moves = part->keep[3];
    for (int n = 0; n < 3; n++) {
        if (!part->keep[n] && moves) {
            s->point[n] = s->point[3];
            moves = false;
        } else if (!part->keep[n]) {
            s->point[n].number = -1.0F;
        }
    }
    s->square = part->square;
    memcpy(s->direction, part->direction, sizeof part->direction);
}

static bool is_known_point(const seek_search *s) {
    const float number = s->point[3].number;
    return number == s->point[0].number || number == s->point[1].number || number == s->point[2].number;
}

/* One step. False if the search ends. */
static bool advance(seek_search *s) {
    seek_part part;
    const float gap = look(s);
    if (gap > s->lower) {
        memcpy(s->normal, s->direction, sizeof s->normal);
    }
    s->lower = greater(gap, s->lower);
    s->steps++;
    if (s->lower > s->above) {
        return false;
    }
    if (find(s, &part)) {
        const float ball = ball_of(s);
        s->upper = ball > 0.0F ? lesser(s->error - ball / s->unit, s->upper) : s->upper;
        return false;
    }
    if (is_known_point(s) || !(part.square < s->square)) {
        return false;
    }
    keep(s, &part);
    return sqrtf(part.square) - s->lower * s->unit > (CAROM_SEEK_WIDTH * s->error) * s->unit &&
           s->steps < CAROM_SEEK_STEPS_MAX;
}

/* No point so far, but the difference of the origins where that is one. The first step looks along it. */
static void start(const carom_seek_pairs *pairs, uint32_t n, seek_search *s) {
    *s = (seek_search){.hull = {pairs->hull[0][n], pairs->hull[1][n]},
                       .error = pairs->error[n],
                       .unit = carom_seek_unit(pairs->error[n]),
                       .above = pairs->above,
                       .square = HUGE_VALF,
                       .lower = pairs->lower[n],
                       .upper = pairs->upper[n]};
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            s->turn[a][b] = pairs->turn[3 * a + b][n];
        }
        s->between[a] = pairs->between[a][n];
        s->direction[a] = -s->between[a] * s->unit;
        s->point[a].number = -1.0F;
        s->point[0].w[a] = s->direction[a];
    }
    if (s->hull[0]->holds_origin && s->hull[1]->holds_origin) {
        s->point[0].number = CAROM_SEEK_ORIGINS;
        s->square = dot(s->direction, s->direction);
    }
    if (!(dot(s->direction, s->direction) >= CAROM_SEEK_SHORT)) {
        s->direction[0] = 1.0F;
    }
    for (int a = 0; a < 3 && pairs->has_axes && carom_seek_has_look(pairs, n); a++) {
        s->direction[a] = pairs->look[a][n];
    }
    memcpy(s->normal, s->direction, sizeof s->normal);
}

void carom_seek_twin(carom_seek_pairs *pairs, uint64_t open) {
    for (; open != 0; open &= open - 1) {
        const uint32_t n = (uint32_t)__builtin_ctzll(open);
        seek_search search;
        CAROM_ASSERT(carom_seek_has(pairs->error[n]));
        start(pairs, n, &search);
        while (advance(&search)) {
        }
        pairs->lower[n] = search.lower;
        pairs->upper[n] = search.upper;
        pairs->steps[n] = (float)search.steps;
        for (int d = 0; d < 3; d++) {
            pairs->number[d][n] = search.point[d].number;
            pairs->direction[d][n] = search.direction[d];
            if (pairs->has_axes) {
                pairs->normal[d][n] = search.normal[d];
            }
        }
    }
}
