/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Filters and decisions: those of a detection, on pairs whose records are copied side by side. What is left of a
 * probe's candidates moves to the front of them, in order. */
#include <inttypes.h>

#include "kernel/check/assert.h"
#include "kernel/query/job_tmpl.h"
#include "kernel/sys/error.h"

/* Probes between two looks at the flag. */
enum { PROBES_AT_ONCE = 256 };

/* What a filter says of one body; left out: as of any other that meets all. */
typedef struct values {
    uint32_t category;
    uint32_t mask;
    uint32_t group;
    bool fixed;
    uint8_t part;
} values;

static values values_of(const carom_filter *filter, uint64_t n) {
    if (filter == NULL) {
        return (values){.category = 1, .mask = UINT32_MAX};
    }
    return (values){.category = filter->category != NULL ? filter->category[n] : 1,
                    .mask = filter->mask != NULL ? filter->mask[n] : UINT32_MAX,
                    .group = filter->group != NULL ? filter->group[n] : 0,
                    .fixed = filter->fixed != NULL && filter->fixed[n] != 0,
                    .part = filter->part != NULL ? filter->part[n] : 0};
}

static bool values_pass(const values *i, const values *k) {
    return (i->category & k->mask) != 0 && (k->category & i->mask) != 0 && (i->group != k->group || i->group == 0) &&
           !(i->fixed && k->fixed) && (i->part & k->part) == 0;
}

static bool excludes(const carom_filter *filter, uint64_t probe, uint32_t body) {
    if (filter == NULL || filter->exclusion_offset == NULL) {
        return false;
    }
    for (uint64_t n = filter->exclusion_offset[probe]; n < filter->exclusion_offset[probe + 1]; n++) {
        if (filter->excluded[n] == body) {
            return true;
        }
    }
    return false;
}

static bool passes(const carom_query_job *job, const values *of_probe, uint32_t probe, uint32_t body) {
    const carom_filter *filter = job->config->probe_filter;
    const values of_body = values_of(job->config->filter, body);
    return values_pass(&of_body, of_probe) && !excludes(filter, probe, body) &&
           (filter == NULL || filter->accepts == NULL || filter->accepts(filter->user, body, probe));
}

/* Keeps a candidate: never behind one that is still to be read. */
static inline void keep(const carom_query_job *job, uint32_t probe, uint64_t at) {
    const uint64_t to = job->first[probe] + job->kept[probe]++;
    CAROM_ASSERT(to <= at);
    job->body[to] = job->body[at];
    job->place[to] = job->place[at];
}

static void decide_batch(const carom_query_job *job, carom_query_batch *batch) {
    const carom_kernels *kernels = carom_kernels_of(job->context->simd);
    carom_query_pairs pairs;
    carom_query_batch_pairs(batch, &pairs);
    uint32_t left = kernels->touch(batch->record, batch->count, pairs.i, pairs.k, pairs.i, pairs.k);
    if (job->config->approaching) {
        left = kernels->approaching(batch->record, left, pairs.i, pairs.k, pairs.i, pairs.k);
    }
    for (uint32_t n = 0; n < left; n++) {
        const uint32_t pair = pairs.i[n] / 2;
        keep(job, batch->probe[pair], batch->at[pair]);
    }
    batch->count = 0;
}

/* The candidates of one probe; returns how many pass the filters. */
static uint64_t decide_probe(const carom_query_job *job, uint32_t probe, carom_query_batch *batch) {
    const values of_probe = values_of(job->config->probe_filter, probe);
    const bool filtered = job->config->filter != NULL || job->config->probe_filter != NULL;
    uint64_t passed = 0;
    job->kept[probe] = 0;
    for (uint64_t at = job->first[probe]; at < job->first[probe + 1]; at++) {
        if (job->hooks != NULL && !job->hooks->meets(job, carom_query_view_of(job, at), carom_query_slot_of(job, at))) {
            continue;
        }
        if (filtered && !passes(job, &of_probe, probe, job->body[at])) {
            continue;
        }
        passed++;
        if (job->config->until == CAROM_UNTIL_PAIRS) {
            keep(job, probe, at);
            continue;
        }
        carom_query_batch_add(job, batch, probe, at);
        if (batch->count == CAROM_QUERY_BATCH) {
            decide_batch(job, batch);
        }
    }
    return passed;
}

static void decide_probes(void *data, uint32_t worker) {
    const carom_query_job *job = data;
    carom_query_batch batch = {.count = 0};
    uint64_t passed = 0;
    carom_walk walk = carom_team_walk(&job->context->team, worker, job->probes, 1);
    walk.step = PROBES_AT_ONCE;
    while (carom_walk_next(&walk)) {
        for (uint64_t q = walk.begin; q < walk.end; q++) {
            passed += decide_probe(job, (uint32_t)q, &batch);
        }
    }
    decide_batch(job, &batch);
    job->passed[worker] = passed;
}

/* Lists of probes are few and read whole in any case, so they are checked before anything is read by them. */
static carom_status check_list(const carom_query_job *job, uint64_t probe, carom_error *error) {
    const carom_filter *filter = job->config->probe_filter;
    const uint64_t begin = filter->exclusion_offset[probe];
    const uint64_t end = filter->exclusion_offset[probe + 1];
    if (begin > end) {
        return carom_error_body(error, probe, "exclusion_offset",
                                "body %" PRIu64 ": exclusion_offset %" PRIu64 " is greater than the next, %" PRIu64,
                                probe, begin, end);
    }
    for (uint64_t n = begin; n < end; n++) {
        if (filter->excluded[n] >= job->bodies) {
            return carom_error_body(error, probe, "excluded", "body %" PRIu64 " excludes body %u; there are %" PRIu64,
                                    probe, filter->excluded[n], job->bodies);
        }
    }
    return CAROM_OK;
}

static carom_status check_lists(const carom_query_job *job, carom_error *error) {
    const carom_filter *filter = job->config->probe_filter;
    carom_status status = CAROM_OK;
    if (filter == NULL || filter->exclusion_offset == NULL) {
        return CAROM_OK;
    }
    for (uint64_t q = 0; q < job->probes && status == CAROM_OK; q++) {
        status = check_list(job, q, error);
    }
    return status;
}

carom_status carom_query_decide(carom_query_job *job, carom_error *error) {
    const carom_team *team = &job->context->team;
    const carom_status status = check_lists(job, error);
    if (status != CAROM_OK) {
        return status;
    }
    carom_team_run(team, decide_probes, job);
    return carom_team_stopped(team) ? CAROM_ERROR_CANCELLED : CAROM_OK;
}
