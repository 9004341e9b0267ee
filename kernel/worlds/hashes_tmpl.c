/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/worlds/hashes_tmpl.h"

#include "kernel/detect/results/hash_tmpl.h"
#include "kernel/store/row_table_tmpl.h"

/* Worlds are shared out among the workers by this many. */
enum { GRAIN = 16 };

/* That of no bodies is 0, as in a call of its own. */
static uint64_t hash_world(const carom_worlds_job *job, uint64_t world) {
    const carom_row_table *table = &job->context->worlds_rows;
    const carom_worlds_counts *counts = &job->counts[world];
    const uint64_t begin = job->offset[world];
    const uint64_t rows = job->pair_offset[world + 1] - job->pair_offset[world];
    if (job->offset[world + 1] == begin) {
        return 0;
    }
    const carom_contacts view =
        carom_row_table_view(job->shape, table->block.data, table->capacity, job->pair_offset[world]);
    const uint64_t hashed[CAROM_HASHED_COUNTS] = {counts->box_pairs, counts->touching_pairs, counts->touching_hash,
                                                  counts->groups, counts->largest_group};
    uint64_t sum = carom_hash_counts(hashed) + carom_hash_rows(&view, 0, rows, (uint32_t)begin);
    for (uint64_t n = begin; n < job->offset[world + 1] && job->label != NULL; n++) {
        sum += carom_hash_label(n - begin, job->label[n] - begin);
    }
    return sum;
}

static void hash_worlds(void *data, uint32_t worker) {
    const carom_worlds_job *job = data;
    carom_walk walk = carom_team_walk(&job->context->team, worker, job->worlds, GRAIN);
    while (carom_walk_next(&walk)) {
        for (uint64_t w = walk.begin; w < walk.end; w++) {
            job->counts[w].result_hash = hash_world(job, w);
        }
    }
}

void carom_worlds_hashes(carom_worlds_job *job) {
    carom_team_run(&job->context->team, hash_worlds, job);
    for (uint64_t w = 0; w < job->worlds; w++) {
        job->result->total.result_hash += job->counts[w].result_hash;
    }
}
