/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Pairs of a view and a body of a periodic box, as a detection of all would have them, and their rows. */
#include "kernel/check/assert.h"
#include "kernel/periodic/image_rows.h"
#include "kernel/query/hooks_f64.h"

/* An image has a higher number than all bodies and probes. */
static const uint64_t IMAGE_BODY = UINT32_MAX;

/* Body or probe: whichever a detection would have in the cell, and the other where its image would be. */
void carom_query_rows_pair(const carom_query_job *job, uint64_t v, uint64_t slot, carom_record pair[2]) {
    const carom_query_view *view = &job->space->view[v];
    pair[0] = job->records[slot];
    pair[1] = view->turned ? job->space->placed[view->probe] : job->own[v];
    if (view->turned) {
        const double back[3] = {-(double)view->shift[0], -(double)view->shift[1], -(double)view->shift[2]};
        double by[3];
        carom_lattice_displacement(&job->space->lattice, back, by);
        for (int a = 0; a < 3; a++) {
            pair[0].prev[a] += by[a];
            pair[0].curr[a] += by[a];
        }
        pair[0].body = IMAGE_BODY;
    }
}

/* Other views have been searched with the boxes of their pairs. */
bool carom_query_rows_meet(const carom_query_job *job, uint64_t v, uint64_t slot) {
    carom_record pair[2];
    carom_slot_box box[2];
    bool meet = true;
    if (!job->space->view[v].turned) {
        return true;
    }
    carom_query_rows_pair(job, v, slot, pair);
    carom_kernels_of(job->context->simd)->slot_boxes(pair, 0, 2, job->context->partition.centre, box);
    for (int a = 0; a < 3; a++) {
        meet = meet && box[0].lo[a] <= box[1].hi[a] && box[1].lo[a] <= box[0].hi[a];
    }
    return meet;
}

static int32_t wrap_of(const carom_query_job *job, uint32_t body, int axis) {
    const int32_t(*wrap)[3] = job->context->partition.box.wrap;
    return wrap != NULL ? wrap[body][axis] : 0;
}

void carom_query_rows_shift(const carom_query_job *job, uint64_t v, uint32_t body, int32_t shift[3]) {
    const carom_query_view *view = &job->space->view[v];
    for (int a = 0; a < 3; a++) {
        shift[a] = view->shift[a] + wrap_of(job, body, a) - job->space->wrap[view->probe][a];
    }
}

/* The edges from where the pair has the body to where the caller has it. */
static void frame_of(const carom_query_job *job, const carom_query_view *view, uint32_t body, double frame[3]) {
    for (int a = 0; a < 3; a++) {
        frame[a] = (double)(wrap_of(job, body, a) + (view->turned ? view->shift[a] : 0));
    }
}

void carom_query_rows_name(const carom_query_job *job, const carom_query_batch *batch, const carom_contacts *rows) {
    for (uint32_t n = 0; n < batch->count; n++) {
        const uint64_t v = carom_query_view_of(job, batch->at[n]);
        const carom_query_view *view = &job->space->view[v];
        const uint32_t body = job->body[batch->at[n]];
        const carom_record *pair = &batch->record[2 * (uint64_t)n];
        double frame[3];
        int32_t shift[3];
        frame_of(job, view, body, frame);
        carom_image_rows_move_point(&job->space->lattice, frame, rows, n);
        if (view->turned) {
            carom_image_rows_turn(&pair[1], &pair[0], rows, n);
        }
        carom_query_rows_shift(job, v, body, shift);
        for (int a = 0; a < 3; a++) {
            rows->shift[a][n] = shift[a];
        }
        rows->i[n] = body;
        rows->k[n] = batch->probe[n];
    }
}

/* Rounds the rows for a caller who has floats. */
carom_status carom_query_rows_finish(carom_query_job *job, uint64_t rows, uint64_t *required) {
    carom_context *context = job->context;
    carom_row_table *floats = job->space->floats;
    if (floats == NULL || rows == 0) {
        return CAROM_OK;
    }
    const bool contacts = job->config->until >= CAROM_UNTIL_APPROACH;
    const carom_row_shape wide = {contacts ? CAROM_ROW_FIELDS : CAROM_PAIR_FIELDS, sizeof(double), 3, 0};
    const carom_row_shape narrow = {wide.fields, sizeof(float), 3, 0};
    const uint64_t bytes = carom_row_table_bytes(narrow, carom_row_table_round(rows));
    floats->capacity = floats->block.bytes / carom_row_table_bytes(narrow, CAROM_ROW_MULTIPLE) * CAROM_ROW_MULTIPLE;
    if (rows > floats->capacity && carom_row_table_reserve(floats, &context->memory, narrow, rows) != CAROM_OK) {
        *required = carom_size_add(context->memory.held, bytes);
        return CAROM_ERROR_MEMORY;
    }
    const carom_row_table *own = &context->query_rows;
    const carom_image_rows from = {wide, own->block.data, own->capacity, rows};
    const carom_image_rows to = {narrow, floats->block.data, floats->capacity, rows};
    carom_image_rows_narrow(&context->team, &from, &to);
    return carom_team_stopped(&context->team) ? CAROM_ERROR_CANCELLED : CAROM_OK;
}
