/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Signed distance of two posed shapes, for the library's own use (carom/distance.h says what it is). All in double, for
 * both precisions.
 *
 * In: two posed shapes, i and k, neither a compound. Positions are relative to an origin near both, best to body k's
 * position: margins grow with their distance from it. The caller's subtraction, once an axis, is in the margins.
 */
#ifndef CAROM_NARROW_GAP_H
#define CAROM_NARROW_GAP_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/distance.h"
#include "kernel/sys/control.h"
#include "simd/compare.h"
#include "simd/gap.h"
#include "simd/kernels.h"
#include "simd/posed.h"

/* What to compute. */
typedef struct carom_gap_task {
    carom_gap_detail detail;
    bool manifold;    /* detail MANIFOLD or CONTACT: manifolds are wanted */
    double margin;    /* `state` is that of s - margin */
    double tolerance; /* of the bracket, relative to the smaller shape; > 0 */
    double rough;     /* searches may end with brackets this wide, relative to the distance; 0: as `tolerance` */
    double *axes;     /* three numbers for each pair: along which the search looks first, or 0, and where its normal
                         goes; NULL: none */
    const carom_seek_start *starts; /* of searches, for each pair of hulls; NULL: there are none */
    const uint32_t *number; /* of a block: pair n has axes[3 number[n]] and starts[number[n]]; NULL: those of n */
    const carom_simd *simd; /* whose kernels to use; NULL: the best. The answer's bits are the same */
    carom_control *control; /* is looked at between children of compounds; NULL: none. An answer means nothing once the
                               call is to stop */
} carom_gap_task;

/* Whether there is a test for two kinds. */
bool carom_gap_has(carom_shape_kind i, carom_shape_kind k);

/* The bracket of the pair. With detail STATE the search ends as soon as the state is known. */
void carom_gap_find(const carom_posed *i, const carom_posed *k, const carom_gap_task *task, carom_gap *gap);

/* The same by a closed form. False if there is none that tells what the task asks: then the kernels gjk and epa search.
 */
bool carom_gap_try(const carom_posed *i, const carom_posed *k, const carom_gap_task *task, carom_gap *gap);

/* What of an answer is wanted beside the state, for pairs that are apart and for those that are not. */
static inline bool carom_gap_wants_apart(carom_gap_detail detail) {
    return detail != CAROM_GAP_STATE && detail != CAROM_GAP_CONTACT;
}

static inline bool carom_gap_wants_touching(carom_gap_detail detail) {
    return detail != CAROM_GAP_STATE && detail != CAROM_GAP_CLEARANCE;
}

/* Whether the bracket by 15 axes tells what the task asks; else the search must find the boxes' nearest corners. */
static inline bool carom_gap_boxes_are_answered(double lower, const carom_gap_task *task) {
    const bool state_is_enough = !carom_gap_wants_apart(task->detail);
    return (lower <= 0.0) | (state_is_enough & (lower > task->margin)); /* no branch: the first is as good as random */
}

/* The smaller reach; of a shape without any, the other's. */
static inline double carom_gap_reach(const carom_shape_entry *i, const carom_shape_entry *k) {
    const double least = carom_lesser(i->reach, k->reach);
    return least > 0.0 ? least : carom_greater(i->reach, k->reach);
}

/* Whether carom_gap_try tells the depth of any two such shapes that overlap. */
bool carom_gap_overlaps_are_closed(carom_shape_kind i, carom_shape_kind k);

/* Whether the pair is searched for by the kernels gjk and epa, not by a closed form. */
bool carom_gap_is_searched(carom_shape_kind i, carom_shape_kind k);

/* For pairs that are searched for in parts: what the search is to reach. */
carom_goal carom_gap_goal(const carom_shape_entry *i, const carom_shape_entry *k, const carom_gap_task *task);

/* Lets a search that has not begun look along an axis first. One that is 0 or not finite is none. */
void carom_gap_look_first(const double axis[3], carom_bracket *bracket);

/* The distances of pairs, by gjk. A search that goes on from where floats have ended, and does not reach its goal, begins
 * anew: floats may end in a vertex where flat sides face each other, from where rounding leaves no progress. */
void carom_gap_distances(const carom_simd *simd, const carom_posed *i, const carom_posed *k, const carom_goal *goals,
                         uint32_t count, carom_bracket *brackets);

/* The depths of those pairs that gjk found to overlap, all of the same two kinds. `room` may be NULL. */
void carom_gap_depths(const carom_simd *simd, const carom_posed *i, const carom_posed *k, const carom_goal *goals,
                      uint32_t count, carom_bracket *brackets, carom_epa_room *room);

/* The answer once the searches have ended. */
void carom_gap_finish(const carom_posed *i, const carom_posed *k, const carom_bracket *bracket, carom_gap *gap);

/* Its bounds alone. */
void carom_gap_finish_state(const carom_posed *i, const carom_posed *k, const carom_bracket *bracket, carom_gap *gap);

/* The width that is asked for, in units of length: task->tolerance times the greater of the smaller reach and |s|. */
double carom_gap_width(const carom_posed *i, const carom_posed *k, const carom_gap_task *task, double s);

/* The state of s - margin. */
carom_gap_state carom_gap_state_of(const carom_gap *gap, double margin);

#endif
