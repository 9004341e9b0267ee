/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Which shapes are certainly apart, pair by pair. */
#include "simd/apart_boxes.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "simd/compare.h"
#include "simd/declare.h"

#define carom_apart_twin CAROM_TWIN(apart)

typedef struct posed_box {
    float turn[3][3];
    float centre[3]; /* of the box, from the body's position */
    float half[3];
    float size; /* of the centre and the half extents */
} posed_box;

static void turn_of(const float q[4], float turn[3][3]) {
    const float scale = 2.0F / (((q[0] * q[0] + q[1] * q[1]) + q[2] * q[2]) + q[3] * q[3]);
    const float x = scale * q[0];
    const float y = scale * q[1];
    const float z = scale * q[2];
    turn[0][0] = 1.0F - (y * q[1] + z * q[2]);
    turn[1][1] = 1.0F - (x * q[0] + z * q[2]);
    turn[2][2] = 1.0F - (x * q[0] + y * q[1]);
    turn[0][1] = x * q[1] - z * q[3];
    turn[1][0] = x * q[1] + z * q[3];
    turn[0][2] = x * q[2] + y * q[3];
    turn[2][0] = x * q[2] - y * q[3];
    turn[1][2] = y * q[2] - x * q[3];
    turn[2][1] = y * q[2] + x * q[3];
}

static posed_box box_of(const carom_apart *apart, const carom_real *pose) {
    posed_box box;
    uint32_t shape;
    memcpy(&shape, pose + CAROM_APART_SHAPE, sizeof shape);
    const float *row = apart->box + CAROM_APART_ROW * (uint64_t)shape;
    const float *centre = row + CAROM_APART_CENTRE;
    float q[4];
    for (int n = 0; n < 4; n++) {
        q[n] = (float)pose[CAROM_APART_TURN + n];
    }
    turn_of(q, box.turn);
    box.size = 0.0F;
    for (int a = 0; a < 3; a++) {
        box.half[a] = row[CAROM_APART_HALF + a];
        box.centre[a] = (box.turn[a][0] * centre[0] + box.turn[a][1] * centre[1]) + box.turn[a][2] * centre[2];
        box.size = box.size + (fabsf(centre[a]) + box.half[a]);
    }
    return box;
}

static float difference(carom_real a, carom_real b) {
    const carom_real d = a - b;
    const carom_real most = (carom_real)FLT_MAX;
    return (float)(d < -most ? -most : d > most ? most : d);
}

/* The greatest gap along the axes; those that are no numbers are passed over. */
static float gap_of(const posed_box *i, const posed_box *k, const float between[3]) {
    float t[3];
    float c[3][3];
    float size[3][3];
    float most = -HUGE_VALF;
    for (int a = 0; a < 3; a++) {
        t[a] = (i->turn[0][a] * between[0] + i->turn[1][a] * between[1]) + i->turn[2][a] * between[2];
        for (int b = 0; b < 3; b++) {
            c[a][b] = (i->turn[0][a] * k->turn[0][b] + i->turn[1][a] * k->turn[1][b]) + i->turn[2][a] * k->turn[2][b];
            size[a][b] = fabsf(c[a][b]);
        }
    }
    for (int a = 0; a < 3; a++) {
        const float radius = (size[a][0] * k->half[0] + size[a][1] * k->half[1]) + size[a][2] * k->half[2];
        const float gap = fabsf(t[a]) - (i->half[a] + radius);
        most = gap > most ? gap : most;
    }
    for (int b = 0; b < 3; b++) {
        const float along = (t[0] * c[0][b] + t[1] * c[1][b]) + t[2] * c[2][b];
        const float radius = (size[0][b] * i->half[0] + size[1][b] * i->half[1]) + size[2][b] * i->half[2];
        const float gap = fabsf(along) - (k->half[b] + radius);
        most = gap > most ? gap : most;
    }
    for (int a = 0; a < 3; a++) {
        const int a1 = (a + 1) % 3;
        const int a2 = (a + 2) % 3;
        for (int b = 0; b < 3; b++) {
            const int b1 = (b + 1) % 3;
            const int b2 = (b + 2) % 3;
            const float along = t[a2] * c[a1][b] - t[a1] * c[a2][b];
            const float of_i = i->half[a1] * size[a2][b] + i->half[a2] * size[a1][b];
            const float of_k = k->half[b1] * size[a][b2] + k->half[b2] * size[a][b1];
            const float gap = fabsf(along) - (of_i + of_k);
            most = gap > most ? gap : most;
        }
    }
    return most;
}

static bool is_apart(const carom_apart *apart, const carom_real *pose_i, const carom_real *pose_k) {
    const posed_box i = box_of(apart, pose_i);
    const posed_box k = box_of(apart, pose_k);
    float between[3];
    float size = i.size + k.size;
    for (int a = 0; a < 3; a++) {
        const float way = difference(pose_k[CAROM_APART_AT + a], pose_i[CAROM_APART_AT + a]);
        size = size + fabsf(way);
        between[a] = way + (k.centre[a] - i.centre[a]);
    }
    const float limit = (apart->margin + apart->slack * size) + CAROM_APART_LEAST;
    return gap_of(&i, &k, between) > limit;
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
