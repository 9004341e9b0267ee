/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/detect_report.h"

#include <inttypes.h>
#include <stdio.h>

#include "kernel/cli/report_print.h"
#include "kernel/cli/report_subject.h"

/* A phase runs if --until is its stage or a later one. Many worlds at once have no phases. */
static bool phase_ran(const carom_detect_options *options, int phase) {
    static const carom_until stages[CAROM_PHASE_COUNT] = {
        [CAROM_PHASE_BOUNDS] = CAROM_UNTIL_BOUNDS,     [CAROM_PHASE_PARTITION] = CAROM_UNTIL_PAIRS,
        [CAROM_PHASE_SORT] = CAROM_UNTIL_PAIRS,        [CAROM_PHASE_SWEEP] = CAROM_UNTIL_PAIRS,
        [CAROM_PHASE_APPROACH] = CAROM_UNTIL_APPROACH, [CAROM_PHASE_GROUPS] = CAROM_UNTIL_GROUPS,
        [CAROM_PHASE_COLLECT] = CAROM_UNTIL_BOUNDS,
    };
    return options->source.worlds == 0 && options->call.until >= stages[phase];
}

static void add_scene(carom_report *report, const carom_detect_options *options) {
    char more[CAROM_REPORT_REMARK_SIZE] = "";
    const char *kind = carom_scene_kind_name(options->source.scene.shapes);
    const char *comma = kind != NULL ? ", " : "";
    kind = kind != NULL ? kind : "";
    if (options->motion.frames > 0) {
        snprintf(more, sizeof more, "%s%s, displacements times %g", comma, kind, options->motion.displacement);
    } else {
        snprintf(more, sizeof more, "%s%s", comma, kind);
    }
    carom_report_subject_scene(report, &options->source.scene, more);
}

void carom_detect_report_run(carom_report *report, const carom_detect_options *options, const carom_subject *subject,
                             const carom_context *context) {
    report->section = CAROM_SECTION_RUN;
    carom_invocation_report(options->invocation, carom_context_threads(context), report);
    if (options->source.file == NULL) {
        add_scene(report, options);
    } else {
        carom_report_subject_file(report, options->source.file, carom_subject_format(subject),
                                  carom_subject_total(subject));
    }
    carom_report_add(report, "bodies", "bodies", carom_value_whole(subject->count));
    carom_report_add(report, "threads", "threads", carom_value_whole(carom_context_threads(context)));
    carom_report_add(report, "isa", "isa", carom_value_text(carom_context_isa(context)));
    carom_report_add(report, "precision", "precision", carom_value_text(subject->wide ? "f64" : "f32"));
    carom_report_add(report, "method_asked", NULL, carom_value_text(carom_detect_options_method(options)));
}

void carom_detect_report_space(carom_report *report, const carom_detect_options *options,
                               const carom_subject *subject) {
    carom_report_add(report, "periodic", "periodic", carom_value_text(options->source.periodic));
    carom_report_add(report, "margin", options->source.margin ? "margin" : NULL,
                     carom_value_if(subject->is_shaped, carom_value_real(options->call.margin)));
}

/* The reason begins with the method's name. */
static void add_method(carom_report *report, const carom_detect_summary *summary) {
    const char *reason = summary->method != NULL ? summary->reason : NULL;
    carom_report_add(report, "method", NULL, carom_value_text(summary->method));
    carom_report_add(report, "reason", NULL, carom_value_text(reason));
    carom_report_add(report, NULL, "method", carom_value_text(reason != NULL ? reason : "none"));
}

void carom_detect_report_neighbours(carom_report *report, const carom_detect_options *options,
                                    const carom_neighbour_shape *shape) {
    const char *list = carom_detect_options_neighbours(options);
    if (options->call.neighbours == CAROM_NEIGHBOURS_NONE) {
        carom_report_add(report, "neighbours", NULL, carom_value_text(NULL));
        return;
    }
    report->group = "neighbours";
    carom_report_add(report, "list", NULL, carom_value_text(list));
    carom_report_add(report, "rows", NULL, carom_value_whole(shape->lists));
    carom_field *entries = carom_report_add(report, "entries", "neighbours", carom_value_whole(shape->entries));
    carom_report_remark(entries, "%s, of %" PRIu64 " bodies, at most %" PRIu64, list, shape->lists, shape->longest);
    carom_report_add(report, "longest_row", NULL, carom_value_whole(shape->longest));
    report->group = NULL;
}

