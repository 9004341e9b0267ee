/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/shaped.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/io/heap.h"

const char *const carom_shaped_kinds[CAROM_SHAPED_KINDS] = {
    "sphere", "capsule", "box", "cylinder", "cone", "ellipsoid", "hull", "halfspace", "line", "compound"};

/* Bytes of all arrays of a body's numbers, and of its entry. */
static uint64_t body_bytes(uint64_t bodies) {
    return bodies * (CAROM_SHAPED_ARRAYS * sizeof(double) + sizeof(uint32_t));
}

carom_exit carom_shaped_make(uint64_t bodies, carom_shaped *shaped) {
    double *block = carom_heap_allocate(body_bytes(bodies));
    if (block == NULL) {
        carom_say("no memory for %" PRIu64 " bodies", bodies);
        return CAROM_EXIT_RESOURCES;
    }
    memset(block, 0, body_bytes(bodies));
    shaped->count = bodies;
    for (uint64_t array = 0; array < CAROM_SHAPED_ARRAYS; ++array) {
        shaped->array[array] = block + array * bodies;
    }
    shaped->shape = (uint32_t *)(block + CAROM_SHAPED_ARRAYS * bodies);
    for (uint64_t body = 0; body < bodies; ++body) {
        shaped->array[CAROM_SHAPED_PREV_TURN + 3][body] = 1;
        shaped->array[CAROM_SHAPED_CURR_TURN + 3][body] = 1;
    }
    return CAROM_EXIT_OK;
}

carom_exit carom_shaped_make_entries(uint64_t shapes, uint64_t points, uint64_t children,
                                     carom_shaped_entries *entries) {
    entries->room = shapes;
    entries->point_room = points;
    entries->child_room = children;
    entries->shape = carom_heap_allocate(shapes * sizeof *entries->shape);
    entries->point = carom_heap_allocate(points * sizeof *entries->point);
    entries->child = carom_heap_allocate(children * sizeof *entries->child);
    if (entries->shape == NULL || entries->point == NULL || entries->child == NULL) {
        carom_say("no memory for %" PRIu64 " shapes", shapes);
        return CAROM_EXIT_RESOURCES;
    }
    return CAROM_EXIT_OK;
}

void carom_shaped_add(carom_shaped_entries *entries, const carom_shape *shape) {
    CAROM_ASSERT(entries->count < entries->room);
    entries->shape[entries->count++] = *shape;
}

double (*carom_shaped_add_points(carom_shaped_entries *entries, uint64_t count))[3] {
    CAROM_ASSERT(count <= entries->point_room - entries->point_count);
    double(*points)[3] = entries->point + entries->point_count;
    entries->point_count += count;
    return points;
}

carom_shape_child *carom_shaped_add_children(carom_shaped_entries *entries, uint64_t count) {
    CAROM_ASSERT(count <= entries->child_room - entries->child_count);
    carom_shape_child *children = entries->child + entries->child_count;
    entries->child_count += count;
    return children;
}

carom_exit carom_shaped_finish(carom_shaped *shaped) {
    const carom_shaped_entries *entries = &shaped->entries;
    carom_error error = {.status = CAROM_OK};
    const carom_status status = carom_shapes_create(entries->shape, entries->count, NULL, &shaped->table, &error);
    if (status == CAROM_ERROR_BODY && shaped->path != NULL) {
        carom_say("%s: shapes[%" PRIu64 "]: %s", shaped->path, error.body, error.message);
        return CAROM_EXIT_INPUT;
    }
    for (uint64_t body = 0; body < shaped->count && status == CAROM_OK; ++body) {
        CAROM_ASSERT(shaped->shape[body] < entries->count);
        shaped->compounds |= entries->shape[shaped->shape[body]].kind == CAROM_SHAPE_COMPOUND;
    }
    return status == CAROM_OK ? CAROM_EXIT_OK : carom_say_error(status, &error);
}

const char *carom_shaped_name(int array) {
    static const char *const names[CAROM_SHAPED_ARRAYS] = {
        "prev_x",      "prev_y",      "prev_z",      "curr_x",      "curr_y",      "curr_z",
        "prev_turn_x", "prev_turn_y", "prev_turn_z", "prev_turn_w", "curr_turn_x", "curr_turn_y",
        "curr_turn_z", "curr_turn_w", "spin_x",      "spin_y",      "spin_z"};
    return names[array];
}

void carom_shaped_locate(const void *source, uint64_t body, char *text, uint64_t size) {
    const carom_shaped *shaped = source;
    snprintf(text, size, "%s%sbodies[%" PRIu64 "]", shaped->path != NULL ? shaped->path : "",
             shaped->path != NULL ? ": " : "", body);
}

void carom_shaped_release(carom_shaped *shaped) {
    carom_shaped_entries *entries = &shaped->entries;
    carom_shapes_destroy(shaped->table);
    carom_heap_release(shaped->array[0], body_bytes(shaped->count));
    carom_heap_release(entries->shape, entries->room * sizeof *entries->shape);
    carom_heap_release(entries->point, entries->point_room * sizeof *entries->point);
    carom_heap_release(entries->child, entries->child_room * sizeof *entries->child);
    memset(shaped, 0, sizeof *shaped);
}
