/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Poses of pairs on their way, and the points that searches begin with: simd/ref/aim.h, a pair a lane. */
#include "simd/ref/aim.h"

#include <stddef.h>

#include "simd/check.h"
#include "simd/declare.h"
#include "simd/difference_lanes.h"
#include "simd/turn_lanes.h"

#define carom_aim_kernel CAROM_KERNEL_OF(aim)
#define carom_aim_twin CAROM_TWIN_OF(aim)

/* So few pairs are faster one by one. */
enum { TWIN_MOST = CAROM_PAIRS / 4 };

typedef struct swing {
    double angle[CAROM_PAIRS];
    double axis[3][CAROM_PAIRS];
    double start[3][3][CAROM_PAIRS];
    double arm[3][CAROM_PAIRS];
} swing;

/* A pose: `at` and `turn`. */
typedef struct pose {
    double at[3][CAROM_PAIRS];
    double turn[3][3][CAROM_PAIRS];
} pose;

typedef struct lanes {
    swing i;
    swing k;
    double t[CAROM_PAIRS];
    double p[3][CAROM_PAIRS];
    double u[3][CAROM_PAIRS];
    pose seen_i;
    pose seen_k;
    pose pose_i;
    pose pose_k;
    double shift[3][CAROM_PAIRS];
    double w[3][3][CAROM_PAIRS]; /* three points of the simplex */
    double a[3][3][CAROM_PAIRS];
} lanes;

static inline void set_matrix(const vd axis[3], vd sine, vd cosine, vd matrix[3][3]) {
    const vd rest = vd_sub(vd_set1(1.0), cosine);
    for (int r = 0; r < 3; r++) {
        const int s = (r + 1) % 3;
        const int q = (r + 2) % 3;
        const vd part = vd_mul(axis[r], rest);
        matrix[r][r] = vd_add(vd_mul(part, axis[r]), cosine);
        matrix[r][s] = vd_sub(vd_mul(part, axis[s]), vd_mul(sine, axis[q]));
        matrix[r][q] = vd_add(vd_mul(part, axis[q]), vd_mul(sine, axis[s]));
    }
}

/* The poses at t; *at receives the positions relative to the bodies'. */
static inline void set_pose(swing *from, vd t, pose *to, vd at[3]) {
    vd axis[3];
    vd arm[3];
    vd way[3][3];
    vd sine;
    vd cosine;
    vd_load_vector(from->axis, axis);
    vd_load_vector(from->arm, arm);
    vd_turn_sine_cosine(vd_mul(t, vd_load(from->angle)), &sine, &cosine);
    set_matrix(axis, sine, cosine, way);
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            const vd column[3] = {vd_load(from->start[0][c]), vd_load(from->start[1][c]), vd_load(from->start[2][c])};
            vd_store(to->turn[r][c], vd_dot(way[r], column));
        }
        at[r] = vd_dot(way[r], arm);
    }
}

/* Where points a, seen in one pose, are in another. */
static inline void carry(pose *from, pose *to, const vd a[3], vd b[3]) {
    vd arm[3];
    vd local[3];
    for (int d = 0; d < 3; d++) {
        arm[d] = vd_sub(a[d], vd_load(from->at[d]));
    }
    for (int d = 0; d < 3; d++) {
        const vd column[3] = {vd_load(from->turn[0][d]), vd_load(from->turn[1][d]), vd_load(from->turn[2][d])};
        local[d] = vd_dot(column, arm);
    }
    for (int d = 0; d < 3; d++) {
        vd row[3];
        vd_load_vector(to->turn[d], row);
        b[d] = vd_add(vd_dot(row, local), vd_load(to->at[d]));
    }
}

