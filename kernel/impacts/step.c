/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: bodies at the start of a step. Out: bodies at its end, and their impacts. */
#include "kernel/impacts/step.h"

#include <math.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/sys/arithmetic.h"
#include "kernel/sys/error.h"

/* Impacts a body that a window should have: in groups of a few bodies hardly any work is done twice. */
static const double IMPACTS = 0.2;

static carom_status no_memory(carom_error *error) {
    return carom_error_set(error, CAROM_ERROR_MEMORY, "no memory for the impacts of a step");
}

static carom_status reserve(carom_impacts_step *step, carom_memory *memory, uint32_t count) {
    if (carom_buffer_reserve(memory, &step->hull_buffer, (6 * (uint64_t)count + 1) * sizeof(float)) != CAROM_OK ||
        carom_buffer_reserve(memory, &step->active_buffer, ((uint64_t)count + 1) * sizeof(uint32_t)) != CAROM_OK) {
        return CAROM_ERROR_MEMORY;
    }
    float *edges = step->hull_buffer.data;
    for (int a = 0; a < 3; a++) {
        step->hulls.lo[a] = edges + (uint64_t)a * count;
        step->hulls.hi[a] = edges + (uint64_t)(a + 3) * count;
    }
    step->window.active_of = step->active_buffer.data;
    memset(step->window.active_of, 0xFF, count * sizeof(uint32_t));
    return CAROM_OK;
}

/* Notes all impacts that happen if nothing else does. */
static void note_first_impacts(carom_window *window) {
    carom_impacts_bodies *bodies = window->bodies;
    const carom_impacts_rows *rows = window->rows;
    for (uint32_t a = 0; a < bodies->count && !window->failed; a++) {
        for (uint64_t n = rows->start[a]; n < rows->start[a + 1]; n++) {
            const uint32_t b = rows->neighbour[n];
            const double t =
                a < b ? carom_impacts_predict(bodies, a, &bodies->piece[a], b, &bodies->piece[b]) : INFINITY;
            if (t < 1.0) {
                carom_window_note(window, a, b, t);
            }
        }
        for (uint32_t s = 0; s < bodies->surfaces; s++) {
            const double t = carom_impacts_predict_surface(bodies, a, &bodies->piece[a], s);
            if (t < 1.0) {
                carom_window_note(window, a, CAROM_IMPACTS_SURFACE + s, t);
            }
        }
    }
}

/* Splits what was noted for the whole step among more windows. */
static void split(carom_window *window, uint32_t windows) {
    const carom_list all = window->pending[0];
    window->pending[0] = (carom_list){{NULL, 0}, 0};
    window->windows = windows;
    const carom_pending *pending = all.buffer.data;
    carom_impacts_bodies *bodies = window->bodies;
    for (uint64_t n = 0; n < all.count && !window->failed; n++) {
        const uint32_t a = pending[n].a;
        const uint32_t b = pending[n].b;
        const double t = b >= CAROM_IMPACTS_SURFACE
                             ? carom_impacts_predict_surface(bodies, a, &bodies->piece[a], b - CAROM_IMPACTS_SURFACE)
                             : carom_impacts_predict(bodies, a, &bodies->piece[a], b, &bodies->piece[b]);
        carom_window_note(window, a, b, t);
    }
    carom_list rest = all;
    carom_buffer_release(window->memory, &rest.buffer);
}

static uint32_t windows_for(uint64_t impacts, uint32_t bodies) {
    uint32_t windows = 1;
    while (windows < CAROM_WINDOWS_MAX && (double)impacts > IMPACTS * windows * bodies) {
        windows *= 2;
    }
    return windows;
}

/* What was noted may no longer happen: the bodies may be on other pieces by now. */
static void begin_window(carom_window *window, uint32_t n) {
    carom_impacts_bodies *bodies = window->bodies;
    const carom_list *list = &window->pending[n];
    window->begin = (double)n / window->windows;
    window->end = (n + 1.0) / window->windows;
    window->active.count = window->path.count = window->event.count = window->dirty.count = 0;
    for (uint64_t p = 0; p < list->count && !window->failed; p++) {
        const carom_pending pending = ((const carom_pending *)list->buffer.data)[p];
        const uint32_t a = pending.a;
        if (pending.b >= CAROM_IMPACTS_SURFACE) {
            const uint32_t surface = pending.b - CAROM_IMPACTS_SURFACE;
            if (carom_impacts_predict_surface(bodies, a, &bodies->piece[a], surface) < window->end) {
                carom_window_touch(window, a);
            }
        } else if (carom_impacts_predict(bodies, a, &bodies->piece[a], pending.b, &bodies->piece[pending.b]) <
                   window->end) {
            carom_window_unite(window, a, pending.b);
        }
    }
}

static bool is_dirty_root(const carom_window *window, uint32_t entry) {
    return carom_window_root(window, entry) == entry && carom_window_active(window)[entry].dirty;
}

static uint32_t dirty_entry(const carom_window *window, uint64_t n) {
    return ((const uint32_t *)window->dirty.buffer.data)[n];
}

/* Simulates all dirty groups, again with other rows if bodies left their hulls. Those that were simulated stay in the
 * list. */
