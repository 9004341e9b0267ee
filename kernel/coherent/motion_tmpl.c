/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/coherent/motion_tmpl.h"

#include <float.h>
#include <math.h>

#include "kernel/check/assert.h"
#include "simd/layout.h"

/* Bodies in the sample of one step. */
enum { SAMPLE = 512 };
/* How many of the greatest values are left out of a mean, at most. */
enum { LEFT_OUT = 8 };

/* A sum without the greatest few values, which wait in `greatest` in falling order. */
typedef struct trimmed {
    double sum;
    double greatest[LEFT_OUT];
} trimmed;

static void add_value(trimmed *t, double value) {
    value = fmin(value, (double)FLT_MAX);
    for (int n = 0; n < LEFT_OUT; n++) {
        double lesser = fmin(value, t->greatest[n]);
        t->greatest[n] = fmax(value, t->greatest[n]);
        value = lesser;
    }
    t->sum += value;
}

/* Of a small sample the median of the greatest few: it has too few values to leave some out. */
static double mean_of(const trimmed *t, uint64_t count) {
    return count > 4 * LEFT_OUT ? t->sum / (double)(count - LEFT_OUT) : t->greatest[LEFT_OUT / 2];
}

static uint64_t sample_size(uint64_t bodies, uint64_t most) {
    return bodies < most ? bodies : most;
}

static double curr_of(const carom_bodies *bodies, int axis, uint64_t n) {
    return (double)carom_layout_value(bodies->curr[axis], bodies->curr_stride, n);
}

static double longest_of(const double way[3]) {
    return fmax(fabs(way[0]), fmax(fabs(way[1]), fabs(way[2])));
}

double carom_motion_between(const carom_coherent *state, const carom_bodies *bodies) {
    CAROM_ASSERT(bodies->count > 0);
    const carom_coherent_positions *before = &state->lookahead.before;
    const uint64_t count = sample_size(bodies->count, CAROM_MOTION_KEPT);
    const uint64_t stride = bodies->count / count;
    trimmed ways = {.sum = 0.0};
    if (before->bodies != bodies->count) {
        return 0.0;
    }
    for (uint64_t s = 0; s < count; s++) {
        double way[3];
        double edges[3] = {0};
        for (int a = 0; a < 3; a++) {
            way[a] = curr_of(bodies, a, s * stride) - before->curr[a][s];
        }
        if (state->space.periodic) {
            carom_lattice_nearest(&state->space.lattice, way, edges);
        }
        for (int a = 0; a < 3; a++) {
            way[a] -= edges[a];
        }
        add_value(&ways, longest_of(way));
    }
    return mean_of(&ways, count);
}

carom_coherent_motion carom_motion_measure(const carom_coherent *state, const carom_bodies *bodies) {
    CAROM_ASSERT(bodies->count > 0);
    const uint64_t count = sample_size(bodies->count, SAMPLE);
    const uint64_t stride = bodies->count / count;
    trimmed displacements = {.sum = 0.0};
    trimmed extents = {.sum = 0.0};
    for (uint64_t s = 0; s < count; s++) {
        const carom_record body = carom_layout_body(bodies, s * stride);
        double way[3];
        for (int a = 0; a < 3; a++) {
            way[a] = (double)body.curr[a] - (double)body.prev[a];
        }
        const double longest = longest_of(way);
        add_value(&displacements, longest);
        add_value(&extents, longest + 2.0 * (double)body.radius);
    }
    return (carom_coherent_motion){.within = mean_of(&displacements, count),
                                   .between = carom_motion_between(state, bodies),
                                   .extent = mean_of(&extents, count)};
}

void carom_motion_keep(carom_coherent *state, const carom_bodies *bodies) {
    CAROM_ASSERT(bodies->count > 0);
    carom_coherent_positions *before = &state->lookahead.before;
    const uint64_t count = sample_size(bodies->count, CAROM_MOTION_KEPT);
    const uint64_t stride = bodies->count / count;
    before->bodies = bodies->count;
    for (uint64_t s = 0; s < count; s++) {
        for (int a = 0; a < 3; a++) {
            before->curr[a][s] = curr_of(bodies, a, s * stride);
        }
    }
}
