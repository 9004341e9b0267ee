/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: bodies at the start of a step. Out: bodies at its end, and their impacts. */
#include "kernel/impacts/step.h"

#include <math.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/impacts/ahead.h"
#include "kernel/impacts/escape.h"
#include "kernel/impacts/finish.h"
#include "kernel/impacts/horizon.h"
#include "kernel/impacts/pending.h"
#include "kernel/sys/arithmetic.h"
#include "kernel/sys/clock.h"
#include "kernel/sys/error.h"

/* Groups that a worker claims at once. */
enum { CLAIM = 16 };

/* Rounds of a window in which groups grow by the bodies that they meet alone. */
enum { ROUNDS_EXPECTED = 8 };

/* Windows between searches where a step is cut into equal ones. */
enum { SEARCH_WINDOWS = 4 };

/* A step under way. */
typedef struct run {
    carom_impacts_step *step;
    carom_window *window;
    carom_memory *memory;
    carom_context *context;
    const carom_team *team;
    carom_error *error;
    uint64_t begin; /* of the groups that a stage works on, in window->dirty */
    _Atomic uint64_t next;
    double lap;
} run;

static carom_status no_memory(carom_error *error) {
    return carom_error_set(error, CAROM_ERROR_MEMORY, "no memory for the impacts of a step");
}

/* Adds the time since the last lap to a phase. */
static void lap(run *r, carom_step_phase phase) {
    const double now = carom_clock_seconds();
    r->step->work.seconds[phase] += now - r->lap;
    r->lap = now;
}

static uint32_t lowest_beyond(const run *r) {
    uint32_t lowest = CAROM_IMPACTS_NONE;
    for (uint32_t w = 0; w < r->team->workers; w++) {
        lowest = r->window->worker[w].beyond < lowest ? r->window->worker[w].beyond : lowest;
    }
    return lowest;
}

/* After a stage: whether a worker lacked memory or met a body that is too far away, or the caller cancels. */
static carom_status stage_status(run *r) {
    for (uint32_t w = 0; w < r->team->workers; w++) {
        r->window->failed = r->window->failed || r->window->worker[w].failed;
    }
    if (carom_team_stopped(r->team) || (r->team->control != NULL && carom_control_look(r->team->control))) {
        return carom_error_set(r->error, CAROM_ERROR_CANCELLED, "the step was cancelled");
    }
    if (r->window->failed) {
        return no_memory(r->error);
    }
    const uint32_t beyond = lowest_beyond(r);
    return beyond == CAROM_IMPACTS_NONE ? CAROM_OK : carom_search_too_far(beyond, r->error);
}

static void simulate_task(void *data, uint32_t worker) {
    run *r = data;
    const uint32_t *root = r->window->dirty.buffer.data;
    const carom_ahead ahead = {r->window, carom_window_active(r->window), root, r->window->dirty.count};
    for (uint64_t at = CLAIM * carom_team_claim(&r->next) + r->begin; at < r->window->dirty.count;
         at = CLAIM * carom_team_claim(&r->next) + r->begin) {
        for (uint64_t n = at; n < at + CLAIM && n < r->window->dirty.count && !r->window->worker[worker].failed; n++) {
            carom_ahead_simulate(&ahead, n);
            carom_window_simulate(r->window, root[n], worker);
        }
    }
}

static void verify_task(void *data, uint32_t worker) {
    run *r = data;
    const uint32_t *root = r->window->dirty.buffer.data;
    const carom_ahead ahead = {r->window, carom_window_active(r->window), root, r->window->dirty.count};
    for (uint64_t at = CLAIM * carom_team_claim(&r->next); at < r->window->dirty.count;
         at = CLAIM * carom_team_claim(&r->next)) {
        for (uint64_t n = at; n < at + CLAIM && n < r->window->dirty.count && !carom_team_stopped(r->team); n++) {
            carom_ahead_verify(&ahead, n);
            carom_window_verify(r->window, root[n], worker);
        }
    }
}

