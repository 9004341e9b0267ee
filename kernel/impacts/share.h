/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* How workers share the groups of a stage. Each takes its own part first, some groups at a time, and then what others
 * have left of theirs. Stages over the same groups have the same parts, so that a worker verifies what it has
 * simulated, which its core's cache still has. */
#ifndef CAROM_IMPACTS_SHARE_H
#define CAROM_IMPACTS_SHARE_H

#include "kernel/impacts/window.h"
#include "kernel/sys/team.h"

/* Groups [begin, end), `claim` of them at a time. */
typedef struct carom_share {
    const carom_team *team;
    carom_impacts_worker *worker;
    uint64_t begin;
    uint64_t end;
    uint64_t claim;
    _Atomic uint64_t left; /* groups that nobody has taken */
} carom_share;

/* Begins a stage over groups [begin, end). Outside tasks. */
void carom_share_begin(carom_share *share, const carom_team *team, carom_impacts_worker *worker, uint64_t begin,
                       uint64_t end);

/* A worker's walk through the groups that it takes:
 *
 *     carom_share_walk walk = carom_share_enter(share, worker);
 *     while (carom_share_next(&walk)) {
 *         ... groups [walk.begin, walk.end)
 *     } */
typedef struct carom_share_walk {
    carom_share *share;
    uint32_t from;    /* the worker of whose part it takes */
    carom_range part; /* that part, from share->begin on */
    uint64_t begin;
    uint64_t end;
} carom_share_walk;

carom_share_walk carom_share_enter(carom_share *share, uint32_t worker);

/* Takes the next groups. False if there is none left. */
bool carom_share_next(carom_share_walk *walk);

#endif
