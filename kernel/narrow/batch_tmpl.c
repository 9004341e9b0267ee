/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: pairs and what to compute. Out: gaps and manifolds in the caller's arrays. */
#include "kernel/narrow/batch_tmpl.h"

#include "kernel/narrow/job_tmpl.h"

static void write_row(const carom_batch_rows *rows, const carom_pair_answer *answer, uint64_t row) {
    carom_round_gap(answer, &rows->gap[row]);
    if (rows->manifold != NULL) {
        carom_round_manifold(answer, &rows->manifold[row]);
    }
}

static void answer_gap(const carom_job *job, const carom_job_body *i, const carom_job_body *k, uint64_t row) {
    carom_pair_answer answer;
    carom_pair_find(&i->body.posed, &k->body.posed, job->task, &answer);
    write_row(job->rows, &answer, row);
}

/* Pairs without compounds, not far apart, go through the kernels together: here [begin, end) of a block. */
static void answer_part(const carom_job *job, carom_job_block *block, uint32_t begin, uint32_t end, uint64_t row) {
    carom_many *many = &block->many;
    many->count = 0;
    for (uint32_t n = begin; n < end; n++) {
        const uint32_t at = many->count;
        if (carom_pair_is_plain(&block->i[n].body.posed, &block->k[n].body.posed, &many->i[at], &many->k[at])) {
            block->row[many->count++] = n;
        } else {
            answer_gap(job, &block->i[n], &block->k[n], row + n);
        }
    }
    carom_many_find(many, job->task);
    for (uint32_t m = 0; m < many->count; m++) {
        const uint32_t n = block->row[m];
        carom_pair_answer answer;
        carom_pair_take(&many->i[m], &many->k[m], &many->gap[m], block->k[n].body.posed.at, job->task, &answer);
        write_row(job->rows, &answer, row + n);
    }
}

static void answer_gaps(const carom_job *job, carom_job_block *block, uint32_t count, uint64_t row) {
    for (uint32_t begin = 0; begin < count; begin += CAROM_MANY_PAIRS) {
        const uint32_t end = count - begin < CAROM_MANY_PAIRS ? count : begin + CAROM_MANY_PAIRS;
        answer_part(job, block, begin, end, row);
    }
}

carom_status carom_batch_gaps(carom_context *context, const carom_job_pairs *pairs, const carom_gap_task *task,
                              carom_batch_rows *rows, carom_error *error) {
    carom_gap_task own = *task;
    carom_job job = {.pairs = pairs,
                     .answer = answer_gap,
                     .answer_block = answer_gaps,
                     .task = &own,
                     .rows = rows,
                     .context = context};
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
