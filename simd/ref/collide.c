/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The twin: what carom_respond_bodies does to two bodies that both move, pair by pair. */
#include <string.h>

#include "simd/check.h"
#include "simd/declare.h"
#include "simd/hull_paths.h"
#include "simd/vector.h"

#define carom_collide_twin CAROM_TWIN_OF(collide)

static void place_at(const double *motion, double t, double x[3]) {
    for (int d = 0; d < 3; d++) {
        x[d] = motion[CAROM_MOTION_X + d] + motion[CAROM_MOTION_V + d] * (t - motion[CAROM_MOTION_START]);
    }
}

/* Whether carom_vector_unit takes the vector as it is. */
static bool is_usual(const double p[3]) {
    const double yz = fabs(p[1]) > fabs(p[2]) ? fabs(p[1]) : fabs(p[2]);
    const double most = fabs(p[0]) > yz ? fabs(p[0]) : yz;
    return most >= CAROM_VECTOR_LEAST && most <= CAROM_VECTOR_MOST;
}

/* The motion that begins at x, at the time of the impact, and what follows from it. */
static void turn(const carom_collide_in *in, uint32_t n, int side, const double x[3], double change,
                 carom_collide_block *block) {
    const uint32_t slot = block->slot[side][n];
    const carom_hull_box *box = &in->box[slot];
    double *motion = block->motion[side][n];
    bool stays = true;
    memcpy(motion, in->motion + 8 * (uint64_t)slot, 8 * sizeof(double));
    for (int d = 0; d < 3; d++) {
        motion[CAROM_MOTION_X + d] = x[d];
        motion[CAROM_MOTION_V + d] = motion[CAROM_MOTION_V + d] + change * block->impact[n][d];
    }
    motion[CAROM_MOTION_START] = block->t[n];
    block->coarse[side][n] = carom_hull_coarse(in->frame, motion, block->radius[side][n]);
    for (int d = 0; d < 3; d++) {
        const carom_hull_range span = carom_hull_span(in->frame, motion, block->radius[side][n], d);
        stays = stays && span.lo >= (double)box->lo[d] && span.hi <= (double)box->hi[d];
    }
    block->stays[side] |= (uint32_t)stays << n;
}

static bool collide(const carom_collide_in *in, uint32_t n, carom_collide_block *block) {
    const double *i = in->motion + 8 * (uint64_t)block->slot[0][n];
    const double *k = in->motion + 8 * (uint64_t)block->slot[1][n];
    double *impact = block->impact[n];
    double at_i[3];
    double at_k[3];
    double p[3];
    double v[3];
    place_at(i, block->t[n], at_i);
    place_at(k, block->t[n], at_k);
    for (int d = 0; d < 3; d++) {
        p[d] = at_i[d] - at_k[d];
        v[d] = i[CAROM_MOTION_V + d] - k[CAROM_MOTION_V + d];
    }
    if (!is_usual(p)) {
        return false;
    }
    (void)carom_vector_unit(p, impact);
    carom_vector_add(at_i, -block->radius[0][n], impact, impact + 3);
    const double speed = -carom_vector_dot(impact, v);
    const double change = (speed < block->rest_speed[n] ? 1.0 : block->bounce[n]) * speed;
    const double sum = block->inverse_mass[0][n] + block->inverse_mass[1][n];
    impact[6] = change / sum;
    impact[7] = 0.0;
    turn(in, n, 0, at_i, change * (block->inverse_mass[0][n] / sum), block);
    turn(in, n, 1, at_k, -(change * (block->inverse_mass[1][n] / sum)), block);
    return speed > 0.0;
}

uint32_t carom_collide_twin(const carom_collide_in *in, uint32_t count, carom_collide_block *block) {
    uint32_t computed = 0;
    block->stays[0] = block->stays[1] = 0;
    for (uint32_t n = 0; n < count; n++) {
        computed |= (uint32_t)collide(in, n, block) << n;
    }
    return computed;
}
