/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

#include "carom/version.h"
#include "kernel/cli/json.h"
#include "kernel/cli/report.h"

enum { SCHEMA = 1 };

static json_t *whole(bool found, uint64_t number) {
    return found ? json_integer((json_int_t)number) : json_null();
}

/* Hashes are text: most readers of JSON hold numbers in a double, which has 53 bits. */
static json_t *hash(bool found, uint64_t number) {
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, number);
    return found ? json_string(text) : json_null();
}

static json_t *seconds(const carom_report *report) {
    const carom_detect_summary *summary = &report->measured->summary;
    carom_json object = carom_json_object();
    carom_json_set(&object, "total", json_real(summary->seconds));
    for (int phase = 0; phase < CAROM_PHASE_COUNT; ++phase) {
        const bool ran = carom_report_has_phase(report, (carom_phase)phase);
        carom_json_set(&object, carom_phase_name((carom_phase)phase),
                       ran ? json_real(summary->phase_seconds[phase]) : json_null());
    }
    return carom_json_end(&object);
}

static void set_run(carom_json *object, const carom_report *report) {
    const char *method = report->measured->summary.method;
    carom_json_set(object, "schema", json_integer(SCHEMA));
    carom_json_set(object, "version", json_string(carom_version()));
    carom_json_set(object, "bodies", whole(true, report->subject->count));
    carom_json_set(object, "threads", json_integer(report->threads));
    carom_json_set(object, "isa", json_string(report->isa));
    carom_json_set(object, "precision", json_string(report->options->f64 ? "f64" : "f32"));
    carom_json_set(object, "periodic",
                   report->options->periodic != NULL ? json_string(report->options->periodic) : json_null());
    carom_json_set(object, "method", method != NULL ? json_string(method) : json_null());
    carom_json_set(object, "reason", method != NULL ? json_string(report->measured->summary.reason) : json_null());
}

static json_t *neighbours(const carom_report *report) {
    const carom_neighbour_shape *shape = &report->measured->neighbours;
    if (report->options->neighbours == CAROM_NEIGHBOURS_NONE) {
        return json_null();
    }
    carom_json object = carom_json_object();
    carom_json_set(&object, "list", json_string(carom_detect_options_neighbours(report->options)));
    carom_json_set(&object, "rows", whole(true, shape->rows));
    carom_json_set(&object, "entries", whole(true, shape->entries));
    carom_json_set(&object, "longest_row", whole(true, shape->longest));
    return carom_json_end(&object);
}

static void set_found(carom_json *object, const carom_report *report) {
    const carom_detect_summary *summary = &report->measured->summary;
    const carom_until until = report->options->until;
    const bool touching = until >= CAROM_UNTIL_APPROACH;
    const bool groups = until >= CAROM_UNTIL_GROUPS;
    carom_json_set(object, "box_pairs", whole(until >= CAROM_UNTIL_PAIRS, summary->box_pairs));
    carom_json_set(object, "touching_pairs", whole(touching, summary->touching_pairs));
    carom_json_set(object, "touching_hash", hash(touching, summary->touching_hash));
    carom_json_set(object, "groups", whole(groups, summary->groups));
    carom_json_set(object, "largest_group", whole(groups, summary->largest_group));
    carom_json_set(object, "neighbours", neighbours(report));
    carom_json_set(object, "result_hash", hash(true, summary->result_hash));
}

carom_exit carom_report_json(const carom_report *report) {
    carom_json object = carom_json_object();
    set_run(&object, report);
    set_found(&object, report);
    carom_json_set(&object, "repeat", json_integer(report->options->repeat));
    carom_json_set(&object, "peak_rss_bytes", whole(true, report->measured->peak_rss_bytes));
    carom_json_set(&object, "seconds", seconds(report));
    return carom_json_print(&object);
}
