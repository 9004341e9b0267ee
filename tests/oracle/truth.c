/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/oracle/truth.h"

#include <math.h>
#include <string.h>

wide truth_scale(const solid_pair *pair) {
    const wide i = pair->i.reach + pair->i.radius;
    const wide k = pair->k.reach + pair->k.radius;
    return fminl(i, k) > 0 ? fminl(i, k) : fmaxl(i, k);
}

wide truth_try(const solid_pair *pair, const wide n[3], truth *t) {
    wide u[3] = {n[0], n[1], n[2]};
    wide a[3];
    wide b[3];
    if (!wide_unit(u)) {
        return -HUGE_VALL;
    }
    const wide gap = solid_gap_along(pair, u, a, b) - pair->noise;
    if (gap > t->lower) {
        t->lower = gap;
        memcpy(t->normal, u, sizeof u);
    }
    return gap;
}

/* The axes of both shapes and the line of centres are often what is sought, or near it. */
void truth_start(const solid_pair *pair, truth *t) {
    *t = (truth){.lower = -HUGE_VALL, .upper = HUGE_VALL};
    for (int d = 0; d < 3; d++) {
        const wide i[3] = {pair->i.turn[0][d], pair->i.turn[1][d], pair->i.turn[2][d]};
        const wide k[3] = {pair->k.turn[0][d], pair->k.turn[1][d], pair->k.turn[2][d]};
        const wide i_back[3] = {-i[0], -i[1], -i[2]};
        const wide k_back[3] = {-k[0], -k[1], -k[2]};
        truth_try(pair, i, t);
        truth_try(pair, i_back, t);
        truth_try(pair, k, t);
        truth_try(pair, k_back, t);
    }
    truth_try(pair, pair->i.at, t);
}

static bool good(const solid_pair *pair, const truth_effort *effort, const truth *t) {
    const wide least = fmaxl(truth_scale(pair), fabsl(t->lower - pair->radii));
    return t->upper - t->lower <= effort->width * least + 4 * pair->noise;
}

truth truth_find(const solid_pair *pair, const truth_effort *effort) {
    truth t;
    truth_start(pair, &t);
    truth_near(pair, &t);
    if (!good(pair, effort, &t) && truth_planes_serve(pair)) {
        truth_planes(pair, &t);
    }
    if (!good(pair, effort, &t)) {
        truth_cover(pair, effort, &t);
    }
    t.lower -= pair->radii;
    t.upper -= pair->radii;
    return t;
}
