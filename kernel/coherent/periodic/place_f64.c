/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/coherent/periodic/place_f64.h"

#include <math.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/coherent/follow_tmpl.h"
#include "kernel/coherent/periodic/step_f64.h"
#include "kernel/sys/clock.h"
#include "simd/compare.h"

/* A list with more images than so many for each body, and so many for a small scene, would cost more than it saves. */
enum { IMAGES_EACH = 4, IMAGES_LEAST = 4096 };
/* Cold steps after one that gave up a list. */
enum { PAUSE = 64 };

/* Bytes from one field to the next. The room is that for bodies, images and pairs apart. */
static uint64_t stride_of(const carom_coherent *state) {
    return (state->buffer[CAROM_COHERENT_PLACED].bytes / CAROM_BODY_FIELDS) / CAROM_CACHE_LINE * CAROM_CACHE_LINE;
}

void carom_periodic_fields(const carom_coherent *state, double *field[CAROM_BODY_FIELDS]) {
    char *block = carom_coherent_data(state, CAROM_COHERENT_PLACED);
    for (uint64_t f = 0; f < CAROM_BODY_FIELDS; f++) {
        field[f] = block != NULL ? (double *)(void *)(block + f * stride_of(state)) : NULL;
    }
}

/* The displacements of the images on the list. */
static void displacements_of(const carom_coherent *state, uint64_t images, double *by[3]) {
    double *block = carom_coherent_data(state, CAROM_COHERENT_IMAGE_BY);
    for (uint64_t a = 0; a < 3; a++) {
        by[a] = block != NULL ? block + a * images : NULL;
    }
}

carom_record carom_periodic_record(const carom_coherent_step *step, uint32_t n, const double by[3]) {
    const carom_bodies_f64 *bodies = &step->images->bodies;
    carom_record record = {.radius = bodies->radius[n], .body = n};
    for (int a = 0; a < 3; a++) {
        record.prev[a] = bodies->prev[a][n] + by[a];
        record.curr[a] = bodies->curr[a][n] + by[a];
    }
    return record;
}

void carom_periodic_images_of(const carom_coherent_step *step, uint32_t body, uint64_t *begin, uint64_t *end) {
    const uint64_t count = step->state->count - step->state->owned;
    *begin = carom_images_first_of(step->images->image, count, body);
    *end = *begin;
    while (*end < count && step->images->image[*end].owner == body) {
        (*end)++;
    }
}

void carom_periodic_image_by(const carom_coherent_step *step, uint64_t n, double by[3]) {
    const uint64_t count = step->state->count - step->state->owned;
    double *all[3];
    CAROM_ASSERT(n < count);
    displacements_of(step->state, count, all);
    for (int a = 0; a < 3; a++) {
        by[a] = all[a][n];
    }
}

/* Points the images at what the state keeps of them. */
static void attach(carom_coherent_step *step) {
    const carom_coherent *state = step->state;
    carom_images *images = step->images;
    double *field[CAROM_BODY_FIELDS];
    carom_periodic_fields(state, field);
    images->image = carom_coherent_data(state, CAROM_COHERENT_IMAGE);
    images->bodies = (carom_bodies_f64){.count = images->owned + images->count,
                                        .prev = {field[0], field[1], field[2]},
                                        .curr = {field[3], field[4], field[5]},
                                        .radius = field[6]};
}

/* What bodies and images are made with. */
static carom_status start(carom_coherent_step *step) {
    carom_coherent *state = step->state;
    carom_renewal *renewal = &carom_periodic_of(step)->renewal;
    double *by[3];
    uint64_t required = 0;
    *renewal = (carom_renewal){.job = {.team = &state->context->team,
                                       .source = step->job->periodic.source,
                                       .images = step->images,
                                       .grain = CAROM_COHERENT_BATCH,
                                       .wrap = carom_coherent_data(state, CAROM_COHERENT_WRAP)}};
    carom_periodic_fields(state, renewal->job.field);
    displacements_of(state, step->images->count, by);
    for (int a = 0; a < 3; a++) {
        renewal->by[a] = by[a];
    }
    return carom_renew_start(state->context, renewal, &required) == CAROM_OK ? CAROM_OK
                                                                             : carom_job_no_memory(step->job, required);
}