/* Runs a stage over the groups from `begin` on in window->dirty. */
static carom_status run_stage(run *r, uint64_t begin, carom_team_task *task) {
    r->begin = begin;
    r->next = 0;
    carom_team_run_over(r->team, (r->window->dirty.count - begin) * 8, task, r);
    return stage_status(r);
}

static void clear_escapes(const run *r) {
    for (uint32_t w = 0; w < r->team->workers; w++) {
        r->window->worker[w].escape.count = 0;
    }
}

static void mark_clean(const carom_window *window, uint64_t begin) {
    const uint32_t *dirty = window->dirty.buffer.data;
    for (uint64_t n = begin; n < window->dirty.count; n++) {
        carom_window_active(window)[dirty[n]].dirty = false;
    }
}

/* Simulates all dirty groups: again those that lacked a neighbour because a body of theirs left its hull. They come
 * after the others in the list of dirty groups, which is at last what it was. */
static carom_status simulate_dirty(run *r) {
    carom_window *window = r->window;
    const carom_escapes escapes = {window, &r->step->search.rows, &r->step->search.tree, r->team};
    const uint64_t groups = window->dirty.count;
    carom_status status = CAROM_OK;
    for (uint64_t begin = 0; begin < window->dirty.count && status == CAROM_OK;) {
        clear_escapes(r);
        window->round++;
        status = run_stage(r, begin, simulate_task);
        begin = window->dirty.count;
        if (status == CAROM_OK) {
            carom_escapes_follow(&escapes);
            mark_clean(window, begin);
            status = stage_status(r);
        }
    }
    window->dirty.count = groups;
    return status;
}

/* Bodies that join a group around a meeting, beside the two that meet. A chain of touching bodies that is hit grows by
 * one a round: after some rounds it grows by twice as many as in the round before. */
static uint64_t more_to_unite(uint32_t rounds) {
    return rounds < ROUNDS_EXPECTED ? 0
                                    : UINT64_C(1) << (rounds - ROUNDS_EXPECTED < 32 ? rounds - ROUNDS_EXPECTED : 32);
}

/* Groups that meet become one, which is simulated in the next round. */
static void unite_meeting(const run *r, uint32_t rounds) {
    carom_window *window = r->window;
    const uint64_t more = more_to_unite(rounds);
    window->dirty.count = 0;
    for (uint32_t w = 0; w < r->team->workers; w++) {
        carom_list *list = &window->worker[w].meeting;
        const carom_contact_pair *meeting = list->buffer.data;
        for (uint64_t n = 0; n < list->count && !window->failed; n++) {
            carom_window_unite(window, meeting[n].a, meeting[n].other);
            if (more > 0) {
                carom_window_unite_around(window, meeting[n].a, more);
                carom_window_unite_around(window, meeting[n].other, more);
            }
            if (!window->failed) {
                const uint32_t root = carom_window_root(window, window->active_of[meeting[n].a]);
                carom_window_active(window)[root].verified = true;
            }
        }
        list->count = 0;
    }
}

static carom_status run_rounds(run *r) {
    carom_status status = CAROM_OK;
    uint32_t rounds = 0;
    carom_window_flatten(r->window);
    while (r->window->dirty.count > 0 && status == CAROM_OK) {
        r->step->work.rounds++;
        r->window->fresh = r->window->round + 1;
        status = simulate_dirty(r);
        lap(r, CAROM_STEP_PHASE_SIMULATE);
        if (status == CAROM_OK) {
            status = run_stage(r, 0, verify_task);
        }
        if (status == CAROM_OK) {
            unite_meeting(r, ++rounds);
            carom_window_flatten(r->window);
            status = stage_status(r);
        }
        lap(r, CAROM_STEP_PHASE_VERIFY);
    }
    return status;
}

