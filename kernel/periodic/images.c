/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/periodic/images.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/periodic/inspect.h"
#include "kernel/periodic/place.h"
#include "kernel/periodic/validate_images.h"
#include "kernel/periodic/validate_lattice.h"
#include "kernel/sys/error.h"
#include "simd/compare.h"

/* The range of all boxes is widened by this share of the numbers that ranges are computed from: some thirty times the
 * rounding error. Too wide costs an image, too narrow a contact. */
static const double RANGE_ERROR = 0x1p-48;
/* The range is also widened by what boxes are rounded outward by when they become floats: whether two boxes overlap
 * does not depend on whether a face is between them. */
static const double FLOAT_ERROR = 0x1p-20;
/* But by no more edges than this: where floats are coarser there would be images without end. */
static const double FLOAT_MOST = 0x1p-10;
/* Bytes between two fields beyond whole pages, so that they do not share L1 sets. */
enum { PAGE = 4096, STAGGER = 9 * CAROM_CACHE_LINE };

/* The lowest body of several workers. */
static void note_first(uint64_t *first, bool holds, uint64_t body) {
    *first = holds && body < *first ? body : *first;
}

/* Errors name the body and the coordinate that is most to blame. */
static carom_status refuse_far(const carom_image_job *job, uint64_t body, carom_error *error) {
    static const char *const names[3] = {"prev_x", "prev_y", "prev_z"};
    double value[CAROM_BODY_FIELDS];
    carom_image_job_read(job, body, value);
    int axis = fabs(value[1]) > fabs(value[0]) ? 1 : 0;
    axis = fabs(value[2]) > fabs(value[axis]) ? 2 : axis;
    if (job->images->shaped) {
        return carom_error_body(error, body, names[axis],
                                "body %" PRIu64
                                ": its swept box begins at %g; to move it into the periodic box takes more than %g of "
                                "its edges",
                                body, value[axis], CAROM_WRAP_MOST);
    }
    return carom_error_body(error, body, names[axis],
                            "body %" PRIu64
                            ": %s is %g; to move the body into the periodic box takes more than %g of its edges",
                            body, names[axis], value[axis], CAROM_WRAP_MOST);
}

static carom_status refuse_large(const carom_image_job *job, uint64_t body, carom_error *error) {
    double value[CAROM_BODY_FIELDS];
    carom_image_job_read(job, body, value);
    return carom_error_body(error, body, "radius",
                            "body %" PRIu64
                            ": with radius %g it touches its own image, which is %g away; periodic.self_images "
                            "lets bodies meet their own images",
                            body, value[6], job->images->lattice.shortest);
}

/* Images are too many, or in a strongly tilted box too many edges away: the body with the widest box is too large or
 * too fast. */
static carom_status refuse_wide(const carom_image_job *job, uint64_t body, double images, carom_error *error) {
    static const char *const names[3] = {"curr_x", "curr_y", "curr_z"};
    double value[CAROM_BODY_FIELDS];
    double motion[3];
    carom_image_job_read(job, body, value);
    for (int j = 0; j < 3; j++) {
        motion[j] = fabs(value[j + 3] - value[j]);
    }
    int axis = motion[1] > motion[0] ? 1 : 0;
    axis = motion[2] > motion[axis] ? 2 : axis;
    if (job->images->shaped) {
        return carom_error_body(error, body, "shape",
                                "body %" PRIu64 ": its swept box is %g wide; the %.3g images of all bodies are too "
                                "many or more than %g edges away",
                                body, motion[axis], images, CAROM_SHIFT_MOST);
    }
    if (job->images->self_images && value[6] >= 0.5 * motion[axis]) {
        return carom_error_body(error, body, "radius",
                                "body %" PRIu64 ": radius is %g; the %.3g images of all bodies are too many or more "
                                "than %g edges away",
                                body, value[6], images, CAROM_SHIFT_MOST);
    }
    return carom_error_body(error, body, names[axis],
                            "body %" PRIu64
                            ": %s is %g away from the start; the %.3g images of all bodies are too many or "
                            "more than %g edges away",
                            body, names[axis], motion[axis], images, CAROM_SHIFT_MOST);
}

/* Refuses the lowest body that is too far away or too large. Values that are not finite come before all else, but are
 * left for the survey to name. */
