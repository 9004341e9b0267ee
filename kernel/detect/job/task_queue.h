/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Tasks and the queue that hands them to workers. A task is a run of cells, a range of one large cell, or a run of a
 * list of pairs. Tasks are the same for any number of workers, and so is the order of the contact rows. */
#ifndef CAROM_DETECT_JOB_TASK_QUEUE_H
#define CAROM_DETECT_JOB_TASK_QUEUE_H

#include <stdatomic.h>
#include <stdint.h>

#include "kernel/store/chunk_pool.h"

typedef enum carom_task_state {
    CAROM_TASK_OPEN,    /* not searched yet */
    CAROM_TASK_COUNTED, /* searched: its number of rows is final */
    CAROM_TASK_WRITTEN  /* its rows are in the table and its chunks are free again */
} carom_task_state;

typedef struct carom_task {
    uint32_t begin; /* first cell or entry */
    uint32_t end;   /* the one after the last */
    uint64_t rows;  /* found so far */
    uint64_t first_row;
    uint64_t blocks;   /* delivered to the sink */
    carom_chunk *head; /* pairs whose rows are not written yet; NULL with one worker */
    carom_chunk *tail;
    _Atomic uint32_t state; /* carom_task_state */
} carom_task;

/* Rows are written once the counts of all earlier tasks are final. `placed`, `written` and `claimed` follow one
 * another: finished <= claimed <= placed <= next. */
typedef struct carom_task_queue {
    carom_task *tasks; /* of all parts so far */
    uint64_t count;
    uint64_t placed;             /* leading tasks whose first rows are known */
    uint64_t placed_rows;        /* rows of these */
    uint64_t claimed;            /* leading tasks whose rows are written or about to be */
    uint64_t window;             /* how far workers may run ahead of `finished` */
    uint64_t widest_window;      /* greatest window of all parts so far */
    _Atomic uint64_t next;       /* the task that the next worker takes */
    _Atomic uint64_t next_write; /* the same where all workers write rows together */
    _Atomic uint64_t finished;   /* leading tasks whose rows are written for certain */
    _Atomic uint32_t paused;     /* some worker reached the end of the window: all are to return */
    _Atomic uint32_t placing; /* lock of the plain members above and of the table's size: 1 while a worker holds it */
    _Atomic uint32_t writers; /* workers that write rows to the table */
} carom_task_queue;

#endif
