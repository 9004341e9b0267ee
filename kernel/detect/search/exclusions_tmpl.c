/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A body's trace is a Bloom filter (1970) of its list: one bit of 64 for each body that is in it. The lists themselves,
 * far apart in the caller's memory, are read only for the pairs of which one trace has the bit of the other body, and
 * are asked for several pairs ahead. */
#include "kernel/detect/search/exclusions_tmpl.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/store/exclusion_list.h"
#include "kernel/sys/error.h"

typedef struct check_job {
    const carom_detect_job *job; /* whose filter is checked */
    uint64_t *bad;               /* each worker's first body with a bad list, or CAROM_NO_BODY */
    _Atomic uint32_t unordered;  /* 1: some list is not in ascending order */
} check_job;

static bool offset_falls(const carom_filter *filter, uint64_t body) {
    return filter->exclusion_offset[body] > filter->exclusion_offset[body + 1];
}

/* What each worker checks first: no list ends before it begins. */
static void check_offsets(void *data, uint32_t worker) {
    check_job *check = data;
    const carom_detect_job *job = check->job;
    uint64_t bad = CAROM_NO_BODY;
    carom_walk walk = carom_team_walk(&job->context->team, worker, job->owned, CAROM_SIMD_PAD);
    while (bad == CAROM_NO_BODY && carom_walk_next(&walk)) {
        uint64_t body = walk.begin;
        while (body < walk.end && !offset_falls(job->config->filter, body)) {
            body++;
        }
        bad = body < walk.end ? body : CAROM_NO_BODY;
    }
    check->bad[worker] = bad;
}

/* Which bit of a trace stands for a body (Fibonacci hashing: near numbers get different bits). */
static uint32_t bit_of(uint32_t body) {
    return body * UINT32_C(0x9E3779B1) >> 26;
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
        facts.trace |= UINT64_C(1) << bit_of(member);
        before = member;
    }
    return facts;
}

/* What each worker checks then: all members are bodies. It makes the traces on the way. */
static void check_lists(void *data, uint32_t worker) {
    check_job *check = data;
    const carom_detect_job *job = check->job;
    const carom_filter *filter = job->config->filter;
    uint64_t bad = CAROM_NO_BODY;
    bool ascend = true;
    carom_walk walk = carom_team_walk(&job->context->team, worker, job->owned, CAROM_SIMD_PAD);
    while (bad == CAROM_NO_BODY && carom_walk_next(&walk)) {
        for (uint64_t body = walk.begin; body < walk.end && bad == CAROM_NO_BODY; body++) {
            list_facts facts = inspect_list(filter, job->owned, body);
            ascend &= facts.ascends;
            bad = facts.bad < filter->exclusion_offset[body + 1] ? body : CAROM_NO_BODY;
            if (job->filter.body_traces != NULL) {
                job->filter.body_traces[body] = facts.trace;
            }
        }
    }
    check->bad[worker] = bad;
    if (!ascend) {
        atomic_store_explicit(&check->unordered, 1, memory_order_relaxed);
    }
}

/* The lowest body that the workers found fault with. */
static uint64_t run_check(check_job *check, carom_team_task *task) {
    const carom_team *team = &check->job->context->team;
    uint64_t lowest = CAROM_NO_BODY;
    carom_team_run(team, task, check);
    for (uint32_t w = 0; w < team->workers; w++) {
        lowest = check->bad[w] < lowest ? check->bad[w] : lowest;
    }
    return lowest;
}

static carom_status refuse_offsets(const carom_detect_job *job, uint64_t bad) {
    const uint64_t *offset = job->config->filter->exclusion_offset;
    return carom_error_body(job->error, bad, "exclusion_offset",
                            "body %" PRIu64 ": exclusion_offset is %" PRIu64 ", and then %" PRIu64, bad, offset[bad],
                            offset[bad + 1]);
}

static carom_status refuse_list(const carom_detect_job *job, uint64_t bad) {
    const carom_filter *filter = job->config->filter;
    uint64_t at = inspect_list(filter, job->owned, bad).bad;
    return carom_error_body(job->error, bad, "excluded",
                            "body %" PRIu64 ": excluded names body %" PRIu32 " of %" PRIu64, bad, filter->excluded[at],
                            job->owned);
}

/* A call that only wants boxes checks the lists but has no pairs to test. */
static carom_status reserve_traces(carom_detect_job *job) {
    if (job->config->until == CAROM_UNTIL_BOUNDS) {
        return CAROM_OK;
    }
    carom_work_need need = {CAROM_WORK_FILTER_TRACES, job->owned * sizeof(uint64_t)};
    carom_status status = carom_job_reserve(job, &need, 1);
    job->filter.body_traces = status == CAROM_OK ? carom_context_work(job->context, CAROM_WORK_FILTER_TRACES) : NULL;
    return status;
}

/* All offsets are checked before any list: a list is only as long as they say. */
carom_status carom_exclusions_check(carom_detect_job *job) {
    check_job check = {.job = job, .bad = carom_context_shares(job->context)};
    uint64_t bad = run_check(&check, check_offsets);
    if (carom_job_stopped(job)) {
        return CAROM_ERROR_CANCELLED;
    }
    if (bad != CAROM_NO_BODY) {
        return refuse_offsets(job, bad);
    }
    carom_status status = reserve_traces(job);
    if (status != CAROM_OK) {
        return status;
    }
    bad = run_check(&check, check_lists);
    if (carom_job_stopped(job)) {
        return CAROM_ERROR_CANCELLED;
    }
    if (bad != CAROM_NO_BODY) {
        return refuse_list(job, bad);
    }
    job->filter.lists_ascend = check.unordered == 0;
    return CAROM_OK;
}

