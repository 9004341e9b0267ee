/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A cell's entries are whole buckets of the partition, so listing them costs a few look-ups, however many they are. The
 * sort moves only an entry's slot and `earlier` bits; the kernel cell_boxes then makes the boxes from the records. */
#include "kernel/broad/cell.h"

#include <string.h>

#include "kernel/check/assert.h"

/* Bins of the counting sort: about two a record, so that few records share one. */
enum { BINS_LEAST = 64, BINS_MOST = 1 << 20 };

/* Appends records [begin, end). Buckets that follow one another with the same bits become one span. */
static void add_span(carom_cell *cell, uint32_t begin, uint32_t end, uint32_t earlier) {
    if (begin == end) {
        return;
    }
    cell->count += end - begin;
    carom_span *last = &cell->span[cell->span_count - (cell->span_count > 0)];
    if (cell->span_count > 0 && last->end == begin && last->earlier == earlier) {
        last->end = end;
        return;
    }
    CAROM_ASSERT(cell->span_count < CAROM_CELL_SPANS_MAX);
    cell->span[cell->span_count++] = (carom_span){begin, end, earlier};
}

/* The cell one step back on the axes of `back` (straddle bits). False if it would lie outside the grid. */
static bool neighbour(const carom_plan *plan, uint32_t cell, uint32_t back, uint32_t *found) {
    for (uint32_t a = 0; a < 3; a++) {
        if ((back & plan->bit[a]) == 0) {
            continue;
        }
        if (cell / plan->stride[a] % plan->grid.columns[a] == 0) {
            return false;
        }
        *found -= plan->stride[a];
    }
    return true;
}

/* In a plan of levels two oversized bodies are compared elsewhere: a common bit keeps them apart in every cell. */
static void add_oversized(const carom_plan *plan, const carom_oversized *oversized, uint32_t number, carom_cell *cell) {
    bool some = oversized != NULL && oversized->count > 0;
    cell->oversized = oversized;
    cell->visit_begin = some ? oversized->start[number] : 0;
    cell->visit_end = some ? oversized->start[number + 1] : 0;
    cell->visit_mark = plan->method == CAROM_METHOD_LEVELS ? CAROM_OVERSIZED_MARK : 0;
    cell->count += cell->visit_end - cell->visit_begin;
}

void carom_cell_spans(const carom_plan *plan, const uint32_t *start, const carom_oversized *oversized, uint32_t number,
                      carom_cell *cell) {
    CAROM_ASSERT(number < plan->cell_count);
    uint32_t codes = UINT32_C(1) << plan->bits;
    cell->span_count = 0;
    cell->count = 0;
    add_span(cell, start[(uint64_t)number * codes], start[(uint64_t)(number + 1) * codes], 0);
    for (uint32_t back = 1; back < codes; back++) {
        uint32_t from = number;
        if (!neighbour(plan, number, back, &from)) {
            continue;
        }
        /* Only bodies that straddle all borders between that cell and this one reach it. */
        for (uint32_t straddle = 0; straddle < codes; straddle++) {
            if ((straddle & back) == back) {
                const uint32_t *bucket = start + (uint64_t)from * codes + straddle;
                add_span(cell, bucket[0], bucket[1], back);
            }
        }
    }
    add_oversized(plan, oversized, number, cell);
    CAROM_VALIDATE(carom_cell_validate(plan, start, cell));
}

void carom_cell_oversized_lows(const carom_plan *plan, const carom_cell *cell, float *low, float range[2]) {
    for (uint32_t n = cell->visit_begin; n < cell->visit_end; n++) {
        uint32_t visit = cell->oversized->visit[n];
        CAROM_ASSERT((visit & CAROM_VISIT_NUMBER) < cell->oversized->count);
        float at = cell->oversized->low[visit & CAROM_VISIT_NUMBER];
        bool before = (visit >> CAROM_VISIT_SHIFT & plan->bit[plan->sweep_axis]) != 0;
        range[0] = at < range[0] && !before ? at : range[0];
        range[1] = at > range[1] && !before ? at : range[1];
        *low++ = at;
    }
}

static uint32_t bin_count(uint64_t records) {
    uint32_t bins = BINS_LEAST;
    while (bins < records && bins < BINS_MOST) {
        bins *= 2;
    }
    return bins;
}

/* Bytes that an array takes: whole pages and five cache lines, so that the next array begins at another place in its
 * page. Arrays that all begin at the same place share the same sets of the first-level cache. */
static uint64_t staggered(uint64_t elements) {
    uint64_t pages = (elements * sizeof(uint32_t) + 4095) / 4096;
    return pages * 4096 + UINT64_C(5) * CAROM_CACHE_LINE;
}

