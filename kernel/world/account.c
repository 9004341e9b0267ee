/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: impacts as kernel/impacts has them. Out: impacts as the caller wants them. */
#include "kernel/world/account.h"

#include <string.h>

#include "kernel/sort/list_sort.h"
#include "kernel/sys/error.h"
#include "kernel/world/mover_parts.h"

static const uint32_t NO_SURFACE = CAROM_EVENT_NO_SURFACE;

/* Impacts that the sink gets at a time, at most. */
enum { BLOCK = 1024 };

/* Of each body that is held: its slot and its number. */
enum { HELD_BYTES = sizeof(uint64_t) + sizeof(uint32_t) };

/* Whether all events are made at once. With MERGE handles of bodies are gone when the sink would ask for them. */
static bool makes_all(const carom_step_config *config) {
    return config->events || (config->sink != NULL && config->response == CAROM_RESPONSE_MERGE);
}

/* Impacts that there must be room for: all, or a block if the sink alone gets them. */
static uint64_t room_for(const carom_step_config *config, uint64_t impacts) {
    const uint64_t block = impacts < BLOCK ? impacts : BLOCK;
    return makes_all(config) ? impacts : config->sink != NULL ? block : 0;
}

carom_status carom_account_reserve(carom_mover *mover, uint64_t impacts, carom_error *error) {
    carom_memory *memory = &mover->context->memory;
    const uint64_t room = carom_size_multiply(room_for(&mover->rules->config, impacts), sizeof(carom_event));
    if (carom_buffer_reserve(memory, &mover->event_buffer, room) != CAROM_OK ||
        carom_buffer_reserve(memory, &mover->held_buffer, mover->held * HELD_BYTES) != CAROM_OK) {
        return carom_memory_error(memory, error, "the events of a step");
    }
    return CAROM_OK;
}

static uint64_t name_of(const carom_handle *handle, uint32_t number) {
    return handle != NULL ? handle[number] : number;
}

/* From a cell of the reduced edges to the caller's box, in which both bodies began. */
static void move_event(const carom_mover *mover, const carom_impacts_event *from, carom_event *event) {
    const int32_t(*moved)[3] = (const int32_t(*)[3])carom_mover_moved(mover);
    const int32_t *i = moved[carom_mover_slot(mover, from->i)];
    const int32_t *k = moved[carom_mover_slot(mover, from->k)];
    double by[3];
    carom_lattice_displacement(mover->bodies.lattice, (double[3]){i[0], i[1], i[2]}, by);
    for (int a = 0; a < 3; a++) {
        event->shift[a] += i[a] - k[a];
        event->point[a] += by[a];
    }
}

static carom_event make_event(const carom_impacts_event *from, const carom_handle *handle, double dt) {
    const bool surface = from->k >= CAROM_IMPACTS_SURFACE;
    carom_event event = {.t = from->t,
                         .i = name_of(handle, from->i),
                         .k = surface ? UINT64_MAX : name_of(handle, from->k),
                         .surface = surface ? from->k - CAROM_IMPACTS_SURFACE : NO_SURFACE,
                         .impulse = from->impact.impulse / dt};
    memcpy(event.shift, from->shift, sizeof event.shift);
    memcpy(event.point, from->impact.point, sizeof event.point);
    memcpy(event.normal, from->impact.normal, sizeof event.normal);
    return event;
}

static void make_events(const carom_mover *mover, const carom_impacts_event *from, uint64_t count,
                        const carom_handle *handle) {
    carom_event *events = mover->event_buffer.data;
    for (uint64_t n = 0; n < count; n++) {
        events[n] = make_event(&from[n], handle, mover->rules->config.dt);
        if (mover->bodies.lattice != NULL) {
            move_event(mover, &from[n], &events[n]);
        }
    }
}

/* The numbers of bodies that are held, in ascending order: slots are in another. NULL without any. */
static const uint32_t *list_held(const carom_mover *mover) {
    if (mover->held == 0) {
        return NULL;
    }
    uint64_t *in_slot = mover->held_buffer.data;
    uint32_t *held = (uint32_t *)(in_slot + mover->held);
    uint64_t count = 0;
    for (uint32_t slot = 0; count < mover->held; slot++) {
        if (carom_mover_held(mover, slot)) {
            in_slot[count] = slot;
            held[count++] = mover->bodies.number[slot];
        }
    }
    carom_list_sort(held, in_slot, count, carom_list_sort_bits(mover->bodies.count));
    return held;
}

void carom_account_report(carom_mover *mover, const carom_mover_impacts *impacts, const carom_handle *handle,
                          carom_step_report *report) {
    const carom_impacts_work *work = &mover->impacts.work;
    const bool keeps = mover->rules->config.events;
    if (makes_all(&mover->rules->config)) {
        make_events(mover, impacts->event, impacts->count, handle);
    }
    report->impacts = impacts->happened;
    report->surface_impacts = impacts->on_surfaces;
    report->held = mover->held;
    report->held_body = list_held(mover);
    report->event = keeps && impacts->count > 0 ? mover->event_buffer.data : NULL;
    report->event_count = keeps ? impacts->count : 0;
    report->windows = work->windows;
    report->rounds = work->rounds;
    report->largest_group = work->largest_group;
}

void carom_account_deliver(carom_mover *mover, const carom_mover_impacts *impacts, const carom_handle *handle) {
    const carom_step_config *config = &mover->rules->config;
    carom_event *events = mover->event_buffer.data;
    const bool made = makes_all(config);
    bool on = config->sink != NULL;
    for (uint64_t n = 0; n < impacts->count && on; n += BLOCK) {
        const uint64_t end = impacts->count - n < BLOCK ? impacts->count : n + BLOCK;
        if (!made) {
            make_events(mover, impacts->event + n, end - n, handle);
        }
        on = config->sink(config->sink_user, made ? events + n : events, end - n);
    }
}

void carom_account_time(carom_mover *mover, carom_step_report *report) {
    carom_mover_lap(mover, CAROM_STEP_PHASE_END);
    report->seconds = mover->began - mover->opened;
    for (int p = 0; p < CAROM_STEP_PHASE_COUNT; p++) {
        report->phase_seconds[p] = mover->seconds[p] + mover->impacts.work.seconds[p];
    }
}
