/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Writes a folder of a run from a formula (sample_run.h): two frames, of doubles in a periodic box and of floats in
 * open space, with their impacts, and the same impacts as events.npy. For test_run_files.py and test_render.py. */
#include <stdio.h>
#include <stdlib.h>

#include "kernel/io/events.h"
#include "kernel/io/trajectory.h"
#include "kernel/io/write.h"
#include "tests/support/sample_run.h"

enum { BODIES = 2500, IMPACTS = 40 };

static void must(carom_status status, const carom_error *error) {
    if (status != CAROM_OK) {
        fprintf(stderr, "%s\n", error->message);
        exit(EXIT_FAILURE);
    }
}

int main(int count, char **arguments) {
    static sample_run run;
    carom_trajectory trajectory;
    carom_events events;
    carom_error error;
    char path[4096];
    if (count != 2) {
        return EXIT_FAILURE;
    }
    const unsigned both = CAROM_TRAJECTORY_XYZ | CAROM_TRAJECTORY_VTK;
    must(carom_trajectory_open(arguments[1], both, &trajectory, &error), &error);
    snprintf(path, sizeof path, "%s/events.npy", arguments[1]);
    must(carom_events_open(path, NULL, &events, &error), &error);
    for (uint64_t step = 0; step < 2; step++) {
        const carom_moment moment = sample_moment(&run, step, BODIES, step == 0, step == 0);
        const uint64_t impacts = step * IMPACTS;
        const carom_impact_row *impact = sample_impacts(&run, step, impacts);
        must(carom_trajectory_add(&trajectory, &moment, impact, impacts, &error), &error);
        must(carom_events_add(&events, impact, impacts / 2, &error), &error);
        must(carom_events_add(&events, impact + impacts / 2, impacts / 2, &error), &error);
        snprintf(path, sizeof path, "%s/state.npy", arguments[1]);
        must(carom_write_state(path, &moment, NULL, NULL, &error), &error);
    }
    must(carom_trajectory_close(&trajectory, &error), &error);
    must(carom_events_close(&events, NULL, &error), &error);
    return EXIT_SUCCESS;
}