carom_filter_trace carom_exclusions_trace(const carom_detect_job *job, uint32_t body) {
    CAROM_ASSERT(body < job->owned && job->filter.body_traces != NULL);
    return (carom_filter_trace){.trace = job->filter.body_traces[body], .body = body, .bit = bit_of(body)};
}

/* Whether the list of one body has the other. */
static bool excludes(const carom_detect_job *job, uint32_t body, uint32_t other) {
    return carom_exclusion_list_has(job->config->filter, job->filter.lists_ascend, body, other);
}

/* Collects the pairs that may be excluded: the trace of one body has the bit of the other. */
static uint32_t find_candidates(const carom_detect_job *job, uint32_t hits, const uint32_t *slot_i,
                                const uint32_t *slot_k, uint16_t *candidate) {
    const carom_filter_trace *traces = job->filter.traces;
    uint32_t candidates = 0;
    for (uint32_t n = 0; n < hits; n++) {
        const carom_filter_trace *i = &traces[slot_i[n]];
        const carom_filter_trace *k = &traces[slot_k[n]];
        candidate[candidates] = (uint16_t)n;
        candidates += (uint32_t)((i->trace >> k->bit | k->trace >> i->bit) & 1);
    }
    return candidates;
}

/* Both lists of a candidate, from memory that may be far away: first where they begin, later themselves. */
static inline __attribute__((always_inline)) void prefetch_offsets(const carom_detect_job *job, uint32_t slot) {
    __builtin_prefetch(&job->config->filter->exclusion_offset[job->filter.traces[slot].body]);
}

static inline __attribute__((always_inline)) void prefetch_list(const carom_detect_job *job, uint32_t slot) {
    const carom_filter *filter = job->config->filter;
    __builtin_prefetch(filter->excluded + filter->exclusion_offset[job->filter.traces[slot].body]);
}

/* Candidates whose data are asked for this many ahead. */
enum { LISTS_AHEAD = 8, OFFSETS_AHEAD = 16 };

/* Of the candidates, in order, keeps those that are excluded at the start of `candidate`; returns their number. */
static uint32_t decide_candidates(const carom_detect_job *job, uint32_t candidates, const uint32_t *slot_i,
                                  const uint32_t *slot_k, uint16_t *candidate) {
    uint32_t excluded = 0;
    for (uint32_t n = 0; n < candidates + OFFSETS_AHEAD; n++) {
        if (n < candidates) {
            prefetch_offsets(job, slot_i[candidate[n]]);
            prefetch_offsets(job, slot_k[candidate[n]]);
        }
        if (n >= OFFSETS_AHEAD - LISTS_AHEAD && n - (OFFSETS_AHEAD - LISTS_AHEAD) < candidates) {
            uint32_t at = candidate[n - (OFFSETS_AHEAD - LISTS_AHEAD)];
            prefetch_list(job, slot_i[at]);
            prefetch_list(job, slot_k[at]);
        }
        if (n >= OFFSETS_AHEAD) {
            uint16_t at = candidate[n - OFFSETS_AHEAD];
            uint32_t i = job->filter.traces[slot_i[at]].body;
            uint32_t k = job->filter.traces[slot_k[at]].body;
            candidate[excluded] = at;
            /* A body does not exclude its own images, though its list may name it. */
            excluded += i != k && (excludes(job, i, k) || excludes(job, k, i));
        }
    }
    return excluded;
}

/* Closes the gaps that the pairs numbered in `drop`, ascending, leave. */
static uint32_t drop_pairs(uint32_t hits, uint32_t drops, const uint16_t *drop, uint32_t *slot_i, uint32_t *slot_k) {
    uint32_t kept = drops > 0 ? drop[0] : hits;
    for (uint32_t d = 0; d < drops; d++) {
        uint32_t begin = drop[d] + UINT32_C(1);
        CAROM_ASSERT(d == 0 || drop[d] > drop[d - 1]);
        uint32_t end = d + 1 < drops ? drop[d + 1] : hits;
        memmove(slot_i + kept, slot_i + begin, (end - begin) * sizeof *slot_i);
        memmove(slot_k + kept, slot_k + begin, (end - begin) * sizeof *slot_k);
        kept += end - begin;
    }
    return kept;
}

uint32_t carom_exclusions_drop(const carom_detect_job *job, uint32_t hits, uint32_t *slot_i, uint32_t *slot_k) {
    uint16_t candidate[CAROM_HITS_MAX];
    _Static_assert(CAROM_HITS_MAX <= UINT16_MAX, "a pair's number has 16 bits");
    CAROM_ASSERT(hits <= CAROM_HITS_MAX);
    uint32_t candidates = find_candidates(job, hits, slot_i, slot_k, candidate);
    uint32_t excluded = decide_candidates(job, candidates, slot_i, slot_k, candidate);
    return drop_pairs(hits, excluded, candidate, slot_i, slot_k);
}
