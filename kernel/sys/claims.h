/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* How workers share the items of a stage. Each claims its own part first, some items at a time, and then what others
 * have left of theirs. Items that follow one another are mostly one worker's, and stages over as many items have the
 * same parts: what a worker has written stays in its core's cache. On some machines a cache line takes half a
 * microsecond from core to core. */
#ifndef CAROM_SYS_CLAIMS_H
#define CAROM_SYS_CLAIMS_H

#include <stdatomic.h>

#include "kernel/sys/memory.h"
#include "kernel/sys/team.h"

/* How often a worker's part was claimed from; may be more often than it has items. */
typedef struct carom_claim_counter {
    _Alignas(CAROM_CACHE_LINE) _Atomic uint64_t claims;
} carom_claim_counter;

typedef struct carom_claims {
    carom_claim_counter *counter; /* one for each worker of the team; set before the first stage */
    const carom_team *team;
    uint64_t count;               /* items */
    uint64_t each;                /* items of a claim */
} carom_claims;

/* Before a stage over `count` items, which are claimed `each` at a time. */
void carom_claims_start(carom_claims *claims, const carom_team *team, uint64_t count, uint64_t each);

/* The next items for a worker. False if there are none, or if the call is to stop. */
bool carom_claims_next(const carom_claims *claims, uint32_t worker, carom_range *items);

#endif
