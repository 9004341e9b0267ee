/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: predicted impacts. Out: those that are due, and those that stay. */
#include "kernel/impacts/pending.h"

#include <math.h>
#include <string.h>

/* Whether both bodies are still on the pieces of which the impact was predicted. */
static bool is_valid(const carom_window *window, const carom_pending *pending) {
    return window->count_of[pending->pair.a] == pending->count[0] &&
           (carom_impacts_is_surface(pending->pair.other) ||
            window->count_of[pending->pair.other] == pending->count[1]);
}

/* Bodies of pairs further on are fetched. */
enum { AHEAD = 16 };

/* Moves impacts that are due from `pending` to `due`. No branch asks which are: that cannot be foreseen. */
static void divide(const carom_window *window, carom_impacts_worker *own) {
    carom_pending *pending = own->pending.buffer.data;
    carom_pending *due = own->due.buffer.data;
    const double end = window->end;
    uint64_t kept = 0;
    uint64_t taken = 0;
    for (uint64_t n = 0; n < own->pending.count; n++) {
        const carom_pending p = pending[n];
        const uint64_t is_due = p.t < end ? 1 : 0;
        due[taken] = p;
        pending[kept] = p;
        taken += is_due;
        kept += 1 - is_due;
    }
    own->pending.count = kept;
    own->due.count = taken;
}

/* Drops those of which a body has had another impact. */
static void drop_invalid(const carom_window *window, carom_impacts_worker *own) {
    const uint16_t *count_of = window->count_of;
    carom_pending *due = own->due.buffer.data;
    uint64_t kept = 0;
    for (uint64_t n = 0; n < own->due.count; n++) {
        const carom_contact_pair *ahead = &due[n + AHEAD < own->due.count ? n + AHEAD : n].pair;
        __builtin_prefetch(&count_of[ahead->a]);
        __builtin_prefetch(&count_of[carom_impacts_is_surface(ahead->other) ? 0 : ahead->other]);
        if (is_valid(window, &due[n])) {
            due[kept++] = due[n];
        }
    }
    own->due.count = kept;
}

void carom_pending_take_due(const carom_window *window, carom_impacts_worker *own) {
    own->due.count = 0;
    if (!carom_list_reserve(window->memory, &own->due, own->pending.count, sizeof(carom_pending))) {
        own->failed = true;
        return;
    }
    divide(window, own);
    drop_invalid(window, own);
}

typedef struct pass {
    carom_window *window;
    const carom_team *team;
} pass;

static bool any_failed(const carom_window *window, const carom_team *team) {
    bool failed = false;
    for (uint32_t w = 0; w < team->workers; w++) {
        failed = failed || window->worker[w].failed;
    }
    return failed;
}

uint64_t carom_pending_count(const carom_window *window, const carom_team *team) {
    uint64_t pending = 0;
    for (uint32_t w = 0; w < team->workers; w++) {
        pending += window->worker[w].pending.count;
    }
    return pending;
}

/* Windows as long as the next one, until the hulls end, from which on impacts are set aside; and how many of these
 * windows pass until they are taken back. */
enum { WINDOWS_MANY = 64, WINDOWS_SOON = 16 };

static void set_aside_task(void *data, uint32_t worker) {
    const pass *p = data;
    carom_impacts_worker *own = &p->window->worker[worker];
    carom_pending *pending = own->pending.buffer.data;
    uint64_t kept = 0;
    if (!carom_list_reserve(p->window->memory, &own->aside, own->pending.count, sizeof *pending)) {
        own->failed = true;
        return;
    }
    for (uint64_t n = 0; n < own->pending.count; n++) {
        if (pending[n].t < p->window->soon) {
            pending[kept++] = pending[n];
        } else {
            ((carom_pending *)own->aside.buffer.data)[own->aside.count++] = pending[n];
        }
    }
    own->pending.count = kept;
}

bool carom_pending_set_aside(carom_window *window, const carom_team *team) {
    const double length = window->end - window->begin;
    pass p = {window, team};
    if (window->soon < INFINITY || !(WINDOWS_MANY * length < window->hulls->until - window->begin)) {
        return true;
    }
    window->soon = window->begin + WINDOWS_SOON * length;
    carom_team_run_over(team, carom_pending_count(window, team), set_aside_task, &p);
    return !any_failed(window, team);
}

static void take_back_task(void *data, uint32_t worker) {
    const pass *p = data;
    carom_impacts_worker *own = &p->window->worker[worker];
    if (own->aside.count == 0) {
        return;
    }
    if (!carom_list_reserve(p->window->memory, &own->pending, own->aside.count, sizeof(carom_pending))) {
        own->failed = true;
        return;
    }
    memcpy((carom_pending *)own->pending.buffer.data + own->pending.count, own->aside.buffer.data,
           own->aside.count * sizeof(carom_pending));
    own->pending.count += own->aside.count;
    own->aside.count = 0;
}

bool carom_pending_take_back(carom_window *window, const carom_team *team) {
    pass p = {window, team};
    uint64_t aside = 0;
    window->soon = INFINITY;
    for (uint32_t w = 0; w < team->workers; w++) {
        aside += window->worker[w].aside.count;
    }
    carom_team_run_over(team, aside, take_back_task, &p);
    return !any_failed(window, team);
}

/* It was taken from there, so there is room. */
void carom_pending_restore(carom_impacts_worker *own) {
    carom_pending *pending = own->pending.buffer.data;
    for (uint64_t n = 0; n < own->due.count; n++) {
        pending[own->pending.count++] = ((const carom_pending *)own->due.buffer.data)[n];
    }
    own->due.count = 0;
}

void carom_pending_note(const carom_window *window, carom_impacts_worker *own, const carom_pending *pending,
                        const bool is_new[2]) {
    if (pending->t >= window->end && pending->t < window->hulls->until) {
        const carom_later later = {*pending, window->round, {is_new[0], is_new[1]}};
        own->failed = own->failed || !carom_list_append(window->memory, &own->later, &later, sizeof later);
    }
}

/* Whether a body is at last on the piece that it was on when something was noted in a round: the one with which the
 * window began, or the last one that the round gave it. */
static bool is_last(const carom_window *window, uint32_t slot, bool is_new, uint32_t round) {
    const uint32_t entry = window->active_of[slot];
    const carom_active *active = carom_window_active(window);
    const bool changed = entry != CAROM_IMPACTS_NONE && active[entry].first != CAROM_IMPACTS_NONE;
    return changed == is_new && (!changed || active[active[entry].parent].round <= round);
}

void carom_pending_renew(const carom_window *window, carom_impacts_worker *own) {
    const carom_later *later = own->later.buffer.data;
    for (uint64_t n = 0; n < own->later.count && !own->failed; n++) {
        const carom_contact_pair *pair = &later[n].pending.pair;
        const bool last =
            is_last(window, pair->a, later[n].is_new[0], later[n].round) &&
            (carom_impacts_is_surface(pair->other) || is_last(window, pair->other, later[n].is_new[1], later[n].round));
        carom_list *list = later[n].pending.t < window->soon ? &own->pending : &own->aside;
        own->failed = last && !carom_list_append(window->memory, list, &later[n].pending, sizeof(carom_pending));
    }
}
