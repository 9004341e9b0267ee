/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: bodies that do not respond. Out: all first impacts of pairs, images and surfaces in a step. */
#include "kernel/impacts/run.h"

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

carom_status carom_run_report(carom_run *r) {
    carom_window *window = r->window;
    window->begin = 0.0;
    window->end = 1.0;
    carom_hulls_set_scales(&r->step->search.hulls, window->bodies);
    carom_status status = carom_run_search(r, 1.0, 1);
    for (uint32_t w = 0; w < r->team->workers && status == CAROM_OK; w++) {
        const carom_pending *pending = window->worker[w].pending.buffer.data;
        for (uint64_t n = 0; n < window->worker[w].pending.count && status == CAROM_OK; n++) {
            const carom_impacts_event event = report_of(window->bodies, &pending[n]);
            status = keep_report(r, &event);
        }
    }
    r->step->work.windows = 1;
    carom_run_lap(r, CAROM_STEP_PHASE_PREDICT);
    return status;
}
