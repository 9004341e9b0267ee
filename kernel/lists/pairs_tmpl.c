/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/lists/pairs_tmpl.h"

#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/lists/runs_tmpl.h"

static uint64_t count_of(const carom_lists_job *job, uint64_t cell) {
    const uint32_t *length = job->found.length + job->slots.start[cell];
    uint64_t count = 0;
    for (uint64_t n = 0, rows = carom_lists_rows_of(job, cell); n < rows; n++) {
        count += length[n];
    }
    return count;
}

/* Where each cell's pairs begin among the worker's. */
static void sum_cells(void *data, uint32_t worker) {
    const carom_lists_job *job = data;
    const carom_range range = carom_team_range(&job->context->team, worker, job->grid.count, CAROM_CACHE_LINE);
    uint64_t sum = 0;
    for (uint64_t c = range.begin; c < range.end; c++) {
        job->result.place[c] = sum;
        sum += count_of(job, c);
    }
    carom_context_shares(job->context)[worker] = sum;
}

static void add_shares(void *data, uint32_t worker) {
    const carom_lists_job *job = data;
    const carom_range range = carom_team_range(&job->context->team, worker, job->grid.count, CAROM_CACHE_LINE);
    const uint64_t share = carom_context_shares(job->context)[worker];
    for (uint64_t c = range.begin; c < range.end && share > 0; c++) {
        job->result.place[c] += share;
    }
}

static carom_status place_pairs(carom_lists_job *job) {
    const carom_team *team = &job->context->team;
    const carom_work_need need = {CAROM_WORK_LIST_PLACES, job->grid.count * sizeof(uint64_t)};
    const carom_status status = carom_context_reserve(job->context, &need, 1, &job->lists->required_bytes);
    if (status != CAROM_OK) {
        return status;
    }
    job->result.place = carom_context_work(job->context, CAROM_WORK_LIST_PLACES);
    carom_team_run(team, sum_cells, job);
    job->result.pairs = carom_lists_sum_shares(job);
    carom_team_run(team, add_shares, job);
    return CAROM_OK;
}

/* Packs a row in scratch, then copies it: packing in place could overwrite another worker's pairs. */
static void copy_row(const carom_lists_job *job, uint32_t key, const carom_lists_candidates *candidates,
                     const uint16_t *bits, uint32_t count, uint64_t place, uint32_t length) {
    uint32_t *const pair[2] = {candidates->pair[0], candidates->pair[1]};
    job->context->simd->pack_pairs(key, candidates->key, bits, count, pair[0], pair[1]);
    for (int a = 0; a < 2; a++) {
        memcpy(job->result.pair[a] + place, pair[a], length * sizeof(uint32_t));
    }
}

/* end: where the worker's claim of pairs ends. */
static void write_cell(const carom_lists_job *job, uint64_t cell, uint64_t end,
                       const carom_lists_candidates *candidates) {
    uint64_t first = 0;
    const uint32_t count = (uint32_t)carom_lists_gather_keys(job, cell, candidates, &first);
    uint64_t place = job->result.place[cell];
    for (uint64_t n = 0, rows = carom_lists_rows_of(job, cell); n < rows; n++) {
        const uint32_t length = job->found.length[job->slots.start[cell] + n];
        const uint32_t key = candidates->key[first + n];
        const uint16_t *bits = job->found.bits + job->found.word[cell] + n * carom_hits_words(count);
        if (length > 0 && place + length + CAROM_SIMD_PAD <= end) {
            job->context->simd->pack_pairs(key, candidates->key, bits, count, job->result.pair[0] + place,
                                           job->result.pair[1] + place);
        } else if (length > 0) {
            copy_row(job, key, candidates, bits, count, place, length);
        }
        place += length;
    }
}

static void write_cells(void *data, uint32_t worker) {
    carom_lists_job *job = data;
    const carom_lists_candidates candidates = carom_lists_scratch(job, worker);
    carom_range range;
    while (carom_claims_next(&job->claims, worker, &range)) {
        const uint64_t end = range.end < job->grid.count ? job->result.place[range.end] : job->result.pairs;
        for (uint64_t c = range.begin; c < range.end; c++) {
            if (carom_lists_rows_of(job, c) > 0) {
                write_cell(job, c, end, &candidates);
            }
        }
    }
}

carom_status carom_lists_write_pairs(carom_lists_job *job) {
    carom_status status = place_pairs(job);
    if (status != CAROM_OK || job->config->count_only || job->result.pairs == 0) {
        return status;
    }
    const carom_work_need need = {CAROM_WORK_NEIGHBOUR_BODY,
                                  carom_size_multiply(job->result.pairs, 2 * sizeof(uint32_t))};
    status = carom_context_reserve(job->context, &need, 1, &job->lists->required_bytes);
    if (status != CAROM_OK) {
        return status;
    }
    job->result.pair[0] = carom_context_work(job->context, CAROM_WORK_NEIGHBOUR_BODY);
    job->result.pair[1] = job->result.pair[0] + job->result.pairs;
    carom_lists_start_claims(job);
    carom_team_run(&job->context->team, write_cells, job);
    return carom_team_stopped(&job->context->team) ? CAROM_ERROR_CANCELLED : CAROM_OK;
}
