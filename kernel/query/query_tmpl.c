/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/query/query_tmpl.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/query/job_tmpl.h"
#include "kernel/sys/clock.h"
#include "kernel/sys/error.h"
#include "simd/layout.h"

carom_status carom_query_check_probe(const carom_record *probe, uint64_t q, carom_error *error) {
    static const char *const names[] = {"prev_x", "prev_y", "prev_z", "curr_x", "curr_y", "curr_z", "radius"};
    const carom_real value[] = {probe->prev[0], probe->prev[1], probe->prev[2], probe->curr[0],
                                probe->curr[1], probe->curr[2], probe->radius};
    for (size_t f = 0; f < sizeof value / sizeof value[0]; f++) {
        if (!isfinite(value[f])) {
            return carom_error_body(error, q, names[f], "body %" PRIu64 ": %s is %s", q, names[f],
                                    isnan(value[f]) ? "not a number" : "infinite");
        }
    }
    return probe->radius >= 0 ? CAROM_OK
                              : carom_error_body(error, q, "radius", "body %" PRIu64 ": radius %g is negative", q,
                                                 (double)probe->radius);
}

/* Probes are numbered after the bodies, so that the body is the i of a contact. */
static carom_status read_probes(carom_query_job *job, carom_error *error) {
    carom_walk walk = carom_team_walk_alone(&job->context->team, job->probes);
    while (carom_walk_next(&walk)) {
        for (uint64_t q = walk.begin; q < walk.end; q++) {
            job->own[q] = carom_layout_body(job->given, q);
            job->own[q].body = (uint32_t)(job->bodies + q);
            const carom_status status = carom_query_check_probe(&job->own[q], q, error);
            if (status != CAROM_OK) {
                return status;
            }
        }
    }
    return CAROM_OK;
}

static carom_status take_probes(carom_query_job *job, uint64_t *required, carom_error *error) {
    const carom_work_need need = {CAROM_WORK_QUERY_RECORD, (job->probes + CAROM_SIMD_PAD) * sizeof(carom_record)};
    if (job->hooks != NULL) {
        return job->hooks->take(job, required, error);
    }
    if (carom_context_reserve(job->context, &need, 1, required) != CAROM_OK) {
        return CAROM_ERROR_MEMORY;
    }
    job->own = carom_context_work(job->context, CAROM_WORK_QUERY_RECORD);
    return read_probes(job, error);
}

static carom_status reserve_probes(carom_query_job *job, uint64_t *required) {
    carom_context *context = job->context;
    const uint64_t probes = job->probes;
    const carom_work_need need[] = {
        {CAROM_WORK_SHARES, context->team.workers * sizeof(uint64_t)},
        {CAROM_WORK_QUERY_FIRST, (probes + 1) * sizeof(uint64_t)},
        {CAROM_WORK_QUERY_KEPT, probes * sizeof(uint64_t)},
        {CAROM_WORK_QUERY_OFFSET, (probes + 1) * sizeof(uint64_t)},
    };
    const carom_status status = carom_context_reserve(context, need, sizeof need / sizeof need[0], required);
    job->passed = carom_context_shares(context);
    job->first = carom_context_work(context, CAROM_WORK_QUERY_FIRST);
    job->kept = carom_context_work(context, CAROM_WORK_QUERY_KEPT);
    job->offset = carom_context_work(context, CAROM_WORK_QUERY_OFFSET);
    return status;
}

/* Counts to places; returns how many rows there are. */
static uint64_t place_rows(const carom_query_job *job) {
    uint64_t rows = 0;
    for (uint64_t q = 0; q < job->probes; q++) {
        job->offset[q] = rows;
        rows += job->kept[q];
    }
    job->offset[job->probes] = rows;
    return rows;
}

/* Without bodies no probe has a candidate. */
static carom_status search(carom_query_job *job, uint64_t *required) {
    if (job->bodies > 0) {
        return carom_query_search(job, required);
    }
    memset(job->first, 0, (job->probes + 1) * sizeof *job->first);
    return CAROM_OK;
}

static carom_status run_stages(carom_query_job *job, carom_query_answer *answer, carom_error *error) {
    carom_status status = reserve_probes(job, &answer->required_bytes);
    if (status == CAROM_OK) {
        status = take_probes(job, &answer->required_bytes, error);
    }
    if (status == CAROM_OK) {
        status = search(job, &answer->required_bytes);
    }
    if (status == CAROM_OK) {
        status = carom_query_decide(job, error);
    }
    if (status != CAROM_OK) {
        return status;
    }
    for (uint32_t w = 0; w < job->context->team.workers; w++) {
        answer->box_pairs += job->passed[w];
    }
    answer->pair_count = place_rows(job);
    answer->offset = job->offset;
    return carom_query_write(job, answer->pair_count, answer, &answer->required_bytes);
}

/* BODY has said what is wrong. */
static carom_status explain(const carom_query_answer *answer, carom_status status, carom_error *error) {
    if (status == CAROM_ERROR_MEMORY) {
        return carom_error_set(error, status,
                               "no memory for the query: %" PRIu64 " bytes in all would be enough to go on",
                               answer->required_bytes);
    }
    return status == CAROM_ERROR_CANCELLED ? carom_error_set(error, status, "the call was cancelled") : status;
}

carom_status carom_query_stages(carom_query_job *job, carom_query_answer *answer, carom_error *error) {
    carom_context *context = job->context;
    const carom_context_partition *partition = &context->partition;
    CAROM_ASSERT(partition->searchable && partition->bits == CAROM_REAL_BITS);
    const double begin = carom_clock_seconds();
    job->records = partition->records;
    job->slots = partition->count;
    job->bodies = partition->owned;
    carom_context_use_workers(context, job->probes);
    carom_control_look(context->team.control);
    carom_status status = carom_team_stopped(&context->team) ? CAROM_ERROR_CANCELLED : CAROM_OK;
    if (status == CAROM_OK && job->probes > 0) {
        status = run_stages(job, answer, error);
    }
    if (status == CAROM_OK) {
        answer->seconds = carom_clock_seconds() - begin;
        return CAROM_OK;
    }
    *answer = (carom_query_answer){.required_bytes = status == CAROM_ERROR_MEMORY ? answer->required_bytes : 0};
    return explain(answer, status, error);
}

carom_status carom_query_run(carom_context *context, const carom_bodies *probes, const carom_query_config *config,
                             carom_query_answer *answer, carom_error *error) {
    CAROM_ASSERT(!context->partition.box.periodic);
    carom_query_job job = {.context = context, .given = probes, .probes = probes->count, .config = config};
    return carom_query_stages(&job, answer, error);
}
