/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: two moving bodies. Out: a time before which they do not touch, proved, and how far apart they are then.
 *
 * Each pair of convex shapes is a search (advance.c), one after the other, but for those of which the balls around
 * groups of a compound's children tell that they do not touch before the earliest that is known (meeting.c). Before it
 * begins: the bounding spheres' time of touch, and for fast spins that of the cylinders which the shapes sweep out in a
 * whole turn. These do not rotate, so their searches are short. */
#include "kernel/narrow/toi.h"

#include <float.h>
#include <math.h>

#include "kernel/narrow/advance.h"
#include "kernel/narrow/begin.h"
#include "kernel/narrow/meeting.h"
#include "kernel/sys/control.h"

/* Small compounds are to take no longer because large ones have a way of their own; and stacks may be small. */
#define INLINED inline __attribute__((always_inline))
#define NOT_INLINED __attribute__((noinline))

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

static INLINED void try_pair(const carom_approach *pair, const uint32_t child[2], const carom_toi_task *task,
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
static NOT_INLINED void look_once(carom_approach *pair, const carom_toi_task *task, carom_toi_found *found) {
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

/* The search for two bodies while it runs. */
typedef struct search {
    carom_approach pair;
    const carom_toi_task *task;
    carom_toi_found *found;
    carom_watch watch;
} search;

/* Nothing is asked for from there on. */
static double end_of(const search *s) {
    return s->found->state == CAROM_TOI_NONE ? 1.0 : s->found->t;
}

/* The child of i whose track is there against child m of k. False if that is the end. */
static INLINED bool try_child(search *s, uint32_t n, uint32_t m) {
    carom_track_make(s->pair.k.body, m, &s->pair.k);
    carom_approach_set(&s->pair, s->task->margin);
    try_pair(&s->pair, (const uint32_t[2]){n, m}, s->task, s->found);
    return !is_first(s->found) && !carom_watch_stops(&s->watch);
}

/* The same where loops are long: its frame is none of theirs. */
static NOT_INLINED bool try_alone(search *s, uint32_t n, uint32_t m) {
    return try_child(s, n, m);
}

/* Child n of i against all of k. */
static bool try_row(search *s, uint32_t n) {
    const uint32_t count = carom_track_count(s->pair.k.body);
    bool goes_on = true;
    carom_track_make(s->pair.i.body, n, &s->pair.i);
    for (uint32_t m = 0; m < count && goes_on; m++) {
        goes_on = try_child(s, n, m);
    }
    return goes_on;
}

/* The same for a compound k that has balls. */
static bool try_chosen(search *s, const carom_meeting *meeting, uint32_t n) {
    const uint32_t count = carom_track_count(s->pair.k.body);
    carom_track_make(s->pair.i.body, n, &s->pair.i);
    for (uint32_t begin = 0; begin < count;) {
        carom_choice choice;
        carom_meeting_choose(meeting, &s->pair.i, end_of(s), begin, &choice);
        for (uint32_t m = begin; (m = carom_choice_next(&choice, m)) < choice.end; m++) {
            if (!try_alone(s, n, m)) {
                return false;
            }
        }
        begin = choice.end;
    }
    return !carom_watch_stops(&s->watch);
}

static NOT_INLINED void try_all_chosen(search *s) {
    const uint32_t count = carom_track_count(s->pair.i.body);
    carom_meeting meeting;
    carom_meeting_make(s->pair.k.body, s->pair.i.body, s->task->margin, &meeting);
    for (uint32_t n = 0; n < count && try_chosen(s, &meeting, n); n++) {
    }
}

static NOT_INLINED void try_all(search *s) {
    const uint32_t count = carom_track_count(s->pair.i.body);
    for (uint32_t n = 0; n < count && try_row(s, n); n++) {
    }
}

void carom_toi_find(const carom_moving *i, const carom_moving *k, const carom_toi_task *task, carom_toi_found *found) {
    search s;
    s.task = task;
    s.found = found;
    s.watch = (carom_watch){.control = task->control};
    s.pair.i.body = i;
    s.pair.k.body = k;
    *found = (carom_toi_found){.state = CAROM_TOI_NONE, .gap = HUGE_VAL};
    (k->shape->balls != NULL ? try_all_chosen : try_all)(&s);
    if (found->state == CAROM_TOI_NONE) {
        if (!(found->gap < HUGE_VAL)) {
            look_once(&s.pair, task, found);
        }
        found->t = 1.0;
    }
}
