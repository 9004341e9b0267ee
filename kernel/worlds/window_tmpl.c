/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/worlds/window_tmpl.h"

#include "kernel/check/assert.h"
#include "kernel/worlds/search_tmpl.h"

static uint64_t window_slots(const carom_worlds_job *job) {
    return (uint64_t)CAROM_WORLDS_WINDOW * job->context->team.workers;
}

/* A task has room for one more world, so all but the last have more slots than half a block. */
static uint64_t most_tasks(const carom_worlds_job *job) {
    return window_slots(job) / (CAROM_WORLDS_BLOCK - CAROM_DIRECT_MOST - CAROM_SIMD_PAD) + 2;
}

carom_status carom_worlds_window_reserve(carom_worlds_job *job) {
    carom_context *context = job->context;
    const uint64_t room = window_slots(job) + CAROM_WORLDS_BLOCK;
    const carom_work_need need[] = {{CAROM_WORK_WORLDS_RECORDS, room * sizeof(carom_record)},
                                    {CAROM_WORK_WORLDS_TASKS, most_tasks(job) * sizeof(carom_worlds_task)},
                                    {CAROM_WORK_WORLDS_BLOCKS, context->team.workers * carom_worlds_block_bytes()},
                                    {CAROM_WORK_WORLDS_CLAIMS, context->team.workers * sizeof(carom_claim_counter)}};
    const carom_status status =
        carom_context_reserve(context, need, sizeof need / sizeof *need, &job->result->required_bytes);
    if (status == CAROM_OK) {
        job->records = carom_context_work(context, CAROM_WORK_WORLDS_RECORDS);
        job->tasks = carom_context_work(context, CAROM_WORK_WORLDS_TASKS);
        job->claims.counter = carom_context_work(context, CAROM_WORK_WORLDS_CLAIMS);
    }
    return status;
}

/* Adds worlds to a task from its first one on, as far as the block has room for them and none is large. */
static void fill_task(const carom_worlds_job *job, carom_worlds_task *task, uint32_t *slots) {
    uint64_t world = task->begin;
    uint64_t used = 0;
    while (world < job->worlds && job->offset[world + 1] - job->offset[world] <= CAROM_DIRECT_MOST) {
        const uint64_t more = carom_worlds_slots(job, world);
        if (used + more > CAROM_WORLDS_BLOCK || world - task->begin == CAROM_WORLDS_BLOCK) {
            break;
        }
        used += more;
        world++;
    }
    task->end = world;
    *slots = (uint32_t)used;
}

/* The next task of the window, which has no worlds yet. */
static carom_worlds_task *next_task(carom_worlds_job *job, uint32_t used) {
    carom_worlds_task *task = &job->tasks[job->task_count];
    carom_chunk *head = job->task_count < job->most_tasks ? task->head : NULL;
    *task = (carom_worlds_task){.begin = job->next_world, .first_slot = used, .head = head};
    job->most_tasks = job->task_count < job->most_tasks ? job->most_tasks : job->task_count + 1;
    return task;
}

void carom_worlds_window_fill(carom_worlds_job *job) {
    const uint64_t most = window_slots(job);
    const uint64_t tasks = most_tasks(job);
    uint32_t used = 0;
    job->task_count = 0;
    while (used < most && job->task_count < tasks) {
        uint32_t slots;
        carom_worlds_task *task = next_task(job, used);
        fill_task(job, task, &slots);
        if (task->end == task->begin) {
            break;
        }
        job->next_world = task->end;
        job->task_count++;
        used += slots;
    }
}

void carom_worlds_window_give_chunks(carom_worlds_job *job) {
    for (uint32_t t = 0; t < job->most_tasks; t++) {
        carom_chunk *last = job->tasks[t].head;
        uint64_t count = last != NULL ? 1 : 0;
        for (; last != NULL && last->next != NULL; count++) {
            last = last->next;
        }
        if (last != NULL) {
            carom_chunk_give(&job->context->chunks, job->tasks[t].head, last, count);
        }
    }
    job->most_tasks = 0;
}

static void add_counts(carom_worlds_counts *total, const carom_worlds_counts *world) {
    total->box_pairs += world->box_pairs;
    total->touching_pairs += world->touching_pairs;
    total->groups += world->groups;
    total->largest_group = world->largest_group > total->largest_group ? world->largest_group : total->largest_group;
    total->touching_hash += world->touching_hash;
}

void carom_worlds_window_place(carom_worlds_job *job) {
    for (uint32_t t = 0; t < job->task_count; t++) {
        carom_worlds_task *task = &job->tasks[t];
        task->first_row = job->rows;
        for (uint64_t w = task->begin; w < task->end; w++) {
            const uint64_t rows = job->pair_offset[w];
            add_counts(&job->result->total, &job->counts[w]);
            job->pair_offset[w] = job->rows;
            job->rows += job->config->count_only ? 0 : rows;
        }
        CAROM_ASSERT(job->config->count_only || job->rows - task->first_row == task->rows);
    }
}
