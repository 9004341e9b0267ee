/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: pairs and what to compute. Out: gaps and manifolds in the caller's arrays. */
#include "kernel/narrow/batch_tmpl.h"

#include "kernel/narrow/job_tmpl.h"

static void answer_gap(const carom_job *job, const carom_job_body *i, const carom_job_body *k, uint64_t row) {
    const carom_batch_rows *rows = job->rows;
    carom_pair_answer answer;
    carom_pair_find(&i->body.posed, &k->body.posed, job->task, &answer);
    carom_round_gap(&answer, &rows->gap[row]);
    if (rows->manifold != NULL) {
        carom_round_manifold(&answer, &rows->manifold[row]);
    }
}

carom_status carom_batch_gaps(carom_context *context, const carom_job_pairs *pairs, const carom_gap_task *task,
                              carom_batch_rows *rows, carom_error *error) {
    carom_gap_task own = *task;
    carom_job job = {.pairs = pairs, .answer = answer_gap, .task = &own, .rows = rows, .context = context};
    own.simd = context->simd;
    return carom_job_run(&job, error);
}

carom_status carom_batch_gap(const carom_shapes *shapes, const carom_pose *i, const carom_pose *k,
                             const carom_gap_task *task, carom_batch_rows *rows, carom_error *error) {
    carom_job job = {.answer = answer_gap, .task = task, .rows = rows};
    carom_job_body body_i;
    carom_job_body body_k;
    carom_gather_pose(i, &body_i.numbers);
    carom_gather_pose(k, &body_k.numbers);
    return carom_job_one(&job, shapes, &body_i, &body_k, error);
}
