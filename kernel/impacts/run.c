/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: what workers did in a stage. Out: a status, and times of phases. */
#include "kernel/impacts/run.h"

#include <math.h>

#include "kernel/sys/clock.h"
#include "kernel/sys/error.h"

void carom_run_lap(carom_run *run, carom_step_phase phase) {
    const double now = carom_clock_seconds();
    run->step->work.seconds[phase] += now - run->lap;
    run->lap = now;
}

carom_status carom_run_no_memory(const carom_run *run) {
    return carom_memory_error(run->memory, run->error, "the impacts of a step");
}

carom_status carom_run_status(carom_run *run) {
    for (uint32_t w = 0; w < run->team->workers; w++) {
        run->window->failed = run->window->failed || run->window->worker[w].failed;
    }
    if (carom_team_stopped(run->team) || (run->team->control != NULL && carom_control_look(run->team->control))) {
        return carom_error_set(run->error, CAROM_ERROR_CANCELLED, "the step was cancelled");
    }
    if (run->window->failed) {
        return carom_run_no_memory(run);
    }
    return carom_search_beyond(run->window, run->team, run->error);
}

carom_status carom_run_predict(carom_run *run, carom_run_prediction *predict) {
    run->window->soon = INFINITY;
    predict(&run->step->search, run->team, run->window);
    const carom_status status = carom_run_status(run);
    carom_run_lap(run, CAROM_STEP_PHASE_PREDICT);
    return status;
}

carom_status carom_run_search(carom_run *run, double end, uint32_t steps) {
    carom_window *window = run->window;
    carom_search *search = &run->step->search;
    carom_hulls_set_time(&search->hulls, window->bodies, window->begin, steps > 1 ? steps : end);
    search->hulls.until = end;
    search->rows.long_above = run->step->row_long != 0 ? run->step->row_long : CAROM_ROW_LONG;
    const carom_status status = carom_search_run(search, run->memory, run->context, window, run->error);
    carom_run_lap(run, CAROM_STEP_PHASE_NEIGHBOURS);
    return status == CAROM_OK ? carom_run_predict(run, carom_search_predict) : status;
}
