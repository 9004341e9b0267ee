/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* From the rows of all tasks to what the caller gets: mapped back from images, ordered by (i, k) on request, copied to
 * arrays of the caller's. */
#include <inttypes.h>
#include <string.h>

#include "kernel/broad/row_sort.h"
#include "kernel/step/image_rows.h"
#include "kernel/step/job_tmpl.h"
#include "kernel/sys/error.h"

enum { GRAIN = 1024 };

carom_row_shape CAROM_REAL(carom_detect_narrow_shape)(const carom_detect_job *job) {
    return (carom_row_shape){job->shape.fields, sizeof(float), job->shape.shifts};
}

/* Bytes of every buffer that is taken once the cells have been worked through: upper bounds that depend on the number
 * of rows and bodies alone. */
static uint64_t bytes_after_cells(const carom_detect_job *job, uint64_t rows) {
    uint64_t block = carom_rows_bytes(job->shape, carom_rows_round(rows));
    uint64_t bodies = job->bodies->count;
    uint64_t bytes =
        job->context->team.workers > 1 ? carom_size_add(block, CAROM_REAL(carom_detect_chunk_bytes)(job)) : block;
    if (job->config->sort_pairs) {
        uint64_t sort = carom_size_multiply(rows, 2 * (sizeof(uint64_t) + sizeof(uint32_t)));
        bytes = carom_size_add(carom_size_add(bytes, block), sort);
    }
    if (job->narrow) {
        bytes =
            carom_size_add(bytes, carom_rows_bytes(CAROM_REAL(carom_detect_narrow_shape)(job), carom_rows_round(rows)));
    }
    if (job->config->group_members) {
        uint64_t lists = bodies * (4 * sizeof(uint32_t) + 1) + (bodies / 2 + 1) * sizeof(uint64_t);
        bytes = carom_size_add(bytes, lists);
    }
    bytes = carom_size_add(bytes, CAROM_REAL(carom_detect_neighbour_bytes)(job, rows));
    return carom_size_add(bytes, carom_radix_sort_bytes(&job->context->team));
}

carom_status CAROM_REAL(carom_detect_no_room)(carom_detect_job *job) {
    static const carom_work passed_through[] = {
        CAROM_WORK_SORT_KEY,       CAROM_WORK_SORT_SPARE_KEY, CAROM_WORK_SORT_PAYLOAD, CAROM_WORK_SORT_SPARE_PAYLOAD,
        CAROM_WORK_MEMBER,         CAROM_WORK_OFFSET,         CAROM_WORK_GROUPED,      CAROM_WORK_NEIGHBOUR_OFFSET,
        CAROM_WORK_NEIGHBOUR_BODY, CAROM_WORK_NEIGHBOUR_PAIR};
    carom_context *context = job->context;
    uint64_t rows = job->store_rows ? job->detection->summary.required_pairs : 0;
    carom_rows_release(&context->rows, &context->memory);
    carom_rows_release(&context->spare_rows, &context->memory);
    carom_rows_release(&context->narrow_rows, &context->memory);
    carom_chunk_pool_release(&context->chunks, &context->memory);
    carom_radix_sort_release(&context->sort, &context->memory);
    for (size_t n = 0; n < sizeof passed_through / sizeof passed_through[0]; n++) {
        carom_buffer_release(&context->memory, &context->work[passed_through[n]]);
    }
    context->expected_rows = rows;
    return CAROM_REAL(carom_detect_no_memory)(job, carom_size_add(context->memory.held, bytes_after_cells(job, rows)));
}

static carom_image_rows image_rows(const carom_detect_job *job, uint64_t rows) {
    const carom_rows *from = &job->context->rows;
    return (carom_image_rows){job->shape, from->block.data, from->capacity, rows};
}

typedef struct order_job {
    carom_detect_job *job;
    uint64_t rows;
    uint32_t body_bits;
    uint32_t shift_bits; /* of a periodic box */
    uint64_t *key;
    uint32_t *from;
} order_job;

static void make_keys(void *data, uint32_t worker) {
    const order_job *order = data;
    carom_detect_job *job = order->job;
    carom_rows *rows = &job->context->rows;
    carom_contact_rows view = CAROM_REAL(carom_rows_view)(job->shape, rows->block.data, rows->capacity, 0);
    uint64_t begin;
    uint64_t end;
    carom_team_range(&job->context->team, worker, order->rows, GRAIN, &begin, &end);
    for (uint64_t n = begin; n < end; n++) {
        order->key[n] = (uint64_t)view.i[n] << order->body_bits | view.k[n];
        order->from[n] = (uint32_t)n;
    }
    const carom_image_rows shifted = image_rows(job, order->rows);
    for (uint64_t n = begin; n < end && order->shift_bits > 0; n++) {
        order->key[n] = order->key[n] << order->shift_bits | carom_image_rows_rank(job->images, &shifted, n);
    }
}

