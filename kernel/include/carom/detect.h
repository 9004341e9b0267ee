/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Swept-sphere detection finds every pair of bodies that touches during one step: when, where, and in which group. The
 * stages run in this order, and a call may stop after any of them:
 *
 *   bounds    computes swept boxes: lo = min(prev, curr) - r, hi = max(prev, curr) + r, rounded outward to float
 *             (in double not always to the nearest)
 *   pairs     finds all pairs whose boxes overlap (closed: lo_i <= hi_k and hi_i >= lo_k on all axes)
 *   approach  decides which of them touch in the step, and computes the contact of each that does
 *   groups    finds the connected components of the touching pairs
 *
 * Let i < k, p = prev_i - prev_k, v = (curr_i - curr_k) - p and R = r_i + r_k. A pair touches iff the least distance
 * |p + t v| over t in [0, 1] is at most R. Its contact has:
 *
 *   t_ca      time of closest approach: clamp(-(p.v)/(v.v), 0, 1), or 0 when v = 0
 *   distance  distance between the centres at t_ca: |p + t_ca v|
 *   t_toi     time of impact: the first t in [0, 1] with |p + t v| <= R; 0 if the bodies touch at the start
 *   normal    unit vector from k to i at t_toi; (1, 0, 0) when the centres coincide
 *   point     x_k + normal (r_k + gap/2), with gap = |p + t_toi v| - R and x_k the centre of k at t_toi. It lies on the
 *             line of centres, midway between the surfaces, so on both of them when they just touch
 *
 * Times are fractions of the step. Lengths are in the caller's unit.
 *
 * Decisions. A call decides which pairs touch as exact arithmetic on the inputs decides it, for floats and doubles over
 * their whole finite range. Doubles and a proved bound of their error nearly always suffice. Otherwise integers decide,
 * which takes longer.
 *
 * Approaching pairs (config.approaching). A touching pair approaches iff p.v < 0, as exact arithmetic decides: the
 * distance of the centres falls when the step starts. Bodies that are apart at the start and touch later always
 * approach, also those that only graze. Bodies that overlap or just touch at the start may separate, or keep their
 * distance to first order (p.v = 0), as bodies at rest do. A response that acts along the normal has nothing to do for
 * these. Of bodies with shapes, see below.
 *
 * Times. For a touching pair t_toi is never late and never NaN: 0 <= t_toi <= the exact time. It is early by at most
 *     2^-37 (|p|^2 + R^2 + |p||v|) / -(p.v), plus 2^-51 of itself for rounding down      (f64)
 *     2^-27 (|p|^2 + R^2 + |p||v|) / -(p.v), plus 2^-23 of itself for rounding down      (f32)
 * and it becomes 0 below the normal range. Integers give t_toi near a graze, and where a number of 24 (f64: 27) bits
 * lies just above it, so that simple scenes tend to have simple times. At t_toi, |p + t v| exceeds R by at most the sum
 * of two terms:
 *     2^-43 (|p| + |v| + R)^2 |p||v| / (-R (p.v)), or 0 if R is 0
 *     for rounding t, 2^-50 t |v| (f64) or 2^-22 t |v| (f32), or all of t |v| where the time became 0
 *
 * The other fields. Both precisions compute them in double, as if exponents had no limits, so that bodies may be of any
 * finite size and any distance apart. First they round p_a and R once each, and v_a twice: by 2^-53 |p_a|, 2^-53 R and
 * 2^-52 (|p_a| + |v_a|). For these p, v and R, and with t = t_toi, the error is at most
 *     t_ca       2^-50 (sum over a of |p_a v_a|) / v.v, before it is clamped
 *     distance   2^-49 |p|
 *     normal     2^-50 (1 + t |v| / |p + t v|) in each component, 2^-50 in length
 *     point      2^-50 (|prev_k| + |curr_k| on its axis + R + |p| + t |v|) in each coordinate, given the normal
 * in f64. f32 rounds results once, at the end, and t_toi too: read 2^-21 for 2^-50, 2^-20 for 2^-49 and t_toi + 2^-103
 * for t. Results below the least number of the precision become it or 0. Those beyond the largest become infinite. Only
 * t_toi is ever NaN.
 *
 * Floating-point modes. Nothing depends on the caller's rounding mode, flush-to-zero or trap settings. A call sets its
 * own on every thread it uses and restores what was set. The caller's functions (sink, predicate, progress, allocator)
 * run with the library's settings.
 *
 * Periodic boxes (config.periodic). Body k stands for each of its images x_k + sum over a of s_a edge[a]. The s_a are
 * whole numbers, 0 where space is open. Each image that overlaps or touches is a pair of its own, with s as its shift.
 * All of the above, i < k too, holds with that image for k, so the point lies where the caller has body i. box_pairs
 * and touching_pairs count every pair and image. touching_hash sums over them, but hashes (i, k) alone. Groups are
 * groups of bodies. Positions may be up to 1e9 boxes from the origin. The call moves them into one cell by a sum in
 * double, and adds another such sum for an image. Each sum is rounded once, by an error relative to the distance moved.
 * Decisions and bounds of times hold for the positions so moved, which are exact where the sums are. Floats are treated
 * as doubles, and results are rounded once. until = BOUNDS ignores the box.
 *
 * Self images (periodic.self_images). Bodies may then be larger than the box. A body also pairs with its own images:
 * such a pair has i = k. Of the shifts s and -s, which are one pair, it has the one whose first component that is not 0
 * is positive. It counts once in box_pairs, touching_pairs and touching_hash, and unites no groups. Filters treat it as
 * they treat all pairs, with body i for both. Without self_images a body never pairs with its own image.
 *
 * Bodies with shapes (carom/bodies.h). Boxes are those of the whole motion, a little wider than the least. A pair
 * whose boxes are apart is apart: that is proved, too. Others touch as carom/distance.h and carom/toi.h say; with
 * config.margin, shapes touch that are within it:
 *
 *   if both rest (curr and curr_turn equal prev and prev_turn, spin is 0), unless they are proved apart. No touch is
 *     missed; shapes that are apart by up to config.tolerance of the smaller one (by default 2^-20 in float, 2^-40 in
 *     double) may count as touching
 *   else unless it is proved that they do not touch in the step (NONE). No touch is missed, and no time is late; shapes
 *     that pass within config.tolerance of the smaller one (by default 1e-4 in float, 1e-9 in double) may count as
 *     touching, and so may those where the search ended early (CAPPED)
 *
 * The contact of bodies i < k has:
 *
 *   t_toi     as in carom/toi.h, rounded down; 0 if the shapes touch at the start or rest
 *   t_ca      t_toi
 *   distance  an upper bound of the signed distance at t_toi; in an overlap it is negative: the depth is -distance
 *   normal    unit vector from k to i at t_toi
 *   point     midway between the witness points at t_toi
 *
 * Rows of pairs that do not touch (all_pairs) have NaN as t_toi, 0 as t_ca, normal and point, and as distance an upper
 * bound of the signed distance at the start. Compounds are one body each: a row names the children that touch first
 * (child_i, child_k). Each row depends on its two bodies alone; whether two that are apart by less than the tolerance
 * have one also depends on whether their boxes overlap, which are rounded. result_hash leaves the children out. radius is not
 * used. Half-spaces and lines are infinite and cannot be in a detection (BODY). In a periodic box body i stands where
 * the caller has it, and body k where its shift takes it, by a sum in double that is rounded once; shapes must reach
 * less far from their bodies' positions than half the distance to their own images (BODY), unless self_images is set.
 * Queries do not take bodies with shapes (ARGUMENT).
 *
 * Approaching pairs of bodies with shapes (config.approaching). Bodies that both rest do not approach. Of the others
 * that touch, those do whose t_toi is later than 0 before it is rounded to float (at the start they do not touch), and
 * those whose search ended early (CAPPED). If they touch at the start, they approach iff
 *
 *     n.(v_i - v_k) < -2^-44 (|m_i - m_k| + (|w_i| + |w_k|) (|x_i - x_k| + |p_i - x_i| + |p_k - x_k|))
 *     v = m + w x (p - x): per step, the velocity of a body's witness point
 *
 * where x is the body's position prev, in a periodic box that of the image, m = curr - prev, w its rotation vector (of
 * curr_turn that of the shorter way), p its witness point and n the normal, all as the contact has them: of compounds,
 * those of the children that it names. So bodies that keep their distance, such as balls that spin where they touch, do
 * not approach. All is in double, and as exact as n and p are (carom/toi.h). A body with a component of w of 2^50 or
 * more has no velocity that is known: what touches it approaches.
 *
 * Distance vectors. Let r be the vector from body i to the image of body k at closest approach. For bodies at rest it
 * is r = -distance normal, to the errors of both. It is also x_k + sum over a of shift[a] edge[a] - x_i with the
 * caller's positions, to the rounding of that sum. For a neighbour list of atoms with a cutoff give every body the
 * radius cutoff / 2: all images within the cutoff then are contacts, those at exactly the cutoff included.
 *
 * Results have the same bits in the same order for every thread count, instruction set, compiler and optimisation
 * level. Where a context has no memory for the search that it would choose (`memory_limit`, or an allocator that
 * fails), it takes one that needs less: pairs may then be in another order, unless `sort_pairs` is set.
 *
 * Sources: swept-sphere detection after Schroeder (2001); sort-and-sweep after Baraff (1992); union-find by
 * compare-and-swap after Anderson and Woll (1991). */
