/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The depth of polyhedra that overlap. The difference of two polyhedra is one too, and its depth is the distance to the
 * nearest of its faces. Each lies in a plane that is parallel to a face of one of the two or to an edge of each, so the
 * normals of all planes through three vertices of one, and across all pairs of edges of the two, contain those of its
 * faces; a normal that is none of a face does no harm. */
#include <math.h>
#include <string.h>

#include "tests/oracle/truth.h"

enum { POINTS_MOST = 8, EDGES_MOST = POINTS_MOST * (POINTS_MOST - 1) / 2, FACES_MOST = 56 };

/* Directions of edges, and two for each plane, with more that are none. */
typedef struct features {
    int edge_count;
    int face_count;
    wide edge[EDGES_MOST][3];
    wide face[FACES_MOST][2][3];
} features;

static bool few(const solid *s) {
    return s->shape->kind <= CAROM_SHAPE_BOX ||
           (s->shape->kind == CAROM_SHAPE_HULL && s->shape->point_count <= POINTS_MOST);
}

bool truth_planes_serve(const solid_pair *pair) {
    return few(&pair->i) && few(&pair->k);
}

static void rotated(const solid *s, const wide v[3], wide to[3]) {
    for (int d = 0; d < 3; d++) {
        to[d] = wide_dot(s->turn[d], v);
    }
}

static void add_edge(features *f, const solid *s, const wide v[3]) {
    rotated(s, v, f->edge[f->edge_count++]);
}

static void add_face(features *f, const solid *s, const wide u[3], const wide v[3]) {
    rotated(s, u, f->face[f->face_count][0]);
    rotated(s, v, f->face[f->face_count++][1]);
}

static void put_box(features *f, const solid *s) {
    static const wide axis[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int d = 0; d < 3; d++) {
        add_edge(f, s, axis[d]);
        add_face(f, s, axis[d], axis[(d + 1) % 3]);
    }
}

static void vertex(const solid *s, uint64_t n, wide v[3]) {
    for (int d = 0; d < 3; d++) {
        v[d] = s->shape->point[n][d];
    }
}

static void put_hull(features *f, const solid *s) {
    for (uint64_t n = 0; n < s->shape->point_count; n++) {
        wide v[3][3];
        wide edge[2][3];
        vertex(s, n, v[0]);
        for (uint64_t m = 0; m < n; m++) {
            vertex(s, m, v[1]);
            wide_minus(v[1], v[0], edge[0]);
            add_edge(f, s, edge[0]);
            for (uint64_t l = 0; l < m; l++) {
                vertex(s, l, v[2]);
                wide_minus(v[2], v[0], edge[1]);
                add_face(f, s, edge[0], edge[1]);
            }
        }
    }
}

static void put_features(features *f, const solid *s) {
    f->edge_count = 0;
    f->face_count = 0;
    if (s->shape->kind == CAROM_SHAPE_HULL) {
        put_hull(f, s);
    } else if (s->shape->kind == CAROM_SHAPE_BOX) {
        put_box(f, s);
    } else if (s->extent[2] > 0) {
        const wide axis[3] = {0, 0, 1};
        add_edge(f, s, axis);
    }
}

/* What the list proves: s <= best + error. */
typedef struct planes {
    wide best;
    wide error;
} planes;

/* n = u x v. Directions all but parallel give a normal that rounding spoils, by `spoilt` at most. But then the face is
 * so narrow that its neighbours, which are in the list too, are as near as its width. */
static void try_both(const solid_pair *pair, const wide u[3], const wide v[3], planes *p, truth *t) {
    wide n[3];
    wide_cross(u, v, n);
    const wide back[3] = {-n[0], -n[1], -n[2]};
    const wide sine = wide_length(n) / (wide_length(u) * wide_length(v));
    if (sine > 0) {
        const wide spoilt = pair->noise / sine;
        p->error = fmaxl(p->error, fminl(spoilt, pair->size * sine));
        p->best = fmaxl(p->best, fmaxl(truth_try(pair, n, t), truth_try(pair, back, t)));
    }
}

static void try_features(const solid_pair *pair, const features *f, planes *p, truth *t) {
    static const wide axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int n = 0; n < f->face_count; n++) {
        try_both(pair, f->face[n][0], f->face[n][1], p, t);
    }
    /* For points and segments on one line, which have no faces. */
    for (int d = 0; d < 3 && f->edge_count == 1; d++) {
        try_both(pair, f->edge[0], axes[d], p, t);
    }
}

void truth_planes(const solid_pair *pair, truth *t) {
    features i;
    features k;
    planes p = {.best = -HUGE_VALL, .error = 2 * pair->noise};
    put_features(&i, &pair->i);
    put_features(&k, &pair->k);
    try_features(pair, &i, &p, t);
    try_features(pair, &k, &p, t);
    for (int n = 0; n < i.edge_count; n++) {
        for (int m = 0; m < k.edge_count; m++) {
            try_both(pair, i.edge[n], k.edge[m], &p, t);
        }
    }
    if (t->upper <= 2 * pair->noise) {
        t->upper = fminl(t->upper, p.best + p.error);
    }
}
