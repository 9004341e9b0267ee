/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/coherent/trial_tmpl.h"

#include <float.h>
#include <math.h>

#include "kernel/check/assert.h"
#include "kernel/coherent/extended_tmpl.h"
#include "kernel/coherent/motion_tmpl.h"
#include "simd/layout.h"

/* Motion has slowed down if bodies go less than this share of the way that the steps ahead were learned from. */
static const double SLOW = 0.5;

static uint64_t sample_size(uint64_t bodies) {
    const uint64_t runs = bodies / CAROM_TRIAL_SHARE / CAROM_TRIAL_RUN;
    const uint64_t size = (runs > 0 ? runs : 1) * CAROM_TRIAL_RUN;
    const uint64_t most = size < CAROM_TRIAL_MOST ? size : CAROM_TRIAL_MOST;
    return most < bodies ? most : bodies;
}

/* The body with number n of the sample. Runs lie evenly among the bodies. */
static inline uint64_t body_of(uint64_t n, uint64_t sample, uint64_t bodies) {
    const uint64_t runs = (sample + CAROM_TRIAL_RUN - 1) / CAROM_TRIAL_RUN;
    return n / CAROM_TRIAL_RUN * (bodies / runs) + n % CAROM_TRIAL_RUN;
}

/* Distance that body b goes along the axis where it goes farthest. */
static inline double distance_of(const carom_bodies *bodies, uint64_t b) {
    const carom_record body = carom_layout_body(bodies, b);
    double longest = 0.0;
    for (int a = 0; a < 3; a++) {
        longest = fmax(longest, fabs((double)body.curr[a] - (double)body.prev[a]));
    }
    return longest;
}

/* The fat box of a body: that of its extended self (extended_tmpl.h), but for rounding. */
static void extend(const carom_coherent_lookahead *lookahead, const carom_record *body, double lo[3], double hi[3]) {
    const double most = CAROM_EXTENSION_MOST * lookahead->steps_ahead * lookahead->displacement;
    const double reach = (double)body->radius + lookahead->margin;
    for (int a = 0; a < 3; a++) {
        const double prev = (double)body->prev[a];
        const double curr = (double)body->curr[a];
        const double way = fmax(fmin((curr - prev) * lookahead->steps_ahead, most), -most);
        lo[a] = fmin(prev, curr + way) - reach;
        hi[a] = fmax(prev, curr + way) + reach;
    }
}

/* How many times as many pairs larger boxes have: as many times as larger is the space in which the low corners of two
 * that overlap lie, on the mean. */
static double growth_of(const double fat[3], const double swept[3]) {
    double growth = 1.0;
    for (int a = 0; a < 3; a++) {
        growth *= swept[a] > 0.0 ? fat[a] / swept[a] : 1.0;
    }
    return isfinite(growth) ? fmax(growth, 1.0) : 1.0;
}

/* Fat boxes for all, and how many more pairs they have. */
static double make_boxes(carom_coherent *state, const carom_bodies *bodies) {
    carom_coherent_trial *trial = &state->cold.trial;
    double fat[3] = {0};
    double swept[3] = {0};
    for (uint64_t n = 0; n < trial->count; n++) {
        const carom_record body = carom_layout_body(bodies, body_of(n, trial->count, bodies->count));
        double lo[3];
        double hi[3];
        extend(&state->lookahead, &body, lo, hi);
        for (int a = 0; a < 3; a++) {
            trial->lo[a][n] = lo[a];
            trial->hi[a][n] = hi[a];
            fat[a] += hi[a] - lo[a];
            swept[a] += fabs((double)body.curr[a] - (double)body.prev[a]) + 2.0 * (double)body.radius;
        }
    }
    return growth_of(fat, swept);
}

