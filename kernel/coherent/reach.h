/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* How far ahead fat boxes reach. In: what the last list cost. Out: the steps ahead and margin of the next one. */
#ifndef CAROM_COHERENT_REACH_H
#define CAROM_COHERENT_REACH_H

#include <stdbool.h>
#include <stdint.h>

/* How far ahead fat boxes reach, chosen by a model of cost so that the same steps give the same choice on every
 * machine. */
typedef struct carom_coherent_reach {
    double steps_ahead; /* steps */
    double share;       /* margin as a share of the distance a body goes within the steps ahead */
    double factor;      /* of the last change of steps ahead */
    double last_rate;   /* cost a step of the list before; 0: none */
    double spent;       /* cost since the rebuild */
    double spent_aside; /* of it, on escaped bodies */
    double build_cost;
    uint64_t steps;      /* since the rebuild */
    double displacement; /* mean of the bodies', at the rebuild */
    double margin;       /* length, all around */
} carom_coherent_reach;

/* The start of every life of `coherent`. */
void carom_coherent_reach_init(carom_coherent_reach *reach);
/* Chooses steps ahead and margin of the next list, from what the last one cost. */
void carom_coherent_reach_choose(carom_coherent_reach *reach, uint32_t fixed, double displacement, double extent);
/* A list of so many pairs was built, used for a step, extended by escaped bodies. */
void carom_coherent_reach_built(carom_coherent_reach *reach, uint64_t bodies, uint64_t pairs);
void carom_coherent_reach_step(carom_coherent_reach *reach, uint64_t bodies, uint64_t pairs);
/* False: extending the list for so many bodies is dearer than a new one. */
bool carom_coherent_reach_worth(carom_coherent_reach *reach, uint64_t bodies, uint64_t escaped);

#endif
