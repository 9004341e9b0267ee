/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What a context owns between calls: threads, instruction set, memory, and the buffers that calls reuse.
 *
 * A call reserves the buffers it needs and leaves them allocated, so that the next call of the same size allocates
 * nothing. A buffer's contents mean nothing to the next call. */
#ifndef CAROM_STORE_CONTEXT_H
#define CAROM_STORE_CONTEXT_H

#include <stdatomic.h>

#include "carom/context.h"
#include "carom/periodic.h"
#include "kernel/sort/radix_sort.h"
#include "kernel/store/chunk_pool.h"
#include "kernel/store/row_table.h"
#include "kernel/sys/memory.h"
#include "kernel/sys/team.h"
#include "simd/dispatch.h"

/* Buffers by what is in them. Each grows to the largest call. */
typedef enum carom_work {
    CAROM_WORK_WORKERS,     /* state of each worker */
    CAROM_WORK_SHARES,      /* a number of each worker: see carom_context_shares */
    CAROM_WORK_SAMPLE,      /* the sample of the part that is surveyed */
    CAROM_WORK_TASKS,       /* the task queue */
    CAROM_WORK_CELL_SPACE,  /* a carom_cell_workspace for each worker */
    CAROM_WORK_SHARED_CELL, /* one for a cell that all workers sweep */
    CAROM_WORK_BOX_COLUMNS, /* boxes of all records, for cells that are not swept, */
    CAROM_WORK_CANDIDATES,  /* and each worker's candidates of a cell */
    CAROM_WORK_PARENT,      /* groups, see carom_group_workspace: from here to BODY one entry for each slot */
    CAROM_WORK_LEAST,
    CAROM_WORK_GROUP_SIZE,
    CAROM_WORK_GROUP_SPARE,
    CAROM_WORK_BODY,
    CAROM_WORK_LABEL,    /* label of each body */
    CAROM_WORK_MEMBER,   /* member lists of groups: the members of all groups, */
    CAROM_WORK_OFFSET,   /* where each group begins among them, */
    CAROM_WORK_GROUPED,  /* and which labels have more than one member */
    CAROM_WORK_SORT_KEY, /* keys and payloads of radix sorts, and their spare halves */
    CAROM_WORK_SORT_SPARE_KEY,
    CAROM_WORK_SORT_PAYLOAD,
    CAROM_WORK_SORT_SPARE_PAYLOAD,
    CAROM_WORK_BOUNDS,        /* boxes that a call returns */
    CAROM_WORK_IMAGE_WORKERS, /* periodic boxes, five buffers: see images.h */
    CAROM_WORK_IMAGE_WRAP,
    CAROM_WORK_IMAGE_CANDIDATE,
    CAROM_WORK_IMAGE_FIELDS,
    CAROM_WORK_IMAGE,
    CAROM_WORK_FILTER,           /* what pairs are filtered by, in the order of the records */
    CAROM_WORK_FILTER_PART_BITS, /* likewise */
    CAROM_WORK_FILTER_TRACES,
    CAROM_WORK_FILTER_SLOT_TRACES, /* traces in the order of the records */
    CAROM_WORK_BLOCKS,             /* a block of rows for each worker, for the caller's sink */
    CAROM_WORK_NEIGHBOUR_OFFSET,   /* neighbour lists: where each begins, */
    CAROM_WORK_NEIGHBOUR_BODY,     /* the other bodies, */
    CAROM_WORK_NEIGHBOUR_PAIR,     /* and the row of each pair */
    CAROM_WORK_SLOT_ORDER,         /* the bodies in the order of the cells, */
    CAROM_WORK_SLOT_SORTED,        /* and those of one cell while they are sorted */
    CAROM_WORK_QUERY_TREE,         /* queries: boxes of all records and a tree over them, */
    CAROM_WORK_QUERY_ORDER,        /* the records in the order of the boxes, */
    CAROM_WORK_QUERY_KEY,          /* by which they are sorted, */
    CAROM_WORK_QUERY_RECORD,       /* the probes, in a periodic box with their images, */
    CAROM_WORK_QUERY_PLACED,       /* of a periodic box: the probes in the cell, */
    CAROM_WORK_QUERY_WRAP,         /* the edges taken from each, */
    CAROM_WORK_QUERY_FIRST_VIEW,   /* its first image, */
    CAROM_WORK_QUERY_VIEW,         /* and the images, */
    CAROM_WORK_QUERY_FIRST,        /* of each probe its first candidate, */
    CAROM_WORK_QUERY_KEPT,         /* how many candidates are left, */
    CAROM_WORK_QUERY_OFFSET,       /* and its first row, */
    CAROM_WORK_QUERY_BODY,         /* the bodies of the candidates, */
    CAROM_WORK_QUERY_SLOT,         /* and their records */
    CAROM_WORK_PAIR_BLOCKS,        /* a block of pairs for each worker, for distances and times of impact */
    CAROM_WORK_SHAPE_BOXES,        /* swept boxes of bodies with shapes */
    CAROM_WORK_LIST_IMAGE_RANGES,  /* lists by cells: what each worker knows of images in a periodic box, */
    CAROM_WORK_LIST_CANDIDATES,    /* bodies that have images, */
    CAROM_WORK_LIST_IMAGES,        /* these, on all sides, */
    CAROM_WORK_LIST_RANGES,        /* what each worker knows of the bodies, */
    CAROM_WORK_LIST_CELLS,         /* where cells begin, */
    CAROM_WORK_LIST_SLOT_OF,       /* the slot of each body, */
    CAROM_WORK_LIST_RECORDS,       /* the bodies by slot, */
    CAROM_WORK_LIST_SLOTS,         /* places, radii and ways field by field, */
    CAROM_WORK_LIST_WORDS,         /* where each cell's bits begin, */
    CAROM_WORK_LIST_ROWS,          /* how many of each cell's bodies have rows, */
    CAROM_WORK_LIST_BITS,          /* the bits, */
    CAROM_WORK_LIST_LENGTH,        /* the length of each row, */
    CAROM_WORK_LIST_PLACES,        /* where each cell's pairs begin, */
    CAROM_WORK_LIST_SCRATCH,       /* each worker's candidates, */
    CAROM_WORK_LIST_CLAIMS,        /* and what it has claimed, */
    CAROM_WORK_LIST_SHIFT,         /* and, of a periodic box, the shift of each entry */
    CAROM_WORK_DIRECT,             /* boxes and pairs of few bodies */
    CAROM_WORK_WORLDS_RECORDS,     /* worlds: records of a window, */
    CAROM_WORK_WORLDS_TASKS,       /* its tasks, */
    CAROM_WORK_WORLDS_BLOCKS,      /* a block for each worker, */
    CAROM_WORK_WORLDS_CLAIMS,      /* and what it has claimed, */
    CAROM_WORK_WORLDS_COUNTS,      /* what is in each world, */
    CAROM_WORK_WORLDS_OFFSET,      /* where its rows begin, */
    CAROM_WORK_WORLDS_LABEL,       /* and the labels of all bodies */
    CAROM_WORK_COUNT
} carom_work;

