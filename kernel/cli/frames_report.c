/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/frames_report.h"

#include <inttypes.h>
#include <stdio.h>

#include "kernel/check/assert.h"
#include "kernel/cli/detect_report.h"
#include "kernel/cli/measure.h"
#include "kernel/cli/report_print.h"

/* The mean shows what rebuilds cost: one in ten frames does not change the median. */
static void set_times(carom_report *report, const carom_detect_options *options,
                      const carom_frames_measured *measured) {
    const uint32_t frames = options->motion.frames;
    for (uint32_t n = 0; n < frames; ++n) {
        measured->times[n] = measured->records[n].times.seconds;
    }
    const carom_statistics statistics = carom_measure_statistics(measured->times, frames, measured->times + frames);
    carom_detect_report_times(report, options, &measured->records[statistics.middle].times, &statistics);
}

/* The method of the last frame; cold detection may choose another for each. */
static void add_run(carom_report *report, const carom_detect_options *options, const char *method) {
    carom_report_add(report, "method", NULL, carom_value_text(method));
    carom_report_add(report, NULL, "method", carom_value_text(method != NULL ? method : "none"));
    carom_report_remark(carom_report_add(report, "frames", "frames", carom_value_whole(options->motion.frames)),
                        "(times are of the frame with the median total)");
    carom_report_add(report, "displacement", options->source.file != NULL ? "displacement" : NULL,
                     carom_value_real(options->motion.displacement));
}

/* What coherent detection kept and did. */
static void add_kept(carom_report *report, const carom_frames_measured *measured, uint32_t frames, bool shaped) {
    const carom_coherent_report *kept = &measured->kept;
    const double each = kept->rebuilds > 0 ? frames / (double)kept->rebuilds : 0;
    carom_field *field;
    report->section = CAROM_SECTION_FIGURES;
    report->group = "kept";
    field = carom_report_add(report, "rebuilds", "rebuilds", carom_value_whole(kept->rebuilds));
    carom_report_remark(field, "one in %.1f frames", each);
    field = carom_report_add(report, "candidates", "pairs kept", carom_value_whole(kept->candidates));
    carom_report_remark(field, "margin %.3g, steps ahead %" PRIu32, kept->margin, kept->steps_ahead);
    carom_report_add(report, "steps_ahead", NULL, carom_value_whole(kept->steps_ahead));
    carom_report_add(report, "margin", NULL, carom_value_real(kept->margin));
    field = carom_report_add(report, "escapes", "bodies escaped", carom_value_whole(measured->escapes));
    carom_report_remark(field, "of their fat boxes, in all frames");
    field = carom_report_add(report, "begun", "pairs begun", carom_value_whole(measured->begun));
    carom_report_remark(field, "in frames compared with the one before");
    carom_report_add(report, "ended", "pairs ended", carom_value_whole(measured->ended));
    field = carom_report_add(report, "cold", "cold frames", carom_value_whole(measured->cold));
    carom_report_remark(field, "%s", shaped ? "no list is kept of shapes" : "where a list would cost more");
    report->group = NULL;
}

/* One line of the table. In JSON the same names as for a single step. */
static void add_last(carom_report *report, const carom_detect_options *options, const carom_detect_summary *last) {
    const bool hashed =
        (options->motion.hash || options->output.expects) && options->call.until >= CAROM_UNTIL_APPROACH;
    report->section = CAROM_SECTION_LAST;
    carom_report_add(report, "box_pairs", "box pairs", carom_value_whole(last->box_pairs));
    carom_report_add(report, "touching_pairs", "touching pairs", carom_value_whole(last->touching_pairs));
    carom_report_add(report, "touching_hash", NULL, carom_value_if(hashed, carom_value_hash(last->touching_hash)));
    carom_report_add(report, "groups", "groups", carom_value_whole(last->groups));
    carom_report_add(report, "largest_group", "largest", carom_value_whole(last->largest_group));
}

/* An element of "each", and a line of the table with --hash. */
static void describe_frame(const void *source, uint64_t number, carom_report *row) {
    const carom_frames_record *record = (const carom_frames_record *)source + number;
    carom_report_add(row, "seconds", NULL, carom_value_real(record->times.seconds));
    carom_report_add(row, "rebuilt", NULL, carom_value_flag(record->rebuilt));
    carom_report_add(row, "cold", NULL, carom_value_flag(record->cold));
    carom_field *hash = carom_report_add(row, "result_hash", "result hash",
                                         carom_value_if(record->hashed, carom_value_hash(record->hash)));
    carom_report_remark(hash, "%s", record->rebuilt ? "rebuilt" : record->cold ? "cold" : "");
}

/* The table lists the frames for their hashes. */
static void set_rows(carom_report *report, const carom_detect_options *options, const carom_frames_record *records) {
    report->rows = (carom_rows){.describe = describe_frame,
                                .source = records,
                                .count = options->motion.frames,
                                .label = options->motion.hash ? "frame" : NULL};
    if (options->motion.coherent) {
        snprintf(report->rows.remark, sizeof report->rows.remark, "all %" PRIu32 " frames agree with cold detection",
                 options->motion.frames);
    }
}

carom_exit carom_frames_report_print(const carom_detect_options *options, const carom_subject *subject,
                                     const carom_context *context, const carom_frames_measured *measured) {
    CAROM_ASSERT(options->motion.frames > 0);
    carom_report report = {.times = {.bodies = subject->count}};
    carom_detect_report_run(&report, options, subject, context);
    carom_detect_report_space(&report, options, subject);
    add_run(&report, options, measured->last.method);
    if (options->motion.coherent) {
        add_kept(&report, measured, options->motion.frames, subject->is_shaped);
    } else {
        carom_report_add(&report, "kept", NULL, carom_value_text(NULL));
    }
    report.section = CAROM_SECTION_FIGURES;
    carom_detect_report_neighbours(&report, options, &measured->neighbours);
    add_last(&report, options, &measured->last);
    set_times(&report, options, measured);
    set_rows(&report, options, measured->records);
    return carom_report_print(&report, options->output.json, carom_detect_options_stream(options));
}
