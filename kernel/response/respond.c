/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: two pieces, or a piece and a surface, and the time of their impact. Out: the pieces that begin there. */
#include "kernel/response/respond.h"

#include <math.h>

#include "kernel/check/assert.h"
#include "kernel/response/slide.h"
#include "simd/vector.h"

double carom_response_predict_surface(const carom_response_rules *rules, const carom_response_side *i,
                                      const carom_surface *surface, uint32_t number) {
    const bool left = i->piece->last == number && !carom_surface_is_hollow(surface);
    return carom_response_moves(rules, i) && !left ? carom_surface_predict(surface, i->piece, i->body->radius)
                                                   : INFINITY;
}

/* Whether the body hit something so short a time before t that it does not lose energy again (S. Luding and S.
 * McNamara, How to handle the inelastic collapse of a dissipative hard-sphere gas with the TC model, Granular Matter 1,
 * 1998). */
static bool hit_just_now(const carom_response_rules *rules, const carom_response_side *side, double t) {
    const double before = side->piece->count > 0 ? side->piece->start : side->body->last_impact;
    return t - before < rules->contact_time;
}

/* What collides ever more often would do so still if slow impacts lost all energy, so contact_time goes first. */
static carom_response_bounce bounce_with(const carom_response_rules *rules, bool just_now, double restitution) {
    return just_now ? (carom_response_bounce){2.0, 0.0} : (carom_response_bounce){1.0 + restitution, rules->rest_speed};
}

/* 1 + e at a speed of approach. */
static double factor_at(const carom_response_bounce *bounce, double speed) {
    return speed < bounce->rest_speed ? 1.0 : bounce->factor;
}

/* Unit vector along p. Bodies whose centres coincide, as those of points do, collide head-on. */
static void normal_along(const double p[3], const double v[3], double normal[3]) {
    const double against[3] = {-v[0], -v[1], -v[2]};
    const bool known = carom_vector_unit(p, normal) || carom_vector_unit(against, normal);
    CAROM_ASSERT(known);
    (void)known;
}

/* Begins a new piece at time t, with another velocity. Once the budget is spent the body rests where it is. */
static void turn(const carom_response_rules *rules, const carom_response_side *side, double t, double change,
                 const double normal[3], uint32_t last, uint32_t image) {
    carom_piece *piece = side->piece;
    double x[3];
    carom_piece_at(piece, t, x);
    carom_vector_add(piece->v, change, normal, piece->v);
    piece->start = t;
    piece->last = last;
    piece->image = (uint16_t)image;
    piece->count++;
    const bool held = !carom_response_moves(rules, side);
    for (int a = 0; a < 3; a++) {
        piece->x[a] = x[a];
        if (held) {
            side->kept[a] = piece->v[a];
            piece->v[a] = 0.0;
        }
    }
}

static double restitution_of(const carom_response_rules *rules, const carom_response_side *i,
                             const carom_response_side *k) {
    const carom_response_pairs *pairs = &rules->pairs;
    return pairs->restitution != NULL ? pairs->restitution(pairs->user, i->number, k->number)
                                      : fmin(i->body->restitution, k->body->restitution);
}

carom_response_bounce carom_response_bounce_of(const carom_response_rules *rules, const carom_response_side *i,
                                               const carom_response_side *k, double t) {
    return bounce_with(rules, hit_just_now(rules, i, t) || hit_just_now(rules, k, t), restitution_of(rules, i, k));
}

carom_impact carom_respond_bodies(const carom_response_rules *rules, const carom_response_side *i,
                                  const carom_response_side *k, const carom_pair_image *image, double t) {
    const bool i_moves = carom_response_moves(rules, i);
    const bool k_moves = carom_response_moves(rules, k);
    const double w_i = i_moves ? i->body->inverse_mass : 0.0;
    const double w_k = k_moves ? k->body->inverse_mass : 0.0;
    CAROM_ASSERT(i_moves || k_moves);
    carom_impact impact;
    double at_i[3];
    double at_k[3];
    double p[3];
    double v[3];
    carom_piece_at(i->piece, t, at_i);
    carom_piece_at(k->piece, t, at_k);
    for (int a = 0; a < 3; a++) {
        p[a] = (at_i[a] - at_k[a]) - image->shift[a];
        v[a] = i->piece->v[a] - k->piece->v[a];
    }
    normal_along(p, v, impact.normal);
    carom_vector_add(at_i, -i->body->radius, impact.normal, impact.point);
    const double speed = fmax(-carom_vector_dot(impact.normal, v), 0.0);
    const carom_response_bounce bounce = carom_response_bounce_of(rules, i, k, t);
    const double change = factor_at(&bounce, speed) * speed;
    impact.impulse = change / (w_i + w_k);
    if (i_moves) {
        turn(rules, i, t, change * (w_i / (w_i + w_k)), impact.normal, k->number,
             image->code | (k_moves ? 0 : CAROM_PIECE_STOOD));
    }
    if (k_moves) {
        turn(rules, k, t, -(change * (w_k / (w_i + w_k))), impact.normal, i->number,
             carom_image_opposite(image->code) | (i_moves ? 0 : CAROM_PIECE_STOOD));
    }
    return impact;
}

/* Begins a piece at time t, with a velocity that has more along a wall. */
static void turn_around(carom_piece *piece, double t, const double more[3]) {
    carom_piece_at(piece, t, piece->x);
    piece->start = t;
    carom_vector_add(piece->v, 1.0, more, piece->v);
}

carom_impact carom_respond_surface(const carom_response_rules *rules, const carom_response_side *i,
                                   const carom_surface *surface, uint32_t number, double t) {
    CAROM_ASSERT(carom_response_moves(rules, i));
    carom_impact impact;
    double at[3];
    carom_piece_at(i->piece, t, at);
    carom_surface_normal(surface, at, i->piece->v, impact.normal);
    carom_vector_add(at, -i->body->radius, impact.normal, impact.point);
    const double speed = fmax(-carom_vector_dot(impact.normal, i->piece->v), 0.0);
    const carom_response_bounce bounce =
        bounce_with(rules, hit_just_now(rules, i, t), fmin(i->body->restitution, surface->restitution));
    const double factor = factor_at(&bounce, speed);
    double change = factor * speed;
    carom_slide slide;
    if (carom_surface_is_hollow(surface) &&
        carom_slide_along(surface, impact.normal, i->piece->v, speed, factor, &slide)) {
        change = speed + slide.back;
        turn_around(i->piece, t, slide.around);
    }
    impact.impulse = change / i->body->inverse_mass;
    turn(rules, i, t, change, impact.normal, number, CAROM_IMAGE_SELF);
    return impact;
}
