/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Branch and bound over directions. With h(n) = max n.c over the points c of the difference of k and i (so h = -g, with
 * n turned), s = -min h. The sphere is covered by triangles, at first those of an octahedron. For n within the triangle
 * of n_0, n_1, n_2 and any c of the difference
 *
 *     h(n) >= n.c >= min_j n_j.c             if that is >= 0, since a cap of at most a half sphere is convex
 *     h(n) >= n.c >= min_j n_j.c / |m|       else, with |m| the least length of a sum of parts of the n_j
 *
 * c is the best mix of the support points at the corners: a matrix game of 3 by 3. The triangle with the least bound is
 * cut in four, until the bounds meet. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/oracle/truth.h"

/* A direction and the point of the difference farthest along it. */
typedef struct corner {
    wide n[3];
    wide c[3];
} corner;

typedef struct triangle {
    wide bound; /* h >= it within */
    corner corner[3];
} triangle;

/* Triangles in a heap, the least bound first. */
typedef struct cover {
    const solid_pair *pair;
    truth *t;
    wide least; /* of the bounds of triangles that were left out */
    wide floor; /* h is at least this: 0 where the shapes overlap */
    uint32_t count;
    uint32_t capacity;
    triangle *heap;
} cover;

static void look(cover *v, const wide n[3], corner *at) {
    wide a[3];
    wide b[3];
    const wide back[3] = {-n[0], -n[1], -n[2]};
    memcpy(at->n, n, sizeof at->n);
    const wide gap = solid_gap_along(v->pair, back, a, b) - v->pair->noise;
    wide_minus(a, b, at->c);
    if (gap > v->t->lower) {
        v->t->lower = gap;
        memcpy(v->t->normal, back, sizeof back);
    }
    v->t->steps++;
}

/* The least over j of the game with the mix w of the points. */
static wide value_of(wide m[3][3], const wide w[3]) {
    wide least = HUGE_VALL;
    for (int j = 0; j < 3; j++) {
        least = fminl(least, m[j][0] * w[0] + m[j][1] * w[1] + m[j][2] * w[2]);
    }
    return least;
}

/* Mixes of two points: where two of the three lines cross. */
static wide best_of_two(wide m[3][3], int p, int q) {
    wide best = -HUGE_VALL;
    for (int j = 0; j < 3; j++) {
        const int l = (j + 1) % 3;
        const wide above = m[j][p] - m[l][p];
        const wide below = above - (m[j][q] - m[l][q]);
        const wide share = below != 0 ? above / below : 0;
        if (share >= 0 && share <= 1) {
            wide w[3] = {0, 0, 0};
            w[p] = 1 - share;
            w[q] = share;
            best = fmaxl(best, value_of(m, w));
        }
    }
    return best;
}

/* The mix of all three that makes all equal. */
static wide equal_value(wide m[3][3]) {
    wide x[3];
    wide sum = 0;
    for (int p = 0; p < 3; p++) {
        const int q = (p + 1) % 3;
        const int r = (p + 2) % 3;
        wide n[3];
        /* Cramer: x_p is the determinant with column p replaced by ones. */
        const wide u[3] = {m[0][q], m[1][q], m[2][q]};
        const wide v[3] = {m[0][r], m[1][r], m[2][r]};
        wide_cross(u, v, n);
        x[p] = n[0] + n[1] + n[2];
        sum += x[p];
    }
    for (int p = 0; p < 3; p++) {
        x[p] /= sum;
        if (!(x[p] >= 0)) {
            return -HUGE_VALL;
        }
    }
    return value_of(m, x);
}

