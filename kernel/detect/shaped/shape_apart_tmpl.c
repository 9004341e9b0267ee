/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/detect/shaped/shape_apart_tmpl.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "kernel/detect/shaped/shape_names_tmpl.h"
#include "kernel/detect/shaped/shape_search_tmpl.h"
#include "kernel/detect/shaped/shape_source.h"
#include "kernel/detect/shaped/shape_work.h"
#include "kernel/narrow/columns_tmpl.h"
#include "kernel/shape/table.h"
#include "simd/apart_boxes.h"
#include "simd/compare.h"

/* From which gap on no test of pairs could doubt that two shapes are apart: a bracket is no wider than the tolerance
 * times the pair's size, and a time of impact is early by no more. */
static carom_apart apart_of(const carom_detect_job *job) {
    const double distance = carom_shape_distance_task(job, CAROM_GAP_STATE).tolerance;
    const double impact = job->shapes.paths != NULL ? 4.0 * carom_shape_impact_task(job).tolerance : 0.0;
    return (carom_apart){.box = job->shapes.source->shapes->box[0],
                         .margin = (float)carom_lesser(job->config->margin, (double)FLT_MAX),
                         .slack = CAROM_APART_ROUNDING + (float)carom_lesser(distance + impact, 1.0)};
}

static inline __attribute__((always_inline)) void fetch(const carom_shape_state *state, uint32_t body) {
    if (state->poses != NULL) {
        __builtin_prefetch(&state->poses[body]);
    } else {
        __builtin_prefetch(&state->paths[body]);
    }
}

/* Rows of the caller's bodies are where both are. */
static const void *name_bodies(const carom_detect_job *job, uint32_t count, const uint32_t *slot_i,
                               const uint32_t *slot_k, carom_shape_boxed *boxed) {
    for (uint32_t n = 0; n < count; n++) {
        boxed->i[n] = (uint32_t)job->search.records[slot_i[n]].body;
        boxed->k[n] = (uint32_t)job->search.records[slot_k[n]].body;
        fetch(&job->shapes, boxed->i[n]);
        fetch(&job->shapes, boxed->k[n]);
    }
    return job->shapes.poses != NULL ? (const void *)job->shapes.poses : (const void *)job->shapes.paths;
}

_Static_assert(sizeof(carom_columns_pose) <= CAROM_SHAPE_ROW_BYTES &&
                   CAROM_PATH_NUMBERS * sizeof(float) <= CAROM_SHAPE_ROW_BYTES,
               "a row holds a pose or a path");

/* A pose moves as the body does when its pair is decided. */
static void move_pose(const carom_columns_pose *pose, const double by[3], carom_columns_pose *moved) {
    *moved = *pose;
    for (int d = 0; d < 3; d++) {
        moved->at[d] = (carom_real)((double)pose->at[d] + by[d]);
    }
}

/* A path's position is rounded to floats once more. */
static void move_path(const float path[CAROM_PATH_NUMBERS], const double by[3], float moved[CAROM_PATH_NUMBERS]) {
    double rounding = 0.0;
    memcpy(moved, path, CAROM_PATH_NUMBERS * sizeof *moved);
    for (int d = 0; d < 3; d++) {
        moved[CAROM_APART_AT + d] = (float)((double)path[CAROM_APART_AT + d] + by[d]);
        rounding += CAROM_PATH_ROUNDING * fabs(by[d]);
    }
    moved[CAROM_APART_ROW + CAROM_APART_SPREAD] += (float)rounding;
}

static void move_row(const carom_shape_state *state, uint32_t body, const double by[3], carom_shape_boxed *boxed,
                     uint32_t row) {
    if (state->poses != NULL) {
        move_pose(&state->poses[body], by, (carom_columns_pose *)(void *)boxed->rows + row);
    } else {
        move_path(state->paths[body], by, (float *)(void *)boxed->rows + CAROM_PATH_NUMBERS * row);
    }
}

/* Rows are copies: of bodies i where they are, of bodies k where the pair has them. */
static const void *place_images(const carom_detect_job *job, uint32_t count, const uint32_t *slot_i,
                                const uint32_t *slot_k, carom_shape_boxed *boxed) {
    static const double nowhere[3] = {0.0, 0.0, 0.0};
    for (uint32_t n = 0; n < count; n++) {
        carom_shape_two pair;
        carom_shape_names(job, slot_i[n], slot_k[n], &pair);
        boxed->i[n] = 2 * n;
        boxed->k[n] = 2 * n + 1;
        move_row(&job->shapes, pair.body_i, nowhere, boxed, boxed->i[n]);
        move_row(&job->shapes, pair.body_k, pair.by, boxed, boxed->k[n]);
    }
    return boxed->rows;
}

/* Drops the pairs of a block that are apart. Returns how many are left. */
static uint32_t drop_block(const carom_detect_job *job, const carom_apart *apart, uint32_t count, uint32_t *slot_i,
                           uint32_t *slot_k, carom_shape_boxed *boxed) {
    const carom_simd *simd = job->context->simd;
    const void *rows = job->periodic.images != NULL ? place_images(job, count, slot_i, slot_k, boxed)
                                                    : name_bodies(job, count, slot_i, slot_k, boxed);
    const uint32_t left = job->shapes.poses != NULL
                              ? carom_kernels_of(simd)->apart(apart, rows, boxed->i, boxed->k, count, boxed->kept)
                              : simd->apart_moving(apart, rows, boxed->i, boxed->k, count, boxed->kept);
    for (uint32_t n = 0; n < left; n++) {
        slot_i[n] = slot_i[boxed->kept[n]];
        slot_k[n] = slot_k[boxed->kept[n]];
    }
    return left;
}

uint32_t carom_shape_apart_drop(const carom_detect_job *job, uint32_t worker, uint32_t count, uint32_t *slot_i,
                                uint32_t *slot_k) {
    const carom_apart apart = apart_of(job);
    uint32_t kept = 0;
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
