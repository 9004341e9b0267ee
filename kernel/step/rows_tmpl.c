/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Rows on their way from tasks to one block, in the order of the tasks. One worker, which does all tasks in order,
 * writes them where they stay. Several fill chunks with pairs; as soon as all tasks before one are done the place of
 * its rows is known, and whoever notices makes them there and gives the chunks back. How large the block must be is
 * foretold from the tasks done; what it turns out too small for waits until all rows are counted. */
#include <string.h>

#include "kernel/step/job_tmpl.h"
#include "kernel/sys/clock.h"

/* Share of the tasks, 1 / this, that tells how many rows all will have, and how many times as many there is room for.
 */
enum { FORETELL_SHARE = 16 };
static const double FORETELL_MORE = 1.125;
/* Tasks begun while an earlier one's rows are not in their place: a share of all, and some for each worker. */
enum { WINDOW_SHARE = 8, WINDOW_EACH = 4 };
/* Tasks whose rows one worker makes before it goes on to its next task, where many have waited for one. */
enum { MADE_AT_ONCE = 8 };

void CAROM_REAL(carom_detect_prepare_rows)(carom_detect_job *job) {
    carom_context *context = job->context;
    bool contacts = job->config->until >= CAROM_UNTIL_APPROACH;
    job->shape = (carom_row_shape){contacts ? CAROM_ROW_FIELDS : CAROM_PAIR_FIELDS, sizeof(carom_real),
                                   job->images != NULL ? 3 : 0};
    job->store_rows = !job->config->count_only && !CAROM_REAL(carom_detect_has_sink)(job);
    if (!job->store_rows) {
        return;
    }
    carom_chunk_pool_restart(&context->chunks);
    /* The block may have held rows of another shape; what it can hold of this one is a matter of its bytes. If the room
     * once needed is not to be had now, rows will be lost below and counted. */
    uint64_t keep = carom_rows_bytes(job->shape, 16);
    context->rows.capacity = context->rows.block.bytes / keep * 16;
    if (context->expected_rows > context->rows.capacity) {
        (void)carom_rows_reserve(&context->rows, &context->memory, job->shape, context->expected_rows);
    }
    context->expected_rows = 0;
}

void CAROM_REAL(carom_detect_put_rows)(const carom_detect_job *job, void *block, uint64_t capacity, uint64_t at,
                                       uint32_t count, const uint32_t *slot_i, const uint32_t *slot_k) {
    carom_contact_rows rows = CAROM_REAL(carom_rows_view)(job->shape, block, capacity, at);
    if (job->shape.fields == CAROM_ROW_FIELDS) {
        const carom_contact_in pairs = {job->records, 0, count, slot_i, slot_k, !job->config->all_pairs};
        carom_kernels_of(job->context->simd)->contact(&pairs, &rows);
        return;
    }
    for (uint32_t n = 0; n < count; n++) {
        uint32_t a = (uint32_t)job->records[slot_i[n]].body;
        uint32_t b = (uint32_t)job->records[slot_k[n]].body;
        rows.i[n] = a < b ? a : b;
        rows.k[n] = a < b ? b : a;
    }
}

static void lose_rows(carom_detect_job *job) {
    atomic_store_explicit(&job->rows_lost, 1, memory_order_relaxed);
}

/* The rows of all tasks known, and some more, if the others have as many as the first `done`; 0 if these are too few to
 * tell. */
static uint64_t foretell_rows(const carom_detect_job *job, uint64_t done, uint64_t rows) {
    if (done == 0 || done < job->task_count / FORETELL_SHARE) {
        return 0;
    }
    const double all = (double)rows / (double)done * (double)job->task_count;
    return (uint64_t)(all * FORETELL_MORE);
}

