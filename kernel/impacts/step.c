/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: bodies at the start of a step. Out: bodies at its end, and their impacts. */
#include "kernel/impacts/step.h"

#include <math.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/impacts/horizon.h"
#include "kernel/impacts/pending.h"
#include "kernel/impacts/reuse.h"
#include "kernel/impacts/reuse_steps.h"
#include "kernel/impacts/run.h"
#include "kernel/impacts/search_plan.h"
#include "kernel/sys/arithmetic.h"
#include "kernel/sys/clock.h"
#include "kernel/sys/error.h"

/* Impacts for which no search is made anew. */
static const double IMPACTS_FEW = 4.0;

/* Windows between searches where a step is cut into equal ones. */
enum { SEARCH_WINDOWS = 4 };

/* Where a step is cut into equal parts: when the part ends in which a time is, counting `each` parts as one. */
static double end_of_part(uint32_t parts, uint32_t each, double at) {
    uint32_t n = each;
    while (n < parts && !((double)n / parts > at)) {
        n += each;
    }
    return n >= parts ? 1.0 : (double)n / parts;
}

/* One that would leave a short rest lasts longer. */
static double end_of_search(const carom_impacts_step *step, double begin) {
    if (step->windows > 0) {
        return end_of_part(step->windows, SEARCH_WINDOWS, begin);
    }
    return begin + 1.25 * step->length < 1.0 ? begin + step->length : 1.0;
}

static double end_of_window(const carom_run *r) {
    const carom_impacts_step *step = r->step;
    const double begin = r->window->begin;
    const double end =
        step->windows > 0 ? end_of_part(step->windows, 1, begin) : carom_horizon_end(r->window, r->team, step->share);
    const double most = fmin(r->window->soon, r->window->hulls->until);
    return fmin(begin + step->longest > begin ? fmin(end, begin + step->longest) : end, most);
}

/* After one that was cut windows grow again from window to window. */
static carom_status run_window(carom_run *r) {
    carom_impacts_step *step = r->step;
    carom_window *window = r->window;
    if (window->begin >= window->soon && !carom_pending_take_back(window, r->team)) {
        return carom_run_no_memory(r);
    }
    window->end = end_of_window(r);
    if (!carom_pending_set_aside(window, r->team)) {
        return carom_run_no_memory(r);
    }
    CAROM_ASSERT(window->end > window->begin && window->end <= window->hulls->until);
    const double wanted = window->end;
    const carom_status status = carom_run_window(r);
    if (status == CAROM_OK) {
        step->longest = window->end < wanted ? window->end - window->begin : 2.0 * step->longest;
        step->work.windows++;
    }
    return status;
}

/* Where a search is for a whole step, hulls of a step before may serve instead, and those that it makes later ones,
 * unless they are tight: what these find tells nothing of others. It may be for another time than until *end, where
 * that costs less: that is *end then. */
static carom_status find_neighbours(carom_run *r, double *end, carom_search_plan *plan) {
    const double begin = r->window->begin;
    if (begin == 0.0 && *end == 1.0 && carom_reuse_serves(r)) {
        carom_run_lap(r, CAROM_STEP_PHASE_NEIGHBOURS);
        return carom_run_predict(r, carom_reuse_predict);
    }
    if (begin == 0.0) {
        carom_hulls_set_frame(&r->step->search.hulls, r->window->bodies);
    }
    *plan = (carom_search_plan){*end, false, INFINITY};
    if (r->step->windows == 0) {
        *plan = carom_search_plan_choose(r->window, *end, r->step->reach, &r->spent);
        *end = fmin(r->latest, plan->end);
    }
    r->step->search.hulls.tight = plan->tight || r->step->tight;
    const bool whole = begin == 0.0 && *end == 1.0 && !r->step->search.hulls.tight;
    const uint32_t steps = whole ? carom_reuse_steps_choose(&r->step->search, r->window->bodies, r->step->steps) : 1;
    const carom_status status = carom_run_search(r, *end, steps);
    if (status == CAROM_OK) {
        carom_reuse_note(r, whole);
    }
    return status;
}

static carom_status search(carom_run *r, double *end) {
    carom_window *window = r->window;
    carom_hulls *hulls = &r->step->search.hulls;
    carom_search_plan plan = {*end, false, INFINITY};
    const carom_status status = find_neighbours(r, end, &plan);
    if (status == CAROM_OK && plan.impacts < INFINITY) {
        const double most = plan.impacts * window->bodies->count + IMPACTS_FEW;
        *end = hulls->until = carom_horizon_before(window, r->team, most);
    }
    if (status == CAROM_OK && window->begin == 0.0) {
        hulls->until = carom_horizon_moment(window, r->team, r->step->at_once);
    }
    return status;
}

/* Runs a window, after a search if hulls have ended, which are then to last until *end. Where hulls are too wide, as
 * those of fast bodies that may meet images too far away, they are made anew for a shorter time, so that what fails
 * does not depend on how long they were to last. */