static void permute_rows(void *data, uint32_t worker) {
    const order_job *order = data;
    const carom_detect_job *job = order->job;
    carom_context *context = job->context;
    uint64_t begin;
    uint64_t end;
    carom_team_range(&context->team, worker, order->rows, GRAIN, &begin, &end);
    for (uint32_t f = 0; f < CAROM_FIELDS_ALL; f++) {
        uint32_t size = carom_rows_field_size(job->shape, f);
        const char *from = carom_rows_field(job->shape, context->rows.block.data, context->rows.capacity, f, 0);
        char *to = carom_rows_field(job->shape, context->spare_rows.block.data, context->spare_rows.capacity, f, 0);
        for (uint64_t n = begin; n < end && from != NULL; n++) {
            if (size == sizeof(uint32_t)) {
                memcpy(to + n * sizeof(uint32_t), from + order->from[n] * sizeof(uint32_t), sizeof(uint32_t));
            } else {
                memcpy(to + n * sizeof(uint64_t), from + order->from[n] * sizeof(uint64_t), sizeof(uint64_t));
            }
        }
    }
}

/* Of rows that are in their place, and where they are put in order. */
static void reserve_more_rows(carom_detect_job *job, uint64_t rows) {
    carom_context *context = job->context;
    uint64_t needed = job->listed_anew ? carom_context_nearly(rows) : rows;
    uint64_t more = carom_rows_round(carom_context_more(rows));
    if (!job->follows || context->memory.limit != 0) {
        return;
    }
    if (context->rows.capacity < needed) {
        (void)carom_rows_grow(&context->rows, &context->memory, job->shape, more, more, rows);
    }
    if (job->config->sort_pairs && context->spare_rows.block.bytes < carom_rows_bytes(job->shape, needed)) {
        (void)carom_buffer_grow(&context->memory, &context->spare_rows.block, carom_rows_bytes(job->shape, more), 0);
    }
}

static carom_status order_rows(carom_detect_job *job, uint64_t rows) {
    carom_context *context = job->context;
    if (rows > UINT32_MAX) {
        return carom_error_set(job->error, CAROM_ERROR_ARGUMENT, "%" PRIu64 " pairs are too many to be put in order",
                               rows);
    }
    uint32_t body_bits = carom_row_sort_bits(job->owned);
    uint32_t shift_bits = job->images != NULL ? carom_image_rows_bits(job->images) : 0;
    if (2 * body_bits + shift_bits > 64) {
        return carom_error_set(job->error, CAROM_ERROR_ARGUMENT,
                               "pairs of %" PRIu64 " bodies with shifts of %u bits cannot be put in order", job->owned,
                               shift_bits);
    }
    uint64_t required = 0;
    carom_work_need need[] = {
        {CAROM_WORK_SORT_KEY, rows * sizeof(uint64_t)},
        {CAROM_WORK_SORT_SPARE_KEY, rows * sizeof(uint64_t)},
        {CAROM_WORK_SORT_PAYLOAD, rows * sizeof(uint32_t)},
        {CAROM_WORK_SORT_SPARE_PAYLOAD, rows * sizeof(uint32_t)},
    };
    if (job->follows) {
        carom_context_reserve_more(context, need, sizeof need / sizeof need[0], job->listed_anew);
    }
    if (carom_context_reserve(context, need, sizeof need / sizeof need[0], &required) != CAROM_OK ||
        carom_rows_reserve(&context->spare_rows, &context->memory, job->shape, rows) != CAROM_OK) {
        return CAROM_REAL(carom_detect_no_room)(job);
    }
    order_job order = {.job = job,
                       .rows = rows,
                       .body_bits = body_bits,
                       .shift_bits = shift_bits,
                       .key = carom_context_work(context, CAROM_WORK_SORT_KEY),
                       .from = carom_context_work(context, CAROM_WORK_SORT_PAYLOAD)};
    carom_team_run(&context->team, make_keys, &order);
    if (carom_radix_sort_u64(&context->sort, &context->team, &context->memory, context->simd, rows,
                             2 * body_bits + shift_bits, order.key, order.from,
                             carom_context_work(context, CAROM_WORK_SORT_SPARE_KEY),
                             carom_context_work(context, CAROM_WORK_SORT_SPARE_PAYLOAD)) != CAROM_OK) {
        return CAROM_REAL(carom_detect_no_room)(job);
    }
    carom_team_run(&context->team, permute_rows, &order);
    carom_rows ordered = context->spare_rows;
    context->spare_rows = context->rows;
    context->rows = ordered;
    return CAROM_OK;
}

/* The caller's array for each field of a row, or NULL. */
static void output_fields(const carom_detect_output *output, void *field[CAROM_FIELDS_ALL]) {
    void *all[CAROM_FIELDS_ALL] = {output->i,        output->k,         output->t_ca,      output->distance,
                                   output->t_toi,    output->normal[0], output->normal[1], output->normal[2],
                                   output->point[0], output->point[1],  output->point[2],  output->shift[0],
                                   output->shift[1], output->shift[2]};
    memcpy(field, all, sizeof all);
}

typedef struct copy_job {
    const carom_detect_job *job;
    const carom_rows *from;
    uint64_t rows;
    void *field[CAROM_FIELDS_ALL];
} copy_job;

