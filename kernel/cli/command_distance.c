/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/command_distance.h"

#include "kernel/cli/cases_pair.h"
#include "kernel/cli/cases_read.h"
#include "kernel/cli/cases_report.h"
#include "kernel/io/heap.h"

/* In the order of carom_gap_state. */
static const char *const states[] = {"separated", "close", "touching"};

static void describe(const void *source, uint64_t number, carom_report *row) {
    const carom_cases_printed *printed = source;
    const carom_gap_f64 *gap = (const carom_gap_f64 *)printed->answers + number;
    carom_cases_report_id(&printed->cases->cases[number], row);
    carom_report_add(row, "state", "state", carom_value_text(states[gap->state]));
    carom_report_add(row, "distance", "distance", carom_value_finite(gap->distance));
    carom_report_add(row, "lower", "lower", carom_value_finite(gap->lower));
    carom_report_add(row, "upper", "upper", carom_value_finite(gap->upper));
    carom_report_add(row, "normal", "normal", carom_value_vector(gap->normal));
    carom_report_add(row, "point_a", "point_a", carom_value_vector(gap->point_i));
    carom_report_add(row, "point_b", "point_b", carom_value_vector(gap->point_k));
    carom_report_add(row, "iterations", "iterations", carom_value_whole(gap->iterations));
    carom_report_add(row, "capped", "capped", carom_value_flag(gap->capped));
}

static carom_exit find_all(const carom_cases *cases, const carom_cases_asked *asked, carom_gap_f64 *gaps) {
    for (uint64_t n = 0; n < cases->count; ++n) {
        carom_error error = {.status = CAROM_OK};
        const carom_status status = carom_cases_pair_gap(cases, &cases->cases[n], asked, &gaps[n], &error);
        if (status != CAROM_OK) {
            return carom_cases_refuse(cases, n, status, &error);
        }
    }
    return CAROM_EXIT_OK;
}

static carom_exit find_and_print(const carom_cases_options *options, const carom_cases *cases) {
    const uint64_t bytes = cases->count * sizeof(carom_gap_f64);
    carom_gap_f64 *gaps = carom_heap_allocate(bytes);
    if (gaps == NULL) {
        carom_say("%s: no memory for the distances", cases->path);
        return CAROM_EXIT_RESOURCES;
    }
    const carom_cases_printed printed = {"distance", options, cases, gaps, describe};
    carom_exit outcome = find_all(cases, &options->asked, gaps);
    outcome = outcome == CAROM_EXIT_OK ? carom_cases_report_print(&printed) : outcome;
    carom_heap_release(gaps, bytes);
    return outcome;
}

carom_exit carom_command_distance(const carom_invocation *invocation, int argc, char **argv) {
    carom_cases_options options;
    carom_cases cases;
    bool help = false;
    carom_exit outcome =
        carom_cases_options_parse(&carom_cases_options_distance, invocation, argc, argv, &options, &help);
    if (outcome != CAROM_EXIT_OK || help) {
        return outcome;
    }
    outcome = carom_cases_read(options.file, options.asked.f64, false, &cases);
    outcome = outcome == CAROM_EXIT_OK ? find_and_print(&options, &cases) : outcome;
    carom_cases_release(&cases);
    return outcome;
}
