/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/run_impacts.h"

#include <inttypes.h>
#include <string.h>

#include "kernel/io/heap.h"
#include "kernel/sys/error.h"

/* At least twice the room: a run's blocks add up. */
static bool reserve(carom_run_impacts *impacts, uint64_t count) {
    if (count <= impacts->room) {
        return true;
    }
    const uint64_t room = count > 2 * impacts->room ? count : 2 * impacts->room;
    carom_impact_row *more = carom_heap_allocate(room * sizeof *more);
    if (more == NULL) {
        impacts->status =
            carom_error_set(&impacts->error, CAROM_ERROR_MEMORY, "no memory for %" PRIu64 " impacts", count);
        return false;
    }
    if (impacts->count > 0) {
        memcpy(more, impacts->row, impacts->count * sizeof *more);
    }
    carom_heap_release(impacts->row, impacts->room * sizeof *more);
    impacts->row = more;
    impacts->room = room;
    return true;
}

/* The distance of the centres is the sum of the radii, even of bodies that overlapped when the step began. */
static void add_virial(carom_run_impacts *impacts, const carom_event *event, const carom_run_member *i) {
    if (event->surface == CAROM_EVENT_NO_SURFACE) {
        const carom_run_member *k = carom_run_roster_find(impacts->roster, event->k);
        impacts->virial += event->impulse * (i->radius + k->radius);
    }
}

static carom_impact_row row_of(const carom_run_impacts *impacts, const carom_event *event, const carom_run_member *i) {
    carom_impact_row row = {.step = impacts->step,
                            .t = ((double)impacts->step + event->t) * impacts->dt,
                            .i = i->id,
                            .surface = event->surface,
                            .impulse = event->impulse};
    if (event->surface == CAROM_EVENT_NO_SURFACE) {
        row.k = carom_run_roster_find(impacts->roster, event->k)->id;
    }
    memcpy(row.point, event->point, sizeof row.point);
    memcpy(row.normal, event->normal, sizeof row.normal);
    return row;
}

/* After a failure the run ends when the step is complete. */
bool carom_run_impacts_take(void *user, const carom_event *events, uint64_t count) {
    carom_run_impacts *impacts = user;
    const bool needs_rows = impacts->writes || impacts->keeps;
    impacts->count = impacts->keeps ? impacts->count : 0;
    const uint64_t first = impacts->count;
    if (needs_rows && !reserve(impacts, first + count)) {
        return false;
    }
    for (uint64_t n = 0; n < count; ++n) {
        const carom_run_member *i = carom_run_roster_find(impacts->roster, events[n].i);
        add_virial(impacts, &events[n], i);
        if (needs_rows) {
            impacts->row[impacts->count++] = row_of(impacts, &events[n], i);
        }
    }
    if (impacts->writes) {
        impacts->status = carom_events_add(&impacts->file, impacts->row + first, count, &impacts->error);
    }
    return impacts->status == CAROM_OK;
}

void carom_run_impacts_empty(carom_run_impacts *impacts) {
    impacts->count = 0;
}

void carom_run_impacts_release(carom_run_impacts *impacts) {
    carom_heap_release(impacts->row, impacts->room * sizeof *impacts->row);
    impacts->row = NULL;
    impacts->room = 0;
}
