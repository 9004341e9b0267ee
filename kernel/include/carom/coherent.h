/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Coherent detection gives the results of carom_detect step after step. Where scenes change little from one step to the
 * next, it does so at a part of the cost.
 *
 * Three things are kept between steps: the bodies' order in space, a fat box for every body, and a list of all pairs
 * whose fat boxes overlap. The swept box of a body should stay in its fat box for some steps: the fat box is the body's
 * own path drawn out, with a margin all around. Each step checks whether every swept box lies inside its fat box. As
 * long as it does, no other pair of boxes can overlap, and only the pairs on the list are tested. A body outside gets a
 * larger fat box, and the list gets the pairs that come with it. A step rebuilds the list when that would cost more
 * than a rebuild, or when the number of bodies has changed. The cost of earlier steps decides how many steps ahead fat
 * boxes reach, and how wide their margin is.
 *
 * Where bodies go so far in a step that lists cost more than they save, steps are cold: they do what carom_detect does.
 * Meanwhile a few sampled bodies show what a list would have cost, so that lists come back when motion slows down. All
 * costs are counted, never timed: on every machine the same steps are cold or rebuild, and rows have the same order.
 *
 * Steps of bodies with shapes are always cold, whatever steps_ahead is: most of their time goes into distances and
 * times of impact, which a list does not save.
 *
 * In a periodic box the list also has pairs of bodies with images. Bodies may fly on through the faces, or their caller
 * may move them back by whole edges: both cost little, and neither is an event. Where boxes there are beyond float's
 * range, box pairs and result_hash may differ from those of carom_detect, for images that only the list has; contacts
 * and groups do not.
 *
 * Fat boxes reach along the path within a step, prev to curr. A few sampled bodies show whether bodies go farther
 * between steps than their paths say, as those do that are at rest in every step (curr NULL) and have moved by the
 * next. Then the margin covers that way, on all sides. It costs more pairs: if you know where bodies are going, say so
 * by curr.
 *
 * A step assumes nothing about its bodies: they may jump, grow, appear and vanish. That costs time, never a pair. prev
 * of a step need not be curr of the step before.
 *
 * Sources: neighbour lists with a margin after Verlet (1967); temporal coherence in sweep-and-prune after Baraff (1992)
 * and Cohen et al. (1995); fat boxes along the motion as in kinetic data structures (Basch et al. 1999). */
#ifndef CAROM_COHERENT_H
#define CAROM_COHERENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "carom/detect.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carom_coherent_config {
    /* sizeof(carom_coherent_config), in bytes. carom_coherent_config_default() sets it. */
    size_t size;

    /* Also list the pairs that began or stopped touching, and look for them in cold steps too. Default: false, only
     * count them, in steps with a list. */
    bool events;

    /* Steps ahead that fat boxes reach, 0 to CAROM_STEPS_AHEAD_MAX. 0, the default: chosen by cost. Otherwise every
     * step has a list, whatever it costs, but for bodies with shapes, and for periodic boxes so small that fat boxes
     * would have many images each.
     * The list grows with about the cube of the distance that fat boxes reach, so with a large number steps can cost
     * far more than carom_detect. */
    uint32_t steps_ahead;
} carom_coherent_config;

/* Largest number of steps ahead. */
enum { CAROM_STEPS_AHEAD_MAX = 1024 };

/* What a step did, and how its touching pairs differ from those of the step before. Two indices identify a pair. So the
 * pairs of bodies that no longer exist have ended, and so have pairs that a filter no longer passes. In a periodic box
 * two bodies that touch by several images are one pair, and they touch as long as any image does; there may be fewer
 * pairs than contacts.
 * With config.until < CAROM_UNTIL_APPROACH the counts of events are 0 and their lists NULL.
 *
 * Some steps are not compared with the step before (`compared`). In these every pair counts as begun:
 *
 *   - the first step, and one after reset, after a step without bodies, after MEMORY, after CANCELLED, and after
 *     ARGUMENT because of too many pairs
 *   - one after a step with config.until < CAROM_UNTIL_APPROACH, even if that failed
 *   - without carom_coherent_config.events: a cold step and the step after it, because a comparison would cost a cold
 *     step more than a tenth of its time; in a periodic box all steps
 *   - a step after one in open space, if this one is in a periodic box, or the other way round; also if the one before
 *     failed
 *   - with events: a cold step that lacks memory for the comparison alone, or in which 2^32 - 1 pairs or more touch,
 *     and the step after it. The results of the cold step are complete, but its lists of events are NULL */
