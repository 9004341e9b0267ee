/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The host's control of a call under way. In: its flag and its progress function. Out: whether the call is to stop,
 * which is looked up between tasks and between slices of long ones (carom_walk in team.h).
 *
 * `stopped` stays set. Whoever leaves work out has seen it set, so code that runs after a stage asks for it before it
 * trusts what the stage has made. But for carom_control_start, the functions take NULL: nobody controls the call. */
#ifndef CAROM_SYS_CONTROL_H
#define CAROM_SYS_CONTROL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/control.h"

typedef struct carom_control {
    const carom_cancel *cancel;        /* the host's flag; NULL: none */
    carom_progress_function *progress; /* the host's function; NULL: none */
    void *user;                        /* its first argument */
    pthread_t caller;                  /* the thread that made the call, which alone reports */
    carom_phase phase;                 /* what runs */
    double at;                         /* share of the work that was done when the run of tasks began, 0 to 1 */
    double ahead;                      /* the same when it ends */
    double scale;                      /* of these shares in the call: below 1 where one detection is part of a call */
    double reported;                   /* the last fraction that the host was told */
    _Atomic uint64_t done;             /* items of this run that workers have done; counted for progress only */
    atomic_bool stopped;               /* the call is to return CANCELLED */
} carom_control;

/* At the beginning of a call, on the thread that makes it. */
void carom_control_start(carom_control *control, const carom_cancel *cancel, carom_progress_function *progress,
                         void *user);

/* The functions below, but for the last ones from carom_control_note on, are for the thread that made the call, outside
 * tasks. */

/* Begins another attempt at a detection: shares count from 0 again. */
void carom_control_restart(carom_control *control);

/* Begins a part of the call that is `scale` of its work, in (0, 1]: likewise. */
void carom_control_scale(carom_control *control, double scale);

/* From here on `phase` runs. */
void carom_control_enter(carom_control *control, carom_phase phase);

/* Begins a run of tasks, and reports. */
void carom_control_begin(carom_control *control);

/* A task has done `items` more of `count` that the run has; reports on the thread that made the call. Returns whether
 * the call is to stop. */
bool carom_control_note(carom_control *control, uint64_t items, uint64_t count);

/* Whether somebody has seen that the call is to stop. Nothing was left out before. */
static inline bool carom_control_stopped(const carom_control *control) {
    return control != NULL && atomic_load_explicit(&control->stopped, memory_order_relaxed);
}

/* Looks at the flag. Returns whether the call is to stop. */
bool carom_control_look(carom_control *control);

/* Items of a loop between two looks, where each is short. */
enum { CAROM_CONTROL_SHORT = 1 << 16 };

/* Whether a loop of short items is to go on with item n. */
static inline bool carom_control_goes_on(carom_control *control, uint64_t n) {
    return !(n % CAROM_CONTROL_SHORT == 0 ? carom_control_look(control) : carom_control_stopped(control));
}

/* Looks within an item that takes long: a pair with very many parts, each of which calls carom_watch_stops. */
typedef struct carom_watch {
    carom_control *control;
    uint32_t parts; /* so far */
} carom_watch;

enum {
    CAROM_WATCH_PARTS = 4,     /* between two looks at the flag: a part may take a tenth of a millisecond */
    CAROM_WATCH_REPORTS = 1024 /* between two reports */
};

/* What carom_watch_stops does when it is time to look. */
bool carom_watch_look(const carom_watch *watch);

/* A part is done. Returns whether the call is to stop. */
static inline bool carom_watch_stops(carom_watch *watch) {
    return watch->control != NULL && ++watch->parts % CAROM_WATCH_PARTS == 0 && carom_watch_look(watch);
}

#endif
