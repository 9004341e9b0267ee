/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Swept-sphere detection: every pair of bodies that touches during one step, when, where, and in which
 * group. The stages run in this order and a call may stop after any of them:
 *
 *   bounds    swept boxes: lo = min(prev, curr) - r, hi = max(prev, curr) + r, rounded outward to float
 *   pairs     all pairs whose boxes overlap (closed: lo_i <= hi_k and hi_i >= lo_k on all axes)
 *   approach  which of them touch in the step, and the contact of each that does
 *   groups    connected components of the touching pairs
 *
 * With p = prev_i - prev_k, v = (curr_i - curr_k) - p, R = r_i + r_k, a pair touches iff the least distance
 * |p + t v| over t in [0, 1] is at most R. Per contact (i < k always):
 *   t_ca      time of closest approach, clamp(-(p.v)/(v.v), 0, 1), 0 when v = 0
 *   distance  |p + t_ca v|, between centres
 *   t_toi     time of impact: the first t in [0, 1] with |p + t v| <= R; 0 if they touch at the start
 *   normal    unit vector from k to i at t_toi; (1, 0, 0) when the centres coincide
 *   point     on the line of centres at t_toi, at x_k + normal (r_k + gap/2), gap = |p + t_toi v| - R: midway
 *             between the surfaces, so on both of them when they just touch
 * Times are fractions of the step; lengths are in the caller's unit.
 *
 * Which pairs touch is decided as exact arithmetic on the inputs decides it, for floats and doubles over their whole
 * finite range: from doubles where a proved bound of their error allows, which is nearly always, else in integers as
 * long as it takes. t_toi is never late and never NaN for a pair that touches: 0 <= t_toi <= the exact time, and early
 * by at most
 *     2^-37 (|p|^2 + R^2 + |p||v|) / -(p.v), and a rounding down of 2^-51 of itself      (f64)
 *     2^-27 of the same, and 2^-23 of itself                                              (f32)
 * and it is 0 below the normal range. Near a graze, and where a number of 24 (f64: 27) bits lies just above, it is
 * taken from integers, so that simple scenes tend to have simple times. |p + t v| then exceeds R by at most 2^-43 (|p|
 * + |v| + R)^2 |p||v| / (-R (p.v)), nothing if R is 0, and what rounding t makes: 2^-50 t |v| in f64, 2^-22 t |v| in
 * f32, all of t |v| where the time became 0.
 *
 * The other fields are computed in double for both precisions, as if exponents had no limits, so that bodies may be of
 * any finite size and any distance apart. First p_a and R are each rounded once, and v_a twice: by 2^-53 |p_a|, 2^-53 R
 * and 2^-52 (|p_a| + |v_a|). For these p, v and R and t = t_toi,
 *     t_ca       is off by at most 2^-50 (sum over a of |p_a v_a|) / v.v before it is clamped
 *     distance   by 2^-49 |p|
 *     normal     by 2^-50 (1 + t |v| / |p + t v|) in each component, by 2^-50 in length
 *     point      by 2^-50 (|prev_k| + |curr_k| on its axis + R + |p| + t |v|) in each coordinate, given the normal
 * in f64. f32 results are rounded once at the end, and so is t_toi: read 2^-21 for 2^-50, 2^-20 for 2^-49 and
 * t_toi + 2^-103 for t. Results below the least number of the precision become it or 0; those beyond the largest become
 * infinite. Only t_toi is ever NaN.
 *
 * Nothing depends on the caller's rounding mode, flush-to-zero or trap settings: calls set their own on every thread
 * they use and restore what was set. Functions of the caller's (sink, predicate, allocator) run with the library's.
 *
 * In a periodic box (config.periodic) body k stands for each of its images x_k + sum over a of s_a edge[a], s_a whole
 * numbers, 0 where space is open. Every image that overlaps or touches is a pair of its own, with s as its shift; i < k
 * and all of the above hold with that image for k, the point being where the caller has body i. A body never pairs with
 * its own image. Each pair and image counts in box_pairs and touching_pairs; touching_hash sums over them, of (i, k)
 * alone. Groups are of bodies. Positions may be up to 1e9 boxes from the origin. They are moved into one cell, in
 * double, and an image is one more such sum: each costs a rounding of the size of the displacement, and times and
 * decisions are exact for positions so moved (which all are where the sums are exact). Floats are treated as doubles
 * and results rounded once. until = BOUNDS looks at no box.
 *
 * Results are the same bits for every thread count, instruction set, compiler and optimisation level, in the same
 * order.
 * Sources: swept-sphere detection after Schroeder (2001); sort-and-sweep after Baraff (1992); union-find by
 * compare-and-swap after Anderson and Woll (1991). */
