/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: pieces of a path, and a row. Out: what of the row one of them may meet.
 *
 * The axis of the tube goes out from where the first piece begins. A piece is off it by at most d, which the tube's
 * reach has, and its velocity differs by at most s; so it is off by at most s t after a time t. Let p be the distance
 * to a body of the row when the tube begins, v its velocity, both seen from the axis, and r the sum of the radii. If a
 * piece hits the body after t, p.v <= (r + d) s:
 * 1. Then |p + v t| <= r + d. The piece and the body come closer, so (p + v t).v <= r s + |v| min(d, s t), and
 *    p.v <= r s + |v| min(d, s t) - |v|^2 t.
 * 2. Where |v| >= s, that is r s at most.
 * 3. Where |v| < s: p.v <= |p| |v| <= (r + d) |v| + |v|^2 t, too. The mean of both bounds is less than (r + d) s. */
#include "kernel/impacts/tube.h"

#include <math.h>

#include "simd/vector.h"

/* More than rounding adds to a drift or spread, over it. */
static const double ROUNDING = 0x1p-20;

/* From the first piece's place, with the middle of the velocities of all. */
static carom_piece find_axis(const carom_path_piece *path, const carom_tube *tube) {
    carom_piece axis = path[tube->piece[0]].piece;
    for (int a = 0; a < 3; a++) {
        double lo = axis.v[a];
        double hi = lo;
        for (uint32_t n = 1; n < tube->count; n++) {
            lo = fmin(lo, path[tube->piece[n]].piece.v[a]);
            hi = fmax(hi, path[tube->piece[n]].piece.v[a]);
        }
        axis.v[a] = lo / 2.0 + hi / 2.0;
    }
    return axis;
}

/* When a piece ends. */
static double end_of(const carom_window *window, const carom_path_piece *path, uint32_t n) {
    const uint32_t next = path[n].next;
    return next == CAROM_IMPACTS_NONE ? window->hulls->until : path[next].piece.start;
}

/* How far pieces are from the axis, and the most by which a velocity of theirs differs from its own, as coarse paths
 * have it: doubles hold the squares of what matters there. */
typedef struct width {
    double drift;
    double spread;
} width;

static double square_of(const carom_hulls *hulls, const double v[3]) {
    const double unit = hulls->frame.unit;
    const double scaled[3] = {v[0] * unit, v[1] * unit, v[2] * unit};
    return carom_vector_dot(scaled, scaled);
}

/* The distance from the axis is greatest where a piece begins or ends. */
static width find_width(const carom_window *window, const carom_path_piece *path, const carom_tube *tube,
                        const carom_piece *axis) {
    const carom_hulls *hulls = window->hulls;
    double drift = 0.0;
    double spread = 0.0;
    for (uint32_t n = 0; n < tube->count; n++) {
        const carom_piece *piece = &path[tube->piece[n]].piece;
        double turn[3];
        double off[3];
        carom_vector_add(piece->v, -1.0, axis->v, turn);
        carom_vector_add(piece->x, -1.0, axis->x, off);
        carom_vector_add(off, axis->start - piece->start, axis->v, off);
        drift = fmax(drift, square_of(hulls, off));
        carom_vector_add(off, end_of(window, path, tube->piece[n]) - piece->start, turn, off);
        drift = fmax(drift, square_of(hulls, off));
        spread = fmax(spread, square_of(hulls, turn));
    }
    return (width){sqrt(drift) * (1.0 + ROUNDING), sqrt(spread) * (1.0 + ROUNDING)};
}

carom_near_counts carom_tube_keep(const carom_window *window, const carom_tube *tube, const uint32_t *slot,
                                  uint32_t count, uint32_t *near, uint32_t *grouped) {
    const carom_hulls *hulls = window->hulls;
    const carom_path_piece *path = carom_window_path(window, tube->body->worker);
    const carom_piece axis = find_axis(path, tube);
    const width w = find_width(window, path, tube, &axis);
    const double end = end_of(window, path, tube->piece[tube->count - 1]);
    carom_coarse_path own = carom_hulls_coarse(hulls, window->bodies, tube->body->slot, &axis);
    carom_coarse_time time = carom_hulls_time(hulls, axis.start, end);
    own.group = tube->body->parent + 1;
    own.reach += (float)(w.drift + w.spread * (2.0 * CAROM_COARSE_MOMENT));
    time.spread = (float)w.spread;
    return window->simd->near_row(hulls->coarse, &own, slot, count, time, near, grouped);
}
