/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/cli/run_loop.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kernel/cli/say.h"
#include "kernel/io/heap.h"
#include "kernel/io/unfinished.h"
#include "kernel/sys/clock.h"
#include "kernel/sys/error.h"

/* A progress line is rewritten at most this often, in seconds. */
#define PROGRESS_INTERVAL 0.2

/* Bytes of a duration as text. */
enum { DURATION_SIZE = 48 };

carom_moment carom_run_loop_moment(const carom_run_loop *loop, uint64_t steps) {
    const carom_run_view *view = &loop->view;
    carom_moment moment = {.step = steps,
                           .time = (double)steps * loop->config->dt,
                           .count = view->count,
                           .wide = loop->world->wide,
                           .id = view->id,
                           .radius = view->radius,
                           .mass = view->mass,
                           .periodic = loop->config->periodic};
    for (int axis = 0; axis < 3; ++axis) {
        moment.position[axis] = view->position[axis];
        moment.velocity[axis] = view->velocity[axis];
    }
    return moment;
}

/* Ids, and the radii for the virial, of the bodies as they are now. */
static carom_status list_bodies(carom_run_loop *loop, carom_error *error) {
    const carom_status status = carom_run_view_read(loop->world, &loop->view, error);
    return status == CAROM_OK ? carom_run_roster_list(loop->world, &loop->view, &loop->roster, error) : status;
}

/* Writes a frame of the bodies after `steps` steps, which the view has. */
static carom_status add_frame(carom_run_loop *loop, uint64_t steps, carom_error *error) {
    const carom_moment moment = carom_run_loop_moment(loop, steps);
    const carom_status status =
        carom_trajectory_add(loop->trajectory, &moment, loop->impacts->row, loop->impacts->count, error);
    carom_run_impacts_empty(loop->impacts);
    return status;
}

/* Room for the time of one more step. */
static carom_status reserve_times(carom_run_measured *measured, carom_error *error) {
    const uint64_t first_room = 1024;
    if (measured->steps < measured->room) {
        return CAROM_OK;
    }
    const uint64_t room = measured->room > 0 ? 2 * measured->room : first_room;
    double *more = carom_heap_allocate(room * sizeof *more);
    if (more == NULL) {
        return carom_error_set(error, CAROM_ERROR_MEMORY, "no memory for the times of %" PRIu64 " steps", room);
    }
    if (measured->steps > 0) {
        memcpy(more, measured->step_seconds, measured->steps * sizeof *more);
    }
    carom_heap_release(measured->step_seconds, measured->room * sizeof *more);
    measured->step_seconds = more;
    measured->room = room;
    return CAROM_OK;
}

static void record(const carom_step_report *report, carom_run_measured *measured) {
    measured->step_seconds[measured->steps++] = report->seconds;
    measured->seconds += report->seconds;
    for (int phase = 0; phase < CAROM_STEP_PHASE_COUNT; ++phase) {
        measured->phase_seconds[phase] += report->phase_seconds[phase];
    }
    measured->impacts += report->impacts;
    measured->surface_impacts += report->surface_impacts;
    measured->held += report->held;
    measured->merged += report->merged;
}

/* "1 h 02 min", "3 min 20 s", "7 s" */
static void print_duration(double seconds, char text[DURATION_SIZE]) {
    const double minute = 60;
    const double hour = 60 * minute;
    if (seconds >= hour) {
        const double hours = (double)(int64_t)(seconds / hour);
        snprintf(text, DURATION_SIZE, "%.0f h %02.0f min", hours, (seconds - hours * hour) / minute);
    } else if (seconds >= minute) {
        const double minutes = (double)(int64_t)(seconds / minute);
        snprintf(text, DURATION_SIZE, "%.0f min %02.0f s", minutes, seconds - minutes * minute);
    } else {
        snprintf(text, DURATION_SIZE, "%.0f s", seconds);
    }
}

/* On a terminal only, since the energy takes a walk over all bodies. */
static void show_progress(carom_run_loop *loop, const carom_run_measured *measured) {
    const double now = carom_clock_seconds();
    carom_world_totals totals;
    carom_error error;
    char left[DURATION_SIZE];
    if (!carom_say_shows_progress() || now - loop->shown < PROGRESS_INTERVAL ||
        carom_run_world_total(loop->world, &totals, &error) != CAROM_OK) {
        return;
    }
    loop->shown = now;
    const double each = (now - loop->started) / (double)measured->steps;
    print_duration(each * (double)(loop->steps - measured->steps), left);
    carom_say_progress("step %" PRIu64 " of %" PRIu64 ", %s left, %.3g impacts/s, energy %.9g", measured->steps,
                       loop->steps, left, measured->seconds > 0 ? (double)measured->impacts / measured->seconds : 0,
                       totals.energy);
}

/* Whether a frame follows the step that was just taken. */
static bool frame_is_due(const carom_run_loop *loop, uint64_t steps, bool last) {
    return loop->trajectory != NULL && (last || steps % loop->every == 0);
}

/* One step, and what is written of it. */
static carom_status take_step(carom_run_loop *loop, carom_run_measured *measured, carom_error *error) {
    carom_step_report report = {.size = sizeof report};
    carom_status status = reserve_times(measured, error);
    loop->impacts->step = measured->steps;
    if (status == CAROM_OK) {
        status = carom_run_world_step(loop->world, &report, error);
    }
    if (status != CAROM_OK) {
        return status;
    }
    record(&report, measured);
    if (loop->impacts->status != CAROM_OK) {
        *error = loop->impacts->error;
        return loop->impacts->status;
    }
    measured->interrupted = measured->steps < loop->steps ? carom_unfinished_interrupted() : 0;
    const bool last = measured->interrupted != 0 || measured->steps == loop->steps;
    const bool due = frame_is_due(loop, measured->steps, last);
    if (due || (report.merged > 0 && loop->config->sink != NULL)) {
        status = list_bodies(loop, error);
    }
    return status == CAROM_OK && due ? add_frame(loop, measured->steps, error) : status;
}

carom_status carom_run_loop_steps(carom_run_loop *loop, carom_run_measured *measured, uint64_t *number,
                                  carom_error *error) {
    *number = 0;
    loop->impacts->roster = &loop->roster;
    loop->started = carom_clock_seconds();
    carom_status status = carom_run_world_total(loop->world, &measured->before, error);
    if (status == CAROM_OK && loop->config->sink != NULL) {
        status = list_bodies(loop, error);
    }
    if (status == CAROM_OK && loop->trajectory != NULL) {
        status = add_frame(loop, 0, error);
    }
    while (status == CAROM_OK && measured->steps < loop->steps && measured->interrupted == 0) {
        *number = measured->steps;
        status = take_step(loop, measured, error);
        if (status == CAROM_OK) {
            show_progress(loop, measured);
        }
    }
    carom_say_progress_end();
    return status;
}

carom_status carom_run_loop_end(carom_run_loop *loop, carom_run_measured *measured, carom_error *error) {
    const carom_status status = carom_run_view_read(loop->world, &loop->view, error);
    return status == CAROM_OK ? carom_run_world_total(loop->world, &measured->after, error) : status;
}

void carom_run_loop_release(carom_run_loop *loop, carom_run_measured *measured) {
    carom_run_view_release(&loop->view);
    carom_run_roster_release(&loop->roster);
    carom_heap_release(measured->step_seconds, measured->room * sizeof *measured->step_seconds);
}
