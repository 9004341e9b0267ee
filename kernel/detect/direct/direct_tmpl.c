/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/detect/direct/direct_tmpl.h"

#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/detect/direct/block_tmpl.h"
#include "kernel/detect/results/hash_tmpl.h"
#include "kernel/detect/results/output_tmpl.h"
#include "kernel/detect/search/survey_tmpl.h"
#include "kernel/groups/sets.h"
#include "kernel/store/row_table_tmpl.h"
#include "kernel/sys/clock.h"
#include "kernel/sys/error.h"

/* Below so many bodies, looking at the clock would take as long as the search; hashes take longer. */
enum { TIMED_LEAST = 64 };

typedef CAROM_REAL(carom_block) carom_direct_sink_block;

typedef struct direct_job {
    carom_context *context;
    const carom_bodies *bodies;
    const carom_detect_config *config;
    carom_detection *detection;
    carom_direct_block block;
    carom_row_shape shape;
    double centre[3];
    uint32_t *label; /* of each body; NULL: no groups */
    uint64_t rows;   /* so far */
    bool first_rows; /* detection->contacts begins with the first row */
} direct_job;

static bool stores_rows(const direct_job *job) {
    return !job->config->count_only;
}

static bool wants_contacts(const direct_job *job) {
    return job->config->until >= CAROM_UNTIL_APPROACH;
}

bool carom_direct_takes(const carom_bodies *bodies, const carom_detect_config *config) {
    return bodies->count > 0 && bodies->count <= CAROM_DIRECT_MOST && bodies->shapes == NULL &&
           config->until != CAROM_UNTIL_BOUNDS && config->method == CAROM_METHOD_AUTO && config->periodic == NULL &&
           config->filter == NULL && config->neighbours == CAROM_NEIGHBOURS_NONE && !config->group_members &&
           !config->list_order;
}

/* How many rows fit into so many bytes: constants divide faster. */
static uint64_t capacity_of(uint64_t bytes, bool contacts) {
    enum {
        PAIR_BYTES = CAROM_PAIR_FIELDS * sizeof(uint32_t),
        CONTACT_BYTES = PAIR_BYTES + (CAROM_ROW_FIELDS - CAROM_PAIR_FIELDS) * sizeof(carom_real)
    };
    return (contacts ? bytes / (CAROM_ROW_MULTIPLE * CONTACT_BYTES) : bytes / (CAROM_ROW_MULTIPLE * PAIR_BYTES)) *
           CAROM_ROW_MULTIPLE;
}

/* Room for the bodies. Memory that cannot be had is a matter of the stages. */
static bool reserve(direct_job *job) {
    carom_context *context = job->context;
    const uint64_t room = (job->bodies->count + CAROM_SIMD_PAD - 1) / CAROM_SIMD_PAD * CAROM_SIMD_PAD;
    const uint32_t records = carom_context_part_work(0, CAROM_PART_RECORDS);
    const bool groups = job->config->until == CAROM_UNTIL_GROUPS;
    const carom_work_need need[] = {{CAROM_WORK_DIRECT, carom_direct_block_bytes(CAROM_DIRECT_MOST)},
                                    {records, room * sizeof(carom_record)},
                                    {CAROM_WORK_LABEL, groups ? job->bodies->count * sizeof(uint32_t) : 0}};
    if (carom_context_reserve(context, need, sizeof need / sizeof *need, NULL) != CAROM_OK) {
        return false;
    }
    carom_direct_block_set(&job->block, context->simd, room, carom_context_work(context, records),
                           carom_context_work(context, CAROM_WORK_DIRECT));
    job->label = groups ? carom_context_work(context, CAROM_WORK_LABEL) : NULL;
    job->shape =
        (carom_row_shape){wants_contacts(job) ? CAROM_ROW_FIELDS : CAROM_PAIR_FIELDS, sizeof(carom_real), 0, 0};
    context->rows.capacity = capacity_of(context->rows.block.bytes, wants_contacts(job));
    return true;
}