#ifndef CAROM_DETECT_H
#define CAROM_DETECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/bodies.h"
#include "carom/context.h"
#include "carom/export.h"
#include "carom/filter.h"
#include "carom/periodic.h"
#include "carom/status.h"

typedef enum carom_until {
    CAROM_UNTIL_BOUNDS,
    CAROM_UNTIL_PAIRS,
    CAROM_UNTIL_APPROACH,
    CAROM_UNTIL_GROUPS
} carom_until;

/* How bodies are searched for overlapping boxes. All find the same pairs; they differ in speed. */
typedef enum carom_method {
    CAROM_METHOD_AUTO,   /* the one with the least predicted cost */
    CAROM_METHOD_SWEEP,  /* sort and sweep along one axis: few bodies, or all on one line */
    CAROM_METHOD_CELLS,  /* sort and sweep within cells no narrower than the widest box */
    CAROM_METHOD_LEVELS, /* cells for the narrow boxes, which the wide ones visit; those among themselves likewise */
    CAROM_METHOD_SHARED  /* boxes in every cell they reach: for boxes long on differing axes */
} carom_method;

/* Lists of neighbours to be made from the stored pairs. */
typedef enum carom_neighbour_list {
    CAROM_NEIGHBOURS_NONE,
    CAROM_NEIGHBOURS_HALF, /* a pair (i, k), i < k, is in the row of i only */
    CAROM_NEIGHBOURS_FULL  /* it is in both rows */
} carom_neighbour_list;

typedef struct carom_detect_config {
    size_t size;         /* sizeof(carom_detect_config), set by the default */
    carom_until until;   /* last stage to run; default CAROM_UNTIL_GROUPS */
    carom_method method; /* default CAROM_METHOD_AUTO. Another is taken where the scene allows it: with cells that would
                            not be narrower than the scene the sweep is, with boxes of one size levels are cells */
    bool count_only;     /* store no pairs or contacts, only count them (groups still work); default false */
    bool all_pairs;      /* approach and groups: keep a contact for every box pair, t_toi = NaN and normal, point = 0
                            where the pair does not touch; default false: touching pairs only */
    bool sort_pairs;     /* order pairs by (i, k), and by shift in a periodic box, at most 2^32 - 1 of them (ARGUMENT);
                            default false: the sweep's order */
    bool group_members;  /* also list the members of every group; default false */
    bool hash;           /* also compute touching_hash and result_hash; default false */
    const carom_periodic *periodic;  /* the box in which space repeats; default NULL: open space */
    const carom_filter *filter;      /* which pairs exist; default NULL: all */
    carom_neighbour_list neighbours; /* also list every body's neighbours, from until = PAIRS on; default NONE */
} carom_detect_config;

/* Where the time goes. The phases inside a cell (sort, sweep, approach, part of groups) alternate on every
 * thread; their share of the stage's wall time is their share of the threads' summed time. */
typedef enum carom_phase {
    CAROM_PHASE_BOUNDS,    /* reading and checking the bodies, swept extents (with until = BOUNDS: the boxes); coherent
                              steps check while they file */
    CAROM_PHASE_PARTITION, /* filing every body into its cell: codes, histogram, scatter, and what filters test */
    CAROM_PHASE_SORT,      /* per cell: ordering along the sweep axis, structure of arrays, boxes */
    CAROM_PHASE_SWEEP,     /* per cell: overlapping boxes, filters */
    CAROM_PHASE_APPROACH,  /* per cell: who touches, and the contacts, and the sink */
    CAROM_PHASE_GROUPS,    /* union-find, labels, sizes, member lists */
    CAROM_PHASE_COLLECT,   /* placing rows, ordering by (i, k), neighbours, copying out, hashes */
    CAROM_PHASE_COUNT
} carom_phase;

/* "bounds", "partition", ...; NULL for values outside the enum. */
CAROM_API const char *carom_phase_name(carom_phase phase);

enum { CAROM_REASON_MAX = 192 };

