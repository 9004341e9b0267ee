/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The pipeline, stage by stage: survey, search, groups, collect. */
#include <inttypes.h>
#include <string.h>

#include "kernel/step/job_tmpl.h"
#include "kernel/sys/clock.h"
#include "kernel/sys/error.h"

void CAROM_REAL(carom_detect_lap)(carom_detect_job *job, carom_phase phase) {
    double now = carom_clock_seconds();
    job->detection->summary.phase_seconds[phase] += now - job->clock;
    job->clock = now;
}

carom_status CAROM_REAL(carom_detect_no_memory)(carom_detect_job *job, uint64_t required) {
    job->detection->summary.required_bytes = required;
    return carom_error_set(job->error, CAROM_ERROR_MEMORY,
                           "no memory for %" PRIu64 " bodies and %" PRIu64 " pairs: at least %" PRIu64
                           " bytes are needed",
                           job->owned, job->detection->summary.required_pairs, required);
}

static carom_status reserve(carom_detect_job *job, const carom_work_need *need, uint32_t count) {
    uint64_t required = 0;
    if (carom_context_reserve(job->context, need, count, &required) != CAROM_OK) {
        return CAROM_REAL(carom_detect_no_memory)(job, required);
    }
    return CAROM_OK;
}

carom_status CAROM_REAL(carom_detect_start_workers)(carom_detect_job *job) {
    uint64_t workers = job->context->team.workers;
    carom_work_need need = {CAROM_WORK_WORKERS, workers * sizeof(carom_worker)};
    carom_status status = reserve(job, &need, 1);
    if (status == CAROM_OK) {
        job->workers = carom_context_work(job->context, CAROM_WORK_WORKERS);
        memset(job->workers, 0, need.bytes);
    }
    return status;
}

static void write_bounds(void *data, uint32_t worker) {
    const carom_detect_job *job = data;
    float *lo[3];
    float *hi[3];
    for (int a = 0; a < 3; a++) {
        lo[a] = (float *)(uintptr_t)job->detection->lo[a];
        hi[a] = (float *)(uintptr_t)job->detection->hi[a];
    }
    uint64_t begin;
    uint64_t end;
    carom_team_range(&job->context->team, worker, job->bodies->count, CAROM_SIMD_PAD, &begin, &end);
    carom_kernels_of(job->context->simd)->bounds(job->bodies, begin, end, lo, hi);
}

static carom_status run_bounds(carom_detect_job *job) {
    uint64_t padded = job->bodies->count + CAROM_SIMD_PAD;
    carom_work_need need = {CAROM_WORK_BOUNDS, 6 * padded * sizeof(float)};
    carom_status status = reserve(job, &need, 1);
    if (status != CAROM_OK) {
        return status;
    }
    float *block = carom_context_work(job->context, CAROM_WORK_BOUNDS);
    for (uint64_t a = 0; a < 3; a++) {
        job->detection->lo[a] = block + a * padded;
        job->detection->hi[a] = block + (a + 3) * padded;
    }
    carom_team_run(&job->context->team, write_bounds, job);
    job->detection->summary.phase_bytes[CAROM_PHASE_BOUNDS] += (double)job->bodies->count * 6 * sizeof(float);
    CAROM_REAL(carom_detect_lap)(job, CAROM_PHASE_BOUNDS);
    return CAROM_OK;
}

static bool wants_groups(const carom_detect_job *job) {
    return job->config->until >= CAROM_UNTIL_GROUPS;
}

static void sum_workers(carom_detect_job *job) {
    carom_detect_summary *summary = &job->detection->summary;
    for (uint32_t w = 0; w < job->context->team.workers; w++) {
        summary->box_pairs += job->workers[w].box_pairs;
        summary->touching_pairs += job->workers[w].touching_pairs;
        summary->touching_hash += job->workers[w].touching_hash;
    }
    bool touching = job->config->until >= CAROM_UNTIL_APPROACH && !job->config->all_pairs;
    summary->required_pairs = touching ? summary->touching_pairs : summary->box_pairs;
    double record = sizeof(carom_record);
    double rows = job->store_rows ? (double)summary->required_pairs : 0.0;
    double *bytes = summary->phase_bytes;
    bytes[CAROM_PHASE_SORT] = (double)job->entries * (2 * record + 18.0 * sizeof(uint32_t));
    bytes[CAROM_PHASE_SWEEP] = (double)job->entries * 9 * sizeof(uint32_t) + (double)summary->box_pairs * 8;
    bytes[CAROM_PHASE_APPROACH] =
        (double)summary->box_pairs * (2 * record + 8) + rows * (2 * record + CAROM_REAL(carom_detect_row_bytes)(job));
}

