/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Pair filters: each block of hits is thinned out between the sweep and all that follows, so that a pair that does not
 * pass is never seen. What is tested by values of the two bodies is first brought into the order of the records, one
 * pass a call: the hits of a cell then meet it in cache. Exclusions and the caller's function go by body, and
 * see only what is left. */
#include <inttypes.h>

#include "kernel/step/job_tmpl.h"
#include "kernel/sys/error.h"

/* A row of up to this many is searched through even if it is in order: one cache line, no branch to guess. */
enum { ROW_SHORT = 16 };

static bool goes_by_slot(const carom_filter *filter) {
    return filter->category != NULL || filter->mask != NULL || filter->group != NULL || filter->fixed != NULL;
}

static bool offset_falls(const carom_filter *filter, uint64_t body) {
    return filter->exclusion_offset[body] > filter->exclusion_offset[body + 1];
}

static void check_offsets(void *data, uint32_t worker) {
    const carom_detect_job *job = data;
    uint64_t begin;
    uint64_t end;
    carom_team_range(&job->context->team, worker, job->bodies->count, 1, &begin, &end);
    while (begin < end && !offset_falls(job->config->filter, begin)) {
        begin++;
    }
    job->workers[worker].bad_row = begin < end ? begin : CAROM_NO_BODY;
}

/* The row's first member that is no body, or its end; *ascend is cleared if the row is not in order. */
static uint64_t row_end(const carom_filter *filter, uint64_t count, uint64_t body, bool *ascend) {
    uint64_t end = filter->exclusion_offset[body + 1];
    uint32_t before = 0;
    for (uint64_t n = filter->exclusion_offset[body]; n < end; n++) {
        if (filter->excluded[n] >= count) {
            return n;
        }
        *ascend &= filter->excluded[n] >= before;
        before = filter->excluded[n];
    }
    return end;
}

static void check_rows(void *data, uint32_t worker) {
    const carom_detect_job *job = data;
    const carom_filter *filter = job->config->filter;
    bool ascend = true;
    uint64_t begin;
    uint64_t end;
    carom_team_range(&job->context->team, worker, job->bodies->count, 1, &begin, &end);
    while (begin < end && row_end(filter, job->bodies->count, begin, &ascend) == filter->exclusion_offset[begin + 1]) {
        begin++;
    }
    job->workers[worker].bad_row = begin < end ? begin : CAROM_NO_BODY;
    job->workers[worker].rows_ascend = ascend;
}

/* The lowest body that the workers found fault with. */
static uint64_t run_check(carom_detect_job *job, carom_team_task *check) {
    uint64_t lowest = CAROM_NO_BODY;
    carom_team_run(&job->context->team, check, job);
    for (uint32_t w = 0; w < job->context->team.workers; w++) {
        lowest = job->workers[w].bad_row < lowest ? job->workers[w].bad_row : lowest;
    }
    return lowest;
}

/* All offsets before any row: a row is only as long as they say. */
carom_status CAROM_REAL(carom_detect_filter_check)(carom_detect_job *job) {
    const carom_filter *filter = job->config->filter;
    if (filter == NULL || filter->exclusion_offset == NULL) {
        return CAROM_OK;
    }
    uint64_t bad = run_check(job, check_offsets);
    if (bad != CAROM_NO_BODY) {
        return carom_error_body(job->error, bad, "exclusion_offset",
                                "body %" PRIu64 ": exclusion_offset is %" PRIu64 ", and then %" PRIu64, bad,
                                filter->exclusion_offset[bad], filter->exclusion_offset[bad + 1]);
    }
    bad = run_check(job, check_rows);
    if (bad != CAROM_NO_BODY) {
        bool ascend = true;
        uint64_t at = row_end(filter, job->bodies->count, bad, &ascend);
        return carom_error_body(job->error, bad, "excluded",
                                "body %" PRIu64 ": excluded names body %" PRIu32 " of %" PRIu64, bad,
                                filter->excluded[at], job->bodies->count);
    }
    job->rows_ascend = true;
    for (uint32_t w = 0; w < job->context->team.workers; w++) {
        job->rows_ascend &= job->workers[w].rows_ascend;
    }
    return CAROM_OK;
}

