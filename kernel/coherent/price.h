/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What steps cost, in nanoseconds on one thread of one machine. In: counts, which are the same on every machine. Out:
 * prices, of which only ratios matter. Costs are counted, not timed: the order of the results follows the list, and
 * must not depend on how busy a machine is. */
#ifndef CAROM_COHERENT_PRICE_H
#define CAROM_COHERENT_PRICE_H

#include <stdbool.h>

#include "carom/detect.h"

/* What lists and cold steps cost in one precision, up to one stage. */
typedef struct carom_prices carom_prices;

/* until: PAIRS, APPROACH or GROUPS. */
const carom_prices *carom_price_table(carom_until until, bool is_double);

/* What a step has had to do. Of a list that is not there, an estimate. */
typedef struct carom_coherent_work {
    const carom_prices *prices;
    double bodies;
    double pairs;      /* on the list */
    double box_pairs;  /* that overlap in the step */
    double touching;   /* that touch in it */
    double relabelled; /* 1: all groups were labelled anew; of a list that is not there, how often that was so */
} carom_coherent_work;

/* A step that follows a list, without what escaped bodies cost. */
double carom_price_step(const carom_coherent_work *work);
/* A rebuild, without the step that follows. */
double carom_price_build(const carom_prices *prices, double bodies, double pairs);
/* Larger fat boxes for escaped bodies. */
double carom_price_escapes(double escaped);
/* A cold step. */
double carom_price_cold(const carom_coherent_work *work);

#endif
