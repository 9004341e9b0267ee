/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Squares of distances are computed in floats, from steps of 24 bits, and what is close to a sum of radii is decided
 * again.
 *
 * The error bound of `cell_hits` for two bodies that may touch, in units of u W^2, where W = 2^23 steps is a cell's
 * width and u = 2^-24. From the middle of the cell the body is no farther than sqrt(3) / 2 W, the candidate no farther
 * than W more: the squares of these distances are at most 0.75 and 3.49 W^2.
 *
 *   places, each off by half a step, and an edge of the box between
 *   them, likewise: 3 sqrt(3) steps W and their square                 10.5
 *   both squares, each of three products and two sums                  12.8
 *   the body's less `square`, at most W^2, and the sum of both          5.3
 *   three products, each at most 1.5 W^2                                4.5
 *   their differences, after which 4, 2.5 and 1 W^2 are left            7.5
 *   radii, each rounded once, their sum, its square, the difference     6
 *                                                                     ----
 *                                                                     46.6
 *
 * MARGIN is 128. Bodies farther apart than W cannot be taken for hits: the sum of the terms is less than 256 in
 * whichever of the cells around the candidate is, and W is greater than the reach by 2^-13 (WIDER in grid.c), 4096 u
 * W^2 in squares.
 *
 * All pairs of which the square, as the kernel has it, is within MARGIN, among them all that it may have decided
 * wrongly, are decided by the kernel `touch`, exactly.
 *
 * Bodies that move are placed at the midpoints of their paths. If two midpoints are no farther apart than the sum of
 * radii, the bodies touch at t = 1/2. If they are farther apart than the sum of outer radii, radius + |curr - prev| /
 * 2, they never touch. `moving_hits` takes a hit only at an excess of -MARGIN or less, and drops a pair only at an
 * outer excess of more than MARGIN, so both are certain. Outer radii are at most half the reach, so the table holds for
 * them. Of all other pairs it computes the least square of the distance between points p - w and p + w, where |p| and
 * |w| are at most W. In the same units:
 *
 *   places, as above                                                   10.5
 *   half ways, each rounded once, and their difference: 2 W |error|     4
 *   p.p, radii, and their difference                                   10
 *   p.w twice, or its square by w.w, and w.w                            9
 *   sums and products of these                                          7
 *                                                                     ----
 *                                                                     40.5
 *
 * If rounding takes the least distance for one at an end, or the reverse, the two differ by at most 36 u^2 W^2.
 *
 * The place of an image is off by at most 2^-7 step from where a detection has the pair (SIZE_MOST in place_tmpl.c):
 * less than 0.1 u W^2. */
#include "kernel/lists/search_tmpl.h"

#include <string.h>

#include "kernel/lists/close_tmpl.h"
#include "kernel/lists/cost.h"
#include "kernel/lists/filter_tmpl.h"
#include "kernel/lists/runs_tmpl.h"

/* Relative to the square of a cell's width. */
static const double MARGIN = 0x1p-17;
/* The share of 27 cells that a ball takes whose radius is a cell's width. */
static const double BALL = 0.1551;

static float margin(void) {
    return (float)(MARGIN * (double)CAROM_LISTS_STEPS * (double)CAROM_LISTS_STEPS);
}

/* Bodies of a periodic cell that have rows: images come last. */
static uint32_t count_rows(const carom_lists_job *job, uint64_t cell) {
    int32_t step[3];
    uint32_t end = job->slots.start[cell + 1];
    while (end > job->slots.start[cell] && carom_lists_key_step(job->images, job->slots.key[end - 1], step)) {
        end--;
    }
    return end - job->slots.start[cell];
}

/* Counts each cell's words of bits, and finds the largest cell. */
static void measure(void *data, uint32_t worker) {
    carom_lists_job *job = data;
    const carom_range range = carom_team_range(&job->context->team, worker, job->grid.count, CAROM_CACHE_LINE);
    uint64_t words = 0;
    uint64_t most = 0;
    uint64_t most_words = 0;
    for (uint64_t c = range.begin; c < range.end; c++) {
        carom_gather_in gather;
        uint64_t first = 0;
        if (job->found.rows != NULL) {
            job->found.rows[c] = count_rows(job, c);
        }
        const uint64_t rows = carom_lists_rows_of(job, c);
        job->found.word[c] = words;
        if (rows > 0) {
            const uint64_t count = carom_lists_runs_of(job, c, &gather, &first);
            const uint64_t own = rows * ((count + 15) / 16);
            words += own;
            most = count > most ? count : most;
            most_words = own > most_words ? own : most_words;
        }
    }
    carom_context_shares(job->context)[worker] = words;
    job->ranges[worker].most = most;
    job->ranges[worker].most_words = most_words;
}

