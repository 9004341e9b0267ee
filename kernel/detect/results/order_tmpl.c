/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/detect/results/order_tmpl.h"

#include <inttypes.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/periodic/image_rows.h"
#include "kernel/sort/list_sort.h"
#include "kernel/store/row_table_tmpl.h"
#include "kernel/sys/error.h"

/* Rows are shared out among the workers by this many. */
enum { GRAIN = 1024 };

/* The context's rows, for those who know of shifts. */
static carom_image_rows image_rows(const carom_detect_job *job, uint64_t rows) {
    const carom_row_table *from = &job->context->rows;
    return (carom_image_rows){job->rows.shape, from->block.data, from->capacity, rows};
}

typedef struct order_job {
    carom_detect_job *job;
    uint64_t rows;       /* how many rows are put in order */
    uint32_t body_bits;  /* bits of the greatest body */
    uint32_t shift_bits; /* bits of a shift's rank in a periodic box; 0 in open space */
    uint64_t *key;       /* i, k and the rank of the shift, in this order from the highest bit */
    uint32_t *from;      /* the row that each key is of */
} order_job;

static uint32_t key_bits(const order_job *order) {
    return 2 * order->body_bits + order->shift_bits;
}

/* Keys compare like (i, k), and then like the shifts of pairs of the same bodies. */
static void make_keys(void *data, uint32_t worker) {
    const order_job *order = data;
    carom_detect_job *job = order->job;
    carom_row_table *rows = &job->context->rows;
    carom_contacts view = carom_row_table_view(job->rows.shape, rows->block.data, rows->capacity, 0);
    const carom_image_rows shifted = image_rows(job, order->rows);
    carom_walk walk = carom_team_walk(&job->context->team, worker, order->rows, GRAIN);
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin, end = walk.end; n < end; n++) {
            order->key[n] = (uint64_t)view.i[n] << order->body_bits | view.k[n];
            order->from[n] = (uint32_t)n;
        }
        for (uint64_t n = walk.begin; n < walk.end && order->shift_bits > 0; n++) {
            const uint64_t rank = carom_image_rows_rank(job->periodic.images, &shifted, n);
            order->key[n] = order->key[n] << order->shift_bits | rank;
        }
    }
}

/* Rows [begin, end) of one field. */
static void permute_field(const order_job *order, uint32_t f, uint64_t begin, uint64_t end) {
    const carom_row_shape shape = order->job->rows.shape;
    const carom_row_table *rows = &order->job->context->rows;
    const carom_row_table *spare = &order->job->context->spare_rows;
    const char *from = carom_row_table_field(shape, rows->block.data, rows->capacity, f, 0);
    char *to = carom_row_table_field(shape, spare->block.data, spare->capacity, f, 0);
    const uint32_t size = carom_row_table_field_size(shape, f);
    for (uint64_t n = begin; n < end && from != NULL; n++) {
        if (size == sizeof(uint32_t)) {
            memcpy(to + n * sizeof(uint32_t), from + order->from[n] * sizeof(uint32_t), sizeof(uint32_t));
        } else {
            memcpy(to + n * sizeof(uint64_t), from + order->from[n] * sizeof(uint64_t), sizeof(uint64_t));
        }
    }
}

/* Field by field, so that each worker writes one array at a time. */
static void permute_rows(void *data, uint32_t worker) {
    const order_job *order = data;
    for (uint32_t f = 0; f < CAROM_FIELDS_ALL; f++) {
        carom_walk walk = carom_team_walk(&order->job->context->team, worker, order->rows, GRAIN);
        while (carom_walk_next(&walk)) {
            permute_field(order, f, walk.begin, walk.end);
        }
    }
}

/* Steps that follow one another need a little more each time: without headroom nearly every one would allocate. */
void carom_order_headroom(carom_detect_job *job, uint64_t rows) {
    carom_context *context = job->context;
    uint64_t needed = job->headroom == CAROM_HEADROOM_AHEAD ? carom_context_nearly(rows) : rows;
    uint64_t more = carom_row_table_round(carom_context_more(rows));
    if (job->headroom == CAROM_HEADROOM_NONE || context->memory.limit != 0) {
        return;
    }
    if (context->rows.capacity < needed) {
        (void)carom_row_table_grow(&context->rows, &context->memory, context->team.control, job->rows.shape, more, more,
                                   rows);
    }
    if (job->config->sort_pairs && context->spare_rows.block.bytes < carom_row_table_bytes(job->rows.shape, needed)) {
        (void)carom_buffer_grow(&context->memory, &context->spare_rows.block,
                                carom_row_table_bytes(job->rows.shape, more), 0);
    }
}

