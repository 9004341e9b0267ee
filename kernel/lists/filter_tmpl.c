/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Values lie in columns in the order of the slots, and are gathered with a cell's candidates. Cheap tests go first. An
 * exclusion list is read only if a trace (store/exclusion_list.h) has the bits of the other body. */
#include "kernel/lists/filter_tmpl.h"

#include "kernel/check/assert.h"
#include "kernel/lists/runs_tmpl.h"
#include "kernel/sys/error.h"

/* The bit of fixed bodies, above those of parts. */
enum { FIXED_SHIFT = 8 };

/* Which values are tested, one after the other in the buffer of all columns, each with CAROM_GATHER_PAD after it. */
static void choose_columns(carom_lists_job *job, bool chosen[CAROM_LISTS_COLUMNS]) {
    const carom_filter *filter = job->slots.filter.given;
    const bool by_list = filter->exclusion_offset != NULL;
    chosen[CAROM_LISTS_CATEGORY] = filter->category != NULL || filter->mask != NULL;
    chosen[CAROM_LISTS_MASK] = chosen[CAROM_LISTS_CATEGORY];
    chosen[CAROM_LISTS_GROUP] = filter->group != NULL;
    chosen[CAROM_LISTS_APART] = filter->fixed != NULL || filter->part != NULL;
    job->slots.filter.columns = 0;
    for (int c = 0; c < CAROM_LISTS_COLUMNS; c++) {
        chosen[c] = c < CAROM_LISTS_TRACE ? chosen[c] : by_list;
        job->slots.filter.columns += chosen[c];
    }
}

static carom_status reserve(carom_lists_job *job, uint64_t **body_trace) {
    const uint64_t stride = job->count + CAROM_GATHER_PAD;
    const bool by_list = job->slots.filter.given->exclusion_offset != NULL;
    bool chosen[CAROM_LISTS_COLUMNS];
    choose_columns(job, chosen);
    const carom_work_need need[] = {
        {CAROM_WORK_FILTER, job->slots.filter.columns * stride * sizeof(uint32_t)},
        {CAROM_WORK_FILTER_TRACES, by_list ? job->bodies->count * sizeof **body_trace : 0},
    };
    const carom_status status = carom_context_reserve(job->context, need, 2, &job->lists->required_bytes);
    uint32_t *block = carom_context_work(job->context, CAROM_WORK_FILTER);
    for (int c = 0; c < CAROM_LISTS_COLUMNS && status == CAROM_OK; c++) {
        job->slots.filter.column[c] = chosen[c] ? block : NULL;
        block += chosen[c] ? stride : 0;
    }
    *body_trace = by_list ? carom_context_work(job->context, CAROM_WORK_FILTER_TRACES) : NULL;
    return status;
}

/* Whether all exclusion lists are good. All offsets are checked before any list: a list is only as long as they say. */
static bool check_lists(carom_lists_job *job, uint64_t *body_trace) {
    const carom_team *team = &job->context->team;
    carom_exclusion_check check = {.team = team,
                                   .filter = job->slots.filter.given,
                                   .count = job->bodies->count,
                                   .share = carom_context_shares(job->context),
                                   .trace = body_trace};
    const bool good = carom_exclusion_list_check_offsets(&check) == CAROM_NO_BODY && !carom_team_stopped(team) &&
                      carom_exclusion_list_check_members(&check) == CAROM_NO_BODY;
    job->slots.filter.lists_ascend = check.unordered == 0;
    return good;
}

static void put_values(const carom_lists_filter *filter, uint64_t slot, uint32_t body) {
    const carom_filter_values values = carom_filter_values_of(filter->given, body);
    const uint32_t part = filter->given->part != NULL ? filter->given->part[body] : 0;
    const uint32_t value[] = {values.category, values.mask, values.group, values.apart << FIXED_SHIFT | part};
    for (int c = CAROM_LISTS_CATEGORY; c <= CAROM_LISTS_APART; c++) {
        if (filter->column[c] != NULL) {
            filter->column[c][slot] = value[c];
        }
    }
}