#ifndef CAROM_DETECT_H
#define CAROM_DETECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "carom/bodies.h"
#include "carom/contacts.h"
#include "carom/context.h"
#include "carom/control.h"
#include "carom/export.h"
#include "carom/filter.h"
#include "carom/periodic.h"
#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The stages of a detection, in their order. */
typedef enum carom_until {
    CAROM_UNTIL_BOUNDS,
    CAROM_UNTIL_PAIRS,
    CAROM_UNTIL_APPROACH,
    CAROM_UNTIL_GROUPS
} carom_until;

/* How the call searches for overlapping boxes. All methods find the same pairs; they differ in speed. */
typedef enum carom_method {
    /* The method with the least predicted cost. Up to 320 spheres in open space without filter, lists and member lists
     * are not sorted at all: each is tested against all others ("direct"). */
    CAROM_METHOD_AUTO,

    /* Sorts and sweeps along one axis: for few bodies, or all on one line. */
    CAROM_METHOD_SWEEP,

    /* Sorts and sweeps within cells no narrower than the widest box. Where bodies have dozens of neighbours, cells are
     * not swept: each body is tested against those of its cell and of the adjacent ones, and `reason` says so. */
    CAROM_METHOD_CELLS,

    /* Files narrow boxes into cells, which the wide boxes visit; wide boxes meet each other in the same way. */
    CAROM_METHOD_LEVELS,

    /* Files each box into every cell it reaches: for boxes long on differing axes. */
    CAROM_METHOD_SHARED
} carom_method;