static void clear_workers(const run *r) {
    for (uint32_t w = 0; w < r->team->workers; w++) {
        carom_impacts_worker *worker = &r->window->worker[w];
        worker->path.count = worker->event.count = worker->meeting.count = worker->escape.count = 0;
        worker->later.count = 0;
        worker->largest = 0;
        worker->failed = false;
        worker->beyond = CAROM_IMPACTS_NONE;
    }
}

/* Neighbours and their impacts, from the window's beginning to `end`. */
static carom_status begin_search(run *r, double end) {
    carom_window *window = r->window;
    carom_search *search = &r->step->search;
    search->hulls.frame.begin = window->begin;
    search->hulls.frame.end = end;
    carom_status status = carom_search_run(search, r->memory, r->context, window, r->error);
    lap(r, CAROM_STEP_PHASE_NEIGHBOURS);
    if (status == CAROM_OK) {
        carom_search_predict(search, r->team, window);
        status = stage_status(r);
        lap(r, CAROM_STEP_PHASE_PREDICT);
    }
    return status;
}

/* Members of the window's largest group. */
static uint64_t largest_group(const run *r) {
    uint64_t largest = 0;
    for (uint32_t w = 0; w < r->team->workers; w++) {
        largest = r->window->worker[w].largest > largest ? r->window->worker[w].largest : largest;
    }
    return largest;
}

static carom_status end_window(run *r) {
    carom_impacts_step *step = r->step;
    const uint64_t largest = largest_group(r);
    step->work.largest_group = largest > step->work.largest_group ? largest : step->work.largest_group;
    step->share = carom_horizon_share(step->share, largest);
    const carom_tally tally = carom_window_finish(r->window, r->team, step->count_only ? NULL : &step->events);
    step->work.impacts += tally.impacts;
    step->work.surface_impacts += tally.surface_impacts;
    return stage_status(r);
}

static carom_status run_window(run *r) {
    carom_window *window = r->window;
    clear_workers(r);
    window->active.count = window->dirty.count = 0;
    window->round = 0;
    carom_pending_unite(window, r->team);
    carom_status status = stage_status(r);
    lap(r, CAROM_STEP_PHASE_PREDICT);
    if (status == CAROM_OK) {
        status = run_rounds(r);
    }
    if (status == CAROM_OK) {
        status = end_window(r);
    }
    lap(r, CAROM_STEP_PHASE_END);
    return status;
}

/* What would happen to a pair, on pieces of its own. */
static carom_impacts_event report_of(const carom_impacts_bodies *bodies, const carom_pending *pending) {
    const bool surface = carom_impacts_is_surface(pending->pair.other);
    const bool lower = surface || bodies->number[pending->pair.a] < bodies->number[pending->pair.other];
    const uint32_t i = lower ? pending->pair.a : pending->pair.other;
    const uint32_t k = lower ? pending->pair.other : pending->pair.a;
    const uint32_t code = lower ? pending->pair.image : carom_image_opposite(pending->pair.image);
    carom_piece piece_i = bodies->piece[i];
    double kept[2][3];
    carom_response_side side_i = carom_impacts_side(bodies, i, &piece_i);
    carom_impacts_event event = {.t = pending->t, .i = side_i.number, .k = k};
    side_i.kept = kept[0];
    carom_image_edges(code, event.shift);
    if (surface) {
        event.impact =
            carom_respond_surface(&bodies->rules, &side_i, &bodies->surface[k - CAROM_IMPACTS_SURFACE], k, event.t);
    } else {
        carom_piece piece_k = bodies->piece[k];
        carom_response_side side_k = carom_impacts_side(bodies, k, &piece_k);
        const carom_pair_image image = carom_image_of(bodies->periodic, code);
        side_k.kept = kept[1];
        event.k = side_k.number;
        event.impact = carom_respond_bodies(&bodies->rules, &side_i, &side_k, &image, event.t);
    }
    event.impact.impulse = 0.0;
    return event;
}

