/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What `carom detect` reports of its timed calls: what ran, where, what it found, and the times of the call with the
 * median total. */
#ifndef CAROM_CLI_DETECT_REPORT_H
#define CAROM_CLI_DETECT_REPORT_H

#include "kernel/cli/measure.h"
#include "kernel/cli/report.h"

/* Adds what was run: the scene or file, bodies, threads, instruction set, precision. */
void carom_detect_report_run(carom_report *report, const carom_detect_options *options, const carom_subject *subject,
                             const carom_context *context);

/* Adds along which axes space repeats, and the margin of shapes. */
void carom_detect_report_space(carom_report *report, const carom_detect_options *options, const carom_subject *subject);

/* Adds what neighbour lists look like: null in JSON without lists, for "not asked for" is not "none found". */
void carom_detect_report_neighbours(carom_report *report, const carom_detect_options *options,
                                    const carom_neighbour_shape *shape);

/* Sets the times: the phases of one call, the rest of its total, and the mean and median of all calls. */
void carom_detect_report_times(carom_report *report, const carom_detect_options *options, const carom_call_times *call,
                               const carom_statistics *statistics);

/* Prints the report as a table, or as JSON with --json. RESOURCES if that fails. */
carom_exit carom_detect_report_print(const carom_detect_options *options, const carom_subject *subject,
                                     const carom_context *context, const carom_measured *measured);

#endif