/* Neighbour lists to make from the stored pairs. */
typedef enum carom_neighbour_list {
    /* No lists. */
    CAROM_NEIGHBOURS_NONE,

    /* A pair (i, k), i <= k, is in the list of i only. */
    CAROM_NEIGHBOURS_HALF,

    /* A pair (i, k) is in the lists of both bodies. A pair (i, i) is in the list of i twice, for it has two images of
     * itself there. */
    CAROM_NEIGHBOURS_FULL
} carom_neighbour_list;

/* What a call computes and what it keeps. The library only reads it. */
typedef struct carom_detect_config {
    /* sizeof(carom_detect_config), in bytes. carom_detect_config_default() sets it. */
    size_t size;

    /* The last stage to run. Default: CAROM_UNTIL_GROUPS. */
    carom_until until;

    /* How to search. Default: CAROM_METHOD_AUTO. A method falls back to SWEEP if its cells would span the scene, and
     * LEVELS falls back to CELLS if all boxes are of one size. */
    carom_method method;

    /* Only count pairs: store no pairs and no contacts. Groups still work. Default: false. */
    bool count_only;

    /* From approach on, keep a contact for every pair of overlapping boxes. Where the pair does not touch, t_toi is NaN
     * and normal and point are 0. Default: false, touching pairs only. */
    bool all_pairs;

    /* Order pairs by (i, k), and by shift in a periodic box. More than 2^32 - 1 pairs are an error (ARGUMENT). Default:
     * false, the order of the search. */
    bool sort_pairs;

    /* Also list the members of every group. Default: false. */
    bool group_members;

    /* Also compute touching_hash and result_hash. Default: false. */
    bool hash;

    /* The box in which space repeats. Default: NULL, open space. */
    const carom_periodic *periodic;

    /* Which pairs exist. Default: NULL, all. */
    const carom_filter *filter;

    /* Also list every body's neighbours, from until = PAIRS on. Default: CAROM_NEIGHBOURS_NONE. */
    carom_neighbour_list neighbours;

    /* 0. Later versions may give this word a name and a meaning. */
    uint32_t reserved;

    /* A flag that ends the call with CANCELLED while it is raised, also one that is raised already. Default: NULL. */
    const carom_cancel *cancel;

    /* Is told how far the call is, and may cancel it. Default: NULL. */
    carom_progress_function *progress;

    /* The library hands this to `progress`. Any value. */
    void *progress_user;

    /* From approach on, only pairs that approach count as touching: of spheres those with p.v < 0, of shapes those
     * whose witness points approach. A pair that overlaps at the start and separates, or keeps its distance, is left
     * out of touching_pairs, contact rows, lists, groups and hashes. box_pairs counts it. Does not go with all_pairs
     * (ARGUMENT). Default: false, all that touch. */
    bool approaching;

    /* Also list the bodies in an order of space, that of the search's cells, from until = PAIRS on. Not for coherent
     * steps (ARGUMENT). Default: false. */
    bool list_order;

    /* 0. Later versions may give these bytes names and meanings. */
    uint8_t reserved_bytes[6];

    /* For bodies with shapes: shapes within this distance of each other count as touching, and t_toi is when they first
     * are so near. Boxes are those of shapes grown by half of it. Distance, normal and point are of the shapes
     * themselves. In units of length, finite, >= 0; 0 for bodies without shapes (ARGUMENT). Default: 0. */
    double margin;

    /* For bodies with shapes: how much wider than the truth a touch may be, relative to the smaller shape: the width of
     * brackets of pairs at rest, and the gap at t_toi of those that move. 2^-46 to 0.5; times of impact take 2^-40 for
     * less. 0, the default: 2^-20 in float and 2^-40 in double at rest, 1e-4 and 1e-9 in motion. 0 for bodies without
     * shapes (ARGUMENT). */
    double tolerance;
} carom_detect_config;

