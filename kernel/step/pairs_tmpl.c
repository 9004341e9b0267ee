/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What becomes of the pairs that a sweep finds, a block at a time while their bodies are in cache: who touches, rows,
 * hashes, unions. */
#include "kernel/step/job_tmpl.h"
#include "kernel/step/mix.h"
#include "kernel/sys/clock.h"

void CAROM_REAL(carom_detect_put_rows)(const carom_detect_job *job, void *block, uint64_t capacity, uint64_t at,
                                       uint32_t count, const uint32_t *slot_i, const uint32_t *slot_k) {
    carom_contact_rows rows = CAROM_REAL(carom_rows_view)(job->shape, block, capacity, at);
    if (job->shape.fields == CAROM_ROW_FIELDS) {
        job->context->simd->CAROM_REAL(contact)(job->records, 0, count, slot_i, slot_k, &rows);
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

/* One worker: straight to the end of the final rows. */
static void append_rows(carom_detect_job *job, uint64_t at, uint32_t count, const uint32_t *slot_i,
                        const uint32_t *slot_k) {
    carom_rows *rows = &job->context->rows;
    if (carom_rows_grow(rows, &job->context->memory, job->shape, at + count, at) != CAROM_OK) {
        lose_rows(job);
        return;
    }
    CAROM_REAL(carom_detect_put_rows)(job, rows->block.data, rows->capacity, at, count, slot_i, slot_k);
}

/* Several workers: into the task's chunks, each filled to the last row. */
static void append_to_chunks(carom_detect_job *job, carom_cell_task *task, uint32_t count, const uint32_t *slot_i,
                             const uint32_t *slot_k) {
    const uint64_t capacity = carom_chunk_rows(job->shape);
    while (count > 0) {
        carom_chunk *chunk = task->tail;
        if (chunk == NULL || chunk->count == capacity) {
            chunk = carom_chunk_take(&job->context->chunks, &job->context->memory);
            if (chunk == NULL) {
                lose_rows(job);
                return;
            }
            *(task->tail == NULL ? &task->head : &task->tail->next) = chunk;
            task->tail = chunk;
        }
        uint64_t room = capacity - chunk->count;
        uint32_t part = count < room ? count : (uint32_t)room;
        CAROM_REAL(carom_detect_put_rows)(job, chunk->rows, capacity, chunk->count, part, slot_i, slot_k);
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
            append_rows(job, task->first_row + task->rows, count, slot_i, slot_k);
        } else {
            append_to_chunks(job, task, count, slot_i, slot_k);
        }
    }
    task->rows += count;
}

static uint32_t body_of(const carom_images *images, uint32_t body) {
    return images == NULL ? body : carom_images_owner(images, body);
}

uint64_t CAROM_REAL(carom_detect_hash_pairs)(const carom_detect_job *job, uint32_t count, const uint32_t *slot_i,
                                             const uint32_t *slot_k) {
    const carom_images *images = job->images;
    const carom_record *records = job->records;
    uint64_t sum = 0;
    for (uint32_t n = 0; n < count; n++) {
        uint64_t a = body_of(images, (uint32_t)records[slot_i[n]].body);
        uint64_t b = body_of(images, (uint32_t)records[slot_k[n]].body);
        sum += carom_mix64(((a < b ? a : b) << 32 | (a < b ? b : a)) + UINT64_C(0x9E3779B97F4A7C15));
    }
    return sum;
}

double CAROM_REAL(carom_detect_worker_lap)(carom_worker *worker, carom_phase phase, double since) {
    double now = carom_clock_seconds();
    worker->seconds[phase] += now - since;
    return now;
}

/* Keeps, in order, the pairs that are not of images alone. */
static uint32_t drop_images(const carom_images *images, const carom_record *records, uint32_t count, uint32_t *slot_i,
                            uint32_t *slot_k) {
    uint32_t kept = 0;
    for (uint32_t n = 0; n < count; n++) {
        uint32_t i = slot_i[n];
        uint32_t k = slot_k[n];
        slot_i[kept] = i;
        slot_k[kept] = k;
        kept += carom_images_report(images, (uint32_t)records[i].body, (uint32_t)records[k].body);
    }
    return kept;
}

double CAROM_REAL(carom_detect_pairs)(carom_detect_job *job, carom_worker *worker, carom_cell_task *task, uint32_t hits,
                                      double clock) {
    uint32_t *i = worker->space.hit_i;
    uint32_t *k = worker->space.hit_k;
    bool only_pairs = job->config->until == CAROM_UNTIL_PAIRS;
    if (job->images != NULL) {
        hits = drop_images(job->images, job->records, hits, i, k);
    }
    hits = CAROM_REAL(carom_detect_filter_hits)(job, hits, i, k);
    worker->box_pairs += hits;
    if (only_pairs || job->config->all_pairs) {
        CAROM_REAL(carom_detect_store_pairs)(job, worker, task, hits, i, k);
        clock = CAROM_REAL(carom_detect_worker_lap)(worker, CAROM_PHASE_APPROACH, clock);
    }
    if (only_pairs) {
        return clock;
    }
    uint32_t touching = job->context->simd->CAROM_REAL(touch)(job->records, hits, i, k, i, k);
    worker->touching_pairs += touching;
    if (!job->config->all_pairs) {
        CAROM_REAL(carom_detect_store_pairs)(job, worker, task, touching, i, k);
    }
    if (job->config->hash) {
        worker->touching_hash += CAROM_REAL(carom_detect_hash_pairs)(job, touching, i, k);
    }
    clock = CAROM_REAL(carom_detect_worker_lap)(worker, CAROM_PHASE_APPROACH, clock);
    if (job->config->until >= CAROM_UNTIL_GROUPS) {
        carom_union_find_unite_pairs(job->parent, touching, i, k);
        clock = CAROM_REAL(carom_detect_worker_lap)(worker, CAROM_PHASE_GROUPS, clock);
    }
    return clock;
}
