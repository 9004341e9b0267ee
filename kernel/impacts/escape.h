/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies that left their hulls, in one round of simulations: their new neighbours. */
#ifndef CAROM_IMPACTS_ESCAPE_H
#define CAROM_IMPACTS_ESCAPE_H

#include "kernel/impacts/leaves.h"
#include "kernel/impacts/tree.h"
#include "kernel/impacts/window.h"

typedef struct carom_escapes {
    carom_window *window;
    carom_impacts_rows *rows;
    carom_tree *tree; /* over the leaves; count 0: not built since the last search */
    carom_leaves *leaves;
    carom_context *context; /* its team does the work */
} carom_escapes;

/* Adds to the rows what the widened hulls of this round's escapes meet. Groups whose simulation may have missed such a
 * neighbour become dirty again. Sets window->failed if there is no memory. */
void carom_escapes_follow(const carom_escapes *escapes);

#endif
