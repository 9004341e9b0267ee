/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/columns.h"

#include <inttypes.h>

enum {
    PAGE = 4096,                   /* addresses this far apart share an L1 set */
    STAGGER = 9 * CAROM_CACHE_LINE /* so that the seven arrays do not */
};

/* Bytes from one array to the next. */
static uint64_t stride_of(uint64_t count, uint64_t size) {
    return (count * size + PAGE - 1) / PAGE * PAGE + STAGGER;
}

carom_exit carom_columns_reserve(carom_memory *memory, carom_buffer *buffer, uint64_t count, uint64_t size,
                                 void *column[CAROM_COLUMNS]) {
    const uint64_t stride = stride_of(count, size);
    const carom_status status = carom_buffer_reserve(memory, buffer, CAROM_COLUMNS * stride);
    if (status != CAROM_OK) {
        carom_say("no memory to convert %" PRIu64 " bodies", count);
        return carom_say_exit_of(status);
    }
    for (uint64_t n = 0; n < CAROM_COLUMNS; n++) {
        column[n] = (char *)buffer->data + n * stride;
    }
    return CAROM_EXIT_OK;
}

void carom_columns_put(void *const column[CAROM_COLUMNS], uint64_t first, bool wide, const carom_scene_f32 *scene) {
    for (uint64_t n = 0; n < CAROM_COLUMNS; n++) {
        const float *from = n < 3 ? scene->prev[n] : (n < 6 ? scene->curr[n - 3] : scene->radius);
        for (uint64_t body = 0; body < scene->count; body++) {
            if (wide) {
                ((double *)column[n])[first + body] = (double)from[body];
            } else {
                ((float *)column[n])[first + body] = from[body];
            }
        }
    }
}

carom_bodies_f32 carom_columns_f32(void *const column[CAROM_COLUMNS], uint64_t count) {
    return (carom_bodies_f32){.count = count,
                              .prev = {column[0], column[1], column[2]},
                              .curr = {column[3], column[4], column[5]},
                              .radius = column[6]};
}

carom_bodies_f64 carom_columns_f64(void *const column[CAROM_COLUMNS], uint64_t count) {
    return (carom_bodies_f64){.count = count,
                              .prev = {column[0], column[1], column[2]},
                              .curr = {column[3], column[4], column[5]},
                              .radius = column[6]};
}
