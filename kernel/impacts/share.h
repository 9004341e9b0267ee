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
} carom_share;

/* Begins a stage over groups [begin, end). Outside tasks. */
carom_share carom_share_begin(const carom_team *team, carom_impacts_worker *worker, uint64_t begin, uint64_t end);

/* Takes the next groups for a worker. False if there is none left, for any. */
bool carom_share_next(const carom_share *share, uint32_t worker, carom_range *groups);

#endif
