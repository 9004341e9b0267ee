/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Pair filters: each block of hits is thinned out between the sweep and all that follows, so that a pair that does not
 * pass is never seen. What is tested by values of the two bodies is first brought into the order of the records, one
 * pass a call: the hits of a cell then meet it in cache. So is a trace of each row of exclusions, one bit of 64 for
 * each body in it (Bloom 1970): only where a trace has the other's bit are the rows themselves looked at, several pairs
 * ahead. The caller's function sees what is left. */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "kernel/step/job_tmpl.h"
#include "kernel/sys/error.h"

/* A row of up to this many is searched through even if it is in order: one cache line, no branch to guess. */
enum { ROW_SHORT = 16 };

static carom_status reserve(carom_detect_job *job, const carom_work_need *need, uint32_t count) {
    uint64_t required = 0;
    return carom_context_reserve(job->context, need, count, &required) == CAROM_OK
               ? CAROM_OK
               : CAROM_REAL(carom_detect_no_memory)(job, required);
}

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
    carom_team_range(&job->context->team, worker, job->owned, 1, &begin, &end);
    while (begin < end && !offset_falls(job->config->filter, begin)) {
        begin++;
    }
    job->workers[worker].bad_row = begin < end ? begin : CAROM_NO_BODY;
}

/* Which bit of a trace stands for a body (Fibonacci hashing: near numbers get different bits). */
static uint32_t bit_of(uint32_t body) {
    return body * UINT32_C(0x9E3779B1) >> 26;
}

/* What a row holds. */
typedef struct row_view {
    uint64_t bad; /* its first member that is no body, or its end */
    bool ascends;
    uint64_t trace;
} row_view;

static row_view look_at_row(const carom_filter *filter, uint64_t count, uint64_t body) {
    uint64_t end = filter->exclusion_offset[body + 1];
    row_view view = {.bad = end, .ascends = true};
    uint32_t before = 0;
    for (uint64_t n = filter->exclusion_offset[body]; n < end; n++) {
        uint32_t member = filter->excluded[n];
        if (member >= count) {
            view.bad = n;
            return view;
        }
        view.ascends &= member >= before;
        view.trace |= UINT64_C(1) << bit_of(member);
        before = member;
    }
    return view;
}

static void check_rows(void *data, uint32_t worker) {
    const carom_detect_job *job = data;
    const carom_filter *filter = job->config->filter;
    carom_worker *w = &job->workers[worker];
    uint64_t begin;
    uint64_t end;
    carom_team_range(&job->context->team, worker, job->owned, CAROM_SIMD_PAD, &begin, &end);
    w->bad_row = CAROM_NO_BODY;
    w->rows_ascend = true;
    for (uint64_t body = begin; body < end && w->bad_row == CAROM_NO_BODY; body++) {
        row_view view = look_at_row(filter, job->owned, body);
        w->rows_ascend &= view.ascends;
        w->bad_row = view.bad < filter->exclusion_offset[body + 1] ? body : CAROM_NO_BODY;
        if (job->traces != NULL) {
            job->traces[body] = view.trace;
        }
    }
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
    carom_work_need need = {CAROM_WORK_FILTER_TRACES, job->owned * sizeof(uint64_t)};
    if (job->config->until > CAROM_UNTIL_BOUNDS) {
        carom_status status = reserve(job, &need, 1);
        if (status != CAROM_OK) {
            return status;
        }
        job->traces = carom_context_work(job->context, CAROM_WORK_FILTER_TRACES);
    }
    bad = run_check(job, check_rows);
    if (bad != CAROM_NO_BODY) {
        uint64_t at = look_at_row(filter, job->owned, bad).bad;
        return carom_error_body(job->error, bad, "excluded",
                                "body %" PRIu64 ": excluded names body %" PRIu32 " of %" PRIu64, bad,
                                filter->excluded[at], job->owned);
    }
    job->rows_ascend = true;
    for (uint32_t w = 0; w < job->context->team.workers; w++) {
        job->rows_ascend &= job->workers[w].rows_ascend;
    }
    return CAROM_OK;
}

