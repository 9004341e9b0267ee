/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* How a body begins a step: as a copy, in units of length a step and in the periodic box. */
#ifndef CAROM_WORLD_BEGIN_BODY_H
#define CAROM_WORLD_BEGIN_BODY_H

#include "kernel/world/mover_parts.h"
#include "kernel/world/wrap.h"

/* Inverse masses beyond this one, of masses near the least number that is not 0, count as this one: sums of two stay
 * finite. */
#define CAROM_BEGIN_INVERSE_MASS_MOST 0x1p1022

/* Edges of a periodic box that a body may move in a step. */
#define CAROM_BEGIN_EDGES_MOST 15.0

/* How many of a periodic box's edges b the body moves in the step. */
static inline double carom_begin_edges(const carom_rules *rules, const carom_piece *piece, uint32_t b) {
    const double *dual = rules->lattice.dual[b];
    return fabs(dual[0] * piece->v[0] + dual[1] * piece->v[1] + dual[2] * piece->v[2]);
}

/* Whether the body moves too far for a periodic box. */
static inline bool carom_begin_too_far(const carom_rules *rules, const carom_piece *piece) {
    bool too_far = false;
    for (uint32_t b = 0; b < 3; b++) {
        const bool far = !(carom_begin_edges(rules, piece, b) <= CAROM_BEGIN_EDGES_MOST);
        too_far = too_far || (b < rules->lattice.dimensions && far);
    }
    return too_far;
}

/* Brings a body into the periodic box. False: it is too far away, or too large or too fast for the box. *wrapped: it
 * was outside. */
static inline bool carom_begin_enters_box(const carom_rules *rules, carom_piece *piece, double radius, bool *wrapped) {
    const double edges = carom_wrap_position(&rules->lattice, piece->x);
    *wrapped = edges > 0.0;
    return edges <= CAROM_WRAP_MOST && !carom_rules_meets_itself(rules, radius) && !carom_begin_too_far(rules, piece);
}

/* Where the body begins, and what it moves in the step. Each number goes straight to its place: a copy of a piece that
 * has just been made waits until its stores are done. */
static inline void carom_begin_motion(const carom_mover_gain *gain, const carom_body *body, carom_piece *piece) {
    double v[3];
    carom_mover_accelerate(gain, body, v);
    for (int a = 0; a < 3; a++) {
        piece->x[a] = body->x[a];
        piece->v[a] = v[a] * gain->dt;
    }
    piece->start = 0.0;
    piece->last = CAROM_PIECE_FRESH;
    piece->count = 0;
    piece->image = 0;
}

/* Whether the body's way in the step is a number. */
static inline bool carom_begin_has_path(const carom_piece *piece) {
    return isfinite(piece->v[0]) && isfinite(piece->v[1]) && isfinite(piece->v[2]);
}

/* What a worker begins bodies with. */
typedef struct carom_begin_pass {
    carom_mover *mover;
    const uint32_t *slot; /* as of carom_mover_slot_of */
    carom_piece *piece;
    carom_response_body *values;
    carom_mover_gain gain;
    carom_usual_motion usual;
    const carom_lattice *lattice; /* in a box of great tilt; else NULL */
    int32_t (*moved)[3];
    bool periodic;
    bool wrapped; /* the last body had to be brought into the box */
    bool fixed;   /* a body of infinite mass has been seen */
    bool unusual; /* and one whose motion is not usual */
} carom_begin_pass;

static inline carom_begin_pass carom_begin_pass_of(carom_mover *mover) {
    return (carom_begin_pass){.mover = mover,
                              .slot = carom_mover_slot_of(mover),
                              .piece = mover->buffers.piece.data,
                              .values = mover->buffers.body.data,
                              .gain = carom_mover_gain_of(mover),
                              .usual = mover->bodies.usual,
                              .lattice = mover->bodies.lattice,
                              .moved = carom_mover_moved(mover),
                              .periodic = mover->rules->config.periodic != NULL};
}

/* Sets the body's motion. Returns whether it is as it must be. */
static inline bool carom_begin_to_move(carom_begin_pass *p, const carom_mover_gain *gain, const carom_body *body,
                                       uint32_t slot) {
    carom_piece *piece = &p->piece[slot];
    carom_begin_motion(gain, body, piece);
    const bool entered = !p->periodic || carom_begin_enters_box(p->mover->rules, piece, body->radius, &p->wrapped);
    if (p->lattice != NULL) {
        carom_wrap_reduced(p->lattice, piece->x, p->moved[slot]);
    }
    const bool usual = carom_is_usual(&p->usual, piece->x, piece->v);
    p->unusual |= !usual;
    return (usual || (carom_body_moves_soundly(body) && carom_begin_has_path(piece))) && entered;
}

/* Returns whether the body is as it must be. */
static inline bool carom_begin_body(carom_begin_pass *p, const carom_mover_gain *gain, const carom_body *body,
                                    uint32_t slot) {
    carom_response_body *values = &p->values[slot];
    const double inverse = 1.0 / body->mass;
    const double restitution = carom_mover_restitution(p->mover->source, body);
    values->radius = body->radius;
    values->inverse_mass = inverse < CAROM_BEGIN_INVERSE_MASS_MOST ? inverse : CAROM_BEGIN_INVERSE_MASS_MOST;
    values->restitution = restitution;
    values->last_impact = body->last_impact / gain->dt;
    return carom_begin_to_move(p, gain, body, slot) && carom_body_is_sound(body, restitution);
}

/* Without a contact time nobody asks for the last impact. */
static inline void carom_begin_last_impact(carom_begin_pass *p, double last_impact, uint32_t slot) {
    if (p->mover->rules->config.contact_time > 0.0) {
        p->values[slot].last_impact = last_impact / p->gain.dt;
    }
}

/* The same for a body that has begun a step with these rules before and has only moved since. */
static inline bool carom_begin_again(carom_begin_pass *p, const carom_mover_gain *gain, const carom_body *body,
                                     uint32_t slot) {
    carom_begin_last_impact(p, body->last_impact, slot);
    return carom_begin_to_move(p, gain, body, slot);
}

/* The same if it had no impact, and nothing accelerates it or brings it into a periodic box: all of its piece but the
 * place is still right. */
static inline bool carom_begin_onward(carom_begin_pass *p, const carom_moving_part *moving, uint32_t slot) {
    carom_piece *piece = &p->piece[slot];
    carom_begin_last_impact(p, moving->last_impact, slot);
    for (int a = 0; a < 3; a++) {
        piece->x[a] = moving->x[a];
    }
    const bool usual = carom_is_usual(&p->usual, piece->x, piece->v);
    p->unusual |= !usual;
    return usual || (isfinite(piece->x[0]) && isfinite(piece->x[1]) && isfinite(piece->x[2]));
}

#endif
