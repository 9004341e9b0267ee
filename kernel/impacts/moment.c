/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: pieces of one moment, and a row. Out: what of the row one of them may meet. */
#include "kernel/impacts/moment.h"

#include <math.h>

#include "simd/vector.h"

/* More than rounding adds to a spread, over it; and more than the kernel's time may be off, in steps. */
static const double ROUNDING = 0x1p-20;

/* The middle of the velocities of pieces from n until `after`. */
static void find_middle(const carom_path_piece *path, uint32_t n, uint32_t after, double middle[3]) {
    for (int a = 0; a < 3; a++) {
        double lo = path[n].piece.v[a];
        double hi = lo;
        for (uint32_t m = path[n].next; m != after; m = path[m].next) {
            lo = fmin(lo, path[m].piece.v[a]);
            hi = fmax(hi, path[m].piece.v[a]);
        }
        middle[a] = lo / 2.0 + hi / 2.0;
    }
}

/* The most by which one of them differs from it. */
static double find_spread(const carom_path_piece *path, uint32_t n, uint32_t after, const double middle[3]) {
    double most = 0.0;
    for (uint32_t m = n; m != after; m = path[m].next) {
        double off[3];
        carom_vector_add(path[m].piece.v, -1.0, middle, off);
        most = fmax(most, carom_vector_dot(off, off));
    }
    return sqrt(most);
}

carom_near_counts carom_moment_keep(const carom_window *window, const carom_active *a, uint32_t n, uint32_t after,
                                    const uint32_t *slot, uint32_t count, uint32_t *near, uint32_t *grouped) {
    const carom_hulls *hulls = window->hulls;
    const carom_path_piece *path = carom_window_path(window, a->worker);
    carom_piece middle = path[n].piece;
    find_middle(path, n, after, middle.v);
    const double spread = find_spread(path, n, after, middle.v) * hulls->frame.unit * (1.0 + ROUNDING);
    carom_coarse_path own = carom_hulls_coarse(hulls, window->bodies, a->slot, &middle);
    carom_coarse_time time = carom_hulls_time(hulls, middle.start, middle.start);
    own.group = a->parent + 1;
    own.reach += (float)(spread * ROUNDING);
    time.spread = (float)spread;
    return window->simd->near_row(hulls->coarse, &own, slot, count, time, near, grouped);
}
