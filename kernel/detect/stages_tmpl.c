/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/detect/stages_tmpl.h"

#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/detect/boxes_tmpl.h"
#include "kernel/detect/groups_tmpl.h"
#include "kernel/detect/images_tmpl.h"
#include "kernel/detect/need_tmpl.h"
#include "kernel/detect/results/collect_tmpl.h"
#include "kernel/detect/results/hash_tmpl.h"
#include "kernel/detect/results/rows_tmpl.h"
#include "kernel/detect/results/shortage_tmpl.h"
#include "kernel/detect/results/sink_tmpl.h"
#include "kernel/detect/results/slot_order_tmpl.h"
#include "kernel/detect/search/filter_tmpl.h"
#include "kernel/detect/search/part_tmpl.h"
#include "kernel/detect/search/survey_tmpl.h"
#include "kernel/detect/shaped/shape_boxes_tmpl.h"
#include "kernel/detect/shaped/shape_source.h"
#include "kernel/sys/clock.h"

/* Looks at all bodies: sample, range, bad values, plan. From here on the scene is a part like those it leads to. */
static carom_status survey_scene(carom_detect_job *job) {
    job->scene = (carom_part){.depth = 0, .bodies = *job->bodies, .swept = job->search.swept};
    return carom_survey_part(job, &job->scene, job->config->method);
}

/* Makes room for rows, in the context's table or in blocks for the sink, and for the order of the bodies. */
static carom_status prepare_rows(carom_detect_job *job) {
    carom_rows_prepare(job);
    const carom_status status = carom_slot_order_reserve(job);
    return status == CAROM_OK ? carom_sink_start(job) : status;
}

/* Bytes that the phases inside a cell read and write, by their data structures. An entry takes 18 words of the cell's
 * arrays to sort (low, key, slot, bits, end, six sides: written, and some read again) and 9 to sweep. */
static void note_bytes(carom_detect_job *job) {
    carom_detect_summary *summary = &job->detection->summary;
    const double record = sizeof(carom_record);
    const double entries = (double)job->search.entries;
    const double rows = job->rows.destination == CAROM_ROWS_STORED ? (double)summary->required_pairs : 0.0;
    double *bytes = summary->phase_bytes;
    bytes[CAROM_PHASE_SORT] = entries * (2 * record + 18.0 * sizeof(uint32_t));
    bytes[CAROM_PHASE_SWEEP] = entries * 9 * sizeof(uint32_t) + (double)summary->box_pairs * 8;
    bytes[CAROM_PHASE_APPROACH] =
        (double)summary->box_pairs * (2 * record + 8) + rows * (2 * record + carom_rows_bytes(job));
}

/* Partition, cells, pairs: who overlaps, who touches, their rows and unions. What workers count is added up after. */
static carom_status search_scene(carom_detect_job *job) {
    carom_status status = carom_part_search(job, &job->scene);
    if (status != CAROM_OK) {
        return status;
    }
    carom_job_sum_workers(job);
    note_bytes(job);
    return carom_sink_end(job);
}

typedef carom_status stage(carom_detect_job *job);

