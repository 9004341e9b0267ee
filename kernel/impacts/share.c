/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: groups. Out: which of them a worker takes next. Nobody waits: who finds nothing in any part is through, though
 * another may be about to count what it has taken. */
#include "kernel/impacts/share.h"

/* Groups that a worker claims at once, at most; and claims of each worker where there are fewer groups. */
enum { CLAIM_MOST = 16, CLAIMS = 8 };

void carom_share_begin(carom_share *share, const carom_team *team, carom_impacts_worker *worker, uint64_t begin,
                       uint64_t end, const carom_large_groups *large) {
    const uint64_t claim = (end - begin) / ((uint64_t)CLAIMS * team->workers);
    share->team = team;
    share->worker = worker;
    share->begin = begin;
    share->end = end;
    share->claim = claim < 1 ? 1 : (claim < CLAIM_MOST ? claim : CLAIM_MOST);
    share->large = *large;
    atomic_init(&share->next, 0);
    atomic_init(&share->left, end - begin);
    for (uint32_t w = 0; w < team->workers; w++) {
        atomic_init(&worker[w].claims, 0);
    }
}

static void turn_to(carom_share_walk *walk, uint32_t worker) {
    const carom_share *share = walk->share;
    walk->from = worker;
    walk->part = carom_team_range(share->team, worker, share->end - share->begin, share->claim);
}

carom_share_walk carom_share_enter(carom_share *share, uint32_t worker) {
    carom_share_walk walk = {.share = share};
    turn_to(&walk, worker);
    return walk;
}

/* Takes groups out of the part at hand, if there are any. */
static bool take(carom_share_walk *walk) {
    carom_share *share = walk->share;
    _Atomic uint64_t *claims = &share->worker[walk->from].claims;
    const carom_range *part = &walk->part;
    if (part->begin + share->claim * atomic_load_explicit(claims, memory_order_relaxed) >= part->end) {
        return false;
    }
    const uint64_t begin = part->begin + share->claim * carom_team_claim(claims);
    if (begin >= part->end) {
        return false;
    }
    const uint64_t end = begin + share->claim < part->end ? begin + share->claim : part->end;
    atomic_fetch_sub_explicit(&share->left, end - begin, memory_order_relaxed);
    walk->begin = share->begin + begin;
    walk->end = share->begin + end;
    return true;
}

static bool take_large(carom_share_walk *walk) {
    carom_share *share = walk->share;
    if (atomic_load_explicit(&share->next, memory_order_relaxed) >= share->large.count) {
        return false;
    }
    const uint64_t n = carom_team_claim(&share->next);
    if (n < share->large.count) {
        walk->begin = (uint32_t)share->large.at[n];
        walk->end = walk->begin + 1;
    }
    return n < share->large.count;
}

bool carom_share_next(carom_share_walk *walk) {
    walk->large = take_large(walk);
    if (walk->large) {
        return true;
    }
    const uint32_t workers = walk->share->team->workers;
    for (uint32_t n = 0; n < workers && atomic_load_explicit(&walk->share->left, memory_order_relaxed) > 0; n++) {
        if (take(walk)) {
            return true;
        }
        turn_to(walk, (walk->from + 1) % workers);
    }
    return false;
}