void carom_trial_start(carom_coherent *state, const carom_bodies *bodies, const carom_prices *prices,
                       double box_pairs) {
    carom_coherent_trial *trial = &state->cold.trial;
    CAROM_ASSERT(bodies->count > 0 && box_pairs >= 0.0);
    CAROM_ASSERT(state->config.steps_ahead == 0);
    const carom_coherent_motion motion = carom_motion_measure(state, bodies);
    /* What was learned from bodies at rest, or before there were two steps, says nothing of those that move. */
    if (state->lookahead.pace == 0.0 || carom_motion_pace(&motion) < SLOW * state->lookahead.pace) {
        carom_coherent_lookahead_restart(&state->lookahead);
    }
    carom_coherent_lookahead_choose(&state->lookahead, 0, &motion);
    trial->count = (uint32_t)sample_size(bodies->count);
    trial->bodies = bodies->count;
    trial->pause = 0;
    trial->growth = make_boxes(state, bodies);
    carom_coherent_lookahead_built(&state->lookahead, prices, (double)bodies->count,
                                   carom_trial_pairs(trial, box_pairs));
}

/* A box that holds nothing but numbers, so NaN is no body's: carom_detect has seen all of them. */
static bool is_outside(const carom_coherent_trial *trial, uint64_t n, const carom_record *body) {
    const double radius = (double)body->radius;
    uint32_t outside = 0;
    for (int a = 0; a < 3; a++) {
        const double prev = (double)body->prev[a];
        const double curr = (double)body->curr[a];
        outside |= (uint32_t)(fmin(prev, curr) - radius < trial->lo[a][n]);
        outside |= (uint32_t)(fmax(prev, curr) + radius > trial->hi[a][n]);
    }
    return outside != 0;
}

/* In a periodic box a body that has crossed a face is a lattice vector away from its fat box, and has not left it. */
static void move_home(const carom_coherent *state, uint64_t n, carom_record *body) {
    const carom_coherent_trial *trial = &state->cold.trial;
    double way[3];
    double edges[3];
    for (int a = 0; a < 3; a++) {
        way[a] = 0.5 * (trial->lo[a][n] + trial->hi[a][n] - (double)body->prev[a] - (double)body->curr[a]);
    }
    carom_lattice_nearest(&state->space.lattice, way, edges);
    for (int a = 0; a < 3; a++) {
        body->prev[a] += (carom_real)edges[a];
        body->curr[a] += (carom_real)edges[a];
    }
}

double carom_trial_escape(carom_coherent *state, const carom_bodies *bodies) {
    carom_coherent_trial *trial = &state->cold.trial;
    uint64_t escaped = 0;
    CAROM_ASSERT(trial->count > 0 && trial->bodies == bodies->count);
    for (uint64_t n = 0; n < trial->count; n++) {
        carom_record body = carom_layout_body(bodies, body_of(n, trial->count, bodies->count));
        bool outside = is_outside(trial, n, &body);
        if (outside && state->space.periodic) {
            move_home(state, n, &body);
            outside = is_outside(trial, n, &body);
        }
        if (!outside) {
            continue;
        }
        escaped++;
        double lo[3];
        double hi[3];
        extend(&state->lookahead, &body, lo, hi);
        for (int a = 0; a < 3; a++) {
            trial->lo[a][n] = fmin(trial->lo[a][n], lo[a]);
            trial->hi[a][n] = fmax(trial->hi[a][n], hi[a]);
        }
    }
    return (double)escaped * (double)bodies->count / (double)trial->count;
}

bool carom_trial_has_slowed(const carom_coherent *state, const carom_bodies *bodies) {
    const carom_coherent_trial *trial = &state->cold.trial;
    const double slow = SLOW * state->lookahead.pace;
    uint64_t slowed = 0;
    for (uint64_t n = 0; n < trial->count; n++) {
        slowed += distance_of(bodies, body_of(n, trial->count, bodies->count)) < slow;
    }
    return 2 * slowed > trial->count && carom_motion_between(state, bodies) < slow;
}
