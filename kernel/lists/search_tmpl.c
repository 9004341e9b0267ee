/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Squares of distances are computed in floats, from steps of 24 bits, and what is close to a sum of radii is decided
 * again.
 *
 * By what the kernel `cell_hits` can be wrong for two bodies that may touch, in u W^2, where W = 2^23 steps is a cell's
 * width and u = 2^-24. From the middle of the cell the body is no farther than sqrt(3) / 2 W, the candidate no farther
 * than W more: the squares of these distances are at most 0.75 and 3.49 W^2.
 *
 *   places, each off by half a step: 2 sqrt(3) steps W + 3 steps^2      7.1
 *   both squares, each of three products and two sums                  12.8
 *   the body's less `square`, at most W^2, and the sum of both          5.3
 *   three products, each at most 1.5 W^2                                4.5
 *   their differences, after which 4, 2.5 and 1 W^2 are left            7.5
 *   radii, each rounded once, their sum, its square, the difference     6
 *                                                                     ----
 *                                                                     43.2
 *
 * MARGIN is 128. Bodies farther apart than W cannot be taken for hits: the sum of the terms is less than 128 wherever
 * in the 27 cells the candidate is, and W is greater than the reach by 2^-13 (WIDER in grid.c), 4096 u W^2 in squares.
 *
 * A body of which some square is within MARGIN is decided again. The squares of differences, which are exact but for
 * the half steps, are off by less than 16 u W^2: all pairs that are within MARGIN by these, among them all that the
 * kernel may have decided wrongly, are decided by the kernel `touch`, exactly. */
#include "kernel/lists/search_tmpl.h"

#include "kernel/check/assert.h"
#include "simd/layout.h"

/* Relative to the square of a cell's width. */
static const double MARGIN = 0x1p-17;
/* Nanoseconds, or what they are to one another: a body and a candidate, and a body and a neighbour of a detection. */
static const double BODY = 60.0;
static const double CANDIDATE = 0.35;
static const double DETECTED = 25.0;
static const double LISTED = 24.0;
/* The share of 27 cells that a ball takes whose radius is a cell's width. */
static const double BALL = 0.1551;
/* Pairs that are decided at once. */
enum { CLOSE = 64 };

static float margin(void) {
    return (float)(MARGIN * (double)CAROM_LISTS_STEPS * (double)CAROM_LISTS_STEPS);
}

static bool is_empty(const carom_lists_job *job, uint64_t cell) {
    return job->slots.start[cell + 1] == job->slots.start[cell];
}

/* Words of bits of each cell, and the most candidates that one has. */
static void measure(void *data, uint32_t worker) {
    carom_lists_job *job = data;
    const carom_range range = carom_team_range(&job->context->team, worker, job->grid.count, CAROM_CACHE_LINE);
    uint64_t words = 0;
    uint64_t most = 0;
    for (uint64_t c = range.begin; c < range.end && !carom_team_stopped(&job->context->team); c++) {
        carom_gather_in gather;
        uint64_t first = 0;
        job->word[c] = words;
        if (!is_empty(job, c)) {
            const uint64_t count = carom_lists_runs_of(job, c, &gather, &first);
            words += (job->slots.start[c + 1] - job->slots.start[c]) * ((count + 15) / 16);
            most = count > most ? count : most;
        }
    }
    carom_context_shares(job->context)[worker] = words;
    job->ranges[worker].most = most;
}

static void add_shares(void *data, uint32_t worker) {
    carom_lists_job *job = data;
    const carom_range range = carom_team_range(&job->context->team, worker, job->grid.count, CAROM_CACHE_LINE);
    for (uint64_t c = range.begin; c < range.end; c++) {
        job->word[c] += carom_context_shares(job->context)[worker];
    }
}

/* The sum of the workers' words; their shares become those of the workers before. */
static uint64_t sum_words(carom_lists_job *job) {
    uint64_t *share = carom_context_shares(job->context);
    uint64_t words = 0;
    job->most = 0;
    for (uint32_t w = 0; w < job->context->team.workers; w++) {
        const uint64_t own = share[w];
        share[w] = words;
        words += own;
        job->most = job->ranges[w].most > job->most ? job->ranges[w].most : job->most;
    }
    job->word[job->grid.count] = words;
    return words;
}

