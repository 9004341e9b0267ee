/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/detect/shaped/shape_search_tmpl.h"

#include <string.h>

#include "kernel/detect/shaped/shape_names_tmpl.h"
#include "kernel/detect/shaped/shape_source.h"
#include "kernel/narrow/columns_tmpl.h"
#include "kernel/narrow/moving.h"
#include "kernel/shape/table.h"
#include "simd/compare.h"

/* Relative to the smaller shape, as the defaults of carom/distance.h and carom/toi.h for floats and doubles. */
static const double DISTANCE_TOLERANCE[2] = {0x1p-20, 0x1p-40};
static const double TOI_TOLERANCE[2] = {1e-4, 1e-9};
static const double TOI_LEAST = 0x1p-40;

/* The most poses that a time of impact looks at. */
enum { ITERATIONS = 64 };

static bool in_floats(const carom_detect_job *job) {
    return sizeof(carom_real) == sizeof(float) || job->periodic.float_results;
}

carom_gap_task carom_shape_distance_task(const carom_detect_job *job, carom_gap_detail detail) {
    const double tolerance = job->config->tolerance;
    return (carom_gap_task){.detail = detail,
                            .margin = job->config->margin,
                            .tolerance = tolerance > 0.0 ? tolerance : DISTANCE_TOLERANCE[in_floats(job) ? 0 : 1],
                            .simd = job->context->simd,
                            .control = job->context->team.control};
}

carom_toi_task carom_shape_impact_task(const carom_detect_job *job) {
    const double tolerance = job->config->tolerance;
    return (carom_toi_task){.margin = job->config->margin,
                            .tolerance = tolerance > 0.0 ? carom_greater(tolerance, TOI_LEAST)
                                                         : TOI_TOLERANCE[in_floats(job) ? 0 : 1],
                            .iterations_max = ITERATIONS,
                            .simd = job->context->simd,
                            .control = job->context->team.control};
}

void carom_shape_load(const carom_detect_job *job, carom_shape_two *pair) {
    const carom_shape_source *source = job->shapes.source;
    carom_shape_source_gather(source, pair->body_i, &pair->i);
    carom_shape_source_gather(source, pair->body_k, &pair->k);
    pair->shape_i = &source->shapes->entry[pair->i.shape];
    pair->shape_k = &source->shapes->entry[pair->k.shape];
    for (int d = 0; d < 3 && job->periodic.images != NULL; d++) {
        pair->k.at[d] += pair->by[d];
    }
}

/* Whether both bodies rest, as the pass over all bodies found. */
static bool is_at_rest(const carom_detect_job *job, const carom_shape_two *pair) {
    const carom_shape_state *state = &job->shapes;
    return state->paths == NULL ||
           (state->paths[pair->body_i][CAROM_PATH_RESTS] > 0.0F && state->paths[pair->body_k][CAROM_PATH_RESTS] > 0.0F);
}

static inline __attribute__((always_inline)) void fetch_pair(const carom_detect_job *job, const carom_shape_two *pair) {
    __builtin_prefetch(&job->shapes.poses[pair->body_i]);
    __builtin_prefetch(&job->shapes.poses[pair->body_k]);
}

/* Into the columns, with the edges that bodies k are moved by. */
static void load_resting(const carom_detect_job *job, carom_shape_work *work) {
    const carom_shape_state *state = &job->shapes;
    carom_shape_resting *block = &work->resting;
    carom_many *many = &work->many;
    if (state->poses != NULL) {
        carom_columns_load_poses(state->source->shapes, state->poses, block->i, block->k, block->count,
                                 job->context->simd, many);
    } else {
        carom_shape_source_load_pairs(state->source, block->i, block->k, block->count, many);
    }
    for (uint32_t c = 0; c < many->count && job->periodic.images != NULL; c++) {
        for (int d = 0; d < 3; d++) {
            carom_many_k(many, c)->at[d][c] += block->by[many->number[c]][d];
        }
    }
}

void carom_shape_search_resting(const carom_detect_job *job, const carom_hits *hits, carom_gap_detail detail,
                                carom_shape_work *work) {
    const carom_shape_state *state = &job->shapes;
    const carom_gap_task task = carom_shape_distance_task(job, detail);
    carom_shape_resting *block = &work->resting;
    carom_many *many = &work->many;
    block->count = 0;
    block->alone = 0;
    for (uint32_t n = 0; n < hits->count; n++) {
        carom_shape_two pair;
        carom_shape_names(job, hits->slot_i[n], hits->slot_k[n], &pair);
        if (state->poses != NULL) {
            fetch_pair(job, &pair);
        }
        if (!is_at_rest(job, &pair)) {
            block->alone |= (uint64_t)1 << n;
            continue;
        }
        if (job->config->approaching) {
            continue;
        }
        block->i[block->count] = pair.body_i;
        block->k[block->count] = pair.body_k;
        memcpy(block->by[block->count], pair.by, sizeof pair.by);
        block->pair[block->count++] = n;
    }
    load_resting(job, work);
    carom_many_find(many, &task, NULL);
    for (uint64_t rest = many->alone; rest != 0; rest &= rest - 1) {
        block->alone |= (uint64_t)1 << block->pair[__builtin_ctzll(rest)];
    }
}

void carom_shape_search_moving(const carom_detect_job *job, const carom_hits *hits, carom_shape_work *work) {
    const carom_toi_task task = carom_shape_impact_task(job);
    carom_shape_resting *block = &work->resting;
    carom_rounds *rounds = &work->rounds;
    rounds->count = 0;
    for (uint64_t rest = job->shapes.source->moving ? block->alone : 0; rest != 0; rest &= rest - 1) {
        const uint32_t n = (uint32_t)__builtin_ctzll(rest);
        const uint32_t at = rounds->count;
        carom_shape_two pair;
        carom_toi_found given_up;
        carom_shape_names(job, hits->slot_i[n], hits->slot_k[n], &pair);
        if (is_at_rest(job, &pair)) {
            continue;
        }
        carom_shape_load(job, &pair);
        if (pair.shape_i->kind == CAROM_SHAPE_COMPOUND || pair.shape_k->kind == CAROM_SHAPE_COMPOUND ||
            !carom_moving_pair(&pair.i, pair.shape_i, &pair.k, pair.shape_k, rounds->pair[at].body, &given_up)) {
            continue;
        }
        work->pair[at] = n;
        memcpy(work->origin[at], pair.k.at, sizeof work->origin[at]);
        rounds->count++;
        block->alone &= ~((uint64_t)1 << n);
    }
    carom_rounds_find(rounds, &task);
}
