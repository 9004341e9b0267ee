/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The first call is not timed: it computes hashes and grows the buffers of the context. Every later call must find
 * the same counts. Times of all calls are kept, since a median needs them. */
#include "kernel/cli/measure.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "kernel/check/assert.h"
#include "kernel/sys/clock.h"

/* A progress line is rewritten at most this often, in seconds. */
#define PROGRESS_INTERVAL 0.2

/* 0 if the system does not tell. */
static uint64_t peak_rss_bytes(void) {
    struct rusage usage;
    const uint64_t unit = 1024; /* Linux counts in KiB */
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * unit : 0;
}

/* A difference of times turned into an int would be 0 for most. */
static int compare_times(const void *left, const void *right) {
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

carom_call_times carom_measure_times(const carom_detect_summary *summary) {
    carom_call_times times = {.seconds = summary->seconds};
    memcpy(times.phase_seconds, summary->phase_seconds, sizeof times.phase_seconds);
    memcpy(times.phase_bytes, summary->phase_bytes, sizeof times.phase_bytes);
    return times;
}

carom_statistics carom_measure_statistics(const double *totals, uint32_t count, double *work) {
    CAROM_ASSERT(count > 0);
    carom_statistics s = {.middle = 0};
    memcpy(work, totals, count * sizeof *totals);
    qsort(work, count, sizeof *work, compare_times);
    const double middle = work[(count - 1) / 2];
    for (uint32_t n = 0; n < count; ++n) {
        s.mean += totals[n] / count;
    }
    while (totals[s.middle] != middle) {
        ++s.middle;
    }
    s.median = (middle + work[count / 2]) / 2;
    return s;
}

static bool same_counts(const carom_detect_summary *a, const carom_detect_summary *b) {
    return a->box_pairs == b->box_pairs && a->touching_pairs == b->touching_pairs && a->groups == b->groups &&
           a->largest_group == b->largest_group;
}

/* One line for each side of a failed check. */
static void say_counts(const char *which, const carom_detect_summary *summary) {
    carom_say("%s: box pairs %" PRIu64 ", touching pairs %" PRIu64 ", groups %" PRIu64 ", largest %" PRIu64, which,
              summary->box_pairs, summary->touching_pairs, summary->groups, summary->largest_group);
}

carom_detect_config carom_measure_config(const carom_call_options *options) {
    carom_detect_config config = carom_detect_config_default();
    config.until = options->until;
    config.method = options->method;
    config.count_only = options->count_only;
    config.approaching = options->approaching;
    config.neighbours = options->neighbours;
    config.margin = options->margin;
    return config;
}

/* What each call took, and room for the statistics. */
typedef struct calls {
    carom_call_times *times; /* one a call */
    double *totals;          /* the same */
    double *work;            /* the same */
} calls;

/* One line now and then, so that a person sees that it goes on. */
static void show_progress(uint32_t call, uint32_t repeat, double *shown) {
    if (carom_clock_seconds() - *shown > PROGRESS_INTERVAL) {
        *shown = carom_clock_seconds();
        carom_say_progress("detecting, call %" PRIu32 " of %" PRIu32 " ...", call + 1, repeat);
    }
}

static carom_exit time_calls(const carom_subject *subject, carom_context *context, const carom_detect_options *options,
                             const calls *made, const carom_measured *measured) {
    const carom_detect_config config = carom_measure_config(&options->call);
    double shown = 0;
    for (uint32_t call = 0; call < options->call.repeat; ++call) {
        show_progress(call, options->call.repeat, &shown);
        carom_subject_found found;
        carom_error error = {.status = CAROM_OK};
        const carom_status status = carom_subject_detect(subject, context, &config, &found, &error);
        if (status != CAROM_OK) {
            return carom_subject_explain(subject, status, &error);
        }
        if (!same_counts(&found.summary, &measured->summary)) {
            carom_say("check failed: two calls on the same bodies found different counts");
            say_counts("first call", &measured->summary);
            say_counts("a later call", &found.summary);
            return CAROM_EXIT_CHECK;
        }
        made->times[call] = carom_measure_times(&found.summary);
        made->totals[call] = found.summary.seconds;
    }
    return CAROM_EXIT_OK;
}

/* Without lists offset is NULL, and all is 0. */
static carom_neighbour_shape shape_of(const carom_neighbours *neighbours, uint64_t bodies) {
    carom_neighbour_shape shape = {0};
    for (uint64_t b = 0; b < bodies && neighbours->offset != NULL; ++b) {
        const uint64_t length = neighbours->offset[b + 1] - neighbours->offset[b];
        shape.lists += length > 0;
        shape.entries += length;
        shape.longest = length > shape.longest ? length : shape.longest;
    }
    return shape;
}

carom_neighbour_shape carom_measure_neighbours(const carom_subject *subject, const carom_subject_found *found) {
    return shape_of(subject->wide ? &found->f64.neighbours : &found->f32.neighbours, subject->count);
}

/* The first call. It also finds the largest memory that a call needs, so that no timed call has to grow anything. */
static carom_exit find_hashes(const carom_subject *subject, carom_context *context, const carom_detect_options *options,
                              carom_measured *measured) {
    carom_detect_config config = carom_measure_config(&options->call);
    carom_subject_found found;
    carom_error error = {.status = CAROM_OK};
    config.hash = true;
    carom_say_progress("detecting, untimed call for the hashes ...");
    const carom_status status = carom_subject_detect(subject, context, &config, &found, &error);
    measured->summary = found.summary;
    measured->neighbours = carom_measure_neighbours(subject, &found);
    return status == CAROM_OK ? CAROM_EXIT_OK : carom_subject_explain(subject, status, &error);
}

/* The first call, the timed ones, and what comes of their times. */
static carom_exit measure(const carom_subject *subject, carom_context *context, const carom_detect_options *options,
                          const calls *made, carom_measured *measured) {
    carom_exit outcome = find_hashes(subject, context, options, measured);
    if (outcome == CAROM_EXIT_OK) {
        outcome = time_calls(subject, context, options, made, measured);
    }
    if (outcome == CAROM_EXIT_OK) {
        measured->statistics = carom_measure_statistics(made->totals, options->call.repeat, made->work);
        measured->times = made->times[measured->statistics.middle];
    }
    measured->peak_rss_bytes = peak_rss_bytes();
    carom_say_progress_end();
    return outcome;
}

carom_exit carom_measure(const carom_subject *subject, carom_context *context, const carom_detect_options *options,
                         carom_measured *measured) {
    carom_memory memory;
    carom_memory_init(&memory, NULL, 0);
    const uint64_t repeat = options->call.repeat;
    const uint64_t bytes = repeat * (sizeof(carom_call_times) + 2 * sizeof(double));
    carom_call_times *times = carom_memory_allocate(&memory, bytes);
    if (times == NULL) {
        carom_say("no memory for the times of %" PRIu64 " calls", repeat);
        return CAROM_EXIT_RESOURCES;
    }
    double *totals = (double *)(times + repeat);
    const calls made = {.times = times, .totals = totals, .work = totals + repeat};
    const carom_exit outcome = measure(subject, context, options, &made, measured);
    carom_memory_release(&memory, times, bytes);
    return outcome;
}