/* The stages of a detection, in order. A call runs those whose range holds config->until. */
static const struct {
    stage *run;
    carom_until first;
    carom_until last;
    carom_phase phase; /* as the host is told */
} stages[] = {
    /* a struct for each worker */
    {carom_job_start_workers, CAROM_UNTIL_BOUNDS, CAROM_UNTIL_GROUPS, CAROM_PHASE_BOUNDS},
    /* shapes: bad bodies, swept boxes */
    {carom_shape_boxes_make, CAROM_UNTIL_BOUNDS, CAROM_UNTIL_GROUPS, CAROM_PHASE_BOUNDS},
    /* periodic box: bodies into one cell, images */
    {carom_images_stage, CAROM_UNTIL_PAIRS, CAROM_UNTIL_GROUPS, CAROM_PHASE_BOUNDS},
    /* bad values, centre, plan */
    {survey_scene, CAROM_UNTIL_BOUNDS, CAROM_UNTIL_GROUPS, CAROM_PHASE_BOUNDS},
    /* bad exclusion lists */
    {carom_filter_check, CAROM_UNTIL_BOUNDS, CAROM_UNTIL_GROUPS, CAROM_PHASE_BOUNDS},
    /* boxes alone, in the caller's order */
    {carom_boxes_stage, CAROM_UNTIL_BOUNDS, CAROM_UNTIL_BOUNDS, CAROM_PHASE_BOUNDS},
    /* room for rows */
    {prepare_rows, CAROM_UNTIL_PAIRS, CAROM_UNTIL_GROUPS, CAROM_PHASE_PARTITION},
    /* partition, then cell by cell */
    {search_scene, CAROM_UNTIL_PAIRS, CAROM_UNTIL_GROUPS, CAROM_PHASE_PARTITION},
    /* labels, sizes, member lists */
    {carom_groups_stage, CAROM_UNTIL_GROUPS, CAROM_UNTIL_GROUPS, CAROM_PHASE_GROUPS},
    /* rows in order, neighbours, output */
    {carom_collect_results, CAROM_UNTIL_PAIRS, CAROM_UNTIL_GROUPS, CAROM_PHASE_COLLECT},
    /* bodies in the order of their slots */
    {carom_slot_order_list, CAROM_UNTIL_PAIRS, CAROM_UNTIL_GROUPS, CAROM_PHASE_COLLECT},
};

/* The first stage that fails, or after which the call is to stop, ends the call. */
static carom_status run_stages(carom_detect_job *job) {
    CAROM_ASSERT(job->owned > 0 && job->owned <= UINT32_MAX);
    CAROM_ASSERT(job->workers == NULL && job->queue.count == 0);
    const carom_until until = job->config->until;
    carom_status status = CAROM_OK;
    for (size_t s = 0; s < sizeof stages / sizeof stages[0] && status == CAROM_OK; s++) {
        if (stages[s].first <= until && until <= stages[s].last) {
            carom_control_enter(job->context->team.control, stages[s].phase);
            status = carom_job_cancelled(job, stages[s].run(job));
        }
    }
    return status;
}

/* After a failure nothing of the result may be used but the sizes that are needed: of a cancelled call, which may not
 * have counted them, not even these. */
static void clear_results(carom_detection *detection, carom_status status) {
    const bool counted = status != CAROM_ERROR_CANCELLED;
    const uint64_t pairs = counted ? detection->summary.required_pairs : 0;
    const uint64_t bytes = counted ? detection->summary.required_bytes : 0;
    memset(detection, 0, sizeof *detection);
    detection->summary.required_pairs = pairs;
    detection->summary.required_bytes = bytes;
}

/* The job as its caller made it. */
static void start_over(carom_detect_job *job) {
    memset(job->detection, 0, sizeof *job->detection);
    const carom_periodic_state periodic = job->periodic;
    const carom_shape_source *shaped = job->shapes.source;
    const bool open = shaped != NULL && periodic.images == NULL; /* job->bodies may be memory that is gone */
    *job = (carom_detect_job){.context = job->context,
                              .bodies = open ? shaped->bodies : job->bodies,
                              .owned = periodic.images != NULL ? periodic.source->count
                                       : shaped != NULL        ? shaped->count
                                                               : job->bodies->count,
                              .config = job->config,
                              .output = job->output,
                              .detection = job->detection,
                              .error = job->error,
                              .clock = carom_clock_seconds(),
                              .search = {.given_centre = job->search.given_centre},
                              .periodic = periodic,
                              .shapes = {.source = shaped},
                              .headroom = job->headroom,
                              .log = job->log};
    if (job->log != NULL) {
        carom_pair_log_restart(job->log);
    }
    carom_control_restart(job->context->team.control);
}

/* Attempts at one call, each after the one before has found too little memory. */
typedef enum attempt {
    ATTEMPT_FIRST,  /* with the buffers that earlier calls left */
    ATTEMPT_AFRESH, /* without: they may be in the way, or of the wrong sizes; and from here on cells are swept */
    ATTEMPT_COUNT,  /* without rows, which may have taken the memory of what comes after them: they are counted */
    ATTEMPT_EXACT,  /* with a table of the size now known: one that grows needs memory for two */
    ATTEMPT_NONE
} attempt;

