/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/sys/claims.h"

#include "kernel/check/assert.h"

void carom_claims_start(carom_claims *claims, const carom_team *team, uint64_t count, uint64_t each) {
    CAROM_ASSERT(claims->counter != NULL && each >= 1);
    *claims = (carom_claims){claims->counter, team, count, each};
    for (uint32_t w = 0; w < team->workers; w++) {
        atomic_store_explicit(&claims->counter[w].claims, 0, memory_order_relaxed);
    }
}

/* Claims items of a part. Whoever sees that none is left does not count: counters are read by all at the end. */
static bool claim_from(const carom_claims *claims, uint32_t part, carom_range *items) {
    const carom_range own = carom_team_range(claims->team, part, claims->count, claims->each);
    _Atomic uint64_t *counter = &claims->counter[part].claims;
    if (own.begin + claims->each * atomic_load_explicit(counter, memory_order_relaxed) >= own.end) {
        return false;
    }
    const uint64_t begin = own.begin + claims->each * carom_team_claim(counter);
    *items = (carom_range){begin, begin + claims->each < own.end ? begin + claims->each : own.end};
    return begin < own.end;
}

bool carom_claims_next(const carom_claims *claims, uint32_t worker, carom_range *items) {
    const carom_team *team = claims->team;
    for (uint32_t n = 0; n < team->workers && !carom_control_look(team->control); n++) {
        if (claim_from(claims, (worker + n) % team->workers, items)) {
            return true;
        }
    }
    return false;
}