/* What every detection reports, whatever its precision. */
typedef struct carom_detect_summary {
    uint64_t box_pairs;      /* pairs of overlapping boxes; 0 if stopped before */
    uint64_t touching_pairs; /* pairs that touch in the step; 0 if stopped before */
    uint64_t groups;         /* groups of two bodies or more; 0 if stopped before */
    uint64_t largest_group;  /* bodies in the largest of them, or 0 */
    uint64_t touching_hash;  /* order-free hash of the touching (i, k), see DESIGN.md; 0 unless asked for */
    uint64_t result_hash;    /* order-free hash of everything the call found; 0 unless asked for */
    uint64_t required_pairs; /* pairs to be stored: the exact capacity needed; also set on CAPACITY and, when the
                                pairs are what did not fit, on MEMORY */
    uint64_t
        required_bytes; /* on MEMORY: with required_pairs set, a memory limit under which the same call succeeds; before
                           the pairs could be counted, one under which it gets further. 0 if unknown or no error */
    double seconds;     /* wall time of the whole call */
    double phase_seconds[CAROM_PHASE_COUNT];
    double phase_bytes[CAROM_PHASE_COUNT]; /* bytes the phase must at least read and write, by its data structures */
    const char *method;            /* "sweep", "cells", "levels" or "shared"; NULL if no pairs were looked for */
    char reason[CAROM_REASON_MAX]; /* one line: the method, its parameters and the predicted costs it was chosen by */
} carom_detect_summary;

/* Groups of touching bodies. label has one entry a body; a body that touches nothing is its own label.
 * Members of group g, ascending, are member[offset[g]] .. member[offset[g + 1] - 1]; groups are in order of
 * their label, and only groups of two or more are listed. offset and member are NULL unless asked for. */
typedef struct carom_groups {
    uint64_t count;
    const uint32_t *label; /* smallest body index in the body's group; NULL if stopped before groups */
    const uint64_t *offset;
    const uint32_t *member;
} carom_groups;

/* Every body's partners in the stored pairs, as compressed rows: those of body b are body[offset[b]] ..
 * body[offset[b + 1] - 1], ascending, and pair[n] is the row of the detection's pair arrays that body[n] comes from.
 * offset has one entry more than there are bodies. All NULL unless asked for, and without bodies; body and pair may be
 * when there are no pairs. */
typedef struct carom_neighbours {
    const uint64_t *offset;
    const uint32_t *body;
    const uint64_t *pair;
} carom_neighbours;

/* Results of one call. Every array belongs to the context and is valid until its next call or its end.
 * Arrays the call was not asked for are NULL, and those of pairs may be when pair_count is 0. After until = PAIRS only
 * i and k are set. */
typedef struct carom_detection_f32 {
    carom_detect_summary summary;
    const float *lo[3]; /* swept bounds in the caller's order, only with until = BOUNDS */
    const float *hi[3];
    uint64_t pair_count; /* entries in the arrays below */
    const uint32_t *i;
    const uint32_t *k;
    const float *t_ca;
    const float *distance;
    const float *t_toi;
    const float *normal[3];
    const float *point[3];
    const int32_t *shift[3]; /* of body k's image, in edges a of the periodic box; NULL in open space */
    carom_groups groups;
    carom_neighbours neighbours;
} carom_detection_f32;

typedef struct carom_detection_f64 {
    carom_detect_summary summary;
    const float *lo[3]; /* float in both precisions: rounded outward from the exact box */
    const float *hi[3];
    uint64_t pair_count;
    const uint32_t *i;
    const uint32_t *k;
    const double *t_ca;
    const double *distance;
    const double *t_toi;
    const double *normal[3];
    const double *point[3];
    const int32_t *shift[3];
    carom_groups groups;
    carom_neighbours neighbours;
} carom_detection_f64;

/* Pairs on their way to the caller, in place of stored ones: what a call would have stored, a block at a time. Sorted
 * by (task, part) the blocks, one after the other, are the very rows of a call that stores them, for any number of
 * threads; which blocks there are is the same, too. After until = PAIRS only i and k, and shift in a periodic box, are
 * set. */
enum { CAROM_BLOCK_ROWS = 1024 };

typedef struct carom_block_f32 {
    uint64_t task;
    uint64_t part;  /* 0, 1, ... within the task */
    uint32_t count; /* entries in the arrays below, 1 to CAROM_BLOCK_ROWS */
    const uint32_t *i;
    const uint32_t *k;
    const float *t_ca;
    const float *distance;
    const float *t_toi;
    const float *normal[3];
    const float *point[3];
    const int32_t *shift[3]; /* of body k's image in a periodic box; NULL in open space */
} carom_block_f32;

typedef struct carom_block_f64 {
    uint64_t task;
    uint64_t part;
    uint32_t count;
    const uint32_t *i;
    const uint32_t *k;
    const double *t_ca;
    const double *distance;
    const double *t_toi;
    const double *normal[3];
    const double *point[3];
    const int32_t *shift[3]; /* of body k's image in a periodic box; NULL in open space */
} carom_block_f64;

