/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A new list: cold detection, up to the pairs, of the bodies drawn out along their paths. The order it files them in
 * becomes the order of the steps that follow. */
#include "kernel/coherent/build_tmpl.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kernel/coherent/drawn_tmpl.h"
#include "kernel/coherent/index.h"
#include "kernel/coherent/inner.h"
#include "kernel/coherent/list.h"
#include "kernel/coherent/memory_tmpl.h"
#include "kernel/detect/stages_tmpl.h"
#include "kernel/sys/error.h"

/* Fat boxes are put in order along the longest side of so many at a time, in bins of about CAROM_INDEX_BLOCK: cells are
 * much larger than the blocks of the index. */
enum { CHUNK = 1024, BINS = CHUNK / CAROM_INDEX_BLOCK };
/* How many bodies ahead the places of their slots are fetched. */
enum { AHEAD = 32 };

typedef struct build {
    carom_coherent_step *step;
    carom_drawn drawn;
    carom_bodies wide;         /* the same with wide radii */
    const carom_record *filed; /* the records of the drawn-out bodies, in partition order */
    carom_coherent_index index;
    uint32_t *high; /* workspace: the larger and the smaller slot of each pair */
    uint32_t *low;
} build;

static void draw_out(void *data, uint32_t worker) {
    build *b = data;
    const carom_bodies *bodies = b->step->job->bodies;
    const carom_range own = carom_team_range(&b->step->state->context->team, worker, bodies->count, CAROM_SIMD_PAD);
    carom_drawn_make(b->step->state, bodies, own.begin, own.end, &b->drawn);
}

/* The pairs of drawn-out bodies, and in the context's records the order that they are filed in. Their boxes are the
 * fat boxes to the bit, being taken from the same centre: a pair is on the list if and only if its fat boxes overlap.
 */
static carom_status find_pairs(build *b, carom_detection *found) {
    carom_coherent_step *step = b->step;
    carom_coherent *state = step->state;
    const carom_detect_config config = {.size = sizeof config, .until = CAROM_UNTIL_PAIRS};
    carom_error error;
    carom_detect_job job = {.context = state->context,
                            .bodies = &b->wide,
                            .config = &config,
                            .detection = found,
                            .search = {.given_centre = state->centre}};
    carom_status status = carom_detect_stages(&job, &error);
    step->candidates = status == CAROM_OK ? found->pair_count : found->summary.required_pairs;
    if (status != CAROM_OK) {
        step->job->detection->summary.required_pairs = 0;
        return carom_job_no_memory(step->job, found->summary.required_bytes);
    }
    if (carom_coherent_room(found->pair_count) >= UINT32_MAX) {
        return carom_error_set(step->job->error, CAROM_ERROR_ARGUMENT,
                               "%" PRIu64 " pairs are too many to be kept from step to step", found->pair_count);
    }
    b->filed = job.search.records;
    return CAROM_OK;
}

static carom_status reserve(build *b, uint64_t pairs) {
    carom_coherent_step *step = b->step;
    carom_coherent *state = step->state;
    carom_coherent_need need[CAROM_COHERENT_LIST_NEEDS];
    state->list.room = carom_coherent_room(pairs);
    carom_coherent_memory_list(step->job->bodies->count, state->list.room, need);
    uint64_t required = 0;
    if (carom_coherent_reserve(state, need, CAROM_COHERENT_LIST_NEEDS, &required) != CAROM_OK) {
        return carom_job_no_memory(step->job, carom_size_add(required, 2 * pairs * sizeof(uint32_t)));
    }
    carom_work_need slots[] = {{CAROM_WORK_SORT_KEY, pairs * sizeof(uint32_t)},
                               {CAROM_WORK_SORT_SPARE_KEY, pairs * sizeof(uint32_t)}};
    carom_status status = carom_job_reserve(step->job, slots, 2);
    b->high = carom_context_work(state->context, CAROM_WORK_SORT_KEY);
    b->low = carom_context_work(state->context, CAROM_WORK_SORT_SPARE_KEY);
    return status;
}

