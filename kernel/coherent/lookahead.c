/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A climb: as long as a list cost less a step than the one before it, the steps ahead go on changing the same way;
 * otherwise the direction turns. */
#include "kernel/coherent/lookahead.h"

#include <math.h>

#include "kernel/check/assert.h"

/* Prices in nanoseconds, measured on a Zen 5 at 2.6 GHz with 1e5 and 1e6 bodies of the uniform scene: a body and a pair
 * in a step, a body and a pair in a rebuild, and an escaped body, which looks through the boxes of the whole scene. */
static const double BODY_STEP = 5.0;
static const double PAIR_STEP = 2.5;
static const double BODY_BUILD = 50.0;
static const double PAIR_BUILD = 20.0;
static const double ESCAPE = 600.0;
static const double ESCAPE_BODY = 1e-3; /* of each escape, a body of the scene */

/* The climb: the factor of a change, and where it starts and must stay, in steps. */
static const double PACE = 1.2;
static const double STEPS_AHEAD_START = 24.0;
static const double STEPS_AHEAD_LEAST = 1.0;
static const double STEPS_AHEAD_MOST = 256.0;
/* Distance that bodies may go within the steps ahead, over the extent of their boxes: for the first list, and ever. */
static const double GROWTH_START = 0.25;
static const double GROWTH_MOST = 0.75;
/* Margin over the distance that bodies go within the steps ahead: what bodies need that do not go straight on. */
static const double SHARE_START = 0.02;
static const double SHARE_LEAST = 0.01;
static const double SHARE_MOST = 2.0;
/* A list that was rebuilt before this share of its steps ahead had too little margin. */
static const double EARLY = 0.6;
/* Cost of escaped bodies over that of a rebuild, at which a rebuild comes first. */
static const double PATIENCE = 0.5;

void carom_coherent_lookahead_init(carom_coherent_lookahead *lookahead) {
    *lookahead =
        (carom_coherent_lookahead){.steps_ahead = STEPS_AHEAD_START, .margin_share = SHARE_START, .factor = PACE};
}

/* After a list was used: turns the climb if it cost more than the one before, and adapts the margin. */
static void learn(carom_coherent_lookahead *lookahead) {
    double rate = (lookahead->cost + lookahead->build_cost) / (double)lookahead->steps;
    if (lookahead->last_rate > 0.0 && rate > lookahead->last_rate) {
        lookahead->factor = 1.0 / lookahead->factor;
    }
    /* Doubled at once and reduced slowly: a margin too small costs a rebuild, one too large some pairs. */
    bool early = (double)lookahead->steps < EARLY * lookahead->steps_ahead;
    lookahead->margin_share =
        early ? fmin(lookahead->margin_share * 2.0, SHARE_MOST) : fmax(lookahead->margin_share * 0.8, SHARE_LEAST);
    lookahead->steps_ahead =
        fmin(fmax(lookahead->steps_ahead * lookahead->factor, STEPS_AHEAD_LEAST), STEPS_AHEAD_MOST);
    lookahead->last_rate = rate;
}

void carom_coherent_lookahead_choose(carom_coherent_lookahead *lookahead, uint32_t fixed, double displacement,
                                     double extent) {
    CAROM_ASSERT(displacement >= 0.0 && extent >= 0.0);
    if (lookahead->steps > 0) {
        learn(lookahead);
    }
    /* Boxes that reach far beyond their bodies have many pairs: a bound by extent, tighter while nothing is known. */
    double growth = lookahead->last_rate > 0.0 ? GROWTH_MOST : GROWTH_START;
    if (lookahead->steps_ahead * displacement > growth * extent) {
        lookahead->steps_ahead = fmax(growth * extent / displacement, STEPS_AHEAD_LEAST);
    }
    if (fixed != 0) {
        lookahead->steps_ahead = fixed;
    }
    lookahead->displacement = displacement;
    lookahead->margin = lookahead->margin_share * lookahead->steps_ahead * displacement;
}

/* Starts the account of a list with the price of its rebuild. */
void carom_coherent_lookahead_built(carom_coherent_lookahead *lookahead, uint64_t bodies, uint64_t pairs) {
    lookahead->build_cost = BODY_BUILD * (double)bodies + PAIR_BUILD * (double)pairs;
    lookahead->cost = 0.0;
    lookahead->escape_cost = 0.0;
    lookahead->steps = 0;
}

void carom_coherent_lookahead_step(carom_coherent_lookahead *lookahead, uint64_t bodies, uint64_t pairs) {
    lookahead->cost += BODY_STEP * (double)bodies + PAIR_STEP * (double)pairs;
    lookahead->steps++;
}

bool carom_coherent_lookahead_afford(carom_coherent_lookahead *lookahead, uint64_t bodies, uint64_t escaped) {
    CAROM_ASSERT(escaped > 0 && escaped <= bodies);
    double cost = (double)escaped * (ESCAPE + ESCAPE_BODY * (double)bodies);
    if (lookahead->escape_cost + cost > PATIENCE * lookahead->build_cost) {
        return false;
    }
    lookahead->escape_cost += cost;
    lookahead->cost += cost;
    return true;
}
