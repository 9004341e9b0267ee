/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The points of two cores that are nearest, by simplices of up to four points of their difference: the nearest point of
 * the simplex is the best of all its faces, edges and corners, each looked at. The next direction is the plane's normal
 * where a face is nearest, which stays precise when the distance is a tiny part of the size. */
#include <math.h>
#include <string.h>

#include "tests/oracle/truth.h"

enum { STEPS_MOST = 400 };

/* Points c = a - b, and the weights that make the nearest point of theirs. */
typedef struct simplex {
    int count;
    wide a[4][3];
    wide b[4][3];
    wide c[4][3];
    wide weight[4];
} simplex;

static void add_point(simplex *s, const wide a[3], const wide b[3]) {
    memcpy(s->a[s->count], a, sizeof s->a[0]);
    memcpy(s->b[s->count], b, sizeof s->b[0]);
    wide_minus(a, b, s->c[s->count]);
    s->weight[s->count] = 0;
    s->count++;
}

static bool on_edge(const wide c0[3], const wide c1[3], wide w[4]) {
    wide d[3];
    wide_minus(c1, c0, d);
    const wide square = wide_dot(d, d);
    if (!(square > 0)) {
        return false;
    }
    w[1] = -wide_dot(c0, d) / square;
    w[0] = 1 - w[1];
    return w[0] >= 0 && w[1] >= 0;
}

static void face_normal(const wide c0[3], const wide c1[3], const wide c2[3], wide n[3]) {
    wide d1[3];
    wide d2[3];
    wide_minus(c1, c0, d1);
    wide_minus(c2, c0, d2);
    wide_cross(d1, d2, n);
}

static bool on_face(const wide c0[3], const wide c1[3], const wide c2[3], wide w[4]) {
    const wide *c[3] = {c0, c1, c2};
    wide n[3];
    face_normal(c0, c1, c2, n);
    const wide square = wide_dot(n, n);
    if (!(square > 0)) {
        return false;
    }
    for (int v = 0; v < 3; v++) {
        wide across[3];
        wide_cross(c[(v + 1) % 3], c[(v + 2) % 3], across);
        w[v] = wide_dot(n, across) / square;
    }
    return w[0] >= 0 && w[1] >= 0 && w[2] >= 0;
}

static wide volume(const wide c0[3], const wide c1[3], const wide c2[3]) {
    wide across[3];
    wide_cross(c1, c2, across);
    return wide_dot(c0, across);
}

static bool inside(const simplex *s, wide w[4]) {
    const wide of[4] = {volume(s->c[1], s->c[2], s->c[3]), -volume(s->c[0], s->c[2], s->c[3]),
                        volume(s->c[0], s->c[1], s->c[3]), -volume(s->c[0], s->c[1], s->c[2])};
    const wide sum = of[0] + of[1] + of[2] + of[3];
    bool all = sum != 0;
    for (int v = 0; v < 4; v++) {
        w[v] = all ? of[v] / sum : 0;
        all = all && w[v] >= 0;
    }
    return all;
}

static void weigh(wide (*points)[3], const wide w[4], int count, wide to[3]) {
    for (int d = 0; d < 3; d++) {
        to[d] = 0;
        for (int v = 0; v < count; v++) {
            to[d] += w[v] * points[v][d];
        }
    }
}

/* The weights of the nearest point of the corners that `set` names; false if it lies outside them. */
static bool weights_of(const simplex *s, int set, wide w[4]) {
    int corner[4];
    int count = 0;
    for (int v = 0; v < s->count; v++) {
        if (set >> v & 1) {
            corner[count++] = v;
        }
    }
    wide part[4] = {1, 0, 0, 0};
    const bool within = count == 1   ? true
                        : count == 2 ? on_edge(s->c[corner[0]], s->c[corner[1]], part)
                        : count == 3 ? on_face(s->c[corner[0]], s->c[corner[1]], s->c[corner[2]], part)
                                     : inside(s, part);
    wide sum = 0;
    for (int v = 0; v < count; v++) {
        sum += part[v];
    }
    for (int v = 0; v < 4; v++) {
        w[v] = 0;
    }
    for (int v = 0; v < count; v++) {
        w[corner[v]] = part[v] / sum;
    }
    return within;
}