/* Bytes of carom_detect_summary.reason, the final '\0' included. */
enum { CAROM_REASON_MAX = 192 };

/* What every detection reports, whatever its precision. */
typedef struct carom_detect_summary {
    /* Pairs of overlapping boxes, >= 0. 0 if the call stopped before pairs. */
    uint64_t box_pairs;

    /* Pairs that touch in the step, 0 to box_pairs. 0 if the call stopped before approach. */
    uint64_t touching_pairs;

    /* Groups of two bodies or more, 0 to half the bodies. 0 if the call stopped before groups. */
    uint64_t groups;

    /* Bodies in the largest group, 2 to all; 0 if there is no group. */
    uint64_t largest_group;

    /* Hash of the touching (i, k) in any order; DESIGN.md defines it. 0 unless asked for. */
    uint64_t touching_hash;

    /* Hash of everything the call found, with pairs in any order; of the rows only where there are any, so it is another
     * one with count_only. 0 unless asked for, and of no bodies. */
    uint64_t result_hash;

    /* Pairs to store: the exact capacity needed, >= 0. CAPACITY sets it too, and so does MEMORY when the pairs are what
     * did not fit. */
    uint64_t required_pairs;

    /* On MEMORY, a memory limit in bytes, greater than the one that was too small. If required_pairs is set, the same
     * call succeeds under it in a new context. If memory ran out before the pairs were counted, the call gets further
     * under it, and nearly always as far as to count them: then one more limit suffices. 0 without error. */
    uint64_t required_bytes;

    /* Wall time of the whole call in seconds, >= 0. 0 with method "direct" for fewer than 64 bodies without hashes: to
     * look at the clock would take as long as the call. */
    double seconds;

    /* Wall time of each phase in seconds, >= 0; 0 from CAROM_PHASE_COUNT on, and with method "direct". */
    double phase_seconds[CAROM_PHASE_MAX];

    /* Bytes that each phase must at least read and write, by its data structures, >= 0; 0 from CAROM_PHASE_COUNT on,
     * and with method "direct". */
    double phase_bytes[CAROM_PHASE_MAX];

    /* "direct", "sweep", "cells", "levels", "shared" or "coherent", a constant string. NULL if the call looked for no
     * pairs. */
    const char *method;

    /* One line that ends in '\0': the method, its parameters, and the predicted costs that decided for it. */
    char reason[CAROM_REASON_MAX];

    /* 0. Later versions may give these words a name and a meaning. */
    uint64_t reserved[8];
} carom_detect_summary;

