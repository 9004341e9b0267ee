/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: looks and reports. Out: the host's wish to stop, kept for all workers. */
#include "kernel/sys/control.h"

#include "kernel/check/assert.h"

/* Which shares of a detection the phases usually take. Inside cells the phase is that of the sweep. */
static const struct {
    double begin;
    double end;
} usual[CAROM_PHASE_COUNT] = {
    [CAROM_PHASE_BOUNDS] = {0.0, 0.06},  [CAROM_PHASE_PARTITION] = {0.06, 0.2}, [CAROM_PHASE_SORT] = {0.2, 0.85},
    [CAROM_PHASE_SWEEP] = {0.2, 0.85},   [CAROM_PHASE_APPROACH] = {0.2, 0.85},  [CAROM_PHASE_GROUPS] = {0.85, 0.92},
    [CAROM_PHASE_COLLECT] = {0.92, 1.0},
};

/* A run of tasks takes this share of what is left of its phase: there may be others after it. */
static const double RUN_SHARE = 0.75;

static double greater(double a, double b) {
    return a > b ? a : b;
}

/* What is lost does not come back: a later look need not find the flag raised. */
static void stop(carom_control *control) {
    atomic_store_explicit(&control->stopped, true, memory_order_relaxed);
}

void carom_control_start(carom_control *control, const carom_cancel *cancel, carom_progress_function *progress,
                         void *user) {
    *control =
        (carom_control){.cancel = cancel, .progress = progress, .user = user, .caller = pthread_self(), .scale = 1.0};
}

void carom_control_restart(carom_control *control) {
    if (control != NULL) {
        control->at = 0.0;
        control->ahead = 0.0;
    }
}

void carom_control_scale(carom_control *control, double scale) {
    CAROM_ASSERT(scale > 0.0 && scale <= 1.0);
    carom_control_restart(control);
    if (control != NULL) {
        control->scale = scale;
    }
}

void carom_control_enter(carom_control *control, carom_phase phase) {
    CAROM_ASSERT(phase < CAROM_PHASE_COUNT);
    if (control != NULL) {
        control->phase = phase;
    }
}

/* Tells the host that `within` of the run is done, 0 to 1. */
static void report(carom_control *control, double within) {
    const double share = control->at + (control->ahead - control->at) * within;
    control->reported = greater(control->reported, control->scale * share);
    const carom_progress progress = {sizeof progress, control->phase, control->reported};
    if (control->progress(control->user, &progress) != 0) {
        stop(control);
    }
}

void carom_control_begin(carom_control *control) {
    if (control == NULL || control->progress == NULL || carom_control_stopped(control)) {
        return;
    }
    atomic_store_explicit(&control->done, 0, memory_order_relaxed);
    control->at = greater(control->ahead, usual[control->phase].begin);
    control->ahead = control->at + RUN_SHARE * greater(usual[control->phase].end - control->at, 0.0);
    report(control, 0.0);
}

bool carom_control_look(carom_control *control) {
    if (control == NULL) {
        return false;
    }
    if (control->cancel != NULL && __atomic_load_n(&control->cancel->raised, __ATOMIC_ACQUIRE) != 0) {
        stop(control);
    }
    return carom_control_stopped(control);
}

/* Another thread's share counts as soon as it is done; a run of several walks may count more than `count`. */
bool carom_control_note(carom_control *control, uint64_t items, uint64_t count) {
    if (control == NULL || control->progress == NULL || carom_control_stopped(control)) {
        return carom_control_look(control);
    }
    const uint64_t done = atomic_fetch_add_explicit(&control->done, items, memory_order_relaxed) + items;
    if (pthread_equal(pthread_self(), control->caller)) {
        report(control, done < count ? (double)done / (double)count : 1.0);
    }
    return carom_control_look(control);
}

/* The run is no farther than it was, but the host may want to stop. */
bool carom_watch_look(const carom_watch *watch) {
    carom_control *control = watch->control;
    const bool reports = control->progress != NULL && watch->parts % CAROM_WATCH_REPORTS == 0;
    if (reports && !carom_control_stopped(control) && pthread_equal(pthread_self(), control->caller)) {
        report(control, 0.0);
    }
    return carom_control_look(control);
}