static void place_bodies(void *data, uint32_t worker) {
    const carom_coherent_step *step = data;
    const carom_team *team = &step->state->context->team;
    carom_walk walk = carom_team_walk(team, worker, step->images->owned, CAROM_COHERENT_BATCH);
    const uint64_t first = walk.begin;
    while (carom_walk_next(&walk)) {
        carom_renew_bodies(&carom_periodic_of(step)->renewal, worker, first, walk.begin, walk.end);
    }
}

/* Moves the bodies into the cell. A cold step says which one cannot be. */
static carom_status place_all(carom_coherent_step *step) {
    carom_status status = start(step);
    if (status == CAROM_OK) {
        carom_team_run(&step->state->context->team, place_bodies, step);
        if (carom_job_stopped(step->job)) {
            return CAROM_ERROR_CANCELLED;
        }
        step->cold = !carom_renew_finish(&carom_periodic_of(step)->renewal);
    }
    return status;
}

static void copy_images(void *data, uint32_t worker) {
    const carom_coherent_step *step = data;
    carom_walk walk = carom_team_walk(&step->state->context->team, worker, step->images->count, CAROM_COHERENT_BATCH);
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin; n < walk.end; n++) {
            (void)carom_renew_image(&carom_periodic_of(step)->renewal, n);
        }
    }
}

/* Images are moved to their slots by so many. */
enum { IMAGES_AT_ONCE = 256 };

/* Images from number n on whose bodies come before `end`: these are in cache. Returns the next one. Fat boxes of images
 * need no check: they go where their bodies go. */
static uint64_t move_images(const carom_coherent_step *step, uint64_t n, uint64_t end) {
    const carom_images *images = step->images;
    uint32_t unchecked[IMAGES_AT_ONCE];
    while (n < images->count && images->image[n].owner < end) {
        const uint64_t first = n;
        for (; n < images->count && images->image[n].owner < end && n - first < IMAGES_AT_ONCE; n++) {
            (void)carom_renew_image(&carom_periodic_of(step)->renewal, n);
        }
        (void)carom_follow_range(step, images->owned + first, images->owned + n, unchecked);
    }
    return n;
}

/* The escaped bodies of a worker begin in ESCAPED where its bodies begin. */
static void place_and_move(void *data, uint32_t worker) {
    carom_coherent_step *step = data;
    carom_periodic_step *own = carom_periodic_of(step);
    const carom_coherent *state = step->state;
    const double clock = carom_clock_seconds();
    carom_walk walk = carom_team_walk(&state->context->team, worker, state->owned, CAROM_COHERENT_BATCH);
    const uint64_t first = walk.begin;
    uint32_t *escaped = (uint32_t *)carom_coherent_data(state, CAROM_COHERENT_ESCAPED) + first;
    uint64_t image = carom_images_first_of(step->images->image, step->images->count, first);
    uint64_t found = 0;
    walk.step = CAROM_COHERENT_BATCH;
    while (carom_walk_next(&walk)) {
        carom_renew_bodies(&own->renewal, worker, first, walk.begin, walk.end);
        found += carom_follow_range(step, walk.begin, walk.end, escaped + found);
        image = move_images(step, image, walk.end);
    }
    own->escaped[worker] = found;
    carom_job_worker_lap(&step->job->workers[worker], CAROM_PHASE_PARTITION, clock);
}

bool carom_periodic_move(carom_coherent_step *step, uint64_t *escaped) {
    carom_periodic_step *own = carom_periodic_of(step);
    const carom_team *team = &step->state->context->team;
    own->escaped = escaped;
    carom_team_run(team, place_and_move, step);
    return carom_team_stopped(team) || carom_renew_finish(&own->renewal);
}

