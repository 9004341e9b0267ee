/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/detect/results/tasks_tmpl.h"

#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/detect/results/rows_tmpl.h"
#include "kernel/sys/clock.h"

/* The first 1 / PREDICT_SHARE of the tasks predict how many rows all tasks have; the table gets PREDICT_MORE times as
 * much. */
enum { PREDICT_SHARE = 16 };
static const double PREDICT_MORE = 1.125;
/* Workers may run ahead of the oldest unfinished task by this share of the tasks, and by some more for each worker. */
enum { WINDOW_SHARE = 8, WINDOW_EACH = 4 };
/* Bodies of the tasks that a worker takes one after the other, and the share of the tasks at most that all of these
 * are: see claimed_task. */
enum { RUN_BODIES = 4096, ROUND_SHARE = 16 };
/* Tasks whose rows one worker writes before it takes its next task. */
enum { WRITTEN_AT_ONCE = 8 };

/* Memory for rows gave out. From now on no worker stores any, but all go on counting: the caller is told how much
 * memory is enough. */
static void overflow(carom_detect_job *job) {
    atomic_store_explicit(&job->rows.overflowed, 1, memory_order_relaxed);
}

static bool has_overflowed(const carom_detect_job *job) {
    return atomic_load_explicit(&job->rows.overflowed, memory_order_relaxed) != 0;
}

/* The rows of all known tasks, and some more, if the others have as many as the first `done`. Returns 0 if these are
 * too few to tell. */
static uint64_t predict_rows(const carom_task_queue *queue, uint64_t done, uint64_t rows) {
    if (done == 0 || done < queue->count / PREDICT_SHARE) {
        return 0;
    }
    const double all = (double)rows / (double)done * (double)queue->count;
    return (uint64_t)(all * PREDICT_MORE);
}

/* Tasks of a run, 1 or more. */
static uint64_t run_length(uint64_t bodies, uint64_t tasks, uint64_t workers) {
    const uint64_t most = tasks / (ROUND_SHARE * workers);
    const uint64_t wanted = bodies > 0 ? RUN_BODIES * tasks / bodies : 1;
    const uint64_t length = wanted < most ? wanted : most;
    return length > 0 ? length : 1;
}

/* How far beyond the window tasks of a round may lie: none if they are claimed in order. A window has room for that. */
static uint64_t reach_of_round(uint64_t bodies, uint64_t tasks, uint64_t workers) {
    const uint64_t length = run_length(bodies, tasks, workers);
    return length > 1 ? length * workers : 0;
}

/* Tasks that follow one another are close in space, and unite slots in the same cache lines. So they are claimed in
 * rounds of a run for each worker, whose tasks are claimed in turns: workers that claim in turns, as they mostly do, are
 * far from one another. Which worker takes which task makes no difference to results. */
static uint64_t claimed_task(const carom_detect_job *job, uint64_t claim) {
    const carom_task_queue *queue = &job->queue;
    const uint64_t workers = job->context->team.workers;
    const uint64_t tasks = queue->count - queue->first;
    const uint64_t length = run_length(job->bodies->count, tasks, workers);
    const uint64_t round = length * workers;
    const uint64_t within = (claim - queue->first) % round;
    const uint64_t begin = claim - within;
    return begin + round > queue->count ? claim : begin + within % workers * length + within / workers;
}

/* One worker: the rows of a task follow those of the task before it, so their place is known at once. */
static void append_to_table(carom_detect_job *job, const carom_task *task, const carom_hits *hits) {
    carom_row_table *rows = &job->context->rows;
    const uint64_t at = task->first_row + task->rows;
    CAROM_ASSERT(task->head == NULL && task->first_row == job->queue.placed_rows);
    if (at + hits->count > rows->capacity) {
        const uint64_t predicted = predict_rows(&job->queue, (uint64_t)(task - job->queue.tasks), task->first_row);
        if (carom_row_table_grow(rows, &job->context->memory, job->context->team.control, job->rows.shape,
                                 at + hits->count, predicted, at) != CAROM_OK) {
            overflow(job);
            return;
        }
    }
    carom_rows_write(job, 0, rows->block.data, rows->capacity, at, hits);
}

