/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/impacts/share.h"

/* Groups that a worker claims at once, at most; and claims of each worker where there are fewer groups. */
enum { CLAIM_MOST = 16, CLAIMS = 8 };

carom_share carom_share_begin(const carom_team *team, carom_impacts_worker *worker, uint64_t begin, uint64_t end) {
    const uint64_t claim = (end - begin) / ((uint64_t)CLAIMS * team->workers);
    for (uint32_t w = 0; w < team->workers; w++) {
        atomic_init(&worker[w].claims, 0);
    }
    return (carom_share){team, worker, begin, end, claim < 1 ? 1 : (claim < CLAIM_MOST ? claim : CLAIM_MOST)};
}

/* Takes groups out of a worker's part. */
static bool claim_from(const carom_share *s, uint32_t worker, carom_range *groups) {
    const carom_range part = carom_team_range(s->team, worker, s->end - s->begin, s->claim);
    const uint64_t begin = part.begin + s->claim * carom_team_claim(&s->worker[worker].claims);
    const uint64_t end = begin + s->claim < part.end ? begin + s->claim : part.end;
    *groups = (carom_range){s->begin + begin, s->begin + end};
    return begin < part.end;
}

bool carom_share_next(const carom_share *s, uint32_t worker, carom_range *groups) {
    for (uint32_t n = 0; n < s->team->workers; n++) {
        if (claim_from(s, (worker + n) % s->team->workers, groups)) {
            return true;
        }
    }
    return false;
}
