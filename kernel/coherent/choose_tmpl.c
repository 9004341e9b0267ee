/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/coherent/choose_tmpl.h"

#include <math.h>

#include "kernel/check/assert.h"
#include "kernel/coherent/trial_tmpl.h"

/* Pairs of overlapping boxes a body, as long as no step has counted them. */
static const double BOX_PAIRS = 1.0;
/* Shorter lists that are tried before steps become cold. */
enum { SHORTER = 3 };
/* Limits of what is learned from one list about the pairs of the next. */
static const double ESTIMATE_LEAST = 0.25;
static const double ESTIMATE_MOST = 4.0;

static bool is_fixed(const carom_coherent *state) {
    return state->config.steps_ahead != 0;
}

static double box_pairs_of(const carom_coherent *state, const carom_bodies *bodies) {
    return state->cold.box_pairs < 0.0 ? BOX_PAIRS * (double)bodies->count : state->cold.box_pairs;
}

bool carom_choose_cold(carom_coherent *state) {
    carom_coherent_cold *cold = &state->cold;
    if (cold->resuming) {
        cold->active = false;
    } else if (cold->leaving && !cold->active) {
        cold->active = true;
        cold->trial.count = 0;
        cold->trial.pause = 0;
        carom_coherent_lookahead_settle(&state->lookahead);
    }
    cold->leaving = false;
    return cold->active;
}

/* Whether a list that reaches as many steps ahead as the next one does can be worth its while. */
static bool promises(carom_coherent_step *step, const carom_bodies *bodies) {
    carom_coherent *state = step->state;
    const double boxes = box_pairs_of(state, bodies);
    const carom_prices *prices = carom_coherent_step_prices(step);
    carom_trial_start(state, bodies, prices, boxes);
    const carom_coherent_work work = {.prices = prices,
                                      .bodies = (double)bodies->count,
                                      .pairs = carom_trial_pairs(&state->cold.trial, boxes),
                                      .box_pairs = boxes,
                                      .touching = state->cold.touching,
                                      .relabelled = state->lookahead.relabelled};
    return carom_coherent_lookahead_promises(&state->lookahead, &work);
}

bool carom_choose_list(carom_coherent_step *step) {
    carom_coherent *state = step->state;
    carom_coherent_lookahead *lookahead = &state->lookahead;
    const carom_bodies owned = carom_coherent_step_bodies(step);
    const carom_bodies *bodies = &owned;
    if (is_fixed(state)) {
        return true;
    }
    const bool resuming = state->cold.resuming;
    const bool lost = !resuming && lookahead->steps > 0 && carom_coherent_lookahead_lost(lookahead);
    if (!resuming) {
        carom_coherent_lookahead_settle(lookahead);
    }
    const bool promised = promises(step, bodies); /* this starts the trial, too */
    bool list = resuming || (promised && !lost);
    for (int n = 0; n < SHORTER && !list && !lost && carom_coherent_lookahead_shorten(lookahead); n++) {
        list = promises(step, bodies);
    }
    state->cold.resuming = false;
    state->cold.active = !list;
    return list;
}

void carom_choose_learn(carom_coherent_step *step) {
    carom_coherent *state = step->state;
    carom_coherent_trial *trial = &state->cold.trial;
    if (is_fixed(state) || state->cold.box_pairs <= 0.0) {
        return;
    }
    const double expected = state->cold.box_pairs * trial->growth;
    const double estimate = (double)state->list.pairs / expected;
    trial->estimate = fmin(fmax(estimate, ESTIMATE_LEAST), ESTIMATE_MOST);
}

void carom_choose_account(carom_coherent_step *step) {
    carom_coherent *state = step->state;
    const carom_detect_summary *summary = &step->job->detection->summary;
    const carom_coherent_work work = {.prices = carom_coherent_step_prices(step),
                                      .bodies = (double)state->owned,
                                      .pairs = (double)state->list.pairs,
                                      .box_pairs = (double)summary->box_pairs,
                                      .touching = (double)summary->touching_pairs,
                                      .relabelled = step->relabelled ? 1.0 : 0.0};
    carom_coherent_lookahead_step(&state->lookahead, &work);
    state->cold.box_pairs = work.box_pairs;
    state->cold.touching = work.touching;
    state->cold.leaving = !is_fixed(state) && carom_coherent_lookahead_loses(&state->lookahead);
}