/* Which body of the caller's is in a slot, or has its image there. */
static uint32_t owner_of(const carom_detect_job *job, uint32_t slot) {
    uint32_t body = (uint32_t)job->records[slot].body;
    return job->images == NULL ? body : carom_images_owner(job->images, body);
}

static void fill_slots(void *data, uint32_t worker) {
    const carom_detect_job *job = data;
    const carom_filter *filter = job->config->filter;
    carom_filter_slot *slots = job->filter_slots;
    uint64_t begin;
    uint64_t end;
    carom_team_range(&job->context->team, worker, job->bodies->count, CAROM_SIMD_PAD, &begin, &end);
    for (uint64_t slot = begin; slot < end; slot++) {
        uint32_t body = owner_of(job, (uint32_t)slot);
        slots[slot] = (carom_filter_slot){.category = filter->category != NULL ? filter->category[body] : 1,
                                          .mask = filter->mask != NULL ? filter->mask[body] : UINT32_MAX,
                                          .group = filter->group != NULL ? filter->group[body] : 0,
                                          .fixed = filter->fixed != NULL ? filter->fixed[body] != 0 : 0};
    }
}

static void fill_rows(void *data, uint32_t worker) {
    const carom_detect_job *job = data;
    uint64_t begin;
    uint64_t end;
    carom_team_range(&job->context->team, worker, job->bodies->count, CAROM_SIMD_PAD, &begin, &end);
    for (uint64_t slot = begin; slot < end; slot++) {
        uint32_t body = owner_of(job, (uint32_t)slot);
        job->filter_rows[slot] = (carom_filter_row){.trace = job->traces[body], .body = body, .bit = bit_of(body)};
    }
}