static carom_status advance(carom_run *r, bool search_first, double *end) {
    const double begin = r->window->begin;
    r->latest = 1.0;
    for (;;) {
        carom_status status = search_first ? search(r, end) : CAROM_OK;
        status = status == CAROM_OK ? run_window(r) : status;
        const double last = fmax(*end, r->step->search.hulls.frame.end);
        if (status != CAROM_ERROR_BODY || !carom_run_may_shorten(begin, last)) {
            return status;
        }
        *end = r->latest = carom_run_shorter(begin, *end);
        search_first = true;
    }
}

static carom_status run_windows(carom_run *r) {
    carom_impacts_step *step = r->step;
    carom_window *window = r->window;
    const carom_hulls *hulls = &step->search.hulls;
    carom_status status = CAROM_OK;
    uint64_t impacts = 0; /* before the last search */
    double end = 0.0;     /* of hulls */
    if (step->length == 0.0) {
        carom_hulls_set_frame(&step->search.hulls, window->bodies);
    }
    if (step->windows == 0) {
        step->length = step->length == 0.0 ? carom_horizon_first(window) : carom_horizon_start(window, step->length);
    }
    step->share = step->share > 0.0 ? step->share : 1.0;
    step->longest = 1.0;
    for (window->end = 0.0; window->end < 1.0 && status == CAROM_OK;) {
        window->begin = window->end;
        const uint64_t before = step->work.impacts;
        const bool ended = window->begin == 0.0 || window->begin >= hulls->until;
        end = ended ? end_of_search(step, window->begin) : end;
        status = advance(r, ended, &end);
        impacts = hulls->frame.begin == window->begin ? before : impacts;
        if (window->end >= end) {
            step->length = carom_horizon_next(window, step->work.impacts - impacts);
            step->reach = carom_horizon_reach(window, step->work.impacts - impacts);
        } else if (window->end >= hulls->until) {
            step->length = carom_horizon_after_moment(window, step->length);
        }
    }
    return status;
}

/* Words of so many bits, in whole cache lines: sets of workers share no line. */
static uint64_t words_in_lines(uint64_t bits) {
    const uint64_t line = CAROM_CACHE_LINE / sizeof(uint64_t);
    return (carom_window_words(bits) + line - 1) / line * line;
}

static carom_status reserve(carom_run *r, uint32_t count) {
    carom_impacts_step *step = r->step;
    const uint64_t before = step->worker_buffer.bytes;
    const uint64_t workers = r->team->workers * sizeof(carom_impacts_worker);
    const uint64_t words = words_in_lines(count);
    const uint64_t stride = words_in_lines(words);
    const uint64_t marks = (2 * words + r->team->workers * stride) * sizeof(uint64_t);
    if (carom_buffer_reserve(r->memory, &step->active_buffer, ((uint64_t)count + 1) * sizeof(uint32_t)) != CAROM_OK ||
        carom_buffer_reserve(r->memory, &step->count_buffer, ((uint64_t)count + 1) * sizeof(uint16_t)) != CAROM_OK ||
        carom_buffer_reserve(r->memory, &step->mark_buffer, marks) != CAROM_OK ||
        (before < workers && carom_buffer_grow(r->memory, &step->worker_buffer, workers, before) != CAROM_OK)) {
        return carom_run_no_memory(r);
    }
    if (step->worker_buffer.bytes > before) {
        memset((char *)step->worker_buffer.data + before, 0, step->worker_buffer.bytes - before);
    }
    r->window->worker = step->worker_buffer.data;
    r->window->active_of = step->active_buffer.data;
    r->window->count_of = step->count_buffer.data;
    r->window->sets.escaped = step->mark_buffer.data;
    r->window->sets.due = (_Atomic uint64_t *)step->mark_buffer.data + words;
    r->window->sets.due_words = (uint64_t *)step->mark_buffer.data + 2 * words;
    r->window->sets.due_stride = stride;
    memset(r->window->active_of, 0xFF, count * sizeof(uint32_t));
    memset(step->mark_buffer.data, 0, marks);
    return CAROM_OK;
}

static carom_status begin(carom_run *r, carom_impacts_bodies *bodies) {
    carom_window *window = r->window;
    CAROM_ASSERT(bodies->count < CAROM_IMPACTS_SURFACE && bodies->surfaces < CAROM_IMPACTS_SURFACE);
    window->bodies = bodies;
    window->hulls = &r->step->search.hulls;
    window->rows = &r->step->search.rows;
    window->memory = r->memory;
    window->simd = r->context->simd;
    window->failed = false;
    window->control = r->team->control;
    r->step->search.hulls.frame.reach = 0.0;
    for (int e = 0; e < 3 && bodies->periodic != NULL; e++) {
        for (int a = 0; a < 3 && bodies->periodic->along[e]; a++) {
            r->step->search.hulls.frame.reach += CAROM_IMAGE_MOST * fabs(bodies->periodic->edge[e][a]);
        }
    }
    r->step->events.list.count = 0;
    return reserve(r, bodies->count);
}

