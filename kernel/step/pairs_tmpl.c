/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What becomes of the pairs that a sweep finds, a block at a time while their bodies are in cache: who touches, rows,
 * hashes, unions. */
#include "kernel/step/job_tmpl.h"
#include "kernel/step/mix.h"
#include "kernel/sys/clock.h"

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
    uint32_t touching = carom_kernels_of(job->context->simd)->touch(job->records, hits, i, k, i, k);
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
