/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* carom_shapes: in, the caller's shapes; out, their table, and what it knows of them. */
#include "carom/shapes.h"

#include <inttypes.h>
#include <string.h>

#include "kernel/shape/check.h"
#include "kernel/shape/table.h"
#include "kernel/sys/arithmetic.h"
#include "kernel/sys/error.h"

carom_status carom_shapes_create(const carom_shape *shape, uint64_t count, const carom_allocator *allocator,
                                 carom_shapes **shapes, carom_error *error) {
    if (shapes == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "shapes is NULL");
    }
    *shapes = NULL;
    if (shape == NULL && count > 0) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "shape is NULL, but count is %" PRIu64, count);
    }
    if (count > CAROM_SHAPES_MAX) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "count is %" PRIu64 ", more than %" PRIu64, count,
                               CAROM_SHAPES_MAX);
    }
    if (allocator != NULL && (allocator->allocate == NULL) != (allocator->release == NULL)) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "allocator has one function of the two");
    }
    const carom_arithmetic before = carom_arithmetic_enter();
    carom_status status = carom_shape_check(shape, count, error);
    if (status == CAROM_OK) {
        status = carom_shape_table_make(shape, count, allocator, shapes, error);
    }
    carom_arithmetic_leave(before);
    return status;
}

void carom_shapes_destroy(carom_shapes *shapes) {
    if (shapes != NULL) {
        carom_shape_table_release(shapes);
    }
}

uint64_t carom_shapes_count(const carom_shapes *shapes) {
    return shapes != NULL ? shapes->count : 0;
}

carom_status carom_shapes_facts(const carom_shapes *shapes, uint64_t index, carom_shape_facts *facts,
                                carom_error *error) {
    if (shapes == NULL || facts == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "%s is NULL", shapes == NULL ? "shapes" : "facts");
    }
    if (index >= shapes->count) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "shape %" PRIu64 " of %" PRIu64 " does not exist", index,
                               shapes->count);
    }
    const carom_shape_entry *entry = &shapes->entry[index];
    *facts = (carom_shape_facts){
        .kind = entry->kind, .children = entry->child_count, .dimensions = entry->dimensions, .reach = entry->reach};
    if (entry->hull != NULL) {
        facts->vertices = entry->hull->vertex_count;
        facts->faces = entry->hull->face_count;
        facts->edges = entry->hull->edge_count;
    }
    memcpy(facts->lo, entry->lo, sizeof facts->lo);
    memcpy(facts->hi, entry->hi, sizeof facts->hi);
    return CAROM_OK;
}
