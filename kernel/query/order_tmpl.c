/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The order of the boxes in the tree: by size, roughly, and boxes of a size along Morton's curve. The partition's order
 * would not do: within a cell it is that of the bodies, and a cell has dozens. Wide boxes lie apart from the others,
 * whose nodes they would widen. The order decides how fast a query is, not what it finds. */
#include <math.h>

#include "kernel/check/assert.h"
#include "kernel/query/job_tmpl.h"
#include "kernel/sort/radix_sort.h"

/* Bits of a coordinate; sizes of boxes, in steps of WIDER, from WIDE mean distances on. */
enum { BITS = 16, SIZE_BITS = 2, KEY_BITS = 3 * BITS + SIZE_BITS, WIDE = 4, WIDER = 8 };
/* Boxes that are made at once, on the stack, and boxes of a sample. */
enum { BOXES = 64, SAMPLE = 1 << 14 };

typedef struct curve {
    const carom_query_job *job;
    double lo[3];   /* corner of the cube around the sample */
    double scale;   /* cells a unit of length */
    double far;     /* the mean distance of bodies, if they fill the cube */
    uint64_t *key;  /* of each body */
    uint32_t *slot; /* of each body, in the order of slots */
} curve;

/* Bodies [begin, end), at most BOXES. */
static void boxes_of(const curve *c, uint64_t begin, uint64_t end, carom_slot_box *boxes) {
    const carom_query_job *job = c->job;
    carom_record record[BOXES];
    CAROM_ASSERT(begin < end && end - begin <= BOXES);
    uint64_t taken = 0;
    do {
        record[taken] = job->records[c->slot[begin + taken]];
    } while (++taken < end - begin);
    carom_kernels_of(job->context->simd)->slot_boxes(record, 0, end - begin, job->context->partition.centre, boxes);
}

/* Images are not searched. */
static void list_bodies(const curve *c) {
    const carom_query_job *job = c->job;
    uint64_t count = 0;
    carom_walk walk = carom_team_walk_alone(&job->context->team, job->slots);
    while (carom_walk_next(&walk)) {
        for (uint64_t slot = walk.begin; slot < walk.end; slot++) {
            if (job->slots == job->bodies || job->records[slot].body < job->bodies) {
                c->slot[count++] = (uint32_t)slot;
            }
        }
    }
    CAROM_ASSERT(count == job->bodies || carom_team_stopped(&job->context->team));
}

static double middle(const carom_slot_box *box, int a) {
    return 0.5 * (double)box->lo[a] + 0.5 * (double)box->hi[a];
}

/* The cube that a sample of the boxes needs. Those outside go to its faces. */
static void set_cube(curve *c) {
    const uint64_t count = c->job->bodies;
    double widest = 0.0;
    double hi[3] = {-INFINITY, -INFINITY, -INFINITY};
    c->lo[0] = c->lo[1] = c->lo[2] = INFINITY;
    for (uint64_t n = 0; n < count; n += count / SAMPLE + 1) {
        carom_slot_box box;
        boxes_of(c, n, n + 1, &box);
        for (int a = 0; a < 3; a++) {
            c->lo[a] = fmin(c->lo[a], middle(&box, a));
            hi[a] = fmax(hi[a], middle(&box, a));
        }
    }
    for (int a = 0; a < 3; a++) {
        widest = fmax(widest, hi[a] - c->lo[a]);
    }
    c->scale = widest > 0.0 && widest < INFINITY ? (1 << BITS) / widest : 0.0;
    c->far = widest / cbrt((double)count);
}

/* Spreads the lowest BITS bits of x, two zeros after each. */
static uint64_t spread(uint64_t x) {
    x = (x | x << 16) & UINT64_C(0x0000FF0000FF);
    x = (x | x << 8) & UINT64_C(0x00F00F00F00F);
    x = (x | x << 4) & UINT64_C(0x0C30C30C30C3);
    return (x | x << 2) & UINT64_C(0x249249249249);
}

static uint64_t key_of(const curve *c, const carom_slot_box *box) {
    uint64_t key = 0;
    double extent = 0.0;
    for (int a = 0; a < 3; a++) {
        const double cell = (middle(box, a) - c->lo[a]) * c->scale;
        const double last = (1 << BITS) - 1;
        key |= spread(cell > 0.0 ? (uint64_t)(cell < last ? cell : last) : 0) << a;
        extent = fmax(extent, (double)box->hi[a] - (double)box->lo[a]);
    }
    const double wide = WIDE * c->far;
    const uint32_t size =
        (uint32_t)(extent > wide) + (uint32_t)(extent > wide * WIDER) + (uint32_t)(extent > wide * WIDER * WIDER);
    return (uint64_t)size << (3 * BITS) | key;
}

static void make_keys(void *data, uint32_t worker) {
    const curve *c = data;
    carom_slot_box boxes[BOXES];
    carom_walk walk = carom_team_walk(&c->job->context->team, worker, c->job->bodies, BOXES);
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin; n < walk.end; n++) {
            if ((n - walk.begin) % BOXES == 0) {
                boxes_of(c, n, walk.end - n < BOXES ? walk.end : n + BOXES, boxes);
            }
            c->key[n] = key_of(c, &boxes[(n - walk.begin) % BOXES]);
        }
    }
}

carom_status carom_query_order(carom_query_job *job, uint64_t *required) {
    carom_context *context = job->context;
    const uint64_t count = job->bodies;
    const carom_work_need need[] = {
        {CAROM_WORK_QUERY_ORDER, count * sizeof(uint32_t)},
        {CAROM_WORK_QUERY_BODY, count * sizeof(uint32_t)},
        {CAROM_WORK_QUERY_SLOT, count * sizeof(uint64_t)},
        {CAROM_WORK_QUERY_KEY, count * sizeof(uint64_t)},
    };
    if (carom_context_reserve(context, need, sizeof need / sizeof need[0], required) != CAROM_OK) {
        return CAROM_ERROR_MEMORY;
    }
    curve c = {.job = job,
               .key = carom_context_work(context, CAROM_WORK_QUERY_SLOT),
               .slot = carom_context_work(context, CAROM_WORK_QUERY_ORDER)};
    list_bodies(&c);
    if (carom_team_stopped(&context->team)) {
        return CAROM_ERROR_CANCELLED;
    }
    set_cube(&c);
    carom_team_run_over(&context->team, count, make_keys, &c);
    if (carom_team_stopped(&context->team)) { /* keys may be missing */
        return CAROM_ERROR_CANCELLED;
    }
    const carom_status status = carom_radix_sort_u64(
        &context->sort, &context->team, &context->memory, context->simd, count, KEY_BITS, c.key, c.slot,
        carom_context_work(context, CAROM_WORK_QUERY_KEY), carom_context_work(context, CAROM_WORK_QUERY_BODY));
    if (status == CAROM_ERROR_MEMORY) {
        *required = carom_size_add(context->memory.held, carom_radix_sort_bytes(&context->team));
    }
    return carom_team_stopped(&context->team) ? CAROM_ERROR_CANCELLED : status;
}
