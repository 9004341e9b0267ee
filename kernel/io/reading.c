/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/io/reading.h"

#include <inttypes.h>
#include <string.h>

#include "carom/bodies.h"
#include "kernel/check/assert.h"
#include "kernel/io/heap.h"
#include "kernel/sys/error.h"

const char *const carom_position_names[3] = {"x", "y", "z"};
const char *const carom_velocity_names[3] = {"vx", "vy", "vz"};

/* All or nothing: what was allocated before a failure is in the frame, which its owner releases. */
static bool reserve_arrays(carom_frame *frame, uint64_t count, bool names, bool lines) {
    uint64_t bytes = count * sizeof(double);
    bool all = true;
    for (int a = 0; a < 3; a++) {
        frame->prev[a] = carom_heap_allocate(bytes);
        frame->curr[a] = carom_heap_allocate(bytes);
        all &= frame->prev[a] != NULL && frame->curr[a] != NULL;
    }
    frame->radius = carom_heap_allocate(bytes);
    frame->name = names ? carom_heap_allocate(count * CAROM_NAME_SIZE) : NULL;
    frame->line = lines ? carom_heap_allocate(count * sizeof(uint64_t)) : NULL;
    return all && frame->radius != NULL && (frame->name != NULL || !names) && (frame->line != NULL || !lines);
}

carom_status carom_reading_reserve(carom_reading *reading, uint64_t count, bool names, bool lines) {
    carom_frame *frame = reading->frame;
    CAROM_ASSERT(frame->capacity == 0);
    /* A count is only believed if the file could hold so many bodies: a wrong one must not ask for all memory. */
    if (count > reading->text.size / 2 || count > CAROM_BODIES_MAX) {
        return carom_text_fail(&reading->text, reading->error, reading->count_line,
                               "%" PRIu64 " bodies are more than the file can hold", count);
    }
    /* Set first: release needs the size of arrays that exist, even of some. */
    frame->count = count;
    frame->capacity = count;
    if (!reserve_arrays(frame, count, names, lines)) {
        return carom_error_set(reading->error, CAROM_ERROR_MEMORY, "%s: no memory for %" PRIu64 " bodies",
                               reading->text.path, count);
    }
    return CAROM_OK;
}

carom_status carom_reading_count(carom_reading *reading, carom_text_span span, uint64_t *count) {
    int64_t value;
    span = carom_text_trim(span);
    if (!carom_text_integer(span, &value) || value < 0) {
        char shown[32];
        carom_text_show(span, shown, sizeof shown);
        return carom_reading_fail(reading, "the number of bodies is not a whole number: \"%s\"", shown);
    }
    *count = (uint64_t)value;
    /* For the message if so many bodies are not to be believed. */
    reading->count_line = reading->text.line;
    return CAROM_OK;
}

carom_status carom_reading_line(carom_reading *reading, carom_text_span *line, const char *what) {
    if (!carom_text_line(&reading->text, line)) {
        return carom_text_fail(&reading->text, reading->error, reading->text.line + 1, "the file ends before %s", what);
    }
    return CAROM_OK;
}

bool carom_reading_peek(carom_reading *reading, carom_text_span *line) {
    /* A copy walks ahead; `reading` follows only over blank lines. */
    carom_text walk = reading->text;
    while (carom_text_line(&walk, line)) {
        if (!carom_text_blank(*line)) {
            return true;
        }
        reading->text = walk;
    }
    return false;
}

void carom_reading_found_box(carom_reading *reading) {
    reading->frame->has_box = true;
    reading->frame->box_line = reading->text.line;
}

carom_status carom_reading_surplus(const carom_reading *reading) {
    return carom_text_fail(&reading->text, reading->error, reading->text.line + 1,
                           "more atoms than the %" PRIu64 " announced", reading->frame->count);
}

void carom_reading_name(carom_reading *reading, carom_text_span span, bool first_frame, uint64_t at) {
    CAROM_ASSERT(at < reading->frame->count);
    char name[CAROM_NAME_SIZE];
    carom_text_copy(span, name, sizeof name);
    if (first_frame) {
        memcpy(reading->frame->name[at], name, sizeof name);
    } else {
        /* Frames of a trajectory list their atoms in one order. If the names differ, bodies cannot be matched. */
        reading->other_atoms |= reading->frame->name != NULL && strcmp(reading->frame->name[at], name) != 0;
    }
}

void carom_reading_end_second(carom_reading *reading) {
    CAROM_ASSERT(reading->motion == CAROM_MOTION_NONE);
    reading->motion = reading->other_atoms ? CAROM_MOTION_NONE : CAROM_MOTION_POSITION;
}

carom_status carom_reading_triple(const carom_reading *reading, carom_text_span *line, const char *const names[3],
                                  double *const to[3], uint64_t at) {
    CAROM_ASSERT(at < reading->frame->count);
    for (int a = 0; a < 3; a++) {
        carom_status status =
            carom_text_value(&reading->text, reading->error, carom_text_field(line), names[a], &to[a][at]);
        if (status != CAROM_OK) {
            return status;
        }
    }
    return CAROM_OK;
}

carom_status carom_reading_radius(const carom_reading *reading, carom_text_span span, bool diameter, uint64_t at) {
    CAROM_ASSERT(at < reading->frame->count);
    const char *name = diameter ? "diameter" : "radius";
    double value;
    carom_status status = carom_text_value(&reading->text, reading->error, span, name, &value);
    if (status != CAROM_OK) {
        return status;
    }
    if (value < 0.0) {
        return carom_reading_fail(reading, "%s is negative: %g", name, value);
    }
    reading->frame->radius[at] = diameter ? 0.5 * value : value;
    return CAROM_OK;
}
