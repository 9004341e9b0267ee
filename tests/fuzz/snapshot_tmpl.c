/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include <stdlib.h>

#include "tests/fuzz/twins_tmpl.h"
#include "tests/fuzz/world_tmpl.h"
#include "tests/support/note.h"

#define fuzz_snapshot_run CAROM_REAL(fuzz_snapshot_run)
#define carom_world_count CAROM_REAL(carom_world_count)
#define carom_world_handles CAROM_REAL(carom_world_handles)

enum { STEPS = 3, BUDGET_MOST = 40 };

static void add_one(fuzz_twins *twins) {
    carom_real one = 1;
    const uint64_t count = carom_world_count(twins->world[0]);
    const fuzz_world_bodies b = {.count = 1, .radius = &one, .position = {&one, &one, &one}};
    note_check(fuzz_twins_add(twins, &b) == CAROM_OK, "a body cannot be added");
    const carom_handle *handle = carom_world_handles(twins->world[0]);
    for (uint64_t n = 0; n < count; n++) {
        note_check(handle[n] != handle[count], "a handle names two bodies");
    }
}

static void remove_all(fuzz_twins *twins) {
    const uint64_t count = carom_world_count(twins->world[0]);
    carom_handle *handle = malloc((count + 1) * sizeof *handle);
    if (handle == NULL) {
        abort();
    }
    for (uint64_t n = 0; n < count; n++) {
        handle[n] = carom_world_handles(twins->world[0])[n];
    }
    note_check(fuzz_twins_remove(twins, handle, count) == CAROM_OK, "bodies stay");
    free(handle);
}

void fuzz_snapshot_run(const fuzz_contexts *contexts, const uint8_t *bytes, size_t size) {
    fuzz_twins twins;
    carom_step_report report;
    if (fuzz_twins_load(&twins, contexts, bytes, size) != CAROM_OK) {
        return;
    }
    fuzz_twins_restore(&twins);
    note_check(fuzz_twins_limit(&twins, BUDGET_MOST) == CAROM_OK, "rules of a snapshot are refused");
    for (int n = 0; n < STEPS && fuzz_twins_are_moderate(&twins); n++) {
        (void)fuzz_twins_step(&twins, n != 1, &report);
    }
    add_one(&twins);
    if (fuzz_twins_are_moderate(&twins)) {
        (void)fuzz_twins_step(&twins, true, &report);
    }
    remove_all(&twins);
    fuzz_twins_restore(&twins);
    fuzz_twins_destroy(&twins);
}