static carom_status run_step(carom_run *r, carom_impacts_bodies *bodies) {
    carom_status status = begin(r, bodies);
    for (uint32_t w = 0; w < r->team->workers && status == CAROM_OK; w++) {
        r->window->worker[w].failed = false;
        r->window->worker[w].beyond = CAROM_BEYOND_NONE;
    }
    if (status == CAROM_OK) {
        status = r->step->report_only ? carom_run_report(r) : run_windows(r);
    }
    if (status == CAROM_OK) {
        status = carom_impacts_events_sort(&r->step->events, r->memory, r->context);
        status = status == CAROM_ERROR_MEMORY ? carom_run_no_memory(r) : status;
        carom_run_lap(r, CAROM_STEP_PHASE_END);
    }
    if (status == CAROM_OK) {
        carom_reuse_keep(r);
    }
    return status;
}

/* The host may have set its thread to another rounding or to flushing. What a step has learnt of the lengths of windows
 * counts only if it succeeds: after one that was cancelled the next step has windows as it would have had. */
carom_status carom_impacts_step_run(carom_impacts_step *step, carom_memory *memory, carom_context *context,
                                    carom_impacts_bodies *bodies, carom_error *error) {
    step->work = (carom_impacts_work){.windows = 0};
    step->events.list.count = 0;
    if (bodies->count == 0) {
        return CAROM_OK;
    }
    const carom_arithmetic before = carom_arithmetic_enter();
    const double length = step->length;
    const double share = step->share;
    const double reach = step->reach;
    carom_context_use_workers(context, bodies->count);
    carom_error found = {.status = CAROM_OK}; /* by a search that failed, which may have been made anew */
    carom_run r = {.step = step,
                   .window = &step->window,
                   .memory = memory,
                   .context = context,
                   .team = &context->team,
                   .error = error != NULL ? &found : NULL,
                   .lap = carom_clock_seconds()};
    const carom_status status = run_step(&r, bodies);
    if (status != CAROM_OK) {
        step->length = length;
        step->share = share;
        step->reach = reach;
        if (error != NULL && found.status != CAROM_OK) {
            *error = found;
        }
    }
    carom_arithmetic_leave(before);
    return status;
}

void carom_impacts_step_forget(carom_impacts_step *step) {
    step->search.reuse.left = 0;
}

static void release_worker(carom_impacts_worker *worker, carom_memory *memory) {
    carom_buffer *buffers[] = {&worker->path.piece.buffer,
                               &worker->event.buffer,
                               &worker->pending.buffer,
                               &worker->aside.buffer,
                               &worker->meeting.buffer,
                               &worker->escape.buffer,
                               &worker->search.found.buffer,
                               &worker->search.box.buffer,
                               &worker->search.before.buffer,
                               &worker->search.query.buffer,
                               &worker->search.room,
                               &worker->adjacent.cluster,
                               &worker->adjacent.instant.buffer,
                               &worker->adjacent.column.buffer,
                               &worker->near,
                               &worker->path.joined.buffer,
                               &worker->adjacent.other.buffer,
                               &worker->adjacent.image.buffer,
                               &worker->verification.waiting.buffer,
                               &worker->verification.hint.buffer,
                               &worker->verification.piece.buffer,
                               &worker->verification.kept.buffer,
                               &worker->verification.idle.buffer,
                               &worker->verification.other.buffer,
                               &worker->due.buffer,
                               &worker->later.buffer,
                               &worker->prospects.pair.buffer,
                               &worker->prospects.changed.buffer,
                               &worker->prospects.crossed.buffer};
    for (size_t n = 0; n < sizeof buffers / sizeof *buffers; n++) {
        carom_buffer_release(memory, buffers[n]);
    }
    carom_tree_search_release(&worker->search.tree, memory);
}

void carom_impacts_step_release(carom_impacts_step *step, carom_memory *memory) {
    carom_impacts_worker *worker = step->worker_buffer.data;
    for (uint64_t w = 0; w < step->worker_buffer.bytes / sizeof *worker; w++) {
        release_worker(&worker[w], memory);
    }
    carom_buffer_release(memory, &step->worker_buffer);
    carom_buffer_release(memory, &step->active_buffer);
    carom_buffer_release(memory, &step->count_buffer);
    carom_buffer_release(memory, &step->mark_buffer);
    carom_buffer_release(memory, &step->window.active.buffer);
    carom_buffer_release(memory, &step->window.dirty.buffer);
    carom_buffer_release(memory, &step->window.sets.united.buffer);
    carom_buffer_release(memory, &step->window.sets.large.buffer);
    carom_buffer_release(memory, &step->window.front.buffer);
    carom_search_release(&step->search, memory);
    carom_impacts_events_release(&step->events, memory);
}
