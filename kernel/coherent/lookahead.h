/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* How many steps ahead fat boxes reach. In: what the last lists cost. Out: steps ahead and margin of the next list.
 * More steps ahead mean more pairs on the list in every step, fewer mean more rebuilds. The best number depends on the
 * scene, so it is found by a climb along the cost. Costs are counted, not timed: the order of the results follows the
 * list, and must not depend on how busy a machine is. */
#ifndef CAROM_COHERENT_LOOKAHEAD_H
#define CAROM_COHERENT_LOOKAHEAD_H

#include <stdbool.h>
#include <stdint.h>

typedef struct carom_coherent_lookahead {
    double steps_ahead;  /* steps that fat boxes reach ahead, >= 1 */
    double margin_share; /* margin over the mean distance that bodies go within the steps ahead */
    double factor;       /* of the last change of steps_ahead: above 1 it is climbing */
    double last_rate;    /* cost a step of the list before, ns; 0: there was none */
    double cost;         /* since the rebuild, ns */
    double escape_cost;  /* the part of it that went into escaped bodies, ns */
    double build_cost;   /* of the rebuild, ns */
    uint64_t steps;      /* since the rebuild */
    double displacement; /* mean over the bodies at the rebuild, in the caller's unit of length */
    double margin;       /* by which fat boxes are wider on all sides, in the same unit */
} carom_coherent_lookahead;

/* Nothing is known yet. */
void carom_coherent_lookahead_init(carom_coherent_lookahead *lookahead);
/* Before a rebuild: chooses steps ahead and margin. fixed: the caller's number of steps, or 0; displacement and extent:
 * means over the bodies, >= 0 (carom_extended_sample). */
void carom_coherent_lookahead_choose(carom_coherent_lookahead *lookahead, uint32_t fixed, double displacement,
                                     double extent);
/* A list of so many pairs was built. */
void carom_coherent_lookahead_built(carom_coherent_lookahead *lookahead, uint64_t bodies, uint64_t pairs);
/* A step has used it. */
void carom_coherent_lookahead_step(carom_coherent_lookahead *lookahead, uint64_t bodies, uint64_t pairs);
/* Whether extending the list for so many escaped bodies is cheaper than a rebuild. If so, counts its cost. */
bool carom_coherent_lookahead_afford(carom_coherent_lookahead *lookahead, uint64_t bodies, uint64_t escaped);

#endif
