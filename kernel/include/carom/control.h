/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Control of a call under way: which phase runs, how far the call is, and how to end it early.
 *
 * A call looks at its flag between tasks and after at most CAROM_CONTROL_ITEMS bodies, rows or pairs on each thread,
 * which take some milliseconds at most; and within a pair of compounds, of which one may have 65,535 children. So a call of 10 million bodies returns within 20 ms after its flag was raised
 * (bench/results/measurements.md). A first call, whose memory is new, takes longer: it looks before and after each array
 * that the system gives it, which may take some tenths of a second for hundreds of megabytes. Longer takes, too, what
 * lies in the caller's own functions, and a search without cells, for which one thread sorts all bodies without a look,
 * some 30 ns a body: METHOD_SWEEP on a large scene. A call that was given neither a flag nor a function looks at
 * nothing.
 *
 * A call that is ended so returns CANCELLED. Like every failure this leaves *detection zero and the context fit for the
 * next call, which has the results that it would have had. Blocks may have gone to a sink before, and rows or labels to
 * the caller's arrays. */
#ifndef CAROM_CONTROL_H
#define CAROM_CONTROL_H

#include <stddef.h>
#include <stdint.h>

#include "carom/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Phases into which a call's time is divided. The phases inside a cell (sort, sweep, approach, part of groups)
 * alternate on every thread. They share their stage's wall time in proportion to the threads' summed times. */
typedef enum carom_phase {
    /* Reads and checks the bodies and finds swept extents; with until = BOUNDS, computes the boxes. Coherent steps
     * check in the next phase. */
    CAROM_PHASE_BOUNDS,

    /* Files every body into its cell: codes, histogram, scatter, and the values that filters test. */
    CAROM_PHASE_PARTITION,

    /* In each cell: orders bodies along the sweep axis and makes arrays of their boxes. */
    CAROM_PHASE_SORT,

    /* In each cell: finds overlapping boxes and applies filters. */
    CAROM_PHASE_SWEEP,

    /* In each cell: decides who touches, computes contacts, calls the sink. */
    CAROM_PHASE_APPROACH,

    /* Union-find, labels, sizes, member lists. */
    CAROM_PHASE_GROUPS,

    /* Places contact rows, orders them by (i, k), makes neighbour lists and hashes, copies out. */
    CAROM_PHASE_COLLECT,

    /* Number of phases. Later versions may have more. */
    CAROM_PHASE_COUNT
} carom_phase;

/* Entries of arrays that have one for each phase. No version will have more phases. */
enum { CAROM_PHASE_MAX = 16 };

/* Returns "bounds", "partition", ..., a constant string.
 *
 *   phase   the phase to name; the result is NULL for values outside the enum and for CAROM_PHASE_COUNT */
CAROM_API const char *carom_phase_name(carom_phase phase);

/* Most bodies, rows or pairs that a thread handles between two looks. */
enum { CAROM_CONTROL_ITEMS = 1 << 15 };

/* A flag that the caller owns, of which calls are told in their config. It begins as zero bytes: not raised. It must
 * live until the calls have returned. Only the functions below change it; one flag may serve any number of calls. */
typedef struct carom_cancel {
    /* Not 0: raised. */
    uint32_t raised;
} carom_cancel;

/* Raises a flag: calls that were given it end soon, and others that are given it end at once, until it is cleared.
 *
 *   cancel   the flag, not NULL
 *
 * Threads: any, at any time, and so may a signal handler. What the thread wrote before, the thread whose call returns
 * CANCELLED for this flag sees. */
CAROM_API void carom_cancel_raise(carom_cancel *cancel);

/* Lowers a flag: later calls run. A call under way that has noticed the flag still ends; another goes on.
 *
 *   cancel   the flag, not NULL
 *
 * Threads: as for carom_cancel_raise. */
CAROM_API void carom_cancel_clear(carom_cancel *cancel);

/* How far a call is. */
typedef struct carom_progress {
    /* sizeof(carom_progress) of the library, in bytes. Later versions may add members at the end. */
    size_t size;

    /* What the call does now. Inside cells always CAROM_PHASE_SWEEP. */
    carom_phase phase;

    /* Share of the call's work that is done, 0 to 1. An estimate that never falls during a call. It seldom reaches 1:
     * the call returns instead. */
    double fraction;
} carom_progress;

/* Is told how far a call is; returns 0 to go on, anything else to cancel the call. It runs on the thread that made the
 * call, never on another: at least once a stage and after every CAROM_CONTROL_ITEMS items of that thread's own work,
 * about a thousand times a second. It must not call anything with the context of the call, nor with what belongs to it.
 * Should an executor keep that thread from working, it is told at the beginning of stages alone.
 *
 *   user       progress_user of the call's config
 *   progress   how far the call is; valid until the function returns */
typedef int carom_progress_function(void *user, const carom_progress *progress);

#ifdef __cplusplus
}
#endif

#endif