carom_status carom_periodic_place(carom_coherent_step *step) {
    carom_coherent *state = step->state;
    carom_images *images = step->images;
    const bool listed = state->built && state->owned == images->owned;
    const uint64_t kept = listed ? state->count - state->owned : 0;
    const uint64_t count = images->owned + kept + (listed ? state->space.most_apart : 0);
    const carom_coherent_need need[] = {{CAROM_COHERENT_PLACED, carom_coherent_fields_bytes(count)},
                                        {CAROM_COHERENT_WRAP, images->owned * 3 * sizeof(int32_t)}};
    uint64_t required = 0;
    if (carom_coherent_reserve(state, need, 2, &required) != CAROM_OK) {
        return carom_job_no_memory(step->job, required);
    }
    state->built = listed;
    step->unplaced = listed;
    images->count = kept;
    memcpy(images->most, state->space.most, sizeof images->most);
    attach(step);
    carom_status status = listed ? start(step) : place_all(step);
    carom_job_lap(step->job, CAROM_PHASE_BOUNDS);
    return status;
}

/* Bodies in boxes somewhat larger than those that pairs are listed by: fat boxes that grow a little need no other
 * images.
 */
typedef struct wide_bodies {
    const carom_bodies_f64 *listed;
    double margin; /* by which the radius is larger */
} wide_bodies;

static void load_wide(const void *data, uint64_t begin, carom_image_batch *batch) {
    const wide_bodies *wide = data;
    for (uint32_t n = 0; n < batch->count; n++) {
        for (int a = 0; a < 3; a++) {
            batch->field[a][n] = wide->listed->prev[a][begin + n];
            batch->field[a + 3][n] = wide->listed->curr[a][begin + n];
        }
        batch->field[6][n] = wide->listed->radius[begin + n] + wide->margin;
    }
}

static void load_wide_one(const void *data, uint64_t body, double value[CAROM_BODY_FIELDS]) {
    carom_image_batch batch;
    batch.count = 1;
    load_wide(data, body, &batch);
    for (int f = 0; f < CAROM_BODY_FIELDS; f++) {
        value[f] = batch.field[f][0];
    }
}

/* How many times farther than the bodies and the edges of the cell all that positions are computed from may lie:
 * images, and bodies that are moved. Boxes are larger by what rounding can do to such numbers. */
static const double REACHES = 8.0;

void carom_periodic_bound(carom_coherent_step *step) {
    carom_coherent *state = step->state;
    const carom_bodies_f64 *bodies = &step->images->bodies;
    double greatest = 0.0;
    carom_walk walk = carom_team_walk_alone(&state->context->team, step->images->owned);
    while (carom_walk_next(&walk)) {
        for (int a = 0; a < 3; a++) {
            for (uint64_t n = walk.begin; n < walk.end; n++) {
                greatest = carom_greater(fabs(bodies->prev[a][n]), greatest);
                greatest = carom_greater(fabs(bodies->curr[a][n]), greatest);
            }
        }
    }
    for (int b = 0; b < 3; b++) {
        for (int a = 0; a < 3; a++) {
            greatest += fabs(state->space.lattice.edge[b][a]);
        }
    }
    state->space.reach = REACHES * greatest;
}

/* No list: it would not be worth it. A trial that does not know of images must not say otherwise for a while. */
static void give_up(carom_coherent_step *step) {
    carom_coherent *state = step->state;
    step->cold = true;
    state->cold.active = state->config.steps_ahead == 0;
    state->cold.trial.count = 0;
    state->cold.trial.pause = PAUSE;
}

