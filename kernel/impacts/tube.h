/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A tube around a path: a straight motion, and how far pieces of the path are from it. What the tube does not meet none
 * of these pieces does. */
#ifndef CAROM_IMPACTS_TUBE_H
#define CAROM_IMPACTS_TUBE_H

#include "kernel/impacts/window.h"

/* Pieces of a body's path, in order of time. */
typedef struct carom_tube {
    const carom_active *body;
    const uint32_t *piece;
    uint32_t count; /* at least 1 */
} carom_tube;

/* Of slots [0, count) that are not in the body's group, keeps in `near` those that a piece in the tube may meet, and in
 * `grouped` those that are in a group. Both have room as for the kernel near_row. */
carom_near_counts carom_tube_keep(const carom_window *window, const carom_tube *tube, const uint32_t *slot,
                                  uint32_t count, uint32_t *near, uint32_t *grouped);

#endif