carom_status CAROM_REAL(carom_detect_filter_start)(carom_detect_job *job) {
    const carom_filter *filter = job->config->filter;
    if (filter == NULL) {
        return CAROM_OK;
    }
    bool by_slot = goes_by_slot(filter);
    bool by_row = filter->exclusion_offset != NULL;
    uint64_t count = job->bodies->count;
    carom_work_need need[] = {{CAROM_WORK_FILTER, by_slot ? count * sizeof(carom_filter_slot) : 0},
                              {CAROM_WORK_FILTER_ROWS, by_row ? count * sizeof(carom_filter_row) : 0}};
    carom_status status = reserve(job, need, sizeof need / sizeof need[0]);
    if (status != CAROM_OK) {
        return status;
    }
    double *bytes = &job->detection->summary.phase_bytes[CAROM_PHASE_PARTITION];
    if (by_slot) {
        job->filter_slots = carom_context_work(job->context, CAROM_WORK_FILTER);
        carom_team_run(&job->context->team, fill_slots, job);
        *bytes += (double)count * (sizeof(carom_record) + 2.0 * sizeof(carom_filter_slot));
    }
    if (by_row) {
        job->filter_rows = carom_context_work(job->context, CAROM_WORK_FILTER_ROWS);
        carom_team_run(&job->context->team, fill_rows, job);
        *bytes += (double)count * (sizeof(carom_record) + sizeof(carom_filter_row) + sizeof(uint64_t));
    }
    CAROM_REAL(carom_detect_lap)(job, CAROM_PHASE_PARTITION);
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

/* Collects the pairs of which one may name the other, by a bit of its trace; their rows are on the way. */
static uint32_t find_doubts(const carom_detect_job *job, uint32_t hits, const uint32_t *slot_i, const uint32_t *slot_k,
                            uint32_t *doubt) {
    const carom_filter_row *rows = job->filter_rows;
    uint32_t doubts = 0;
    for (uint32_t n = 0; n < hits; n++) {
        const carom_filter_row *i = &rows[slot_i[n]];
        const carom_filter_row *k = &rows[slot_k[n]];
        doubt[doubts] = n;
        doubts += (uint32_t)((i->trace >> k->bit | k->trace >> i->bit) & 1);
    }
    return doubts;
}

/* Both rows of the pair in doubt, from memory that may be far away: first where they begin, later themselves. */
static void prefetch_offsets(const carom_detect_job *job, uint32_t slot) {
    __builtin_prefetch(&job->config->filter->exclusion_offset[job->filter_rows[slot].body]);
}

static void prefetch_row(const carom_detect_job *job, uint32_t slot) {
    const carom_filter *filter = job->config->filter;
    __builtin_prefetch(filter->excluded + filter->exclusion_offset[job->filter_rows[slot].body]);
}

/* Pairs in doubt whose data are asked for this many pairs ahead. */
enum { ROWS_AHEAD = 8, OFFSETS_AHEAD = 16 };

/* Of the pairs in doubt, in order, those that are excluded: the start of `doubt`. */
static uint32_t settle_doubts(const carom_detect_job *job, uint32_t doubts, const uint32_t *slot_i,
                              const uint32_t *slot_k, uint32_t *doubt) {
    uint32_t excluded = 0;
    for (uint32_t n = 0; n < doubts + OFFSETS_AHEAD; n++) {
        if (n < doubts) {
            prefetch_offsets(job, slot_i[doubt[n]]);
            prefetch_offsets(job, slot_k[doubt[n]]);
        }
        if (n >= OFFSETS_AHEAD - ROWS_AHEAD && n - (OFFSETS_AHEAD - ROWS_AHEAD) < doubts) {
            uint32_t at = doubt[n - (OFFSETS_AHEAD - ROWS_AHEAD)];
            prefetch_row(job, slot_i[at]);
            prefetch_row(job, slot_k[at]);
        }
        if (n >= OFFSETS_AHEAD) {
            uint32_t at = doubt[n - OFFSETS_AHEAD];
            uint32_t i = job->filter_rows[slot_i[at]].body;
            uint32_t k = job->filter_rows[slot_k[at]].body;
            doubt[excluded] = at;
            excluded += names(job, i, k) || names(job, k, i);
        }
    }
    return excluded;
}

/* Closes the gaps that the pairs numbered in `drop`, ascending, leave. */
static uint32_t drop_pairs(uint32_t hits, uint32_t drops, const uint32_t *drop, uint32_t *slot_i, uint32_t *slot_k) {
    uint32_t kept = drops > 0 ? drop[0] : hits;
    for (uint32_t d = 0; d < drops; d++) {
        uint32_t begin = drop[d] + 1;
        uint32_t end = d + 1 < drops ? drop[d + 1] : hits;
        memmove(slot_i + kept, slot_i + begin, (end - begin) * sizeof *slot_i);
        memmove(slot_k + kept, slot_k + begin, (end - begin) * sizeof *slot_k);
        kept += end - begin;
    }
    return kept;
}

static uint32_t keep_by_row(const carom_detect_job *job, uint32_t hits, uint32_t *slot_i, uint32_t *slot_k) {
    uint32_t doubt[CAROM_HITS_MAX];
    assert(hits <= CAROM_HITS_MAX);
    uint32_t doubts = find_doubts(job, hits, slot_i, slot_k, doubt);
    uint32_t excluded = settle_doubts(job, doubts, slot_i, slot_k, doubt);
    return drop_pairs(hits, excluded, doubt, slot_i, slot_k);
}

static uint32_t keep_accepted(const carom_detect_job *job, uint32_t hits, uint32_t *slot_i, uint32_t *slot_k) {
    const carom_filter *filter = job->config->filter;
    uint32_t kept = 0;
    for (uint32_t n = 0; n < hits; n++) {
        uint32_t a = owner_of(job, slot_i[n]);
        uint32_t b = owner_of(job, slot_k[n]);
        slot_i[kept] = slot_i[n];
        slot_k[kept] = slot_k[n];
        kept += filter->accepts(filter->user, a < b ? a : b, a < b ? b : a);
    }
    return kept;
}

uint32_t CAROM_REAL(carom_detect_filter_hits)(const carom_detect_job *job, uint32_t hits, uint32_t *slot_i,
                                              uint32_t *slot_k) {
    if (job->filter_slots != NULL) {
        hits = keep_by_slot(job->filter_slots, hits, slot_i, slot_k);
    }
    if (job->filter_rows != NULL) {
        hits = keep_by_row(job, hits, slot_i, slot_k);
    }
    const carom_filter *filter = job->config->filter;
    return filter != NULL && filter->accepts != NULL ? keep_accepted(job, hits, slot_i, slot_k) : hits;
}
