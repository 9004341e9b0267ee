/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Member lists from labels. Bodies of groups of two or more are collected in ascending order with their labels as keys;
 * a stable sort by label then gives the lists. Bodies alone, often most of them, are not sorted. Each worker counts and
 * then writes its own range, so the result does not depend on the number of workers. */
#include "kernel/check/assert.h"
#include "kernel/groups/groups.h"

/* A range of a worker begins at a multiple of this. */
enum { GRAIN = 4096 };

typedef struct list_job {
    const carom_team *team;
    const carom_member_workspace *workspace;
    const uint32_t *label; /* of each body */
    uint64_t count;        /* bodies */
    uint64_t *offset;      /* result: where each group begins */
    uint32_t *member;      /* result: members of all groups */
    uint64_t total;        /* number of members */
    uint64_t *begin;       /* number of items of each worker, then where it writes: members, later groups */
} list_job;

/* A body with another one's label shows that both are in a group. Workers may set the same flag, hence the atomics. */
static void mark_grouped(void *data, uint32_t worker) {
    list_job *job = data;
    carom_walk walk = carom_team_walk(job->team, worker, job->count, GRAIN);
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin; n < walk.end; n++) {
            CAROM_ASSERT(job->label[n] <= n);
            if (job->label[n] != n) {
                atomic_store_explicit(&job->workspace->grouped[job->label[n]], 1, memory_order_relaxed);
            }
        }
    }
}

/* Either the body has another label than itself, or another body has it as label. */
static uint32_t is_grouped(const list_job *job, uint64_t body) {
    return job->label[body] != body || atomic_load_explicit(&job->workspace->grouped[body], memory_order_relaxed) != 0;
}

static void count_grouped(void *data, uint32_t worker) {
    list_job *job = data;
    carom_walk walk = carom_team_walk(job->team, worker, job->count, GRAIN);
    uint64_t found = 0;
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin, end = walk.end; n < end; n++) {
            found += is_grouped(job, n);
        }
    }
    job->begin[worker] = found;
}

static void list_grouped(void *data, uint32_t worker) {
    list_job *job = data;
    carom_walk walk = carom_team_walk(job->team, worker, job->count, GRAIN);
    uint64_t at = job->begin[worker];
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin, end = walk.end; n < end; n++) {
            if (is_grouped(job, n)) {
                job->workspace->key[at] = job->label[n];
                job->member[at] = (uint32_t)n;
                at++;
            }
        }
    }
}

/* Members are sorted by label here: a group starts where the label changes. */
static uint32_t starts_group(const list_job *job, uint64_t at) {
    return at == 0 || job->workspace->key[at] != job->workspace->key[at - 1];
}

static void count_starts(void *data, uint32_t worker) {
    list_job *job = data;
    carom_walk walk = carom_team_walk(job->team, worker, job->total, GRAIN);
    uint64_t found = 0;
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin, end = walk.end; n < end; n++) {
            found += starts_group(job, n);
        }
    }
    job->begin[worker] = found;
}

static void write_starts(void *data, uint32_t worker) {
    list_job *job = data;
    carom_walk walk = carom_team_walk(job->team, worker, job->total, GRAIN);
    uint64_t at = job->begin[worker];
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin, end = walk.end; n < end; n++) {
            if (starts_group(job, n)) {
                job->offset[at++] = n;
            }
        }
    }
}

/* Turns the count of each worker into where it begins; returns the sum. */
static uint64_t sum_workers(list_job *job) {
    uint64_t sum = 0;
    for (uint32_t w = 0; w < job->team->workers; w++) {
        uint64_t own = job->begin[w];
        job->begin[w] = sum;
        sum += own;
    }
    return sum;
}

static uint32_t bits_of(uint64_t value) {
    uint32_t bits = 1;
    while (value >> bits != 0) {
        bits++;
    }
    return bits;
}

carom_status carom_groups_list(const carom_team *team, const carom_simd *simd, carom_memory *memory,
                               carom_radix_sort *sort, const carom_member_workspace *workspace, uint64_t count,
                               const uint32_t *label, uint64_t *offset, uint32_t *member) {
    CAROM_ASSERT(count <= UINT32_MAX);
    list_job job = {.team = team,
                    .workspace = workspace,
                    .label = label,
                    .count = count,
                    .offset = offset,
                    .member = member,
                    .begin = workspace->shares};
    carom_team_run(team, mark_grouped, &job);
    carom_team_run(team, count_grouped, &job);
    job.total = sum_workers(&job);
    carom_team_run(team, list_grouped, &job);
    if (carom_team_stopped(team)) {
        return CAROM_ERROR_CANCELLED;
    }
    carom_status status = carom_radix_sort_u32(sort, team, memory, simd, job.total, bits_of(count), workspace->key,
                                               member, workspace->spare_key, workspace->spare_member);
    if (status != CAROM_OK) {
        return status;
    }
    carom_team_run(team, count_starts, &job);
    uint64_t groups = sum_workers(&job);
    carom_team_run(team, write_starts, &job);
    offset[groups] = job.total;
    return carom_team_stopped(team) ? CAROM_ERROR_CANCELLED : CAROM_OK;
}