typedef struct carom_coherent_report {
    /* sizeof(carom_coherent_report), in bytes; 0: the members of version 0.2 (carom/version.h). The caller sets it, for
     * example with = {0}; the call keeps it. */
    size_t size;

    /* Whether this step rebuilt the list. */
    bool rebuilt;

    /* Whether this step was cold: it followed no list, because a list would have cost more. Then candidates, escapes,
     * steps_ahead and margin are 0, and rebuilt is false. */
    bool cold;

    /* Whether this step was compared with the step before. If not, every pair counts as begun. */
    bool compared;

    /* Number of rebuilds so far, with this step's, >= 0. */
    uint64_t rebuilds;

    /* Pairs on the list, 0 to 2^32 - 2; 0 in a cold step. */
    uint64_t candidates;

    /* Bodies that were outside their fat box in this step and got a larger one, 0 to all. */
    uint64_t escapes;

    /* Steps ahead that fat boxes reach, 0 to CAROM_STEPS_AHEAD_MAX. */
    uint32_t steps_ahead;

    /* Mean distance by which fat boxes reach beyond swept boxes, in the caller's unit of length, >= 0. */
    double margin;

    /* Pairs that touch now and did not in the step before, >= 0. All that touch, if the step was not compared: then, in
     * a periodic box and without carom_coherent_config.events, all contacts. */
    uint64_t begun;

    /* Pairs that touch now and did in the step before, >= 0. */
    uint64_t persisted;

    /* Pairs that touched in the step before and do not now, >= 0. */
    uint64_t ended;

    /* Lower body of each begun pair: `begun` indices, in no particular order. This and the next three arrays are NULL
     * unless carom_coherent_config.events is set, and valid until the next call. */
    const uint32_t *begun_i;

    /* Higher body of each begun pair: `begun` indices, begun_i < begun_k. */
    const uint32_t *begun_k;

    /* Lower body of each ended pair: `ended` indices, in no particular order. */
    const uint32_t *ended_i;

    /* Higher body of each ended pair: `ended` indices, ended_i < ended_k. */
    const uint32_t *ended_k;
} carom_coherent_report;

typedef struct carom_coherent_f32 carom_coherent_f32;
typedef struct carom_coherent_f64 carom_coherent_f64;

/* Returns the default: no lists of events, steps ahead chosen by cost. */
static inline carom_coherent_config carom_coherent_config_default(void) {
    carom_coherent_config config;
    memset(&config, 0, sizeof config);
    config.size = sizeof config;
    return config;
}

/* Creates what is kept between steps, empty. On error *coherent is NULL. One context may serve several of them, and
 * carom_detect in between, one call at a time.
 *
 *   context    lends threads, instruction set and memory account; must outlive *coherent
 *   config     what to report and how far to look ahead; NULL: the default
 *   coherent   receives the state, which carom_coherent_destroy releases
 *   error      receives the details of a failure; may be NULL
 *
 * Errors: ARGUMENT (context or coherent is NULL, config->size is wrong, config->steps_ahead is too large), MEMORY. */
CAROM_API carom_status carom_coherent_create_f32(carom_context *context, const carom_coherent_config *config,
                                                 carom_coherent_f32 **coherent, carom_error *error);
CAROM_API carom_status carom_coherent_create_f64(carom_context *context, const carom_coherent_config *config,
                                                 carom_coherent_f64 **coherent, carom_error *error);

/* Releases the state and all its memory.
 *
 *   coherent   the state, not during a step; NULL is allowed */
CAROM_API void carom_coherent_destroy_f32(carom_coherent_f32 *coherent);
CAROM_API void carom_coherent_destroy_f64(carom_coherent_f64 *coherent);

/* Forgets the step before and releases the memory kept for it. The next call starts afresh.
 *
 *   coherent   the state, not during a step; NULL is allowed */
CAROM_API void carom_coherent_reset_f32(carom_coherent_f32 *coherent);
CAROM_API void carom_coherent_reset_f64(carom_coherent_f64 *coherent);

