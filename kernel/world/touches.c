/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: bodies at the beginning of a step. Out: who touches, in order.
 *
 * Detection compares boxes around paths. Where bodies go many times as far as they are apart, boxes around whole paths
 * would nearly all meet. So bodies that fly together are looked at as one that goes along sees them, and the step is
 * cut into several searches where these cost less than one. */
#include "kernel/world/touches.h"

#include <math.h>
#include <string.h>

#include "kernel/detect/detect.h"
#include "kernel/impacts/horizon.h"
#include "kernel/impacts/hulls.h"
#include "kernel/impacts/search_length.h"
#include "kernel/sys/error.h"
#include "kernel/sys/mix.h"

/* Touches between looks at the host's flag. */
enum { LOOK = 1 << 16 };

/* In a periodic box no search is for a shorter time, in steps: bodies that meet images without number are an error. */
static const double PERIODIC_LEAST = 0x1p-6;

/* A search of a part of the step. */
typedef struct search {
    carom_touches *touches;
    const carom_mover *mover;
    const double (*at_end)[3]; /* where bodies are when the step ends */
    carom_hulls hulls;         /* without any: for its frame, which goes along with most bodies */
    double begin;              /* in steps */
    double end;
} search;

static carom_status no_memory(carom_error *error) {
    return carom_error_set(error, CAROM_ERROR_MEMORY, "no memory for merging bodies");
}

static bool goes_along(const search *s) {
    const double *drift = s->hulls.frame.drift;
    return drift[0] != 0.0 || drift[1] != 0.0 || drift[2] != 0.0;
}

/* Where bodies are at a time, as one sees them who goes along. The same bits whether a search begins or ends then. */
static void find_places(const search *s, double t, double (*place)[3]) {
    const carom_impacts_bodies *bodies = &s->mover->bodies;
    for (uint32_t n = 0; n < bodies->count; n++) {
        for (int a = 0; a < 3; a++) {
            place[n][a] = bodies->piece[n].x[a] + (bodies->piece[n].v[a] - s->hulls.frame.drift[a]) * t;
        }
    }
}

/* Room for places, unless all are there already: those that a step begins with, and ends with. */
static carom_status reserve_places(const search *s, carom_error *error) {
    carom_memory *memory = &s->mover->context->memory;
    const uint64_t bytes = s->mover->bodies.count * sizeof(double[3]);
    const bool enough = carom_buffer_reserve(memory, &s->touches->place[0], bytes) == CAROM_OK &&
                        carom_buffer_reserve(memory, &s->touches->place[1], bytes) == CAROM_OK;
    return enough ? CAROM_OK : no_memory(error);
}

/* Where bodies are when the search ends becomes where they are when the next one begins. */
static carom_status move_on(const search *s, carom_error *error) {
    if (!goes_along(s) && s->begin == 0.0 && s->end == 1.0) {
        return CAROM_OK;
    }
    const carom_status status = reserve_places(s, error);
    if (status == CAROM_OK) {
        const carom_buffer before = s->touches->place[0];
        s->touches->place[0] = s->touches->place[1];
        s->touches->place[1] = before;
        find_places(s, s->end, s->touches->place[1].data);
    }
    return status;
}

static carom_bodies_f64 swept_bodies(const search *s) {
    const carom_impacts_bodies *bodies = &s->mover->bodies;
    const bool whole = !goes_along(s) && s->begin == 0.0 && s->end == 1.0;
    const double(*from)[3] = s->touches->place[0].data;
    const double(*there)[3] = s->touches->place[1].data;
    const double(*to)[3] = whole ? s->at_end : there;
    const bool first = s->begin == 0.0;
    carom_bodies_f64 swept = {.count = bodies->count,
                              .radius = &bodies->body->radius,
                              .prev_stride = first ? sizeof *bodies->piece : sizeof *from,
                              .curr_stride = sizeof *to,
                              .radius_stride = sizeof *bodies->body};
    for (int a = 0; a < 3; a++) {
        swept.prev[a] = first ? &bodies->piece->x[a] : &from[0][a];
        swept.curr[a] = &to[0][a];
    }
    return swept;
}

static carom_impacts_event event_of(const search *s, const carom_contacts_f64 *contacts, uint64_t n) {
    const double t = s->begin + contacts->t_toi[n] * (s->end - s->begin);
    carom_impacts_event event = {.t = t, .i = contacts->i[n], .k = contacts->k[n]};
    for (int a = 0; a < 3; a++) {
        event.shift[a] = contacts->shift[a] != NULL ? contacts->shift[a][n] : 0;
        event.impact.normal[a] = contacts->normal[a][n];
        event.impact.point[a] = contacts->point[a][n] + s->hulls.frame.drift[a] * t;
    }
    return event;
}

static uint64_t home_of(const carom_touches *touches, const carom_impacts_event *event) {
    uint64_t key = carom_mix64((uint64_t)event->i << 32 | event->k);
    for (int a = 0; a < 3; a++) {
        key = carom_mix64(key ^ (uint32_t)event->shift[a]);
    }
    return key & (touches->known_size - 1);
}

static bool same_pair(const carom_impacts_event *a, const carom_impacts_event *b) {
    return a->i == b->i && a->k == b->k && a->shift[0] == b->shift[0] && a->shift[1] == b->shift[1] &&
           a->shift[2] == b->shift[2];
}