static void append_to_block(carom_detect_job *job, const carom_cell_task *task, uint32_t count, const uint32_t *slot_i,
                            const uint32_t *slot_k) {
    carom_rows *rows = &job->context->rows;
    const uint64_t at = task->first_row + task->rows;
    if (at + count > rows->capacity) {
        const uint64_t foretold = foretell_rows(job, (uint64_t)(task - job->tasks), task->first_row);
        if (carom_rows_grow(rows, &job->context->memory, job->shape, at + count, foretold, at) != CAROM_OK) {
            lose_rows(job);
            return;
        }
    }
    CAROM_REAL(carom_detect_put_rows)(job, rows->block.data, rows->capacity, at, count, slot_i, slot_k);
}

/* Each chunk is filled to the last pair. */
static void append_to_chunks(carom_detect_job *job, carom_cell_task *task, uint32_t count, const uint32_t *slot_i,
                             const uint32_t *slot_k) {
    while (count > 0) {
        carom_chunk *chunk = task->tail;
        if (chunk == NULL || chunk->count == CAROM_CHUNK_PAIRS) {
            chunk = carom_chunk_take(&job->context->chunks, &job->context->memory);
            if (chunk == NULL) {
                lose_rows(job);
                return;
            }
            *(task->tail == NULL ? &task->head : &task->tail->next) = chunk;
            task->tail = chunk;
        }
        const uint32_t room = CAROM_CHUNK_PAIRS - chunk->count;
        const uint32_t part = count < room ? count : room;
        memcpy(chunk->slot_i + chunk->count, slot_i, part * sizeof *slot_i);
        memcpy(chunk->slot_k + chunk->count, slot_k, part * sizeof *slot_k);
        chunk->count += part;
        slot_i += part;
        slot_k += part;
        count -= part;
    }
}

void CAROM_REAL(carom_detect_store_pairs)(carom_detect_job *job, carom_worker *worker, carom_cell_task *task,
                                          uint32_t count, const uint32_t *slot_i, const uint32_t *slot_k) {
    if (job->deliver) {
        CAROM_REAL(carom_detect_blocks_append)(job, worker, task, count, slot_i, slot_k);
    } else if (job->store_rows && atomic_load_explicit(&job->rows_lost, memory_order_relaxed) == 0) {
        if (job->context->team.workers == 1) {
            append_to_block(job, task, count, slot_i, slot_k);
        } else {
            append_to_chunks(job, task, count, slot_i, slot_k);
        }
    }
    task->rows += count;
}

/* The rows of a task's chunks, in their place in the block; the chunks go back to the pool. */
static void put_task(carom_detect_job *job, carom_cell_task *task) {
    carom_rows *rows = &job->context->rows;
    uint64_t at = task->first_row;
    uint64_t chunks = 0;
    for (const carom_chunk *chunk = task->head; chunk != NULL; chunk = chunk->next) {
        CAROM_REAL(carom_detect_put_rows)
        (job, rows->block.data, rows->capacity, at, chunk->count, chunk->slot_i, chunk->slot_k);
        at += chunk->count;
        chunks++;
    }
    carom_chunk_give(&job->context->chunks, task->head, task->tail, chunks);
    task->head = NULL;
    task->tail = NULL;
}

void CAROM_REAL(carom_detect_begin_task)(carom_detect_job *job, carom_cell_task *task) {
    if (job->context->team.workers == 1) {
        task->first_row = job->placed_rows;
    }
}

/* Gives rows their places as far as tasks are done without a gap. */
static void place_tasks(carom_detect_job *job) {
    uint64_t t = job->placed_tasks;
    for (; t < job->task_count && atomic_load_explicit(&job->tasks[t].state, memory_order_acquire) != CAROM_TASK_OPEN;
         t++) {
        job->tasks[t].first_row = job->placed_rows;
        job->placed_rows += job->tasks[t].rows;
    }
    job->placed_tasks = t;
}

/* Makes a block that is too small larger, unless somebody writes to it or it is too early to tell how large. */
static void enlarge_block(carom_detect_job *job) {
    carom_rows *rows = &job->context->rows;
    const uint64_t foretold = foretell_rows(job, job->placed_tasks, job->placed_rows);
    if (job->placed_rows <= rows->capacity || foretold == 0 ||
        atomic_load_explicit(&job->making, memory_order_acquire) != 0) {
        return;
    }
    /* Where there is no memory for it now there may be once all rows are counted. */
    (void)carom_rows_grow(rows, &job->context->memory, job->shape, job->placed_rows, foretold,
                          job->tasks[job->made_tasks].first_row);
}