/* Groups of touching bodies. A body that touches nothing is its own label. Groups are in order of their label, and only
 * those of two bodies or more are listed. */
typedef struct carom_groups {
    /* Number of listed groups, 0 to half the bodies. */
    uint64_t count;

    /* The smallest body index in each body's group: one entry a body. NULL if the call stopped before groups. */
    const uint32_t *label;

    /* Where each group begins in `member`: count + 1 entries, ascending. Group g has member[offset[g]] to
     * member[offset[g + 1] - 1]. NULL unless asked for. */
    const uint64_t *offset;

    /* Body indices: offset[count] entries, ascending within each group. NULL unless asked for. */
    const uint32_t *member;
} carom_groups;

/* Every body's neighbours in the stored pairs, as compressed rows. All arrays are NULL unless asked for, and without
 * bodies.
 *
 * In a periodic box the row also says which image is meant. Let p = pair[n] be an entry's row in the list of body b. If
 * b is i[p], the neighbour is k's image at +shift, and the normal points from it to b. If b is only k[p], the neighbour
 * is i's image at -shift, and the normal points from b to it. A pair (b, b) has two entries in a full list, one after
 * the other, with the same row: the first stands for the image at +shift, the second for that at -shift. */
typedef struct carom_neighbours {
    /* Where each neighbour list begins: one entry more than there are bodies, ascending. The neighbours of body b are
     * body[offset[b]] to body[offset[b + 1] - 1]. */
    const uint64_t *offset;

    /* Body indices, ascending within each list. May be NULL when there are no pairs. */
    const uint32_t *body;

    /* The contact row that body[n] comes from: an index into the arrays of `contacts`, 0 to pair_count - 1. May be
     * NULL when there are no pairs. */
    const uint64_t *pair;
} carom_neighbours;

/* Results of one call. Every array belongs to the context and is valid until its next call or its end. Arrays that the
 * call was not asked for are NULL, and those of contacts may be NULL when pair_count is 0. */