/* Takes a block; *block and its arrays are the library's and valid during the call only. Called from the working
 * threads, several at once, in any order of blocks, while the detection is under way; it must not use its context.
 * Every block comes once. Returning false stops the detection: no thread begins another block once it has noticed
 * (those that are at one finish it), and the detect call returns STOPPED. What was taken before a call fails, with
 * STOPPED or any other error, is not the whole result and should be dropped. */
typedef bool carom_block_sink_f32(void *user, const carom_block_f32 *block);
typedef bool carom_block_sink_f64(void *user, const carom_block_f64 *block);

/* Arrays of the caller's to be filled besides the context's own. Any may be NULL. The pair arrays hold
 * pair_capacity entries each; when that is too few the call returns CAPACITY, none of them is written, and
 * summary.required_pairs says what is needed. label holds one entry a body. They must not overlap the input. What a
 * call does not compute it does not write: labels before groups, times before approach, no pairs with count_only. The
 * context keeps its own copy all the same.
 *
 * With a sink pairs go there instead: nothing of them is stored (pair_count is 0, their arrays NULL), so that a call
 * may find more of them than memory holds; counts, groups and hashes are those of the call without it. A sink excludes
 * pair arrays, count_only, sort_pairs and neighbours, which need pairs stored or say that none are wanted. */
typedef struct carom_detect_output_f32 {
    uint64_t pair_capacity;
    uint32_t *i;
    uint32_t *k;
    float *t_ca;
    float *distance;
    float *t_toi;
    float *normal[3];
    float *point[3];
    int32_t *shift[3]; /* written only in a periodic box */
    uint32_t *label;
    carom_block_sink_f32 *sink; /* NULL: pairs are stored */
    void *sink_user;            /* handed to it */
} carom_detect_output_f32;

typedef struct carom_detect_output_f64 {
    uint64_t pair_capacity;
    uint32_t *i;
    uint32_t *k;
    double *t_ca;
    double *distance;
    double *t_toi;
    double *normal[3];
    double *point[3];
    int32_t *shift[3];
    uint32_t *label;
    carom_block_sink_f64 *sink; /* NULL: pairs are stored */
    void *sink_user;            /* handed to it */
} carom_detect_output_f64;

/* until = GROUPS, touching pairs stored with their contacts, no order, no member lists, no hash, all pairs, no lists
 * of neighbours. */
CAROM_API carom_detect_config carom_detect_config_default(void);

/* Runs detection on the caller's bodies. config NULL means the default; output and error may be NULL.
 *
 * Errors: ARGUMENT (a NULL context, bodies, array or detection; config->size or filter->size wrong; more than
 * CAROM_BODIES_MAX bodies; neighbours with count_only; a sink with what excludes it; excluded NULL although a row is
 * not empty, or not NULL without offsets), BODY (NaN, infinity or a negative radius: the lowest such body and its first
 * bad field in the order prev, curr, radius; else the lowest body whose exclusion_offset is greater than the next, else
 * whose row of excluded names a body that there is not), MEMORY, CAPACITY, STOPPED. With config->periodic
 * also ARGUMENT (its size wrong, no axis, edges that are not finite or span no volume; with sort_pairs, too many bodies
 * and images for a 64-bit key, from 2^29 bodies on) and BODY (a body more than 1e9 boxes away; one whose
 * diameter is no less than the distance from its own image; one that moves across so many boxes that the images would
 * pass CAROM_BODIES_MAX). On any error the caller's arrays are untouched, *detection is zero but for the summary's
 * required_* fields, and the context can be used again. No bodies, or one, is no error: nothing is found.
 *
 * Cost: O(N) on scenes of bounded density and similar sizes; once the buffers have grown, a call allocates
 * nothing. Threads: one call at a time a context; may be called from inside a parallel region of the
 * caller's, and in a forked child (where starting threads anew costs about a millisecond a call). */
CAROM_API carom_status carom_detect_f32(carom_context *context, const carom_bodies_f32 *bodies,
                                        const carom_detect_config *config, const carom_detect_output_f32 *output,
                                        carom_detection_f32 *detection, carom_error *error);
CAROM_API carom_status carom_detect_f64(carom_context *context, const carom_bodies_f64 *bodies,
                                        const carom_detect_config *config, const carom_detect_output_f64 *output,
                                        carom_detection_f64 *detection, carom_error *error);

#endif
