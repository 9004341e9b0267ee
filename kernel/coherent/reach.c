/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* How far ahead fat boxes should reach. Farther means more pairs on the list in every step, nearer means more rebuilds.
 * The number of steps ahead climbs: as long as a list cost less a step than the one before it, the number goes on
 * changing the same way, else back. Costs are counted, not timed, with prices measured once: the order of the results
 * must not depend on how busy a machine is. */
#include "kernel/coherent/reach.h"

#include <math.h>

/* Prices in nanoseconds, measured on a Zen 5 at 2.6 GHz with 1e5 and 1e6 bodies of the uniform scene. */
static const double BODY_STEP = 5.0;
static const double PAIR_STEP = 2.5;
static const double BODY_BUILD = 50.0;
static const double PAIR_BUILD = 20.0;
static const double ESCAPE = 600.0;
static const double ESCAPE_BODY = 1e-3; /* of each escape, a body of the scene */

/* The climb: its pace, and where it starts and must stay. */
static const double PACE = 1.2;
static const double STEPS_AHEAD_START = 24.0;
static const double STEPS_AHEAD_LEAST = 1.0;
static const double STEPS_AHEAD_MOST = 256.0;
/* Ways that bodies may go within the steps ahead, in their boxes' extents: at first, and ever. */
static const double GROWTH_START = 0.25;
static const double GROWTH_MOST = 0.75;
/* Margin as a share of the way within the steps ahead: what bodies that do not go straight on need. */
static const double SHARE_START = 0.02;
static const double SHARE_LEAST = 0.01;
static const double SHARE_MOST = 2.0;
/* A list that lived for less than this share of its steps ahead had too little margin. */
static const double EARLY = 0.6;
/* Part of a rebuild's cost that may be spent on escaped bodies before there is one. */
static const double PATIENCE = 0.5;

void carom_coherent_reach_init(carom_coherent_reach *reach) {
    *reach = (carom_coherent_reach){.steps_ahead = STEPS_AHEAD_START, .share = SHARE_START, .factor = PACE};
}

static void learn(carom_coherent_reach *reach) {
    double rate = (reach->spent + reach->build_cost) / (double)reach->steps;
    if (reach->last_rate > 0.0 && rate > reach->last_rate) {
        reach->factor = 1.0 / reach->factor;
    }
    bool early = (double)reach->steps < EARLY * reach->steps_ahead;
    reach->share = early ? fmin(reach->share * 2.0, SHARE_MOST) : fmax(reach->share * 0.8, SHARE_LEAST);
    reach->steps_ahead = fmin(fmax(reach->steps_ahead * reach->factor, STEPS_AHEAD_LEAST), STEPS_AHEAD_MOST);
    reach->last_rate = rate;
}

void carom_coherent_reach_choose(carom_coherent_reach *reach, uint32_t fixed, double displacement, double extent) {
    if (reach->steps > 0) {
        learn(reach);
    }
    double growth = reach->last_rate > 0.0 ? GROWTH_MOST : GROWTH_START;
    if (reach->steps_ahead * displacement > growth * extent) {
        reach->steps_ahead = fmax(growth * extent / displacement, STEPS_AHEAD_LEAST);
    }
    if (fixed != 0) {
        reach->steps_ahead = fixed;
    }
    reach->displacement = displacement;
    reach->margin = reach->share * reach->steps_ahead * displacement;
}

void carom_coherent_reach_built(carom_coherent_reach *reach, uint64_t bodies, uint64_t pairs) {
    reach->build_cost = BODY_BUILD * (double)bodies + PAIR_BUILD * (double)pairs;
    reach->spent = 0.0;
    reach->spent_aside = 0.0;
    reach->steps = 0;
}

void carom_coherent_reach_step(carom_coherent_reach *reach, uint64_t bodies, uint64_t pairs) {
    reach->spent += BODY_STEP * (double)bodies + PAIR_STEP * (double)pairs;
    reach->steps++;
}

bool carom_coherent_reach_worth(carom_coherent_reach *reach, uint64_t bodies, uint64_t escaped) {
    double cost = (double)escaped * (ESCAPE + ESCAPE_BODY * (double)bodies);
    if (reach->spent_aside + cost > PATIENCE * reach->build_cost) {
        return false;
    }
    reach->spent_aside += cost;
    reach->spent += cost;
    return true;
}
