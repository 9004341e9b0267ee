/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* One cell of the partition: which records it must look at, and their order along the sweep axis.
 *
 * A cell owns the bodies whose low corner it holds, and borrows from the cells before it (one step back on one, two
 * or three axes) those that reach into it. Codes within a cell are its straddle bits, so what is borrowed is a
 * few whole buckets; nothing is copied. Bodies too wide for the cells are its guests. A pair is reported by the cell
 * that holds the larger of its two low corners on every axis, which is exactly one. */
#ifndef CAROM_BROAD_CELL_H
#define CAROM_BROAD_CELL_H

#include <stdint.h>

#include "kernel/broad/oversized.h"
#include "kernel/broad/plan.h"
#include "kernel/sys/memory.h"
#include "simd/dispatch.h"

/* Consecutive records with the same `earlier` bits (see carom_boxes). */
typedef struct carom_span {
    uint32_t begin;
    uint32_t end;
    uint32_t earlier;
} carom_span;

/* One's own bodies, and 7 neighbours with at most 4 buckets each. */
enum { CAROM_CELL_SPANS_MAX = 29 };

typedef struct carom_cell {
    const carom_oversized *oversized;
    uint32_t visit_begin; /* of the cell's list */
    uint32_t visit_end;
    uint32_t visit_mark; /* more `earlier` bits of every guest: one they share, if pairs of them are found elsewhere */
    uint32_t span_count;
    uint32_t count; /* records in all spans, and guests */
    carom_span span[CAROM_CELL_SPANS_MAX];
} carom_cell;

/* Work space of one worker for the largest cell. */
typedef struct carom_cell_workspace {
    float *low;
    uint32_t *key;
    uint32_t *bin_end;
    carom_boxes boxes;
    uint32_t *hit_i;
    uint32_t *hit_k;
} carom_cell_workspace;

/* Pairs found between two visits to the narrow phase: small enough that they stay in L1. */
enum { CAROM_HITS_MAX = 2048 };

/* The `earlier` bit that guests share in a plan of levels: above those of the three axes. */
enum { CAROM_CELL_BITS = 4, CAROM_OVERSIZED_MARK = 8 };

/* The entries of a cell; start[code] .. start[code + 1] - 1 are the records of a code. Empty spans are left out. */
void carom_cell_spans(const carom_plan *plan, const uint32_t *start, const carom_oversized *oversized, uint32_t number,
                      carom_cell *cell);

/* Bytes of a space for cells of up to `count` records, and its arrays laid out in such a block, staggered so that no
 * two begin at the same place in a 4 KiB page. */
uint64_t carom_cell_workspace_bytes(uint64_t count);
void carom_cell_workspace_lay_out(void *block, uint64_t count, carom_cell_workspace *workspace);

/* Writes the guests' low corners, after the spans', and folds those that lie in the cell into range. */
void carom_cell_oversized_lows(const carom_plan *plan, const carom_cell *cell, float *low, float range[2]);

/* Orders the cell by the bins of space->low (low corners, in span order, range their least and greatest) with
 * one counting sort: fills boxes.count, slot, missing and space->bin_end, and says what the bins are. Records of one
 * bin keep span order. */
carom_bins carom_cell_sort(const carom_plan *plan, const carom_simd *simd, const carom_cell *cell, const float range[2],
                           carom_cell_workspace *workspace);

#endif