static void add_shares(void *data, uint32_t worker) {
    carom_lists_job *job = data;
    const carom_range range = carom_team_range(&job->context->team, worker, job->grid.count, CAROM_CACHE_LINE);
    for (uint64_t c = range.begin; c < range.end; c++) {
        job->found.word[c] += carom_context_shares(job->context)[worker];
    }
}

/* What the workers have found, together; returns the words. */
static uint64_t sum_words(carom_lists_job *job) {
    const uint64_t words = carom_lists_sum_shares(job);
    job->found.most = 0;
    job->found.most_words = 0;
    for (uint32_t w = 0; w < job->context->team.workers; w++) {
        const carom_lists_range *range = &job->ranges[w];
        job->found.most = range->most > job->found.most ? range->most : job->found.most;
        job->found.most_words = range->most_words > job->found.most_words ? range->most_words : job->found.most_words;
    }
    job->found.word[job->grid.count] = words;
    return words;
}

/* Candidates that are far beyond the neighbours to be expected are those of great bodies among small ones, of sparse
 * bodies, or of places far more crowded than others. */
static bool does_pay(const carom_lists_job *job, uint64_t words) {
    const double candidates = 16.0 * (double)words / (double)job->bodies->count;
    const double reach = job->mean_reach;
    const double neighbours = candidates * (job->once ? 2.0 : 1.0) * BALL * reach * reach * reach;
    const carom_lists_task task = {job->moves, job->images != NULL, job->config->pairs};
    return carom_lists_pay(&task, candidates, neighbours, job->lists->reason);
}

/* Whether pairs are found from both bodies, and only one of them keeps it. */
static bool are_halved(const carom_lists_job *job) {
    return !job->once && (job->config->pairs || job->config->neighbours == CAROM_NEIGHBOURS_HALF);
}

/* Whether all cells need their candidates' keys. Else one gathers them if a body of it is open, which is rare. */
static bool are_keyed(const carom_lists_job *job) {
    return are_halved(job) || job->slots.filter.given != NULL;
}

/* Gathers a cell's candidates, relative to its centre; returns how many there are. */
static uint64_t gather(const carom_lists_job *job, uint64_t cell, const carom_lists_candidates *candidates,
                       uint64_t *first) {
    carom_gather_in in;
    uint64_t place[3];
    carom_lists_gather_nothing(&in);
    in.key = are_keyed(job) ? job->slots.key : NULL;
    const uint64_t count = carom_lists_runs_of(job, cell, &in, first);
    carom_lists_grid_place(&job->grid, cell, place);
    for (uint32_t v = 0; v < job->slots.values; v++) {
        in.value[v] = job->slots.value[v];
    }
    for (int a = 0; a < 3; a++) {
        in.step[a] = job->slots.step[a];
        in.centre[a] = (uint32_t)((place[a] - 1) * CAROM_LISTS_STEPS + CAROM_LISTS_STEPS / 2);
    }
    job->context->simd->cell_gather(&in, candidates->at, candidates->value, candidates->key);
    return count;
}

/* Takes away the bits of pairs that do not pass the filter. */
static void filter_rows(const carom_lists_job *job, const carom_hits_in *in, const carom_lists_candidates *candidates,
                        const carom_lists_hits *hits) {
    for (uint32_t n = 0; n < in->bodies; n++) {
        if (hits->length[n] > 0) {
            hits->length[n] =
                carom_lists_filter_row(job, candidates, in->first + n, in->count,
                                       hits->bits + (size_t)n * carom_hits_words(in->count), hits->length[n]);
        }
    }
}

static void decide_open(const carom_lists_job *job, uint64_t cell, const carom_hits_in *in,
                        const carom_lists_candidates *candidates, const carom_lists_hits *hits) {
    if (!are_keyed(job)) {
        uint64_t first = 0;
        (void)carom_lists_gather_keys(job, cell, candidates, &first);
    }
    for (uint32_t n = 0; n < in->bodies; n++) {
        if (candidates->open[n] != 0) {
            carom_lists_decide_open(job, in, candidates, n, hits);
        }
    }
}

