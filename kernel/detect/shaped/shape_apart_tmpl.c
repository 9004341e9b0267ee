/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/detect/shaped/shape_apart_tmpl.h"

#include <float.h>
#include <string.h>

#include "kernel/detect/shaped/shape_source.h"
#include "kernel/detect/shaped/shape_work.h"
#include "kernel/narrow/columns_tmpl.h"
#include "kernel/shape/table.h"
#include "simd/apart_boxes.h"
#include "simd/compare.h"

/* From which gap on no test of pairs could doubt that two shapes are apart: a bracket is no wider than the tolerance
 * times the pair's size, and a time of impact is early by no more. */
static carom_apart apart_of(const carom_detect_job *job, carom_shape_tolerance tolerance) {
    const double impact = job->shapes.paths != NULL ? 4.0 * tolerance.impact : 0.0;
    return (carom_apart){.box = job->shapes.source->shapes->box[0],
                         .margin = (float)carom_lesser(job->config->margin, (double)FLT_MAX),
                         .slack = CAROM_APART_ROUNDING + (float)carom_lesser(tolerance.distance + impact, 1.0)};
}

/* Drops the pairs of a block that are apart. Returns how many are left. */
static uint32_t drop_block(const carom_detect_job *job, const carom_apart *apart, uint32_t count, uint32_t *slot_i,
                           uint32_t *slot_k, carom_shape_boxed *boxed) {
    const carom_shape_state *state = &job->shapes;
    const carom_simd *simd = job->context->simd;
    for (uint32_t n = 0; n < count; n++) {
        boxed->i[n] = (uint32_t)job->search.records[slot_i[n]].body;
        boxed->k[n] = (uint32_t)job->search.records[slot_k[n]].body;
        if (state->poses != NULL) {
            __builtin_prefetch(&state->poses[boxed->i[n]]);
            __builtin_prefetch(&state->poses[boxed->k[n]]);
        } else {
            __builtin_prefetch(&state->paths[boxed->i[n]]);
            __builtin_prefetch(&state->paths[boxed->k[n]]);
        }
    }
    const uint32_t left =
        state->poses != NULL
            ? carom_kernels_of(simd)->apart(apart, state->poses->at, boxed->i, boxed->k, count, boxed->kept)
            : simd->apart_moving(apart, state->paths[0], boxed->i, boxed->k, count, boxed->kept);
    for (uint32_t n = 0; n < left; n++) {
        slot_i[n] = slot_i[boxed->kept[n]];
        slot_k[n] = slot_k[boxed->kept[n]];
    }
    return left;
}

uint32_t carom_shape_apart_drop(const carom_detect_job *job, carom_shape_tolerance tolerance, uint32_t worker,
                                uint32_t count, uint32_t *slot_i, uint32_t *slot_k) {
    const carom_apart apart = apart_of(job, tolerance);
    uint32_t kept = 0;
    if (job->periodic.images != NULL) {
        return count;
    }
    for (uint32_t begin = 0; begin < count; begin += CAROM_MANY_PAIRS) {
        const uint32_t block = count - begin < CAROM_MANY_PAIRS ? count - begin : CAROM_MANY_PAIRS;
        const uint32_t left =
            drop_block(job, &apart, block, slot_i + begin, slot_k + begin, &job->shapes.work[worker].boxed);
        memmove(slot_i + kept, slot_i + begin, left * sizeof *slot_i);
        memmove(slot_k + kept, slot_k + begin, left * sizeof *slot_k);
        kept += left;
    }
    return kept;
}