/* Bytes of the answers in a full chunk. */
static uint64_t answer_bytes(const carom_detect_job *job) {
    return carom_rows_answer_bytes(job, CAROM_CHUNK_PAIRS);
}

/* The last chunk of the task, if it has room; else a new one. NULL when memory gives out. */
static carom_chunk *chunk_with_room(carom_detect_job *job, carom_task *task) {
    carom_memory *memory = &job->context->memory;
    carom_chunk *chunk = task->tail;
    if (chunk == NULL || chunk->count == CAROM_CHUNK_PAIRS) {
        chunk = carom_chunk_take(&job->context->chunks, memory);
        if (chunk != NULL) {
            *(task->tail == NULL ? &task->head : &task->tail->next) = chunk;
            task->tail = chunk;
        }
    }
    return chunk != NULL && carom_chunk_reserve_answers(chunk, memory, answer_bytes(job)) ? chunk : NULL;
}

/* The pairs in a chunk. */
static carom_hits hits_of(const carom_detect_job *job, const carom_chunk *chunk) {
    return (carom_hits){chunk->count, chunk->slot_i, chunk->slot_k, job->rows.answered ? chunk->answer : NULL};
}

static void append_to_chunk(carom_chunk *chunk, const carom_hits *hits) {
    memcpy(chunk->slot_i + chunk->count, hits->slot_i, hits->count * sizeof *hits->slot_i);
    memcpy(chunk->slot_k + chunk->count, hits->slot_k, hits->count * sizeof *hits->slot_k);
    if (hits->answer != NULL) {
        memcpy((carom_shape_answer *)chunk->answer + chunk->count, hits->answer, hits->count * sizeof *hits->answer);
    }
    chunk->count += hits->count;
}

/* Several workers: pairs wait in chunks for the place of their rows. Every chunk but the last is full. */
static void append_to_chunks(carom_detect_job *job, carom_task *task, const carom_hits *hits) {
    for (uint32_t begin = 0; begin < hits->count;) {
        carom_chunk *chunk = chunk_with_room(job, task);
        if (chunk == NULL) {
            overflow(job);
            return;
        }
        const uint32_t room = CAROM_CHUNK_PAIRS - chunk->count;
        const uint32_t left = hits->count - begin;
        const carom_hits fits = carom_hits_part(hits, begin, left < room ? left : room);
        append_to_chunk(chunk, &fits);
        begin += fits.count;
    }
}

void carom_tasks_append(carom_detect_job *job, carom_task *task, const carom_hits *hits) {
    CAROM_ASSERT(job->rows.destination == CAROM_ROWS_STORED);
    CAROM_ASSERT(hits->count <= CAROM_HITS_MAX);
    if (hits->count == 0 || has_overflowed(job)) {
        return;
    }
    if (job->context->team.workers == 1) {
        append_to_table(job, task, hits);
    } else {
        append_to_chunks(job, task, hits);
    }
}

/* Writes the rows of a task's chunks to their place in the table, and gives the chunks back. */
static void write_chunks(carom_detect_job *job, uint32_t worker, carom_task *task) {
    carom_row_table *rows = &job->context->rows;
    uint64_t at = task->first_row;
    uint64_t chunks = 0;
    for (const carom_chunk *chunk = task->head; chunk != NULL; chunk = chunk->next) {
        const carom_hits hits = hits_of(job, chunk);
        carom_rows_write(job, worker, rows->block.data, rows->capacity, at, &hits);
        at += chunk->count;
        chunks++;
    }
    CAROM_ASSERT(has_overflowed(job) || at == task->first_row + task->rows);
    carom_chunk_give(&job->context->chunks, task->head, task->tail, chunks);
    task->head = NULL;
    task->tail = NULL;
}

