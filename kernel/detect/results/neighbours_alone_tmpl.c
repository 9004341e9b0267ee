/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Counter b is where the next entry of list b goes, and when the list is full, where it ends. Bodies of rows further on
 * are fetched, first their counters, later what these point to. */
#include "kernel/detect/results/neighbours_alone_tmpl.h"

#include <string.h>

enum { BODIES_MOST = 131072, ENTRIES_AHEAD = 12, COUNTERS_AHEAD = 24 };

static inline __attribute__((always_inline)) void prefetch_row(const carom_neighbour_lists *lists, const uint32_t *body,
                                                               uint64_t row, bool entries) {
    const uint64_t *next = lists->offset + 1;
    __builtin_prefetch(&next[body[row + COUNTERS_AHEAD]], 1);
    if (entries) {
        __builtin_prefetch(&lists->body[next[body[row + ENTRIES_AHEAD]]], 1);
        __builtin_prefetch(&lists->pair[next[body[row + ENTRIES_AHEAD]]], 1);
    }
}

static void count_alone(void *data, uint32_t worker) {
    const carom_neighbour_lists *lists = data;
    uint64_t *next = lists->offset + 1;
    carom_walk walk = carom_team_walk(&lists->job->context->team, worker, lists->rows, CAROM_NEIGHBOUR_GRAIN);
    memset(next, 0, lists->job->owned * sizeof *next);
    while (carom_walk_next(&walk)) {
        for (uint64_t row = walk.begin, end = walk.end; row < end; row++) {
            if (end - row > COUNTERS_AHEAD) {
                prefetch_row(lists, lists->from.i, row, false);
                prefetch_row(lists, lists->from.k, row, false);
            }
            next[lists->from.i[row]]++;
            next[lists->from.k[row]] += lists->full ? 1 : 0;
        }
    }
}

static inline void add_alone(const carom_neighbour_lists *lists, uint32_t owner, uint32_t neighbour, uint64_t row) {
    const uint64_t at = lists->offset[owner + UINT64_C(1)]++;
    lists->body[at] = neighbour;
    lists->pair[at] = row;
}

static void fill_alone(void *data, uint32_t worker) {
    const carom_neighbour_lists *lists = data;
    uint64_t place = 0;
    for (uint64_t body = 0; body < lists->job->owned; body++) {
        const uint64_t count = lists->offset[body + 1];
        lists->offset[body + 1] = place;
        place += count;
    }
    carom_walk walk = carom_team_walk(&lists->job->context->team, worker, lists->rows, CAROM_NEIGHBOUR_GRAIN);
    walk.step = CAROM_WALK_SCATTERED;
    while (carom_walk_next(&walk)) {
        for (uint64_t row = walk.begin, end = walk.end; row < end; row++) {
            if (end - row > COUNTERS_AHEAD) {
                prefetch_row(lists, lists->from.i, row, true);
                prefetch_row(lists, lists->from.k, row, lists->full);
            }
            add_alone(lists, lists->from.i[row], lists->from.k[row], row);
            if (lists->full) {
                add_alone(lists, lists->from.k[row], lists->from.i[row], row);
            }
        }
    }
}

static void sort_alone(void *data, uint32_t worker) {
    const carom_neighbour_lists *lists = data;
    carom_walk walk = carom_team_walk(&lists->job->context->team, worker, lists->job->owned, CAROM_NEIGHBOUR_GRAIN);
    while (carom_walk_next(&walk)) {
        carom_neighbour_lists_sort(lists, walk.begin, walk.end, lists->offset[walk.begin]);
    }
}

bool carom_neighbours_alone_suits(const carom_neighbour_lists *lists) {
    return lists->job->context->team.workers == 1 && lists->job->owned <= BODIES_MOST;
}

void carom_neighbours_alone_fill(carom_neighbour_lists *lists) {
    static carom_team_task *const stages[] = {count_alone, fill_alone, sort_alone};
    for (size_t s = 0; s < sizeof stages / sizeof stages[0] && !carom_job_stopped(lists->job); s++) {
        carom_team_run(&lists->job->context->team, stages[s], lists);
    }
}