/* Rows of the first `count` pairs. The last vector may overrun them. */
static bool store(direct_job *job, uint32_t count) {
    carom_row_table *table = &job->context->rows;
    const uint64_t needed = job->rows + count + CAROM_SIMD_PAD;
    if (needed > table->capacity &&
        carom_row_table_grow(table, &job->context->memory, NULL, job->shape, needed, 0, job->rows) != CAROM_OK) {
        return false;
    }
    /* Nearly always these are the first rows, and the caller's. */
    carom_contacts *rows = &job->detection->contacts;
    carom_row_table_set_view(job->shape, table->block.data, table->capacity, job->rows, rows);
    if (wants_contacts(job)) {
        carom_direct_block_contacts(&job->block, count, !job->config->all_pairs, rows);
    } else {
        memcpy(rows->i, job->block.slot_i, count * sizeof *rows->i);
        memcpy(rows->k, job->block.slot_k, count * sizeof *rows->k);
    }
    job->first_rows = job->rows == 0;
    job->rows += count;
    return true;
}

static uint32_t keep_touching(direct_job *job, uint32_t hits) {
    const carom_direct_block *block = &job->block;
    uint32_t touching = carom_direct_block_touching(block, hits);
    if (job->config->approaching) {
        touching =
            carom_kernels_of(block->simd)
                ->approaching(block->records, touching, block->slot_i, block->slot_k, block->slot_i, block->slot_k);
    }
    return touching;
}

/* Pairs of overlapping boxes, and what follows from them. */
static bool process(direct_job *job, uint32_t hits) {
    carom_detect_summary *summary = &job->detection->summary;
    const carom_direct_block *block = &job->block;
    const bool only_pairs = !wants_contacts(job);
    const bool all_pairs = only_pairs || job->config->all_pairs;
    summary->box_pairs += hits;
    if (all_pairs && stores_rows(job) && !store(job, hits)) {
        return false;
    }
    if (only_pairs) {
        return true;
    }
    const uint32_t touching = keep_touching(job, hits);
    summary->touching_pairs += touching;
    if (job->config->hash) {
        summary->touching_hash += carom_hash_numbers(touching, block->slot_i, block->slot_k, 0);
    }
    if (job->label != NULL) {
        carom_sets_unite(job->label, touching, block->slot_i, block->slot_k);
    }
    return all_pairs || !stores_rows(job) || store(job, touching);
}

static bool search(direct_job *job) {
    const uint32_t count = (uint32_t)job->bodies->count;
    carom_direct_rows rows = {0, count};
    while (rows.next < count) {
        if (!process(job, carom_direct_block_hits(&job->block, &rows, 0))) {
            return false;
        }
    }
    return true;
}

static void label(const direct_job *job) {
    carom_detection *detection = job->detection;
    const carom_set_counts counts = carom_sets_label(job->label, 0, (uint32_t)job->bodies->count, job->block.size);
    detection->summary.groups = counts.groups;
    detection->summary.largest_group = counts.largest;
    detection->groups.count = counts.groups;
    detection->groups.label = job->label;
}

/* Gives the rows to the caller. */
static void finish(const direct_job *job) {
    static const char reason[] = "direct: so few bodies that each is tested against all others";
    carom_detection *detection = job->detection;
    const carom_row_table *table = &job->context->rows;
    detection->summary.method = "direct";
    memcpy(detection->summary.reason, reason, sizeof reason);
    detection->summary.required_pairs = wants_contacts(job) && !job->config->all_pairs
                                            ? detection->summary.touching_pairs
                                            : detection->summary.box_pairs;
    if (stores_rows(job)) {
        CAROM_ASSERT(job->rows == detection->summary.required_pairs);
        detection->pair_count = job->rows;
        if (!job->first_rows) {
            detection->contacts = carom_row_table_view(job->shape, table->block.data, table->capacity, 0);
        }
    }
}

/* What queries search. */
static void keep_partition(const direct_job *job) {
    carom_context_partition *kept = &job->context->partition;
    *kept = (carom_context_partition){.records = job->block.records,
                                      .count = job->bodies->count,
                                      .owned = job->bodies->count,
                                      .bits = CAROM_REAL_BITS,
                                      .asked = CAROM_REAL_BITS};
    memcpy(kept->centre, job->centre, sizeof kept->centre);
}

/* Tells the host that a phase begins. Returns whether to go on. */
static bool enter(const direct_job *job, carom_phase phase) {
    carom_control *control = job->context->team.control;
    if (control == NULL) {
        return true;
    }
    carom_control_enter(control, phase);
    carom_control_begin(control);
    return !carom_control_look(control);
}

