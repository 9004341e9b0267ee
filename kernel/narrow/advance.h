/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The search for the time of impact of two convex shapes, look by look. The caller computes the distance for each look,
 * of one pair or of many side by side, and the search says where to look next. */
#ifndef CAROM_NARROW_ADVANCE_H
#define CAROM_NARROW_ADVANCE_H

#include "kernel/narrow/approach.h"
#include "kernel/narrow/impact.h"

/* What a search asks to look at: two poses, and a search for their distance that has begun. */
typedef struct carom_view {
    carom_posed *i;
    carom_posed *k; /* at the origin */
    carom_goal *goal;
    carom_bracket *bracket;
} carom_view;

typedef struct carom_advance {
    const carom_approach *pair;
    carom_gap_task gap;
    carom_goal goal;
    double length; /* the greatest gap of a hit */
    uint32_t iterations_max;
    bool searched;         /* carom_simd's gjk is to search in the view's bracket before carom_advance_take. It does so for
                              capsules, too, whose closed forms take longer */
    bool once;             /* one look is enough, and proves nothing */
    uint32_t warm;         /* looks since one that began without points */
    carom_proof proof;     /* what was seen last, and how far it reaches: the time of this look */
    carom_toi_found found; /* the answer */
} carom_advance;

/* A search of which `found` is NONE so far, until `end`. */
void carom_advance_make(const carom_approach *pair, const carom_toi_task *task, double end, carom_advance *s);

/* Begins at t, before which the shapes do not touch. */
void carom_advance_begin(carom_advance *s, double t);

/* Sets s->proof so that carom_simd's prove finds until when a plane holds the shapes apart before they are looked at: one
 * at right angles to the line between the bodies. False if there is none. */
bool carom_advance_first(carom_advance *s);

/* Goes on to where that proof ends. False if it holds for the rest of the step. */
bool carom_advance_follow(carom_advance *s);

/* Sets what carom_simd's aim is to work on, to pose the shapes in `view`. `seen` is the view of the look before, if there
 * was one since the search began; it may be the same. */
void carom_advance_aim(carom_advance *s, const carom_view *seen, const carom_view *view, carom_aim *aim);

/* Takes what was seen; `shift` is that of the aim. False if the search has ended, and `found` is the answer. If not, carom_simd's prove is to work on
 * s->proof; then comes carom_advance_step. */
bool carom_advance_take(carom_advance *s, const carom_view *seen, const double shift[3]);

/* Goes on to the next look. False if the search has ended. */
bool carom_advance_step(carom_advance *s);

/* All of the above for one pair, from t on. */
void carom_advance_run(carom_advance *s, double t);

#endif