static carom_status run_search(carom_detect_job *job, carom_part *scene) {
    CAROM_REAL(carom_detect_prepare_rows)(job);
    carom_status status = CAROM_REAL(carom_detect_blocks_start)(job);
    if (status == CAROM_OK) {
        status = CAROM_REAL(carom_detect_part)(job, scene);
    }
    if (status == CAROM_OK) {
        sum_workers(job);
        status = CAROM_REAL(carom_detect_blocks_end)(job);
    }
    return status;
}

static carom_status run_stages(carom_detect_job *job) {
    carom_part scene = {.depth = 0};
    carom_status status = CAROM_REAL(carom_detect_start_workers)(job);
    if (status == CAROM_OK) {
        status = CAROM_REAL(carom_detect_images)(job);
    }
    scene.bodies = *job->bodies;
    if (status == CAROM_OK) {
        status = CAROM_REAL(carom_detect_survey)(job, &scene, job->config->method);
    }
    if (status == CAROM_OK) {
        status = CAROM_REAL(carom_detect_filter_check)(job);
    }
    if (status != CAROM_OK) {
        return status;
    }
    if (job->config->until == CAROM_UNTIL_BOUNDS) {
        return run_bounds(job);
    }
    status = run_search(job, &scene);
    if (status == CAROM_OK && wants_groups(job)) {
        status = CAROM_REAL(carom_detect_groups)(job);
    }
    return status == CAROM_OK ? CAROM_REAL(carom_detect_collect)(job) : status;
}

/* After a failure nothing of the result may be used but the sizes that were asked for. */
static void forget_results(carom_detection *detection) {
    uint64_t pairs = detection->summary.required_pairs;
    uint64_t bytes = detection->summary.required_bytes;
    memset(detection, 0, sizeof *detection);
    detection->summary.required_pairs = pairs;
    detection->summary.required_bytes = bytes;
}

static void start_over(carom_detect_job *job) {
    memset(job->detection, 0, sizeof *job->detection);
    *job = (carom_detect_job){.context = job->context,
                              .bodies = job->bodies,
                              .config = job->config,
                              .output = job->output,
                              .detection = job->detection,
                              .error = job->error,
                              .images = job->images,
                              .source = job->source,
                              .narrow = job->narrow,
                              .narrow_output = job->narrow_output,
                              .given_centre = job->given_centre,
                              .owned = job->images != NULL ? job->source->count : job->bodies->count,
                              .clock = carom_clock_seconds()};
}

/* When memory gives out, buffers of earlier calls may be in the way, and one worker's growing rows need room for two
 * blocks where one of the size now known would do. So everything is given back and the stages run again, a third
 * time only if the second was the first to learn the number of rows. A limit of required_bytes is then enough. */
static carom_status run_with_room(carom_detect_job *job) {
    carom_context *context = job->context;
    carom_status status;
    bool again = true;
    for (int attempt = 0; again; attempt++) {
        uint64_t known_rows = context->expected_rows;
        start_over(job);
        status = run_stages(job);
        if (status != CAROM_ERROR_MEMORY || job->delivered != 0) {
            return status;
        }
        carom_context_release_work(context);
        bool learned = known_rows == 0 && context->expected_rows != 0;
        again = job->detection->summary.required_bytes != 0 && (attempt == 0 || learned);
    }
    context->expected_rows = 0;
    return status;
}

carom_status CAROM_REAL(carom_detect_run_job)(carom_detect_job *job, carom_error *error) {
    double begin = carom_clock_seconds();
    carom_error failure; /* the caller's is only written when the last attempt fails */
    job->error = &failure;
    start_over(job);
    carom_context_use_workers(job->context, job->owned);
    if (job->owned > 0) {
        carom_status status = run_with_room(job);
        if (status != CAROM_OK) {
            forget_results(job->detection);
            if (error != NULL) {
                *error = failure;
            }
            return status;
        }
        if (job->config->hash && !job->narrow) {
            CAROM_REAL(carom_detect_hash)(job);
            CAROM_REAL(carom_detect_lap)(job, CAROM_PHASE_COLLECT);
        }
    }
    job->detection->summary.seconds = carom_clock_seconds() - begin;
    return CAROM_OK;
}

carom_status CAROM_REAL(carom_detect_run)(carom_context *context, const carom_bodies *bodies,
                                          const carom_detect_config *config, const carom_detect_output *output,
                                          carom_detection *detection, carom_error *error) {
    if (config->periodic != NULL && config->until != CAROM_UNTIL_BOUNDS) {
        return CAROM_REAL(carom_detect_run_periodic)(context, bodies, config, output, detection, error);
    }
    carom_detect_job job = {
        .context = context, .bodies = bodies, .config = config, .output = output, .detection = detection};
    return CAROM_REAL(carom_detect_run_job)(&job, error);
}