/* Pairs and room for their list. */
static carom_status find_and_reserve(build *b, carom_detection *found) {
    carom_status status = find_pairs(b, found);
    return status == CAROM_OK ? reserve(b, found->pair_count) : status;
}

/* The same, once more if memory gives out: without the list of the step before, and with as much for the pairs as they
 * need. */
static carom_status find_with_room(build *b, carom_detection *found) {
    carom_coherent *state = b->step->state;
    carom_context *context = state->context;
    carom_status status = find_and_reserve(b, found);
    if (status != CAROM_ERROR_MEMORY) {
        return status;
    }
    carom_coherent_release_list(state);
    carom_context_release_work(context);
    context->expected_rows = b->step->candidates;
    status = find_pairs(b, found);
    if (status == CAROM_OK) {
        carom_chunk_pool_release(&context->chunks, &context->memory);
        status = reserve(b, found->pair_count);
    }
    return status;
}

/* The fat boxes as checked, in the caller's order. */
static void make_fat_boxes(void *data, uint32_t worker) {
    build *b = data;
    carom_coherent *state = b->step->state;
    float *lo[3];
    float *hi[3];
    const carom_range own = carom_team_range(&state->context->team, worker, state->count, CAROM_SIMD_PAD);
    carom_coherent_fat_boxes(state, lo, hi);
    carom_kernels_of(state->context->simd)->fat_boxes(&b->drawn.bodies, own.begin, own.end, state->centre, lo, hi);
}

static void make_inner_boxes(void *data, uint32_t worker) {
    const build *b = data;
    const carom_coherent *state = b->step->state;
    const carom_range own = carom_team_range(&state->context->team, worker, state->count, CAROM_SIMD_PAD);
    carom_coherent_inner_fill(state, own.begin, own.end);
}

static int longest_side(const carom_slot_box *box, uint64_t count) {
    float lo[3];
    float hi[3];
    int longest = 0;
    memcpy(lo, box->lo, sizeof lo);
    memcpy(hi, box->lo, sizeof hi);
    for (uint64_t n = 1; n < count; n++) {
        for (int a = 0; a < 3; a++) {
            lo[a] = box[n].lo[a] < lo[a] ? box[n].lo[a] : lo[a];
            hi[a] = box[n].lo[a] > hi[a] ? box[n].lo[a] : hi[a];
        }
    }
    for (int a = 1; a < 3; a++) {
        longest = hi[a] - lo[a] > hi[longest] - lo[longest] ? a : longest;
    }
    return longest;
}

/* The bin of each fat box's low corner on its chunk's longest side. */
static void choose_bins(const carom_slot_box *box, uint64_t count, uint8_t *bin, uint32_t *start) {
    int a = longest_side(box, count);
    float lo = box[0].lo[a];
    float hi = lo;
    for (uint64_t n = 1; n < count; n++) {
        lo = box[n].lo[a] < lo ? box[n].lo[a] : lo;
        hi = box[n].lo[a] > hi ? box[n].lo[a] : hi;
    }
    float scale = (float)BINS / (hi - lo);
    scale = scale > 0.0F && scale < 1e30F ? scale : 0.0F;
    memset(start, 0, (BINS + 1) * sizeof *start);
    for (uint64_t n = 0; n < count; n++) {
        float at = (box[n].lo[a] - lo) * scale;
        bin[n] = at < (float)(BINS - 1) ? (uint8_t)at : (uint8_t)(BINS - 1);
        start[bin[n] + 1]++;
    }
    for (int n = 0; n < BINS; n++) {
        start[n + 1] += start[n];
    }
}

/* The fat boxes as listed, of a chunk in the order that bodies are filed in, go to their places. */
static void order_chunk(const build *b, uint64_t chunk, uint64_t size) {
    const carom_coherent *state = b->step->state;
    uint32_t *body = carom_coherent_data(state, CAROM_COHERENT_BODY);
    uint32_t *slot = carom_coherent_data(state, CAROM_COHERENT_SLOT);
    carom_slot_box box[CHUNK];
    uint8_t bin[CHUNK];
    uint32_t start[BINS + 1];
    carom_kernels_of(state->context->simd)->slot_boxes(b->filed + chunk, 0, size, state->centre, box);
    choose_bins(box, size, bin, start);
    for (uint64_t n = 0; n < size; n++) {
        if (chunk + n + AHEAD < state->count) {
            __builtin_prefetch(&slot[b->filed[chunk + n + AHEAD].body], 1);
        }
        uint64_t to = chunk + start[bin[n]]++;
        uint32_t who = (uint32_t)b->filed[chunk + n].body;
        b->index.fat_box[to] = box[n];
        body[to] = who;
        slot[who] = (uint32_t)to;
    }
}

