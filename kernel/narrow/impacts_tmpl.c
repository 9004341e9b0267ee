/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/narrow/impacts_tmpl.h"

#include "kernel/narrow/moving.h"

static void answer_impact(const carom_job *job, const carom_job_body *i, const carom_job_body *k, uint64_t row) {
    carom_toi_found found;
    carom_moving_find(&i->numbers, i->body.posed.shape, &k->numbers, k->body.posed.shape, job->task, &found);
    carom_round_impact(&found, (carom_toi_row *)job->rows + row);
}

static bool is_compound(const carom_job_body *body) {
    return body->body.posed.shape->kind == CAROM_SHAPE_COMPOUND;
}

/* Pairs without compounds go through the kernels together. */
static void answer_impacts(carom_job *job, carom_job_block *block, uint64_t row, uint32_t count) {
    carom_rounds *rounds = &block->rounds;
    rounds->count = 0;
    if (!carom_job_load(job, block, row, count)) {
        return;
    }
    for (uint32_t n = 0; n < count; n++) {
        const carom_job_body *i = &block->i[n];
        const carom_job_body *k = &block->k[n];
        carom_toi_found given_up;
        if (is_compound(i) || is_compound(k)) {
            answer_impact(job, i, k, row + n);
        } else if (carom_moving_pair(&i->numbers, i->body.posed.shape, &k->numbers, k->body.posed.shape,
                                     rounds->pair[rounds->count].body, &given_up)) {
            block->row[rounds->count++] = n;
        } else {
            carom_round_impact(&given_up, (carom_toi_row *)job->rows + row + n);
        }
    }
    carom_rounds_find(rounds, job->task);
    for (uint32_t m = 0; m < rounds->count; m++) {
        const uint32_t n = block->row[m];
        carom_toi_found *found = &rounds->pair[m].search.found;
        carom_moving_place(&block->k[n].numbers, found);
        carom_round_impact(found, (carom_toi_row *)job->rows + row + n);
    }
}

carom_status carom_narrow_impacts(carom_context *context, const carom_job_pairs *pairs, const carom_toi_task *task,
                                  carom_toi_row *rows, carom_error *error) {
    carom_toi_task own = *task;
    carom_job job = {.pairs = pairs,
                     .answer = answer_impact,
                     .answer_block = answer_impacts,
                     .chunk = CAROM_JOB_BLOCK,
                     .task = &own,
                     .rows = rows,
                     .moving = true,
                     .context = context};
    own.simd = context->simd;
    own.control = context->team.control;
    return carom_job_run(&job, error);
}

carom_status carom_narrow_impact(const carom_shapes *shapes, const carom_narrow_sweep *i, const carom_narrow_sweep *k,
                                 const carom_toi_task *task, carom_toi_row *row, carom_error *error) {
    carom_job job = {.answer = answer_impact, .task = task, .rows = row, .moving = true};
    carom_job_body body_i;
    carom_job_body body_k;
    carom_gather_pose(i->pose, &body_i.numbers);
    carom_gather_pose(k->pose, &body_k.numbers);
    carom_gather_sweep(i->sweep, &body_i.numbers);
    carom_gather_sweep(k->sweep, &body_k.numbers);
    return carom_job_one(&job, shapes, &body_i, &body_k, error);
}
