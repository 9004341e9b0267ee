/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* One cell: the bodies it must compare, in the order of the sweep.
 *
 * In: the partition (records sorted by code) and the lists of oversized bodies. Out: the cell's entries, sorted into
 * bins of the sweep axis by one counting sort.
 *
 * Each body has a home: the cell that holds the low corner of its box. Two boxes that overlap need not have the same
 * home, so a cell compares three kinds of entries:
 *
 *   own bodies      those at home in the cell;
 *   borrowed ones   those at home in the cell before it (one step back on one, two or three axes) whose boxes reach
 *                   into this cell. The straddle bits in their codes say so, and records are sorted by code, so they
 *                   are at most 28 runs of records (spans), and none has to be copied or tested;
 *   visits          oversized bodies that reach the cell (oversized.h).
 *
 * Two bodies may then meet in several cells. Only one of these reports the pair: the one that is, on every axis, in the
 * column of the larger of the two low corners. To tell, an entry carries one `earlier` bit for each axis on which its
 * low corner lies in an earlier column. A pair that shares an `earlier` bit is skipped: another cell reports it. So the
 * test is one AND. */
#ifndef CAROM_BROAD_CELL_H
#define CAROM_BROAD_CELL_H

#include <stdint.h>

#include "kernel/broad/oversized.h"
#include "kernel/broad/plan.h"
#include "kernel/sys/memory.h"
#include "simd/dispatch.h"

/* Records [begin, end), begin < end, which all have the same `earlier` bits (see carom_boxes). */
typedef struct carom_span {
    uint32_t begin;
    uint32_t end;
    uint32_t earlier;
} carom_span;

/* One span of its own bodies, and from 7 neighbours at most 4 buckets each. */
enum { CAROM_CELL_SPANS_MAX = 29 };

/* The entries of one cell: those of its spans in order, then its visits. */
typedef struct carom_cell {
    /* The lists of all cells. NULL or empty if no body is oversized. */
    const carom_oversized *oversized;

    /* The cell's visits are oversized->visit[visit_begin] to [visit_end - 1]. */
    uint32_t visit_begin;
    uint32_t visit_end;

    /* More `earlier` bits for every visit: CAROM_OVERSIZED_MARK in a plan of levels, which finds the pairs of two
     * oversized bodies elsewhere, else 0. */
    uint32_t visit_mark;

    /* Spans used, 0 to CAROM_CELL_SPANS_MAX. None is empty, and no two share a record. */
    uint32_t span_count;

    /* Entries: records in all spans, and visits. */
    uint32_t count;

    carom_span span[CAROM_CELL_SPANS_MAX];
} carom_cell;

/* Workspace of one worker, large enough for the largest cell. Arrays begin on a cache line and have CAROM_SIMD_PAD
 * elements more than there are entries. */
typedef struct carom_cell_workspace {
    float *low;        /* an entry's low corner on the sweep axis, entries in the order of carom_cell */
    uint32_t *key;     /* an entry's bin, in the same order */
    uint32_t *bin_end; /* the first entry after each bin, entries in the order of the sweep */
    carom_boxes boxes; /* boxes in the order of the sweep */
    uint32_t *hit_i;   /* pairs that the sweep has found: slots of both; CAROM_HITS_MAX */
    uint32_t *hit_k;
} carom_cell_workspace;

/* Pairs that the sweep finds before they are decided: few enough to stay in the first-level cache. */
enum { CAROM_HITS_MAX = 2048 };

/* `earlier` bits of one cell: one for each axis, and above them the one that all visits share in a plan of levels. */
enum { CAROM_CELL_BITS = 4, CAROM_OVERSIZED_MARK = 8 };

/* Lists the entries of cell `number`. start[code] .. start[code + 1] - 1 are the records of a code. */
void carom_cell_spans(const carom_plan *plan, const uint32_t *start, const carom_oversized *oversized, uint32_t number,
                      carom_cell *cell);

/* What is wrong with a cell whose records are those of `start`; NULL if nothing is. */
const char *carom_cell_validate(const carom_plan *plan, const uint32_t *start, const carom_cell *cell);

/* Bytes of a workspace for cells of up to `count` entries. */
uint64_t carom_cell_workspace_bytes(uint64_t count);

/* Lays out the arrays in such a block, which begins on a cache line. They are staggered: no two begin at the same place
 * of a 4 KiB page, where they would evict one another from the first-level cache. */
void carom_cell_workspace_lay_out(void *block, uint64_t count, carom_cell_workspace *workspace);

/* Writes the visiting bodies' low corners to low[0] and on. Folds those that lie in the cell's own column into range.
 */
void carom_cell_oversized_lows(const carom_plan *plan, const carom_cell *cell, float *low, float range[2]);

/* Sorts the cell's entries into bins by one counting sort and returns the map to bins. In: workspace->low and its range
 * (least, greatest). Out: boxes.count, boxes.slot, boxes.earlier, padded with zeros, and workspace->bin_end. Entries of
 * one bin keep their order. */
carom_bins carom_cell_sort(const carom_plan *plan, const carom_simd *simd, const carom_cell *cell, const float range[2],
                           carom_cell_workspace *workspace);

/* Moves the entries that lead before all others; the order within both stays. Then a sweep of the leading ones alone
 * finds their pairs with one another and with all others. In: the boxes, and in workspace->key[n] how many of the
 * entries before n do not lead, for n = 0 to count. Returns how many entries lead. Overwrites workspace->low. */
uint32_t carom_cell_lead(carom_cell_workspace *workspace);

/* What is wrong with a workspace after the sort into so many bins; NULL if nothing is. */
const char *carom_cell_workspace_validate(const carom_cell *cell, uint32_t bins, const carom_cell_workspace *workspace);

#endif
