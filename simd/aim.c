/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Poses of pairs on their way, and the points that searches begin with: simd/ref/aim.h, a pair a lane. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/difference_lanes.h"
#include "simd/ref/aim.h"
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

static inline void load(double column[][CAROM_PAIRS], vd x[3]) {
    for (int d = 0; d < 3; d++) {
        x[d] = vd_load(column[d]);
    }
}

static inline void store(double column[][CAROM_PAIRS], const vd x[3]) {
    for (int d = 0; d < 3; d++) {
        vd_store(column[d], x[d]);
    }
}

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
    load(from->axis, axis);
    load(from->arm, arm);
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
        load(to->turn[d], row);
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
        load(s->a[n], a);
        load(s->w[n], w);
        for (int d = 0; d < 3; d++) {
            b[d] = vd_sub(a[d], w[d]);
        }
        carry(&s->seen_i, &s->pose_i, a, now_a);
        carry(&s->seen_k, &s->pose_k, b, now_b);
        for (int d = 0; d < 3; d++) {
            w[d] = vd_add(now_a[d], vd_mul(vd_set1(-1.0), now_b[d]));
        }
        store(s->a[n], now_a);
        store(s->w[n], w);
    }
}

static inline void aim(lanes *s) {
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
    carry_points(s);
}

static inline void take_swing(swing *s, uint32_t l, const carom_swing *from) {
    s->angle[l] = from->angle;
    for (int d = 0; d < 3; d++) {
        s->axis[d][l] = from->axis[d];
        s->arm[d][l] = from->arm[d];
        for (int c = 0; c < 3; c++) {
            s->start[d][c][l] = from->start[d][c];
        }
    }
}

static inline void take_pose(pose *s, uint32_t l, const carom_posed *from) {
    for (int d = 0; d < 3; d++) {
        s->at[d][l] = from->at[d];
        for (int c = 0; c < 3; c++) {
            s->turn[d][c][l] = from->turn[d][c];
        }
    }
}

/* Without points, lanes carry what another pair left there. */
static inline void take(lanes *s, uint32_t l, const carom_aim *from) {
    take_swing(&s->i, l, from->course->i);
    take_swing(&s->k, l, from->course->k);
    s->t[l] = from->t;
    for (int d = 0; d < 3; d++) {
        s->p[d][l] = from->course->p[d];
        s->u[d][l] = from->course->u[d];
    }
    if (from->seen != NULL) {
        take_pose(&s->seen_i, l, from->seen_i);
        take_pose(&s->seen_k, l, from->seen_k);
        for (int n = 0; n < 3; n++) {
            for (int d = 0; d < 3; d++) {
                s->w[n][d][l] = from->seen->simplex.point[n].w[d];
                s->a[n][d][l] = from->seen->simplex.point[n].a[d];
            }
        }
    }
}

static inline void give_pose(const pose *s, uint32_t l, const carom_swing *from, carom_posed *to) {
    to->shape = from->shape;
    for (int d = 0; d < 3; d++) {
        to->at[d] = s->at[d][l];
        for (int c = 0; c < 3; c++) {
            to->turn[d][c] = s->turn[d][c][l];
        }
    }
}

static inline void give(const lanes *s, uint32_t l, carom_aim *to) {
    give_pose(&s->pose_i, l, to->course->i, to->i);
    give_pose(&s->pose_k, l, to->course->k, to->k);
    for (int d = 0; d < 3; d++) {
        to->shift[d] = s->shift[d][l];
    }
    if (to->seen == NULL) {
        memset(to->bracket, 0, sizeof *to->bracket);
        return;
    }
    for (int n = 0; n < 3; n++) {
        for (int d = 0; d < 3; d++) {
            to->bracket->simplex.point[n].w[d] = s->w[n][d][l];
            to->bracket->simplex.point[n].a[d] = s->a[n][d][l];
        }
        to->bracket->simplex.weight[n] = to->seen->simplex.weight[n];
    }
    carom_aim_begin(to);
}

void carom_aim_kernel(carom_aim *aims, uint32_t count) {
    lanes s;
    uint32_t begin = 0;
    memset(&s, 0, sizeof s);
    for (; begin + TWIN_MOST < count; begin += CAROM_PAIRS) {
        const uint32_t some = count - begin < CAROM_PAIRS ? count - begin : CAROM_PAIRS;
        for (uint32_t l = 0; l < some; l++) {
            take(&s, l, &aims[begin + l]);
        }
        aim(&s);
        for (uint32_t l = 0; l < some; l++) {
            give(&s, l, &aims[begin + l]);
        }
    }
    if (begin < count) {
        carom_aim_twin(aims + begin, count - begin);
    }
}
