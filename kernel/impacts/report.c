/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: bodies that do not respond. Out: all first impacts of pairs, images and surfaces in a step. */
#include <math.h>

#include "kernel/impacts/horizon.h"
#include "kernel/impacts/pending.h"
#include "kernel/impacts/run.h"
#include "kernel/impacts/search_plan.h"

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
    carom_impacts_edges(bodies, code, event.shift);
    if (surface) {
        event.impact =
            carom_respond_surface(&bodies->rules, &side_i, &bodies->surface[k - CAROM_IMPACTS_SURFACE], k, event.t);
    } else {
        carom_piece piece_k = bodies->piece[k];
        carom_response_side side_k = carom_impacts_side(bodies, k, &piece_k);
        const carom_pair_image image = carom_impacts_image(bodies, code);
        side_k.kept = kept[1];
        event.k = side_k.number;
        event.impact = carom_respond_bodies(&bodies->rules, &side_i, &side_k, &image, event.t);
    }
    event.impact.impulse = 0.0;
    return event;
}

/* Pending impacts whose bodies are fetched before them. */
enum { AHEAD = 12 };

/* The impacts that a worker has found, of the time that the search was for: what touched before was found before. */
static bool is_of_search(const carom_window *window, const carom_pending *pending) {
    return pending->t >= window->begin;
}

/* Counts them: all, and those with surfaces. */
static void count_task(void *data, uint32_t worker) {
    const carom_run *r = data;
    carom_impacts_worker *own = &r->window->worker[worker];
    const carom_pending *pending = own->pending.buffer.data;
    own->tally[0] = own->tally[1] = 0;
    for (uint64_t n = 0; n < own->pending.count; n++) {
        const bool counts = is_of_search(r->window, &pending[n]);
        own->tally[0] += counts ? 1 : 0;
        own->tally[1] += counts && carom_impacts_is_surface(pending[n].pair.other) ? 1 : 0;
    }
}

static inline __attribute__((always_inline)) void fetch(const carom_impacts_bodies *bodies,
                                                        const carom_pending *pending) {
    const uint32_t other = carom_impacts_is_surface(pending->pair.other) ? pending->pair.a : pending->pair.other;
    carom_impacts_fetch(bodies, pending->pair.a);
    carom_impacts_fetch(bodies, other);
}

/* Puts the worker's events after those of the workers before it. */
static void report_task(void *data, uint32_t worker) {
    const carom_run *r = data;
    const carom_window *window = r->window;
    const carom_list *found = &window->worker[worker].pending;
    const carom_pending *pending = found->buffer.data;
    uint64_t at = r->step->events.list.count;
    for (uint32_t w = 0; w < worker; w++) {
        at += window->worker[w].tally[0];
    }
    for (uint64_t n = 0; n < found->count; n++) {
        if (n + AHEAD < found->count) {
            fetch(window->bodies, &pending[n + AHEAD]);
        }
        if (is_of_search(window, &pending[n])) {
            const carom_impacts_event event = report_of(window->bodies, &pending[n]);
            carom_impacts_events_put(&r->step->events, at++, &event, 1);
        }
    }
}

/* Keeps what the last search has found. */
static carom_status keep_reports(carom_run *r) {
    carom_impacts_events *events = &r->step->events;
    const uint64_t pending = carom_pending_count(r->window, r->team);
    uint64_t count = 0;
    carom_team_run_over(r->team, pending, count_task, r);
    for (uint32_t w = 0; w < r->team->workers; w++) {
        count += r->window->worker[w].tally[0];
        r->step->work.surface_impacts += r->window->worker[w].tally[1];
    }
    r->step->work.impacts += count;
    if (r->step->count_only) {
        return CAROM_OK;
    }
    if (!carom_impacts_events_reserve(events, r->memory, count)) {
        return carom_run_no_memory(r);
    }
    carom_team_run_over(r->team, pending, report_task, r);
    events->list.count += count;
    return CAROM_OK;
}

/* Searches from window->begin until *end, or for a shorter time, if boxes around paths are too wide for the periodic
 * box or meet too many others. */
static carom_status search(carom_run *r, double *end) {
    const double begin = r->window->begin;
    const carom_search_plan plan = carom_search_plan_choose(r->window, *end, INFINITY, &r->spent);
    r->step->search.hulls.tight = plan.tight;
    *end = plan.end;
    carom_status status = carom_run_search(r, *end, 1);
    while (status == CAROM_ERROR_BODY && carom_run_may_shorten(begin, *end)) {
        *end = carom_run_shorter(begin, *end);
        status = carom_run_search(r, *end, 1);
    }
    return status;
}

/* Boxes around the whole paths of fast bodies would meet very many others, in a periodic box images without number:
 * there one short time comes after the other. */
carom_status carom_run_report(carom_run *r) {
    carom_window *window = r->window;
    carom_hulls_set_frame(&r->step->search.hulls, window->bodies);
    double length = window->bodies->periodic != NULL ? carom_horizon_first(window) : 1.0;
    carom_status status = CAROM_OK;
    for (window->end = 0.0; window->end < 1.0 && status == CAROM_OK;) {
        window->begin = window->end;
        window->end = fmin(1.0, window->begin + length);
        status = search(r, &window->end);
        if (status == CAROM_OK) {
            status = keep_reports(r);
            length = 2.0 * (window->end - window->begin);
        }
        r->step->work.windows++;
        carom_run_lap(r, CAROM_STEP_PHASE_PREDICT);
    }
    return status;
}
