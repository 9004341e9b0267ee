/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: bodies that do not respond. Out: all first impacts of pairs, images and surfaces in a step. */
#include <math.h>

#include "kernel/impacts/horizon.h"
#include "kernel/impacts/run.h"
#include "kernel/impacts/search_length.h"

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

static carom_status keep_report(carom_run *r, const carom_impacts_event *event) {
    r->step->work.impacts++;
    r->step->work.surface_impacts += carom_impacts_is_surface(event->k) ? 1 : 0;
    return r->step->count_only || carom_impacts_events_append(&r->step->events, r->memory, event, 1)
               ? CAROM_OK
               : carom_run_no_memory(r->error);
}

/* Keeps what the last search has found, of the time that it was for: what touched before was found before. */
static carom_status keep_reports(carom_run *r) {
    const carom_window *window = r->window;
    carom_status status = CAROM_OK;
    for (uint32_t w = 0; w < r->team->workers; w++) {
        const carom_pending *pending = window->worker[w].pending.buffer.data;
        for (uint64_t n = 0; n < window->worker[w].pending.count && status == CAROM_OK; n++) {
            if (pending[n].t >= window->begin) {
                const carom_impacts_event event = report_of(window->bodies, &pending[n]);
                status = keep_report(r, &event);
            }
        }
    }
    return status;
}

/* Searches from window->begin until *end, or for a shorter time, if boxes around paths are too wide for the periodic
 * box or meet too many others. */
static carom_status search(carom_run *r, double *end) {
    const double begin = r->window->begin;
    *end = carom_search_length_end(r->window, *end, INFINITY, &r->spent);
    carom_status status = carom_run_search(r, *end, 1);
    while (status == CAROM_ERROR_BODY && *end - begin > CAROM_RUN_SEARCH_LEAST) {
        *end = begin + (*end - begin) / 4.0;
        status = carom_run_search(r, *end, 1);
    }
    const double longest = status == CAROM_OK ? carom_horizon_longest(r->window) : 1.0;
    if (*end - begin > CAROM_RUN_TOO_LONG * longest) {
        *end = begin + longest;
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
            length = fmin(carom_horizon_longest(window), 2.0 * (window->end - window->begin));
        }
        r->step->work.windows++;
        carom_run_lap(r, CAROM_STEP_PHASE_PREDICT);
    }
    return status;
}
