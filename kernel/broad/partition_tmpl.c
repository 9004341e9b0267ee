/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/broad/partition.h"

#include <string.h>

#include "simd/isa.h"

/* Bodies coded and counted at a time: their codes are counted from L1. */
enum { BLOCK = 2048 };

typedef struct job {
    const carom_team *team;
    const carom_simd *simd;
    const carom_plan *plan;
    const CAROM_REAL(carom_bodies) * bodies;
    carom_partition_space space;
    CAROM_REAL(carom_record) * records;
} job;

static carom_scatter_cursor *cursors_of(const job *j, uint32_t worker) {
    return j->space.cursor + (uint64_t)worker * j->plan->code_count;
}

static void count_codes(void *data, uint32_t worker) {
    const job *j = data;
    carom_scatter_cursor *cursor = cursors_of(j, worker);
    memset(cursor, 0, (size_t)j->plan->code_count * sizeof *cursor);
    uint64_t begin;
    uint64_t end;
    carom_team_range(j->team, worker, j->bodies->count, BLOCK, &begin, &end);
    for (uint64_t block = begin; block < end; block += BLOCK) {
        uint64_t stop = block + BLOCK < end ? block + BLOCK : end;
        j->simd->CAROM_REAL(codes)(j->bodies, block, stop, &j->plan->grid, j->space.code);
        for (uint64_t n = block; n < stop; n++) {
            cursor[j->space.code[n]].next++;
        }
    }
}

/* Counts to positions: code by code, within a code worker by worker. */
static void place_codes(const job *j) {
    uint32_t at = 0;
    for (uint32_t c = 0; c < j->plan->code_count; c++) {
        j->space.start[c] = at;
        for (uint32_t w = 0; w < j->team->workers; w++) {
            carom_scatter_cursor *cursor = cursors_of(j, w) + c;
            uint32_t own = cursor->next;
            *cursor = (carom_scatter_cursor){at, at};
            at += own;
        }
    }
    j->space.start[j->plan->code_count] = at;
}

static void scatter_records(void *data, uint32_t worker) {
    const job *j = data;
    uint64_t begin;
    uint64_t end;
    carom_team_range(j->team, worker, j->bodies->count, BLOCK, &begin, &end);
    char *stage = j->space.stage;
    if (stage != NULL) {
        stage += (uint64_t)worker * j->plan->code_count * CAROM_CACHE_LINE;
    }
    j->simd->CAROM_REAL(scatter)(j->bodies, begin, end, j->space.code, j->plan->code_count, cursors_of(j, worker),
                                 stage, j->records);
}

void CAROM_REAL(carom_partition)(const carom_team *team, const carom_simd *simd, const carom_plan *plan,
                                 const CAROM_REAL(carom_bodies) * bodies, const carom_partition_space *space,
                                 CAROM_REAL(carom_record) * records) {
    job j = {team, simd, plan, bodies, *space, records};
    carom_team_run(team, count_codes, &j);
    place_codes(&j);
    carom_team_run(team, scatter_records, &j);
}
