/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Nanoseconds, measured on a Zen 5 at 2.6 GHz. Until approach and groups: with 2e4 and 1e5 bodies of the six scenes, at
 * displacements of 0.02 to 0.3 radii. Until pairs: with 2e4 bodies at rest of 0.02 to 5 bodies in the volume of one
 * (bench/results/measurements.md, Coherent steps). */
#include "kernel/coherent/price.h"

#include "kernel/check/assert.h"

struct carom_prices {
    /* A step that follows a list: a body, a pair on the list, an overlapping pair of boxes, a contact. */
    double step_body;
    double step_pair;
    double step_overlap;
    double step_touching;
    /* Where all groups are labelled anew, besides: a body and a contact. */
    double relabelled_body;
    double relabelled_touching;
    /* A rebuild: a body, and a pair on the list. */
    double build_body;
    double build_pair;
    /* A cold step: a body, and a pair of overlapping boxes with what becomes of it. */
    double cold_body;
    double cold_pair;
};

static const carom_prices of_floats[CAROM_UNTIL_GROUPS + 1] = {
    [CAROM_UNTIL_PAIRS] = {3.2, 2.9, 0.8, 0.0, 0.0, 0.0, 40.0, 10.0, 16.0, 3.4},
    [CAROM_UNTIL_APPROACH] = {2.0, 1.8, 0.0, 10.0, 0.0, 0.0, 42.0, 19.0, 17.0, 9.0},
    [CAROM_UNTIL_GROUPS] = {3.0, 1.6, 0.0, 10.0, 2.9, 1.4, 34.0, 14.0, 16.0, 9.2},
};
static const carom_prices of_doubles[CAROM_UNTIL_GROUPS + 1] = {
    [CAROM_UNTIL_PAIRS] = {10.0, 6.8, 0.3, 0.0, 0.0, 0.0, 50.0, 10.0, 25.0, 3.4},
    [CAROM_UNTIL_APPROACH] = {8.0, 4.3, 0.0, 16.0, 0.0, 0.0, 56.0, 17.5, 27.0, 10.7},
    [CAROM_UNTIL_GROUPS] = {9.5, 5.0, 0.0, 15.0, 2.6, 3.0, 52.0, 18.0, 28.0, 13.7},
};

/* An escaped body's way down the tree. */
static const double ESCAPE = 900.0;

const carom_prices *carom_price_table(carom_until until, bool is_double) {
    CAROM_ASSERT(until >= CAROM_UNTIL_PAIRS && until <= CAROM_UNTIL_GROUPS);
    return &(is_double ? of_doubles : of_floats)[until];
}

double carom_price_step(const carom_coherent_work *work) {
    const carom_prices *p = work->prices;
    const double body = p->step_body + p->relabelled_body * work->relabelled;
    const double touching = p->step_touching + p->relabelled_touching * work->relabelled;
    return body * work->bodies + p->step_pair * work->pairs + p->step_overlap * work->box_pairs +
           touching * work->touching;
}

double carom_price_build(const carom_prices *prices, double bodies, double pairs) {
    return prices->build_body * bodies + prices->build_pair * pairs;
}

double carom_price_escapes(double escaped) {
    return escaped * ESCAPE;
}

double carom_price_cold(const carom_coherent_work *work) {
    return work->prices->cold_body * work->bodies + work->prices->cold_pair * work->box_pairs;
}
