/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/io/lammps.h"

#include <inttypes.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/io/heap.h"
#include "kernel/sys/error.h"

static carom_status no_memory(const carom_reading *reading) {
    return carom_error_set(reading->error, CAROM_ERROR_MEMORY, "%s: no memory for %" PRIu64 " bodies",
                           reading->text.path, reading->frame->capacity);
}

carom_status carom_lammps_ids_make(const carom_reading *reading, carom_id **ids) {
    *ids = carom_heap_allocate(reading->frame->capacity * sizeof **ids);
    return *ids != NULL ? CAROM_OK : no_memory(reading);
}

void carom_lammps_ids_release(const carom_reading *reading, carom_id *ids) {
    carom_heap_release(ids, reading->frame->capacity * sizeof *ids);
}

carom_status carom_lammps_match(const carom_reading *reading, carom_id *ids, int64_t id, uint64_t *place) {
    CAROM_ASSERT(ids != NULL || reading->frame->count == 0);
    const carom_id *found = carom_ids_find(ids, reading->frame->count, id);
    if (found == NULL) {
        return carom_reading_fail(reading, "there is no atom %" PRId64 " before", id);
    }
    if (found->line == 0) {
        return carom_reading_fail(reading, "id %" PRId64 " stands twice", id);
    }
    /* `found` is constant, as carom_ids_find promises; the entry is ours to mark. */
    ids[found - ids].line = 0;
    *place = found->place;
    return CAROM_OK;
}

carom_status carom_lammps_read_id(const carom_reading *reading, carom_text_span field, int64_t *id) {
    if (carom_text_integer(field, id)) {
        return CAROM_OK;
    }
    char shown[32];
    carom_text_show(field, shown, sizeof shown);
    return carom_reading_fail(reading, "id is not a whole number: \"%s\"", shown);
}

/* carom_ids_apply for names. */
static void order_names(carom_frame *frame, const carom_id *ids, char (*work)[CAROM_NAME_SIZE]) {
    memcpy(work, frame->name, (size_t)frame->count * CAROM_NAME_SIZE);
    for (uint64_t n = 0; n < frame->count; n++) {
        memcpy(frame->name[n], work[ids[n].place], CAROM_NAME_SIZE);
    }
}

/* The workspace holds one array at a time, the largest of which is that of the names. */
static void order_all(carom_frame *frame, carom_id *ids, void *work) {
    for (int a = 0; a < 3; a++) {
        carom_ids_apply(ids, frame->count, frame->prev[a], work);
        carom_ids_apply(ids, frame->count, frame->curr[a], work);
    }
    carom_ids_apply(ids, frame->count, frame->radius, work);
    if (frame->name != NULL) {
        order_names(frame, ids, work);
    }
    for (uint64_t n = 0; n < frame->count; n++) {
        frame->line[n] = ids[n].line;
        ids[n].place = n;
    }
}

/* Whether the file lists its atoms in order of their ids. Then nothing moves. */
static bool in_place(const carom_id *ids, uint64_t count) {
    for (uint64_t n = 0; n < count; n++) {
        if (ids[n].place != n) {
            return false;
        }
    }
    return true;
}

/* In the order of ids. A negative id is no name for a body of a simulation: then all are counted from 0. */
static carom_status keep_ids(carom_reading *reading, const carom_id *ids) {
    carom_frame *frame = reading->frame;
    if (!reading->options->dynamics || (frame->count > 0 && ids[0].id < 0)) {
        return CAROM_OK;
    }
    frame->id = carom_heap_allocate(frame->capacity * sizeof *frame->id);
    if (frame->id == NULL) {
        return no_memory(reading);
    }
    for (uint64_t n = 0; n < frame->count; n++) {
        frame->id[n] = (uint64_t)ids[n].id;
    }
    return CAROM_OK;
}

carom_status carom_lammps_order(carom_reading *reading, carom_id *ids) {
    CAROM_ASSERT(reading->frame->line != NULL && reading->frame->count <= reading->frame->capacity);
    carom_frame *frame = reading->frame;
    const carom_id *twice = carom_ids_sort(ids, frame->count);
    if (twice != NULL) {
        return carom_text_fail(&reading->text, reading->error, twice->line, "id %" PRId64 " stands twice", twice->id);
    }
    const carom_status status = keep_ids(reading, ids);
    if (status != CAROM_OK || in_place(ids, frame->count)) {
        return status;
    }
    /* Enough for doubles, too. */
    uint64_t bytes = frame->count * CAROM_NAME_SIZE;
    void *work = carom_heap_allocate(bytes);
    if (work == NULL) {
        return no_memory(reading);
    }
    order_all(frame, ids, work);
    carom_heap_release(work, bytes);
    return CAROM_OK;
}
