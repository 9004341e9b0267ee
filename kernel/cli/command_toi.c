/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/command_toi.h"

#include "kernel/cli/cases_pair.h"
#include "kernel/cli/cases_read.h"
#include "kernel/cli/cases_report.h"
#include "kernel/io/heap.h"

/* In the order of carom_toi_state. */
static const char *const states[] = {"none", "hit", "capped"};

static void describe(const void *source, uint64_t number, carom_report *row) {
    const carom_cases_printed *printed = source;
    const carom_toi_f64 *impact = (const carom_toi_f64 *)printed->answers + number;
    carom_cases_report_id(&printed->cases->cases[number], row);
    carom_report_add(row, "state", "state", carom_value_text(states[impact->state]));
    carom_report_add(row, "t", "t", carom_value_finite(impact->t));
    carom_report_add(row, "gap", "gap", carom_value_finite(impact->gap));
    carom_report_add(row, "normal", "normal", carom_value_vector(impact->normal));
    carom_report_add(row, "point_a", "point_a", carom_value_vector(impact->point_i));
    carom_report_add(row, "point_b", "point_b", carom_value_vector(impact->point_k));
    carom_report_add(row, "iterations", "iterations", carom_value_whole(impact->iterations));
}

static carom_exit find_all(const carom_cases *cases, const carom_cases_asked *asked, carom_toi_f64 *impacts) {
    for (uint64_t n = 0; n < cases->count; ++n) {
        carom_error error = {.status = CAROM_OK};
        const carom_status status = carom_cases_pair_toi(cases, &cases->cases[n], asked, &impacts[n], &error);
        if (status != CAROM_OK) {
            return carom_cases_refuse(cases, n, status, &error);
        }
    }
    return CAROM_EXIT_OK;
}

static carom_exit find_and_print(const carom_cases_options *options, const carom_cases *cases) {
    const uint64_t bytes = cases->count * sizeof(carom_toi_f64);
    carom_toi_f64 *impacts = carom_heap_allocate(bytes);
    if (impacts == NULL) {
        carom_say("%s: no memory for the times of impact", cases->path);
        return CAROM_EXIT_RESOURCES;
    }
    const carom_cases_printed printed = {"toi", options, cases, impacts, describe};
    carom_exit outcome = find_all(cases, &options->asked, impacts);
    outcome = outcome == CAROM_EXIT_OK ? carom_cases_report_print(&printed) : outcome;
    carom_heap_release(impacts, bytes);
    return outcome;
}

carom_exit carom_command_toi(const carom_invocation *invocation, int argc, char **argv) {
    carom_cases_options options;
    carom_cases cases;
    bool help = false;
    carom_exit outcome = carom_cases_options_parse(&carom_cases_options_toi, invocation, argc, argv, &options, &help);
    if (outcome != CAROM_EXIT_OK || help) {
        return outcome;
    }
    outcome = carom_cases_read(options.file, options.asked.f64, true, &cases);
    outcome = outcome == CAROM_EXIT_OK ? find_and_print(&options, &cases) : outcome;
    carom_cases_release(&cases);
    return outcome;
}