/* Whether the pair is in the table; if not, the event of number `at` is put there. */
static bool is_known(const carom_touches *touches, const carom_impacts_event *event, uint32_t at) {
    const carom_impacts_event *events = touches->events.list.buffer.data;
    uint32_t *known = touches->known.data;
    uint64_t place = home_of(touches, event);
    while (known[place] != CAROM_IMPACTS_NONE && !same_pair(&events[known[place]], event)) {
        place = (place + 1) & (touches->known_size - 1);
    }
    const bool found = known[place] != CAROM_IMPACTS_NONE;
    known[place] = found ? known[place] : at;
    return found;
}

/* Makes room for `more` events in the table, in which those are that there are. */
static bool reserve_known(carom_touches *touches, carom_memory *memory, uint64_t more) {
    const uint64_t wanted = 2 * (touches->events.list.count + more);
    const carom_impacts_event *events = touches->events.list.buffer.data;
    if (wanted <= touches->known_size) {
        return true;
    }
    uint64_t size = 64;
    while (size < 2 * wanted) {
        size *= 2;
    }
    touches->known_size = 0;
    if (carom_buffer_reserve(memory, &touches->known, size * sizeof(uint32_t)) != CAROM_OK) {
        return false;
    }
    memset(touches->known.data, 0xFF, size * sizeof(uint32_t));
    touches->known_size = size;
    for (uint64_t n = 0; n < touches->events.list.count; n++) {
        (void)is_known(touches, &events[n], (uint32_t)n);
    }
    return true;
}

/* Whether a loop at n is to go on. */
static bool goes_on(const carom_mover *mover, uint64_t n) {
    carom_control *control = mover->context->team.control;
    return control == NULL || !(n % LOOK == 0 ? carom_control_look(control) : carom_control_stopped(control));
}

/* Keeps what touches. At the very end of the step that belongs to the next one. Who touches in a search may have done
 * so in one before. */
static carom_status take_contacts(const search *s, const carom_detection_f64 *found, carom_error *error) {
    const carom_response_pairs *pairs = &s->mover->bodies.rules.pairs;
    carom_memory *memory = &s->mover->context->memory;
    carom_impacts_events *events = &s->touches->events;
    const bool several = s->begin > 0.0 || s->end < 1.0;
    bool enough = !several || reserve_known(s->touches, memory, found->pair_count);
    for (uint64_t n = 0; n < found->pair_count && enough && goes_on(s->mover, n); n++) {
        const carom_impacts_event event = event_of(s, &found->contacts, n);
        if (event.t < 1.0 && (pairs->collide == NULL || pairs->collide(pairs->user, event.i, event.k)) &&
            !(several && is_known(s->touches, &event, (uint32_t)events->list.count))) {
            enough = carom_impacts_events_append(events, memory, &event, 1);
        }
    }
    return enough ? CAROM_OK : no_memory(error);
}

static carom_status run_search(const search *s, carom_error *error) {
    carom_detect_config config = carom_detect_config_default();
    carom_detection_f64 found = {0};
    carom_status status = move_on(s, error);
    if (status == CAROM_OK) {
        const carom_bodies_f64 swept = swept_bodies(s);
        config.until = CAROM_UNTIL_APPROACH;
        config.periodic = s->mover->rules->config.periodic;
        status = carom_detect_run_f64(s->mover->context, &swept, &config, NULL, &found, error);
    }
    return status == CAROM_OK ? take_contacts(s, &found, error) : status;
}

/* Each touch is in order by itself; sorting puts them in order of (t, i, k) and the shift. */
static carom_status sort_touches(const search *s, carom_error *error) {
    carom_context *context = s->mover->context;
    const carom_status status = carom_impacts_events_sort(&s->touches->events, &context->memory, context);
    if (status == CAROM_ERROR_CANCELLED) {
        return carom_mover_cancelled(s->mover, error);
    }
    return status == CAROM_OK ? CAROM_OK : no_memory(error);
}

/* Nobody leaves its path: hulls need no room beside it. */
static void set_frame(carom_hulls *hulls, carom_impacts_bodies *bodies) {
    carom_hulls_set_frame(hulls, bodies);
    hulls->frame.own_room = 0.0;
    hulls->typical_room = 0.0;
    bodies->gain = 0.0;
}

carom_status carom_touches_find(carom_touches *touches, const carom_mover *mover, const double (*end)[3],
                                carom_error *error) {
    carom_impacts_bodies bodies = mover->bodies;
    search s = {.touches = touches, .mover = mover, .at_end = end};
    carom_window window = {.bodies = &bodies, .hulls = &s.hulls};
    carom_status status = CAROM_OK;
    touches->events.list.count = 0;
    touches->known_size = 0;
    touches->searches = 0;
    set_frame(&s.hulls, &bodies);
    double length = bodies.periodic != NULL ? fmax(PERIODIC_LEAST, carom_horizon_first(&window)) : 1.0;
    while (s.end < 1.0 && status == CAROM_OK) {
        s.begin = window.begin = s.end;
        s.end = carom_search_length_end(&window, fmin(1.0, s.begin + length), INFINITY);
        status = run_search(&s, error);
        length = bodies.periodic != NULL ? length : 2.0 * (s.end - s.begin);
        touches->searches++;
    }
    return status == CAROM_OK ? sort_touches(&s, error) : status;
}

void carom_touches_release(carom_touches *touches, carom_memory *memory) {
    carom_impacts_events_release(&touches->events, memory);
    carom_buffer_release(memory, &touches->place[0]);
    carom_buffer_release(memory, &touches->place[1]);
    carom_buffer_release(memory, &touches->known);
}
