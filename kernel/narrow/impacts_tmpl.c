/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/narrow/impacts_tmpl.h"

#include "kernel/narrow/moving.h"

static void answer_impact(const carom_job *job, const carom_job_body *i, const carom_job_body *k, uint64_t row) {
    carom_toi_found found;
    carom_moving_find(&i->numbers, i->body.posed.shape, &k->numbers, k->body.posed.shape, job->task, &found);
    carom_round_impact(&found, (carom_toi_row *)job->rows + row);
}

carom_status carom_narrow_impacts(carom_context *context, const carom_job_pairs *pairs, const carom_toi_task *task,
                                  carom_toi_row *rows, carom_error *error) {
    carom_job job = {
        .pairs = pairs, .answer = answer_impact, .task = task, .rows = rows, .moving = true, .context = context};
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
