/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The lists that may decide a pair, which are far apart in the caller's memory, are asked for several pairs ahead. */
#include "kernel/detect/search/exclusions_tmpl.h"

#include <inttypes.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/sys/error.h"

static carom_status refuse_offsets(const carom_detect_job *job, uint64_t bad) {
    const uint64_t *offset = job->config->filter->exclusion_offset;
    return carom_error_body(job->error, bad, "exclusion_offset",
                            "body %" PRIu64 ": exclusion_offset is %" PRIu64 ", and then %" PRIu64, bad, offset[bad],
                            offset[bad + 1]);
}

static carom_status refuse_list(const carom_detect_job *job, uint64_t bad) {
    const carom_filter *filter = job->config->filter;
    uint64_t at = carom_exclusion_list_bad_member(filter, job->owned, bad);
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
    carom_exclusion_check check = {.team = &job->context->team,
                                   .filter = job->config->filter,
                                   .count = job->owned,
                                   .share = carom_context_shares(job->context)};
    uint64_t bad = carom_exclusion_list_check_offsets(&check);
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
    check.trace = job->filter.body_traces;
    bad = carom_exclusion_list_check_members(&check);
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
    return carom_exclusion_list_trace(body, job->filter.body_traces[body]);
}

/* Collects the pairs that may be excluded: the trace of one body has the bit of the other. */
static uint32_t find_candidates(const carom_detect_job *job, uint32_t hits, const uint32_t *slot_i,
                                const uint32_t *slot_k, uint16_t *candidate) {
    const carom_filter_trace *traces = job->filter.traces;
    uint32_t candidates = 0;
    for (uint32_t n = 0; n < hits; n++) {
        candidate[candidates] = (uint16_t)n;
        candidates += carom_exclusion_list_may_exclude(&traces[slot_i[n]], &traces[slot_k[n]]);
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
            excluded += carom_exclusion_list_excludes(job->config->filter, job->filter.lists_ascend, i, k);
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
