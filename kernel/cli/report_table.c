/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/report.h"

#include <inttypes.h>
#include <stdio.h>

bool carom_report_has_phase(const carom_report *report, carom_phase phase) {
    static const carom_until stages[CAROM_PHASE_COUNT] = {
        [CAROM_PHASE_BOUNDS] = CAROM_UNTIL_BOUNDS,     [CAROM_PHASE_PARTITION] = CAROM_UNTIL_PAIRS,
        [CAROM_PHASE_SORT] = CAROM_UNTIL_PAIRS,        [CAROM_PHASE_SWEEP] = CAROM_UNTIL_PAIRS,
        [CAROM_PHASE_APPROACH] = CAROM_UNTIL_APPROACH, [CAROM_PHASE_GROUPS] = CAROM_UNTIL_GROUPS,
        [CAROM_PHASE_COLLECT] = CAROM_UNTIL_BOUNDS,
    };
    return report->options->until >= stages[phase];
}

static void print_header(const carom_report *report) {
    const carom_detect_options *options = report->options;
    if (options->file != NULL) {
        printf("file        %s (%s)\n", options->file, report->subject->frame.format);
    } else {
        printf("scene       %c (%s), seed %" PRIu64 "\n", options->scene.letter,
               carom_scene_name(options->scene.letter), options->scene.seed);
    }
    printf("bodies      %" PRIu64 "\n", report->subject->count);
    printf("threads     %" PRIu32 "\n", report->threads);
    printf("isa         %s\n", report->isa);
    printf("precision   %s\n", options->f64 ? "f64" : "f32");
    if (options->periodic != NULL) {
        printf("periodic    %s\n", options->periodic);
    }
    const carom_detect_summary *summary = &report->measured->summary;
    printf("method      %s\n", summary->method != NULL ? summary->reason : "none");
    printf("repeats     %" PRIu32 "%s\n\n", options->repeat, options->repeat > 1 ? " (times are medians)" : "");
}

static double ratio(double a, double b) {
    return b > 0 ? a / b : 0;
}

static void print_row(const char *name, double seconds, double total, double bytes, uint64_t bodies) {
    printf("%-10s %12.3f %12.2f %8.1f%%", name, seconds * 1e3, ratio(seconds * 1e9, (double)bodies),
           100 * ratio(seconds, total));
    if (bytes > 0 && seconds > 0) {
        printf(" %8.2f\n", bytes / seconds * 1e-9);
    } else {
        printf(" %8s\n", "-");
    }
}

static void print_phases(const carom_report *report) {
    const carom_detect_summary *summary = &report->measured->summary;
    double bytes = 0;
    printf("%-10s %12s %12s %9s %8s\n", "phase", "ms", "ns/body", "share", "GB/s");
    for (int phase = 0; phase < CAROM_PHASE_COUNT; ++phase) {
        if (carom_report_has_phase(report, (carom_phase)phase)) {
            print_row(carom_phase_name((carom_phase)phase), summary->phase_seconds[phase], summary->seconds,
                      summary->phase_bytes[phase], report->subject->count);
            bytes += summary->phase_bytes[phase];
        }
    }
    print_row("total", summary->seconds, summary->seconds, bytes, report->subject->count);
}

static void print_counts(const carom_report *report) {
    const carom_detect_summary *summary = &report->measured->summary;
    printf("\n");
    if (report->options->until >= CAROM_UNTIL_PAIRS) {
        printf("box pairs       %12" PRIu64 "\n", summary->box_pairs);
    }
    if (report->options->until >= CAROM_UNTIL_APPROACH) {
        printf("touching pairs  %12" PRIu64 "   hash %016" PRIx64 "\n", summary->touching_pairs,
               summary->touching_hash);
    }
    if (report->options->until >= CAROM_UNTIL_GROUPS) {
        printf("groups          %12" PRIu64 "   largest %" PRIu64 "\n", summary->groups, summary->largest_group);
    }
    if (report->options->neighbours != CAROM_NEIGHBOURS_NONE) {
        const carom_neighbour_shape *shape = &report->measured->neighbours;
        printf("neighbours      %12" PRIu64 "   %s, of %" PRIu64 " bodies, at most %" PRIu64 "\n", shape->entries,
               carom_detect_options_neighbours(report->options), shape->rows, shape->longest);
    }
    printf("result hash     %016" PRIx64 "\n", summary->result_hash);
    printf("peak memory     %12.1f MiB\n", (double)report->measured->peak_rss_bytes / (1 << 20));
}

void carom_report_table(const carom_report *report) {
    print_header(report);
    print_phases(report);
    print_counts(report);
}
