/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/periodic/place.h"

#include <math.h>

#include "kernel/check/assert.h"
#include "kernel/periodic/inspect.h"
#include "simd/compare.h"

/* Loads the worker's candidates from number c on, as many as a batch holds, with their ranges. */
static void load_candidates(const carom_image_job *job, const carom_image_worker *worker, uint64_t begin, uint64_t c,
                            carom_image_batch *batch, uint32_t body[CAROM_IMAGE_BATCH]) {
    const carom_images *images = job->images;
    uint64_t left = worker->candidates - c;
    int32_t wrap[CAROM_IMAGE_BATCH][3];
    batch->count = left < CAROM_IMAGE_BATCH ? (uint32_t)left : CAROM_IMAGE_BATCH;
    for (uint32_t n = 0; n < batch->count; n++) {
        double value[CAROM_BODY_FIELDS];
        body[n] = job->candidate[begin + c + n];
        carom_image_job_read(job, body[n], value);
        for (int f = 0; f < CAROM_BODY_FIELDS; f++) {
            batch->field[f][n] = value[f];
        }
        for (int a = 0; a < 3; a++) {
            wrap[n][a] = carom_images_wrap(images, body[n], a);
        }
    }
    if (images->wrap != NULL) {
        carom_image_batch_move(&images->lattice, (const int32_t(*)[3])wrap, batch);
    }
    carom_image_batch_boxes(batch);
    carom_image_batch_lows(&images->lattice, batch);
    carom_image_batch_highs(&images->lattice, batch);
}

/* Lattice steps by which a body can be moved so that its range still meets the range of all. */
typedef struct steps {
    double first[3];
    double last[3];
} steps;

static steps steps_of(const carom_image_job *job, const carom_image_batch *batch, uint32_t n) {
    steps s;
    for (int b = 0; b < 3; b++) {
        s.first[b] = ceil(job->lo[b] - batch->hi[b][n]);
        s.last[b] = floor(job->hi[b] - batch->lo[b][n]);
    }
    return s;
}

/* Lexicographically positive steps are half of all steps but (0, 0, 0): counted, not listed. */
static void count_images(const carom_image_job *job, carom_image_worker *worker, const carom_image_batch *batch,
                         uint32_t n, uint64_t body) {
    steps s = steps_of(job, batch, n);
    double side[3];
    double width = 0.0;
    for (int b = 0; b < 3; b++) {
        side[b] = s.last[b] - s.first[b] + 1.0;
        width = carom_greater(batch->hi[b][n] - batch->lo[b][n], width);
    }
    /* Steps with a positive first number, then those with 0 and a positive second one, and so on. */
    double images = (s.last[0] * side[1] + s.last[1]) * side[2] + s.last[2];
    worker->images += images;
    for (int b = 0; b < 3 && images > 0.0; b++) {
        worker->layers[b] = carom_greater(carom_greater(s.last[b], -s.first[b]), worker->layers[b]);
    }
    if (images > 0.0 && width > worker->widest) {
        worker->widest = width;
        worker->widest_body = body;
    }
}

void carom_place_count_images(void *data, uint32_t w) {
    const carom_image_job *job = data;
    carom_image_worker *worker = &job->workers[w];
    bool guessed = true;
    carom_image_batch batch = {0};
    uint32_t body[CAROM_IMAGE_BATCH];
    const carom_range own = carom_team_range(job->team, w, job->source->count, CAROM_IMAGE_BATCH);
    for (uint32_t b = 0; b < job->images->lattice.dimensions; b++) {
        guessed &= job->hi[b] <= worker->guess[b];
    }
    /* The first pass listed candidates by a guess of where boxes end. If they end farther, it is listed again. */
    if (!guessed) {
        const carom_walk walk = carom_team_walk(job->team, w, job->source->count, CAROM_IMAGE_BATCH);
        carom_inspect_list_candidates(job, worker, walk, &batch);
    }
    for (uint64_t c = 0; c < worker->candidates && !carom_control_look(job->team->control); c += batch.count) {
        load_candidates(job, worker, own.begin, c, &batch, body);
        for (uint32_t n = 0; n < batch.count; n++) {
            count_images(job, worker, &batch, n, body[n]);
        }
    }
}

static void put_image(const carom_image_job *job, uint64_t place, const carom_image_batch *batch, uint32_t n,
                      uint32_t owner, const double reduced[3]) {
    double number[3];
    double by[3];
    carom_lattice_numbers(&job->images->lattice, reduced, number);
    carom_lattice_displacement(&job->images->lattice, number, by);
    uint64_t body = job->images->owned + place;
    for (int j = 0; j < 3 && !job->images->unplaced; j++) {
        job->field[j][body] = batch->field[j][n] + by[j];
        job->field[j + 3][body] = batch->field[j + 3][n] + by[j];
        job->field[6][body] = batch->field[6][n];
    }
    job->image[place] = (carom_image){owner, {(int32_t)number[0], (int32_t)number[1], (int32_t)number[2]}};
}

/* Images for all steps of the body that are lexicographically positive: as many as count_images counted. */
static uint64_t put_images(const carom_image_job *job, uint64_t place, const carom_image_batch *batch, uint32_t n,
                           uint32_t owner) {
    steps s = steps_of(job, batch, n);
    for (double x = 0.0; x <= s.last[0]; x++) {
        for (double y = x > 0.0 ? s.first[1] : 0.0; y <= s.last[1]; y++) {
            for (double z = x > 0.0 || y > 0.0 ? s.first[2] : 1.0; z <= s.last[2]; z++) {
                put_image(job, place++, batch, n, owner, (double[3]){x, y, z});
            }
        }
    }
    return place;
}

/* Owned bodies keep the caller's order. */
static void put_owned(const carom_image_job *job, carom_walk walk) {
    carom_image_batch batch = {0};
    while (carom_walk_next(&walk)) {
        for (uint64_t at = walk.begin; at < walk.end; at += CAROM_IMAGE_BATCH) {
            carom_image_job_load_owned(job, at, walk.end, &batch);
            carom_image_job_store(job, at, &batch);
        }
    }
}

void carom_place_bodies(void *data, uint32_t w) {
    const carom_image_job *job = data;
    const carom_image_worker *worker = &job->workers[w];
    const carom_walk walk = carom_team_walk(job->team, w, job->source->count, CAROM_IMAGE_BATCH);
    if (!job->images->unplaced) {
        put_owned(job, walk);
    }
    uint64_t place = worker->first_image;
    carom_image_batch batch = {0};
    uint32_t body[CAROM_IMAGE_BATCH];
    for (uint64_t c = 0; c < worker->candidates && !carom_control_look(job->team->control); c += batch.count) {
        load_candidates(job, worker, walk.begin, c, &batch, body);
        for (uint32_t n = 0; n < batch.count; n++) {
            place = put_images(job, place, &batch, n, body[n]);
        }
    }
    CAROM_ASSERT(carom_team_stopped(job->team) || worker->candidates == 0 ||
                 place == worker->first_image + (uint64_t)worker->images);
}
