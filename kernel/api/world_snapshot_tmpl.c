/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A world into bytes of the caller's, and back. */
#include <inttypes.h>

#include "kernel/api/world_tmpl.h"
#include "kernel/sys/arithmetic.h"
#include "kernel/sys/error.h"
#include "kernel/world/snapshot.h"

#define carom_world_save CAROM_REAL(carom_world_save)
#define carom_world_load CAROM_REAL(carom_world_load)

carom_status carom_world_save(const carom_public_world *world, void *bytes, uint64_t capacity, uint64_t *size,
                              carom_error *error) {
    if (world == NULL || size == NULL || (bytes == NULL && capacity > 0)) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "%s is NULL",
                               world == NULL  ? "world"
                               : size == NULL ? "size"
                                              : "bytes");
    }
    *size = carom_snapshot_size(&world->world);
    if (capacity < *size) {
        return carom_error_set(error, CAROM_ERROR_CAPACITY,
                               "the snapshot has %" PRIu64 " bytes; there is room for %" PRIu64, *size, capacity);
    }
    carom_snapshot_write(&world->world, bytes);
    return CAROM_OK;
}

static carom_status load(carom_context *context, const void *bytes, uint64_t size, carom_public_world **made,
                         carom_error *error) {
    carom_public_world *world = carom_memory_allocate(&context->memory, sizeof *world);
    if (world == NULL) {
        return carom_error_set(error, CAROM_ERROR_MEMORY, "no memory for a world");
    }
    carom_world_init(&world->world, context, sizeof(carom_real) == sizeof(float));
    const carom_status status = carom_snapshot_read(&world->world, bytes, size, error);
    if (status == CAROM_OK) {
        *made = world;
    } else {
        carom_world_release(&world->world);
        carom_memory_release(&context->memory, world, sizeof *world);
    }
    return status;
}

carom_status carom_world_load(carom_context *context, const void *bytes, uint64_t size, carom_public_world **world,
                              carom_error *error) {
    if (world == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "world is NULL");
    }
    *world = NULL;
    if (context == NULL || (bytes == NULL && size > 0)) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "%s is NULL", context == NULL ? "context" : "bytes");
    }
    carom_status status = carom_context_take(context, error);
    if (status == CAROM_OK) {
        const carom_arithmetic before = carom_arithmetic_enter();
        status = load(context, bytes, size, world, error);
        carom_arithmetic_leave(before);
        carom_context_give_back(context);
    }
    return status;
}
