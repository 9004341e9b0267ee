/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a block of pairs. Out: their brackets. Closed forms are computed at once; the others are put in the order of
 * their kinds, each run of which is one call of the kernel. */
#include "kernel/narrow/many.h"

#include <string.h>

#include "simd/dispatch.h"

enum { KINDS = CAROM_SHAPE_COMPOUND, RUNS = KINDS * KINDS };

static uint32_t run_of(const carom_many *many, uint32_t n) {
    return (uint32_t)many->i[n].shape->kind * KINDS + (uint32_t)many->k[n].shape->kind;
}

/* Counting sort of the pairs that are searched for: run r is [first[r], first[r + 1]). Answers the others. */
static void sort(carom_many *many, const carom_gap_task *task, uint32_t first[RUNS + 1]) {
    uint32_t run[CAROM_MANY_PAIRS];
    memset(first, 0, (RUNS + 1) * sizeof *first);
    for (uint32_t n = 0; n < many->count; n++) {
        run[n] = RUNS;
        if (carom_gap_is_searched(many->i[n].shape->kind, many->k[n].shape->kind)) {
            run[n] = run_of(many, n);
            first[run[n] + 1]++;
        } else {
            carom_gap_find(&many->i[n], &many->k[n], task, &many->gap[n]);
        }
    }
    for (uint32_t r = 0; r < RUNS; r++) {
        first[r + 1] += first[r];
    }
    uint32_t next[RUNS];
    memcpy(next, first, sizeof next);
    for (uint32_t n = 0; n < many->count; n++) {
        if (run[n] < RUNS) {
            const uint32_t at = next[run[n]]++;
            many->number[at] = n;
            many->sorted_i[at] = many->i[n];
            many->sorted_k[at] = many->k[n];
            many->goal[at] = carom_gap_goal(many->i[n].shape, many->k[n].shape, task);
        }
    }
}

void carom_many_find(carom_many *many, const carom_gap_task *task) {
    const carom_simd *simd = task->simd != NULL ? task->simd : carom_simd_best();
    uint32_t first[RUNS + 1];
    sort(many, task, first);
    const uint32_t searched = first[RUNS];
    memset(many->bracket, 0, searched * sizeof many->bracket[0]);
    for (uint32_t begin = 0; begin < searched;) {
        const uint32_t run = run_of(many, many->number[begin]);
        simd->gjk(many->sorted_i + begin, many->sorted_k + begin, many->goal + begin, first[run + 1] - begin,
                  many->bracket + begin);
        begin = first[run + 1];
    }
    for (uint32_t n = 0; n < searched; n++) {
        carom_gap_finish(&many->sorted_i[n], &many->sorted_k[n], simd, &many->goal[n], &many->bracket[n],
                         &many->gap[many->number[n]]);
    }
}