static void fill_slots(void *data, uint32_t worker) {
    const carom_detect_job *job = data;
    const carom_filter *filter = job->config->filter;
    carom_filter_slot *slots = job->filter_slots;
    uint64_t begin;
    uint64_t end;
    carom_team_range(&job->context->team, worker, job->bodies->count, CAROM_SIMD_PAD, &begin, &end);
    for (uint64_t slot = begin; slot < end; slot++) {
        uint64_t body = job->records[slot].body;
        slots[slot] = (carom_filter_slot){.category = filter->category != NULL ? filter->category[body] : 1,
                                          .mask = filter->mask != NULL ? filter->mask[body] : UINT32_MAX,
                                          .group = filter->group != NULL ? filter->group[body] : 0,
                                          .fixed = filter->fixed != NULL ? filter->fixed[body] != 0 : 0};
    }
}

carom_status CAROM_REAL(carom_detect_filter_start)(carom_detect_job *job) {
    const carom_filter *filter = job->config->filter;
    if (filter == NULL) {
        return CAROM_OK;
    }
    job->filter_bodies = filter->exclusion_offset != NULL || filter->accepts != NULL;
    if (goes_by_slot(filter)) {
        uint64_t required = 0;
        carom_work_need need = {CAROM_WORK_FILTER, job->bodies->count * sizeof(carom_filter_slot)};
        if (carom_context_reserve(job->context, &need, 1, &required) != CAROM_OK) {
            return CAROM_REAL(carom_detect_no_memory)(job, required);
        }
        job->filter_slots = carom_context_work(job->context, CAROM_WORK_FILTER);
        carom_team_run(&job->context->team, fill_slots, job);
        job->detection->summary.phase_bytes[CAROM_PHASE_PARTITION] +=
            (double)job->bodies->count * (sizeof(carom_record) + 2.0 * sizeof(carom_filter_slot));
        CAROM_REAL(carom_detect_lap)(job, CAROM_PHASE_PARTITION);
    }
    return CAROM_OK;
}

static bool slots_pass(const carom_filter_slot *i, const carom_filter_slot *k) {
    bool meet = ((i->category & k->mask) != 0) & ((k->category & i->mask) != 0);
    bool apart = (i->group != k->group) | (i->group == 0);
    return meet & apart & ((i->fixed & k->fixed) == 0);
}

/* No branch: which pairs pass cannot be foretold. */
static uint32_t keep_by_slot(const carom_filter_slot *slots, uint32_t hits, uint32_t *slot_i, uint32_t *slot_k) {
    uint32_t kept = 0;
    for (uint32_t n = 0; n < hits; n++) {
        uint32_t i = slot_i[n];
        uint32_t k = slot_k[n];
        slot_i[kept] = i;
        slot_k[kept] = k;
        kept += slots_pass(&slots[i], &slots[k]);
    }
    return kept;
}

static bool names(const carom_detect_job *job, uint32_t body, uint32_t other) {
    const carom_filter *filter = job->config->filter;
    uint64_t begin = filter->exclusion_offset[body];
    uint64_t end = filter->exclusion_offset[body + 1];
    while (job->rows_ascend && end - begin > ROW_SHORT) {
        uint64_t middle = begin + (end - begin) / 2;
        *(filter->excluded[middle] > other ? &end : &begin) = middle;
    }
    for (uint64_t n = begin; n < end; n++) {
        if (filter->excluded[n] == other) {
            return true;
        }
    }
    return false;
}

static bool bodies_pass(const carom_detect_job *job, uint32_t i, uint32_t k) {
    const carom_filter *filter = job->config->filter;
    if (filter->exclusion_offset != NULL && (names(job, i, k) || names(job, k, i))) {
        return false;
    }
    return filter->accepts == NULL || filter->accepts(filter->user, i, k);
}

static uint32_t keep_by_body(const carom_detect_job *job, uint32_t hits, uint32_t *slot_i, uint32_t *slot_k) {
    uint32_t kept = 0;
    for (uint32_t n = 0; n < hits; n++) {
        uint32_t a = (uint32_t)job->records[slot_i[n]].body;
        uint32_t b = (uint32_t)job->records[slot_k[n]].body;
        slot_i[kept] = slot_i[n];
        slot_k[kept] = slot_k[n];
        kept += bodies_pass(job, a < b ? a : b, a < b ? b : a);
    }
    return kept;
}

uint32_t CAROM_REAL(carom_detect_filter_hits)(const carom_detect_job *job, uint32_t hits, uint32_t *slot_i,
                                              uint32_t *slot_k) {
    if (job->filter_slots != NULL) {
        hits = keep_by_slot(job->filter_slots, hits, slot_i, slot_k);
    }
    return job->filter_bodies ? keep_by_body(job, hits, slot_i, slot_k) : hits;
}