void carom_tasks_begin(carom_detect_job *job, carom_task *task) {
    CAROM_ASSERT(task->begin <= task->end);
    CAROM_ASSERT(task->rows == 0 && task->head == NULL && task->state == CAROM_TASK_OPEN);
    if (job->context->team.workers == 1) {
        task->first_row = job->queue.placed_rows;
    }
}

/* Gives rows their places as far as tasks are counted without a gap. The caller holds queue->placing, or is alone. */
static void place_tasks(carom_task_queue *queue) {
    uint64_t t = queue->placed;
    for (; t < queue->count; t++) {
        carom_task *task = &queue->tasks[t];
        if (atomic_load_explicit(&task->state, memory_order_acquire) == CAROM_TASK_OPEN) {
            break; /* `acquire`: what its worker has counted is seen here */
        }
        task->first_row = queue->placed_rows;
        queue->placed_rows += task->rows;
    }
    queue->placed = t;
}

/* Enlarges a table that is too small, unless some worker writes to it or it is too early to predict the size. */
static void enlarge_table(carom_detect_job *job) {
    carom_task_queue *queue = &job->queue;
    carom_row_table *rows = &job->context->rows;
    const uint64_t predicted = predict_rows(queue, queue->placed, queue->placed_rows);
    if (queue->placed_rows <= rows->capacity || predicted == 0 ||
        atomic_load_explicit(&queue->writers, memory_order_acquire) != 0) {
        return;
    }
    /* If there is no memory now, there may be once all rows are counted. */
    (void)carom_row_table_grow(rows, &job->context->memory, job->context->team.control, job->rows.shape,
                               queue->placed_rows, predicted, queue->tasks[queue->writing].first_row);
}

/* Claims up to `most` tasks whose rows fit the table and are not being written: tasks *begin to *end - 1. */
static void claim_placed(carom_detect_job *job, uint64_t most, uint64_t *begin, uint64_t *end) {
    carom_task_queue *queue = &job->queue;
    uint64_t t = queue->writing;
    *begin = t;
    CAROM_ASSERT(t <= queue->placed && queue->placed <= queue->count);
    while (t < queue->placed && t - *begin < most &&
           queue->tasks[t].first_row + queue->tasks[t].rows <= job->context->rows.capacity) {
        t++;
    }
    queue->writing = t;
    *end = t;
}

static void write_task(carom_detect_job *job, uint32_t worker, carom_task *task) {
    if (task->head != NULL) {
        write_chunks(job, worker, task);
    }
    atomic_store_explicit(&task->state, CAROM_TASK_WRITTEN, memory_order_release);
}

/* What all workers do in write_from: each writes the next task that nobody has taken. */
static void write_tasks(void *data, uint32_t worker) {
    carom_detect_job *job = data;
    carom_task_queue *queue = &job->queue;
    carom_control *control = job->context->team.control;
    uint64_t t = carom_team_claim(&queue->next_write);
    while (t < queue->writing && !carom_control_note(control, 1, queue->writing)) {
        write_task(job, worker, &queue->tasks[t]);
        t = carom_team_claim(&queue->next_write);
    }
}

/* All workers write the rows of the tasks from `first` to the last one claimed. */
static void write_from(carom_detect_job *job, uint64_t first) {
    atomic_store_explicit(&job->queue.next_write, first, memory_order_relaxed);
    if (first < job->queue.writing) {
        carom_team_run(&job->context->team, write_tasks, job);
    }
}

/* Moves `finished` to the first task that is not written: tasks are claimed in order, but end in any. */
static void note_finished(carom_task_queue *queue) {
    uint64_t t = atomic_load_explicit(&queue->finished, memory_order_relaxed);
    while (t < queue->writing &&
           atomic_load_explicit(&queue->tasks[t].state, memory_order_acquire) == CAROM_TASK_WRITTEN) {
        t++;
    }
    atomic_store_explicit(&queue->finished, t, memory_order_relaxed);
}