/* Drops the corners that its nearest point does not need; returns that point's distance from 0. */
static wide reduce(simplex *s, wide nearest[3]) {
    wide best = HUGE_VALL;
    int best_set = 1;
    wide best_weight[4] = {1, 0, 0, 0};
    for (int set = 1; set < 1 << s->count; set++) {
        wide w[4];
        wide at[3];
        if (weights_of(s, set, w)) {
            weigh(s->c, w, s->count, at);
            const wide length = wide_length(at);
            if (length < best) {
                best = length;
                best_set = set;
                memcpy(best_weight, w, sizeof w);
                memcpy(nearest, at, sizeof at);
            }
        }
    }
    int kept = 0;
    for (int v = 0; v < s->count; v++) {
        if (best_set >> v & 1) {
            memcpy(s->a[kept], s->a[v], sizeof s->a[0]);
            memcpy(s->b[kept], s->b[v], sizeof s->b[0]);
            memcpy(s->c[kept], s->c[v], sizeof s->c[0]);
            s->weight[kept++] = best_weight[v];
        }
    }
    s->count = kept;
    return best;
}

/* From the simplex's nearest point towards 0, turned round: the direction in which 0 is to be left behind. */
static bool direction(const simplex *s, const wide nearest[3], wide n[3]) {
    memcpy(n, nearest, 3 * sizeof(wide));
    if (s->count == 3) {
        wide normal[3];
        face_normal(s->c[0], s->c[1], s->c[2], normal);
        if (wide_unit(normal)) {
            const wide side = wide_dot(normal, nearest);
            for (int d = 0; d < 3; d++) {
                n[d] = side < 0 ? -normal[d] : normal[d];
            }
        }
    } else if (s->count == 2) {
        wide edge[3];
        wide_minus(s->c[1], s->c[0], edge);
        if (wide_unit(edge)) {
            const wide along = wide_dot(edge, n);
            for (int d = 0; d < 3; d++) {
                n[d] -= along * edge[d];
            }
        }
    }
    return wide_unit(n);
}

static void keep_points(const solid_pair *pair, simplex *s, truth *t) {
    wide a[3];
    wide b[3];
    wide between[3];
    weigh(s->a, s->weight, s->count, a);
    weigh(s->b, s->weight, s->count, b);
    wide_minus(a, b, between);
    const wide upper = wide_length(between) + pair->noise;
    if (upper < t->upper) {
        t->upper = upper;
        memcpy(t->a, a, sizeof a);
        memcpy(t->b, b, sizeof b);
        t->apart = true;
    }
}

static bool known(const simplex *s, const wide c[3]) {
    for (int v = 0; v < s->count; v++) {
        if (s->c[v][0] == c[0] && s->c[v][1] == c[1] && s->c[v][2] == c[2]) {
            return true;
        }
    }
    return false;
}

void truth_near(const solid_pair *pair, truth *t) {
    simplex s = {0};
    wide n[3] = {pair->i.at[0], pair->i.at[1], pair->i.at[2]};
    if (!wide_unit(n)) {
        n[0] = 1;
    }
    wide before = HUGE_VALL;
    int idle = 0;
    for (int step = 0; step < STEPS_MOST; step++) {
        wide a[3];
        wide b[3];
        wide c[3];
        wide nearest[3] = {0, 0, 0};
        solid_gap_along(pair, n, a, b);
        truth_try(pair, n, t);
        wide_minus(a, b, c);
        if (known(&s, c)) {
            break;
        }
        add_point(&s, a, b);
        const wide distance = reduce(&s, nearest);
        keep_points(pair, &s, t);
        t->steps++;
        idle = distance < before ? 0 : idle + 1;
        before = fminl(distance, before);
        if (s.count == 4 || idle > 4 || t->upper - t->lower <= 3 * pair->noise || !direction(&s, nearest, n)) {
            break;
        }
    }
}
