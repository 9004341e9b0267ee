/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Two bodies with an impact that was predicted, who may hit nothing else in the window: most groups are such. */
#ifndef CAROM_IMPACTS_LONE_PAIR_H
#define CAROM_IMPACTS_LONE_PAIR_H

#include "kernel/impacts/window.h"

typedef struct carom_lone_pair {
    carom_active *a;
    carom_active *b;
    uint32_t image; /* of b, from a; CAROM_IMPACTS_NONE: there is no lone pair */
} carom_lone_pair;

/* The lone pair that a group is. */
carom_lone_pair carom_lone_pair_of(const carom_window *window, carom_active *root);

/* Its impact. */
typedef struct carom_lone_impact {
    carom_active *root;    /* of the two */
    carom_active *side[2]; /* bodies i and k */
    uint32_t image;        /* of k, from i */
    double t;              /* in steps */
} carom_lone_impact;

/* Begins the paths of the two anew, as the worker's, and says what their impact is. */
void carom_lone_pair_begin(const carom_window *window, const carom_lone_pair *pair, uint32_t worker,
                           carom_lone_impact *lone);

/* Lets the impact happen. Sets the worker's `failed` if there is no memory. */
void carom_lone_pair_collide(const carom_window *window, const carom_lone_impact *lone);

#endif