static carom_status judge_bodies(const carom_image_job *job, bool *bad, carom_error *error) {
    carom_image_worker all = job->workers[0];
    for (uint32_t w = 1; w < job->team->workers; w++) {
        const carom_image_worker *one = &job->workers[w];
        note_first(&all.first_bad, true, one->first_bad);
        note_first(&all.first_far, true, one->first_far);
        note_first(&all.first_large, true, one->first_large);
    }
    *bad = all.first_bad != UINT64_MAX;
    if (*bad) {
        return CAROM_OK;
    }
    if (all.first_far != UINT64_MAX) {
        return refuse_far(job, all.first_far, error);
    }
    const bool large = all.first_large != UINT64_MAX && !job->images->self_images;
    return large ? refuse_large(job, all.first_large, error) : CAROM_OK;
}

/* What rounding can do to positions and steps in the lattice is a share of this: of the greatest numbers they are made
 * of. Along axes where space is open no steps are made. */
static double range_sum(const carom_lattice *lattice, uint32_t b, const double size[3]) {
    double sum = 1.0;
    for (int j = 0; j < 3; j++) {
        sum += lattice->dual[b][j] != 0.0 ? fabs(lattice->dual[b][j]) * size[j] : 0.0;
        for (uint32_t c = 0; c < lattice->dimensions; c++) {
            sum += fabs(lattice->dual[b][j] * lattice->edge[c][j]);
        }
    }
    return sum;
}

double carom_images_widening(const carom_lattice *lattice, uint32_t b, const double size[3], bool *coarse) {
    const double sum = range_sum(lattice, b, size);
    *coarse = *coarse || !(FLOAT_ERROR * sum < FLOAT_MOST);
    return RANGE_ERROR * sum + carom_lesser(FLOAT_ERROR * sum, FLOAT_MOST);
}

/* The range of all owned boxes, widened by what rounding may have done to it and to a box held against it. */
static void merge_regions(carom_image_job *job) {
    double size[3] = {0.0, 0.0, 0.0};
    for (int b = 0; b < 3; b++) {
        job->lo[b] = (uint32_t)b < job->images->lattice.dimensions ? INFINITY : 0.0;
        job->hi[b] = 0.0 - job->lo[b];
        for (uint32_t w = 0; w < job->team->workers; w++) {
            job->lo[b] = carom_lesser(job->workers[w].lo[b], job->lo[b]);
            job->hi[b] = carom_greater(job->workers[w].hi[b], job->hi[b]);
            size[b] = carom_greater(carom_greater(-job->workers[w].low[b], job->workers[w].high[b]), size[b]);
        }
    }
    for (uint32_t b = 0; b < job->images->lattice.dimensions; b++) {
        const double error = carom_images_widening(&job->images->lattice, b, size, &job->images->coarse);
        job->lo[b] -= error;
        job->hi[b] += error;
    }
    job->images->reach = carom_greater(carom_greater(size[0], size[1]), size[2]);
    memcpy(job->images->lo, job->lo, sizeof job->lo);
    memcpy(job->images->hi, job->hi, sizeof job->hi);
}

/* Where the images of each worker begin, and how far images are from their bodies. */
static carom_status place_images(carom_image_job *job, carom_error *error) {
    const carom_lattice *lattice = &job->images->lattice;
    carom_image_worker widest = {.widest = -1.0};
    double images = 0.0;
    double layers[3] = {0.0, 0.0, 0.0};
    for (uint32_t w = 0; w < job->team->workers; w++) {
        const carom_image_worker *worker = &job->workers[w];
        job->workers[w].first_image = images < (double)CAROM_BODIES_MAX ? (uint64_t)images : 0;
        images += worker->images;
        widest = worker->widest > widest.widest ? *worker : widest;
        for (int b = 0; b < 3; b++) {
            layers[b] = carom_greater(worker->layers[b], layers[b]);
        }
    }
    const uint64_t most_images = job->images->most_images;
    bool fits = images + (double)job->source->count <= (double)CAROM_BODIES_MAX;
    fits = fits && (most_images == 0 || images <= (double)most_images);
    double most[3] = {0.0, 0.0, 0.0};
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            most[a] += layers[b] * fabs(lattice->multiple[b][a]);
        }
        fits = fits && most[a] <= CAROM_SHIFT_MOST;
        job->images->most[a] = fits ? (int32_t)most[a] : 0;
    }
    if (!fits) {
        return refuse_wide(job, widest.widest_body, images, error);
    }
    job->images->count = (uint64_t)images;
    return CAROM_OK;
}