static void put_trace(const carom_lists_filter *filter, uint64_t slot, uint32_t body, uint64_t trace) {
    const uint64_t bit = carom_exclusion_list_bits(body);
    filter->column[CAROM_LISTS_TRACE][slot] = (uint32_t)trace;
    filter->column[CAROM_LISTS_TRACE + 1][slot] = (uint32_t)(trace >> 32);
    filter->column[CAROM_LISTS_BIT][slot] = (uint32_t)bit;
    filter->column[CAROM_LISTS_BIT + 1][slot] = (uint32_t)(bit >> 32);
}

typedef struct fill_job {
    const carom_lists_job *lists;
    const uint64_t *body_trace; /* of each body; NULL: no exclusions */
} fill_job;

static void fill_columns(void *data, uint32_t worker) {
    const fill_job *fill = data;
    const carom_lists_job *job = fill->lists;
    carom_walk walk = carom_team_walk(&job->context->team, worker, job->count, CAROM_SIMD_PAD);
    while (carom_walk_next(&walk)) {
        for (uint64_t slot = walk.begin; slot < walk.end; slot++) {
            const uint32_t body = carom_lists_owner(job, job->slots.key[slot]);
            put_values(&job->slots.filter, slot, body);
            if (fill->body_trace != NULL) {
                put_trace(&job->slots.filter, slot, body, fill->body_trace[body]);
            }
        }
    }
}

carom_status carom_lists_filter_start(carom_lists_job *job, bool *fits) {
    const carom_team *team = &job->context->team;
    uint64_t *body_trace = NULL;
    *fits = true;
    if (job->slots.filter.given == NULL) {
        return CAROM_OK;
    }
    const carom_status status = reserve(job, &body_trace);
    if (status != CAROM_OK) {
        return status;
    }
    *fits = body_trace == NULL || check_lists(job, body_trace);
    if (*fits && job->slots.filter.columns > 0) {
        fill_job fill = {job, body_trace};
        carom_team_run(team, fill_columns, &fill);
    }
    return carom_team_stopped(team) ? CAROM_ERROR_CANCELLED : CAROM_OK;
}

/* The lists of a cell's bodies are far apart in the caller's memory: where they begin is asked for before the
 * gathering, and they themselves after it. */
static inline __attribute__((always_inline)) void fetch_lists(const carom_lists_job *job, uint64_t cell, bool offsets) {
    const carom_filter *filter = job->slots.filter.given;
    const uint32_t *key = job->slots.key + job->slots.start[cell];
    for (uint64_t n = 0, rows = carom_lists_rows_of(job, cell); n < rows; n++) {
        const uint64_t *offset = &filter->exclusion_offset[carom_lists_owner(job, key[n])];
        if (offsets) {
            __builtin_prefetch(offset);
        } else {
            __builtin_prefetch(filter->excluded + *offset);
        }
    }
}

void carom_lists_filter_gather(const carom_lists_job *job, uint64_t cell, const carom_lists_candidates *candidates) {
    carom_gather_in runs;
    uint64_t first = 0;
    carom_lists_gather_nothing(&runs);
    const bool by_list = job->slots.filter.given->exclusion_offset != NULL && job->slots.filter.given->excluded != NULL;
    (void)carom_lists_runs_of(job, cell, &runs, &first);
    runs.moved = false; /* what filters look at is the same at each image */
    if (by_list) {
        fetch_lists(job, cell, true);
    }
    for (int c = 0; c < CAROM_LISTS_COLUMNS; c++) {
        runs.key = job->slots.filter.column[c];
        if (runs.key != NULL) {
            job->context->simd->cell_gather(&runs, candidates->at, candidates->value, candidates->column[c]);
        }
    }
    if (by_list) {
        fetch_lists(job, cell, false);
    }
}