/* Buffers of a part of the scene: all of it, or a crowded cell searched as a scene of its own. Parts of the same depth
 * are searched one after another and share them. */
typedef enum carom_part_work {
    CAROM_PART_CODE,             /* slot of each body. That of the whole scene is read until groups are labelled */
    CAROM_PART_NEXT,             /* carom_partition_workspace.next */
    CAROM_PART_START,            /* first record of each code */
    CAROM_PART_RECORDS,          /* the records */
    CAROM_PART_CROWDED,          /* numbers of the crowded cells */
    CAROM_PART_OVERSIZED_LOW,    /* carom_visit_workspace.low */
    CAROM_PART_VISIT_START,      /* .start */
    CAROM_PART_VISIT_CELL,       /* .cell */
    CAROM_PART_VISIT,            /* .visit */
    CAROM_PART_VISIT_SPARE_CELL, /* .spare_cell */
    CAROM_PART_VISIT_SPARE,      /* .spare_visit */
    CAROM_PART_BODIES,           /* the seven arrays of the part's bodies */
    CAROM_PART_SLOT,             /* slot of each of them in the scene */
    CAROM_PART_EARLIER,          /* their `earlier` bits in the parts above */
    CAROM_PART_COUNT
} carom_part_work;

/* Parts within parts. An entry has 32 `earlier` bits, four for each depth. */
enum { CAROM_PART_DEPTHS = 8, CAROM_WORK_ALL = CAROM_WORK_COUNT + CAROM_PART_DEPTHS * CAROM_PART_COUNT };

/* What steps keep between calls: kernel/api makes it, and knows what it is. */
typedef struct carom_context_step {
    void *state; /* NULL: there was no step yet */
    void (*release)(carom_context *context);
} carom_context_step;

/* The periodic box of a detection, for queries. */
typedef struct carom_context_box {
    bool periodic;            /* else the rest means nothing */
    carom_periodic given;     /* as the caller gave it */
    const int32_t (*wrap)[3]; /* a body: edges taken from its position to place it in the cell; NULL: none */
    bool ranged;              /* a query has set these: */
    double lo[3];             /* range of the bodies' boxes in the lattice, in edges of the reduced basis; */
    double hi[3];
    double low[3]; /* and along the axes */
    double high[3];
} carom_context_box;

/* What the last detection or coherent step leaves for queries: all but `searchable` is set by every detection, also by
 * those that are parts of other calls. */