typedef struct carom_detection_f32 {
    /* sizeof(carom_detection_f32), in bytes; 0: the members of version 0.2 (carom/version.h). The caller sets it, for
     * example with = {0}; the call keeps it. */
    size_t size;

    /* Counts, hashes, sizes and times of the call. */
    carom_detect_summary summary;

    /* Lower corners of the swept boxes: one entry a body and axis, in the caller's order and unit of length. Only with
     * until = BOUNDS. */
    const float *lo[3];

    /* Upper corners of the swept boxes, as lo; hi >= lo. */
    const float *hi[3];

    /* Contact rows: entries in each array of `contacts`, >= 0. */
    uint64_t pair_count;

    /* Pairs and their contacts. */
    carom_contacts_f32 contacts;

    /* Groups of touching bodies, with until = GROUPS. */
    carom_groups groups;

    /* Neighbour lists, with config.neighbours. */
    carom_neighbours neighbours;

    /* The bodies in the order of the search's cells, and in each cell along the longest way through it: one entry a
     * body, each body once. NULL unless asked for. A caller whose bodies stay about where they are may now and then
     * bring its arrays into this order: code that goes from a body to its neighbours then finds them in cache, and so
     * do calls of this library. No call needs to be told. Making the list takes some 30 nanoseconds a body, on one
     * thread. */
    const uint32_t *order;

    /* Of bodies whose shapes are compounds, the child that touches, of body i and of body k: one entry a contact row; 0
     * for other shapes. NULL if no body is a compound, or rows have no contacts. */
    const uint32_t *child_i;
    const uint32_t *child_k;
} carom_detection_f32;

/* The fields are as in carom_detection_f32, with double. lo and hi are float here too, rounded outward from the exact
 * box. */
typedef struct carom_detection_f64 {
    size_t size;
    carom_detect_summary summary;
    const float *lo[3];
    const float *hi[3];
    uint64_t pair_count;
    carom_contacts_f64 contacts;
    carom_groups groups;
    carom_neighbours neighbours;
    const uint32_t *order;
    const uint32_t *child_i;
    const uint32_t *child_k;
} carom_detection_f64;

/* Largest number of contact rows in a block. */
enum { CAROM_BLOCK_ROWS = 1024 };

/* A block of contact rows for a sink: part of what a call without a sink would store. Sorted by (task, part) and
 * joined, the blocks are exactly the contact rows of such a call. The blocks are the same for any number of threads. */
typedef struct carom_block_f32 {
    /* sizeof(carom_block_f32) of the library, in bytes: a later one may have more members, at the end. */
    size_t size;

    /* Number of the task that made the block, >= 0. */
    uint64_t task;

    /* Number of the block within its task: 0, 1, ... */
    uint64_t part;

    /* Contact rows: entries in each array of `contacts`, 1 to CAROM_BLOCK_ROWS. */
    uint32_t count;

    /* Pairs and their contacts. */
    carom_contacts_f32 contacts;

    /* As in carom_detection_f32. */
    const uint32_t *child_i;
    const uint32_t *child_k;
} carom_block_f32;

/* The fields are as in carom_block_f32, with double. */
typedef struct carom_block_f64 {
    size_t size;
    uint64_t task;
    uint64_t part;
    uint32_t count;
    carom_contacts_f64 contacts;
    const uint32_t *child_i;
    const uint32_t *child_k;
} carom_block_f64;

/* Takes a block and returns whether the detection shall go on. Working threads call the function while the detection is
 * under way: several at once, with blocks in any order, each block once. It must not use the context of the call.
 *
 * After false no thread that has noticed begins another block, but those at a block finish it. The detect call then
 * returns STOPPED. If a call fails, with STOPPED or any other error, the blocks taken before are not the whole result
 * and should be dropped.
 *
 *   user    sink_user of the call's output
 *   block   the block; the library owns it and its arrays, which are valid only until the function returns */
typedef bool carom_block_sink_f32(void *user, const carom_block_f32 *block);
typedef bool carom_block_sink_f64(void *user, const carom_block_f64 *block);

/* The caller's own arrays for results. Any may be NULL. They must not overlap the input. The call writes only what it
 * computes: no labels before groups, no times before approach, no pairs with count_only. The context keeps its own copy
 * all the same. If pair_capacity is too small, the call writes no contact rows and returns CAPACITY, and
 * summary.required_pairs says what is needed.
 *
 * A sink takes the pairs instead, and the call stores none: pair_count is 0 and the arrays of `contacts` are NULL. So a
 * call may find more pairs than memory holds. Counts, groups and hashes are those of the call without a sink. A sink
 * excludes arrays in `contacts`, count_only, sort_pairs and neighbours, which need stored pairs or say that none are
 * wanted. */
