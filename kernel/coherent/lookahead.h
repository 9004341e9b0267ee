/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* How many steps ahead fat boxes reach, and whether a list is worth its cost at all. In: what lists and cold steps
 * cost. Out: steps ahead and margin of the next list. More steps ahead mean more pairs on the list in every step, fewer
 * mean more rebuilds. The best number depends on the scene, so it is found by a climb along the cost. A list may also
 * be a trial (trial_tmpl.h), which is followed by a few bodies only. Lists that cost more than cold steps would have
 * leave a debt; until it is paid, in steps, a trial must save as much before a list is built again. */
#ifndef CAROM_COHERENT_LOOKAHEAD_H
#define CAROM_COHERENT_LOOKAHEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/coherent/motion_state.h"
#include "kernel/coherent/price.h"

typedef struct carom_coherent_lookahead {
    double steps_ahead;  /* steps that fat boxes reach ahead, >= 1 */
    double margin_share; /* margin over the mean distance that bodies go within the steps ahead */
    double factor;       /* of the last change of steps_ahead: above 1 it is climbing */
    double last_rate;    /* cost a step of the list before, ns; 0: there was none */
    double cost;         /* since the rebuild, ns */
    double escape_cost;  /* the part of it that went into escaped bodies, ns */
    double build_cost;   /* of the rebuild, ns */
    double cold_cost;    /* of cold steps in place of those since the rebuild, ns */
    double debt;         /* what lists have cost more than cold steps, as far as it is not paid, ns */
    double relabelled;   /* share of the last steps in which all groups were labelled anew, 0 to 1 */
    uint64_t steps;      /* since the rebuild */
    double pace;         /* way of a body from step to step at the rebuild, mean, in the caller's unit of length */
    double displacement; /* the same within a step, prev to curr */
    double margin;       /* by which fat boxes are wider on all sides, in the same unit */
    carom_coherent_positions before; /* of a few bodies in the last step that succeeded */
} carom_coherent_lookahead;

/* Nothing is known yet. */
void carom_coherent_lookahead_init(carom_coherent_lookahead *lookahead);
/* Before a rebuild: chooses steps ahead and margin. fixed: the caller's number of steps, or 0. */
void carom_coherent_lookahead_choose(carom_coherent_lookahead *lookahead, uint32_t fixed,
                                     const carom_coherent_motion *motion);
/* Motion is another than the one that was learned from: the steps ahead start as at the beginning. */
void carom_coherent_lookahead_restart(carom_coherent_lookahead *lookahead);
/* The next list reaches half as many steps ahead. False if they are too few for that. */
bool carom_coherent_lookahead_shorten(carom_coherent_lookahead *lookahead);
/* A list of so many pairs was built. */
void carom_coherent_lookahead_built(carom_coherent_lookahead *lookahead, const carom_prices *prices, double bodies,
                                    double pairs);
/* A step has used it. */
void carom_coherent_lookahead_step(carom_coherent_lookahead *lookahead, const carom_coherent_work *work);
/* Whether extending the list for so many escaped bodies is cheaper than a rebuild. If so, counts its cost. */
bool carom_coherent_lookahead_afford(carom_coherent_lookahead *lookahead, double escaped);

/* The list is at its end: what it cost more than cold steps becomes debt, what it cost less pays. */
void carom_coherent_lookahead_settle(carom_coherent_lookahead *lookahead);
/* A cold step pays a part of the debt. */
void carom_coherent_lookahead_repay(carom_coherent_lookahead *lookahead, const carom_coherent_work *work);
/* Whether the list, with its rebuild, has cost more than cold steps. */
bool carom_coherent_lookahead_lost(const carom_coherent_lookahead *lookahead);
/* Whether it costs more than cold steps even without the rebuild. */
bool carom_coherent_lookahead_loses(const carom_coherent_lookahead *lookahead);
/* Whether the list has cost clearly less than cold steps, and the debt with it. */
bool carom_coherent_lookahead_pays(const carom_coherent_lookahead *lookahead);
/* Whether a list is likely to pay that was built just now and lasts as long as its fat boxes reach ahead, if its steps
 * are like `work`. */
bool carom_coherent_lookahead_promises(const carom_coherent_lookahead *lookahead, const carom_coherent_work *work);

#endif