/* Of the tasks that have places in the block and whose rows nobody makes yet so many at most are the caller's. */
static void claim_placed(carom_detect_job *job, uint64_t most, uint64_t *begin, uint64_t *end) {
    uint64_t t = job->made_tasks;
    *begin = t;
    while (t < job->placed_tasks && t - *begin < most &&
           job->tasks[t].first_row + job->tasks[t].rows <= job->context->rows.capacity) {
        t++;
    }
    job->made_tasks = t;
    *end = t;
}

static void settle_task(carom_detect_job *job, carom_cell_task *task) {
    if (task->head != NULL) {
        put_task(job, task);
    }
    atomic_store_explicit(&task->state, CAROM_TASK_SETTLED, memory_order_release);
}

static void settle_tasks(void *data, uint32_t worker) {
    (void)worker;
    carom_detect_job *job = data;
    for (uint64_t t = carom_team_claim(&job->next_made); t < job->made_tasks; t = carom_team_claim(&job->next_made)) {
        settle_task(job, &job->tasks[t]);
    }
}

/* The rows of tasks from `first` to made_tasks, by all workers. */
static void settle_from(carom_detect_job *job, uint64_t first) {
    atomic_store_explicit(&job->next_made, first, memory_order_relaxed);
    if (first < job->made_tasks) {
        carom_team_run(&job->context->team, settle_tasks, job);
    }
}

static void note_settled(carom_detect_job *job) {
    uint64_t t = atomic_load_explicit(&job->settled_tasks, memory_order_relaxed);
    while (t < job->made_tasks &&
           atomic_load_explicit(&job->tasks[t].state, memory_order_acquire) == CAROM_TASK_SETTLED) {
        t++;
    }
    atomic_store_explicit(&job->settled_tasks, t, memory_order_relaxed);
}

/* Several workers never place tasks or claim them at once. Whoever finds another at it leaves it to the next, or in the
 * end to the join: nobody waits. */
void CAROM_REAL(carom_detect_end_task)(carom_detect_job *job, carom_worker *worker, carom_cell_task *task) {
    if (job->context->team.workers == 1) {
        job->placed_rows += task->rows;
        return;
    }
    atomic_store_explicit(&task->state, CAROM_TASK_DONE, memory_order_release);
    if (!job->store_rows || atomic_exchange_explicit(&job->placing, 1, memory_order_acquire) != 0) {
        return;
    }
    double clock = carom_clock_seconds();
    uint64_t begin;
    uint64_t end;
    place_tasks(job);
    enlarge_block(job);
    claim_placed(job, MADE_AT_ONCE, &begin, &end);
    note_settled(job);
    atomic_fetch_add_explicit(&job->making, 1, memory_order_relaxed);
    atomic_store_explicit(&job->placing, 0, memory_order_release);
    clock = CAROM_REAL(carom_detect_worker_lap)(worker, CAROM_PHASE_COLLECT, clock);
    for (uint64_t t = begin; t < end; t++) {
        settle_task(job, &job->tasks[t]);
    }
    atomic_fetch_sub_explicit(&job->making, 1, memory_order_release);
    const bool contacts = job->config->until >= CAROM_UNTIL_APPROACH;
    CAROM_REAL(carom_detect_worker_lap)(worker, contacts ? CAROM_PHASE_APPROACH : CAROM_PHASE_COLLECT, clock);
}

void CAROM_REAL(carom_detect_start_tasks)(carom_detect_job *job, uint64_t first) {
    atomic_store_explicit(&job->next_task, first, memory_order_relaxed);
    atomic_store_explicit(&job->held_back, 0, memory_order_relaxed);
    const uint64_t workers = job->context->team.workers;
    const uint64_t window = (job->task_count - first) / WINDOW_SHARE + WINDOW_EACH * workers;
    job->window = job->store_rows && workers > 1 ? window : UINT64_MAX;
    job->widest_window = job->window > job->widest_window ? job->window : job->widest_window;
}