typedef struct carom_context_partition {
    const void *records; /* by slot, of the precision of `bits`; in a buffer of the context or of a coherent state */
    uint64_t count;      /* records: of the caller's bodies, which have the lower numbers, and of their images */
    uint64_t owned;      /* the caller's bodies */
    double centre[3];    /* boxes are relative to it */
    uint32_t bits;       /* 32 or 64; in a periodic box 64 */
    uint32_t asked;      /* precision of the call, 32 or 64 */
    bool searchable;     /* it is of the context's last call */
    bool indexed;        /* CAROM_WORK_QUERY_TREE has the tree */
    carom_context_box box;
} carom_context_partition;

struct carom_context {
    carom_team team;                   /* as many workers as the call uses, at most `threads` */
    uint32_t threads;                  /* workers of a large call, at least 1 */
    uint64_t bodies_per_thread;        /* bodies that are worth a thread, at least 1 */
    carom_memory memory;               /* the allocator, its limit and its account */
    const carom_simd *simd;            /* the kernels of the instruction set */
    carom_buffer work[CAROM_WORK_ALL]; /* by carom_work, then by depth and carom_part_work */
    carom_row_table rows;              /* the contacts that a call returns */
    carom_row_table spare_rows;        /* where they are sorted */
    carom_row_table float_rows;        /* periodic f32: the same rounded to float */
    carom_row_table query_rows;        /* the contacts that a query returns */
    carom_row_table query_float_rows;  /* periodic f32: the same rounded to float */
    carom_row_table worlds_rows;       /* and those of many worlds */
    carom_context_partition partition; /* for queries */
    uint64_t expected_rows;            /* rows that a call without memory for them needed, else 0: reserved first */
    carom_chunk_pool chunks;           /* pairs of tasks that run ahead */
    carom_radix_sort sort;             /* histograms */
    carom_context_step step;           /* its memory is not among what a detection may release */
    bool worlds_held;                  /* a call for many worlds is under way: what it has is not to be released */
    atomic_bool in_use;                /* by a call */
};

/* Takes the context for a call. Errors: ARGUMENT if another call has it, on another thread or further up this one. */
carom_status carom_context_take(carom_context *context, carom_error *error);

/* The same for a query, which leaves what the last call has kept for queries. */
carom_status carom_context_take_again(carom_context *context, carom_error *error);

/* Gives it back. */
void carom_context_give_back(carom_context *context);

/* A buffer that a stage needs. */
typedef struct carom_work_need {
    uint32_t which; /* a carom_work, or a carom_context_part_work */
    uint64_t bytes; /* 0 is allowed */
} carom_work_need;

/* Makes all buffers of `need` large enough. Their contents are lost if they grow. On failure it returns MEMORY and sets
 * *required to a memory limit under which all of them fit beside what else the context holds. required may be NULL. */
carom_status carom_context_reserve(carom_context *context, const carom_work_need *need, uint32_t count,
                                   uint64_t *required);

/* How much room buffers get beyond the need. Each step of a moving scene may need a little more than the one before. */
typedef enum carom_headroom {
    CAROM_HEADROOM_NONE, /* a single call: no more than it needs */
    CAROM_HEADROOM_GROW, /* a step that follows a list: a buffer that is too small grows to 5/4 of the need */
    CAROM_HEADROOM_AHEAD /* a step that has rebuilt its list: a buffer with less than 9/8 of the need grows too */
} carom_headroom;

/* Grows buffers to 5/4 of `need` where the headroom asks for it. Does nothing under a memory limit, which must be
 * enough for the bare need. Reports nothing: carom_context_reserve does if even the bare need cannot be had. */
void carom_context_reserve_more(carom_context *context, const carom_work_need *need, uint32_t count,
                                carom_headroom headroom);

/* Room for a quarter more. */
static inline uint64_t carom_context_more(uint64_t bytes) {
    return carom_size_add(bytes, bytes / 4);
}

/* A buffer of less is nearly full. */
static inline uint64_t carom_context_nearly(uint64_t bytes) {
    return carom_size_add(bytes, bytes / 8);
}

/* The buffer of a part at a depth, 0 to CAROM_PART_DEPTHS - 1. */
static inline uint32_t carom_context_part_work(uint32_t depth, uint32_t which) {
    return CAROM_WORK_COUNT + depth * CAROM_PART_COUNT + which;
}

/* The memory of a buffer; NULL if it has none. */
static inline void *carom_context_work(const carom_context *context, uint32_t which) {
    return context->work[which].data;
}

/* A number of each worker: a pass writes them and the next one reads them, or whoever started both. Nobody leaves
 * anything there for others. Made with the workers of a call; on the stack they would be 8 KiB. */
static inline uint64_t *carom_context_shares(const carom_context *context) {
    return carom_context_work(context, CAROM_WORK_SHARES);
}

/* Sets the number of workers of a call, 1 to context->threads: one for each bodies_per_thread. */
void carom_context_use_workers(carom_context *context, uint64_t bodies);

/* Gives back all memory but the context's own, and but what is held. */
void carom_context_release_work(carom_context *context);

#endif