static carom_status simulate_dirty(carom_impacts_step *step, carom_context *context, carom_error *error) {
    carom_window *window = &step->window;
    uint64_t groups = 0;
    uint32_t *dirty = window->dirty.buffer.data;
    for (uint64_t n = 0; n < window->dirty.count; n++) {
        if (is_dirty_root(window, dirty[n])) {
            dirty[groups++] = dirty[n];
        }
    }
    window->dirty.count = groups;
    carom_status status = CAROM_OK;
    do {
        window->escaped.count = 0;
        for (uint64_t n = 0; n < groups && !window->failed; n++) {
            carom_window_simulate(window, dirty_entry(window, n));
        }
        if (window->escaped.count > 0 && !window->failed) {
            status = carom_impacts_rows_make(&step->rows, window->memory, context, &step->hulls, window->bodies->count,
                                             error);
        }
    } while (window->escaped.count > 0 && !window->failed && status == CAROM_OK);
    return window->failed ? no_memory(error) : status;
}

/* Groups that meet become one, which is simulated in the next round. */
static void unite_meeting(carom_window *window) {
    const carom_pending *meeting = window->meeting.buffer.data;
    window->dirty.count = 0;
    for (uint64_t n = 0; n < window->meeting.count && !window->failed; n++) {
        carom_window_unite(window, meeting[n].a, meeting[n].b);
        if (!window->failed) {
            const uint32_t root = carom_window_root(window, window->active_of[meeting[n].a]);
            carom_window_active(window)[root].again = true;
        }
    }
}

static carom_status run_rounds(carom_impacts_step *step, carom_context *context, carom_error *error) {
    carom_window *window = &step->window;
    while (window->dirty.count > 0) {
        const carom_status status = simulate_dirty(step, context, error);
        if (status != CAROM_OK) {
            return status;
        }
        window->meeting.count = 0;
        for (uint64_t n = 0; n < window->dirty.count && !window->failed; n++) {
            carom_window_verify(window, dirty_entry(window, n));
        }
        unite_meeting(window);
        if (window->failed) {
            return no_memory(error);
        }
    }
    return CAROM_OK;
}

/* The paths of this window are final. */
static carom_status end_window(carom_impacts_step *step, carom_memory *memory, carom_error *error) {
    carom_window *window = &step->window;
    if (!carom_list_reserve(memory, &step->events, window->event.count, sizeof(carom_impacts_event))) {
        return no_memory(error);
    }
    const carom_impacts_event *from = window->event.buffer.data;
    carom_impacts_event *to = step->events.buffer.data;
    for (uint32_t entry = 0; entry < window->active.count; entry++) {
        const carom_active *a = &carom_window_active(window)[entry];
        window->bodies->piece[a->slot] = carom_window_path(window)[a->last].piece;
        window->active_of[a->slot] = CAROM_IMPACTS_NONE;
        if (a->parent == entry && a->events > 0) {
            memcpy(to + step->events.count, from + a->event, a->events * sizeof *from);
            step->events.count += a->events;
        }
    }
    return CAROM_OK;
}

static carom_status begin(carom_impacts_step *step, carom_memory *memory, carom_context *context,
                          carom_impacts_bodies *bodies, carom_error *error) {
    carom_window *window = &step->window;
    CAROM_ASSERT(step->windows <= CAROM_WINDOWS_MAX && (step->windows & (step->windows - 1)) == 0);
    CAROM_ASSERT(bodies->count < CAROM_IMPACTS_SURFACE && bodies->surfaces < CAROM_IMPACTS_SURFACE);
    window->bodies = bodies;
    window->hulls = &step->hulls;
    window->rows = &step->rows;
    window->memory = memory;
    window->failed = false;
    window->begin = 0.0;
    window->windows = 1;
    step->events.count = 0;
    for (uint32_t n = 0; n < CAROM_WINDOWS_MAX; n++) {
        window->pending[n].count = 0;
    }
    if (reserve(step, memory, bodies->count) != CAROM_OK) {
        return no_memory(error);
    }
    carom_hulls_make(&step->hulls, bodies, 0, bodies->count);
    const carom_status status =
        carom_impacts_rows_make(&step->rows, memory, context, &step->hulls, bodies->count, error);
    if (status != CAROM_OK) {
        return status;
    }
    note_first_impacts(window);
    const uint32_t windows = step->windows != 0 ? step->windows : windows_for(window->pending[0].count, bodies->count);
    if (windows > 1 && !window->failed) {
        split(window, windows);
    }
    return window->failed ? no_memory(error) : CAROM_OK;
}

/* The host may have set its thread to another rounding or to flushing. */
carom_status carom_impacts_step_run(carom_impacts_step *step, carom_memory *memory, carom_context *context,
                                    carom_impacts_bodies *bodies, carom_error *error) {
    const carom_arithmetic before = carom_arithmetic_enter();
    carom_status status = begin(step, memory, context, bodies, error);
    for (uint32_t n = 0; n < step->window.windows && status == CAROM_OK; n++) {
        begin_window(&step->window, n);
        status = step->window.failed ? no_memory(error) : run_rounds(step, context, error);
        status = status == CAROM_OK ? end_window(step, memory, error) : status;
    }
    carom_arithmetic_leave(before);
    return status;
}

void carom_impacts_step_release(carom_impacts_step *step, carom_memory *memory) {
    carom_window *window = &step->window;
    carom_list *lists[] = {&window->active,  &window->path,    &window->event,   &window->dirty,
                           &window->meeting, &window->escaped, &window->cluster, &step->events};
    for (size_t n = 0; n < sizeof lists / sizeof *lists; n++) {
        carom_buffer_release(memory, &lists[n]->buffer);
    }
    for (uint32_t n = 0; n < CAROM_WINDOWS_MAX; n++) {
        carom_buffer_release(memory, &window->pending[n].buffer);
    }
    carom_impacts_rows_release(&step->rows, memory);
    carom_buffer_release(memory, &step->hull_buffer);
    carom_buffer_release(memory, &step->active_buffer);
}
