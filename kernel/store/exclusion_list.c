/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/store/exclusion_list.h"

#include <stdatomic.h>

#include "kernel/sys/error.h"
#include "simd/kernels.h"

static bool offset_falls(const carom_filter *filter, uint64_t body) {
    return filter->exclusion_offset[body] > filter->exclusion_offset[body + 1];
}

static void check_offsets(void *data, uint32_t worker) {
    const carom_exclusion_check *check = data;
    uint64_t bad = CAROM_NO_BODY;
    carom_walk walk = carom_team_walk(check->team, worker, check->count, CAROM_SIMD_PAD);
    while (bad == CAROM_NO_BODY && carom_walk_next(&walk)) {
        uint64_t body = walk.begin;
        while (body < walk.end && !offset_falls(check->filter, body)) {
            body++;
        }
        bad = body < walk.end ? body : CAROM_NO_BODY;
    }
    check->share[worker] = bad;
}

/* What one list holds. */
typedef struct list_facts {
    uint64_t bad;   /* place of its first member that is no body, or its end */
    bool ascends;   /* whether its members before that are in ascending order */
    uint64_t trace; /* the bits of these members */
} list_facts;

static list_facts inspect_list(const carom_filter *filter, uint64_t count, uint64_t body) {
    uint64_t end = filter->exclusion_offset[body + 1];
    list_facts facts = {.bad = end, .ascends = true};
    uint32_t before = 0;
    for (uint64_t n = filter->exclusion_offset[body]; n < end; n++) {
        uint32_t member = filter->excluded[n];
        if (member >= count) {
            facts.bad = n;
            return facts;
        }
        facts.ascends &= member >= before;
        facts.trace |= carom_exclusion_list_bits(member);
        before = member;
    }
    return facts;
}

static void check_members(void *data, uint32_t worker) {
    carom_exclusion_check *check = data;
    uint64_t bad = CAROM_NO_BODY;
    bool ascend = true;
    carom_walk walk = carom_team_walk(check->team, worker, check->count, CAROM_SIMD_PAD);
    while (bad == CAROM_NO_BODY && carom_walk_next(&walk)) {
        for (uint64_t body = walk.begin; body < walk.end && bad == CAROM_NO_BODY; body++) {
            list_facts facts = inspect_list(check->filter, check->count, body);
            ascend &= facts.ascends;
            bad = facts.bad < check->filter->exclusion_offset[body + 1] ? body : CAROM_NO_BODY;
            if (check->trace != NULL) {
                check->trace[body] = facts.trace;
            }
        }
    }
    check->share[worker] = bad;
    if (!ascend) {
        atomic_store_explicit(&check->unordered, 1, memory_order_relaxed);
    }
}

/* The lowest body that the workers found fault with. */
static uint64_t run_check(carom_exclusion_check *check, carom_team_task *task) {
    uint64_t lowest = CAROM_NO_BODY;
    carom_team_run(check->team, task, check);
    for (uint32_t w = 0; w < check->team->workers; w++) {
        lowest = check->share[w] < lowest ? check->share[w] : lowest;
    }
    return lowest;
}

uint64_t carom_exclusion_list_check_offsets(carom_exclusion_check *check) {
    return run_check(check, check_offsets);
}

uint64_t carom_exclusion_list_check_members(carom_exclusion_check *check) {
    return run_check(check, check_members);
}

uint64_t carom_exclusion_list_bad_member(const carom_filter *filter, uint64_t count, uint64_t body) {
    return inspect_list(filter, count, body).bad;
}
