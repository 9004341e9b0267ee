/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Timed detection: medians over repeats. Hashes and counts come from a call of their own, since hashing takes time. */
#ifndef CAROM_CLI_MEASURE_H
#define CAROM_CLI_MEASURE_H

#include "kernel/cli/subject.h"

/* What the neighbour lists look like. */
typedef struct carom_neighbour_shape {
    uint64_t lists;   /* bodies with a neighbour */
    uint64_t entries; /* in all lists */
    uint64_t longest; /* entries in the longest list */
} carom_neighbour_shape;

/* The outcome of all calls. */
typedef struct carom_measured {
    carom_detect_summary
        summary; /* counts, hashes and method; seconds and phase_seconds are medians, each on its own */
    carom_neighbour_shape neighbours; /* all 0 unless asked for */
    uint64_t peak_rss_bytes;          /* of the process so far */
} carom_measured;

/* One untimed call with hashes, then `repeat` timed calls without. The untimed call only grows the context's buffers:
 * every timed call is cold, it knows nothing of the bodies. CHECK if the counts of two calls differ. */
carom_exit carom_measure(const carom_subject *subject, carom_context *context, const carom_detect_options *options,
                         carom_measured *measured);

/* Sorts `times`, at least one; the mean of the middle two if their number is even. */
double carom_measure_median(double *times, uint32_t count);

#endif
