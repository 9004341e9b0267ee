/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a file with an object that has a list `cases`. Out: the cases. Members of the file and of its cases that these
 * commands do not know are left to other readers; those of shapes must all be known. */
#include "kernel/cli/cases_read.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kernel/cli/cases_shape.h"
#include "kernel/io/load.h"

static bool read_id(const carom_json_at *at, carom_case *c) {
    const carom_json_at id = carom_json_member(at, "id");
    if (id.value == NULL) {
        return carom_json_refuse(&id, "is missing");
    }
    if (json_is_string(id.value)) {
        c->name = json_string_value(id.value);
        return true;
    }
    if (!json_is_integer(id.value) || json_integer_value(id.value) < 0) {
        return carom_json_refuse(&id, "is neither a text nor a whole number from 0 up");
    }
    c->number = (uint64_t)json_integer_value(id.value);
    return true;
}

static bool read_case(const carom_cases_reader *reader, const carom_json_at *list) {
    carom_case *c = &reader->cases->cases[reader->n];
    carom_json_at at = carom_json_element(list, (size_t)reader->n);
    char also[CAROM_CASE_ID_SIZE + 8];
    char id[CAROM_CASE_ID_SIZE];
    if (!json_is_object(at.value)) {
        return carom_json_refuse(&at, "is not an object");
    }
    if (!read_id(&at, c)) {
        return false;
    }
    carom_cases_id(c, id);
    snprintf(also, sizeof also, "id %s", id);
    at.also = also;
    const carom_json_at a = carom_json_member(&at, "a");
    const carom_json_at b = carom_json_member(&at, "b");
    return carom_cases_shape_read(reader, &a, &c->a) && carom_cases_shape_read(reader, &b, &c->b);
}

static carom_exit make_room(const json_t *list, carom_cases *cases) {
    uint64_t shapes = 0;
    uint64_t points = 0;
    uint64_t children = 0;
    for (size_t n = 0; n < json_array_size(list); ++n) {
        const json_t *c = json_array_get(list, n);
        carom_cases_shape_count(json_object_get(c, "a"), &shapes, &points, &children);
        carom_cases_shape_count(json_object_get(c, "b"), &shapes, &points, &children);
    }
    return carom_cases_make(json_array_size(list), shapes, points, children, cases);
}

static carom_exit read_file(const carom_json_at *file, bool f64, bool moves, carom_cases *cases) {
    carom_cases_reader reader = {.cases = cases, .narrow = !f64, .moves = moves};
    const carom_json_at list = carom_json_member(file, "cases");
    if (!json_is_object(file->value)) {
        carom_json_refuse(file, "is not an object");
        return CAROM_EXIT_INPUT;
    }
    if (!carom_json_expect_list(&list)) {
        return CAROM_EXIT_INPUT;
    }
    const carom_exit outcome = make_room(list.value, cases);
    if (outcome != CAROM_EXIT_OK) {
        return outcome;
    }
    for (; reader.n < cases->count; ++reader.n) {
        if (!read_case(&reader, &list)) {
            return CAROM_EXIT_INPUT;
        }
    }
    return carom_cases_finish(cases);
}

carom_exit carom_cases_read(const char *path, bool f64, bool moves, carom_cases *cases) {
    carom_error error = {.status = CAROM_OK};
    carom_text text;
    memset(cases, 0, sizeof *cases);
    cases->path = carom_load_name(path);
    const carom_status status = carom_text_open(path, &text, &error);
    if (status != CAROM_OK) {
        return carom_say_error(status, &error);
    }
    carom_exit outcome = CAROM_EXIT_OK;
    json_t *value = carom_json_parse(cases->path, &text, &outcome);
    carom_text_close(&text);
    if (value == NULL) {
        return outcome;
    }
    cases->file = value;
    const carom_json_at file = {.file = cases->path, .value = value};
    return read_file(&file, f64, moves, cases);
}
