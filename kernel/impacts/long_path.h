/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Giants among dust, which have long rows and many pieces. All pieces are held against the row at once: what a tube
 * around them does not meet is left out. Of the rest, the two halves of the pieces have narrower tubes, and so on. */
#ifndef CAROM_IMPACTS_LONG_PATH_H
#define CAROM_IMPACTS_LONG_PATH_H

#include "kernel/impacts/window.h"

/* Whether bystanders took part in the simulation of the path, so that its pieces meet none of them: but for the last
 * one in later windows. If the body has left its hull, its row has others now. */
static inline bool carom_long_path_is_seen(const carom_active *a) {
    return a->seen && a->escape == CAROM_IMPACTS_NONE;
}

/* Holds the pieces in own->verification.piece of a body's path, which are in order of time, against all neighbours.
 * Sets own->failed if there is no memory. */
void carom_long_path_hold(const carom_window *window, const carom_active *a, carom_impacts_worker *own);

#endif