typedef struct carom_detect_output_f32 {
    /* sizeof(carom_detect_output_f32), in bytes; 0: the members of version 0.2 (carom/version.h). */
    size_t size;

    /* Entries in each of the arrays of `contacts`, >= 0. */
    uint64_t pair_capacity;

    /* Arrays that receive the contact rows; `shift` only in a periodic box. Any may be NULL. */
    carom_contacts_f32 contacts;

    /* Receives carom_groups.label: one entry a body. */
    uint32_t *label;

    /* Takes the pairs in blocks. NULL: the call stores pairs. */
    carom_block_sink_f32 *sink;

    /* The library hands this to `sink`. Any value. */
    void *sink_user;

    /* Receive carom_detection_f32.child_i and child_k: pair_capacity entries each. Not written where these are NULL. */
    uint32_t *child_i;
    uint32_t *child_k;
} carom_detect_output_f32;

/* The fields are as in carom_detect_output_f32, with double. */
typedef struct carom_detect_output_f64 {
    size_t size;
    uint64_t pair_capacity;
    carom_contacts_f64 contacts;
    uint32_t *label;
    carom_block_sink_f64 *sink;
    void *sink_user;
    uint32_t *child_i;
    uint32_t *child_k;
} carom_detect_output_f64;

/* Returns the default: until = GROUPS, touching pairs stored with their contacts, all pairs exist, open space; no
 * order, member lists, hashes or neighbour lists. */
static inline carom_detect_config carom_detect_config_default(void) {
    carom_detect_config config;
    memset(&config, 0, sizeof config);
    config.size = sizeof config;
    config.until = CAROM_UNTIL_GROUPS;
    return config;
}

/* Runs detection on the caller's bodies. On any error *detection is zero but for its size and the summary's required_*
 * fields, the context can be used again, and the caller's arrays are untouched, but for what CANCELLED may have left.
 *
 *   context     the context that owns workspace and results; it serves one call at a time
 *   bodies      the bodies of the step; 0 and 1 are no error: nothing is found
 *   config      what to compute; NULL: the default
 *   output      the caller's own arrays or sink; NULL: none
 *   detection   receives the results; its arrays belong to the context and are valid until its next call
 *   error       receives the details of a failure; may be NULL
 *
 * Errors:
 *   ARGUMENT   context, bodies, detection or an array of bodies is NULL (but see carom/bodies.h on curr and radius)
 *              a stride breaks the rules of carom/bodies.h, or radius and common_radius are both given
 *              the size of a struct is wrong (carom/version.h); of detection's, *detection is then untouched
 *              there are more than CAROM_BODIES_MAX bodies
 *              another call is using the context
 *              until, method or neighbours has a value that its type does not name
 *              neighbours with count_only, or a sink with what it excludes
 *              approaching with all_pairs
 *              margin is negative or not finite, tolerance is not 0 and not in its range, or one of them is not 0 and
 *              the bodies have no shapes
 *              filter->excluded is NULL although a list is not empty, or not NULL without offsets
 *              periodic has no axis, or edges that are not finite, span no volume or break another of its rules
 *              sort_pairs has more than 2^32 - 1 pairs to order
 *              sort_pairs in a periodic box has too many bodies and images for a 64-bit key (from 2^29 bodies on;
 *              in strongly tilted boxes, whose shifts are large, from fewer)
 *   BODY       a body has NaN, infinity or a negative radius. error names the lowest such body and its first bad field
 *              in the order prev, curr, radius. With shapes: also a shape that the table lacks or that is infinite, or
 *              a quaternion whose length is not 0.5 to 2; in the order shape, prev, prev_turn, curr, curr_turn or spin
 *              else: exclusion_offset of a body is greater than the next; error names the lowest such body
 *              else: an exclusion list names a body that does not exist; error names the lowest body with such a list
 *              periodic: a body is more than 1e9 boxes away, or without self_images its diameter is no less than the
 *              distance to its own image, or it reaches across so many boxes that bodies and images together would be
 *              more than CAROM_BODIES_MAX or lie more than 1e8 edges away (carom/periodic.h)
 *   MEMORY     there is no memory, or the limit is too low; summary.required_bytes is a limit to try next
 *   CAPACITY   output's arrays are too small; summary.required_pairs says what is needed
 *   STOPPED    the sink returned false
 *   CANCELLED  config's flag is raised, or its progress function returned something else than 0 (carom/control.h)
 *
 * Cost: O(N + box_pairs) on scenes of similar sizes. A swept box holds a body's whole path: where bodies go many times
 * as far as they are apart, box_pairs grows up to O(N^2). So if they all fly together, such as a swarm in orbit,
 * subtract the displacement that they share from curr, and add t_toi times it to point: times and pairs stay what they
 * are, but for rounding. If they fly apart, take shorter steps, or carom_step with CAROM_RESPONSE_REPORT, which takes
 * them by itself where space is open (carom/step.h). Once the buffers have grown, a call allocates nothing.
 *
 * Threads: a call may come from inside a parallel region of the caller's, and from a forked child (carom/context.h). */
