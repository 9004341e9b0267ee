/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Only the arrays that the file gives are handed on: without them bodies rest, or do not turn. */
#include "kernel/cli/shaped_view.h"

#include <inttypes.h>

#include "kernel/cli/floats.h"

carom_bodies_f64 carom_shaped_view_f64(const carom_shaped *shaped) {
    carom_bodies_f64 bodies = {
        .size = sizeof bodies, .count = shaped->count, .shapes = shaped->table, .shape = shaped->shape};
    double *const *array = shaped->array;
    for (int axis = 0; axis < 3; ++axis) {
        bodies.prev[axis] = array[CAROM_SHAPED_PREV + axis];
        bodies.curr[axis] = array[CAROM_SHAPED_CURR + axis];
        bodies.spin[axis] = shaped->spins ? array[CAROM_SHAPED_SPIN + axis] : NULL;
    }
    for (int d = 0; d < 4; ++d) {
        bodies.prev_turn[d] = array[CAROM_SHAPED_PREV_TURN + d];
        bodies.curr_turn[d] = shaped->turns ? array[CAROM_SHAPED_CURR_TURN + d] : NULL;
    }
    return bodies;
}

/* All arrays to floats; those that are not used hold zeros and ones. */
static carom_exit round_arrays(const carom_shaped *shaped, float *to) {
    carom_exit outcome = CAROM_EXIT_OK;
    for (int array = 0; array < CAROM_SHAPED_ARRAYS && outcome == CAROM_EXIT_OK; ++array) {
        const double *from = shaped->array[array];
        outcome = carom_floats_check(from, shaped->count, carom_shaped_name(array), carom_shaped_locate, shaped);
        for (uint64_t body = 0; body < shaped->count && outcome == CAROM_EXIT_OK; ++body) {
            *to++ = (float)from[body];
        }
    }
    return outcome;
}

carom_exit carom_shaped_view_f32(const carom_shaped *shaped, carom_memory *memory, carom_buffer *converted,
                                 carom_bodies_f32 *bodies) {
    const uint64_t count = shaped->count;
    /* One more, so that it exists for no bodies too. */
    if (carom_buffer_reserve(memory, converted, (CAROM_SHAPED_ARRAYS * count + 1) * sizeof(float)) != CAROM_OK) {
        carom_say("no memory to convert %" PRIu64 " bodies", count);
        return CAROM_EXIT_RESOURCES;
    }
    const float *first = converted->data;
    *bodies =
        (carom_bodies_f32){.size = sizeof *bodies, .count = count, .shapes = shaped->table, .shape = shaped->shape};
    for (uint64_t axis = 0; axis < 3; ++axis) {
        bodies->prev[axis] = first + (CAROM_SHAPED_PREV + axis) * count;
        bodies->curr[axis] = first + (CAROM_SHAPED_CURR + axis) * count;
        bodies->spin[axis] = shaped->spins ? first + (CAROM_SHAPED_SPIN + axis) * count : NULL;
    }
    for (uint64_t d = 0; d < 4; ++d) {
        bodies->prev_turn[d] = first + (CAROM_SHAPED_PREV_TURN + d) * count;
        bodies->curr_turn[d] = shaped->turns ? first + (CAROM_SHAPED_CURR_TURN + d) * count : NULL;
    }
    return round_arrays(shaped, converted->data);
}