/* Memory of the first two passes; the third needs the number of images. */
static carom_status reserve_survey(carom_context *context, carom_image_job *job, uint64_t *required) {
    uint64_t count = job->source->count;
    carom_work_need need[] = {
        {CAROM_WORK_IMAGE_WORKERS, context->team.workers * sizeof(carom_image_worker)},
        {CAROM_WORK_IMAGE_WRAP, count * sizeof *job->wrap},
        {CAROM_WORK_IMAGE_CANDIDATE, count * sizeof *job->candidate},
    };
    carom_status status = carom_context_reserve(context, need, sizeof need / sizeof need[0], required);
    job->workers = carom_context_work(context, CAROM_WORK_IMAGE_WORKERS);
    job->wrap = carom_context_work(context, CAROM_WORK_IMAGE_WRAP);
    job->candidate = carom_context_work(context, CAROM_WORK_IMAGE_CANDIDATE);
    return status;
}

/* Bytes from the start of one field to the next. */
static uint64_t field_stride(uint64_t count) {
    return (count * sizeof(double) + PAGE - 1) / PAGE * PAGE + STAGGER;
}

uint64_t carom_images_bytes(uint32_t workers, uint64_t owned, uint64_t images) {
    const uint64_t survey = workers * sizeof(carom_image_worker) + owned * (3 * sizeof(int32_t) + sizeof(uint32_t));
    return survey + CAROM_BODY_FIELDS * field_stride(owned + images) + images * sizeof(carom_image);
}

/* Memory of the third pass: the bodies, field by field, and the owners of the images. */
static carom_status reserve_bodies(carom_context *context, carom_image_job *job, uint64_t *required) {
    carom_images *images = job->images;
    uint64_t count = images->owned + images->count;
    uint64_t stride = field_stride(count);
    carom_work_need need[] = {
        {CAROM_WORK_IMAGE_FIELDS, images->unplaced ? 0 : CAROM_BODY_FIELDS * stride},
        {CAROM_WORK_IMAGE, images->count * sizeof(carom_image)},
    };
    carom_status status = carom_context_reserve(context, need, sizeof need / sizeof need[0], required);
    job->image = carom_context_work(context, CAROM_WORK_IMAGE);
    images->image = job->image;
    if (status != CAROM_OK || images->unplaced) {
        return status;
    }
    char *batch = carom_context_work(context, CAROM_WORK_IMAGE_FIELDS);
    for (uint64_t f = 0; f < CAROM_BODY_FIELDS; f++) {
        job->field[f] = (double *)(void *)(batch + f * stride);
    }
    images->bodies = (carom_bodies_f64){.count = count,
                                        .prev = {job->field[0], job->field[1], job->field[2]},
                                        .curr = {job->field[3], job->field[4], job->field[5]},
                                        .radius = job->field[6]};
    return CAROM_OK;
}

carom_status carom_images_make(carom_context *context, const carom_image_source *source, carom_images *images,
                               uint64_t *required, carom_error *error) {
    carom_image_job job = {.team = &context->team, .source = source, .images = images, .grain = CAROM_IMAGE_BATCH};
    CAROM_ASSERT(source->count > 0 && source->count <= CAROM_BODIES_MAX && source->load != NULL);
    CAROM_VALIDATE(carom_lattice_validate(&images->lattice));
    bool bad = false;
    images->owned = source->count;
    images->count = 0;
    images->wrap = NULL;
    images->coarse = false;
    carom_status status = reserve_survey(context, &job, required);
    if (status == CAROM_OK) {
        carom_team_run(job.team, carom_inspect_bodies, &job);
        status = carom_team_stopped(job.team) ? CAROM_ERROR_CANCELLED : judge_bodies(&job, &bad, error);
    }
    if (status == CAROM_OK && bad && images->unplaced) {
        return CAROM_ERROR_BODY; /* whoever wants the images alone must not take them for none */
    }
    /* Bad values make no images: the ranges that would say where are no numbers. */
    for (uint32_t w = 0; status == CAROM_OK && w < job.team->workers && (bad || images->owned_only); w++) {
        job.workers[w].candidates = 0;
    }
    if (status == CAROM_OK && !bad) {
        carom_image_job_merge_wraps(&job);
        merge_regions(&job);
    }
    if (status == CAROM_OK && !bad && !images->owned_only) {
        carom_team_run(job.team, carom_place_count_images, &job);
        status = carom_team_stopped(job.team) ? CAROM_ERROR_CANCELLED : place_images(&job, error);
    }
    if (status == CAROM_OK) {
        status = reserve_bodies(context, &job, required);
    }
    if (status == CAROM_OK) {
        carom_team_run(job.team, carom_place_bodies, &job);
        if (carom_team_stopped(job.team)) {
            return CAROM_ERROR_CANCELLED;
        }
        CAROM_VALIDATE(images->unplaced ? NULL : carom_images_validate(images));
    }
    return status;
}
