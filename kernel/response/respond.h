/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What may collide, and what an impact does. Velocities change along the normal alone, and positions not at all. */
#ifndef CAROM_RESPONSE_RESPOND_H
#define CAROM_RESPONSE_RESPOND_H

#include <stdbool.h>

#include "kernel/response/image.h"
#include "kernel/response/piece.h"
#include "kernel/response/predict.h"
#include "kernel/response/surface.h"

/* What the caller says of pairs, by the numbers of bodies, i before k. Both are pure and safe to call on any thread. */
typedef struct carom_response_pairs {
    void *user;
    bool (*collide)(void *user, uint32_t i, uint32_t k);       /* NULL: all pairs do */
    double (*restitution)(void *user, uint32_t i, uint32_t k); /* 0 to 1; NULL: the lesser of the two bodies' */
} carom_response_pairs;

/* What stays as it is in a step, of all bodies. */
typedef struct carom_response_rules {
    carom_response_pairs pairs;
    double contact_time; /* bodies that hit something less than so many steps ago bounce with e = 1; 0: never */
    double rest_speed;   /* others with e = 0 below this speed of approach, in units of length a step; 0: never */
    uint32_t budget;     /* impacts of a body in a step after which it is held until the step ends; 1 to 65535 */
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

/* Whether nothing but `other`, at the image `code`, has changed a body's path since the two collided. A body that is
 * held was stopped by its last impact, even if that was with the other one: so they must have collided since, when it
 * stood. */
static inline bool carom_response_is_as_left(const carom_response_rules *rules, const carom_response_side *side,
                                             const carom_response_side *other, uint32_t code) {
    if (side->body->inverse_mass == 0.0) {
        return true;
    }
    if (carom_response_moves(rules, side)) {
        return side->piece->last == other->number && (side->piece->image & ~CAROM_PIECE_STOOD) == code;
    }
    return other->piece->last == side->number &&
           other->piece->image == (carom_image_opposite(code) | CAROM_PIECE_STOOD);
}

/* Whether body i and an image of body k can collide, as they stand. They do not if no impact moves either, and not if
 * they have left one another and nothing else has changed their motion since: spheres on straight paths do not meet
 * twice, whatever rounding says. */
static inline bool carom_response_can_collide(const carom_response_rules *rules, const carom_response_side *i,
                                              const carom_response_side *k, uint32_t code) {
    if (!carom_response_moves(rules, i) && !carom_response_moves(rules, k)) {
        return false;
    }
    return !(carom_response_is_as_left(rules, i, k, code) &&
             carom_response_is_as_left(rules, k, i, carom_image_opposite(code)));
}

/* Time at which the two collide next, in steps; INFINITY if they do not. The bits are the same if the bodies change
 * places and the image is the opposite one. */
static inline double carom_response_predict_bodies(const carom_response_rules *rules, const carom_response_side *i,
                                                   const carom_response_side *k, const carom_pair_image *image) {
    if (!carom_response_can_collide(rules, i, k, image->code)) {
        return INFINITY;
    }
    return carom_predict_bodies(i->piece, k->piece, i->body->radius + k->body->radius, image->shift);
}

/* The same for body i and a surface, which body i's `last` calls `number`. */
double carom_response_predict_surface(const carom_response_rules *rules, const carom_response_side *i,
                                      const carom_surface *surface, uint32_t number);

/* How bodies bounce. */
typedef struct carom_response_bounce {
    double factor;     /* 1 + e */
    double rest_speed; /* but for those that approach more slowly than this: e = 0 */
} carom_response_bounce;

/* How the two bounce in an impact at time t, in steps. */
carom_response_bounce carom_response_bounce_of(const carom_response_rules *rules, const carom_response_side *i,
                                               const carom_response_side *k, double t);

/* Lets body i and an image of body k collide at time t, in steps, which carom_response_predict_bodies gave. New pieces
 * begin there. With masses m, restitution e and the speed of approach u along the normal
 *
 *     impulse = (1 + e) u m_i m_k / (m_i + m_k).
 *
 * i is the body that comes first in the order of impacts: exchanged roles may change the sign of a zero. */
carom_impact carom_respond_bodies(const carom_response_rules *rules, const carom_response_side *i,
                                  const carom_response_side *k, const carom_pair_image *image, double t);

/* Lets body i hit a surface at time t, in steps, which carom_response_predict_surface gave:
 * v' = v - (1 + e) (v.n) n. */
carom_impact carom_respond_surface(const carom_response_rules *rules, const carom_response_side *i,
                                   const carom_surface *surface, uint32_t number, double t);

#endif
