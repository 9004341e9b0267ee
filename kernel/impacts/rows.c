/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: hulls. Out: rows of neighbours, both ways. The pairs come from detection, to which a hull is the swept box of a
 * point that goes from one of its corners to the other. */
#include "kernel/impacts/rows.h"

#include <string.h>

#include "kernel/detect/detect.h"
#include "kernel/sys/error.h"

static carom_status reserve(carom_impacts_rows *rows, carom_memory *memory, uint32_t count, uint64_t pairs) {
    const bool enough =
        carom_buffer_reserve(memory, &rows->start_buffer, ((uint64_t)count + 2) * sizeof *rows->start) == CAROM_OK &&
        carom_buffer_reserve(memory, &rows->neighbour_buffer, (2 * pairs + 1) * sizeof *rows->neighbour) == CAROM_OK;
    rows->start = rows->start_buffer.data;
    rows->neighbour = rows->neighbour_buffer.data;
    return enough ? CAROM_OK : CAROM_ERROR_MEMORY;
}

/* start[s + 2] counts row s. Then start[s + 1] is where row s begins, moves as the row fills, and is at last where it
 * ends, which is where the next row begins. */
static void fill(carom_impacts_rows *rows, uint32_t count, uint64_t pairs, const uint32_t *i, const uint32_t *k) {
    memset(rows->start, 0, ((uint64_t)count + 2) * sizeof *rows->start);
    for (uint64_t n = 0; n < pairs; n++) {
        rows->start[i[n] + 2]++;
        rows->start[k[n] + 2]++;
    }
    for (uint32_t s = 0; s < count; s++) {
        rows->start[s + 2] += rows->start[s + 1];
    }
    for (uint64_t n = 0; n < pairs; n++) {
        rows->neighbour[rows->start[i[n] + 1]++] = k[n];
        rows->neighbour[rows->start[k[n] + 1]++] = i[n];
    }
}

static carom_status make_zeros(carom_impacts_rows *rows, carom_memory *memory, uint32_t count) {
    const uint64_t bytes = count * sizeof(float);
    if (bytes <= rows->zeros.bytes) {
        return CAROM_OK;
    }
    const carom_status status = carom_buffer_reserve(memory, &rows->zeros, bytes);
    if (status == CAROM_OK) {
        memset(rows->zeros.data, 0, rows->zeros.bytes);
    }
    return status;
}

carom_status carom_impacts_rows_make(carom_impacts_rows *rows, carom_memory *memory, carom_context *context,
                                     const carom_hulls *hulls, uint32_t count, carom_error *error) {
    carom_status status = make_zeros(rows, memory, count);
    if (status != CAROM_OK) {
        return carom_error_set(error, status, "no memory for the neighbours of %u bodies", count);
    }
    const carom_bodies_f32 boxes = {.count = count,
                                    .prev = {hulls->lo[0], hulls->lo[1], hulls->lo[2]},
                                    .curr = {hulls->hi[0], hulls->hi[1], hulls->hi[2]},
                                    .radius = rows->zeros.data};
    carom_detect_config config = carom_detect_config_default();
    config.until = CAROM_UNTIL_PAIRS;
    carom_detection_f32 found = {0};
    status = carom_detect_run_f32(context, &boxes, &config, NULL, &found, error);
    if (status != CAROM_OK) {
        return status;
    }
    status = reserve(rows, memory, count, found.pair_count);
    if (status != CAROM_OK) {
        return carom_error_set(error, status, "no memory for the neighbours of %u bodies", count);
    }
    fill(rows, count, found.pair_count, found.contacts.i, found.contacts.k);
    return CAROM_OK;
}

void carom_impacts_rows_release(carom_impacts_rows *rows, carom_memory *memory) {
    carom_buffer_release(memory, &rows->start_buffer);
    carom_buffer_release(memory, &rows->neighbour_buffer);
    carom_buffer_release(memory, &rows->zeros);
}
