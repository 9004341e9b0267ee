/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The object begins with the schema and the version, so that a program can tell what it reads. Then come the fields
 * in the order they were added, the times in seconds, and the list of frames. */
#include "kernel/cli/report_json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "carom/version.h"
#include "kernel/check/assert.h"
#include "kernel/cli/json.h"

/* report_schema.json describes the object. 2 has all fields of 1, in the same places and with the same meaning. */
enum { SCHEMA = 2 };

/* Digits of a real: nanoseconds of a second. */
enum { TIME_DIGITS = 9 };

static json_t *json_of_hash(uint64_t hash) {
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    return json_string(text);
}

/* A number that JSON's readers have no integers for is a text of its digits. */
static json_t *json_of_whole(uint64_t whole) {
    char text[21];
    snprintf(text, sizeof text, "%" PRIu64, whole);
    return whole <= INT64_MAX ? json_integer((json_int_t)whole) : json_string(text);
}

/* NULL, as all of these, if there is no memory for it. */
static json_t *json_of_list(const carom_value *value) {
    carom_json list = carom_json_list();
    for (size_t n = 0; n < value->list.count; ++n) {
        carom_json_append(&list, carom_json_text(value->list.names[n]));
    }
    return carom_json_end(&list);
}

static json_t *json_of_map(const carom_value *value) {
    carom_json map = carom_json_object();
    for (size_t n = 0; n < value->list.count; ++n) {
        carom_json_set(&map, value->list.names[n], carom_json_text(value->list.meanings[n]));
    }
    return carom_json_end(&map);
}

static json_t *json_of_vector(const carom_value *value) {
    carom_json list = carom_json_list();
    for (int axis = 0; axis < 3; ++axis) {
        carom_json_append(&list, json_real(value->vector[axis]));
    }
    return carom_json_end(&list);
}

/* NULL if there is no memory for it. */
static json_t *json_of(const carom_value *value) {
    switch (value->kind) {
    case CAROM_VALUE_NONE:
        return json_null();
    case CAROM_VALUE_TEXT:
        return carom_json_text(value->text);
    case CAROM_VALUE_WHOLE:
    case CAROM_VALUE_BYTES:
        return json_of_whole(value->whole);
    case CAROM_VALUE_HASH:
        return json_of_hash(value->whole);
    case CAROM_VALUE_REAL:
        return json_real(value->real);
    case CAROM_VALUE_FLAG:
        return json_boolean(value->flag);
    case CAROM_VALUE_LIST:
        return json_of_list(value);
    case CAROM_VALUE_MAP:
        return json_of_map(value);
    case CAROM_VALUE_VECTOR:
        return json_of_vector(value);
    }
    return NULL;
}

/* Groups are string constants, but the compiler need not merge equal ones. */
static bool same_group(const char *a, const char *b) {
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Sets the fields of one group, from the first on; returns the index after them. */
static size_t set_group(carom_json *object, const carom_report *report, size_t first) {
    CAROM_ASSERT(first < report->count);
    const char *group = report->fields[first].group;
    size_t n = first;
    for (; n < report->count && same_group(report->fields[n].group, group); ++n) {
        if (report->fields[n].key != NULL) {
            carom_json_set(object, report->fields[n].key, json_of(&report->fields[n].value));
        }
    }
    return n;
}

/* Fields without a group go into the object itself, each run of fields of one group into an object within it. */
static void set_fields(carom_json *object, const carom_report *report) {
    size_t n = 0;
    while (n < report->count) {
        const char *group = report->fields[n].group;
        if (group == NULL) {
            n = set_group(object, report, n);
        } else {
            carom_json inner = carom_json_object();
            n = set_group(&inner, report, n);
            carom_json_set(object, group, carom_json_end(&inner));
        }
    }
}

static void set_times(carom_json *object, const carom_time *times, size_t count) {
    for (size_t n = 0; n < count; ++n) {
        carom_json_set(object, times[n].name, times[n].ran ? json_real(times[n].seconds) : json_null());
    }
}

static json_t *seconds(const carom_times *times) {
    carom_json object = carom_json_object();
    set_times(&object, times->sums, times->per_step != NULL ? 1 : times->sum_count);
    set_times(&object, times->phases, times->phase_count);
    set_times(&object, &times->rest, 1);
    if (times->per_step != NULL) {
        carom_json inner = carom_json_object();
        set_times(&inner, times->sums + 1, times->sum_count - 1);
        carom_json_set(&object, times->per_step, carom_json_end(&inner));
    }
    return carom_json_end(&object);
}

/* Bytes moved in all and by each phase. */
static json_t *bytes(const carom_times *times) {
    carom_json object = carom_json_object();
    carom_json_set(&object, times->sums[0].name, json_integer((json_int_t)times->sums[0].bytes));
    for (size_t phase = 0; phase < times->phase_count; ++phase) {
        const carom_time *row = &times->phases[phase];
        carom_json_set(&object, row->name, row->ran ? json_integer((json_int_t)row->bytes) : json_null());
    }
    return carom_json_end(&object);
}

/* Each record becomes a report for a moment: its fields are set as those of the whole are. */
static json_t *each(const carom_rows *rows) {
    carom_json list = carom_json_list();
    for (uint64_t n = 0; n < rows->count; ++n) {
        carom_report row = {.section = CAROM_SECTION_ROW};
        carom_json object = carom_json_object();
        rows->describe(rows->source, n, &row);
        set_fields(&object, &row);
        carom_json_append(&list, carom_json_end(&object));
    }
    return carom_json_end(&list);
}

carom_exit carom_report_json(const carom_report *report, FILE *to) {
    carom_json object = carom_json_object();
    carom_json_set(&object, "schema", json_integer(SCHEMA));
    carom_json_set(&object, "version", json_string(carom_version()));
    set_fields(&object, report);
    if (report->times.sum_count > 0) {
        carom_json_set(&object, "seconds", seconds(&report->times));
    }
    if (report->times.counts_bytes) {
        carom_json_set(&object, "bytes", bytes(&report->times));
    }
    if (report->rows.describe != NULL) {
        carom_json_set(&object, report->rows.key != NULL ? report->rows.key : "each", each(&report->rows));
    }
    return carom_json_print(&object, report->digits > 0 ? report->digits : TIME_DIGITS, to);
}
