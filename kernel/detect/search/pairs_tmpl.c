/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/detect/search/pairs_tmpl.h"

#include "kernel/check/assert.h"
#include "kernel/detect/results/hash_tmpl.h"
#include "kernel/detect/results/log_tmpl.h"
#include "kernel/detect/results/worker_loop_tmpl.h"
#include "kernel/detect/search/filter_tmpl.h"
#include "kernel/detect/shaped/shape_pairs_tmpl.h"

/* Keeps, in order, the pairs that are not of images alone. `self`: that of images, as a constant. */
static inline uint32_t keep_reported(const carom_images *images, bool self, const carom_record *records, uint32_t count,
                                     uint32_t *slot_i, uint32_t *slot_k) {
    uint32_t kept = 0;
    for (uint32_t n = 0; n < count; n++) {
        uint32_t i = slot_i[n];
        uint32_t k = slot_k[n];
        slot_i[kept] = i;
        slot_k[kept] = k;
        kept += carom_images_report(images, self, (uint32_t)records[i].body, (uint32_t)records[k].body);
    }
    return kept;
}

/* The question whether bodies meet their own images costs a call without them nothing. */
static uint32_t drop_images(const carom_images *images, const carom_record *records, uint32_t count, uint32_t *slot_i,
                            uint32_t *slot_k) {
    return images->self_images ? keep_reported(images, true, records, count, slot_i, slot_k)
                               : keep_reported(images, false, records, count, slot_i, slot_k);
}

/* Often all pairs are known to touch. */
static uint32_t touch(const carom_detect_job *job, uint32_t hits, uint32_t *i, uint32_t *k) {
    return hits > 0 ? carom_kernels_of(job->context->simd)->touch(job->search.records, hits, i, k, i, k) : 0;
}

/* Counts the pairs that touch, and approach if the call asks for that; keeps them at the start of the arrays, and adds
 * their hashes. */
static uint32_t keep_touching(const carom_detect_job *job, carom_worker *worker, carom_pairs pairs, uint32_t *i,
                              uint32_t *k) {
    const bool shaped = job->shapes.source != NULL;
    uint32_t touching = shaped ? carom_shape_pairs_touch(job, (uint32_t)(worker - job->workers), pairs.hits, i, k)
                               : pairs.known + touch(job, pairs.hits - pairs.known, i + pairs.known, k + pairs.known);
    CAROM_ASSERT(touching <= pairs.hits);
    if (job->config->approaching && !shaped) {
        touching = carom_kernels_of(job->context->simd)->approaching(job->search.records, touching, i, k, i, k);
    }
    worker->touching_pairs += touching;
    if (job->config->hash) {
        worker->touching_hash += carom_hash_pairs(job, touching, i, k);
    }
    if (job->log != NULL) {
        carom_log_touching(job, worker, touching, i, k);
    }
    return touching;
}

/* Stores the pairs that the worker has found: touching pairs of shapes with their answers. */
static void store(carom_detect_job *job, carom_worker *worker, carom_task *task, uint32_t count) {
    const carom_shape_answer *answers =
        job->rows.answered ? carom_shape_pairs_answers(job, (uint32_t)(worker - job->workers)) : NULL;
    const carom_hits hits = {count, worker->workspace.hit_i, worker->workspace.hit_k, answers};
    carom_worker_loop_store(job, worker, task, &hits);
}

/* Pairs that do not exist for the call go first: nothing behind the filter ever sees them. */
double carom_pairs_process(carom_detect_job *job, carom_worker *worker, carom_task *task, carom_pairs pairs,
                           double clock) {
    uint32_t *i = worker->workspace.hit_i;
    uint32_t *k = worker->workspace.hit_k;
    const bool only_pairs = job->config->until == CAROM_UNTIL_PAIRS;
    const bool all_pairs = only_pairs || job->config->all_pairs;
    uint32_t hits = pairs.hits;
    CAROM_ASSERT(pairs.known <= hits && hits <= CAROM_HITS_MAX);
    CAROM_ASSERT(pairs.known == 0 || (!all_pairs && job->periodic.images == NULL && job->config->filter == NULL));
    if (job->periodic.images != NULL) {
        hits = drop_images(job->periodic.images, job->search.records, hits, i, k);
    }
    hits = carom_filter_pairs(job, worker, hits, i, k);
    worker->box_pairs += hits;
    if (all_pairs) {
        store(job, worker, task, hits);
    }
    uint32_t touching = 0;
    if (!only_pairs) {
        touching = keep_touching(job, worker, (carom_pairs){hits, pairs.known}, i, k);
    }
    if (!all_pairs) {
        store(job, worker, task, touching);
    }
    clock = carom_job_worker_lap(worker, CAROM_PHASE_APPROACH, clock);
    if (carom_job_wants_groups(job)) {
        if (job->context->team.workers == 1) {
            carom_union_find_unite_pairs_alone(job->groups.parent, touching, i, k);
        } else {
            carom_union_find_unite_pairs(job->groups.parent, touching, i, k);
        }
        clock = carom_job_worker_lap(worker, CAROM_PHASE_GROUPS, clock);
    }
    return clock;
}