/* Places rows and writes some. The caller holds queue->placing, which is released before the rows are written. */
static void write_some(carom_detect_job *job, carom_worker *worker) {
    carom_task_queue *queue = &job->queue;
    double clock = carom_clock_seconds();
    uint64_t begin;
    uint64_t end;
    CAROM_ASSERT(queue->placing == 1);
    place_tasks(queue);
    enlarge_table(job);
    claim_placed(job, WRITTEN_AT_ONCE, &begin, &end);
    note_finished(queue);
    /* Before the lock is released: nobody may move the table under this worker. */
    atomic_fetch_add_explicit(&queue->writers, 1, memory_order_relaxed);
    atomic_store_explicit(&queue->placing, 0, memory_order_release);
    clock = carom_job_worker_lap(worker, CAROM_PHASE_COLLECT, clock);
    for (uint64_t t = begin; t < end && !carom_control_look(job->context->team.control); t++) {
        write_task(job, (uint32_t)(worker - job->workers), &queue->tasks[t]);
    }
    atomic_fetch_sub_explicit(&queue->writers, 1, memory_order_release);
    const bool contacts = job->config->until >= CAROM_UNTIL_APPROACH;
    carom_job_worker_lap(worker, contacts ? CAROM_PHASE_APPROACH : CAROM_PHASE_COLLECT, clock);
}

/* One worker: the task has its place, and its rows are there already. */
static void end_alone(carom_task_queue *queue, carom_task *task) {
    CAROM_ASSERT(task == &queue->tasks[queue->placed]);
    queue->placed++;
    queue->placed_rows += task->rows;
    queue->writing = queue->placed;
    atomic_store_explicit(&task->state, CAROM_TASK_WRITTEN, memory_order_relaxed);
    atomic_store_explicit(&queue->finished, queue->placed, memory_order_relaxed);
}

/* Nobody waits: a worker that finds another one placing rows leaves them to it, or in the end to the join. */
void carom_tasks_end(carom_detect_job *job, carom_worker *worker, carom_task *task) {
    carom_task_queue *queue = &job->queue;
    if (job->context->team.workers == 1) {
        end_alone(queue, task);
        return;
    }
    atomic_store_explicit(&task->state, CAROM_TASK_COUNTED, memory_order_release);
    if (job->rows.destination == CAROM_ROWS_STORED &&
        atomic_exchange_explicit(&queue->placing, 1, memory_order_acquire) == 0) {
        write_some(job, worker);
    }
}

void carom_tasks_start(carom_detect_job *job, uint64_t first) {
    carom_task_queue *queue = &job->queue;
    const uint64_t workers = job->context->team.workers;
    CAROM_ASSERT(first <= queue->count);
    CAROM_ASSERT(queue->count == 0 || queue->tasks != NULL);
    /* A run of few tasks has a window too: every worker can have some tasks that wait. */
    const uint64_t window = (queue->count - first) / WINDOW_SHARE + WINDOW_EACH * workers;
    queue->first = first;
    atomic_store_explicit(&queue->next, first, memory_order_relaxed);
    atomic_store_explicit(&queue->paused, 0, memory_order_relaxed);
    const bool stores = job->rows.destination == CAROM_ROWS_STORED && workers > 1;
    queue->window = stores ? window - reach_of_round(job->bodies->count, queue->count - first, workers) : UINT64_MAX;
    const uint64_t widest = stores ? window : UINT64_MAX;
    queue->widest_window = widest > queue->widest_window ? widest : queue->widest_window;
}

/* Relaxed throughout: a worker that sees old values only takes one task more than the window has room for. */
bool carom_tasks_take(carom_detect_job *job, uint64_t *task) {
    carom_task_queue *queue = &job->queue;
    const uint64_t next = atomic_load_explicit(&queue->next, memory_order_relaxed);
    const uint64_t finished = atomic_load_explicit(&queue->finished, memory_order_relaxed);
    if (next > finished && next - finished >= queue->window) {
        atomic_store_explicit(&queue->paused, 1, memory_order_relaxed);
    }
    if (atomic_load_explicit(&queue->paused, memory_order_relaxed) != 0) {
        return false;
    }
    const uint64_t claim = carom_team_claim(&queue->next);
    *task = claim < queue->count ? claimed_task(job, claim) : claim;
    return claim < queue->count && !carom_control_note(job->context->team.control, 1, queue->count - queue->first);
}