/* Rows are numbered by 32 bits, and all that orders them must fit one key. */
static carom_status check_keys(const order_job *order) {
    carom_detect_job *job = order->job;
    if (order->rows > UINT32_MAX) {
        return carom_error_set(job->error, CAROM_ERROR_ARGUMENT, "%" PRIu64 " pairs are too many to be put in order",
                               order->rows);
    }
    if (key_bits(order) > 64) {
        return carom_error_set(job->error, CAROM_ERROR_ARGUMENT,
                               "pairs of %" PRIu64 " bodies with shifts of %u bits cannot be put in order", job->owned,
                               order->shift_bits);
    }
    return CAROM_OK;
}

static carom_status reserve_keys(order_job *order) {
    carom_context *context = order->job->context;
    const uint64_t rows = order->rows;
    carom_work_need need[] = {
        {CAROM_WORK_SORT_KEY, rows * sizeof(uint64_t)},
        {CAROM_WORK_SORT_SPARE_KEY, rows * sizeof(uint64_t)},
        {CAROM_WORK_SORT_PAYLOAD, rows * sizeof(uint32_t)},
        {CAROM_WORK_SORT_SPARE_PAYLOAD, rows * sizeof(uint32_t)},
    };
    carom_context_reserve_more(context, need, sizeof need / sizeof need[0], order->job->headroom);
    if (carom_context_reserve(context, need, sizeof need / sizeof need[0], NULL) != CAROM_OK) {
        return CAROM_ERROR_MEMORY;
    }
    order->key = carom_context_work(context, CAROM_WORK_SORT_KEY);
    order->from = carom_context_work(context, CAROM_WORK_SORT_PAYLOAD);
    return carom_row_table_reserve(&context->spare_rows, &context->memory, order->job->rows.shape, rows);
}

static carom_status sort_keys(order_job *order) {
    carom_context *context = order->job->context;
    carom_team_run(&context->team, make_keys, order);
    if (carom_job_stopped(order->job)) {
        return CAROM_ERROR_CANCELLED;
    }
    return carom_radix_sort_u64(&context->sort, &context->team, &context->memory, context->simd, order->rows,
                                key_bits(order), order->key, order->from,
                                carom_context_work(context, CAROM_WORK_SORT_SPARE_KEY),
                                carom_context_work(context, CAROM_WORK_SORT_SPARE_PAYLOAD));
}

carom_status carom_order_rows(carom_detect_job *job, uint64_t rows) {
    carom_context *context = job->context;
    const carom_images *images = job->periodic.images;
    order_job order = {.job = job,
                       .rows = rows,
                       .body_bits = carom_list_sort_bits(job->owned),
                       .shift_bits = images != NULL ? carom_image_rows_bits(images) : 0};
    CAROM_ASSERT(rows <= context->rows.capacity);
    carom_status status = check_keys(&order);
    if (status != CAROM_OK) {
        return status;
    }
    status = reserve_keys(&order);
    if (status == CAROM_OK) {
        status = sort_keys(&order);
    }
    if (status != CAROM_OK) {
        return status;
    }
    carom_team_run(&context->team, permute_rows, &order);
    /* The tables change places: the next call orders into the other one, and nothing is copied back. */
    carom_row_table ordered = context->spare_rows;
    context->spare_rows = context->rows;
    context->rows = ordered;
    return carom_job_stopped(job) ? CAROM_ERROR_CANCELLED : CAROM_OK;
}

uint64_t carom_order_bytes(const carom_detect_job *job, uint64_t rows) {
    if (!job->config->sort_pairs) {
        return 0;
    }
    uint64_t block = carom_row_table_bytes(job->rows.shape, carom_row_table_round(rows));
    return carom_size_add(block, carom_size_multiply(rows, 2 * (sizeof(uint64_t) + sizeof(uint32_t))));
}