static inline void carry_points(lanes *s) {
    for (int n = 0; n < 3; n++) {
        vd a[3];
        vd b[3];
        vd w[3];
        vd now_a[3];
        vd now_b[3];
        vd_load_vector(s->a[n], a);
        vd_load_vector(s->w[n], w);
        for (int d = 0; d < 3; d++) {
            b[d] = vd_sub(a[d], w[d]);
        }
        carry(&s->seen_i, &s->pose_i, a, now_a);
        carry(&s->seen_k, &s->pose_k, b, now_b);
        for (int d = 0; d < 3; d++) {
            w[d] = vd_add(now_a[d], vd_mul(vd_set1(-1.0), now_b[d]));
        }
        vd_store_vector(s->a[n], now_a);
        vd_store_vector(s->w[n], w);
    }
}

static inline void aim(lanes *s, bool seen) {
    const vd t = vd_load(s->t);
    vd at_i[3];
    vd at_k[3];
    set_pose(&s->i, t, &s->pose_i, at_i);
    set_pose(&s->k, t, &s->pose_k, at_k);
    for (int d = 0; d < 3; d++) {
        const vd x = vd_add(vd_load(s->p[d]), vd_mul(t, vd_load(s->u[d])));
        vd_store(s->pose_i.at[d], vd_add(at_i[d], vd_sub(x, at_k[d])));
        vd_store(s->pose_k.at[d], vd_set1(0.0));
        vd_store(s->shift[d], at_k[d]);
    }
    if (seen) {
        carry_points(s);
    }
}

/* Doubles of a record from its angle to its arm. */
enum { ARM = (offsetof(carom_swing, arm) - offsetof(carom_swing, angle)) / sizeof(double) };

static inline void take_swings(swing *s, const carom_swing *const *from) {
    const double *row[CAROM_PAIRS];
    vd field[8];
    vd more[16];
    for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
        row[l] = &from[l]->angle;
    }
    vd_load_rows(row, field);
    for (uint32_t r = 0; r < 2; r++) {
        for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
            row[l] = &from[l]->angle + ARM + 8 * (size_t)r;
        }
        vd_load_rows(row, more + 8 * (size_t)r);
    }
    vd_store(s->angle, field[0]);
    vd_store_vector(s->axis, field + 1);
    vd_store_vector(s->arm, more);
    for (int d = 0; d < 3; d++) {
        vd_store_vector(s->start[d], more + 3 + 3 * d);
    }
}

/* A pose's twelve doubles are two rows that overlap. */
static inline void take_poses(pose *s, const double *const *at) {
    const double *row[CAROM_PAIRS];
    vd field[12];
    vd last[8];
    vd_load_rows(at, field);
    for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
        row[l] = at[l] + 4;
    }
    vd_load_rows(row, last);
    vd_copy(field + 8, last + 4, 4);
    vd_store_vector(s->at, field);
    for (int d = 0; d < 3; d++) {
        vd_store_vector(s->turn[d], field + 3 + 3 * d);
    }
}

/* The eighteen doubles of three points are three rows; the last overlaps. */
static inline void take_points(lanes *s, const double *const *point) {
    static const int first[3] = {0, 8, 10};
    vd field[18];
    for (int r = 0; r < 3; r++) {
        const double *row[CAROM_PAIRS];
        vd eight[8];
        for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
            row[l] = point[l] + first[r];
        }
        vd_load_rows(row, eight);
        vd_copy(field + first[r], eight, 8);
    }
    for (int n = 0; n < 3; n++) {
        vd_store_vector(s->w[n], field + 6 * n);
        vd_store_vector(s->a[n], field + 6 * n + 3);
    }
}

static inline void take_seen(lanes *s, const carom_aim *const *from) {
    static const double none[18] = {0.0};
    const double *i[CAROM_PAIRS];
    const double *k[CAROM_PAIRS];
    const double *point[CAROM_PAIRS];
    for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
        const bool seen = from[l]->seen != NULL;
        i[l] = seen ? from[l]->seen_i->at : none;
        k[l] = seen ? from[l]->seen_k->at : none;
        point[l] = seen ? from[l]->seen->simplex.point[0].w : none;
    }
    take_poses(&s->seen_i, i);
    take_poses(&s->seen_k, k);
    take_points(s, point);
}

