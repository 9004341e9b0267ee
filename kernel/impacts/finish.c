/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: final paths. Out: bodies at the window's end, pending impacts, and the impacts that happened. */
#include "kernel/impacts/finish.h"

#include "kernel/impacts/pending.h"

/* Entries that begin a worker's share. */
enum { GRAIN = 64 };

/* What an entry is worth to a team, in bodies of a detection: it waits for memory. */
enum { ENTRY_ITEMS = 8 };

/* Entries ahead whose bodies are fetched. */
enum { AHEAD = 8 };

typedef struct finish {
    carom_window *window;
    const carom_team *team;
    carom_impacts_events *events;
} finish;

static void leave_group(const carom_window *window, uint32_t slot) {
    window->hulls->coarse[slot].group = 0;
    window->active_of[slot] = CAROM_IMPACTS_NONE;
}

void carom_window_drop(const carom_window *window) {
    for (uint64_t entry = 0; entry < window->active.count; entry++) {
        leave_group(window, carom_window_active(window)[entry].slot);
    }
}

static bool is_usual(const carom_window *window, const carom_piece *piece) {
    return piece->count < window->bodies->rules.budget && carom_is_usual(&window->bodies->usual, piece->x, piece->v);
}

/* What the body in an entry goes on with. Returns whether that is usual. */
static bool end_path(const carom_window *window, const carom_active *a) {
    bool usual = true;
    if (a->last != CAROM_IMPACTS_NONE) {
        const carom_path_piece *last = &carom_window_path(window, a->worker)[a->last];
        window->bodies->piece[a->slot] = last->piece;
        window->count_of[a->slot] = last->piece.count;
        window->hulls->coarse[a->slot] = last->coarse;
        usual = is_usual(window, &last->piece);
    }
    leave_group(window, a->slot);
    return usual;
}

static const carom_impacts_event *events_of(const carom_window *window, const carom_active *root) {
    return (const carom_impacts_event *)window->worker[root->worker].event.buffer.data + root->event;
}

static bool is_root(const carom_active *active, uint64_t entry) {
    return active[entry].parent == entry && active[entry].events > 0;
}

static void count_group(const carom_window *window, const carom_active *root, carom_tally *tally) {
    const carom_impacts_event *event = events_of(window, root);
    tally->impacts += root->events;
    if (window->bodies->surfaces == 0) {
        return;
    }
    for (uint32_t n = 0; n < root->events; n++) {
        tally->surface_impacts += carom_impacts_is_surface(event[n].k) ? 1 : 0;
    }
}

/* Renewing reads paths, so it comes before any of them ends. Counts each worker's impacts, too. */
static void renew_task(void *data, uint32_t worker) {
    const finish *f = data;
    const carom_active *active = carom_window_active(f->window);
    carom_tally tally = {0, 0, 0};
    carom_pending_renew(f->window, &f->window->worker[worker]);
    carom_walk walk = carom_team_walk(f->team, worker, f->window->active.count, GRAIN);
    while (carom_walk_next(&walk)) {
        for (uint64_t entry = walk.begin; entry < walk.end; entry++) {
            if (is_root(active, entry)) {
                count_group(f->window, &active[entry], &tally);
            }
        }
    }
    f->window->worker[worker].tally[0] = tally.impacts;
    f->window->worker[worker].tally[1] = tally.surface_impacts;
}

/* Ends the paths of a worker's entries, and copies their groups' impacts to where they belong. */
static void end_task(void *data, uint32_t worker) {
    const finish *f = data;
    const carom_window *window = f->window;
    const carom_active *active = carom_window_active(window);
    const uint64_t count = window->active.count;
    uint64_t at = f->events != NULL ? f->events->list.count : 0;
    uint64_t unusual = 0;
    for (uint32_t w = 0; w < worker; w++) {
        at += window->worker[w].tally[0];
    }
    carom_walk walk = carom_team_walk(f->team, worker, count, GRAIN);
    while (carom_walk_next(&walk)) {
        for (uint64_t entry = walk.begin; entry < walk.end; entry++) {
            const uint32_t ahead = active[entry + AHEAD < count ? entry + AHEAD : entry].slot;
            __builtin_prefetch(&window->bodies->piece[ahead], 1);
            __builtin_prefetch(&window->hulls->coarse[ahead], 1);
            unusual += end_path(window, &active[entry]) ? 0 : 1;
            if (f->events != NULL && is_root(active, entry)) {
                carom_impacts_events_put(f->events, at, events_of(window, &active[entry]), active[entry].events);
                at += active[entry].events;
            }
        }
    }
    window->worker[worker].tally[1] = unusual;
}

carom_tally carom_window_finish(carom_window *window, const carom_team *team, carom_impacts_events *events) {
    finish f = {window, team, events};
    const uint64_t count = window->active.count;
    carom_tally tally = {0, 0, 0};
    carom_team_run_over(team, count * ENTRY_ITEMS, renew_task, &f);
    for (uint32_t w = 0; w < team->workers; w++) {
        tally.impacts += window->worker[w].tally[0];
        tally.surface_impacts += window->worker[w].tally[1];
    }
    if (events != NULL && !carom_impacts_events_reserve(events, window->memory, tally.impacts)) {
        window->failed = true;
        return tally;
    }
    carom_team_run_over(team, count * ENTRY_ITEMS, end_task, &f);
    for (uint32_t w = 0; w < team->workers; w++) {
        tally.unusual += window->worker[w].tally[1];
    }
    if (events != NULL) {
        events->list.count += tally.impacts;
    }
    return tally;
}