/* What the stages found, as far as they ran. A hash is a remark in the table and a field of its own in JSON. */
static void add_found(carom_report *report, const carom_detect_options *options, const carom_measured *measured) {
    const carom_detect_summary *s = &measured->summary;
    const bool pairs = options->call.until >= CAROM_UNTIL_PAIRS;
    const bool approach = options->call.until >= CAROM_UNTIL_APPROACH;
    const bool groups = options->call.until >= CAROM_UNTIL_GROUPS;
    carom_field *field;
    report->section = CAROM_SECTION_FIGURES;
    carom_report_add(report, "box_pairs", "box pairs", carom_value_if(pairs, carom_value_whole(s->box_pairs)));
    field = carom_report_add(report, "touching_pairs", "touching pairs",
                             carom_value_if(approach, carom_value_whole(s->touching_pairs)));
    carom_report_remark(field, "hash %016" PRIx64, s->touching_hash);
    carom_report_add(report, "touching_hash", NULL, carom_value_if(approach, carom_value_hash(s->touching_hash)));
    field = carom_report_add(report, "groups", "groups", carom_value_if(groups, carom_value_whole(s->groups)));
    carom_report_remark(field, "largest %" PRIu64, s->largest_group);
    carom_report_add(report, "largest_group", NULL, carom_value_if(groups, carom_value_whole(s->largest_group)));
    carom_detect_report_neighbours(report, options, &measured->neighbours);
    carom_report_add(report, "result_hash", "result hash", carom_value_hash(s->result_hash));
}

static void add_repeat(carom_report *report, uint32_t repeat) {
    report->section = CAROM_SECTION_RUN;
    carom_field *field = carom_report_add(report, "repeat", "repeats", carom_value_whole(repeat));
    if (repeat > 1) {
        carom_report_remark(field, "(times are of the call with the median total)");
    }
}

/* Phases that did not run are null in JSON; the bytes of the total are the sum of those that did. */
void carom_detect_report_times(carom_report *report, const carom_detect_options *options, const carom_call_times *call,
                               const carom_statistics *statistics) {
    carom_times *times = &report->times;
    double bytes = 0;
    double rest = call->seconds;
    for (int phase = 0; phase < CAROM_PHASE_COUNT; ++phase) {
        times->phases[phase] = (carom_time){.name = carom_phase_name((carom_phase)phase),
                                            .ran = phase_ran(options, phase),
                                            .seconds = call->phase_seconds[phase],
                                            .bytes = call->phase_bytes[phase]};
        bytes += times->phases[phase].ran ? times->phases[phase].bytes : 0;
        rest -= times->phases[phase].ran ? times->phases[phase].seconds : 0;
    }
    times->rest = (carom_time){.name = "rest", .ran = true, .seconds = rest};
    times->sums[0] = (carom_time){.name = "total", .ran = true, .seconds = call->seconds, .bytes = bytes};
    times->sums[1] = (carom_time){.name = "mean", .ran = true, .seconds = statistics->mean};
    times->sums[2] = (carom_time){.name = "median", .ran = true, .data = true, .seconds = statistics->median};
    times->sum_count = 3;
    times->phase_count = CAROM_PHASE_COUNT;
    times->counts_bytes = true;
}

carom_exit carom_detect_report_print(const carom_detect_options *options, const carom_subject *subject,
                                     const carom_context *context, const carom_measured *measured) {
    carom_report report = {.times = {.bodies = subject->count}};
    carom_detect_report_run(&report, options, subject, context);
    carom_report_add(&report, "worlds", "worlds",
                     carom_value_if(subject->parts.worlds > 0, carom_value_whole(subject->parts.worlds)));
    carom_detect_report_space(&report, options, subject);
    add_method(&report, &measured->summary);
    add_found(&report, options, measured);
    add_repeat(&report, options->call.repeat);
    report.section = CAROM_SECTION_FIGURES;
    carom_report_add(&report, "peak_rss_bytes", "peak memory", carom_value_bytes(measured->peak_rss_bytes));
    carom_detect_report_times(&report, options, &measured->times, &measured->statistics);
    report.times.shares = true;
    report.times.traffic = true;
    report.times.sums[1].data = options->call.repeat == 1;
    return carom_report_print(&report, options->output.json, carom_detect_options_stream(options));
}
