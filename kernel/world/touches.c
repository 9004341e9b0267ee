/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: bodies at the beginning of a step. Out: who touches, in order.
 *
 * Detection compares boxes around paths. Where bodies go many times as far as they are apart, boxes around whole paths
 * would nearly all meet. So bodies that fly together are looked at in a frame that moves with most of them, and the
 * step is cut into several searches where these cost less than one (impacts/search_plan.h: its prices are those of
 * steps, whose parts cost in about the same proportion). */
#include "kernel/world/touches.h"

#include <math.h>
#include <string.h>

#include "kernel/detect/detect.h"
#include "kernel/impacts/hulls.h"
#include "kernel/impacts/search_plan.h"
#include "kernel/sys/error.h"
#include "kernel/sys/mix.h"

/* A search of a part of the step. */
typedef struct search {
    carom_touches *touches;
    const carom_mover *mover;
    carom_hulls hulls; /* without any: for its frame, which moves with most bodies */
    double begin;      /* in steps */
    double end;
} search;

carom_status carom_touches_no_memory(const carom_mover *mover, carom_error *error) {
    return carom_memory_error(&mover->context->memory, error, "merging bodies");
}

/* Whether it is the only search of the step. */
static bool is_whole(const search *s) {
    return s->begin == 0.0 && s->end == 1.0;
}

/* Where bodies are when the search ends, in its frame. */
static void find_places(void *data, uint32_t worker) {
    const search *s = data;
    const carom_impacts_bodies *bodies = &s->mover->bodies;
    double(*place)[3] = s->touches->place[1].data;
    carom_walk walk = carom_team_walk(&s->mover->context->team, worker, bodies->count, CAROM_MOVER_BLOCK);
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin; n < walk.end; n++) {
            for (int a = 0; a < 3; a++) {
                place[n][a] = bodies->piece[n].x[a] + (bodies->piece[n].v[a] - s->hulls.frame.drift[a]) * s->end;
            }
        }
    }
}

/* A search after the first one begins where the one before ended, with the very bits. */
static carom_status move_on(search *s, carom_error *error) {
    carom_context *context = s->mover->context;
    const uint32_t bodies = s->mover->bodies.count;
    carom_buffer *place = s->touches->place;
    if (s->begin > 0.0) {
        const carom_buffer before = place[0];
        place[0] = place[1];
        place[1] = before;
    }
    if (carom_buffer_reserve(&context->memory, &place[1], bodies * sizeof(double[3])) != CAROM_OK) {
        return carom_touches_no_memory(s->mover, error);
    }
    carom_context_use_workers(context, bodies);
    carom_team_run_over(&context->team, bodies, find_places, s);
    return carom_mover_cancelled(s->mover, error);
}

/* From where the step begins, or the search; to where the search ends. */
static carom_bodies_f64 swept_bodies(const search *s) {
    const carom_impacts_bodies *bodies = &s->mover->bodies;
    const double(*const from)[3] = s->touches->place[0].data;
    const double(*to)[3] = s->touches->place[1].data;
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

/* Puts the event of number `at` into the table, unless its pair is there. Returns whether it is new. */
static bool put_new(const carom_touches *touches, const carom_impacts_event *event, uint32_t at) {
    const carom_impacts_event *events = touches->events.list.buffer.data;
    uint32_t *known = touches->known.data;
    uint64_t place = home_of(touches, event);
    while (known[place] != CAROM_IMPACTS_NONE && !same_pair(&events[known[place]], event)) {
        place = (place + 1) & (touches->known_size - 1);
    }
    const bool is_new = known[place] == CAROM_IMPACTS_NONE;
    known[place] = is_new ? at : known[place];
    return is_new;
}

/* Makes room for `more` events in the table, in which those are that there are. */
static bool reserve_known(carom_touches *touches, carom_memory *memory, uint64_t more) {
    const uint64_t wanted = 2 * (touches->events.list.count + more);
    const carom_impacts_event *events = touches->events.list.buffer.data;
    if (wanted <= touches->known_size) {
        return true;
    }
    uint64_t size = 64;
    while (size < wanted) {
        size *= 2;
    }
    touches->known_size = 0;
    if (carom_buffer_reserve(memory, &touches->known, size * sizeof(uint32_t)) != CAROM_OK) {
        return false;
    }
    memset(touches->known.data, 0xFF, size * sizeof(uint32_t));
    touches->known_size = size;
    for (uint64_t n = 0; n < touches->events.list.count; n++) {
        (void)put_new(touches, &events[n], (uint32_t)n);
    }
    return true;
}

/* A touch at the very end of the step belongs to the next step. A pair may have touched in an earlier search. */
static carom_status take_contacts(const search *s, const carom_detection_f64 *found, carom_error *error) {
    const carom_response_pairs *pairs = &s->mover->bodies.rules.pairs;
    carom_memory *memory = &s->mover->context->memory;
    carom_impacts_events *events = &s->touches->events;
    const bool several = !is_whole(s);
    bool enough = !several || reserve_known(s->touches, memory, found->pair_count);
    for (uint64_t n = 0; n < found->pair_count && enough && carom_control_goes_on(s->mover->context->team.control, n);
         n++) {
        const carom_impacts_event event = event_of(s, &found->contacts, n);
        if (event.t < 1.0 && (pairs->collide == NULL || pairs->collide(pairs->user, event.i, event.k)) &&
            (!several || put_new(s->touches, &event, (uint32_t)events->list.count))) {
            enough = carom_impacts_events_append(events, memory, &event, 1);
        }
    }
    return enough ? CAROM_OK : carom_touches_no_memory(s->mover, error);
}

static carom_status run_search(search *s, carom_error *error) {
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
    return status == CAROM_OK ? CAROM_OK : carom_touches_no_memory(s->mover, error);
}

carom_status carom_touches_find(carom_touches *touches, const carom_mover *mover, carom_error *error) {
    carom_impacts_bodies bodies = mover->bodies;
    search s = {.touches = touches, .mover = mover};
    carom_window window = {.bodies = &bodies, .hulls = &s.hulls};
    carom_status status = CAROM_OK;
    touches->events.list.count = 0;
    touches->known_size = 0;
    touches->searches = 0;
    carom_hulls_set_frame(&s.hulls, &bodies);
    double length = 1.0;
    double spent = 0.0;
    while (s.end < 1.0 && status == CAROM_OK) {
        s.begin = window.begin = s.end;
        s.end = carom_search_plan_choose(&window, fmin(1.0, s.begin + length), INFINITY, &spent).end;
        status = run_search(&s, error);
        length = 2.0 * (s.end - s.begin);
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