/* The images that wide boxes have: in the context, until the next call. */
static carom_status find_images(carom_coherent_step *step, const carom_bodies *listed, carom_images *found) {
    carom_coherent *state = step->state;
    const carom_coherent_lookahead *lookahead = &state->lookahead;
    const double way = lookahead->steps_ahead * lookahead->displacement;
    const wide_bodies wide = {listed, 0.5 * lookahead->margin + 0.25 * way};
    const carom_image_source source = {
        .bodies = &wide, .count = step->images->owned, .load = load_wide, .load_one = load_wide_one, .placed = true};
    uint64_t required = 0;
    carom_error error;
    found->lattice = state->space.lattice;
    found->self_images = true; /* wide boxes may be of any size */
    found->unplaced = true;
    found->most_images = IMAGES_EACH * step->images->owned + IMAGES_LEAST;
    carom_status status = carom_images_make(state->context, &source, found, &required, &error);
    if (status == CAROM_ERROR_MEMORY) {
        return carom_job_no_memory(step->job, required);
    }
    if ((status != CAROM_OK && status != CAROM_ERROR_CANCELLED) || (status == CAROM_OK && found->coarse)) {
        give_up(step);
        return CAROM_OK;
    }
    return status;
}

static carom_status reserve(carom_coherent_step *step, uint64_t images) {
    carom_coherent *state = step->state;
    const uint64_t apart = state->space.most_apart;
    const carom_coherent_need need[] = {
        {CAROM_COHERENT_PLACED, carom_coherent_fields_bytes(step->images->owned + images + apart)},
        {CAROM_COHERENT_IMAGE, (images + apart) * sizeof(carom_image)},
        {CAROM_COHERENT_IMAGE_BY, (3 * images + 1) * sizeof(double)},
    };
    uint64_t required = 0;
    return carom_coherent_reserve(state, need, sizeof need / sizeof need[0], &required) == CAROM_OK
               ? CAROM_OK
               : carom_job_no_memory(step->job, required);
}

/* Displacements as images.h makes them; returns the greatest number in one. */
static double displace(const carom_coherent_step *step, const carom_images *found, double *by[3]) {
    double greatest = 0.0;
    carom_walk walk = carom_team_walk_alone(&step->state->context->team, found->count);
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin; n < walk.end; n++) {
            const int32_t *shift = found->image[n].shift;
            double own[3];
            carom_lattice_displacement(&found->lattice, (double[3]){shift[0], shift[1], shift[2]}, own);
            for (int a = 0; a < 3; a++) {
                by[a][n] = own[a];
                greatest = carom_greater(fabs(own[a]), greatest);
            }
        }
    }
    return greatest;
}

carom_status carom_periodic_make_images(carom_coherent_step *step, const carom_bodies *listed) {
    carom_coherent *state = step->state;
    carom_coherent_space *space = &state->space;
    carom_images found = {.owned = step->images->owned};
    carom_status status = find_images(step, listed, &found);
    if (status != CAROM_OK || step->cold) {
        return status;
    }
    space->most_apart = carom_coherent_most_apart(found.count);
    const uint64_t room = state->buffer[CAROM_COHERENT_PLACED].bytes;
    status = reserve(step, found.count);
    if (status != CAROM_OK) {
        return status;
    }
    double *by[3];
    displacements_of(state, found.count, by);
    if (found.count > 0) {
        memcpy(carom_coherent_data(state, CAROM_COHERENT_IMAGE), found.image, found.count * sizeof *found.image);
    }
    memcpy(space->lo, found.lo, sizeof space->lo);
    memcpy(space->hi, found.hi, sizeof space->hi);
    memcpy(space->most, found.most, sizeof space->most);
    memcpy(step->images->most, found.most, sizeof found.most);
    /* Bodies that are moved lie a lattice vector away, and their images one more. */
    if (2.0 * (found.reach + displace(step, &found, by)) > space->reach) {
        give_up(step);
        return CAROM_OK;
    }
    step->images->count = found.count;
    attach(step);
    /* A buffer that grows forgets what it held. */
    status = state->buffer[CAROM_COHERENT_PLACED].bytes != room ? place_all(step) : start(step);
    if (status == CAROM_OK) {
        carom_team_run_over(&state->context->team, found.count, copy_images, step);
    }
    return status;
}
