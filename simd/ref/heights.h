/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Heights of a gap over planes that turn, in scalar form. The cores are not turned: the normal is, back into each one's
 * frame. */
#ifndef CAROM_SIMD_REF_HEIGHTS_H
#define CAROM_SIMD_REF_HEIGHTS_H

#include "simd/height.h"
#include "simd/ref/support.h"
#include "simd/ref/turn.h"

/* The greatest n.a over the points a of the core. */
static inline double carom_heights_support(const carom_shape_entry *shape, const carom_swing *swing, double sine, double cosine,
                      const double n[3]) {
    double back[3];
    double local[3];
    double s[3];
    carom_turn_rotate(swing->axis, -sine, cosine, n, back);
    carom_pose_to_local(swing->start, back, local);
    carom_support_local(shape, local, s);
    return carom_vector_dot(back, swing->arm) + carom_vector_dot(local, s);
}

static inline void carom_heights_answer(carom_height_query *q, uint32_t planes) {
    double sine_i;
    double sine_k;
    double cosine_i;
    double cosine_k;
    carom_turn_sine_cosine(q->t * q->i->angle, &sine_i, &cosine_i);
    carom_turn_sine_cosine(q->t * q->k->angle, &sine_k, &cosine_k);
    for (uint32_t p = 0; p < planes; p++) {
        double sine;
        double cosine;
        double *n = q->turned[p];
        carom_turn_sine_cosine(q->angle[p], &sine, &cosine);
        carom_turn_rotate(q->axis[p], sine, cosine, q->normal, n);
        const double back[3] = {-n[0], -n[1], -n[2]};
        const double far_i = carom_heights_support(q->shape_i, q->i, sine_i, cosine_i, back);
        const double far_k = carom_heights_support(q->shape_k, q->k, sine_k, cosine_k, n);
        q->height[p] = carom_vector_dot(n, q->between) - far_i - far_k;
    }
}

#endif
