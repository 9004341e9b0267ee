/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/coherent/extended_tmpl.h"

#include <float.h>
#include <math.h>

#include "kernel/check/assert.h"
#include "simd/compare.h"

/* Allowance for boxes relative to another centre, in double precision. Boxes are rounded to float: two steps each, as a
 * share of the distance from the centre, or as steps of the least float below the normal range. Subtracting a centre is
 * rounded to double: as a share of the distance from the origin. */
static const double FLOAT_ALLOWANCE = 0x1p-20;
static const double LEAST_FLOAT_ALLOWANCE = 0x1p-146;
static const double DOUBLE_ALLOWANCE = 0x1p-48;

/* curr of three axes and two radii. */
enum { ARRAYS = 5 };

/* Whole pages and nine cache lines: the arrays begin in different sets of the L1 cache. */
static uint64_t stride_of(uint64_t count) {
    uint64_t pages = ((count + CAROM_SIMD_PAD) * sizeof(carom_real) + 4095) / 4096;
    return pages * 4096 + UINT64_C(9) * CAROM_CACHE_LINE;
}

uint64_t carom_extended_bytes(uint64_t count) {
    return ARRAYS * stride_of(count);
}

carom_extended carom_extended_view(void *memory, const carom_bodies *bodies) {
    carom_extended extended = {.bodies = *bodies};
    char *at = memory;
    for (int a = 0; a < 3; a++, at += stride_of(bodies->count)) {
        extended.curr[a] = (carom_real *)(void *)at;
        extended.bodies.curr[a] = extended.curr[a];
    }
    extended.radius = (carom_real *)(void *)at;
    extended.bodies.radius = extended.radius;
    extended.bodies.curr_stride = 0;
    extended.bodies.radius_stride = 0;
    extended.list_radius =
        sizeof(carom_real) == sizeof(float) ? extended.radius : (carom_real *)(void *)(at + stride_of(bodies->count));
    return extended;
}

static inline carom_real clamp(carom_real x, carom_real most) {
    x = x < most ? x : most;
    return x > -most ? x : -most;
}

/* The end of the extended path along one axis. If it overflows: the end of the path. */
static inline carom_real extend(carom_real prev, carom_real curr, carom_real steps, carom_real most) {
    carom_real to = curr + clamp((curr - prev) * steps, most);
    return to - to == 0 ? to : curr;
}

/* Likewise for a radius. */
static inline carom_real widen(carom_real radius, carom_real margin) {
    carom_real wide = radius + margin;
    return wide - wide == 0 ? wide : radius;
}

/* Packed bodies have loops of their own, which become vector code. */
static void extend_packed(const carom_bodies *bodies, uint64_t begin, uint64_t end, carom_real steps, carom_real most,
                          carom_real margin, const carom_extended *extended) {
    for (int a = 0; a < 3; a++) {
        const carom_real *prev = bodies->prev[a];
        const carom_real *curr = bodies->curr[a];
        carom_real *to = extended->curr[a];
        for (uint64_t n = begin; n < end; n++) {
            to[n] = extend(prev[n], curr[n], steps, most);
        }
    }
    for (uint64_t n = begin; n < end; n++) {
        extended->radius[n] = widen(bodies->radius[n], margin);
    }
}

static void extend_strided(const carom_bodies *bodies, uint64_t begin, uint64_t end, carom_real steps, carom_real most,
                           carom_real margin, const carom_extended *extended) {
    for (uint64_t n = begin; n < end; n++) {
        const carom_record body = carom_layout_body(bodies, n);
        for (int a = 0; a < 3; a++) {
            extended->curr[a][n] = extend(body.prev[a], body.curr[a], steps, most);
        }
        extended->radius[n] = widen(body.radius, margin);
    }
}

/* What rounding can do to the box of body n. */
static double allowance_of(const carom_coherent *state, const carom_bodies *bodies, const carom_extended *extended,
                           uint64_t n) {
    double from_centre = carom_greater(state->drift, state->space.reach);
    double from_origin = state->space.reach;
    for (int a = 0; a < 3; a++) {
        double prev = (double)carom_layout_value(bodies->prev[a], bodies->prev_stride, n);
        double curr = (double)extended->curr[a][n];
        from_centre =
            carom_greater(from_centre, carom_greater(fabs(prev - state->centre[a]), fabs(curr - state->centre[a])));
        from_origin =
            carom_greater(from_origin, carom_greater(carom_greater(fabs(prev), fabs(curr)), fabs(state->centre[a])));
    }
    double radius = (double)extended->radius[n];
    return FLOAT_ALLOWANCE * (from_centre + state->drift + radius) + DOUBLE_ALLOWANCE * (from_origin + radius) +
           LEAST_FLOAT_ALLOWANCE;
}

void carom_extended_fill(const carom_coherent *state, const carom_bodies *bodies, uint64_t begin, uint64_t end,
                         const carom_extended *extended) {
    CAROM_ASSERT(begin <= end && end <= bodies->count);
    const carom_coherent_lookahead *lookahead = &state->lookahead;
    const carom_real steps = (carom_real)lookahead->steps_ahead;
    const double far = fmin(CAROM_EXTENSION_MOST * lookahead->steps_ahead * lookahead->displacement, (double)FLT_MAX);
    const carom_real most = (carom_real)far;
    const carom_real margin = (carom_real)fmin(lookahead->margin, (double)FLT_MAX);
    if (carom_layout_is_packed(bodies)) {
        extend_packed(bodies, begin, end, steps, most, margin, extended);
    } else {
        extend_strided(bodies, begin, end, steps, most, margin, extended);
    }
    if (sizeof(carom_real) == sizeof(float)) {
        return;
    }
    for (uint64_t n = begin; n < end; n++) {
        extended->list_radius[n] = widen(extended->radius[n], (carom_real)allowance_of(state, bodies, extended, n));
    }
}