/* Candidates that are far beyond the neighbours to be expected are those of great bodies among small ones, of sparse
 * bodies, or of places far more crowded than others. */
static bool does_pay(const carom_lists_job *job, uint64_t words) {
    const double candidates = 16.0 * (double)words / (double)job->bodies->count;
    const double reach = job->mean_reach;
    const double neighbours = candidates * BALL * reach * reach * reach;
    return BODY + CANDIDATE * candidates < DETECTED + LISTED * neighbours;
}

/* Decides pairs of one body with `count` others; sets the bits of those that touch. */
static uint32_t decide(const carom_lists_job *job, uint32_t body, const uint32_t *candidate, const uint32_t *other,
                       uint32_t count, uint16_t *bits) {
    carom_record record[CLOSE + 1];
    uint32_t slot_i[CLOSE + CAROM_SIMD_PAD] = {0};
    uint32_t slot_k[CLOSE + CAROM_SIMD_PAD] = {0};
    record[0] = carom_layout_body(job->bodies, body);
    for (uint32_t n = 0; n < count; n++) {
        record[n + 1] = carom_layout_body(job->bodies, other[candidate[n]]);
        slot_i[n] = 0;
        slot_k[n] = n + 1;
    }
    const uint32_t touching =
        carom_kernels_of(job->context->simd)->touch(record, count, slot_i, slot_k, slot_i, slot_k);
    for (uint32_t n = 0; n < touching; n++) {
        const uint32_t c = candidate[slot_k[n] - 1];
        bits[c / 16] = (uint16_t)(bits[c / 16] | 1U << c % 16);
    }
    return touching;
}

/* The square of a distance less that of the sum of radii, from differences: the kernel rounds more. */
static float close_excess(const carom_hits_in *in, uint32_t body, uint32_t n) {
    const float x = in->at[0][n] - in->at[0][body];
    const float y = in->at[1][n] - in->at[1][body];
    const float z = in->at[2][n] - in->at[2][body];
    const float sum = in->radius != NULL ? in->radius[n] + in->radius[body] : 0.0F;
    return x * x + y * y + z * z - (in->radius != NULL ? sum * sum : in->square);
}

/* Decides anew all pairs of a body that is open for which the kernel may have erred; returns how many neighbours it
 * then has. */
static uint32_t close_pairs(const carom_lists_job *job, const carom_hits_in *in, const uint32_t *body, uint32_t own,
                            uint16_t *bits, uint32_t length) {
    uint32_t candidate[CLOSE];
    uint32_t count = 0;
    for (uint32_t n = 0; n < in->count; n++) {
        const float excess = close_excess(in, own, n);
        if (n == own || (in->id != NULL && in->id[n] <= in->id[own]) ||
            !(excess >= -in->margin && excess <= in->margin)) {
            continue;
        }
        length -= (uint32_t)bits[n / 16] >> n % 16 & 1;
        bits[n / 16] = (uint16_t)(bits[n / 16] & ~(1U << n % 16));
        candidate[count++] = n;
        if (count == CLOSE) {
            length += decide(job, body[own], candidate, body, count, bits);
            count = 0;
        }
    }
    return length + (count > 0 ? decide(job, body[own], candidate, body, count, bits) : 0);
}

/* Gathers a cell's candidates, relative to its centre, and fills up the last vector; returns how many there are. */
static uint64_t gather(const carom_lists_job *job, uint64_t cell, const carom_lists_candidates *candidates,
                       uint64_t *first) {
    carom_gather_in in = {.step = {job->slots.step[0], job->slots.step[1], job->slots.step[2]},
                          .radius = job->slots.radius,
                          .body = job->slots.body};
    const uint64_t count = carom_lists_runs_of(job, cell, &in, first);
    const uint64_t place[3] = {cell / job->grid.cells[2] / job->grid.cells[1],
                               cell / job->grid.cells[2] % job->grid.cells[1], cell % job->grid.cells[2]};
    for (int a = 0; a < 3; a++) {
        in.centre[a] = (uint32_t)((place[a] - 1) * CAROM_LISTS_STEPS + CAROM_LISTS_STEPS / 2);
    }
    job->context->simd->cell_gather(&in, candidates->at, candidates->radius, candidates->body);
    for (uint64_t n = count; n < count + CAROM_SIMD_PAD; n++) {
        for (int a = 0; a < 3; a++) {
            candidates->at[a][n] = 0.0F;
        }
        candidates->at[3][n] = CAROM_HITS_FAR;
        if (candidates->radius != NULL) {
            candidates->radius[n] = 0.0F;
        }
    }
    return count;
}

