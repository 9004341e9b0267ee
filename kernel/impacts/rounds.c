/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: impacts that are due in a window. Out: the window's final paths and impacts. Groups are simulated, and held
 * against each other, until no two meet. */
#include <math.h>

#include "kernel/check/assert.h"
#include "kernel/impacts/ahead.h"
#include "kernel/impacts/bystanders.h"
#include "kernel/impacts/due_groups.h"
#include "kernel/impacts/finish.h"
#include "kernel/impacts/horizon.h"
#include "kernel/impacts/lone_block.h"
#include "kernel/impacts/pending.h"
#include "kernel/impacts/run.h"

/* What a group is worth to a team, in bodies of a detection, and what a large one is. */
enum { GROUP_ITEMS = 256, LARGE_GROUP_ITEMS = 16384 };

/* Impacts that a group may have in a window, besides as many as were due in all groups when it began. */
enum { IMPACTS_EXTRA = 1024 };

/* Rounds of a window in which groups grow by the bodies that they meet alone. */
enum { ROUNDS_EXPECTED = 8 };

/* Groups of each worker that are simulated before they are verified, if the step does not say: few enough that the
 * cache still has them. Several workers wait for each other after each chunk. */
enum { CHUNK_ALONE = 256, CHUNK = 512 };

static void simulate_task(void *data, uint32_t worker) {
    carom_run *r = data;
    const uint32_t *root = r->window->dirty.buffer.data;
    const carom_ahead ahead = {r->window, carom_window_active(r->window), root, r->window->dirty.count};
    carom_lone_block block;
    carom_share_walk walk = carom_share_enter(&r->share, worker);
    carom_lone_block_begin(&block, r->window, worker);
    while (carom_share_next(&walk)) {
        for (uint64_t n = walk.begin; n < walk.end && !r->window->worker[worker].failed; n++) {
            carom_ahead_simulate(&ahead, n, walk.begin, walk.end);
            if (!carom_share_skips(&walk, r->window, root[n])) {
                carom_window_simulate(r->window, root[n], &block, worker);
            }
        }
    }
    carom_lone_block_run(&block);
}

static void verify_task(void *data, uint32_t worker) {
    carom_run *r = data;
    const uint32_t *root = r->window->dirty.buffer.data;
    const carom_ahead ahead = {r->window, carom_window_active(r->window), root, r->window->dirty.count};
    carom_share_walk walk = carom_share_enter(&r->share, worker);
    while (carom_share_next(&walk)) {
        for (uint64_t n = walk.begin; n < walk.end && !carom_team_stopped(r->team); n++) {
            carom_ahead_verify(&ahead, n, walk.begin, walk.end);
            if (!carom_share_skips(&walk, r->window, root[n])) {
                carom_window_verify(r->window, root[n], worker);
            }
        }
    }
    carom_window_verify_last(r->window, worker);
}

/* Runs a stage over groups [begin, end) of window->dirty. `large`: those of them that are. */
static carom_status run_stage(carom_run *r, uint64_t begin, uint64_t end, const carom_large_groups *large,
                              carom_team_task *task) {
    carom_share_begin(&r->share, r->team, r->window->worker, begin, end, large);
    carom_team_run_over(r->team, (end - begin) * GROUP_ITEMS + large->count * LARGE_GROUP_ITEMS, task, r);
    return carom_run_status(r);
}

static void clear_escapes(const carom_run *r) {
    for (uint32_t w = 0; w < r->team->workers; w++) {
        r->window->worker[w].escape.count = 0;
    }
}

/* When the window is to end because a group has had more impacts than it should; INFINITY: none has. */
static double earliest_cut(const carom_run *r) {
    double cut = INFINITY;
    for (uint32_t w = 0; w < r->team->workers; w++) {
        cut = fmin(cut, r->window->worker[w].cut);
    }
    return cut;
}

static bool is_cut(const carom_run *r) {
    return earliest_cut(r) < r->window->end;
}

/* Simulates groups [begin, end) of window->dirty: again those that lacked a neighbour because a body of theirs left its
 * hull. They come after all others in the list, which is at last what it was. */
