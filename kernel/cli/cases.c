/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/cases.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/io/heap.h"
#include "kernel/io/printable.h"

carom_exit carom_cases_make(uint64_t count, uint64_t shapes, uint64_t points, uint64_t children, carom_cases *cases) {
    cases->count = count;
    cases->shape_room = shapes;
    cases->point_room = points;
    cases->child_room = children;
    cases->cases = carom_heap_allocate(count * sizeof *cases->cases);
    cases->shape = carom_heap_allocate(shapes * sizeof *cases->shape);
    cases->owner = carom_heap_allocate(shapes * sizeof *cases->owner);
    cases->point = carom_heap_allocate(points * sizeof *cases->point);
    cases->child = carom_heap_allocate(children * sizeof *cases->child);
    if (cases->cases == NULL || cases->shape == NULL || cases->owner == NULL || cases->point == NULL ||
        cases->child == NULL) {
        carom_say("%s: no memory for %" PRIu64 " cases", cases->path, count);
        return CAROM_EXIT_RESOURCES;
    }
    memset(cases->cases, 0, count * sizeof *cases->cases);
    return CAROM_EXIT_OK;
}

uint32_t carom_cases_add_shape(carom_cases *cases, uint64_t n, const carom_shape *shape) {
    CAROM_ASSERT(cases->shape_count < cases->shape_room);
    cases->owner[cases->shape_count] = n;
    cases->shape[cases->shape_count] = *shape;
    return (uint32_t)cases->shape_count++;
}

double (*carom_cases_add_points(carom_cases *cases, uint64_t count))[3] {
    CAROM_ASSERT(count <= cases->point_room - cases->point_count);
    double(*points)[3] = cases->point + cases->point_count;
    cases->point_count += count;
    return points;
}

carom_shape_child *carom_cases_add_children(carom_cases *cases, uint64_t count) {
    CAROM_ASSERT(count <= cases->child_room - cases->child_count);
    carom_shape_child *children = cases->child + cases->child_count;
    cases->child_count += count;
    return children;
}

carom_exit carom_cases_finish(carom_cases *cases) {
    carom_error error = {.status = CAROM_OK};
    const carom_status status = carom_shapes_create(cases->shape, cases->shape_count, NULL, &cases->table, &error);
    if (status == CAROM_ERROR_BODY && error.body < cases->shape_count) {
        return carom_cases_refuse(cases, cases->owner[error.body], status, &error);
    }
    return status == CAROM_OK ? CAROM_EXIT_OK : carom_say_error(status, &error);
}

carom_exit carom_cases_refuse(const carom_cases *cases, uint64_t n, carom_status status, const carom_error *error) {
    char id[CAROM_CASE_ID_SIZE];
    carom_cases_id(&cases->cases[n], id);
    carom_say("%s: case %s: %s", cases->path, id, error->message);
    return carom_say_exit_of(status);
}

void carom_cases_id(const carom_case *c, char id[CAROM_CASE_ID_SIZE]) {
    if (c->name != NULL) {
        carom_printable_copy(c->name, c->name + strlen(c->name), id, CAROM_CASE_ID_SIZE);
    } else {
        snprintf(id, CAROM_CASE_ID_SIZE, "%" PRIu64, c->number);
    }
}

void carom_cases_release(carom_cases *cases) {
    json_decref(cases->file);
    carom_shapes_destroy(cases->table);
    carom_heap_release(cases->cases, cases->count * sizeof *cases->cases);
    carom_heap_release(cases->shape, cases->shape_room * sizeof *cases->shape);
    carom_heap_release(cases->owner, cases->shape_room * sizeof *cases->owner);
    carom_heap_release(cases->point, cases->point_room * sizeof *cases->point);
    carom_heap_release(cases->child, cases->child_room * sizeof *cases->child);
    memset(cases, 0, sizeof *cases);
}