static void search_cell(const carom_lists_job *job, uint64_t cell, const carom_lists_candidates *candidates,
                        uint8_t *open) {
    uint64_t first = 0;
    const uint64_t count = gather(job, cell, candidates, &first);
    const uint64_t bodies = job->slots.start[cell + 1] - job->slots.start[cell];
    const bool half = job->config->neighbours == CAROM_NEIGHBOURS_HALF;
    const carom_hits_in hits = {.at = {candidates->at[0], candidates->at[1], candidates->at[2]},
                                .square_of = candidates->at[3],
                                .radius = candidates->radius,
                                .id = half ? candidates->body : NULL,
                                .count = (uint32_t)count,
                                .first = (uint32_t)first,
                                .bodies = (uint32_t)bodies,
                                .square = job->square,
                                .margin = margin()};
    uint16_t *bits = job->bits + job->word[cell];
    uint32_t *length = job->length + job->slots.start[cell];
    job->context->simd->cell_hits(&hits, bits, length, open);
    for (uint64_t n = 0; n < bodies; n++) {
        if (open[n] != 0) {
            length[n] = close_pairs(job, &hits, candidates->body, hits.first + (uint32_t)n,
                                    bits + n * carom_hits_words(hits.count), length[n]);
        }
    }
}

static void search_cells(void *data, uint32_t worker) {
    carom_lists_job *job = data;
    const carom_lists_candidates candidates = carom_lists_scratch(job, worker);
    uint8_t *open = (uint8_t *)(candidates.body + job->most + CAROM_GATHER_PAD);
    carom_range range;
    while (carom_lists_claim(job, &range)) {
        for (uint64_t c = range.begin; c < range.end; c++) {
            if (!is_empty(job, c)) {
                search_cell(job, c, &candidates, open);
            }
        }
    }
}

static carom_status reserve_words(carom_lists_job *job) {
    const carom_work_need need = {CAROM_WORK_LIST_WORDS, (job->grid.count + 1) * sizeof(uint64_t)};
    const carom_status status = carom_context_reserve(job->context, &need, 1, job->required);
    job->word = carom_context_work(job->context, CAROM_WORK_LIST_WORDS);
    return status;
}

static carom_status reserve_search(carom_lists_job *job, uint64_t words) {
    const uint64_t stride = job->most + CAROM_GATHER_PAD;
    const uint64_t bytes = CAROM_LISTS_BATCHES * sizeof(carom_lists_rows) + stride * (6 * sizeof(float) + 1);
    job->scratch_bytes = (bytes + CAROM_CACHE_LINE - 1) / CAROM_CACHE_LINE * CAROM_CACHE_LINE;
    const carom_work_need need[] = {
        {CAROM_WORK_LIST_BITS, words * sizeof(uint16_t)},
        {CAROM_WORK_LIST_LENGTH, job->bodies->count * sizeof(uint32_t)},
        {CAROM_WORK_LIST_SCRATCH, job->context->team.workers * job->scratch_bytes},
    };
    const carom_status status = carom_context_reserve(job->context, need, 3, job->required);
    job->bits = carom_context_work(job->context, CAROM_WORK_LIST_BITS);
    job->length = carom_context_work(job->context, CAROM_WORK_LIST_LENGTH);
    job->scratch = carom_context_work(job->context, CAROM_WORK_LIST_SCRATCH);
    return status;
}

carom_status carom_lists_search(carom_lists_job *job, bool *pays) {
    const carom_team *team = &job->context->team;
    carom_status status = reserve_words(job);
    if (status != CAROM_OK) {
        return status;
    }
    carom_team_run(team, measure, job);
    const uint64_t words = sum_words(job);
    carom_team_run(team, add_shares, job);
    *pays = does_pay(job, words);
    if (!*pays) {
        return CAROM_OK;
    }
    status = reserve_search(job, words);
    if (status == CAROM_OK) {
        atomic_store_explicit(&job->next_run, 0, memory_order_relaxed);
        carom_team_run(team, search_cells, job);
    }
    return status == CAROM_OK && carom_team_stopped(team) ? CAROM_ERROR_CANCELLED : status;
}