static attempt next_attempt(const carom_detect_job *job, attempt last) {
    if (job->detection->summary.required_bytes == 0 || last == ATTEMPT_EXACT) {
        return ATTEMPT_NONE;
    }
    if (job->context->expected_rows != 0) {
        return ATTEMPT_EXACT;
    }
    const bool stores = job->rows.destination == CAROM_ROWS_STORED;
    return last == ATTEMPT_FIRST ? ATTEMPT_AFRESH : last == ATTEMPT_AFRESH && stores ? ATTEMPT_COUNT : ATTEMPT_NONE;
}

/* What is known of the call so far says how much it needs at least; if its pairs are counted, required_bytes does. */
static carom_status explain_memory(carom_detect_job *job) {
    const carom_images *images = job->periodic.images;
    const carom_need need = {.context = job->context,
                             .config = job->config,
                             .owned = job->owned,
                             .images = images != NULL ? images->count : 0,
                             .swept = images != NULL && images->self_images,
                             .shaped = job->shapes.source != NULL,
                             .to_sink = carom_rows_has_sink(job),
                             .float_results = job->periodic.float_results};
    const bool counted = job->detection->summary.required_pairs > 0;
    const uint64_t held = job->context->memory.held;
    return carom_need_explain(job, counted ? 0 : carom_size_add(held, carom_need_detect(&need)));
}

/* Runs the stages until memory is enough or nothing is left to try. Then required_bytes is a limit under which it is
 * enough, if the pairs were counted. */
static carom_status run_with_room(carom_detect_job *job) {
    carom_context *context = job->context;
    carom_shortage_counted counted = {0};
    attempt now = ATTEMPT_FIRST;
    while (now != ATTEMPT_NONE) {
        start_over(job);
        job->search.swept = now != ATTEMPT_FIRST;
        atomic_store_explicit(&job->rows.overflowed, now == ATTEMPT_COUNT, memory_order_relaxed);
        carom_status status = run_stages(job);
        if (status != CAROM_ERROR_MEMORY) {
            context->expected_rows = 0; /* an attempt that was cancelled may not have used it */
            return status;
        }
        carom_shortage_note(&job->detection->summary, &counted);
        carom_context_release_work(context);
        now = job->sink.delivered != 0 ? ATTEMPT_NONE : next_attempt(job, now);
    }
    context->expected_rows = 0;
    carom_shortage_recall(&counted, &job->detection->summary);
    return explain_memory(job);
}

void carom_detect_keep(const carom_detect_job *job) {
    carom_context_partition *kept = &job->context->partition;
    const carom_images *images = job->periodic.images;
    const bool any = job->search.records != NULL;
    *kept = (carom_context_partition){.records = job->search.records,
                                      .count = any ? job->bodies->count : 0,
                                      .owned = any ? job->owned : 0,
                                      .bits = CAROM_REAL_BITS,
                                      .asked = job->periodic.float_results ? 32 : CAROM_REAL_BITS};
    memcpy(kept->centre, job->search.centre, sizeof kept->centre);
    if (images != NULL) {
        kept->box = (carom_context_box){.periodic = true, .given = *job->config->periodic, .wrap = images->wrap};
    }
}

static carom_status hash_results(carom_detect_job *job) {
    if (job->owned > 0 && job->config->hash && !job->periodic.float_results) {
        carom_hash_results(job);
        carom_job_lap(job, CAROM_PHASE_COLLECT);
    }
    return carom_job_cancelled(job, CAROM_OK);
}

carom_status carom_detect_stages(carom_detect_job *job, carom_error *error) {
    double begin = carom_clock_seconds();
    carom_error failure; /* the caller's is written only when the last attempt fails */
    job->error = &failure;
    start_over(job);
    carom_context_use_workers(job->context, job->owned);
    carom_control_look(job->context->team.control);
    carom_status status = carom_job_cancelled(job, CAROM_OK);
    if (status == CAROM_OK && job->owned > 0) {
        status = run_with_room(job);
    }
    if (status == CAROM_OK) {
        status = hash_results(job);
    }
    if (status != CAROM_OK) {
        clear_results(job->detection, status);
        if (error != NULL) {
            *error = failure;
        }
        return status;
    }
    carom_detect_keep(job);
    job->detection->summary.seconds = carom_clock_seconds() - begin;
    return CAROM_OK;
}
