/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: two moving bodies. Out: a time before which they do not touch, proved, and how far apart they are then.
 *
 * Each pair of convex shapes is a search (advance.c). Before it begins: the bounding spheres' time of touch, and for
 * fast spins that of the cylinders which the shapes sweep out in a whole turn. These do not rotate, so their searches
 * are short. */
#include "kernel/narrow/toi.h"

#include <float.h>
#include <math.h>

#include "kernel/narrow/advance.h"
#include "kernel/narrow/begin.h"

/* Whether a pair of children's answer replaces the best so far. */
static bool is_better(const carom_toi_found *found, const carom_toi_found *best) {
    if (found->state == CAROM_TOI_NONE || best->state == CAROM_TOI_NONE) {
        return found->state != CAROM_TOI_NONE || (best->state == CAROM_TOI_NONE && found->gap < best->gap);
    }
    return found->t < best->t ||
           (found->t <= best->t && found->state == CAROM_TOI_HIT && best->state == CAROM_TOI_CAPPED);
}

static uint32_t add_counts(uint32_t a, uint32_t b) {
    return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

static void try_pair(const carom_approach *pair, const uint32_t child[2], const carom_toi_task *task,
                     carom_toi_found *best) {
    carom_advance s;
    double start;
    carom_advance_make(pair, task, best->state == CAROM_TOI_NONE ? 1.0 : best->t, &s);
    s.found.child_i = child[0];
    s.found.child_k = child[1];
    if (carom_begin_search(&s, &start)) {
        carom_advance_run(&s, start);
    }
    const uint32_t iterations = add_counts(best->iterations, s.found.iterations);
    if (is_better(&s.found, best)) {
        *best = s.found;
    }
    best->iterations = iterations;
}

/* Of two bodies whose children were never looked at. */
static void look_once(carom_approach *pair, const carom_toi_task *task, carom_toi_found *found) {
    carom_advance s;
    carom_track_make(pair->i.body, 0, &pair->i);
    carom_track_make(pair->k.body, 0, &pair->k);
    carom_approach_set(pair, task->margin);
    carom_advance_make(pair, task, 1.0, &s);
    if (carom_begin_once(&s)) {
        carom_advance_run(&s, 0.0);
    }
    *found = s.found;
}

/* Whether nothing can be earlier. */
static bool is_first(const carom_toi_found *found) {
    return found->state == CAROM_TOI_HIT && !(found->t > 0.0);
}

void carom_toi_find(const carom_moving *i, const carom_moving *k, const carom_toi_task *task, carom_toi_found *found) {
    carom_approach pair;
    pair.i.body = i;
    pair.k.body = k;
    *found = (carom_toi_found){.state = CAROM_TOI_NONE, .gap = HUGE_VAL};
    for (uint32_t n = 0; n < carom_track_count(i) && !is_first(found); n++) {
        carom_track_make(i, n, &pair.i);
        for (uint32_t m = 0; m < carom_track_count(k) && !is_first(found); m++) {
            carom_track_make(k, m, &pair.k);
            carom_approach_set(&pair, task->margin);
            try_pair(&pair, (const uint32_t[2]){n, m}, task, found);
        }
    }
    if (found->state == CAROM_TOI_NONE) {
        if (!(found->gap < HUGE_VAL)) {
            look_once(&pair, task, found);
        }
        found->t = 1.0;
    }
}
