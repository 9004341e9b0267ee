/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/twin/edge_records_tmpl.h"

#include <float.h>
#include <math.h>

/* Both ends of the range: what is added to or taken from one leaves it. */
#if CAROM_REAL_BITS == 32
static const double LARGEST = (double)FLT_MAX;
#else
static const double LARGEST = DBL_MAX;
#endif

enum { STEPS_MOST = 4 };

/* One axis of a case: all bodies within a few floats of one place, or at the ends of the range. */
typedef struct edge_axis {
    bool vast;
    float base;
    double centre;
} edge_axis;

static uint32_t below(carom_random *random, uint32_t count) {
    return (uint32_t)(carom_random_next(random) % count);
}

static edge_axis draw_axis(carom_random *random) {
    static const float bases[] = {0.0F, -0.0F, 0x1p-149F, -0x1p-140F,  FLT_MIN, 1.0F,    -1.0F,
                                  0.3F, 7e5F,  -100.5F,   16777216.0F, 3e38F,   FLT_MAX, -FLT_MAX};
    const edge_axis close = {.base = bases[below(random, sizeof bases / sizeof bases[0])]};
    const edge_axis vast = {.vast = true, .centre = below(random, 2) == 0 ? 1.7e308 : -1.7e308};
    return below(random, 3) == 0 ? vast : close;
}

/* Beyond the largest float doubles go on: halfway to what would be the next, and farther. */
static carom_real some_floats_on(float base, uint32_t steps) {
    const double beyond = 0x1p102;
    float x = base;
    for (uint32_t n = 0; n < steps; n++) {
        x = nextafterf(x, INFINITY);
    }
    if (isfinite(x)) {
        return (carom_real)x;
    }
    return CAROM_REAL_BITS == 32 ? (carom_real)FLT_MAX : (carom_real)((double)FLT_MAX + beyond * steps);
}

static carom_real draw_place(carom_random *random, const edge_axis *axis) {
    static const double shares[] = {1, 0.95, 0.5, 0x1p-20, 0};
    if (axis->vast) {
        const double x = LARGEST * shares[below(random, sizeof shares / sizeof shares[0])];
        return (carom_real)(below(random, 2) == 0 ? x : -x);
    }
    return some_floats_on(axis->base, below(random, STEPS_MOST + 1));
}

/* Mostly points, which stay as close as they are. */
static carom_real draw_radius(carom_random *random, const edge_axis *axis) {
    switch (below(random, 16)) {
    case 0:
        return (carom_real)LARGEST;
    case 1:
        return (carom_real)fabsf(axis->base);
    case 2:
        return (carom_real)(fabsf(axis->base) * FLT_EPSILON);
    case 3:
        return (carom_real)0x1p-149F;
    default:
        return 0;
    }
}

carom_record *make_edge_records(guarded_pool *pool, carom_random *random, uint64_t count, double centre[3]) {
    carom_record *records = guarded_array(pool, count, sizeof *records, 0);
    edge_axis axis[3];
    for (int a = 0; a < 3; a++) {
        axis[a] = draw_axis(random);
        centre[a] = axis[a].centre;
    }
    for (uint64_t n = 0; n < count; n++) {
        for (int a = 0; a < 3; a++) {
            records[n].prev[a] = draw_place(random, &axis[a]);
            records[n].curr[a] = below(random, 2) == 0 ? records[n].prev[a] : draw_place(random, &axis[a]);
        }
        records[n].radius = draw_radius(random, &axis[n % 3]);
        records[n].body = (uint32_t)n;
    }
    return records;
}