static void order_chunks(void *data, uint32_t worker) {
    const build *b = data;
    const carom_coherent *state = b->step->state;
    const carom_range own = carom_team_range(&state->context->team, worker, state->count, CHUNK);
    for (uint64_t chunk = own.begin; chunk < own.end; chunk += CHUNK) {
        order_chunk(b, chunk, own.end - chunk < CHUNK ? own.end - chunk : CHUNK);
    }
}

static void put_in_order(build *b) {
    carom_coherent *state = b->step->state;
    const carom_team *team = &state->context->team;
    b->index = carom_coherent_index_view(carom_coherent_data(state, CAROM_COHERENT_INDEX), state->count);
    carom_team_run(team, make_fat_boxes, b);
    carom_team_run(team, order_chunks, b);
    carom_coherent_index_build(&b->index);
    carom_coherent_inner_start(state, &b->index);
    carom_team_run(team, make_inner_boxes, b);
    if (carom_coherent_index_is_far(&b->index)) {
        state->drift = 0.0; /* they serve the very centre only */
    }
}

static void start_state(carom_coherent *state, uint64_t count) {
    state->built = false;
    state->grouped = false;
    state->linked = false;
    state->count = count;
}

static void clear_marks(carom_coherent *state) {
    uint64_t bytes = state->list.room / 8 + 64;
    memset(carom_coherent_data(state, CAROM_COHERENT_TOUCHING), 0, bytes);
    memset(carom_coherent_data(state, CAROM_COHERENT_TOUCHING_BEFORE), 0, bytes);
}

carom_status carom_build_list(carom_coherent_step *step) {
    carom_coherent *state = step->state;
    const carom_bodies *bodies = step->job->bodies;
    build b = {.step = step};
    uint64_t required = 0;
    if (state->compared && carom_coherent_list_carry(state, &required) != CAROM_OK) {
        carom_context_release_work(state->context); /* the step before has been read */
        if (carom_coherent_list_carry(state, &required) != CAROM_OK) {
            return carom_job_no_memory(step->job, required);
        }
    }
    start_state(state, bodies->count);
    memcpy(state->centre, step->centre, sizeof state->centre);
    state->drift = sizeof(carom_real) == sizeof(double) && isfinite(step->length) ? step->length : 0.0;
    double displacement;
    double extent;
    carom_drawn_sample(bodies, &displacement, &extent);
    carom_coherent_reach_choose(&state->reach, state->config.steps_ahead, displacement, extent);
    const carom_coherent_need need = {CAROM_COHERENT_DRAWN_OUT, carom_drawn_bytes(bodies->count)};
    if (carom_coherent_reserve(state, &need, 1, &required) != CAROM_OK) {
        return carom_job_no_memory(step->job, required);
    }
    b.drawn = carom_drawn_view(carom_coherent_data(state, CAROM_COHERENT_DRAWN_OUT), bodies);
    b.wide = b.drawn.bodies;
    b.wide.radius = b.drawn.wide_radius;
    carom_team_run(&state->context->team, draw_out, &b);
    carom_detection found;
    carom_status status = find_with_room(&b, &found);
    if (status != CAROM_OK) {
        return status;
    }
    put_in_order(&b);
    carom_coherent_list_build(state, found.pair_count, found.i, found.k, b.high, b.low);
    clear_marks(state);
    if (state->compared) {
        carom_coherent_list_restore(state);
    }
    state->built = true;
    state->rebuilds++;
    carom_coherent_reach_built(&state->reach, state->count, state->list.pairs);
    return CAROM_OK;
}
