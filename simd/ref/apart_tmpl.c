/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Which shapes are certainly apart, pair by pair. */
#include <float.h>
#include <string.h>

#include "simd/declare.h"
#include "simd/ref/apart_pair.h"

#define carom_apart_twin CAROM_TWIN(apart)

static float difference(carom_real a, carom_real b) {
    const carom_real d = a - b;
    const carom_real most = (carom_real)FLT_MAX;
    return (float)(d < -most ? -most : d > most ? most : d);
}

static carom_apart_box box_of(const carom_apart *apart, const carom_real *pose) {
    uint32_t shape;
    float q[4];
    memcpy(&shape, pose + CAROM_APART_SHAPE, sizeof shape);
    for (int n = 0; n < 4; n++) {
        q[n] = (float)pose[CAROM_APART_TURN + n];
    }
    return carom_apart_box_of(apart, shape, q);
}

static bool is_apart(const carom_apart *apart, const carom_real *pose_i, const carom_real *pose_k) {
    const carom_apart_box i = box_of(apart, pose_i);
    const carom_apart_box k = box_of(apart, pose_k);
    static const float still[3] = {0.0F, 0.0F, 0.0F};
    float between[3];
    float size = i.size + k.size;
    for (int a = 0; a < 3; a++) {
        const float way = difference(pose_k[CAROM_APART_AT + a], pose_i[CAROM_APART_AT + a]);
        size = size + fabsf(way);
        between[a] = way + (k.centre[a] - i.centre[a]);
    }
    const float limit = (apart->margin + apart->slack * size) + CAROM_APART_LEAST;
    return carom_apart_gap(&i, &k, between, still) > limit;
}

uint32_t carom_apart_twin(const carom_apart *apart, const carom_real *poses, const uint32_t *i, const uint32_t *k,
                          uint32_t count, uint32_t *kept) {
    uint32_t found = 0;
    for (uint32_t n = 0; n < count; n++) {
        kept[found] = n;
        found += !is_apart(apart, poses + CAROM_APART_ROW * (uint64_t)i[n], poses + CAROM_APART_ROW * (uint64_t)k[n]);
    }
    return found;
}
