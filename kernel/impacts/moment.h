/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Pieces that begin and end in one moment. A giant that is hit has many: dust within it, which had left it, is met
 * again, body by body. They are in one place and differ in velocity, so most dust is ruled out for all of them at once.
 */
#ifndef CAROM_IMPACTS_MOMENT_H
#define CAROM_IMPACTS_MOMENT_H

#include "kernel/impacts/window.h"

/* Counts pieces of a path from n on that begin and end in one moment; *after is the piece that follows them. */
static inline uint32_t carom_moment_pieces(const carom_path_piece *path, uint32_t n, uint32_t *after) {
    uint32_t count = 0;
    *after = n;
    for (uint32_t next = path[n].next; next != CAROM_IMPACTS_NONE && path[next].piece.start == path[n].piece.start;
         next = path[next].next) {
        count++;
        *after = next;
    }
    return count;
}

/* Of slots [0, count) that are not in the body's group, keeps in `near` those that one of the pieces from n until
 * `after` may meet, and in `grouped` those that are in a group. Both have room as for the kernel near_row. The pieces
 * begin and end in one moment. */
carom_near_counts carom_moment_keep(const carom_window *window, const carom_active *a, uint32_t n, uint32_t after,
                                    const uint32_t *slot, uint32_t count, uint32_t *near, uint32_t *grouped);

#endif
