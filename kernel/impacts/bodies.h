/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What a step works on. Slots are where bodies lie in memory; numbers are what orders their impacts. */
#ifndef CAROM_IMPACTS_BODIES_H
#define CAROM_IMPACTS_BODIES_H

#include <math.h>
#include <stdint.h>

#include "carom/periodic.h"
#include "kernel/impacts/shift.h"
#include "kernel/response/respond.h"

/* No slot, no entry. */
static const uint32_t CAROM_IMPACTS_NONE = UINT32_MAX;

/* Numbers of bodies are less than this one; surface s has this number plus s. So a body comes before a surface. */
static const uint32_t CAROM_IMPACTS_SURFACE = UINT32_C(0x80000000);

/* Motions that end far from where numbers do: the sizes of coordinates and of velocities add up to less. */
typedef struct carom_usual_motion {
    double far;
    double fast;
} carom_usual_motion;

typedef struct carom_impacts_bodies {
    uint32_t count;
    uint32_t surfaces;
    carom_response_rules rules;
    carom_piece *piece;              /* for each slot, the motion from its last impact on */
    const carom_response_body *body; /* for each slot */
    double (*kept)[3];               /* for each slot, the velocity of a body that is held */
    const uint32_t *number;          /* for each slot; no two are alike */
    const carom_surface *surface;    /* `surfaces` of them, unit (kernel/response/surface.h) */
    const carom_periodic *periodic;  /* whose edges codes of images count: a complete struct; NULL: open space */
    const carom_lattice *lattice;    /* whose reduced basis `periodic` has; NULL: that is the caller's box */
    bool all_movable;                /* no body has infinite mass; false is always right */
    double gain;  /* the most that a velocity gains between this step and the next, in units of length a step */
    bool owned;   /* who holds the bodies knows whether they, their rules or which pairs collide have changed */
    bool resumed; /* bodies are as the last step left them, but for what velocities gained; false is always right */
    const uint64_t *wrapped; /* a bit for each slot: the body was moved by edges of the periodic box since the last
                                step; NULL: nobody knows */
    bool single;             /* positions and velocities are rounded to floats when a step ends */
    carom_usual_motion usual;
} carom_impacts_bodies;

static inline bool carom_impacts_is_surface(uint32_t other) {
    return other >= CAROM_IMPACTS_SURFACE;
}

/* Whether a motion is usual. */
static inline bool carom_is_usual(const carom_usual_motion *usual, const double x[3], const double v[3]) {
    return (fabs(x[0]) + fabs(x[1])) + fabs(x[2]) < usual->far && (fabs(v[0]) + fabs(v[1])) + fabs(v[2]) < usual->fast;
}

/* The body in a slot, on a piece of its path. */
static inline carom_response_side carom_impacts_side(const carom_impacts_bodies *bodies, uint32_t slot,
                                                     carom_piece *piece) {
    return (carom_response_side){&bodies->body[slot], piece, bodies->kept[slot], bodies->number[slot]};
}

/* The image of a code. */
static inline carom_pair_image carom_impacts_image(const carom_impacts_bodies *bodies, uint32_t code) {
    if (code == CAROM_IMAGE_SELF) {
        return (carom_pair_image){.code = code};
    }
    return bodies->lattice == NULL ? carom_image_of(bodies->periodic, code) : carom_shift_image(bodies->lattice, code);
}

/* Its shift in the caller's edges. */
static inline void carom_impacts_edges(const carom_impacts_bodies *bodies, uint32_t code, int32_t edges[3]) {
    if (bodies->lattice == NULL) {
        carom_image_edges(code, edges);
    } else {
        carom_shift_edges(bodies->lattice, code, edges);
    }
}

/* Time at which two bodies collide on pieces of their paths; slots in any order. `code` is the image of b that a meets.
 */
static inline double carom_impacts_predict(const carom_impacts_bodies *bodies, uint32_t a, carom_piece *piece_a,
                                           uint32_t b, carom_piece *piece_b, uint32_t code) {
    const carom_response_side side_a = carom_impacts_side(bodies, a, piece_a);
    const carom_response_side side_b = carom_impacts_side(bodies, b, piece_b);
    const carom_pair_image image = carom_impacts_image(bodies, code);
    return carom_response_predict_bodies(&bodies->rules, &side_a, &side_b, &image);
}

/* Whether two bodies can collide at no image but themselves, as they stand on these pieces. */
static inline bool carom_impacts_can_collide(const carom_impacts_bodies *bodies, uint32_t a, carom_piece *piece_a,
                                             uint32_t b, carom_piece *piece_b) {
    const carom_response_side side_a = carom_impacts_side(bodies, a, piece_a);
    const carom_response_side side_b = carom_impacts_side(bodies, b, piece_b);
    return carom_response_can_collide(&bodies->rules, &side_a, &side_b, CAROM_IMAGE_SELF);
}

/* Fetches a body into the cache. Inlined by force, for gcc drops a call to what does nothing but fetch. */
static inline __attribute__((always_inline)) void carom_impacts_fetch(const carom_impacts_bodies *bodies,
                                                                      uint32_t slot) {
    __builtin_prefetch(&bodies->piece[slot]);
    __builtin_prefetch(&bodies->body[slot]);
    __builtin_prefetch(&bodies->number[slot]);
}

/* What the kernel `impact_times` reads. */
static inline const double *carom_impacts_motion(const carom_piece *piece) {
    return (const double *)(const void *)piece;
}

static inline double carom_impacts_predict_surface(const carom_impacts_bodies *bodies, uint32_t slot,
                                                   carom_piece *piece, uint32_t surface) {
    const carom_response_side side = carom_impacts_side(bodies, slot, piece);
    return carom_response_predict_surface(&bodies->rules, &side, &bodies->surface[surface],
                                          CAROM_IMPACTS_SURFACE + surface);
}

/* Whether no impact ever moves the body in a slot. Like a surface it then joins no group: each group near it has it. */
static inline bool carom_impacts_is_fixed(const carom_impacts_bodies *bodies, uint32_t slot) {
    return !bodies->all_movable && bodies->body[slot].inverse_mass == 0.0;
}

/* Whether the rules let the bodies in two slots collide. */
static inline bool carom_impacts_collide(const carom_impacts_bodies *bodies, uint32_t a, uint32_t b) {
    const carom_response_pairs *pairs = &bodies->rules.pairs;
    const uint32_t i = bodies->number[a];
    const uint32_t k = bodies->number[b];
    return pairs->collide == NULL || pairs->collide(pairs->user, i < k ? i : k, i < k ? k : i);
}

#endif
