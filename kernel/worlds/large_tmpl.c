/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/worlds/large_tmpl.h"

#include <string.h>

#include "kernel/detect/detect.h"
#include "kernel/store/row_table_tmpl.h"
#include "kernel/worlds/write_tmpl.h"
#include "simd/layout.h"

#define carom_detect_run CAROM_REAL(carom_detect_run)

typedef CAROM_REAL(carom_detection) carom_detection;

/* Bodies of one world as bodies of their own. */
static carom_bodies bodies_of(const carom_worlds_job *job, uint64_t world) {
    const uint64_t begin = job->offset[world];
    carom_bodies bodies = *job->bodies;
    bodies.count = job->offset[world + 1] - begin;
    for (int a = 0; a < 3; a++) {
        bodies.prev[a] = carom_layout_at(bodies.prev[a], bodies.prev_stride, begin);
        bodies.curr[a] = carom_layout_at(bodies.curr[a], bodies.curr_stride, begin);
    }
    if (bodies.radius != NULL) {
        bodies.radius = carom_layout_at(bodies.radius, bodies.radius_stride, begin);
    }
    return bodies;
}

static carom_detect_config detection_of(const carom_worlds_config *config) {
    carom_detect_config detection = carom_detect_config_default();
    detection.until = config->until;
    detection.count_only = config->count_only;
    detection.approaching = config->approaching;
    detection.hash = config->hash;
    detection.cancel = config->cancel;
    detection.sort_pairs = !config->count_only;
    return detection;
}

/* The bodies' numbers in a column, counted from the world's first one, become those of the arrays. */
static void raise_numbers(uint32_t *to, const uint32_t *from, uint64_t count, uint32_t first) {
    for (uint64_t n = 0; n < count; n++) {
        to[n] = from[n] + first;
    }
}

/* Copies the rows that were found, from row `at` on. */
static void copy_rows(const carom_worlds_job *job, const carom_detection *found, uint64_t at, uint32_t first) {
    const carom_row_table *table = &job->context->worlds_rows;
    const carom_contacts to = carom_row_table_view(job->shape, table->block.data, table->capacity, at);
    void *into[CAROM_CONTACT_FIELDS];
    void *from[CAROM_CONTACT_FIELDS];
    (void)carom_row_table_columns(&to, into);
    (void)carom_row_table_columns(&found->contacts, from);
    raise_numbers(to.i, found->contacts.i, found->pair_count, first);
    raise_numbers(to.k, found->contacts.k, found->pair_count, first);
    for (uint32_t f = CAROM_PAIR_FIELDS; f < job->shape.fields; f++) {
        memcpy(into[f], from[f], found->pair_count * sizeof(carom_real));
    }
}

static void take_counts(carom_worlds_job *job, uint64_t world, const carom_detect_summary *summary) {
    carom_worlds_counts *total = &job->result->total;
    carom_worlds_counts *counts = &job->counts[world];
    *counts = (carom_worlds_counts){summary->box_pairs,     summary->touching_pairs, summary->groups,
                                    summary->largest_group, summary->touching_hash,  summary->result_hash};
    total->box_pairs += counts->box_pairs;
    total->touching_pairs += counts->touching_pairs;
    total->groups += counts->groups;
    total->largest_group = counts->largest_group > total->largest_group ? counts->largest_group : total->largest_group;
    total->touching_hash += counts->touching_hash;
}

carom_status carom_worlds_large(carom_worlds_job *job) {
    const uint64_t world = job->next_world;
    const uint32_t first = (uint32_t)job->offset[world];
    const carom_bodies bodies = bodies_of(job, world);
    const carom_detect_config config = detection_of(job->config);
    const uint64_t before = job->rows;
    carom_detection found;
    memset(&found, 0, sizeof found);
    job->context->worlds_held = true;
    carom_status status = carom_detect_run(job->context, &bodies, &config, NULL, &found, NULL);
    job->context->worlds_held = false;
    if (status != CAROM_OK) {
        job->result->required_bytes = found.summary.required_bytes;
        if (status == CAROM_ERROR_MEMORY) {
            carom_worlds_require(job, job->rows, 0);
        }
        return status;
    }
    job->next_world++;
    job->pair_offset[world] = before;
    job->rows += found.pair_count;
    status = found.pair_count > 0 ? carom_worlds_rows_reserve(job, before) : CAROM_OK;
    if (status != CAROM_OK) {
        return status;
    }
    take_counts(job, world, &found.summary);
    if (found.pair_count > 0) {
        copy_rows(job, &found, before, first);
    }
    if (job->label != NULL) {
        raise_numbers(job->label + first, found.groups.label, bodies.count, first);
    }
    return CAROM_OK;
}
