/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a search. Out: when it has to begin, by cheaper bounds: the time at which the bounding spheres touch, and for
 * fast spins that of the cylinders which the shapes sweep out in a whole turn. These do not rotate, so their searches
 * are short. */
#include "kernel/narrow/begin.h"

#include <float.h>
#include <math.h>

#include "kernel/narrow/envelope.h"
#include "simd/vector.h"

/* Greater components of positions and ways could overflow in the searches. Sizes are at most 1e50. */
static const double NEAR_MOST = 0x1p240;

/* The time of what does not happen in the step. */
static const double NEVER = 2.0;

/* How close to each other cylinders of fast spins get, relative to the smaller, and in how many poses. */
static const double ENVELOPE_TOLERANCE = 0x1p-8;
enum { ENVELOPE_LOOKS = 12 };

/* Width of a bracket from which nothing else is computed, relative to the distance. */
static const double ROUGH_TOLERANCE = 0x1p-4;

/* When the cylinders of fast spins touch, from t on; NEVER: not in the step. The search may end anywhere, because all
 * times before are proved. */
static double advance_envelopes(const carom_advance *s, double t, uint32_t *iterations) {
    carom_envelope envelope;
    const carom_toi_task task = {.simd = s->gap.simd,
                                 .margin = s->gap.margin,
                                 .tolerance = ENVELOPE_TOLERANCE,
                                 .iterations_max =
                                     s->iterations_max < ENVELOPE_LOOKS ? s->iterations_max / 2 : ENVELOPE_LOOKS};
    if (task.iterations_max == 0 || !carom_envelope_make(s->pair, s->proof.end - t, task.margin, &envelope)) {
        return t;
    }
    carom_advance outer;
    carom_advance_make(&envelope.pair, &task, s->proof.end, &outer);
    carom_advance_run(&outer, t);
    *iterations += outer.found.iterations;
    return outer.found.state == CAROM_TOI_NONE ? NEVER : outer.found.t;
}

/* Nothing is known but when the bounding spheres touch. */
static void find_far(const carom_advance *s, double touch, carom_toi_found *found) {
    const carom_approach *pair = s->pair;
    found->state = CAROM_TOI_CAPPED;
    found->iterations = 1; /* as where there was a look */
    found->t = touch;
    found->gap = DBL_MAX;
    if (!carom_vector_unit(pair->course.p, found->normal)) {
        found->normal[0] = 1.0;
    }
    for (int d = 0; d < 3; d++) {
        found->point_i[d] = pair->i.body->at[d];
        found->point_k[d] = pair->k.body->at[d];
    }
}

static bool is_far(const carom_approach *pair) {
    bool far = false;
    for (int d = 0; d < 3; d++) {
        far = far || !(fabs(pair->course.p[d]) < NEAR_MOST && fabs(pair->course.u[d]) < NEAR_MOST);
    }
    return far;
}

bool carom_begin_search(carom_advance *s, double *start) {
    *start = carom_approach_spheres(s->pair);
    if (*start > s->proof.end) {
        return false;
    }
    if (is_far(s->pair)) {
        find_far(s, *start, &s->found);
        return false;
    }
    *start = advance_envelopes(s, *start, &s->found.iterations);
    return *start <= s->proof.end;
}

bool carom_begin_once(carom_advance *s) {
    s->once = true;
    s->found = (carom_toi_found){.state = CAROM_TOI_NONE, .t = 1.0, .gap = HUGE_VAL};
    s->goal.width = fmax(s->goal.width, ROUGH_TOLERANCE);
    if (is_far(s->pair)) {
        find_far(s, 1.0, &s->found);
        s->found.state = CAROM_TOI_NONE;
        s->found.iterations = 1;
        return false;
    }
    return true;
}
