/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What must hold of a task queue while no worker runs. One pass over the tasks and the chunks that are not written. */
#include "kernel/detect/job/task_queue.h"

static const char *validate_counts(const carom_task_queue *queue) {
    if (queue->count > 0 && queue->tasks == NULL) {
        return "a queue with tasks has no array of tasks";
    }
    if (queue->placed > queue->count) {
        return "more tasks are placed than there are";
    }
    if (queue->writing > queue->placed) {
        return "a task is claimed before its first row is known";
    }
    if (queue->finished > queue->writing) {
        return "a task is finished before it is claimed";
    }
    if (queue->writers != 0 || queue->placing != 0) {
        return "a worker still holds the queue";
    }
    return NULL;
}

/* Every chunk but the last is full, so that the next pair always goes to the last. */
static const char *validate_chunks(const carom_task *task, uint64_t *pairs) {
    const carom_chunk *last = NULL;
    *pairs = 0;
    for (const carom_chunk *chunk = task->head; chunk != NULL; chunk = chunk->next) {
        if (chunk->count == 0 || chunk->count > CAROM_CHUNK_PAIRS) {
            return "a chunk of a task holds no pair, or more than it has room for";
        }
        if (chunk->next != NULL && chunk->count != CAROM_CHUNK_PAIRS) {
            return "a chunk before the last is not full";
        }
        *pairs += chunk->count;
        last = chunk;
    }
    return last != task->tail ? "the tail of a task is not its last chunk" : NULL;
}

static const char *validate_task(const carom_task *task, bool stored) {
    if (task->begin > task->end) {
        return "a task ends before it begins";
    }
    if (task->state == CAROM_TASK_WRITTEN && task->head != NULL) {
        return "a task is written but still has chunks";
    }
    uint64_t pairs = 0;
    const char *reason = validate_chunks(task, &pairs);
    if (reason != NULL) {
        return reason;
    }
    const bool expected = stored && task->state != CAROM_TASK_WRITTEN;
    return pairs != (expected ? task->rows : 0) ? "the chunks of a task do not hold its rows" : NULL;
}

static const char *validate_places(const carom_task_queue *queue) {
    uint64_t rows = 0;
    for (uint64_t t = 0; t < queue->placed; t++) {
        if (queue->tasks[t].state == CAROM_TASK_OPEN) {
            return "an open task is placed";
        }
        if (t < queue->finished && queue->tasks[t].state != CAROM_TASK_WRITTEN) {
            return "a finished task is not written";
        }
        if (queue->tasks[t].first_row != rows) {
            return "a task does not begin where the one before it ends";
        }
        rows += queue->tasks[t].rows;
    }
    return rows != queue->placed_rows ? "the rows of the placed tasks do not add up" : NULL;
}

const char *carom_task_queue_validate(const carom_task_queue *queue, bool stored) {
    const char *reason = validate_counts(queue);
    for (uint64_t t = 0; t < queue->count && reason == NULL; t++) {
        reason = validate_task(&queue->tasks[t], stored);
    }
    return reason == NULL ? validate_places(queue) : reason;
}