CAROM_API carom_status carom_detect_f32(carom_context *context, const carom_bodies_f32 *bodies,
                                        const carom_detect_config *config, const carom_detect_output_f32 *output,
                                        carom_detection_f32 *detection, carom_error *error);
CAROM_API carom_status carom_detect_f64(carom_context *context, const carom_bodies_f64 *bodies,
                                        const carom_detect_config *config, const carom_detect_output_f64 *output,
                                        carom_detection_f64 *detection, carom_error *error);

/* Returns how many bytes are enough for a call of carom_detect, the context and results included, as
 * carom_context_config.memory_limit. (Without a limit buffers grow with room to spare, and a context may hold up to
 * twice as much.) In open space the bound grows with each of its numbers. The standard scenes of 10,000 bodies and more
 * need at least 1 / 1.3 of it; with until = PAIRS half of it.
 *
 * Bodies with shapes need 112 bytes more each (f64, or in a periodic box: 160), 776 KiB more a thread, and compounds 60
 * bytes more a row. With several threads they need another 40 bytes a body, 80 a row and 400 KiB a thread.
 *
 * The bound does not know the bodies. A call may need more with METHOD_LEVELS or METHOD_SHARED, and where some places
 * are far more crowded than others, or sizes differ much: it searches such parts of a scene apart, with buffers of their
 * own. In a periodic box the number of images is estimated from the box and the numbers of bodies and pairs; there may
 * be more where sizes differ much. A call that needs more than its memory limit fails with MEMORY and a required_bytes
 * (see there).
 *
 *   context   lends its number of threads; it may have a limit of its own, and may be in use by a call
 *   count     bodies, 0 to CAROM_BODIES_MAX
 *   pairs     contact rows: required_pairs of an earlier call, or as many as are expected, >= 0. With count_only only
 *             the estimate of images uses them. With a sink: as with count_only, and 160 KiB a thread more
 *   config    what the call computes; NULL: the default
 *
 * Errors: returns 0 if context is NULL or config is none that carom_detect takes, UINT64_MAX if the bound is more than
 * that or there are too many bodies.
 *
 * Threads: any number at once. Cost: some microseconds at most. */
CAROM_API uint64_t carom_detect_memory_f32(const carom_context *context, uint64_t count, uint64_t pairs,
                                           const carom_detect_config *config);
CAROM_API uint64_t carom_detect_memory_f64(const carom_context *context, uint64_t count, uint64_t pairs,
                                           const carom_detect_config *config);

#ifdef __cplusplus
}
#endif

#endif
