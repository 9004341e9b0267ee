/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* How workers share the groups of a stage. First they take the large ones, one at a time, whoever is free. Then each
 * takes its own part, some groups at a time, and at last what others have left of theirs. Stages over the same groups
 * have the same parts, so that a worker verifies what it has simulated, but for large groups: its core's cache still
 * has that. */
#ifndef CAROM_IMPACTS_SHARE_H
#define CAROM_IMPACTS_SHARE_H

#include "kernel/impacts/large_groups.h"
#include "kernel/sys/team.h"

/* Groups [begin, end), `claim` of them at a time. */
typedef struct carom_share {
    const carom_team *team;
    carom_impacts_worker *worker;
    uint64_t begin;
    uint64_t end;
    uint64_t claim;
    carom_large_groups large; /* of these */
    _Atomic uint64_t next;    /* of the large ones */
    _Atomic uint64_t left;    /* groups that nobody has taken with a part */
} carom_share;

/* Begins a stage over groups [begin, end). Outside tasks. */
void carom_share_begin(carom_share *share, const carom_team *team, carom_impacts_worker *worker, uint64_t begin,
                       uint64_t end, const carom_large_groups *large);

/* A worker's walk through the groups that it takes:
 *
 *     carom_share_walk walk = carom_share_enter(share, worker);
 *     while (carom_share_next(&walk)) {
 *         ... groups [walk.begin, walk.end), without those that it skips
 *     } */
typedef struct carom_share_walk {
    carom_share *share;
    uint32_t from;    /* the worker of whose part it takes */
    carom_range part; /* that part, from share->begin on */
    uint64_t begin;
    uint64_t end;
    bool large; /* it is a large group, alone */
} carom_share_walk;

carom_share_walk carom_share_enter(carom_share *share, uint32_t worker);

/* Takes the next groups. False if there is none left. */
bool carom_share_next(carom_share_walk *walk);

/* Whether a root's group, which a walk has in a part, is a large one that somebody has taken alone. */
static inline bool carom_share_skips(const carom_share_walk *walk, const carom_window *window, uint32_t root) {
    return walk->share->large.count > 0 && !walk->large && carom_large_groups_is_large(window, root);
}

#endif