static void copy_fields(void *data, uint32_t worker) {
    const copy_job *copy = data;
    const carom_detect_job *job = copy->job;
    const carom_rows *rows = copy->from;
    uint64_t begin;
    uint64_t end;
    carom_team_range(&job->context->team, worker, copy->rows, GRAIN, &begin, &end);
    for (uint32_t f = 0; f < CAROM_FIELDS_ALL && begin < end; f++) {
        uint64_t size = carom_rows_field_size(job->shape, f);
        const void *from = carom_rows_field(job->shape, rows->block.data, rows->capacity, f, begin);
        if (copy->field[f] != NULL && from != NULL) {
            memcpy((char *)copy->field[f] + begin * size, from, (end - begin) * size);
        }
    }
}

static carom_status copy_out(carom_detect_job *job, const carom_rows *from, uint64_t rows) {
    if (job->output == NULL) {
        return CAROM_OK;
    }
    copy_job copy = {.job = job, .from = from, .rows = rows};
    output_fields(job->output, copy.field);
    bool wanted = false;
    for (uint32_t f = 0; f < CAROM_FIELDS_ALL; f++) {
        wanted |= copy.field[f] != NULL;
    }
    if (wanted && rows > job->output->pair_capacity) {
        return carom_error_set(job->error, CAROM_ERROR_CAPACITY,
                               "%" PRIu64 " pairs do not fit the caller's arrays of %" PRIu64, rows,
                               job->output->pair_capacity);
    }
    carom_team_run(&job->context->team, copy_fields, &copy);
    if (job->output->label != NULL && job->detection->groups.label != NULL) {
        memcpy(job->output->label, job->detection->groups.label, job->owned * sizeof(uint32_t));
    }
    return CAROM_OK;
}

static void show_rows(const carom_detect_job *job, const carom_rows *from, uint64_t rows) {
    carom_detection *d = job->detection;
    carom_contact_rows view = CAROM_REAL(carom_rows_view)(job->shape, from->block.data, from->capacity, 0);
    d->pair_count = rows;
    d->i = view.i;
    d->k = view.k;
    d->t_ca = view.t_ca;
    d->distance = view.distance;
    d->t_toi = view.t_toi;
    for (int a = 0; a < 3; a++) {
        d->normal[a] = view.normal[a];
        d->point[a] = view.point[a];
        d->shift[a] =
            carom_rows_field(job->shape, from->block.data, from->capacity, CAROM_SHIFT_FIELD + (uint32_t)a, 0);
    }
}

carom_status CAROM_REAL(carom_detect_hand_out)(carom_detect_job *job, const carom_rows *from, uint64_t count) {
    carom_status status = copy_out(job, from, count);
    if (status == CAROM_OK && job->store_rows) {
        show_rows(job, from, count);
    }
    return status;
}

/* Rows of a periodic f32 call, which its own precision hands out. */
static carom_status narrow_rows(carom_detect_job *job, uint64_t rows) {
    carom_context *context = job->context;
    carom_rows *narrow = &context->narrow_rows;
    if (carom_rows_reserve(narrow, &context->memory, CAROM_REAL(carom_detect_narrow_shape)(job), rows) != CAROM_OK) {
        return CAROM_REAL(carom_detect_no_room)(job);
    }
    carom_image_rows from = image_rows(job, rows);
    carom_image_rows to = {CAROM_REAL(carom_detect_narrow_shape)(job), narrow->block.data, narrow->capacity, rows};
    carom_image_rows_narrow(&context->team, &from, &to);
    job->detection->pair_count = rows;
    return CAROM_OK;
}

carom_status CAROM_REAL(carom_detect_collect)(carom_detect_job *job) {
    carom_status status = CAROM_OK;
    uint64_t rows = job->store_rows ? CAROM_REAL(carom_detect_count_rows)(job) : 0;
    job->detection->summary.phase_bytes[CAROM_PHASE_COLLECT] = 0.0;
    if (job->rows_lost != 0) {
        return CAROM_REAL(carom_detect_no_room)(job);
    }
    if (rows > 0) {
        status = CAROM_REAL(carom_detect_join_rows)(job, rows);
        CAROM_REAL(carom_detect_keep_chunks)(job);
    }
    if (status == CAROM_OK && job->images != NULL) {
        carom_image_rows mapped = image_rows(job, rows);
        carom_image_rows_map(&job->context->team, job->images, &mapped);
    }
    if (status == CAROM_OK && rows > 0) {
        reserve_more_rows(job, rows);
    }
    if (status == CAROM_OK && rows > 0 && job->config->sort_pairs) {
        status = order_rows(job, rows);
    }
    if (status == CAROM_OK && job->store_rows && job->config->neighbours != CAROM_NEIGHBOURS_NONE) {
        status = CAROM_REAL(carom_detect_neighbours)(job, rows);
    }
    if (status == CAROM_OK) {
        status =
            job->narrow ? narrow_rows(job, rows) : CAROM_REAL(carom_detect_hand_out)(job, &job->context->rows, rows);
    }
    CAROM_REAL(carom_detect_lap)(job, CAROM_PHASE_COLLECT);
    return status;
}
