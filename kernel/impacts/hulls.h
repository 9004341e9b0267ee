/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Boxes around what bodies are likely to do in a window of time. Bodies whose hulls do not meet cannot collide while
 * each stays in its own. A body that leaves its hull gets a wider one, and its new neighbours are looked for. */
#ifndef CAROM_IMPACTS_HULLS_H
#define CAROM_IMPACTS_HULLS_H

#include <stdbool.h>

#include "kernel/impacts/bodies.h"
#include "kernel/impacts/boxes.h"
#include "simd/near_paths.h"

typedef struct carom_hulls {
    carom_box_array boxes;     /* for each slot, rounded outward */
    carom_coarse_path *coarse; /* for each slot; x[0] is NaN where the body has other pieces by now */
    double begin;              /* of the window, in steps */
    double end;
    double unit;  /* coarse paths are in lengths of 1 / unit: a power of two */
    double reach; /* of the periodic box's edges, in units of length: what rounding of images is relative to */
} carom_hulls;

/* Sets the unit of coarse paths, so that squares of most lengths are floats. Any unit is right: a test of what
 * overflows passes, and reaches exceed what underflows. */
void carom_hulls_set_unit(carom_hulls *hulls, const carom_impacts_bodies *bodies);

/* Makes hulls and coarse motion of slots [begin, end): around their pieces in the window, with room for half as much
 * motion again. Returns the lowest number of a body whose hull is beyond floats, or CAROM_IMPACTS_NONE. */
uint32_t carom_hulls_make(const carom_hulls *hulls, const carom_impacts_bodies *bodies, uint64_t begin, uint64_t end);

/* The coarse path of a body on a piece of its path, seen from the window's beginning. */
carom_coarse_path carom_hulls_coarse(const carom_hulls *hulls, const carom_impacts_bodies *bodies, uint32_t slot,
                                     const carom_piece *piece);

/* Times of the step as coarse paths count them, a little longer. */
static inline carom_coarse_time carom_hulls_time(const carom_hulls *hulls, double from, double until) {
    return (carom_coarse_time){(float)(from - hulls->begin) - 0x1p-22F, (float)(until - hulls->begin) + 0x1p-22F};
}

/* Whether two bodies, the second one's image at `image`, may collide from a time of the step on until another. */
static inline bool carom_hulls_may_meet(const carom_hulls *hulls, const carom_coarse_path *a,
                                        const carom_coarse_path *b, const carom_pair_image *image, double from,
                                        double until) {
    const float shift[3] = {(float)(image->shift[0] * hulls->unit), (float)(image->shift[1] * hulls->unit),
                            (float)(image->shift[2] * hulls->unit)};
    const carom_coarse_time time = carom_hulls_time(hulls, from, until);
    return carom_near_paths(a, b, shift, &time);
}

/* Whether a body stays in its hull on a piece of its path, until the window ends. */
bool carom_hulls_hold(const carom_hulls *hulls, const carom_impacts_bodies *bodies, uint32_t slot,
                      const carom_piece *piece);

/* Widens the hull so that it holds the piece, and half as much motion again. */
void carom_hulls_widen(const carom_hulls *hulls, const carom_impacts_bodies *bodies, uint32_t slot,
                       const carom_piece *piece);

#endif
