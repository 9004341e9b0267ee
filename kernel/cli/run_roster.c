/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Handles are mostly in order, and mostly one after another: then the place of one follows from the first. Else a
 * binary search finds it. */
#include "kernel/cli/run_roster.h"

#include <inttypes.h>
#include <stdlib.h>

#include "kernel/check/assert.h"
#include "kernel/io/heap.h"
#include "kernel/sys/error.h"

static int compare(const void *a, const void *b) {
    const carom_handle x = ((const carom_run_member *)a)->handle;
    const carom_handle y = ((const carom_run_member *)b)->handle;
    return (x > y) - (x < y);
}

static void sort(carom_run_roster *roster) {
    bool sorted = true;
    for (uint64_t n = 1; n < roster->count && sorted; ++n) {
        sorted = roster->member[n - 1].handle < roster->member[n].handle;
    }
    if (!sorted) {
        qsort(roster->member, (size_t)roster->count, sizeof *roster->member, compare);
    }
}

carom_status carom_run_roster_list(const carom_run_world *world, const carom_run_view *view, carom_run_roster *roster,
                                   carom_error *error) {
    const carom_handle *handle = carom_run_world_handles(world);
    const carom_moment moment = {.wide = world->wide};
    if (roster->room < view->count || roster->member == NULL) {
        carom_run_roster_release(roster);
        roster->member = carom_heap_allocate(view->count * sizeof *roster->member);
        roster->room = view->count;
    }
    if (roster->member == NULL) {
        return carom_error_set(error, CAROM_ERROR_MEMORY, "no memory to list %" PRIu64 " bodies", view->count);
    }
    roster->count = view->count;
    for (uint64_t n = 0; n < view->count; ++n) {
        roster->member[n] = (carom_run_member){
            .handle = handle[n], .id = view->id[n], .radius = carom_moment_real(&moment, view->radius, n)};
    }
    sort(roster);
    return CAROM_OK;
}

const carom_run_member *carom_run_roster_find(const carom_run_roster *roster, carom_handle handle) {
    const carom_run_member *member = roster->member;
    CAROM_ASSERT(roster->count > 0);
    const uint64_t guess = handle - member[0].handle;
    if (guess < roster->count && member[guess].handle == handle) {
        return &member[guess];
    }
    const carom_run_member key = {.handle = handle};
    const carom_run_member *found = bsearch(&key, member, (size_t)roster->count, sizeof key, compare);
    CAROM_ASSERT(found != NULL);
    return found;
}

void carom_run_roster_release(carom_run_roster *roster) {
    carom_heap_release(roster->member, roster->room * sizeof *roster->member);
    *roster = (carom_run_roster){.count = 0};
}