static carom_status keep_report(run *r, const carom_impacts_event *event) {
    r->step->work.impacts++;
    r->step->work.surface_impacts += carom_impacts_is_surface(event->k) ? 1 : 0;
    return r->step->count_only || carom_impacts_events_append(&r->step->events, r->memory, event, 1)
               ? CAROM_OK
               : no_memory(r->error);
}

/* Events are all first impacts. */
static carom_status run_report(run *r) {
    carom_window *window = r->window;
    window->begin = 0.0;
    window->end = 1.0;
    carom_status status = begin_search(r, 1.0);
    for (uint32_t w = 0; w < r->team->workers && status == CAROM_OK; w++) {
        const carom_pending *pending = window->worker[w].pending.buffer.data;
        for (uint64_t n = 0; n < window->worker[w].pending.count && status == CAROM_OK; n++) {
            const carom_impacts_event event = report_of(window->bodies, &pending[n]);
            status = keep_report(r, &event);
        }
    }
    r->step->work.windows = 1;
    lap(r, CAROM_STEP_PHASE_PREDICT);
    return status;
}

/* The end of what begins at `begin` and lasts as long as it should. One that would leave a short rest lasts longer. */
static double end_of_search(const carom_impacts_step *step, double begin) {
    if (step->windows > 0) {
        const uint32_t n = (step->work.windows + SEARCH_WINDOWS) / SEARCH_WINDOWS * SEARCH_WINDOWS;
        return n >= step->windows ? 1.0 : (double)n / step->windows;
    }
    return begin + 1.25 * step->length < 1.0 ? begin + step->length : 1.0;
}

static double end_of_window(const run *r) {
    const carom_impacts_step *step = r->step;
    const uint32_t n = step->work.windows + 1;
    if (step->windows > 0) {
        return n == step->windows ? 1.0 : (double)n / step->windows;
    }
    return carom_horizon_end(r->window, r->team, step->share);
}

static carom_status run_windows(run *r) {
    carom_impacts_step *step = r->step;
    carom_window *window = r->window;
    const carom_hulls *hulls = &step->search.hulls;
    carom_status status = CAROM_OK;
    uint64_t impacts = 0;
    if (step->windows == 0 && step->length == 0.0) {
        step->length = carom_horizon_first(window->bodies);
    }
    step->share = step->share > 0.0 ? step->share : 1.0;
    for (window->end = 0.0; window->end < 1.0 && status == CAROM_OK;) {
        window->begin = window->end;
        if (window->begin == 0.0 || window->begin >= hulls->frame.end) {
            impacts = step->work.impacts;
            status = begin_search(r, end_of_search(step, window->begin));
        }
        if (status == CAROM_OK) {
            window->end = end_of_window(r);
            CAROM_ASSERT(window->end > window->begin);
            status = run_window(r);
            step->work.windows++;
        }
        if (window->end >= hulls->frame.end) {
            step->length = carom_horizon_next(window, step->work.impacts - impacts);
        }
    }
    return status;
}

static carom_status reserve(run *r, uint32_t count) {
    carom_impacts_step *step = r->step;
    const uint64_t before = step->worker_buffer.bytes;
    const uint64_t workers = r->team->workers * sizeof(carom_impacts_worker);
    const uint64_t words = carom_window_words(count);
    if (carom_buffer_reserve(r->memory, &step->active_buffer, ((uint64_t)count + 1) * sizeof(uint32_t)) != CAROM_OK ||
        carom_buffer_reserve(r->memory, &step->mark_buffer, words * sizeof(uint64_t)) != CAROM_OK ||
        (before < workers && carom_buffer_grow(r->memory, &step->worker_buffer, workers, before) != CAROM_OK)) {
        return no_memory(r->error);
    }
    if (step->worker_buffer.bytes > before) {
        memset((char *)step->worker_buffer.data + before, 0, step->worker_buffer.bytes - before);
    }
    r->window->worker = step->worker_buffer.data;
    r->window->active_of = step->active_buffer.data;
    r->window->marks = step->mark_buffer.data;
    memset(r->window->active_of, 0xFF, count * sizeof(uint32_t));
    memset(step->mark_buffer.data, 0, words * sizeof(uint64_t));
    return CAROM_OK;
}

