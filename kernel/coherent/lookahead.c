/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A climb: as long as a list cost less a step than the one before it, the steps ahead go on changing the same way;
 * otherwise the direction turns. */
#include "kernel/coherent/lookahead.h"

#include <math.h>

#include "kernel/check/assert.h"

/* The climb: the factor of a change, and where it starts and must stay, in steps. */
static const double PACE = 1.2;
static const double STEPS_AHEAD_START = 24.0;
static const double STEPS_AHEAD_LEAST = 1.0;
static const double STEPS_AHEAD_MOST = 256.0;
/* Steps ahead that are worth shortening. */
static const double SHORTENED_LEAST = 8.0;
/* Distance that bodies may go within the steps ahead, over the extent of their boxes: for the first list, and ever. */
static const double GROWTH_START = 0.25;
static const double GROWTH_MOST = 0.75;
/* Margin over the distance that bodies go within the steps ahead: what bodies need that do not go straight on. */
static const double SHARE_START = 0.02;
static const double SHARE_LEAST = 0.01;
static const double SHARE_MOST = 2.0;
/* Bodies that go no farther from step to step than this many times their path need no margin for it. */
static const double PATH_COVERS = 1.5;
/* A list that was rebuilt before this share of its steps ahead had too little margin. */
static const double EARLY = 0.6;
/* Cost of escaped bodies over that of a rebuild, at which a rebuild comes first. */
static const double PATIENCE = 0.5;

/* Cost of a list over that of cold steps: above LEAVE there is no other list, below RETURN there is one again. */
static const double LEAVE = 0.93;
static const double RETURN = 0.85;
/* Steps of a list before its steps are compared with cold ones: the first may have many escaped bodies. */
enum { STEPS_LEAST = 4 };
/* The part of its price by which a cold step repays debt: lists that lose cost so much a step on the mean. */
static const double REPAID = 0.05;
/* Weight of a step in the share of steps that label groups anew. */
static const double RECENT = 0.1;

void carom_coherent_lookahead_restart(carom_coherent_lookahead *lookahead) {
    lookahead->steps_ahead = STEPS_AHEAD_START;
    lookahead->margin_share = SHARE_START;
    lookahead->factor = PACE;
    lookahead->last_rate = 0.0;
    lookahead->steps = 0;
}

void carom_coherent_lookahead_init(carom_coherent_lookahead *lookahead) {
    *lookahead = (carom_coherent_lookahead){.steps_ahead = STEPS_AHEAD_START};
    carom_coherent_lookahead_restart(lookahead);
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

/* Fat boxes follow the path within a step. The way between steps that paths do not show goes into the margin, as far as
 * boxes stay boxes of their bodies: bodies that jump anywhere are in no box. */
static double margin_of(const carom_coherent_lookahead *lookahead, const carom_coherent_motion *motion) {
    const double hidden = fmax(motion->between - PATH_COVERS * motion->within, 0.0);
    const double share = lookahead->margin_share;
    return share * lookahead->steps_ahead * motion->within +
           fmin((1.0 + share) * lookahead->steps_ahead * hidden, GROWTH_MOST * motion->extent);
}

void carom_coherent_lookahead_choose(carom_coherent_lookahead *lookahead, uint32_t fixed,
                                     const carom_coherent_motion *motion) {
    CAROM_ASSERT(motion->within >= 0.0 && motion->between >= 0.0 && motion->extent >= 0.0);
    if (lookahead->steps > 0) {
        learn(lookahead);
        lookahead->steps = 0;
    }
    /* Boxes that reach far beyond their bodies have many pairs: a bound by extent, tighter while nothing is known. */
    double growth = lookahead->last_rate > 0.0 ? GROWTH_MOST : GROWTH_START;
    const double pace = carom_motion_pace(motion);
    if (lookahead->steps_ahead * pace > growth * motion->extent) {
        lookahead->steps_ahead = fmax(growth * motion->extent / pace, STEPS_AHEAD_LEAST);
    }
    if (fixed != 0) {
        lookahead->steps_ahead = fixed;
    }
    lookahead->pace = pace;
    lookahead->displacement = motion->within;
    lookahead->margin = margin_of(lookahead, motion);
}

bool carom_coherent_lookahead_shorten(carom_coherent_lookahead *lookahead) {
    if (lookahead->steps_ahead < SHORTENED_LEAST) {
        return false;
    }
    lookahead->steps_ahead *= 0.5;
    return true;
}

/* Starts the account of a list with the price of its rebuild. */
void carom_coherent_lookahead_built(carom_coherent_lookahead *lookahead, const carom_prices *prices, double bodies,
                                    double pairs) {
    lookahead->build_cost = carom_price_build(prices, bodies, pairs);
    lookahead->cost = 0.0;
    lookahead->escape_cost = 0.0;
    lookahead->cold_cost = 0.0;
    lookahead->steps = 0;
}

void carom_coherent_lookahead_step(carom_coherent_lookahead *lookahead, const carom_coherent_work *work) {
    lookahead->cost += carom_price_step(work);
    lookahead->cold_cost += carom_price_cold(work);
    lookahead->relabelled += RECENT * (work->relabelled - lookahead->relabelled);
    lookahead->steps++;
}

bool carom_coherent_lookahead_afford(carom_coherent_lookahead *lookahead, double escaped) {
    CAROM_ASSERT(escaped > 0.0);
    const double cost = carom_price_escapes(escaped);
    if (lookahead->escape_cost + cost > PATIENCE * lookahead->build_cost) {
        return false;
    }
    lookahead->escape_cost += cost;
    lookahead->cost += cost;
    return true;
}

void carom_coherent_lookahead_settle(carom_coherent_lookahead *lookahead) {
    if (lookahead->steps > 0) {
        const double loss = lookahead->build_cost + lookahead->cost - lookahead->cold_cost;
        lookahead->debt = fmax(lookahead->debt + loss, 0.0);
    }
}

void carom_coherent_lookahead_repay(carom_coherent_lookahead *lookahead, const carom_coherent_work *work) {
    lookahead->debt = fmax(lookahead->debt - REPAID * carom_price_cold(work), 0.0);
}

bool carom_coherent_lookahead_lost(const carom_coherent_lookahead *lookahead) {
    return lookahead->build_cost + lookahead->cost > LEAVE * lookahead->cold_cost;
}

bool carom_coherent_lookahead_loses(const carom_coherent_lookahead *lookahead) {
    return lookahead->steps >= STEPS_LEAST && lookahead->cost > LEAVE * lookahead->cold_cost;
}

bool carom_coherent_lookahead_pays(const carom_coherent_lookahead *lookahead) {
    return lookahead->build_cost + lookahead->cost + lookahead->debt < RETURN * lookahead->cold_cost;
}

bool carom_coherent_lookahead_promises(const carom_coherent_lookahead *lookahead, const carom_coherent_work *work) {
    const double rate = lookahead->build_cost / lookahead->steps_ahead + carom_price_step(work);
    return rate <= LEAVE * carom_price_cold(work);
}
