/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Every item is mixed with its kind and its place, and the results are added up: a sum has no order, so neither that of
 * the pairs nor the number of workers matters, while every bit of every value does. */
#include "kernel/detect/results/hash_tmpl.h"

#include <stdatomic.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/sys/mix.h"

/* Rows, labels and boxes are shared out among the workers by this many. */
enum { GRAIN = 4096 };

/* Keeps items of different kinds apart. */
static const uint64_t PAIR_SALT = UINT64_C(0x5043B1A60C4D2E71);
static const uint64_t TOUCHING_SALT = UINT64_C(0x9E3779B97F4A7C15);
static const uint64_t LABEL_SALT = UINT64_C(0x8F6A3D0B19E7C254);
static const uint64_t BOX_SALT = UINT64_C(0x2C9E71D4B0586FA3);
static const uint64_t COUNT_SALT = UINT64_C(0xD1B54A32D192ED03);

/* Adds a value to a hash so that its place in the chain counts: the same values in another order give another hash. */
static uint64_t chain_bits(uint64_t hash, const void *value, size_t size) {
    uint64_t bits = 0;
    CAROM_ASSERT(size <= sizeof bits);
    memcpy(&bits, value, size);
    return carom_mix64(hash ^ bits) + bits;
}

static uint64_t hash_row(const carom_contacts *rows, uint64_t n, uint32_t first) {
    uint64_t hash = carom_mix64(((uint64_t)(rows->i[n] - first) << 32 | (rows->k[n] - first)) + PAIR_SALT);
    for (int a = 0; a < 3 && rows->shift[0] != NULL; a++) {
        hash = chain_bits(hash, &rows->shift[a][n], sizeof(int32_t));
    }
    if (rows->t_ca == NULL) {
        return hash;
    }
    hash = chain_bits(hash, &rows->t_ca[n], sizeof(carom_real));
    hash = chain_bits(hash, &rows->distance[n], sizeof(carom_real));
    hash = chain_bits(hash, &rows->t_toi[n], sizeof(carom_real));
    for (int a = 0; a < 3; a++) {
        hash = chain_bits(hash, &rows->normal[a][n], sizeof(carom_real));
        hash = chain_bits(hash, &rows->point[a][n], sizeof(carom_real));
    }
    return hash;
}

uint64_t carom_hash_rows(const carom_contacts *rows, uint64_t begin, uint64_t end, uint32_t first) {
    CAROM_ASSERT(begin <= end && (begin == end || (rows->i != NULL && rows->k != NULL)));
    uint64_t sum = 0;
    for (uint64_t n = begin; n < end; n++) {
        sum += hash_row(rows, n, first);
    }
    return sum;
}

static uint32_t caller_body(const carom_images *images, uint32_t body) {
    return images == NULL ? body : carom_images_owner(images, body);
}

/* Which pair touches, a < b. */
static uint64_t hash_pair(uint64_t a, uint64_t b) {
    return carom_mix64((a << 32 | b) + TOUCHING_SALT);
}

uint64_t carom_hash_numbers(uint32_t count, const uint32_t *i, const uint32_t *k, uint32_t first) {
    uint64_t sum = 0;
    for (uint32_t n = 0; n < count; n++) {
        CAROM_ASSERT(first <= i[n] && i[n] < k[n]);
        sum += hash_pair(i[n] - first, k[n] - first);
    }
    return sum;
}

uint64_t carom_hash_pairs(const carom_detect_job *job, uint32_t count, const uint32_t *slot_i, const uint32_t *slot_k) {
    const carom_images *images = job->periodic.images;
    const carom_record *records = job->search.records;
    uint64_t sum = 0;
    for (uint32_t n = 0; n < count; n++) {
        uint64_t a = caller_body(images, (uint32_t)records[slot_i[n]].body);
        uint64_t b = caller_body(images, (uint32_t)records[slot_k[n]].body);
        sum += hash_pair(a < b ? a : b, a < b ? b : a);
    }
    return sum;
}

uint64_t carom_hash_label(uint64_t body, uint64_t label) {
    return carom_mix64((body << 32 | label) + LABEL_SALT);
}

uint64_t carom_hash_counts(const uint64_t counts[CAROM_HASHED_COUNTS]) {
    uint64_t hash = COUNT_SALT;
    for (int n = 0; n < CAROM_HASHED_COUNTS; n++) {
        hash = chain_bits(hash, &counts[n], sizeof counts[n]);
    }
    return hash;
}

static uint64_t hash_box(const carom_detection *d, uint64_t n) {
    uint64_t hash = carom_mix64(n + BOX_SALT);
    for (int a = 0; a < 3; a++) {
        hash = chain_bits(hash, &d->lo[a][n], sizeof(float));
        hash = chain_bits(hash, &d->hi[a][n], sizeof(float));
    }
    return hash;
}

typedef struct hash_job {
    const carom_detect_job *job;
    _Atomic uint64_t sum; /* of all workers' shares so far: modulo 2^64, so their order does not count */
} hash_job;

static uint64_t hash_rows(const carom_detection *d, carom_walk walk) {
    uint64_t sum = 0;
    while (carom_walk_next(&walk)) {
        sum += carom_hash_rows(&d->contacts, walk.begin, walk.end, 0);
    }
    return sum;
}

static uint64_t hash_labels(const carom_detection *d, carom_walk walk) {
    uint64_t sum = 0;
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin, end = walk.end; n < end; n++) {
            sum += carom_hash_label(n, d->groups.label[n]);
        }
    }
    return sum;
}

static uint64_t hash_boxes(const carom_detection *d, carom_walk walk) {
    uint64_t sum = 0;
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin, end = walk.end; n < end; n++) {
            sum += hash_box(d, n);
        }
    }
    return sum;
}

/* What a worker hashes of the rows, of the labels and of the boxes, as far as the call has returned them. */
static void hash_share(void *data, uint32_t worker) {
    hash_job *hash = data;
    const carom_detect_job *job = hash->job;
    const carom_detection *d = job->detection;
    const carom_team *team = &job->context->team;
    const uint64_t rows = d->contacts.i == NULL ? 0 : d->pair_count;
    const uint64_t labels = d->groups.label == NULL ? 0 : job->owned;
    const uint64_t boxes = d->lo[0] == NULL ? 0 : job->bodies->count;
    uint64_t sum = hash_rows(d, carom_team_walk(team, worker, rows, GRAIN));
    sum += hash_labels(d, carom_team_walk(team, worker, labels, GRAIN));
    sum += hash_boxes(d, carom_team_walk(team, worker, boxes, GRAIN));
    atomic_fetch_add_explicit(&hash->sum, sum, memory_order_relaxed);
}

void carom_hash_results(carom_detect_job *job) {
    carom_detect_summary *summary = &job->detection->summary;
    hash_job shares = {.job = job};
    carom_team_run(&job->context->team, hash_share, &shares);
    const uint64_t counts[CAROM_HASHED_COUNTS] = {summary->box_pairs, summary->touching_pairs, summary->touching_hash,
                                                  summary->groups, summary->largest_group};
    summary->result_hash = carom_hash_counts(counts) + shares.sum + job->sink.hash;
}
