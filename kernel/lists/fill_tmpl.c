/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Lengths are summed in the order of bodies; then each cell writes the rows of its bodies, which are asked for some
 * cells before. */
#include "kernel/lists/fill_tmpl.h"

#include "kernel/check/assert.h"
#include "kernel/lists/runs_tmpl.h"

/* Bodies whose lengths are asked for ahead. */
enum { AHEAD = 32 };

static void sum_lengths(void *data, uint32_t worker) {
    const carom_lists_job *job = data;
    const carom_range range = carom_team_range(&job->context->team, worker, job->bodies->count, CAROM_CACHE_LINE);
    uint64_t sum = 0;
    for (uint64_t n = range.begin; n < range.end; n++) {
        if (n + AHEAD < range.end) {
            __builtin_prefetch(&job->found.length[job->slots.slot_of[n + AHEAD]]);
        }
        job->result.offset[n] = sum;
        sum += job->found.length[job->slots.slot_of[n]];
    }
    carom_context_shares(job->context)[worker] = sum;
}

static void add_shares(void *data, uint32_t worker) {
    const carom_lists_job *job = data;
    const carom_range range = carom_team_range(&job->context->team, worker, job->bodies->count, CAROM_CACHE_LINE);
    const uint64_t share = carom_context_shares(job->context)[worker];
    for (uint64_t n = range.begin; n < range.end && share > 0; n++) {
        job->result.offset[n] += share;
    }
}

static void sum_offsets(carom_lists_job *job) {
    const carom_team *team = &job->context->team;
    carom_team_run(team, sum_lengths, job);
    job->result.offset[job->bodies->count] = carom_lists_sum_shares(job);
    carom_team_run(team, add_shares, job);
}

/* Moves the greatest of the entries below `end` that are at `root` or under it to their top. */
static void sift(uint32_t *entry, uint64_t root, uint64_t end) {
    const uint32_t moved = entry[root];
    for (uint64_t child; (child = 2 * root + 1) < end; root = child) {
        child += child + 1 < end && entry[child + 1] > entry[child];
        if (entry[child] <= moved) {
            break;
        }
        entry[root] = entry[child];
    }
    entry[root] = moved;
}

/* Heap sort (Williams 1964): no memory, and never slow. */
static void sort_long_row(uint32_t *entry, uint64_t count) {
    for (uint64_t n = count / 2; n > 0; n--) {
        sift(entry, n - 1, count);
    }
    for (uint64_t end = count; end > 1; end--) {
        const uint32_t greatest = entry[0];
        entry[0] = entry[end - 1];
        entry[end - 1] = greatest;
        sift(entry, 0, end - 1);
    }
}

static void flush(const carom_lists_job *job, carom_lists_rows *batch) {
    if (batch->rows > 0) {
        job->context->simd->sort_rows(batch->packed, batch->length, batch->rows, batch->row);
        batch->rows = 0;
    }
}

/* A row that the kernels do not take. */
static void write_long_row(const uint32_t *id, const uint16_t *bits, uint32_t count, uint32_t *row) {
    uint64_t length = 0;
    for (uint32_t w = 0; w < carom_hits_words(count); w++) {
        for (uint32_t left = bits[w]; left != 0; left &= left - 1) {
            row[length++] = id[16 * w + (uint32_t)__builtin_ctz(left)];
        }
    }
    sort_long_row(row, length);
}

/* Adds a row of `length` entries. */
static void add_row(const carom_lists_job *job, uint32_t length, const uint32_t *id, const uint16_t *bits,
                    uint32_t count, uint32_t *row, carom_lists_rows *batches) {
    if (length > CAROM_HIT_ROW_MOST) {
        write_long_row(id, bits, count, row);
        return;
    }
    if (length == 0) {
        return;
    }
    carom_lists_rows *batch = &batches[(length - 1) / CAROM_LISTS_UNIT];
    job->context->simd->pack_hits(id, bits, count, batch->packed + batch->rows * CAROM_HIT_ROW_ROOM);
    batch->length[batch->rows] = length;
    batch->row[batch->rows] = row;
    batch->rows++;
    if (batch->rows == CAROM_HIT_ROWS) {
        flush(job, batch);
    }
}

/* A processor waits for the address of a page when it is asked for a line of it, but finds those of several pages side
 * by side. So the first lines of TOGETHER rows are asked for together, up to twice as many slots ahead; where rows
 * begin, OFFSETS_AHEAD slots before that; and the other lines of a row ROWS_AHEAD slots ahead. */
enum { TOGETHER = 16, ROWS_AHEAD = 16, OFFSETS_AHEAD = 32, ROWS_KNOWN = 64 };