static uint32_t filter_by_value(const carom_lists_job *job, const carom_lists_candidates *candidates, uint32_t own,
                                uint32_t count, uint16_t *bits) {
    uint32_t *const *tested = job->slots.filter.column;
    uint32_t *const *column = candidates->column;
    const carom_filter_columns columns = {
        .category = tested[CAROM_LISTS_CATEGORY] != NULL ? column[CAROM_LISTS_CATEGORY] : NULL,
        .mask = tested[CAROM_LISTS_MASK] != NULL ? column[CAROM_LISTS_MASK] : NULL,
        .group = tested[CAROM_LISTS_GROUP] != NULL ? column[CAROM_LISTS_GROUP] : NULL,
        .apart = tested[CAROM_LISTS_APART] != NULL ? column[CAROM_LISTS_APART] : NULL};
    return job->context->simd->filter_hits(&columns, own, count, bits);
}

static inline void clear_bit(uint16_t *bits, uint32_t candidate) {
    bits[candidate / 16] = (uint16_t)(bits[candidate / 16] & ~(1U << candidate % 16));
}

/* Returns how many are excluded. */
static uint32_t drop_excluded(const carom_lists_job *job, const carom_lists_candidates *candidates, uint32_t own,
                              uint32_t count, uint16_t *bits) {
    const carom_lists_filter *filter = &job->slots.filter;
    uint32_t *const *column = candidates->column;
    const carom_trace_columns traces = {.trace = {column[CAROM_LISTS_TRACE], column[CAROM_LISTS_TRACE + 1]},
                                        .bit = {column[CAROM_LISTS_BIT], column[CAROM_LISTS_BIT + 1]}};
    const uint32_t doubtful = job->context->simd->trace_hits(&traces, own, count, bits, candidates->doubtful);
    const uint32_t body = carom_lists_owner(job, candidates->key[own]);
    uint32_t dropped = 0;
    for (uint32_t n = 0; n < doubtful; n++) {
        const uint32_t candidate = candidates->doubtful[n];
        const uint32_t other = carom_lists_owner(job, candidates->key[candidate]);
        if (carom_exclusion_list_excludes(filter->given, filter->lists_ascend, body, other)) {
            clear_bit(bits, candidate);
            dropped++;
        }
    }
    return dropped;
}

/* The caller's function is given the lower body first. Returns how many it refuses. */
static uint32_t drop_refused(const carom_lists_job *job, const uint32_t *key, uint32_t own, uint32_t count,
                             uint16_t *bits) {
    const carom_filter *filter = job->slots.filter.given;
    const uint32_t a = carom_lists_owner(job, key[own]);
    uint32_t dropped = 0;
    for (uint32_t w = 0; w < carom_hits_words(count); w++) {
        for (uint32_t left = bits[w]; left != 0; left &= left - 1) {
            const uint32_t candidate = 16 * w + (uint32_t)__builtin_ctz(left);
            const uint32_t b = carom_lists_owner(job, key[candidate]);
            if (!filter->accepts(filter->user, a < b ? a : b, a < b ? b : a)) {
                clear_bit(bits, candidate);
                dropped++;
            }
        }
    }
    return dropped;
}

uint32_t carom_lists_filter_row(const carom_lists_job *job, const carom_lists_candidates *candidates, uint32_t own,
                                uint32_t count, uint16_t *bits, uint32_t length) {
    const carom_lists_filter *filter = &job->slots.filter;
    const uint32_t by_list = filter->column[CAROM_LISTS_TRACE] != NULL ? 4 : 0;
    CAROM_ASSERT(filter->given != NULL);
    if (filter->columns > by_list) {
        length = filter_by_value(job, candidates, own, count, bits);
    }
    if (by_list > 0 && length > 0) {
        length -= drop_excluded(job, candidates, own, count, bits);
    }
    if (filter->given->accepts != NULL && length > 0) {
        length -= drop_refused(job, candidates->key, own, count, bits);
    }
    return length;
}
