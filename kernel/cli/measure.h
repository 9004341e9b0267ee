/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Timed detection: the call with the median total over repeats. Hashes and counts come from a call of their own, since
 * hashing takes time. */
#ifndef CAROM_CLI_MEASURE_H
#define CAROM_CLI_MEASURE_H

#include "kernel/cli/subject.h"

/* What the neighbour lists look like. */
typedef struct carom_neighbour_shape {
    uint64_t lists;   /* bodies with a neighbour */
    uint64_t entries; /* in all lists */
    uint64_t longest; /* entries in the longest list */
} carom_neighbour_shape;

/* Times of one call, in seconds, and the bytes that its phases moved. */
typedef struct carom_call_times {
    double seconds;
    double phase_seconds[CAROM_PHASE_COUNT];
    double phase_bytes[CAROM_PHASE_COUNT];
} carom_call_times;

/* Over the totals of several calls. */
typedef struct carom_statistics {
    uint32_t middle; /* the call with the median total; of an even number, the quicker of the middle two */
    double mean;     /* seconds */
    double median;   /* seconds; the mean of the middle two if their number is even */
} carom_statistics;

/* The outcome of all calls. */
typedef struct carom_measured {
    carom_detect_summary summary;     /* counts, hashes and method */
    carom_call_times times;           /* of the call with the median total */
    carom_statistics statistics;      /* over all timed calls */
    carom_neighbour_shape neighbours; /* all 0 unless asked for */
    uint64_t peak_rss_bytes;          /* of the process so far */
} carom_measured;

/* One untimed call with hashes, then `repeat` timed calls without. The untimed call only grows the context's buffers:
 * every timed call is cold, it knows nothing of the bodies. CHECK if the counts of two calls differ. */
carom_exit carom_measure(const carom_subject *subject, carom_context *context, const carom_detect_options *options,
                         carom_measured *measured);

/* What the command line asks of each call. */
carom_detect_config carom_measure_config(const carom_call_options *options);

/* What neighbour lists look like; all 0 if there are none. */
carom_neighbour_shape carom_measure_neighbours(const carom_subject *subject, const carom_subject_found *found);

/* What a summary says of times. */
carom_call_times carom_measure_times(const carom_detect_summary *summary);

/* The statistics of `count` totals, at least one. `work` has room for as many. */
carom_statistics carom_measure_statistics(const double *totals, uint32_t count, double *work);

#endif