static inline uint64_t lesser(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* What a worker fills rows with. */
typedef struct filling {
    const carom_lists_job *job;
    carom_lists_candidates candidates;
    carom_lists_rows *batches;
    uint64_t asked;            /* the slot after the last one whose row has been asked for */
    uint32_t *row[ROWS_KNOWN]; /* of those: the row of slot s at s modulo ROWS_KNOWN */
} filling;

static void ask_pages(filling *f, uint64_t slot) {
    const carom_lists_job *job = f->job;
    const uint64_t begin = f->asked > slot ? f->asked : slot;
    f->asked = begin + TOGETHER;
    for (uint64_t s = begin + OFFSETS_AHEAD; s < lesser(f->asked + OFFSETS_AHEAD, job->count); s++) {
        __builtin_prefetch(&job->result.offset[carom_lists_owner(job, job->slots.key[s])]);
    }
    for (uint64_t s = begin; s < lesser(f->asked, job->count); s++) {
        uint32_t *row = job->result.row + job->result.offset[carom_lists_owner(job, job->slots.key[s])];
        f->row[s % ROWS_KNOWN] = row;
        __builtin_prefetch(row, 1);
    }
}

static inline __attribute__((always_inline)) void fetch_ahead(filling *f, uint64_t slot) {
    if (slot + TOGETHER >= f->asked) {
        ask_pages(f, slot);
    }
    if (slot + ROWS_AHEAD < f->asked) { /* beyond the last slot are rows of others, or of none */
        const uint32_t *row = f->row[(slot + ROWS_AHEAD) % ROWS_KNOWN];
        __builtin_prefetch(row + CAROM_CACHE_LINE / sizeof *row, 1);
        __builtin_prefetch(row + 2 * CAROM_CACHE_LINE / sizeof *row, 1);
    }
}

static void fill_cell(filling *f, uint64_t cell, uint64_t rows) {
    const carom_lists_job *job = f->job;
    uint64_t first = 0;
    const uint64_t count = carom_lists_gather_keys(job, cell, &f->candidates, &first);
    const uint64_t words = carom_hits_words((uint32_t)count);
    const uint16_t *bits = job->found.bits + job->found.word[cell];
    for (uint64_t slot = job->slots.start[cell], end = slot + rows; slot < end; slot++, bits += words) {
        fetch_ahead(f, slot);
        add_row(job, job->found.length[slot], f->candidates.key, bits, (uint32_t)count, f->row[slot % ROWS_KNOWN],
                f->batches);
    }
}

static void fill_cells(void *data, uint32_t worker) {
    carom_lists_job *job = data;
    filling f = {job, carom_lists_scratch(job, worker), carom_lists_batches(job, worker), 0, {NULL}};
    carom_range range;
    for (uint32_t n = 0; n < CAROM_LISTS_BATCHES; n++) {
        f.batches[n].rows = 0;
    }
    while (carom_claims_next(&job->claims, worker, &range)) {
        f.asked = job->slots.start[range.begin];
        for (uint64_t c = range.begin; c < range.end; c++) {
            const uint64_t rows = carom_lists_rows_of(job, c);
            if (rows > 0) {
                fill_cell(&f, c, rows);
            }
        }
    }
    for (uint32_t n = 0; n < CAROM_LISTS_BATCHES; n++) {
        flush(job, &f.batches[n]);
    }
}

static carom_status reserve_offsets(carom_lists_job *job) {
    const carom_work_need need = {CAROM_WORK_NEIGHBOUR_OFFSET, (job->bodies->count + 1) * sizeof(uint64_t)};
    const carom_status status = carom_context_reserve(job->context, &need, 1, &job->lists->required_bytes);
    job->result.offset = carom_context_work(job->context, CAROM_WORK_NEIGHBOUR_OFFSET);
    return status;
}

static carom_status reserve_rows(carom_lists_job *job) {
    const uint64_t bytes = carom_size_multiply(job->result.offset[job->bodies->count], sizeof(uint32_t));
    const carom_work_need need = {CAROM_WORK_NEIGHBOUR_BODY, bytes};
    const carom_status status = carom_context_reserve(job->context, &need, 1, &job->lists->required_bytes);
    job->result.row = carom_context_work(job->context, CAROM_WORK_NEIGHBOUR_BODY);
    return status;
}

carom_status carom_lists_fill(carom_lists_job *job) {
    carom_status status = reserve_offsets(job);
    if (status != CAROM_OK) {
        return status;
    }
    sum_offsets(job);
    if (!job->config->count_only && job->result.offset[job->bodies->count] > 0) {
        status = reserve_rows(job);
        if (status != CAROM_OK) {
            return status;
        }
        carom_lists_start_claims(job);
        carom_team_run(&job->context->team, fill_cells, job);
    }
    return carom_team_stopped(&job->context->team) ? CAROM_ERROR_CANCELLED : CAROM_OK;
}
