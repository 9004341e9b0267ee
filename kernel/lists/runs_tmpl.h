/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The candidates of a cell: the bodies of the cells around it, in runs of slots, since the cells of a row follow one
 * another. Along an axis that repeats a cell at a face has neighbours across it. The last cell is cut off where the
 * axis repeats, so both that one and the one before it are within reach of the first. */
#ifndef CAROM_LISTS_RUNS_TMPL_H
#define CAROM_LISTS_RUNS_TMPL_H

#include "kernel/lists/job_tmpl.h"

#define carom_lists_gather_nothing CAROM_REAL(carom_lists_gather_nothing)

/* No array is wanted. The runs are left as they are: there are many, and most stay unused. */
static inline void carom_lists_gather_nothing(carom_gather_in *gather) {
    for (int a = 0; a < 3; a++) {
        gather->step[a] = NULL;
    }
    for (int v = 0; v < CAROM_GATHER_VALUES; v++) {
        gather->value[v] = NULL;
    }
    gather->key = NULL;
    gather->moved = false;
}

#define carom_lists_runs_across CAROM_REAL(carom_lists_runs_across)

/* The runs of a cell that has candidates across a face, as carom_lists_runs_of sets them. */
uint64_t carom_lists_runs_across(const carom_lists_job *job, const uint64_t place[3], carom_gather_in *gather,
                                 uint64_t *first);

#define carom_lists_runs_on CAROM_REAL(carom_lists_runs_on)

/* Sets the runs of slots that hold a cell's candidates, if pairs are wanted once: of two cells beside each other only
 * the first one has the other's bodies as candidates. The cell's own come first. Returns how many candidates there are.
 */
static inline uint64_t carom_lists_runs_on(const carom_lists_job *job, uint64_t cell, carom_gather_in *gather) {
    const uint64_t row = job->grid.cells[2];
    const uint64_t across = job->grid.cells[1] * row;
    const uint64_t middle[] = {cell + row, cell + across - row, cell + across, cell + across + row};
    gather->begin[0] = job->slots.start[cell];
    gather->end[0] = job->slots.start[cell + 2];
    gather->runs = 5;
    uint64_t count = gather->end[0] - gather->begin[0];
    for (uint32_t r = 1; r < gather->runs; r++) {
        gather->begin[r] = job->slots.start[middle[r - 1] - 1];
        gather->end[r] = job->slots.start[middle[r - 1] + 2];
        count += gather->end[r] - gather->begin[r];
    }
    return count;
}

#define carom_lists_is_at_face CAROM_REAL(carom_lists_is_at_face)

/* Whether some candidates of a cell are across a face of the box. Sets its place along each axis if it may have such.
 */
static inline bool carom_lists_is_at_face(const carom_lists_job *job, uint64_t cell, uint64_t place[3]) {
    const carom_lists_grid *grid = &job->grid;
    if ((grid->around[0] | grid->around[1] | grid->around[2]) == 0) {
        return false;
    }
    bool at_face = false;
    carom_lists_grid_place(grid, cell, place);
    for (int a = 0; a < 3; a++) {
        at_face = at_face || (grid->around[a] > 0 && (place[a] == 1 || place[a] + 1 >= grid->around[a]));
    }
    return at_face;
}

#define carom_lists_runs_of CAROM_REAL(carom_lists_runs_of)

/* The same where both bodies of a pair have rows: three cells along z each. *first: which of the candidates is the
 * cell's first body. The cell is in no empty layer. */
static inline uint64_t carom_lists_runs_of(const carom_lists_job *job, uint64_t cell, carom_gather_in *gather,
                                           uint64_t *first) {
    gather->moved = false;
    if (job->once) {
        *first = 0;
        return carom_lists_runs_on(job, cell, gather);
    }
    uint64_t place[3];
    if (carom_lists_is_at_face(job, cell, place)) {
        return carom_lists_runs_across(job, place, gather, first);
    }
    const uint64_t across = job->grid.cells[1] * job->grid.cells[2];
    uint64_t count = 0;
    uint32_t r = 0;
    for (uint64_t x = cell - across; x <= cell + across; x += across) {
        for (uint64_t y = x - job->grid.cells[2]; y <= x + job->grid.cells[2]; y += job->grid.cells[2]) {
            gather->begin[r] = job->slots.start[y - 1];
            gather->end[r] = job->slots.start[y + 2];
            *first = y == cell ? count + job->slots.start[cell] - gather->begin[r] : *first;
            count += gather->end[r] - gather->begin[r];
            r++;
        }
    }
    gather->runs = r;
    return count;
}

#define carom_lists_gather_keys CAROM_REAL(carom_lists_gather_keys)

/* The keys of a cell's candidates; returns how many there are. *first: which of them is the cell's first body. */
static inline uint64_t carom_lists_gather_keys(const carom_lists_job *job, uint64_t cell,
                                               const carom_lists_candidates *candidates, uint64_t *first) {
    carom_gather_in gather;
    carom_lists_gather_nothing(&gather);
    gather.key = job->slots.key;
    const uint64_t count = carom_lists_runs_of(job, cell, &gather, first);
    job->context->simd->cell_gather(&gather, candidates->at, candidates->value, candidates->key);
    return count;
}

#endif
