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
    json_t *object = json_object();
    json_object_set_new(object, "total", json_real(summary->seconds));
    for (int phase = 0; phase < CAROM_PHASE_COUNT; ++phase) {
        const bool ran = carom_report_has_phase(report, (carom_phase)phase);
        json_object_set_new(object, carom_phase_name((carom_phase)phase),
                            ran ? json_real(summary->phase_seconds[phase]) : json_null());
    }
    return object;
}

static void set_run(json_t *object, const carom_report *report) {
    const char *method = report->measured->summary.method;
    json_object_set_new(object, "schema", json_integer(SCHEMA));
    json_object_set_new(object, "version", json_string(carom_version()));
    json_object_set_new(object, "bodies", whole(true, report->subject->count));
    json_object_set_new(object, "threads", json_integer(report->threads));
    json_object_set_new(object, "isa", json_string(report->isa));
    json_object_set_new(object, "precision", json_string(report->options->f64 ? "f64" : "f32"));
    json_object_set_new(object, "periodic",
                        report->options->periodic != NULL ? json_string(report->options->periodic) : json_null());
    json_object_set_new(object, "method", method != NULL ? json_string(method) : json_null());
    json_object_set_new(object, "reason", method != NULL ? json_string(report->measured->summary.reason) : json_null());
}

static json_t *neighbours(const carom_report *report) {
    const carom_neighbour_shape *shape = &report->measured->neighbours;
    if (report->options->neighbours == CAROM_NEIGHBOURS_NONE) {
        return json_null();
    }
    json_t *object = json_object();
    json_object_set_new(object, "list", json_string(carom_detect_options_neighbours(report->options)));
    json_object_set_new(object, "rows", whole(true, shape->rows));
    json_object_set_new(object, "entries", whole(true, shape->entries));
    json_object_set_new(object, "longest_row", whole(true, shape->longest));
    return object;
}

static void set_found(json_t *object, const carom_report *report) {
    const carom_detect_summary *summary = &report->measured->summary;
    const carom_until until = report->options->until;
    const bool touching = until >= CAROM_UNTIL_APPROACH;
    const bool groups = until >= CAROM_UNTIL_GROUPS;
    json_object_set_new(object, "box_pairs", whole(until >= CAROM_UNTIL_PAIRS, summary->box_pairs));
    json_object_set_new(object, "touching_pairs", whole(touching, summary->touching_pairs));
    json_object_set_new(object, "touching_hash", hash(touching, summary->touching_hash));
    json_object_set_new(object, "groups", whole(groups, summary->groups));
    json_object_set_new(object, "largest_group", whole(groups, summary->largest_group));
    json_object_set_new(object, "neighbours", neighbours(report));
    json_object_set_new(object, "result_hash", hash(true, summary->result_hash));
}

carom_exit carom_report_json(const carom_report *report) {
    json_t *object = json_object();
    set_run(object, report);
    set_found(object, report);
    json_object_set_new(object, "repeat", json_integer(report->options->repeat));
    json_object_set_new(object, "peak_rss_bytes", whole(true, report->measured->peak_rss_bytes));
    json_object_set_new(object, "seconds", seconds(report));
    return carom_json_print(object);
}