static carom_status begin(run *r, carom_impacts_bodies *bodies) {
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
    carom_hulls_set_scales(&r->step->search.hulls, bodies);
    for (int e = 0; e < 3 && bodies->periodic != NULL; e++) {
        for (int a = 0; a < 3 && bodies->periodic->along[e]; a++) {
            r->step->search.hulls.frame.reach += CAROM_IMAGE_MOST * fabs(bodies->periodic->edge[e][a]);
        }
    }
    r->step->events.list.count = 0;
    return reserve(r, bodies->count);
}

static carom_status run_step(run *r, carom_impacts_bodies *bodies) {
    carom_status status = begin(r, bodies);
    for (uint32_t w = 0; w < r->team->workers && status == CAROM_OK; w++) {
        r->window->worker[w].failed = false;
        r->window->worker[w].beyond = CAROM_IMPACTS_NONE;
    }
    if (status == CAROM_OK) {
        status = r->step->report_only ? run_report(r) : run_windows(r);
    }
    if (status == CAROM_OK) {
        status = carom_impacts_events_sort(&r->step->events, r->memory, r->context);
        status = status == CAROM_ERROR_MEMORY ? no_memory(r->error) : status;
        lap(r, CAROM_STEP_PHASE_END);
    }
    return status;
}

/* The host may have set its thread to another rounding or to flushing. */
carom_status carom_impacts_step_run(carom_impacts_step *step, carom_memory *memory, carom_context *context,
                                    carom_impacts_bodies *bodies, carom_error *error) {
    step->work = (carom_impacts_work){.windows = 0};
    step->events.list.count = 0;
    if (bodies->count == 0) {
        return CAROM_OK;
    }
    const carom_arithmetic before = carom_arithmetic_enter();
    carom_context_use_workers(context, bodies->count);
    run r = {.step = step,
             .window = &step->window,
             .memory = memory,
             .context = context,
             .team = &context->team,
             .error = error,
             .lap = carom_clock_seconds()};
    const carom_status status = run_step(&r, bodies);
    carom_arithmetic_leave(before);
    return status;
}

static void release_worker(carom_impacts_worker *worker, carom_memory *memory) {
    carom_buffer *buffers[] = {&worker->path.buffer,    &worker->event.buffer,  &worker->pending.buffer,
                               &worker->meeting.buffer, &worker->escape.buffer, &worker->found.buffer,
                               &worker->cluster,        &worker->near,          &worker->adjacent.buffer,
                               &worker->hint.buffer,    &worker->due.buffer,    &worker->later.buffer};
    for (size_t n = 0; n < sizeof buffers / sizeof *buffers; n++) {
        carom_buffer_release(memory, buffers[n]);
    }
}

void carom_impacts_step_release(carom_impacts_step *step, carom_memory *memory) {
    carom_impacts_worker *worker = step->worker_buffer.data;
    for (uint64_t w = 0; w < step->worker_buffer.bytes / sizeof *worker; w++) {
        release_worker(&worker[w], memory);
    }
    carom_buffer_release(memory, &step->worker_buffer);
    carom_buffer_release(memory, &step->active_buffer);
    carom_buffer_release(memory, &step->mark_buffer);
    carom_buffer_release(memory, &step->window.active.buffer);
    carom_buffer_release(memory, &step->window.dirty.buffer);
    carom_buffer_release(memory, &step->window.front.buffer);
    carom_search_release(&step->search, memory);
    carom_impacts_events_release(&step->events, memory);
}