static carom_status simulate_groups(carom_run *r, uint64_t begin, uint64_t end, carom_large_groups large) {
    carom_window *window = r->window;
    const carom_escapes escapes = carom_run_escapes(r);
    const uint64_t groups = window->dirty.count;
    carom_status status = CAROM_OK;
    while (begin < end && status == CAROM_OK && !is_cut(r)) {
        const uint64_t again = window->dirty.count;
        clear_escapes(r);
        window->round++;
        status = run_stage(r, begin, end, &large, simulate_task);
        large.count = 0; /* those that come again are few */
        if (status == CAROM_OK) {
            r->step->work.joined += carom_bystanders_settle(window, r->team->workers);
            carom_escapes_follow(&escapes);
            status = carom_run_status(r);
        }
        begin = again;
        end = window->dirty.count;
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
static void unite_meeting(const carom_run *r, uint32_t rounds) {
    carom_window *window = r->window;
    const uint64_t more = more_to_unite(rounds);
    window->dirty.count = 0;
    for (uint32_t w = 0; w < r->team->workers; w++) {
        carom_list *list = &window->worker[w].meeting;
        const carom_contact_pair *meeting = list->buffer.data;
        for (uint64_t n = 0; n < list->count && !window->failed; n++) {
            (void)carom_window_unite(window, meeting[n].a, meeting[n].other);
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

static uint64_t chunk_of(const carom_run *r) {
    const uint32_t usual = r->team->workers > 1 ? CHUNK : CHUNK_ALONE;
    return (uint64_t)(r->step->chunk > 0 ? r->step->chunk : usual) * r->team->workers;
}

/* Simulates and verifies dirty groups chunk by chunk. A chunk is held against those before it and against itself; what
 * follows holds itself against it. */
static carom_status run_chunks(carom_run *r, bool first) {
    const uint32_t *root = r->window->dirty.buffer.data;
    const uint64_t groups = r->window->dirty.count;
    const uint64_t chunk = chunk_of(r);
    carom_status status = CAROM_OK;
    for (uint64_t begin = 0; begin < groups && status == CAROM_OK && !is_cut(r); begin += chunk) {
        const uint64_t end = begin + chunk < groups ? begin + chunk : groups;
        r->window->verified = (carom_verified){r->window->round + 1, root[begin], first};
        const carom_large_groups large = carom_large_groups_find(r->window, r->team->workers, begin, end);
        status = simulate_groups(r, begin, end, large);
        carom_run_lap(r, CAROM_STEP_PHASE_SIMULATE);
        if (status == CAROM_OK && !is_cut(r)) {
            status = run_stage(r, begin, end, &large, verify_task);
        }
        carom_run_lap(r, CAROM_STEP_PHASE_VERIFY);
    }
    return status;
}

/* Runs rounds until no group is dirty, or the window is to be cut. */
static carom_status run_rounds(carom_run *r) {
    carom_status status = CAROM_OK;
    uint32_t rounds = 0;
    while (r->window->dirty.count > 0 && status == CAROM_OK && !is_cut(r)) {
        r->step->work.rounds++;
        status = run_chunks(r, rounds == 0);
        if (status == CAROM_OK && !is_cut(r)) {
            unite_meeting(r, ++rounds);
            carom_window_flatten(r->window);
            status = carom_run_status(r);
        }
        carom_run_lap(r, CAROM_STEP_PHASE_VERIFY);
    }
    return status;
}

static void clear_workers(const carom_run *r) {
    for (uint32_t w = 0; w < r->team->workers; w++) {
        carom_impacts_worker *worker = &r->window->worker[w];
        worker->path.piece.count = worker->event.count = worker->meeting.count = worker->escape.count = 0;
        worker->later.count = worker->path.joined.count = 0;
        worker->path.free = CAROM_IMPACTS_NONE;
        worker->largest = 0;
        worker->cut = INFINITY;
        worker->failed = false;
        worker->beyond = CAROM_BEYOND_NONE;
    }
}

/* Members of the window's largest group. */
static uint64_t largest_group(const carom_run *r) {
    uint64_t largest = 0;
    for (uint32_t w = 0; w < r->team->workers; w++) {
        largest = r->window->worker[w].largest > largest ? r->window->worker[w].largest : largest;
    }
    return largest;
}

static carom_status end_window(carom_run *r) {
    carom_impacts_step *step = r->step;
    const uint64_t largest = largest_group(r);
    step->work.largest_group = largest > step->work.largest_group ? largest : step->work.largest_group;
    step->share = carom_horizon_share(step->share, largest);
    const carom_tally tally = carom_window_finish(r->window, r->team, step->count_only ? NULL : &step->events);
    const carom_status status = carom_run_status(r);
    if (status == CAROM_OK) {
        step->work.impacts += tally.impacts;
        step->work.surface_impacts += tally.surface_impacts;
        step->work.unusual += tally.unusual;
    }
    return status;
}

/* Groups of what is due. */
static carom_status begin_window(carom_run *r, uint64_t extra) {
    carom_window *window = r->window;
    clear_workers(r);
    window->active.count = window->dirty.count = 0;
    window->round = 0;
    carom_due_groups(window, r->team);
    window->impacts_most = extra;
    for (uint32_t w = 0; w < r->team->workers; w++) {
        window->impacts_most += window->worker[w].due.count;
    }
    carom_run_lap(r, CAROM_STEP_PHASE_PREDICT);
    return carom_run_status(r);
}

/* In a collapse a few bodies have more impacts than all others, and each round simulates them again. Such a window is
 * cut: it begins anew and ends earlier, so that what is thrown away stays in proportion to what is kept. */
carom_status carom_run_window(carom_run *r) {
    carom_window *window = r->window;
    uint64_t extra = IMPACTS_EXTRA;
    carom_status status = begin_window(r, extra);
    while (status == CAROM_OK) {
        status = run_rounds(r);
        if (status != CAROM_OK || !is_cut(r)) {
            break;
        }
        window->end = earliest_cut(r);
        extra *= 2;
        carom_window_drop(window);
        for (uint32_t w = 0; w < r->team->workers; w++) {
            carom_pending_restore(&window->worker[w]);
        }
        status = begin_window(r, extra);
    }
    if (status == CAROM_OK) {
        status = end_window(r);
    } else if (status == CAROM_ERROR_BODY) {
        carom_window_drop(window);
    }
    carom_run_lap(r, CAROM_STEP_PHASE_END);
    return status;
}