/* Runs carom_detect on the bodies of one step: same arguments, results, counts, hashes and errors, and contacts with
 * the same bits. Only the order of the pairs differs. It is the list's own order, in a cold step that of carom_detect;
 * both are the same for every number of threads and instruction set. sort_pairs gives the order (i, k).
 *
 * Event lists and, but for cold steps, labels belong to `coherent`, all other arrays to the context. All are valid
 * until the next call of either.
 *
 *   coherent    the state from the steps before; it serves one call at a time
 *   bodies      the bodies of this step; 0 and 1 are no error
 *   config      as in carom_detect; NULL: the default. The filter may be another in each step, or none: the list holds
 *               all pairs, whichever pass. A periodic box may be another in each step, too; then the list is made
 *               anew. periodic->self_images is an error
 *   output      as in carom_detect; NULL: none. A sink must not use `coherent` either
 *   detection   receives the results
 *   report      receives what the step did; may be NULL
 *   error       receives the details of a failure; may be NULL
 *
 * Errors: those of carom_detect, and ARGUMENT for periodic->self_images and for a list without room for an eighth more
 * than its pairs, which are more than some 3.8e9, fewer in a periodic box. On error the caller's arrays are as after
 * carom_detect and *report is zero but for its size. After MEMORY, and after a
 * list of too many pairs, the next call starts afresh. So it does after CANCELLED, as if carom_coherent_reset had been
 * called, but for the memory, which is kept if there is no limit. After all other errors the steps go on from the last
 * that succeeded.
 *
 * Cost: a step with a list takes O(N + pairs on the list), and one that rebuilds two to four times as long as
 * carom_detect. Fat boxes lie in the caller's frame: from bodies that all fly together subtract what they share, as
 * for carom_detect, from prev and curr alike, and lists last. On one thread a mean step, rebuilds included, takes 0.3
 * to 1.05 of the time of carom_detect on the standard scenes where bodies go 0.01 to 0.025 radii a step along prev to
 * curr, and at most 1.15 of it at any displacement (bench/results/measurements.md, also for bodies without curr). With
 * carom_coherent_config.events a cold step takes 1.15 to 1.7 times as long as carom_detect. Once buffers have grown, a
 * step that follows a list allocates nothing. Each rebuild and each cold step leaves room for an eighth more contact
 * rows than it found, unless there is a memory limit. */
CAROM_API carom_status carom_coherent_detect_f32(carom_coherent_f32 *coherent, const carom_bodies_f32 *bodies,
                                                 const carom_detect_config *config,
                                                 const carom_detect_output_f32 *output, carom_detection_f32 *detection,
                                                 carom_coherent_report *report, carom_error *error);
CAROM_API carom_status carom_coherent_detect_f64(carom_coherent_f64 *coherent, const carom_bodies_f64 *bodies,
                                                 const carom_detect_config *config,
                                                 const carom_detect_output_f64 *output, carom_detection_f64 *detection,
                                                 carom_coherent_report *report, carom_error *error);

/* Returns how many bytes are enough for steps of coherent detection, whether they build a list, follow one or are cold:
 * a bound like carom_detect_memory's, for context and `coherent` together. After MEMORY, summary.required_bytes says
 * what is enough, as after carom_detect.
 *
 *   context      lends its number of threads
 *   count        bodies, 0 to CAROM_BODIES_MAX
 *   candidates   pairs on the list: carom_coherent_report.candidates of earlier steps, or as many as are expected,
 *                0 to 2^32 - 2. There are at least as many as pairs of overlapping boxes. If all steps are cold, the
 *                number of contact rows will do
 *   pairs        contact rows of a step, 0 to candidates
 *   config       what a step computes; NULL: the default
 *   coherent     what carom_coherent_create was given; NULL: the default
 *
 * Errors: returns 0 if context is NULL or a config is none that the calls take, UINT64_MAX if the bound is more than
 * that or a number is out of its range.
 *
 * Threads: any number at once. Cost: some microseconds at most. */
CAROM_API uint64_t carom_coherent_memory_f32(const carom_context *context, uint64_t count, uint64_t candidates,
                                             uint64_t pairs, const carom_detect_config *config,
                                             const carom_coherent_config *coherent);
CAROM_API uint64_t carom_coherent_memory_f64(const carom_context *context, uint64_t count, uint64_t candidates,
                                             uint64_t pairs, const carom_detect_config *config,
                                             const carom_coherent_config *coherent);

#ifdef __cplusplus
}
#endif

#endif
