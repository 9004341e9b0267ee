/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/worlds/search_tmpl.h"

#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/detect/results/hash_tmpl.h"
#include "kernel/detect/search/survey_tmpl.h"
#include "kernel/groups/sets.h"
#include "kernel/worlds/write_tmpl.h"

/* Multiples of CAROM_SIMD_PAD slots in a block: a world begins at each of them, or goes on. */
enum { PARTS = CAROM_WORLDS_BLOCK / CAROM_SIMD_PAD };

typedef struct search {
    carom_worlds_job *job;
    carom_worlds_task *task;
    carom_direct_block block;
    uint32_t *parent;         /* of each slot of the block */
    uint64_t world_of[PARTS]; /* whose slots these are */
} search;

uint64_t carom_worlds_block_bytes(void) {
    return carom_direct_block_bytes(CAROM_WORLDS_BLOCK) + CAROM_WORLDS_BLOCK * sizeof(uint32_t);
}

static bool wants_groups(const search *s) {
    return s->job->config->until == CAROM_UNTIL_GROUPS;
}

static uint64_t world_of(const search *s, uint32_t slot) {
    return s->world_of[slot / CAROM_SIMD_PAD];
}

/* to[n] = from[n] + number. They do not overlap. */
static void add_to_all(const uint32_t *restrict from, uint32_t number, uint32_t count, uint32_t *restrict to) {
    for (uint32_t n = 0; n < count; n++) {
        to[n] = from[n] + number;
    }
}

/* The task's chunk with room for pairs; NULL when memory gives out. */
static carom_chunk *chunk_with_room(carom_context *context, carom_worlds_task *task) {
    carom_chunk *chunk = task->tail;
    if (chunk != NULL && chunk->count < CAROM_CHUNK_PAIRS) {
        return chunk;
    }
    carom_chunk **next = chunk == NULL ? &task->head : &chunk->next;
    if (*next == NULL) {
        *next = carom_chunk_take(&context->chunks, &context->memory);
    }
    if (*next != NULL) {
        (*next)->count = 0;
        task->tail = *next;
    }
    return *next;
}

/* Appends the first `count` pairs to the task's chunks. */
static void keep_pairs(search *s, uint32_t count) {
    carom_worlds_task *task = s->task;
    carom_context *context = s->job->context;
    uint32_t more = 0;
    for (uint32_t n = 0; n < count; n += more) {
        carom_chunk *chunk = chunk_with_room(context, task);
        if (chunk == NULL) {
            task->failed = CAROM_WORLDS_NO_MEMORY;
            return;
        }
        const uint32_t room = CAROM_CHUNK_PAIRS - chunk->count;
        more = count - n < room ? count - n : room;
        add_to_all(s->block.slot_i + n, task->first_slot, more, chunk->slot_i + chunk->count);
        add_to_all(s->block.slot_k + n, task->first_slot, more, chunk->slot_k + chunk->count);
        chunk->count += more;
    }
    task->rows += count;
}

/* Counts the pairs, by worlds, and keeps them to be stored. */
static void store(search *s, uint32_t count) {
    const carom_worlds_job *job = s->job;
    for (uint32_t n = 0; n < count; n++) {
        job->pair_offset[world_of(s, s->block.slot_i[n])]++;
    }
    if (!job->config->count_only && s->task->failed == 0) {
        keep_pairs(s, count);
    }
}

static void add_hashes(const search *s, uint32_t count) {
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t *i = s->block.slot_i + n;
        const uint32_t *k = s->block.slot_k + n;
        uint32_t first = *i / CAROM_SIMD_PAD;
        const uint64_t world = s->world_of[first];
        while (first > 0 && s->world_of[first - 1] == world) {
            first--;
        }
        s->job->counts[world].touching_hash += carom_hash_numbers(1, i, k, first * CAROM_SIMD_PAD);
    }
}

static uint32_t keep_touching(const search *s, uint32_t hits) {
    const carom_direct_block *block = &s->block;
    uint32_t touching = carom_direct_block_touching(block, hits);
    if (s->job->config->approaching) {
        touching =
            carom_kernels_of(block->simd)
                ->approaching(block->records, touching, block->slot_i, block->slot_k, block->slot_i, block->slot_k);
    }
    return touching;
}

/* Pairs of overlapping boxes of some worlds, and what follows from them. */
static void process(search *s, uint32_t hits) {
    if (!carom_worlds_contacts(s->job)) {
        store(s, hits);
        return;
    }
    const uint32_t touching = keep_touching(s, hits);
    if (s->job->config->hash) {
        add_hashes(s, touching);
    }
    if (wants_groups(s)) {
        carom_sets_unite(s->parent, touching, s->block.slot_i, s->block.slot_k);
    }
    store(s, touching);
}

/* Finds the pairs of boxes of a world, which has the slots from `first` on, and adds them to the `hits` so far. Returns
 * those that have not been processed. */
static uint32_t search_world(search *s, uint64_t world, uint32_t first, uint32_t count, uint32_t hits) {
    carom_direct_rows rows = {first, first + count};
    while (rows.next < rows.end) {
        if (hits + count + CAROM_SIMD_PAD > CAROM_DIRECT_HITS) {
            process(s, hits);
            hits = 0;
        }
        const uint32_t before = hits;
        hits = carom_direct_block_hits(&s->block, &rows, hits);
        s->job->counts[world].box_pairs += hits - before;
    }
    return hits;
}