uint64_t carom_cell_workspace_bytes(uint64_t count) {
    /* Six sides, low, key, slot, earlier, end; then bin_end, hit_i, hit_k. */
    return 11 * staggered(count + CAROM_SIMD_PAD) + staggered(bin_count(count)) + 2 * staggered(CAROM_HITS_MAX);
}

/* The next array of the block. */
static void *take(char **at, uint64_t elements) {
    void *array = *at;
    *at += staggered(elements);
    return array;
}

void carom_cell_workspace_lay_out(void *block, uint64_t count, carom_cell_workspace *workspace) {
    CAROM_ASSERT_ALIGNED(block, CAROM_CACHE_LINE);
    char *at = block;
    uint64_t padded = count + CAROM_SIMD_PAD;
    workspace->low = take(&at, padded);
    workspace->key = take(&at, padded);
    for (int a = 0; a < 3; a++) {
        workspace->boxes.lo[a] = take(&at, padded);
        workspace->boxes.hi[a] = take(&at, padded);
    }
    workspace->boxes.slot = take(&at, padded);
    workspace->boxes.earlier = take(&at, padded);
    workspace->boxes.end = take(&at, padded);
    workspace->bin_end = take(&at, bin_count(count));
    workspace->hit_i = take(&at, CAROM_HITS_MAX);
    workspace->hit_k = take(&at, CAROM_HITS_MAX);
    CAROM_ASSERT((uint64_t)(at - (char *)block) <= carom_cell_workspace_bytes(count));
}

/* Bins cover the cell's low corners, but no more than the sampled range: otherwise one outlier in a border cell would
 * leave all others in one bin. What lies beyond the range is in the end bins. */
static carom_bins make_bins(const carom_plan *plan, const float range[2], uint32_t count) {
    float lo = range[0] > plan->sweep_lo ? range[0] : plan->sweep_lo;
    float hi = range[1] < plan->sweep_hi ? range[1] : plan->sweep_hi;
    uint32_t bins = bin_count(count);
    float scale = (float)bins / (hi - lo);
    bool usable = hi > lo && scale > 0.0F && scale <= 1e30F;
    return (carom_bins){plan->sweep_axis, lo, usable ? scale : 0.0F, (float)(bins - 1)};
}

/* Counts to starts: bin b begins at what was the sum of the counts before it. */
static void exclusive_sum(uint32_t *count, uint32_t bins) {
    uint32_t sum = 0;
    for (uint32_t b = 0; b < bins; b++) {
        uint32_t own = count[b];
        count[b] = sum;
        sum += own;
    }
}

carom_bins carom_cell_sort(const carom_plan *plan, const carom_simd *simd, const carom_cell *cell, const float range[2],
                           carom_cell_workspace *workspace) {
    carom_bins bins = make_bins(plan, range, cell->count);
    uint32_t bin_total = (uint32_t)bins.last + 1;
    uint32_t *cursor = workspace->bin_end;
    simd->bin_keys(workspace->low, cell->count, &bins, workspace->key);
    memset(cursor, 0, bin_total * sizeof *cursor);
    for (uint32_t n = 0; n < cell->count; n++) {
        CAROM_ASSERT(workspace->key[n] < bin_total);
        cursor[workspace->key[n]]++;
    }
    exclusive_sum(cursor, bin_total);
    /* Keys are in the order of the entries: spans, then visits. */
    const uint32_t *key = workspace->key;
    for (uint32_t s = 0; s < cell->span_count; s++) {
        carom_span span = cell->span[s];
        for (uint32_t slot = span.begin; slot < span.end; slot++) {
            uint32_t to = cursor[*key++]++;
            workspace->boxes.slot[to] = slot;
            workspace->boxes.earlier[to] = span.earlier;
        }
    }
    for (uint32_t n = cell->visit_begin; n < cell->visit_end; n++) {
        uint32_t visit = cell->oversized->visit[n];
        uint32_t to = cursor[*key++]++;
        workspace->boxes.slot[to] = cell->oversized->first + (visit & CAROM_VISIT_NUMBER);
        workspace->boxes.earlier[to] = visit >> CAROM_VISIT_SHIFT | cell->visit_mark;
    }
    /* Kernels read whole vectors: slot 0 is a record, what was here before may be none. */
    memset(workspace->boxes.earlier + cell->count, 0, CAROM_SIMD_PAD * sizeof(uint32_t));
    memset(workspace->boxes.slot + cell->count, 0, CAROM_SIMD_PAD * sizeof(uint32_t));
    workspace->boxes.count = cell->count;
    CAROM_VALIDATE(carom_cell_workspace_validate(cell, bin_total, workspace));
    return bins;
}
