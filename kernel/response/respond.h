/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What may collide, and what an impact does. Velocities change along the normal alone, and positions not at all. */
#ifndef CAROM_RESPONSE_RESPOND_H
#define CAROM_RESPONSE_RESPOND_H

#include <stdbool.h>

#include "kernel/response/piece.h"
#include "kernel/response/predict.h"
#include "kernel/response/surface.h"

/* What stays as it is in a step, of all bodies. */
typedef struct carom_response_rules {
    double rest_speed;   /* below this speed of approach, in units of length a step, nothing bounces; 0: all does */
    double contact_time; /* bodies that hit something less than so many steps ago bounce with e = 1; 0: never */
    uint32_t budget;     /* impacts of a body in a step after which it is held until the step ends; at least 1 */
} carom_response_rules;

/* What stays as it is in a step, of one body. */
typedef struct carom_response_body {
    double radius;       /* in units of length */
    double inverse_mass; /* 0: no impact moves the body */
    double restitution;  /* 0 to 1; of two that collide the lesser holds */
    double last_impact;  /* time of the last impact of the steps before, in steps from the start of this one: < 0 */
} carom_response_body;

/* One side of an impact. */
typedef struct carom_response_side {
    const carom_response_body *body;
    carom_piece *piece;
    double *kept;    /* three values: receives the velocity of a body that is held, with which it goes on afterwards */
    uint32_t number; /* what the other side's `last` becomes */
} carom_response_side;

typedef struct carom_impact {
    double normal[3]; /* unit vector from body k, or from the surface, to body i */
    double point[3];  /* where i's surface touches, in units of length */
    double impulse;   /* >= 0, in units of mass times length a step: i gets impulse * normal, k the opposite.
                         Infinite if it is beyond doubles, which the motion does not mind */
} carom_impact;

/* Whether impacts change the body's motion: its mass is finite, and it is not held. The path of one that is not moved
 * has one piece, from the start of the step or from where it is held. */
static inline bool carom_response_moves(const carom_response_rules *rules, const carom_response_side *side) {
    return side->body->inverse_mass > 0.0 && side->piece->count < rules->budget;
}

/* Time at which bodies i and k collide next, in steps; INFINITY if they do not, as they stand. They do not if no impact
 * moves either, and not if they have left one another and nothing else has changed their motion since: spheres on
 * straight paths do not meet twice, whatever rounding says. */
static inline double carom_response_predict_bodies(const carom_response_rules *rules, const carom_response_side *i,
                                                   const carom_response_side *k, const double shift[3]) {
    const bool i_unchanged = !carom_response_moves(rules, i) || i->piece->last == k->number;
    const bool k_unchanged = !carom_response_moves(rules, k) || k->piece->last == i->number;
    if (i_unchanged && k_unchanged) {
        return INFINITY;
    }
    return carom_predict_bodies(i->piece, k->piece, i->body->radius + k->body->radius, shift);
}

/* The same for body i and a surface, which body i's `last` calls `number`. */
double carom_response_predict_surface(const carom_response_rules *rules, const carom_response_side *i,
                                      const carom_surface *surface, uint32_t number);

/* Lets bodies i and k collide at time t, in steps, which carom_response_predict_bodies gave. New pieces begin there.
 * With masses m, restitution e and the speed of approach u along the normal
 *
 *     impulse = (1 + e) u m_i m_k / (m_i + m_k).
 *
 * i is the body that comes first in the order of impacts: exchanged roles may change the sign of a zero. */
carom_impact carom_respond_bodies(const carom_response_rules *rules, const carom_response_side *i,
                                  const carom_response_side *k, const double shift[3], double t);

/* Lets body i hit a surface at time t, in steps, which carom_response_predict_surface gave:
 * v' = v - (1 + e) (v.n) n. */
carom_impact carom_respond_surface(const carom_response_rules *rules, const carom_response_side *i,
                                   const carom_surface *surface, uint32_t number, double t);

#endif