static inline void take(lanes *s, const carom_aim *const *from, bool seen) {
    const double *row[CAROM_PAIRS];
    const carom_swing *i[CAROM_PAIRS];
    const carom_swing *k[CAROM_PAIRS];
    vd field[8];
    for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
        row[l] = from[l]->course->p;
        i[l] = from[l]->course->i;
        k[l] = from[l]->course->k;
        s->t[l] = from[l]->t;
    }
    vd_load_rows(row, field);
    vd_store_vector(s->p, field);
    vd_store_vector(s->u, field + 3);
    take_swings(&s->i, i);
    take_swings(&s->k, k);
    if (seen) {
        take_seen(s, from);
    }
}

/* Rows of lanes without a pair are spare ones. */
static inline void give_poses(pose *s, double *const *at) {
    double *row[CAROM_PAIRS];
    vd field[12];
    vd_load_vector(s->at, field);
    for (int d = 0; d < 3; d++) {
        vd_load_vector(s->turn[d], field + 3 + 3 * d);
    }
    for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
        row[l] = at[l] + 4;
    }
    vd_store_rows(at, field);
    vd_store_rows(row, field + 4);
}

static inline void give_points(lanes *s, double *const *point) {
    static const int first[3] = {0, 8, 10};
    vd field[18];
    for (int n = 0; n < 3; n++) {
        vd_load_vector(s->w[n], field + 6 * n);
        vd_load_vector(s->a[n], field + 6 * n + 3);
    }
    for (int r = 0; r < 3; r++) {
        double *row[CAROM_PAIRS];
        for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
            row[l] = point[l] + first[r];
        }
        vd_store_rows(row, field + first[r]);
    }
}

static inline void give(lanes *s, carom_aim *aims, uint32_t some, bool seen) {
    double spare[18];
    double *i[CAROM_PAIRS];
    double *k[CAROM_PAIRS];
    double *point[CAROM_PAIRS];
    for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
        i[l] = l < some ? aims[l].i->at : spare;
        k[l] = l < some ? aims[l].k->at : spare;
        point[l] = l < some && aims[l].seen != NULL ? aims[l].bracket->simplex.point[0].w : spare;
    }
    for (uint32_t l = 0; l < some; l++) {
        carom_aim *to = &aims[l];
        double weight[3] = {0.0, 0.0, 0.0};
        if (to->seen != NULL) {
            memcpy(weight, to->seen->simplex.weight, sizeof weight);
            carom_aim_begin(to);
        } else {
            memset(to->bracket, 0, sizeof *to->bracket);
        }
        memcpy(to->bracket->simplex.weight, weight, sizeof weight);
        to->i->shape = to->course->i->shape;
        to->k->shape = to->course->k->shape;
        for (int d = 0; d < 3; d++) {
            to->shift[d] = s->shift[d][l];
        }
    }
    give_poses(&s->pose_i, i);
    give_poses(&s->pose_k, k);
    if (seen) {
        give_points(s, point);
    }
}

/* Whether there are points to carry: in the first round there are none. */
static inline bool any_seen(const carom_aim *const *from) {
    bool seen = false;
    for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
        seen = seen || from[l]->seen != NULL;
    }
    return seen;
}

void carom_aim_kernel(carom_aim *aims, uint32_t count) {
    lanes s;
    uint32_t begin = 0;
    for (; begin + TWIN_MOST < count; begin += CAROM_PAIRS) {
        const carom_aim *from[CAROM_PAIRS]; /* a lane without a pair repeats the first */
        const uint32_t some = count - begin < CAROM_PAIRS ? count - begin : CAROM_PAIRS;
        for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
            from[l] = &aims[begin + (l < some ? l : 0)];
        }
        const bool seen = any_seen(from);
        take(&s, from, seen);
        aim(&s, seen);
        give(&s, aims + begin, some, seen);
    }
    if (begin < count) {
        carom_aim_twin(aims + begin, count - begin);
    }
}
