/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A tree over the boxes, and for each probe the boxes that it overlaps. The tree is searched twice: once to count, so
 * that candidates have places that do not depend on the workers, and once to write. */
#include "kernel/check/assert.h"
#include "kernel/query/job_tmpl.h"
#include "kernel/sort/list_sort.h"

/* Bodies are shared out by this many, and their boxes made at once, on the stack. */
enum { GRAIN = 64 };
/* Probes are shared out one by one, and searched in slices of so many between two looks at the flag. */
enum { PROBES_AT_ONCE = 256 };

/* The records are far apart in memory: they are copied first, so that the processor waits for many at once. */
static void put_boxes(const carom_query_job *job, uint64_t begin, uint64_t end) {
    carom_record record[GRAIN];
    carom_slot_box box[GRAIN];
    uint64_t taken = 0;
    CAROM_ASSERT(begin < end && end - begin <= GRAIN);
    do {
        record[taken] = job->records[job->order[begin + taken]];
    } while (++taken < end - begin);
    carom_kernels_of(job->context->simd)->slot_boxes(record, 0, end - begin, job->context->partition.centre, box);
    for (uint64_t n = begin; n < end; n++) {
        carom_box_blocks_put(&job->tree.level[0], n, box[n - begin].lo, box[n - begin].hi);
    }
}

static void make_boxes(void *data, uint32_t worker) {
    const carom_query_job *job = data;
    carom_walk walk = carom_team_walk(&job->context->team, worker, job->bodies, GRAIN);
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin; n < walk.end; n += GRAIN) {
            put_boxes(job, n, walk.end - n < GRAIN ? walk.end : n + GRAIN);
        }
    }
}

static carom_status build_tree(carom_query_job *job, uint64_t *required) {
    carom_context *context = job->context;
    const carom_status status = carom_query_order(job, required);
    if (status != CAROM_OK) {
        return status;
    }
    carom_team_run_over(&context->team, job->bodies, make_boxes, job);
    carom_box_tree_build(&context->team, &job->tree);
    context->partition.indexed = !carom_team_stopped(&context->team);
    return context->partition.indexed ? CAROM_OK : CAROM_ERROR_CANCELLED;
}

/* The tree of an earlier query still stands. */
static carom_status make_tree(carom_query_job *job, uint64_t *required) {
    carom_context *context = job->context;
    const carom_work_need need[] = {
        {CAROM_WORK_QUERY_TREE, carom_box_tree_bytes(job->bodies)},
        {CAROM_WORK_QUERY_ORDER, job->bodies * sizeof(uint32_t)},
    };
    if (carom_context_reserve(context, need, 2, required) != CAROM_OK) {
        return CAROM_ERROR_MEMORY;
    }
    job->tree = carom_box_tree_view(carom_context_work(context, CAROM_WORK_QUERY_TREE), job->bodies);
    job->order = carom_context_work(context, CAROM_WORK_QUERY_ORDER);
    return context->partition.indexed ? CAROM_OK : build_tree(job, required);
}

static uint64_t find(const carom_query_job *job, uint64_t view, uint32_t *found) {
    carom_slot_box box;
    if (job->hooks != NULL) {
        job->hooks->box(job, view, &box);
    } else {
        carom_kernels_of(job->context->simd)->slot_boxes(job->own + view, 0, 1, job->context->partition.centre, &box);
    }
    return carom_box_tree_find(&job->tree, job->context->simd, box.lo, box.hi, found);
}

static carom_walk walk_probes(const carom_query_job *job, uint32_t worker) {
    carom_walk walk = carom_team_walk(&job->context->team, worker, job->probes, 1);
    walk.step = PROBES_AT_ONCE;
    return walk;
}

static void count_candidates(void *data, uint32_t worker) {
    const carom_query_job *job = data;
    carom_walk walk = walk_probes(job, worker);
    while (carom_walk_next(&walk)) {
        for (uint64_t q = walk.begin; q < walk.end; q++) {
            job->kept[q] = 0;
            for (uint64_t v = carom_query_first_view(job, q); v < carom_query_first_view(job, q + 1); v++) {
                job->kept[q] += find(job, v, NULL);
            }
        }
    }
}

/* What a view finds in the tree: numbers in the order of its boxes. */
static uint64_t list_found(const carom_query_job *job, uint64_t view, uint64_t at) {
    uint32_t *body = job->body + at;
    const uint64_t count = find(job, view, body);
    for (uint64_t n = 0; n < count; n++) {
        const uint64_t slot = job->order[body[n]];
        job->place[at + n] = carom_query_place(view, slot);
        body[n] = (uint32_t)job->records[slot].body;
    }
    return count;
}

static void list_candidates(const carom_query_job *job, uint64_t q, uint32_t bits) {
    const uint64_t first = job->first[q];
    uint64_t at = first;
    for (uint64_t v = carom_query_first_view(job, q); v < carom_query_first_view(job, q + 1); v++) {
        at += list_found(job, v, at);
    }
    CAROM_ASSERT(at == job->first[q + 1]);
    if (at > first) {
        carom_list_sort(job->body + first, job->place + first, at - first, bits);
    }
}

static void write_candidates(void *data, uint32_t worker) {
    const carom_query_job *job = data;
    const uint32_t bits = carom_list_sort_bits(job->bodies);
    carom_walk walk = walk_probes(job, worker);
    while (carom_walk_next(&walk)) {
        for (uint64_t q = walk.begin; q < walk.end; q++) {
            list_candidates(job, q, bits);
        }
    }
}

static uint64_t sum_candidates(const carom_query_job *job) {
    uint64_t sum = 0;
    for (uint64_t q = 0; q < job->probes; q++) {
        job->first[q] = sum;
        sum += job->kept[q];
    }
    job->first[job->probes] = sum;
    return sum;
}

carom_status carom_query_search(carom_query_job *job, uint64_t *required) {
    carom_context *context = job->context;
    const carom_status status = make_tree(job, required);
    if (status != CAROM_OK) {
        return status;
    }
    carom_team_run(&context->team, count_candidates, job);
    if (carom_team_stopped(&context->team)) {
        return CAROM_ERROR_CANCELLED;
    }
    const uint64_t candidates = sum_candidates(job);
    const carom_work_need need[] = {
        {CAROM_WORK_QUERY_BODY, carom_size_multiply(candidates, sizeof(uint32_t))},
        {CAROM_WORK_QUERY_SLOT, carom_size_multiply(candidates, sizeof(uint64_t))},
    };
    if (carom_context_reserve(context, need, 2, required) != CAROM_OK) {
        return CAROM_ERROR_MEMORY;
    }
    job->body = carom_context_work(context, CAROM_WORK_QUERY_BODY);
    job->place = carom_context_work(context, CAROM_WORK_QUERY_SLOT);
    if (candidates > 0) {
        carom_team_run(&context->team, write_candidates, job);
    }
    return carom_team_stopped(&context->team) ? CAROM_ERROR_CANCELLED : CAROM_OK;
}
