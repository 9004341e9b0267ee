/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/detect/job/job_tmpl.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kernel/broad/sample.h"
#include "kernel/check/assert.h"
#include "kernel/sys/clock.h"
#include "kernel/sys/error.h"

uint64_t carom_job_workers_bytes(uint64_t workers) {
    return workers * (sizeof(carom_worker) + sizeof(uint64_t)) + sizeof(carom_sample);
}

carom_status carom_job_start_workers(carom_detect_job *job) {
    const uint64_t workers = job->context->team.workers;
    const carom_work_need need[] = {{CAROM_WORK_WORKERS, workers * sizeof(carom_worker)},
                                    {CAROM_WORK_SHARES, workers * sizeof(uint64_t)},
                                    {CAROM_WORK_SAMPLE, sizeof(carom_sample)}};
    const carom_status status = carom_job_reserve(job, need, sizeof need / sizeof need[0]);
    if (status == CAROM_OK) {
        job->workers = carom_context_work(job->context, CAROM_WORK_WORKERS);
        CAROM_ASSERT_ALIGNED(job->workers, CAROM_CACHE_LINE);
        memset(job->workers, 0, need[0].bytes);
    }
    return status;
}

void carom_job_lap(carom_detect_job *job, carom_phase phase) {
    CAROM_ASSERT(phase < CAROM_PHASE_COUNT);
    double now = carom_clock_seconds();
    job->detection->summary.phase_seconds[phase] += now - job->clock;
    job->clock = now;
}

double carom_job_worker_lap(carom_worker *worker, carom_phase phase, double since) {
    CAROM_ASSERT(phase < CAROM_PHASE_COUNT);
    double now = carom_clock_seconds();
    worker->seconds[phase] += now - since;
    return now;
}

/* Workers' times add up to more than the wall time: each phase gets its share of the latter, so that the phases of a
 * call still add up to how long it took. */
void carom_job_share_time(carom_detect_job *job) {
    double share[CAROM_PHASE_COUNT] = {0};
    double sum = 0.0;
    for (uint32_t w = 0; w < job->context->team.workers; w++) {
        for (int p = 0; p < CAROM_PHASE_COUNT; p++) {
            share[p] += job->workers[w].seconds[p];
            sum += job->workers[w].seconds[p];
            job->workers[w].seconds[p] = 0.0;
        }
    }
    double wall = carom_clock_seconds() - job->clock;
    job->clock += wall;
    for (int p = 0; p < CAROM_PHASE_COUNT && sum > 0.0; p++) {
        job->detection->summary.phase_seconds[p] += wall * share[p] / sum;
    }
}

void carom_job_sum_workers(carom_detect_job *job) {
    carom_detect_summary *summary = &job->detection->summary;
    CAROM_ASSERT(summary->box_pairs == 0 && summary->touching_pairs == 0);
    for (uint32_t w = 0; w < job->context->team.workers; w++) {
        summary->box_pairs += job->workers[w].box_pairs;
        summary->touching_pairs += job->workers[w].touching_pairs;
        summary->touching_hash += job->workers[w].touching_hash;
    }
    CAROM_ASSERT(summary->touching_pairs <= summary->box_pairs);
    bool touching = job->config->until >= CAROM_UNTIL_APPROACH && !job->config->all_pairs;
    summary->required_pairs = touching ? summary->touching_pairs : summary->box_pairs;
}

carom_status carom_job_reserve(carom_detect_job *job, const carom_work_need *need, uint32_t count) {
    uint64_t required = 0;
    return carom_context_reserve(job->context, need, count, &required) == CAROM_OK ? CAROM_OK
                                                                                   : carom_job_no_memory(job, required);
}

carom_status carom_job_no_memory(carom_detect_job *job, uint64_t required) {
    carom_detect_summary *summary = &job->detection->summary;
    const uint64_t limit = job->context->memory.limit;
    char of_limit[64] = "";
    summary->required_bytes = required;
    if (limit > 0) {
        snprintf(of_limit, sizeof of_limit, "; memory_limit is %" PRIu64 " bytes", limit);
    }
    if (summary->required_pairs == 0) {
        return carom_error_set(job->error, CAROM_ERROR_MEMORY,
                               "no memory for %" PRIu64 " bodies, before their pairs were counted: at least %" PRIu64
                               " bytes are needed%s",
                               job->owned, required, of_limit);
    }
    return carom_error_set(job->error, CAROM_ERROR_MEMORY,
                           "no memory for %" PRIu64 " bodies and %" PRIu64 " pairs: at least %" PRIu64
                           " bytes are needed%s",
                           job->owned, summary->required_pairs, required, of_limit);
}

carom_status carom_job_cancelled(const carom_detect_job *job, carom_status status) {
    return carom_job_stopped(job) ? carom_error_set(job->error, CAROM_ERROR_CANCELLED, "the caller cancelled the call")
                                  : status;
}