static bool detect(direct_job *job) {
    const uint64_t count = job->bodies->count;
    if (!enter(job, CAROM_PHASE_BOUNDS) || !reserve(job)) {
        return false;
    }
    if (job->label != NULL) {
        carom_sets_init(job->label, (uint32_t)count);
    }
    carom_survey_centre_of_few(job->bodies, 0, count, job->centre);
    if (!carom_direct_block_load(&job->block, job->bodies, 0, count, job->centre) || !enter(job, CAROM_PHASE_SWEEP) ||
        !search(job)) {
        return false;
    }
    if (job->label != NULL) {
        label(job);
    }
    finish(job);
    keep_partition(job);
    return enter(job, CAROM_PHASE_COLLECT);
}

/* Gives the rows to the caller's function instead, as one task. Returns false if it wants no more. */
static bool sink_rows(const direct_job *job, const carom_direct_output *output) {
    carom_detection *detection = job->detection;
    const carom_row_table *table = &job->context->rows;
    carom_direct_sink_block block = {.size = sizeof block};
    bool goes_on = true;
    detection->pair_count = 0;
    memset(&detection->contacts, 0, sizeof detection->contacts);
    for (uint64_t at = 0; at < job->rows && goes_on; at += block.count) {
        const uint64_t left = job->rows - at;
        block.count = left < CAROM_BLOCK_ROWS ? (uint32_t)left : CAROM_BLOCK_ROWS;
        block.contacts = carom_row_table_view(job->shape, table->block.data, table->capacity, at);
        block.part = at / CAROM_BLOCK_ROWS;
        goes_on = output->sink(output->sink_user, &block);
    }
    return goes_on;
}

static bool has_sink(const carom_direct_output *output) {
    return output != NULL && output->sink != NULL;
}

/* What the stages have functions for: the caller's arrays and hashes. Returns false if the rows do not fit the arrays,
 * or if the call is to stop. */
static bool deliver(const direct_job *job, const carom_direct_output *output) {
    const bool returned = stores_rows(job) && !has_sink(output);
    const carom_row_table *table = &job->context->rows;
    carom_error failure; /* the stages find it again */
    carom_detect_job whole = {
        .context = job->context,
        .bodies = job->bodies,
        .owned = job->bodies->count,
        .config = job->config,
        .output = output,
        .detection = job->detection,
        .error = &failure,
        .rows = {.shape = job->shape, .destination = returned ? CAROM_ROWS_STORED : CAROM_ROWS_COUNTED}};
    carom_context_use_workers(job->context, job->bodies->count);
    if (output != NULL && carom_output_rows(&whole, table, returned ? job->rows : 0) != CAROM_OK) {
        return false;
    }
    if (job->config->hash) {
        if (has_sink(output)) {
            const carom_contacts rows = carom_row_table_view(job->shape, table->block.data, table->capacity, 0);
            whole.sink.hash = carom_hash_rows(&rows, 0, job->rows, 0);
        }
        carom_hash_results(&whole);
    }
    return !carom_team_stopped(&job->context->team);
}

/* As of a detection that fails: nothing is left but how many pairs there are. */
static carom_status stop(carom_detection *detection, carom_error *error) {
    const uint64_t pairs = detection->summary.required_pairs;
    const size_t size = detection->size;
    memset(detection, 0, sizeof *detection);
    detection->size = size;
    detection->summary.required_pairs = pairs;
    return carom_error_set(error, CAROM_ERROR_STOPPED, "the caller's sink stopped the detection");
}

bool carom_direct_run(carom_context *context, const carom_bodies *bodies, const carom_detect_config *config,
                      const carom_direct_output *output, carom_direct_detection *detection, carom_status *status,
                      carom_error *error) {
    CAROM_ASSERT(carom_direct_takes(bodies, config));
    const bool timed = bodies->count >= TIMED_LEAST || config->hash;
    const double begin = timed ? carom_clock_seconds() : 0.0;
    direct_job job;
    job.context = context;
    job.bodies = bodies;
    job.config = config;
    job.detection = detection;
    job.rows = 0;
    job.first_rows = false;
    *status = CAROM_OK;
    if (!detect(&job)) {
        return false;
    }
    const bool sunk = !has_sink(output) || sink_rows(&job, output);
    if (sunk && (output != NULL || config->hash) && !deliver(&job, output)) {
        return false;
    }
    detection->summary.seconds = timed ? carom_clock_seconds() - begin : 0.0;
    *status = sunk ? CAROM_OK : stop(detection, error);
    return true;
}
