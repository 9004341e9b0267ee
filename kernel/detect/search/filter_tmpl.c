/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The values that are tested are first brought into the order of the records, one pass a call: the hits of a cell then
 * find them in cache. Cheap tests go first; the caller's function sees the pairs that are left. */
#include "kernel/detect/search/filter_tmpl.h"

#include "kernel/check/assert.h"
#include "kernel/detect/search/exclusions_tmpl.h"
#include "kernel/detect/search/part_bits_tmpl.h"

carom_status carom_filter_check(carom_detect_job *job) {
    const carom_filter *filter = job->config->filter;
    return filter == NULL || filter->exclusion_offset == NULL ? CAROM_OK : carom_exclusions_check(job);
}

/* Which body of the caller's is in a slot, or has its image there. */
static uint32_t owner_of(const carom_detect_job *job, uint32_t slot) {
    CAROM_ASSERT(slot < job->bodies->count);
    uint32_t body = (uint32_t)job->search.records[slot].body;
    return job->periodic.images == NULL ? body : carom_images_owner(job->periodic.images, body);
}

static void fill_values(void *data, uint32_t worker) {
    const carom_detect_job *job = data;
    const carom_filter *filter = job->config->filter;
    carom_filter_values *values = job->filter.values;
    carom_walk walk = carom_team_walk(&job->context->team, worker, job->bodies->count, CAROM_SIMD_PAD);
    while (carom_walk_next(&walk)) {
        for (uint64_t slot = walk.begin, end = walk.end; slot < end; slot++) {
            values[slot] = carom_filter_values_of(filter, owner_of(job, (uint32_t)slot));
        }
    }
}

/* The same for the traces of the exclusion lists: an image has that of its owner. */
static void fill_traces(void *data, uint32_t worker) {
    const carom_detect_job *job = data;
    carom_walk walk = carom_team_walk(&job->context->team, worker, job->bodies->count, CAROM_SIMD_PAD);
    while (carom_walk_next(&walk)) {
        for (uint64_t slot = walk.begin, end = walk.end; slot < end; slot++) {
            job->filter.traces[slot] = carom_exclusions_trace(job, owner_of(job, (uint32_t)slot));
        }
    }
}

carom_status carom_filter_start(carom_detect_job *job, const uint32_t *slot_of) {
    const carom_filter *filter = job->config->filter;
    if (filter == NULL) {
        return CAROM_OK;
    }
    CAROM_ASSERT(job->search.records != NULL && slot_of != NULL);
    bool by_value = carom_filter_values_given(filter);
    bool by_list = filter->exclusion_offset != NULL;
    uint64_t count = job->bodies->count;
    carom_work_need need[] = {{CAROM_WORK_FILTER, by_value ? count * sizeof(carom_filter_values) : 0},
                              {CAROM_WORK_FILTER_SLOT_TRACES, by_list ? count * sizeof(carom_filter_trace) : 0}};
    carom_status status = carom_job_reserve(job, need, sizeof need / sizeof need[0]);
    if (status == CAROM_OK && filter->part != NULL) {
        status = carom_part_bits_start(job, slot_of);
    }
    if (status != CAROM_OK) {
        return status;
    }
    double *bytes = &job->detection->summary.phase_bytes[CAROM_PHASE_PARTITION];
    if (by_value) {
        job->filter.values = carom_context_work(job->context, CAROM_WORK_FILTER);
        carom_team_run(&job->context->team, fill_values, job);
        *bytes += (double)count * (sizeof(carom_record) + 2.0 * sizeof(carom_filter_values));
    }
    if (by_list) {
        job->filter.traces = carom_context_work(job->context, CAROM_WORK_FILTER_SLOT_TRACES);
        carom_team_run(&job->context->team, fill_traces, job);
        *bytes += (double)count * (sizeof(carom_record) + sizeof(carom_filter_trace) + sizeof(uint64_t));
    }
    carom_job_lap(job, CAROM_PHASE_PARTITION);
    return carom_job_stopped(job) ? CAROM_ERROR_CANCELLED : CAROM_OK;
}

static uint32_t keep_by_value(const carom_filter_values *values, uint32_t hits, uint32_t *slot_i, uint32_t *slot_k) {
    uint32_t kept = 0;
    for (uint32_t n = 0; n < hits; n++) {
        uint32_t i = slot_i[n];
        uint32_t k = slot_k[n];
        slot_i[kept] = i;
        slot_k[kept] = k;
        kept += carom_filter_values_pass(&values[i], &values[k]);
    }
    return kept;
}

/* The caller's function is given the lower body first, whatever the order of the slots. */
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

uint32_t carom_filter_pairs(const carom_detect_job *job, const carom_worker *worker, uint32_t hits, uint32_t *slot_i,
                            uint32_t *slot_k) {
    CAROM_ASSERT(hits <= CAROM_HITS_MAX);
    if (job->filter.part_bits != NULL && !worker->part_bits_swept) {
        hits = carom_part_bits_keep(job, hits, slot_i, slot_k);
    }
    if (job->filter.values != NULL) {
        hits = keep_by_value(job->filter.values, hits, slot_i, slot_k);
    }
    if (job->filter.traces != NULL) {
        hits = carom_exclusions_drop(job, hits, slot_i, slot_k);
    }
    const carom_filter *filter = job->config->filter;
    return filter != NULL && filter->accepts != NULL ? keep_accepted(job, hits, slot_i, slot_k) : hits;
}
