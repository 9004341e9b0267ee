/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Detection step after step, for scenes that change little from one to the next: the results of carom_detect at a
 * part of its cost.
 *
 * What is kept between steps: the bodies' order in space; for every body a hull, a box that its swept box is promised
 * to stay in for some steps (its own path drawn out, and a margin all around); and the list of all pairs whose hulls
 * overlap. While every swept box lies inside its hull, which is checked for each body in each step, no other pair of
 * boxes can overlap, and only the pairs of the list are looked at. A body found outside gets a larger hull and the
 * pairs that come with it; when that would cost more than starting afresh, or the number of bodies has changed, the
 * list is rebuilt. How far ahead hulls reach, and their margin, follow from the cost of the steps before.
 *
 * Nothing is assumed about the bodies of a step: they may jump, grow, appear and vanish. That costs time, never a
 * pair. prev of a step need not be curr of the step before.
 *
 * Sources: neighbour lists with a margin after Verlet (1967); temporal coherence in sweep-and-prune after Baraff
 * (1992) and Cohen et al. (1995); hulls along the motion as in kinetic data structures (Basch et al. 1999). */
#ifndef CAROM_COHERENT_H
#define CAROM_COHERENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/detect.h"

typedef struct carom_coherent_config {
    size_t size;      /* sizeof(carom_coherent_config), set by the default */
    bool events;      /* also list the pairs that began and ended to touch; default false: only count them */
    uint32_t horizon; /* steps that hulls reach ahead, at most CAROM_HORIZON_MAX; 0: chosen by cost; default 0 */
} carom_coherent_config;

enum { CAROM_HORIZON_MAX = 1024 };

/* What a step did, and its touching pairs against those of the step before. A pair is known by its two indices, so
 * pairs of bodies that are no more have ended, and so have those that a filter lets through no longer. The first step,
 * one after reset, one after until < APPROACH and one after an error other than CAPACITY, BODY and STOPPED have none
 * before them: all pairs begin. Counts and lists are those of a call with until >= APPROACH; else 0 and NULL. */
typedef struct carom_coherent_report {
    bool rebuilt;        /* the list was made anew */
    uint64_t rebuilds;   /* how often so far, this step's included */
    uint64_t candidates; /* pairs on the list */
    uint64_t escapes;    /* bodies found outside their hull in this step and given a larger one */
    uint32_t horizon;    /* steps that hulls reach ahead */
    double margin;       /* mean distance by which hulls go beyond boxes, in the caller's unit of length */
    uint64_t begun;
    uint64_t persisted;
    uint64_t ended;
    const uint32_t *begun_i; /* i < k; in no particular order; NULL unless asked for; valid until the next call */
    const uint32_t *begun_k;
    const uint32_t *ended_i;
    const uint32_t *ended_k;
} carom_coherent_report;

typedef struct carom_coherent_f32 carom_coherent_f32;
typedef struct carom_coherent_f64 carom_coherent_f64;

/* No lists of events, horizon chosen by cost. */
CAROM_API carom_coherent_config carom_coherent_config_default(void);

/* Creates what is kept between steps, empty. config NULL means the default; error may be NULL. It uses the context's
 * threads, instruction set and memory account, and must be destroyed before it. A context may serve several, and
 * carom_detect in between; one call at a time.
 * Errors: ARGUMENT (context or coherent NULL, config->size wrong, horizon too large), MEMORY. On error *coherent is
 * NULL. */
CAROM_API carom_status carom_coherent_create_f32(carom_context *context, const carom_coherent_config *config,
                                                 carom_coherent_f32 **coherent, carom_error *error);
CAROM_API carom_status carom_coherent_create_f64(carom_context *context, const carom_coherent_config *config,
                                                 carom_coherent_f64 **coherent, carom_error *error);

/* Releases it. NULL is allowed. */
CAROM_API void carom_coherent_destroy_f32(carom_coherent_f32 *coherent);
CAROM_API void carom_coherent_destroy_f64(carom_coherent_f64 *coherent);

/* Forgets the step before and gives back the memory; the next call starts afresh. NULL is allowed. */
CAROM_API void carom_coherent_reset_f32(carom_coherent_f32 *coherent);
CAROM_API void carom_coherent_reset_f64(carom_coherent_f64 *coherent);

/* carom_detect on the bodies of one step: the same arguments, results, counts, hashes and errors, contacts the same to
 * the bit; only the order of the pairs is the list's own (sort_pairs gives the order (i, k)). It is the same for every
 * number of threads and instruction set. labels and event lists belong to `coherent`, all else to the context: both
 * are valid until the next call of either. report may be NULL.
 *
 * Filters, lists of neighbours and sinks are those of carom_detect. A filter may be another in each step, or none: the
 * list holds all pairs, whichever pass. A sink must not use `coherent` either. Periodic boxes are refused.
 *
 * Errors: those of carom_detect, and ARGUMENT for config->periodic and for a list of 2^32 - 1 pairs or more. On error
 * the caller's arrays are untouched and *report is zero; after BODY, CAPACITY and STOPPED the steps go on from the last
 * that succeeded, after others the next call starts afresh.
 *
 * Cost: O(N + pairs on the list) a step, with about a third of cold detection's time where displacements are small
 * against radii; a step that rebuilds costs two to three cold ones, so where
 * bodies move far in a step (most steps rebuild) carom_detect is faster. A step that does not rebuild allocates nothing
 * once buffers have grown; each rebuild gives them, unless there is a memory limit, room for an eighth more rows. */
CAROM_API carom_status carom_coherent_detect_f32(carom_coherent_f32 *coherent, const carom_bodies_f32 *bodies,
                                                 const carom_detect_config *config,
                                                 const carom_detect_output_f32 *output, carom_detection_f32 *detection,
                                                 carom_coherent_report *report, carom_error *error);
CAROM_API carom_status carom_coherent_detect_f64(carom_coherent_f64 *coherent, const carom_bodies_f64 *bodies,
                                                 const carom_detect_config *config,
                                                 const carom_detect_output_f64 *output, carom_detection_f64 *detection,
                                                 carom_coherent_report *report, carom_error *error);

#endif
