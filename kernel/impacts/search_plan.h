/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* For how long a time a search for neighbours should be, and whether hulls get room. A hull is a box around a whole
 * path. Where bodies go far, hulls for twice the time meet up to eight times as many others: then several searches for
 * short times cost less. A hull with room holds most bodies after an impact, too. A tight hull has none: its body
 * leaves it at each impact. Room is on all sides, so hulls of bodies that fly along one line may meet very many others
 * only because of it. */
#ifndef CAROM_IMPACTS_SEARCH_PLAN_H
#define CAROM_IMPACTS_SEARCH_PLAN_H

#include "kernel/impacts/window.h"

typedef struct carom_search_plan {
    double end;     /* in steps */
    bool tight;     /* hulls get no room */
    double impacts; /* of a body, from which on a new search costs less than what bodies look for that leave their
                       hulls; INFINITY: none are too many */
} carom_search_plan;

/* The cheapest plan for its time of a search that begins with the window and was to end at `end`: it ends then, earlier
 * by some halvings of its length, or with the step. `reach`: the step's (kernel/impacts/state.h), before which such a
 * later end must be; INFINITY: nothing responds, and hulls are tight. Before a long search some short ones are tried,
 * for what is known may not stay so. `spent`: what these have cost in the step so far; 0 at its beginning. Needs the
 * frame of window->hulls. In a periodic box the end is not later than `end`. */
carom_search_plan carom_search_plan_choose(const carom_window *window, double end, double reach, double *spent);

#endif
