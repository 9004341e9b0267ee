/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Nanoseconds, measured on a Zen 5 at 2.6 GHz with 2e4 and 1e5 bodies of the six scenes and of a gas, at displacements
 * of 0.01 to 2 radii (bench/results/measurements.md, Coherent steps). */
#include "kernel/coherent/price.h"

/* A step that follows a list: a body, a pair on the list, a contact; and where all groups are labelled anew, a body and
 * a contact. */
static const double STEP_BODY = 3.2;
static const double STEP_PAIR = 2.5;
static const double STEP_TOUCHING = 5.0;
static const double RELABELLED_BODY = 1.5;
static const double RELABELLED_TOUCHING = 11.0;
/* A rebuild: a body, and a pair on the list. */
static const double BUILD_BODY = 40.0;
static const double BUILD_PAIR = 18.0;
/* An escaped body looks through the boxes of the whole scene. */
static const double ESCAPE = 900.0;
static const double ESCAPE_BODY = 1e-3;
/* A cold step: a body, and a pair of overlapping boxes with what becomes of it. */
static const double COLD_BODY = 16.0;
static const double COLD_PAIR = 9.0;

double carom_price_step(const carom_coherent_work *work) {
    const double body = STEP_BODY + RELABELLED_BODY * work->relabelled;
    const double touching = STEP_TOUCHING + RELABELLED_TOUCHING * work->relabelled;
    return body * work->bodies + STEP_PAIR * work->pairs + touching * work->touching;
}

double carom_price_build(double bodies, double pairs) {
    return BUILD_BODY * bodies + BUILD_PAIR * pairs;
}

double carom_price_escapes(double bodies, double escaped) {
    return escaped * (ESCAPE + ESCAPE_BODY * bodies);
}

double carom_price_cold(const carom_coherent_work *work) {
    return COLD_BODY * work->bodies + COLD_PAIR * work->box_pairs;
}
