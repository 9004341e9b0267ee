/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Tasks and the queue from which workers take them. A task is a run of cells, a run of the entries of one large cell,
 * or a run of a list of pairs. In: tasks with a begin and an end, in the order that their rows shall have. Out: for
 * each task its number of rows, and where these begin. Tasks are the same for any number of workers, and so is the
 * order of the contact rows. */
#ifndef CAROM_DETECT_JOB_TASK_QUEUE_H
#define CAROM_DETECT_JOB_TASK_QUEUE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "kernel/store/chunk_pool.h"

typedef enum carom_task_state {
    CAROM_TASK_OPEN,    /* not searched yet */
    CAROM_TASK_COUNTED, /* searched: its number of rows is final */
    CAROM_TASK_WRITTEN  /* its rows are in the table, and its chunks are back in the pool */
} carom_task_state;

typedef struct carom_task {
    uint32_t begin;         /* first cell, entry or pair */
    uint32_t end;           /* the one after the last; begin <= end */
    uint64_t rows;          /* found so far */
    uint64_t first_row;     /* where its rows begin in the table, once all earlier tasks are counted */
    uint64_t blocks;        /* delivered to the sink so far */
    carom_chunk *head;      /* pairs whose rows are not in the table yet; NULL with one worker */
    carom_chunk *tail;      /* the last of these chunks, the only one that is not full */
    _Atomic uint32_t state; /* carom_task_state */
} carom_task;

/* How far the tasks are done, as numbers of leading tasks: finished <= writing <= placed <= count. With one worker
 * all three count the tasks that have ended. Where rows are not stored, several workers leave them at 0. */
typedef struct carom_task_queue {
    carom_task *tasks;           /* of all parts so far */
    uint64_t count;              /* how many there are */
    uint64_t first;              /* the first of those that workers search now */
    uint64_t placed;             /* leading tasks whose first rows are known */
    uint64_t placed_rows;        /* rows of these */
    uint64_t writing;            /* leading tasks whose rows are written, or some worker is writing them */
    uint64_t window;             /* how many tasks workers may run ahead of `finished`; UINT64_MAX: any */
    uint64_t widest_window;      /* of all parts so far: how far beyond `finished` a claimed task may lie */
    _Atomic uint64_t next;       /* the task that the next worker takes; runs past `count` at the end */
    _Atomic uint64_t next_write; /* the same where all workers write rows together */
    _Atomic uint64_t finished;   /* leading tasks whose rows are certainly written */
    _Atomic uint32_t paused;     /* 1: some worker reached the end of the window, and all are to return */
    _Atomic uint32_t placing; /* lock of the plain members above and of the table's size: 1 while a worker holds it */
    _Atomic uint32_t writers; /* workers that write rows to the table: while there are any, it stays where it is */
} carom_task_queue;

/* Checked builds, while no worker runs: the counts follow one another, the first rows of placed tasks are the sums of
 * the rows before them, and where rows are stored the chunks of a task hold all its pairs until they are written.
 * Returns NULL or what is wrong. */
const char *carom_task_queue_validate(const carom_task_queue *queue, bool stored);

#endif