static wide best_mix(const triangle *t) {
    static const wide pure[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    wide m[3][3];
    for (int j = 0; j < 3; j++) {
        for (int p = 0; p < 3; p++) {
            m[j][p] = wide_dot(t->corner[j].n, t->corner[p].c);
        }
    }
    wide best = equal_value(m);
    for (int p = 0; p < 3; p++) {
        best = fmaxl(best, fmaxl(value_of(m, pure[p]), best_of_two(m, p, (p + 1) % 3)));
    }
    return best;
}

/* The normal of the plane through three points, on the side of `side`; false if they are on one line. */
static bool plane(const wide p[3], const wide q[3], const wide r[3], const wide side[3], wide n[3]) {
    wide u[3];
    wide v[3];
    wide_minus(q, p, u);
    wide_minus(r, p, v);
    wide_cross(u, v, n);
    if (!wide_unit(n)) {
        return false;
    }
    if (wide_dot(n, side) < 0) {
        for (int d = 0; d < 3; d++) {
            n[d] = -n[d];
        }
    }
    return true;
}

static wide bound_of(const cover *v, const triangle *t) {
    const wide best = best_mix(t) - v->pair->noise;
    if (best >= 0) {
        return best;
    }
    wide n[3];
    const bool any = plane(t->corner[0].n, t->corner[1].n, t->corner[2].n, t->corner[0].n, n);
    const wide shortest = any ? wide_dot(n, t->corner[0].n) * (1 - 0x1p-50L) : 0;
    return fmaxl(v->floor, shortest > 0.25L ? best / shortest : -HUGE_VALL);
}

static void push(cover *v, const triangle *t) {
    uint32_t at = v->count++;
    while (at > 0 && v->heap[(at - 1) / 2].bound > t->bound) {
        v->heap[at] = v->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    v->heap[at] = *t;
}

static triangle pop(cover *v) {
    const triangle first = v->heap[0];
    const triangle last = v->heap[--v->count];
    uint32_t at = 0;
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= v->count) {
            break;
        }
        child += child + 1 < v->count && v->heap[child + 1].bound < v->heap[child].bound;
        if (!(v->heap[child].bound < last.bound)) {
            break;
        }
        v->heap[at] = v->heap[child];
        at = child;
    }
    v->heap[at] = last;
    return first;
}

/* Triangles that cannot matter are left out; so are all when the heap is full. */
static void offer(cover *v, triangle *t, wide width) {
    t->bound = bound_of(v, t);
    if (t->bound >= -v->t->lower - width || v->count == v->capacity) {
        v->least = fminl(v->least, t->bound);
    } else {
        push(v, t);
    }
}

static void try_plane(cover *v, const triangle *t) {
    wide n[3];
    corner ignored;
    if (plane(t->corner[0].c, t->corner[1].c, t->corner[2].c, t->corner[0].n, n)) {
        look(v, n, &ignored);
    }
}

static void cut(cover *v, const triangle *t, wide width) {
    corner middle[3];
    for (int e = 0; e < 3; e++) {
        wide n[3];
        for (int d = 0; d < 3; d++) {
            n[d] = t->corner[e].n[d] + t->corner[(e + 1) % 3].n[d];
        }
        wide_unit(n);
        look(v, n, &middle[e]);
    }
    try_plane(v, t);
    for (int e = 0; e < 3; e++) {
        triangle part = {.corner = {t->corner[e], middle[e], middle[(e + 2) % 3]}};
        offer(v, &part, width);
    }
    triangle part = {.corner = {middle[0], middle[1], middle[2]}};
    offer(v, &part, width);
}

static void put_octahedron(cover *v, wide width) {
    for (int sign = 0; sign < 8; sign++) {
        triangle t;
        for (int d = 0; d < 3; d++) {
            wide n[3] = {0, 0, 0};
            n[d] = sign >> d & 1 ? -1 : 1;
            look(v, n, &t.corner[d]);
        }
        offer(v, &t, width);
    }
}

void truth_cover(const solid_pair *pair, const truth_effort *effort, truth *t) {
    cover v = {.pair = pair, .t = t, .least = HUGE_VALL, .capacity = effort->triangles};
    v.floor = t->upper <= 2 * pair->noise ? -t->upper : -HUGE_VALL;
    v.heap = malloc(sizeof *v.heap * (v.capacity + 4));
    const wide width = fmaxl(effort->width * fmaxl(truth_scale(pair), fabsl(t->lower - pair->radii)), 2 * pair->noise);
    put_octahedron(&v, width);
    for (uint32_t cuts = 0; v.count > 0 && cuts < effort->triangles; cuts++) {
        if (v.heap[0].bound >= -t->lower - width) {
            break;
        }
        const triangle next = pop(&v);
        cut(&v, &next, width);
    }
    if (v.count > 0) {
        v.least = fminl(v.least, v.heap[0].bound);
    }
    const wide upper = -v.least + pair->noise;
    if (upper < t->upper) {
        t->upper = upper;
        t->apart = false;
    }
    free(v.heap);
}
