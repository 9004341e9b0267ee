/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/detect/shaped/shape_answer_tmpl.h"

#include <math.h>

#include "kernel/narrow/round_tmpl.h"
#include "simd/ref/round.h"

/* The point between the surfaces. */
static double middle(const carom_toi_found *found, int a) {
    return 0.5 * found->point_i[a] + 0.5 * found->point_k[a];
}

/* As a call for floats rounds it: what is left to do is exact. */
static void round_to_floats(const carom_toi_found *found, carom_shape_answer *answer) {
    carom_toi_found middles = *found;
    carom_toi_f32 near;
    for (int a = 0; a < 3; a++) {
        middles.point_i[a] = middle(found, a);
    }
    carom_round_impact_f32(&middles, &near);
    answer->t = (carom_real)near.t;
    answer->gap = (carom_real)near.gap;
    for (int a = 0; a < 3; a++) {
        answer->normal[a] = (carom_real)near.normal[a];
        answer->point[a] = (carom_real)near.point_i[a];
    }
}

void carom_shape_answer_contact(const carom_toi_found *found, bool floats, carom_shape_answer *answer) {
    answer->child_i = found->child_i;
    answer->child_k = found->child_k;
    if (floats) {
        round_to_floats(found, answer);
        return;
    }
    answer->t = carom_round_down(found->t);
    answer->gap = carom_round_up(found->gap);
    for (int a = 0; a < 3; a++) {
        answer->normal[a] = carom_round_near(found->normal[a]);
        answer->point[a] = carom_round_near(middle(found, a));
    }
}

void carom_shape_answer_apart(const carom_toi_found *start, bool floats, carom_shape_answer *answer) {
    carom_shape_answer_contact(start, floats, answer);
    answer->t = (carom_real)NAN;
    for (int a = 0; a < 3; a++) {
        answer->normal[a] = 0;
        answer->point[a] = 0;
    }
}

/* Pairs that do not touch are nearest, as far as a row says, when the step starts. */
void carom_shape_answer_put(const carom_shape_answer *answer, uint64_t n, const carom_shape_rows *to) {
    const carom_contacts *rows = &to->contacts;
    rows->t_ca[n] = answer->t >= 0 ? answer->t : 0;
    rows->t_toi[n] = answer->t;
    rows->distance[n] = answer->gap;
    if (to->child_i != NULL) {
        to->child_i[n] = answer->child_i;
        to->child_k[n] = answer->child_k;
    }
    for (int a = 0; a < 3; a++) {
        rows->normal[a][n] = answer->normal[a];
        rows->point[a][n] = answer->point[a];
    }
}
