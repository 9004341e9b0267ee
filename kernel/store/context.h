/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What a context holds: threads, instruction set, memory, and the buffers that calls reuse. */
#ifndef CAROM_STORE_CONTEXT_H
#define CAROM_STORE_CONTEXT_H

#include "carom/context.h"
#include "kernel/sort/radix_sort.h"
#include "kernel/store/chunk_pool.h"
#include "kernel/store/row_table.h"
#include "kernel/sys/memory.h"
#include "kernel/sys/team.h"
#include "simd/dispatch.h"

/* Buffers by what is in them; each grows to the largest call. */
typedef enum carom_work {
    CAROM_WORK_WORKERS, /* state of each worker */
    CAROM_WORK_TASKS,
    CAROM_WORK_CELL_SPACE,
    CAROM_WORK_SHARED_CELL,
    CAROM_WORK_PARENT,
    CAROM_WORK_LEAST,
    CAROM_WORK_GROUP_SIZE,
    CAROM_WORK_GROUP_SPARE,
    CAROM_WORK_BODY,
    CAROM_WORK_LABEL,
    CAROM_WORK_MEMBER,
    CAROM_WORK_OFFSET,
    CAROM_WORK_GROUPED,
    CAROM_WORK_SORT_KEY, /* keys and payloads of radix sorts, and their spare halves */
    CAROM_WORK_SORT_SPARE_KEY,
    CAROM_WORK_SORT_PAYLOAD,
    CAROM_WORK_SORT_SPARE_PAYLOAD,
    CAROM_WORK_BOUNDS,
    CAROM_WORK_IMAGE_WORKERS, /* periodic boxes: see images.h */
    CAROM_WORK_IMAGE_WRAP,
    CAROM_WORK_IMAGE_CANDIDATE,
    CAROM_WORK_IMAGE_FIELDS,
    CAROM_WORK_IMAGE,
    CAROM_WORK_FILTER, /* what pairs are filtered by, in the order of the records */
    CAROM_WORK_FILTER_TRACES,
    CAROM_WORK_FILTER_ROWS, /* traces in the order of the records */
    CAROM_WORK_BLOCKS,      /* a block of rows a worker, for the caller's sink */
    CAROM_WORK_NEIGHBOUR_OFFSET,
    CAROM_WORK_NEIGHBOUR_BODY,
    CAROM_WORK_NEIGHBOUR_PAIR,
    CAROM_WORK_COUNT
} carom_work;

/* Buffers of a part of the scene; parts of the same depth follow one another and share them. */
typedef enum carom_part_work {
    CAROM_PART_CODE, /* of the scene: each body's slot, asked for until groups are labelled */
    CAROM_PART_NEXT,
    CAROM_PART_START,
    CAROM_PART_RECORDS,
    CAROM_PART_CROWDED,
    CAROM_PART_OVERSIZED_LOW,
    CAROM_PART_VISIT_START,
    CAROM_PART_VISIT_CELL,
    CAROM_PART_VISIT,
    CAROM_PART_VISIT_SPARE_CELL,
    CAROM_PART_VISIT_SPARE,
    CAROM_PART_BODIES,
    CAROM_PART_SLOT,
    CAROM_PART_EARLIER,
    CAROM_PART_COUNT
} carom_part_work;

/* Parts within parts: an entry has 32 `earlier` bits, four for each depth. */
enum { CAROM_PART_DEPTHS = 8, CAROM_WORK_ALL = CAROM_WORK_COUNT + CAROM_PART_DEPTHS * CAROM_PART_COUNT };

struct carom_context {
    carom_team team; /* workers: those of the call, at most `threads` */
    uint32_t threads;
    uint64_t bodies_per_thread;
    carom_memory memory;
    const carom_simd *simd;
    carom_buffer work[CAROM_WORK_ALL];
    carom_row_table rows;       /* the contacts a call returns */
    carom_row_table spare_rows; /* where they are put in order */
    carom_row_table float_rows; /* periodic f32: the same rounded to float */
    uint64_t expected_rows;     /* rows a call that ran out of memory needed: room is made for them first next time */
    carom_chunk_pool chunks;
    carom_radix_sort sort;
};

/* A buffer to be made large enough: a carom_work, or what carom_context_part_work gives. */
typedef struct carom_work_need {
    uint32_t which;
    uint64_t bytes;
} carom_work_need;

/* Reserves all of `need`. On failure returns MEMORY and sets *required to a memory limit under which all of
 * them fit beside what else the context holds. required may be NULL. */
carom_status carom_context_reserve(carom_context *context, const carom_work_need *need, uint32_t count,
                                   uint64_t *required);

/* How much room buffers get beyond the need. Calls that follow one another need a little more each time. */
typedef enum carom_headroom {
    CAROM_HEADROOM_NONE, /* a single call: as much as it needs */
    CAROM_HEADROOM_GROW, /* a step that only follows a list: a buffer that is too small grows to a quarter more */
    CAROM_HEADROOM_AHEAD /* a step that has rebuilt its list: so does a buffer that is nearly full */
} carom_headroom;

/* Grows buffers by a quarter more than `need` as the headroom asks for it. Does nothing under a memory limit, which
 * must be enough for the bare need, and leaves it to carom_context_reserve to report what cannot be had. */
void carom_context_reserve_more(carom_context *context, const carom_work_need *need, uint32_t count,
                                carom_headroom headroom);

/* A quarter more; and an eighth more: a buffer of less is nearly full. */
static inline uint64_t carom_context_more(uint64_t bytes) {
    return carom_size_add(bytes, bytes / 4);
}

static inline uint64_t carom_context_nearly(uint64_t bytes) {
    return carom_size_add(bytes, bytes / 8);
}

static inline uint32_t carom_context_part_work(uint32_t depth, uint32_t which) {
    return CAROM_WORK_COUNT + depth * CAROM_PART_COUNT + which;
}

static inline void *carom_context_work(const carom_context *context, uint32_t which) {
    return context->work[which].data;
}

/* Sets the workers of a call: no more than have something to do. */
void carom_context_use_workers(carom_context *context, uint64_t bodies);

/* Gives back everything the context holds but itself. */
void carom_context_release_work(carom_context *context);

#endif