bool carom_tasks_resume(carom_detect_job *job) {
    carom_task_queue *queue = &job->queue;
    CAROM_ASSERT(queue->writers == 0 && queue->placing == 0);
    if (atomic_load_explicit(&queue->paused, memory_order_relaxed) == 0) {
        return false;
    }
    uint64_t begin;
    uint64_t end;
    place_tasks(queue);
    enlarge_table(job);
    claim_placed(job, UINT64_MAX, &begin, &end);
    write_from(job, begin);
    note_finished(queue);
    if (queue->writing < queue->placed) {
        /* There is no memory for a larger table now. To wait for it would be in vain: chunks must do until the join. */
        queue->window = UINT64_MAX;
        queue->widest_window = UINT64_MAX;
    }
    atomic_store_explicit(&queue->paused, 0, memory_order_relaxed);
    return atomic_load_explicit(&queue->next, memory_order_relaxed) < queue->count;
}

uint64_t carom_tasks_count_rows(carom_detect_job *job) {
    place_tasks(&job->queue);
    CAROM_ASSERT(job->queue.placed == job->queue.count);
    return job->queue.placed_rows;
}

carom_status carom_tasks_join(carom_detect_job *job) {
    carom_row_table *table = &job->context->rows;
    carom_task_queue *queue = &job->queue;
    const uint64_t first = queue->writing;
    const uint64_t rows = queue->placed_rows;
    CAROM_ASSERT(queue->placed == queue->count);
    if (first == queue->count) {
        return CAROM_OK;
    }
    carom_status status = carom_row_table_grow(table, &job->context->memory, job->context->team.control,
                                               job->rows.shape, rows, rows, queue->tasks[first].first_row);
    if (status == CAROM_OK) {
        queue->writing = queue->count;
        write_from(job, first);
        if (carom_job_stopped(job)) {
            return CAROM_ERROR_CANCELLED;
        }
        note_finished(queue);
        CAROM_ASSERT(queue->finished == queue->count);
        CAROM_VALIDATE(carom_task_queue_validate(queue, true));
    }
    return status;
}

uint64_t carom_tasks_chunk_bytes(const carom_detect_job *job) {
    uint64_t chunks = 0;
    for (uint64_t t = 0; t < job->queue.count; t++) {
        chunks += carom_chunk_count(job->queue.tasks[t].rows);
    }
    return carom_size_multiply(chunks, carom_chunk_bytes() + answer_bytes(job));
}

/* The chunks that are in use at once if a worker is kept from its task for long. */
static uint64_t most_chunks(const carom_detect_job *job) {
    const carom_task_queue *queue = &job->queue;
    const uint64_t window = carom_size_add(queue->widest_window, job->context->team.workers);
    uint64_t most = 0;
    uint64_t now = 0;
    for (uint64_t t = 0; t < queue->count; t++) {
        now += carom_chunk_count(queue->tasks[t].rows);
        if (t >= window) {
            now -= carom_chunk_count(queue->tasks[t - window].rows);
        }
        most = now > most ? now : most;
    }
    return most;
}

void carom_tasks_keep_chunks(carom_detect_job *job) {
    if (job->context->team.workers > 1) {
        carom_chunk_pool_reserve(&job->context->chunks, &job->context->memory, most_chunks(job),
                                 answer_bytes(job));
    }
}

/* Every task in the window may have a chunk that is not full. */
uint64_t carom_tasks_chunk_bound(const carom_detect_job *job, uint64_t tasks, uint64_t rows) {
    const uint64_t workers = job->context->team.workers;
    const uint64_t window = tasks / WINDOW_SHARE + (WINDOW_EACH + 1) * workers;
    const uint64_t chunks = carom_size_add(rows / CAROM_CHUNK_PAIRS, window < tasks ? window : tasks);
    return workers > 1 ? carom_size_multiply(chunks, carom_chunk_bytes() + answer_bytes(job)) : 0;
}