/* Bodies of a world become slots from `first` on. Returns whether they are valid. */
static bool load_world(const search *s, uint64_t world, uint32_t first) {
    const carom_worlds_job *job = s->job;
    const carom_direct_block *block = &s->block;
    const uint64_t begin = job->offset[world];
    const uint64_t end = job->offset[world + 1];
    float *const lo[3] = {block->lo[0] + first, block->lo[1] + first, block->lo[2] + first};
    float *const hi[3] = {block->hi[0] + first, block->hi[1] + first, block->hi[2] + first};
    double centre[3] = {0.0, 0.0, 0.0};
    if (CAROM_REAL_BITS == 64) {
        carom_survey_centre_of_few(job->bodies, begin, end, centre);
    }
    return carom_kernels_of(block->simd)
        ->direct_bodies(job->bodies, begin, end, centre, block->records + first, lo, hi);
}

/* Labels of a world's bodies, whose slots are those from `first` on. */
static void label_world(const search *s, uint64_t world, uint32_t first, uint32_t count) {
    const carom_worlds_job *job = s->job;
    carom_worlds_counts *counts = &job->counts[world];
    uint32_t *label = job->label + job->offset[world];
    const uint32_t up = (uint32_t)job->offset[world] - first; /* modulo 2^32 */
    const carom_set_counts found = carom_sets_label(s->parent, first, first + count, s->block.size);
    counts->groups = found.groups;
    counts->largest_group = found.largest;
    for (uint32_t n = 0; n < count; n++) {
        label[n] = s->parent[first + n] + up;
    }
}

/* Bodies of world w. */
static uint32_t bodies_of(const search *s, uint64_t world) {
    return (uint32_t)(s->job->offset[world + 1] - s->job->offset[world]);
}

/* Loads all worlds of the task. Returns whether their bodies are valid. */
static bool load_worlds(search *s) {
    uint32_t slot = 0;
    bool good = true;
    for (uint64_t w = s->task->begin; w < s->task->end; w++) {
        s->job->counts[w] = (carom_worlds_counts){0};
        s->job->pair_offset[w] = 0;
        if (bodies_of(s, w) == 0) {
            continue;
        }
        good = load_world(s, w, slot) && good;
        for (uint32_t n = 0; n < carom_worlds_slots(s->job, w); n += CAROM_SIMD_PAD, slot += CAROM_SIMD_PAD) {
            s->world_of[slot / CAROM_SIMD_PAD] = w;
        }
    }
    if (wants_groups(s)) {
        carom_sets_init(s->parent, slot);
    }
    return good;
}

static void search_task(search *s) {
    uint32_t hits = 0;
    uint32_t slot = 0;
    s->block.records = s->job->records + s->task->first_slot;
    if (!load_worlds(s)) {
        s->task->failed = CAROM_WORLDS_BAD_BODY;
        return;
    }
    for (uint64_t w = s->task->begin; w < s->task->end; w++) {
        hits = search_world(s, w, slot, bodies_of(s, w), hits);
        slot += (uint32_t)carom_worlds_slots(s->job, w);
    }
    process(s, hits);
    slot = 0;
    for (uint64_t w = s->task->begin; w < s->task->end; w++) {
        s->job->counts[w].touching_pairs = carom_worlds_contacts(s->job) ? s->job->pair_offset[w] : 0;
        if (wants_groups(s) && bodies_of(s, w) > 0) {
            label_world(s, w, slot, bodies_of(s, w));
        }
        slot += (uint32_t)carom_worlds_slots(s->job, w);
    }
}

static void search_tasks(void *data, uint32_t worker) {
    carom_worlds_job *job = data;
    search s = {.job = job};
    char *memory =
        (char *)carom_context_work(job->context, CAROM_WORK_WORLDS_BLOCKS) + worker * carom_worlds_block_bytes();
    carom_direct_block_set(&s.block, job->context->simd, CAROM_WORLDS_BLOCK, NULL, memory);
    s.parent = (uint32_t *)(void *)(memory + carom_direct_block_bytes(CAROM_WORLDS_BLOCK));
    while ((s.task = carom_worlds_claim(job, worker)) != NULL) {
        search_task(&s);
    }
}

/* After chunks gave out: those of all pairs of the window, which have been counted all the same, and rows. */
static void require_chunks(carom_worlds_job *job) {
    uint64_t rows = job->rows;
    uint64_t chunks = 0;
    for (uint32_t t = 0; t < job->task_count; t++) {
        uint64_t pairs = 0;
        for (uint64_t w = job->tasks[t].begin; w < job->tasks[t].end; w++) {
            pairs += job->pair_offset[w];
        }
        chunks += carom_chunk_count(pairs);
        rows += pairs;
    }
    carom_worlds_require(job, rows, carom_size_multiply(chunks, carom_chunk_bytes()));
}

carom_status carom_worlds_search(carom_worlds_job *job) {
    carom_status status = CAROM_OK;
    carom_claims_start(&job->claims, &job->context->team, job->task_count, 1);
    carom_team_run(&job->context->team, search_tasks, job);
    for (uint32_t t = 0; t < job->task_count && status == CAROM_OK; t++) {
        status = job->tasks[t].failed == CAROM_WORLDS_BAD_BODY    ? CAROM_ERROR_BODY
                 : job->tasks[t].failed == CAROM_WORLDS_NO_MEMORY ? CAROM_ERROR_MEMORY
                                                                  : CAROM_OK;
    }
    if (status == CAROM_ERROR_MEMORY) {
        require_chunks(job);
    }
    return carom_team_stopped(&job->context->team) ? CAROM_ERROR_CANCELLED : status;
}