bool CAROM_REAL(carom_detect_claim_task)(carom_detect_job *job, uint64_t *task) {
    const uint64_t next = atomic_load_explicit(&job->next_task, memory_order_relaxed);
    const uint64_t settled = atomic_load_explicit(&job->settled_tasks, memory_order_relaxed);
    if (next > settled && next - settled >= job->window) {
        atomic_store_explicit(&job->held_back, 1, memory_order_relaxed);
    }
    if (atomic_load_explicit(&job->held_back, memory_order_relaxed) != 0) {
        return false;
    }
    *task = carom_team_claim(&job->next_task);
    return *task < job->task_count;
}

bool CAROM_REAL(carom_detect_tasks_left)(carom_detect_job *job) {
    if (atomic_load_explicit(&job->held_back, memory_order_relaxed) == 0) {
        return false;
    }
    uint64_t begin;
    uint64_t end;
    place_tasks(job);
    enlarge_block(job);
    claim_placed(job, UINT64_MAX, &begin, &end);
    settle_from(job, begin);
    note_settled(job);
    if (job->made_tasks < job->placed_tasks) {
        job->window = UINT64_MAX; /* no memory for the block: chunks must do */
        job->widest_window = UINT64_MAX;
    }
    atomic_store_explicit(&job->held_back, 0, memory_order_relaxed);
    return atomic_load_explicit(&job->next_task, memory_order_relaxed) < job->task_count;
}

uint64_t CAROM_REAL(carom_detect_count_rows)(carom_detect_job *job) {
    uint64_t rows = 0;
    for (uint64_t t = 0; t < job->task_count; t++) {
        job->tasks[t].first_row = rows;
        rows += job->tasks[t].rows;
    }
    return rows;
}

uint64_t CAROM_REAL(carom_detect_chunk_bytes)(const carom_detect_job *job) {
    uint64_t chunks = 0;
    for (uint64_t t = 0; t < job->task_count; t++) {
        chunks += carom_chunk_count(job->tasks[t].rows);
    }
    return carom_size_multiply(chunks, carom_chunk_bytes());
}

double CAROM_REAL(carom_detect_row_bytes)(const carom_detect_job *job) {
    const double row = (double)carom_rows_bytes(job->shape, 16) / 16;
    return job->context->team.workers > 1 ? row + 4 * sizeof(uint32_t) : row; /* a pair, to a chunk and from it */
}

/* The chunks that a call like this one can need at once, if a worker is kept from its task for long. */
static uint64_t most_chunks(const carom_detect_job *job) {
    const uint64_t window = carom_size_add(job->widest_window, job->context->team.workers);
    uint64_t most = 0;
    uint64_t now = 0;
    for (uint64_t t = 0; t < job->task_count; t++) {
        now += carom_chunk_count(job->tasks[t].rows);
        if (t >= window) {
            now -= carom_chunk_count(job->tasks[t - window].rows);
        }
        most = now > most ? now : most;
    }
    return most;
}

void CAROM_REAL(carom_detect_keep_chunks)(carom_detect_job *job) {
    if (job->context->team.workers > 1) {
        carom_chunk_pool_reserve(&job->context->chunks, &job->context->memory, most_chunks(job));
    }
}

carom_status CAROM_REAL(carom_detect_join_rows)(carom_detect_job *job, uint64_t rows) {
    carom_context *context = job->context;
    uint64_t first = 0;
    while (first < job->task_count && job->tasks[first].head == NULL) {
        first++;
    }
    if (first == job->task_count) {
        return CAROM_OK;
    }
    if (carom_rows_grow(&context->rows, &context->memory, job->shape, rows, rows, job->tasks[first].first_row) !=
        CAROM_OK) {
        return CAROM_REAL(carom_detect_no_room)(job);
    }
    job->made_tasks = job->task_count;
    settle_from(job, first);
    return CAROM_OK;
}
