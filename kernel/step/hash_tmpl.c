/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* result_hash: a sum over everything a call returns, each item mixed with its place, so that neither the order of
 * the pairs nor the number of threads matters and every bit of every value does. */
#include <string.h>

#include "kernel/step/job_tmpl.h"
#include "kernel/step/mix.h"

enum { GRAIN = 4096 };

/* Keeps items of different kinds apart. */
static const uint64_t PAIR_SALT = UINT64_C(0x5043B1A60C4D2E71);
static const uint64_t LABEL_SALT = UINT64_C(0x8F6A3D0B19E7C254);
static const uint64_t BOX_SALT = UINT64_C(0x2C9E71D4B0586FA3);
static const uint64_t COUNT_SALT = UINT64_C(0xD1B54A32D192ED03);

static uint64_t chain_bits(uint64_t hash, const void *value, size_t size) {
    uint64_t bits = 0;
    memcpy(&bits, value, size);
    return carom_mix64(hash ^ bits) + bits;
}

static uint64_t hash_row(const carom_detection *d, uint64_t n) {
    uint64_t hash = carom_mix64(((uint64_t)d->i[n] << 32 | d->k[n]) + PAIR_SALT);
    for (int a = 0; a < 3 && d->shift[0] != NULL; a++) {
        hash = chain_bits(hash, &d->shift[a][n], sizeof(int32_t));
    }
    if (d->t_ca == NULL) {
        return hash;
    }
    hash = chain_bits(hash, &d->t_ca[n], sizeof(carom_real));
    hash = chain_bits(hash, &d->distance[n], sizeof(carom_real));
    hash = chain_bits(hash, &d->t_toi[n], sizeof(carom_real));
    for (int a = 0; a < 3; a++) {
        hash = chain_bits(hash, &d->normal[a][n], sizeof(carom_real));
        hash = chain_bits(hash, &d->point[a][n], sizeof(carom_real));
    }
    return hash;
}

uint64_t CAROM_REAL(carom_detect_hash_rows)(const carom_detection *d, uint64_t begin, uint64_t end) {
    uint64_t sum = 0;
    for (uint64_t n = begin; n < end; n++) {
        sum += hash_row(d, n);
    }
    return sum;
}

static uint64_t hash_box(const carom_detection *d, uint64_t n) {
    uint64_t hash = carom_mix64(n + BOX_SALT);
    for (int a = 0; a < 3; a++) {
        hash = chain_bits(hash, &d->lo[a][n], sizeof(float));
        hash = chain_bits(hash, &d->hi[a][n], sizeof(float));
    }
    return hash;
}

static void hash_results(void *data, uint32_t worker) {
    carom_detect_job *job = data;
    const carom_detection *d = job->detection;
    const carom_team *team = &job->context->team;
    uint64_t begin;
    uint64_t end;
    carom_team_range(team, worker, d->i == NULL ? 0 : d->pair_count, GRAIN, &begin, &end);
    uint64_t sum = CAROM_REAL(carom_detect_hash_rows)(d, begin, end);
    carom_team_range(team, worker, d->groups.label == NULL ? 0 : job->owned, GRAIN, &begin, &end);
    for (uint64_t n = begin; n < end; n++) {
        sum += carom_mix64((n << 32 | d->groups.label[n]) + LABEL_SALT);
    }
    carom_team_range(team, worker, d->lo[0] == NULL ? 0 : job->bodies->count, GRAIN, &begin, &end);
    for (uint64_t n = begin; n < end; n++) {
        sum += hash_box(d, n);
    }
    job->workers[worker].result_hash += sum; /* to that of rows that went to the sink */
}

void CAROM_REAL(carom_detect_hash)(carom_detect_job *job) {
    carom_detect_summary *summary = &job->detection->summary;
    carom_team_run(&job->context->team, hash_results, job);
    uint64_t counts[] = {summary->box_pairs, summary->touching_pairs, summary->touching_hash, summary->groups,
                         summary->largest_group};
    uint64_t hash = COUNT_SALT;
    for (size_t n = 0; n < sizeof counts / sizeof counts[0]; n++) {
        hash = chain_bits(hash, &counts[n], sizeof counts[n]);
    }
    for (uint32_t w = 0; w < job->context->team.workers; w++) {
        hash += job->workers[w].result_hash;
    }
    summary->result_hash = hash;
}
