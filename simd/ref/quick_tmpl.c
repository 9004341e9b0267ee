/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What floats can tell of pairs (simd/quick_floats.h), pair by pair. */
#include "simd/quick_floats.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "simd/declare.h"
#include "simd/ref/apart_pair.h"

#define carom_quick_twin CAROM_TWIN(quick)

/* What is known of a pair before it is tested. */
typedef struct quick_pair {
    float between[3]; /* the way from i to k */
    float turn[2][4]; /* quaternions */
    const float *row[2];
    float limit;       /* what the bracket is widened by on both sides */
    float frame[3][3]; /* of hulls: k's rotation in the frame of i, */
    float way[3];      /* and the way */
} quick_pair;

/* A bracket that is not widened yet. Of a pair that is apart `upper` has no meaning: it has `far`. */
typedef struct quick_bracket {
    float lower;  /* of a pair that is apart */
    float within; /* of another */
    float upper;
    float far;
} quick_bracket;

static float greater(float a, float b) {
    return a > b ? a : b;
}

static float lesser(float a, float b) {
    return a < b ? a : b;
}

static float clamp(float x, float h) {
    return greater(lesser(x, h), -h);
}

static float dot(const float a[3], const float b[3]) {
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

static float sizes(const float v[3]) {
    return (fabsf(v[0]) + fabsf(v[1])) + fabsf(v[2]);
}

/* Length of the excess over the box, or minus the depth in it. */
static quick_bracket test_solid(const quick_pair *pair) {
    const float radius = pair->row[0][CAROM_APART_HALF];
    const float *half = pair->row[1] + CAROM_APART_HALF;
    float turn[3][3];
    float square = 0.0F;
    float most = -HUGE_VALF;
    carom_apart_turn(pair->turn[1], turn);
    for (int d = 0; d < 3; d++) {
        const float axis[3] = {turn[0][d], turn[1][d], turn[2][d]};
        const float beyond = fabsf(dot(axis, pair->between)) - half[d];
        const float outside = greater(beyond, 0.0F);
        square = square + outside * outside;
        most = greater(beyond, most);
    }
    const float s = (sqrtf(square) + lesser(most, 0.0F)) - radius;
    return (quick_bracket){s, s, s, s};
}

/* The axis of a capsule, and half its length; of a sphere that is about 0. */
static float segment_of(const quick_pair *pair, int side, float axis[3]) {
    float turn[3][3];
    carom_apart_turn(pair->turn[side], turn);
    for (int d = 0; d < 3; d++) {
        axis[d] = turn[d][2];
    }
    return pair->row[side][CAROM_APART_HALF + 2] - pair->row[side][CAROM_APART_HALF];
}

/* The way from a point of i's segment to one of k's. They are the closest ones, unless the segments are about parallel:
 * Ericson, "Real-Time Collision Detection", 5.1.9. */
static void find_way(const quick_pair *pair, float axis[2][3], const float h[2], float way[3]) {
    const float d = dot(axis[0], axis[1]);
    const float along_i = dot(axis[0], pair->between);
    const float along_k = dot(axis[1], pair->between);
    const float square = greater(1.0F - d * d, CAROM_QUICK_PARALLEL);
    float s = clamp((along_i - d * along_k) / square, h[0]);
    const float t = clamp(d * s - along_k, h[1]);
    s = clamp(d * t + along_i, h[0]);
    for (int a = 0; a < 3; a++) {
        way[a] = pair->between[a] + (t * axis[1][a] - s * axis[0][a]);
    }
}

static quick_bracket test_segments(const quick_pair *pair) {
    float axis[2][3];
    float way[3];
    const float h[2] = {segment_of(pair, 0, axis[0]), segment_of(pair, 1, axis[1])};
    find_way(pair, axis, h, way);
    const float radius = pair->row[0][CAROM_APART_HALF] + pair->row[1][CAROM_APART_HALF];
    const float length = sqrtf(dot(way, way));
    const float beside = h[0] * fabsf(dot(way, axis[0])) + h[1] * fabsf(dot(way, axis[1]));
    const float gap = (dot(way, pair->between) - beside) / length;
    const float lower = (pair->limit < length && gap > 0.0F ? gap : 0.0F) - radius;
    const float upper = length - radius;
    return (quick_bracket){lower, lower, upper, upper};
}

/* How far the boxes are apart along their sides and along the products of edges. Notes where k is in the frame of i. */
static void find_axes(quick_pair *pair, float *sides, float *edges) {
    static const float still[3] = {0.0F, 0.0F, 0.0F};
    const carom_apart_box i = carom_apart_box_place(pair->row[0], pair->turn[0]);
    const carom_apart_box k = carom_apart_box_place(pair->row[1], pair->turn[1]);
    float between[3];
    for (int a = 0; a < 3; a++) {
        between[a] = pair->between[a] + (k.centre[a] - i.centre[a]);
    }
    const carom_apart_frame frame = carom_apart_frame_of(&i, &k, between, still);
    *sides = carom_apart_side_gap(&i, &k, &frame);
    *edges = carom_apart_edge_gap(&i, &k, &frame);
    memcpy(pair->frame, frame.c, sizeof pair->frame);
    carom_apart_to_frame((const float(*)[3])i.turn, pair->between, pair->way);
}

/* Boxes that overlap have the height along some axis; boxes that do not have none that is negative. */
static quick_bracket test_boxes(quick_pair *pair) {
    float sides;
    float edges;
    find_axes(pair, &sides, &edges);
    const float most = greater(edges, sides);
    return (quick_bracket){most, sides, most + pair->limit <= 0.0F ? most : HUGE_VALF, sizes(pair->between)};
}

static quick_bracket test_hulls(quick_pair *pair) {
    const float reach = pair->row[0][CAROM_APART_REACH] + pair->row[1][CAROM_APART_REACH];
    const float inner = pair->row[0][CAROM_APART_INNER] + pair->row[1][CAROM_APART_INNER];
    const float length = sqrtf(dot(pair->between, pair->between));
    float sides;
    float edges;
    find_axes(pair, &sides, &edges);
    const float within = greater(length - reach, sides);
    return (quick_bracket){greater(edges, within), within, length - inner, length + reach};
}

static quick_bracket test_pair(carom_quick_test test, quick_pair *pair) {
    switch (test) {
    case CAROM_QUICK_SOLID:
        return test_solid(pair);
    case CAROM_QUICK_SEGMENTS:
        return test_segments(pair);
    case CAROM_QUICK_BOXES:
        return test_boxes(pair);
    default:
        return test_hulls(pair);
    }
}

static float difference(carom_real a, carom_real b) {
    const carom_real d = a - b;
    const carom_real most = (carom_real)FLT_MAX;
    return (float)(d < -most ? -most : d > most ? most : d);
}

/* Whether body and shape are there, and of the kind that is expected. */
static bool find_shape(const carom_quick_in *in, int side, uint32_t n, uint32_t *shape) {
    const uint32_t body = in->body[side][n];
    if (body >= in->bodies) {
        return false;
    }
    *shape = in->shape != NULL ? in->shape[body] : 0;
    return *shape < in->shapes && (in->kind == NULL || in->kind[*shape] == in->kinds[side]);
}

/* Returns whether the pair is decided at all: rotations are valid, sizes within limits. */
static bool load_pair(const carom_quick_in *in, uint32_t n, const uint32_t shape[2], quick_pair *pair) {
    for (int a = 0; a < 3; a++) {
        pair->between[a] = difference(in->at[a][in->body[1][n]], in->at[a][in->body[0][n]]);
    }
    float size = sizes(pair->between);
    bool usual = size <= CAROM_QUICK_MOST;
    for (int s = 0; s < 2; s++) {
        float *q = pair->turn[s];
        for (int a = 0; a < 4; a++) {
            q[a] = in->turn[0] != NULL ? (float)in->turn[a][in->body[s][n]] : (a == 3 ? 1.0F : 0.0F);
        }
        const float *row = in->box + CAROM_APART_ROW * (uint64_t)shape[s];
        const float square = ((q[0] * q[0] + q[1] * q[1]) + q[2] * q[2]) + q[3] * q[3];
        usual = usual && square >= CAROM_QUICK_TURN_LEAST && square <= CAROM_QUICK_TURN_MOST;
        for (int a = 0; a < 3; a++) {
            size = size + (fabsf(row[CAROM_APART_CENTRE + a]) + row[CAROM_APART_HALF + a]);
        }
        pair->row[s] = row;
    }
    pair->limit = CAROM_APART_ROUNDING * size;
    return usual && size >= CAROM_QUICK_LEAST && size <= CAROM_QUICK_MOST;
}

/* What a search begins with. */
static void set_seek(const quick_pair *pair, uint32_t n, carom_seek_pairs *seek) {
    for (int e = 0; e < 9; e++) {
        seek->turn[e][n] = pair->frame[e / 3][e % 3];
    }
    for (int a = 0; a < 3; a++) {
        seek->between[a][n] = pair->way[a];
    }
}

static void answer(const carom_quick_in *in, uint32_t n, quick_pair *pair, carom_quick_gaps *out) {
    const quick_bracket bracket = test_pair(in->test, pair);
    const float lower = bracket.lower - pair->limit;
    const float upper = bracket.upper + pair->limit;
    const bool is_apart = lower > in->above;
    out->apart |= (uint64_t)is_apart << n;
    out->touching |= (uint64_t)(!is_apart && upper <= in->below) << n;
    out->open |= (uint64_t)(!is_apart && !(upper <= in->below)) << n;
    out->lower[n] = (carom_real)(is_apart ? lower : bracket.within - pair->limit);
    out->upper[n] = (carom_real)(is_apart ? bracket.far + pair->limit : upper);
    const carom_real middle = (carom_real)0.5 * out->lower[n] + (carom_real)0.5 * out->upper[n];
    const carom_real more = middle > out->lower[n] ? middle : out->lower[n];
    out->distance[n] = more < out->upper[n] ? more : out->upper[n];
    if (in->test == CAROM_QUICK_HULLS && in->seek != NULL) {
        set_seek(pair, n, in->seek);
    }
}

void carom_quick_twin(const carom_quick_in *in, carom_quick_gaps *out) {
    out->apart = 0;
    out->touching = 0;
    out->open = 0;
    out->others = false;
    for (uint32_t n = 0; n < in->count; n++) {
        quick_pair pair;
        uint32_t shape[2];
        if (!find_shape(in, 0, n, &shape[0]) || !find_shape(in, 1, n, &shape[1])) {
            out->apart = 0;
            out->touching = 0;
            out->open = 0;
            out->others = true;
            return;
        }
        if (load_pair(in, n, shape, &pair)) {
            answer(in, n, &pair, out);
        }
    }
}
