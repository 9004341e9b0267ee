/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Boxes around what bodies are likely to do in a time of several windows. Bodies whose hulls do not meet cannot collide
 * while each stays in its own. A body that leaves its hull gets a wider one, and its new neighbours are looked for. */
#ifndef CAROM_IMPACTS_HULLS_H
#define CAROM_IMPACTS_HULLS_H

#include <stdbool.h>

#include "kernel/impacts/bodies.h"
#include "kernel/impacts/boxes.h"
#include "simd/dispatch.h"
#include "simd/near_paths.h"

typedef struct carom_hulls {
    carom_hull_box *box;       /* for each slot, rounded outward */
    carom_coarse_path *coarse; /* for each slot, of the piece with which the window begins; seen from frame.begin */
    carom_hull_frame frame;    /* its reach: of the periodic box's edges */
    double until;              /* impacts are found until then: when the hulls end, or the step if that is before */
    double typical_room;       /* in units of length a step: of all hulls, beside those of their own paths */
    bool tight;                /* hulls get no room beside paths: a body leaves its hull at each impact */
} carom_hulls;

/* Sets the frame's drift and scales. Bodies that fall or fly together are looked at as somebody sees them who goes
 * along. Hulls and drift belong together: not while hulls serve. */
void carom_hulls_set_frame(carom_hulls *hulls, const carom_impacts_bodies *bodies);

/* Sets scales for the drift that there is: rounding, the typical speed, and the unit of coarse paths so that squares of
 * most lengths are floats. Any are right: a test of what overflows passes, and reaches exceed what underflows. */
void carom_hulls_set_scales(carom_hulls *hulls, const carom_impacts_bodies *bodies);

/* Says for which time hulls are made and widened from now on, in steps, as tight as hulls->tight says. The time may end
 * after the step, and have begun before it: coarse paths stay what they are as long as both pass on in the same way. */
void carom_hulls_set_time(carom_hulls *hulls, const carom_impacts_bodies *bodies, double begin, double end);

/* The room for a step on each side of a path, at such a speed, of hulls that are not tight. */
double carom_hulls_room(const carom_hulls *hulls, double speed);

/* Makes hulls and coarse motion of slots [begin, end): around their pieces until the hulls end, with room for other
 * paths. Returns the lowest number of a body whose hull is beyond floats, or CAROM_IMPACTS_NONE. */
uint32_t carom_hulls_make(const carom_hulls *hulls, const carom_simd *simd, const carom_impacts_bodies *bodies,
                          uint64_t begin, uint64_t end);

/* Makes coarse motion of slots [begin, end), and in `path` boxes around their pieces until some time, without room.
 * Neither changes a hull. */
void carom_hulls_look(const carom_hulls *hulls, const carom_simd *simd, const carom_impacts_bodies *bodies,
                      uint64_t begin, uint64_t end, double until, carom_hull_box *path);

/* The coarse path of a body on a piece of its path, seen from when the hulls begin. */
carom_coarse_path carom_hulls_coarse(const carom_hulls *hulls, const carom_impacts_bodies *bodies, uint32_t slot,
                                     const carom_piece *piece);

/* Times of the step as coarse paths count them, a little longer. */
static inline carom_coarse_time carom_hulls_time(const carom_hulls *hulls, double from, double until) {
    return (carom_coarse_time){(float)(from - hulls->frame.begin) - CAROM_COARSE_MOMENT,
                               (float)(until - hulls->frame.begin) + CAROM_COARSE_MOMENT, 0.0F};
}

/* What stands between a body and its image, as coarse paths have it. */
static inline void carom_hulls_shift(const carom_hulls *hulls, const carom_pair_image *image, float shift[3]) {
    for (int a = 0; a < 3; a++) {
        shift[a] = (float)(image->shift[a] * hulls->frame.unit);
    }
}

/* Whether two bodies, the second one's image at `image`, may touch at a time of the step. */
static inline bool carom_hulls_may_touch(const carom_hulls *hulls, const carom_coarse_path *a,
                                         const carom_coarse_path *b, const carom_pair_image *image, double t) {
    float shift[3];
    carom_hulls_shift(hulls, image, shift);
    return carom_near_at(a, b, shift, (float)(t - hulls->frame.begin));
}

/* Whether two bodies, the second one's image at `image`, may collide from a time of the step on until another. */
static inline bool carom_hulls_may_meet(const carom_hulls *hulls, const carom_coarse_path *a,
                                        const carom_coarse_path *b, const carom_pair_image *image, double from,
                                        double until) {
    float shift[3];
    carom_hulls_shift(hulls, image, shift);
    const carom_coarse_time time = carom_hulls_time(hulls, from, until);
    return carom_near_paths(a, b, shift, &time);
}

/* Gives a body a hull of its own piece, in place of the one that it has. Returns false if floats do not hold it. */
bool carom_hulls_renew(const carom_hulls *hulls, const carom_impacts_bodies *bodies, uint32_t slot);

/* Whether a body stays in its hull on a piece of its path, until the hulls end. */
bool carom_hulls_hold(const carom_hulls *hulls, const carom_impacts_bodies *bodies, uint32_t slot,
                      const carom_piece *piece);

/* Whether a body stays in a box on a piece of its path, until a time of the step. */
bool carom_hulls_hold_in(const carom_hulls *hulls, const carom_impacts_bodies *bodies, uint32_t slot,
                         const carom_piece *piece, const carom_box *box, double until);

/* Widens the hull so that it holds the piece, with room for other paths. False, and the hull is what it was, if floats
 * do not hold that. */
bool carom_hulls_widen(const carom_hulls *hulls, const carom_impacts_bodies *bodies, uint32_t slot,
                       const carom_piece *piece);

#endif