static void search_cell(const carom_lists_job *job, uint64_t cell, uint64_t rows,
                        const carom_lists_candidates *candidates) {
    uint64_t first = 0;
    const uint64_t count = gather(job, cell, candidates, &first);
    const carom_hits_in in = {.at = {candidates->at[0], candidates->at[1], candidates->at[2]},
                              .square_of = candidates->at[3],
                              .radius = candidates->value[job->moves ? CAROM_LISTS_RADIUS : CAROM_LISTS_OUTER],
                              .outer = candidates->value[CAROM_LISTS_OUTER],
                              .way = {candidates->value[CAROM_LISTS_WAY], candidates->value[CAROM_LISTS_WAY + 1],
                                      candidates->value[CAROM_LISTS_WAY + 2]},
                              .id = are_halved(job) ? candidates->key : NULL,
                              .later = job->once,
                              .count = (uint32_t)count,
                              .first = (uint32_t)first,
                              .bodies = (uint32_t)rows,
                              .square = job->square,
                              .margin = margin()};
    const carom_lists_hits hits = {job->found.bits + job->found.word[cell], job->found.length + job->slots.start[cell]};
    const carom_simd *simd = job->context->simd;
    const bool open = job->moves ? simd->moving_hits(&in, hits.bits, candidates->close, hits.length, candidates->open)
                                 : simd->cell_hits(&in, hits.bits, candidates->close, hits.length, candidates->open);
    if (open) {
        decide_open(job, cell, &in, candidates, &hits);
    }
    if (job->slots.filter.given != NULL) {
        carom_lists_filter_gather(job, cell, candidates);
        filter_rows(job, &in, candidates, &hits);
    }
}

static void search_cells(void *data, uint32_t worker) {
    carom_lists_job *job = data;
    const carom_lists_candidates candidates = carom_lists_scratch(job, worker);
    carom_range range;
    /* Words that the kernels may read, but do not use. */
    memset(candidates.close, 0, (job->found.most_words + CAROM_SIMD_PAD) * sizeof *candidates.close);
    while (carom_claims_next(&job->claims, worker, &range)) {
        for (uint64_t c = range.begin; c < range.end; c++) {
            const uint64_t rows = carom_lists_rows_of(job, c);
            if (rows > 0) {
                search_cell(job, c, rows, &candidates);
            }
        }
    }
}

static carom_status reserve_words(carom_lists_job *job) {
    const uint64_t rows = job->images != NULL && job->images->count > 0 ? job->grid.count : 0;
    const carom_work_need need[] = {{CAROM_WORK_LIST_WORDS, (job->grid.count + 1) * sizeof(uint64_t)},
                                    {CAROM_WORK_LIST_ROWS, rows * sizeof(uint32_t)}};
    const carom_status status = carom_context_reserve(job->context, need, 2, &job->lists->required_bytes);
    job->found.word = carom_context_work(job->context, CAROM_WORK_LIST_WORDS);
    job->found.rows = rows > 0 ? carom_context_work(job->context, CAROM_WORK_LIST_ROWS) : NULL;
    return status;
}

static carom_status reserve_search(carom_lists_job *job, uint64_t words) {
    job->scratch_bytes = carom_lists_scratch_bytes(job);
    const carom_work_need need[] = {
        {CAROM_WORK_LIST_BITS, (words + CAROM_SIMD_PAD) * sizeof(uint16_t)},
        {CAROM_WORK_LIST_LENGTH, job->count * sizeof(uint32_t)},
        {CAROM_WORK_LIST_SCRATCH, job->context->team.workers * job->scratch_bytes},
        {CAROM_WORK_LIST_CLAIMS, job->context->team.workers * sizeof(carom_claim_counter)},
    };
    const carom_status status = carom_context_reserve(job->context, need, 4, &job->lists->required_bytes);
    job->found.bits = carom_context_work(job->context, CAROM_WORK_LIST_BITS);
    job->found.length = carom_context_work(job->context, CAROM_WORK_LIST_LENGTH);
    job->scratch = carom_context_work(job->context, CAROM_WORK_LIST_SCRATCH);
    job->claims.counter = carom_context_work(job->context, CAROM_WORK_LIST_CLAIMS);
    if (status == CAROM_OK) { /* words that pack_hits may read, but does not use */
        memset(job->found.bits + words, 0, CAROM_SIMD_PAD * sizeof *job->found.bits);
    }
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
    if (*pays) {
        status = carom_lists_filter_start(job, pays);
    }
    if (status != CAROM_OK || !*pays) {
        return status;
    }
    status = reserve_search(job, words);
    if (status == CAROM_OK) {
        carom_lists_start_claims(job);
        carom_team_run(team, search_cells, job);
    }
    return status == CAROM_OK && carom_team_stopped(team) ? CAROM_ERROR_CANCELLED : status;
}
