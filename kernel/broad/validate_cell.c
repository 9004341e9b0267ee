/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: one cell, before or after its entries are sorted. Out: NULL, or what is wrong with it. */
#include "kernel/broad/cell.h"

/* A cell has at most 29 spans, so comparing each with all others is cheap. */
static const char *check_span(const carom_plan *plan, uint32_t records, const carom_cell *cell, uint32_t s) {
    const carom_span *span = &cell->span[s];
    if (span->begin >= span->end || span->end > records) {
        return "a span is empty or ends behind the records";
    }
    if (span->earlier >> plan->bits != 0) {
        return "a span has an `earlier` bit of an axis that is not split";
    }
    for (uint32_t other = 0; other < s; other++) {
        if (cell->span[other].begin < span->end && span->begin < cell->span[other].end) {
            return "two spans share a record";
        }
    }
    return NULL;
}

const char *carom_cell_validate(const carom_plan *plan, const uint32_t *start, const carom_cell *cell) {
    uint64_t count = (uint64_t)cell->visit_end - cell->visit_begin;
    if (cell->span_count > CAROM_CELL_SPANS_MAX) {
        return "the cell has more spans than there are buckets around it";
    }
    for (uint32_t s = 0; s < cell->span_count; s++) {
        const char *reason = check_span(plan, start[plan->code_count], cell, s);
        if (reason != NULL) {
            return reason;
        }
        count += cell->span[s].end - cell->span[s].begin;
    }
    if (cell->visit_begin > cell->visit_end ||
        (cell->visit_end > 0 && cell->visit_end > cell->oversized->start[plan->cell_count])) {
        return "the cell's visits are not within the lists";
    }
    return cell->count != count ? "the cell's count is not the sum of its spans and visits" : NULL;
}

static bool is_aligned(const void *array) {
    return (uintptr_t)array % CAROM_CACHE_LINE == 0;
}

/* Kernels load whole vectors from the beginning of each array. */
static const char *check_arrays(const carom_cell_workspace *workspace) {
    const carom_boxes *boxes = &workspace->boxes;
    bool aligned = is_aligned(workspace->low) && is_aligned(workspace->key) && is_aligned(workspace->bin_end) &&
                   is_aligned(workspace->hit_i) && is_aligned(workspace->hit_k) && is_aligned(boxes->slot) &&
                   is_aligned(boxes->earlier) && is_aligned(boxes->end);
    for (int a = 0; a < 3; a++) {
        aligned = aligned && is_aligned(boxes->lo[a]) && is_aligned(boxes->hi[a]);
    }
    return aligned ? NULL : "an array of the workspace does not begin on a cache line";
}

const char *carom_cell_workspace_validate(const carom_cell *cell, uint32_t bins,
                                          const carom_cell_workspace *workspace) {
    const carom_boxes *boxes = &workspace->boxes;
    uint64_t before = 0;
    if (boxes->count != cell->count) {
        return "there are not as many boxes as entries of the cell";
    }
    for (uint32_t n = boxes->count; n < boxes->count + CAROM_SIMD_PAD; n++) {
        if (boxes->slot[n] != 0 || boxes->earlier[n] != 0) {
            return "the padding behind the boxes is not zero";
        }
    }
    for (uint32_t b = 0; b < bins; b++) {
        if (workspace->bin_end[b] < before) {
            return "a bin ends before it begins";
        }
        before = workspace->bin_end[b];
    }
    return before != boxes->count ? "the last bin does not end at the last entry" : check_arrays(workspace);
}
