/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies drawn out along their paths. One that goes on as it does now stays inside the swept box of its drawn-out self
 * for as many steps as reach->steps_ahead says; the margin, a larger radius, is for those that do not quite. */
#include "kernel/coherent/drawn_tmpl.h"

#include <float.h>
#include <math.h>

/* Bodies sampled for the mean displacement, and of them the greatest left out. */
enum { SAMPLE = 512, LEFT_OUT = 8 };
/* A fat box may reach this many mean ways ahead: a few fast bodies must not make wide cells for all. */
static const double REACH_MOST = 6.0;
/* Room for boxes taken from another centre, for doubles: errors of both are below so many parts of the coordinates
 * (float boxes, two steps each; below the normal range, steps of the least float) and of the bodies' distance from the
 * origin (the subtraction of a centre). */
static const double FLOAT_ROOM = 0x1p-20;
static const double LEAST_FLOAT_ROOM = 0x1p-146;
static const double DOUBLE_ROOM = 0x1p-48;

enum { ARRAYS = 5 };

static uint64_t stride_of(uint64_t count) {
    uint64_t pages = ((count + CAROM_SIMD_PAD) * sizeof(carom_real) + 4095) / 4096;
    return pages * 4096 + UINT64_C(9) * CAROM_CACHE_LINE;
}

uint64_t carom_drawn_bytes(uint64_t count) {
    return ARRAYS * stride_of(count);
}

carom_drawn carom_drawn_view(void *block, const carom_bodies *bodies) {
    carom_drawn drawn = {.bodies = *bodies};
    char *at = block;
    for (int a = 0; a < 3; a++, at += stride_of(bodies->count)) {
        drawn.curr[a] = (carom_real *)(void *)at;
        drawn.bodies.curr[a] = drawn.curr[a];
    }
    drawn.radius = (carom_real *)(void *)at;
    drawn.bodies.radius = drawn.radius;
    drawn.wide_radius =
        sizeof(carom_real) == sizeof(float) ? drawn.radius : (carom_real *)(void *)(at + stride_of(bodies->count));
    return drawn;
}

static inline carom_real clamp(carom_real x, carom_real most) {
    x = x < most ? x : most;
    return x > -most ? x : -most;
}

/* Along one axis; where the numbers give out, as far as the body itself. */
static inline carom_real draw(carom_real prev, carom_real curr, carom_real steps, carom_real most) {
    carom_real to = curr + clamp((curr - prev) * steps, most);
    return to - to == 0 ? to : curr;
}

static inline carom_real widen(carom_real radius, carom_real margin) {
    carom_real wide = radius + margin;
    return wide - wide == 0 ? wide : radius;
}

static double room_for(const carom_coherent *state, const carom_bodies *bodies, const carom_drawn *drawn, uint64_t n) {
    double from_centre = state->drift;
    double from_origin = 0.0;
    for (int a = 0; a < 3; a++) {
        double prev = (double)bodies->prev[a][n];
        double curr = (double)drawn->curr[a][n];
        from_centre = fmax(from_centre, fmax(fabs(prev - state->centre[a]), fabs(curr - state->centre[a])));
        from_origin = fmax(from_origin, fmax(fmax(fabs(prev), fabs(curr)), fabs(state->centre[a])));
    }
    double radius = (double)drawn->radius[n];
    return FLOAT_ROOM * (from_centre + state->drift + radius) + DOUBLE_ROOM * (from_origin + radius) + LEAST_FLOAT_ROOM;
}

void carom_drawn_make(const carom_coherent *state, const carom_bodies *bodies, uint64_t begin, uint64_t end,
                      const carom_drawn *drawn) {
    const carom_coherent_reach *reach = &state->reach;
    const carom_real steps = (carom_real)reach->steps_ahead;
    const double far = fmin(REACH_MOST * reach->steps_ahead * reach->displacement, (double)FLT_MAX);
    const carom_real most = (carom_real)far;
    const carom_real margin = (carom_real)fmin(reach->margin, (double)FLT_MAX);
    for (int a = 0; a < 3; a++) {
        const carom_real *prev = bodies->prev[a];
        const carom_real *curr = bodies->curr[a];
        carom_real *to = drawn->curr[a];
        for (uint64_t n = begin; n < end; n++) {
            to[n] = draw(prev[n], curr[n], steps, most);
        }
    }
    for (uint64_t n = begin; n < end; n++) {
        drawn->radius[n] = widen(bodies->radius[n], margin);
    }
    if (sizeof(carom_real) == sizeof(float)) {
        return;
    }
    for (uint64_t n = begin; n < end; n++) {
        drawn->wide_radius[n] = widen(drawn->radius[n], (carom_real)room_for(state, bodies, drawn, n));
    }
}

/* Mean of the sample without its greatest few, which are put aside in `greatest`. */
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

static double mean_of(const trimmed *t, uint64_t count) {
    return count > 4 * LEFT_OUT ? t->sum / (double)(count - LEFT_OUT) : t->greatest[LEFT_OUT / 2];
}

void carom_drawn_sample(const carom_bodies *bodies, double *displacement, double *extent) {
    uint64_t count = bodies->count < SAMPLE ? bodies->count : SAMPLE;
    uint64_t stretch = bodies->count / count;
    trimmed ways = {.sum = 0.0};
    trimmed extents = {.sum = 0.0};
    for (uint64_t s = 0; s < count; s++) {
        double way = 0.0;
        for (int a = 0; a < 3; a++) {
            way = fmax(way, fabs((double)bodies->curr[a][s * stretch] - (double)bodies->prev[a][s * stretch]));
        }
        add_value(&ways, way);
        add_value(&extents, way + 2.0 * (double)bodies->radius[s * stretch]);
    }
    *displacement = mean_of(&ways, count);
    *extent = mean_of(&extents, count);
}
