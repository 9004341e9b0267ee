/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Searches in floats for the distances of hulls (simd/seek_floats.h), one by one. */
#include "simd/seek_floats.h"

#include "simd/check.h"
#include "simd/declare.h"

#define carom_seek_twin CAROM_TWIN_OF(seek)

typedef struct seek_point {
    float w[3];
    float number; /* negative: not in use */
} seek_point;

/* Entries 0 to 2 are the simplex's points; entry 3 is one that is being added. */
typedef struct seek_search {
    const carom_posed *posed[2];
    const carom_seek_pair *pair;
    seek_point point[4];
    float square; /* of the simplex's distance from the origin */
    carom_seek_place *place;
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

/* The farthest vertex along d, the lowest of several; returns its product. */
static float farthest(const carom_hull *hull, const float d[3], uint32_t *vertex) {
    float most = -HUGE_VALF;
    for (uint32_t n = 0; n < hull->vertex_count; n++) {
        const float far = (d[0] * hull->rounded[0][n] + d[1] * hull->rounded[1][n]) + d[2] * hull->rounded[2][n];
        *vertex = far > most ? n : *vertex;
        most = far > most ? far : most;
    }
    return most;
}

/* The vertex of one side that is farthest along `sign` n, in the scene but for the position; returns how far. */
static float support(const seek_search *s, int side, float sign, const float n[3], uint32_t *vertex, float point[3]) {
    const carom_hull *hull = s->posed[side]->shape->hull;
    const float(*turn)[3] = s->pair->turn[side];
    float d[3];
    for (int c = 0; c < 3; c++) {
        d[c] = sign * ((turn[0][c] * n[0] + turn[1][c] * n[1]) + turn[2][c] * n[2]);
    }
    *vertex = 0;
    const float far = farthest(hull, d, vertex);
    const float local[3] = {hull->rounded[0][*vertex], hull->rounded[1][*vertex], hull->rounded[2][*vertex]};
    for (int r = 0; r < 3; r++) {
        point[r] = dot(turn[r], local);
    }
    return far;
}

/* Adds a point. Returns the gap along n. */
static float look(seek_search *s, const float n[3]) {
    uint32_t vertex[2];
    float at[2][3];
    seek_point *p = &s->point[3];
    const float far_i = support(s, 0, -1.0F, n, &vertex[0], at[0]);
    const float far_k = support(s, 1, 1.0F, n, &vertex[1], at[1]);
    for (int d = 0; d < 3; d++) {
        p->w[d] = (at[0][d] + s->pair->between[d]) - at[1][d];
    }
    p->number = (float)vertex[0] * (float)CAROM_SEEK_HULL + (float)vertex[1];
    const float square = dot(n, n);
    const float gap = ((dot(n, s->pair->between) - far_i) - far_k) / sqrtf(square);
    return square >= CAROM_SEEK_SHORT ? gap - s->pair->error : -HUGE_VALF;
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

/* carom_simplex_face_distance. */
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
    return square >= CAROM_SEEK_SHORT ? least / sqrtf(square) : 0.0F;
}

/* carom_simplex_ball. */
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
    memcpy(s->place->direction, part->direction, sizeof part->direction);
}

static bool is_known_point(const seek_search *s) {
    const float number = s->point[3].number;
    return number == s->point[0].number || number == s->point[1].number || number == s->point[2].number;
}

/* One step. False if the search ends. */
static bool advance(seek_search *s) {
    carom_seek_place *place = s->place;
    seek_part part;
    place->lower = greater(look(s, place->direction), place->lower);
    place->steps++;
    if (place->lower > s->pair->above) {
        place->end = CAROM_SEEK_APART;
        return false;
    }
    if (find(s, &part)) {
        const float ball = ball_of(s);
        place->upper = s->pair->error - ball;
        place->end = place->upper <= 0.0F ? CAROM_SEEK_TOUCHES : CAROM_SEEK_BEGINS;
        return false;
    }
    if (is_known_point(s) || !(part.square < s->square)) {
        return false;
    }
    keep(s, &part);
    return sqrtf(part.square) - place->lower > CAROM_SEEK_WIDTH * s->pair->error && place->steps < CAROM_SEEK_STEPS_MAX;
}

/* No point so far: the first step looks along the way between the shapes' origins. */
static void start(seek_search *s) {
    for (int n = 0; n < 3; n++) {
        s->point[n] = (seek_point){.number = -1.0F};
        s->place->direction[n] = s->pair->between[n];
    }
    if (!(dot(s->pair->between, s->pair->between) >= CAROM_SEEK_SHORT)) {
        s->place->direction[0] = 1.0F;
    }
    s->square = HUGE_VALF;
    s->place->lower = -HUGE_VALF;
    s->place->steps = 0;
    s->place->end = CAROM_SEEK_BEGINS;
}

void carom_seek_twin(const carom_posed *i, const carom_posed *k, const carom_goal *goals, uint32_t count,
                     carom_bracket *brackets) {
    for (uint32_t n = 0; n < count; n++) {
        carom_seek_pair pair;
        carom_seek_place place;
        seek_search search = {.posed = {&i[n], &k[n]}, .pair = &pair, .place = &place};
        if (!carom_seek_pair_make(&i[n], &k[n], &goals[n], &brackets[n], &pair)) {
            continue;
        }
        start(&search);
        while (advance(&search)) {
        }
        for (int p = 0; p < 3; p++) {
            place.number[p] = search.point[p].number;
        }
        carom_seek_give(&i[n], &k[n], &place, &brackets[n]);
    }
}
