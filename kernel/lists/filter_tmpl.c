/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Values lie in the order of the slots, as for a detection (detect/search/filter_tmpl.c), so those of a cell's
 * candidates are side by side. Only candidates that are in reach are tested; cheap tests go first. */
#include "kernel/lists/filter_tmpl.h"

#include "kernel/check/assert.h"
#include "kernel/sys/error.h"

/* The bit of fixed bodies, above those of parts. */
enum { FIXED_SHIFT = 8 };

static carom_filter_values values_of(const carom_filter *filter, uint64_t body) {
    carom_filter_values values = carom_filter_values_of(filter, body);
    values.apart = values.apart << FIXED_SHIFT | (filter->part != NULL ? filter->part[body] : 0U);
    return values;
}

/* Bodies and images go to their slots. body_trace: of each body; NULL without exclusions. */
typedef struct fill_job {
    const carom_lists_job *lists;
    const uint64_t *body_trace;
} fill_job;

static void fill_slots(void *data, uint32_t worker) {
    const fill_job *fill = data;
    const carom_lists_job *job = fill->lists;
    const carom_lists_filter *filter = &job->slots.filter;
    carom_walk walk = carom_team_walk(&job->context->team, worker, job->count, CAROM_SIMD_PAD);
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin; n < walk.end; n++) {
            const uint32_t slot = job->slots.slot_of[n];
            const uint32_t body = n < job->bodies->count ? (uint32_t)n : carom_lists_owner(job, job->slots.key[slot]);
            if (filter->values != NULL) {
                filter->values[slot] = values_of(filter->given, body);
            }
            if (filter->traces != NULL) {
                filter->traces[slot] = carom_exclusion_list_trace(body, fill->body_trace[body]);
            }
        }
    }
}

static carom_status reserve(carom_lists_job *job, uint64_t **body_trace) {
    carom_lists_filter *filter = &job->slots.filter;
    const bool by_value = carom_filter_values_given(filter->given) || filter->given->part != NULL;
    const bool by_list = filter->given->exclusion_offset != NULL;
    const carom_work_need need[] = {
        {CAROM_WORK_FILTER, by_value ? job->count * sizeof *filter->values : 0},
        {CAROM_WORK_FILTER_TRACES, by_list ? job->bodies->count * sizeof **body_trace : 0},
        {CAROM_WORK_FILTER_SLOT_TRACES, by_list ? job->count * sizeof *filter->traces : 0},
    };
    const carom_status status = carom_context_reserve(job->context, need, sizeof need / sizeof need[0], job->required);
    filter->values = by_value ? carom_context_work(job->context, CAROM_WORK_FILTER) : NULL;
    filter->traces = by_list ? carom_context_work(job->context, CAROM_WORK_FILTER_SLOT_TRACES) : NULL;
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

carom_status carom_lists_filter_start(carom_lists_job *job, bool *fits) {
    const carom_team *team = &job->context->team;
    fill_job fill = {.lists = job};
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
    if (*fits && (job->slots.filter.values != NULL || body_trace != NULL)) {
        fill.body_trace = body_trace;
        carom_team_run(team, fill_slots, &fill);
    }
    return carom_team_stopped(team) ? CAROM_ERROR_CANCELLED : CAROM_OK;
}

/* The lowest bit is taken from *hits; returns its number. */
static inline uint32_t take_bit(uint32_t *hits) {
    const uint32_t bit = (uint32_t)__builtin_ctz(*hits);
    *hits &= *hits - 1;
    return bit;
}

/* Of sixteen candidates, in `slot`, those of `hits` that do not pass. No branch: which do cannot be predicted. */
static inline uint32_t find_by_value(const carom_filter_values *values, uint32_t own, const uint32_t *slot,
                                     uint32_t hits) {
    const carom_filter_values body = values[own];
    uint32_t dropped = 0;
    while (hits != 0) {
        const uint32_t n = take_bit(&hits);
        dropped |= (uint32_t)!carom_filter_values_pass(&body, &values[slot[n]]) << n;
    }
    return dropped;
}

/* Those of `hits` that may be excluded. Where their lists begin is asked for. */
static inline uint32_t find_doubtful(const carom_lists_filter *filter, uint32_t own, const uint32_t *slot,
                                     uint32_t hits) {
    const carom_filter_trace body = filter->traces[own];
    uint32_t doubtful = 0;
    while (hits != 0) {
        const uint32_t n = take_bit(&hits);
        doubtful |= (uint32_t)carom_exclusion_list_may_exclude(&body, &filter->traces[slot[n]]) << n;
    }
    return doubtful;
}

static inline uint32_t find_excluded(const carom_lists_filter *filter, uint32_t own, const uint32_t *slot,
                                     uint32_t hits) {
    uint32_t doubtful = find_doubtful(filter, own, slot, hits);
    uint32_t dropped = 0;
    while (doubtful != 0) {
        const uint32_t n = take_bit(&doubtful);
        dropped |= (uint32_t)carom_exclusion_list_excludes(filter->given, filter->lists_ascend,
                                                           filter->traces[own].body, filter->traces[slot[n]].body)
                   << n;
    }
    return dropped;
}

/* The caller's function is given the lower body first. It is not asked about a body and its own image, which are too
 * far apart for any list (place_tmpl.c). */
static uint32_t find_refused(const carom_lists_job *job, uint32_t own, const uint32_t *slot, uint32_t hits) {
    const carom_filter *filter = job->slots.filter.given;
    const uint32_t a = carom_lists_owner(job, job->slots.key[own]);
    uint32_t dropped = 0;
    while (hits != 0) {
        const uint32_t n = take_bit(&hits);
        const uint32_t b = carom_lists_owner(job, job->slots.key[slot[n]]);
        dropped |= (uint32_t)(a != b && !filter->accepts(filter->user, a < b ? a : b, a < b ? b : a)) << n;
    }
    return dropped;
}

uint32_t carom_lists_filter_row(const carom_lists_job *job, uint32_t own, const uint32_t *slot, uint32_t count,
                                uint16_t *bits) {
    const carom_lists_filter *filter = &job->slots.filter;
    uint32_t dropped = 0;
    CAROM_ASSERT(filter->given != NULL);
    for (uint32_t w = 0; w < carom_hits_words(count); w++, slot += 16) {
        uint32_t hits = bits[w];
        if (hits != 0 && filter->values != NULL) {
            hits &= ~find_by_value(filter->values, own, slot, hits);
        }
        if (hits != 0 && filter->traces != NULL) {
            hits &= ~find_excluded(filter, own, slot, hits);
        }
        if (hits != 0 && filter->given->accepts != NULL) {
            hits &= ~find_refused(job, own, slot, hits);
        }
        dropped += (uint32_t)__builtin_popcount(bits[w] ^ hits);
        bits[w] = (uint16_t)hits;
    }
    return dropped;
}
