/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/coherent/build_tmpl.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/coherent/extended_tmpl.h"
#include "kernel/coherent/index.h"
#include "kernel/coherent/inner.h"
#include "kernel/coherent/list.h"
#include "kernel/coherent/memory_tmpl.h"
#include "kernel/coherent/motion_tmpl.h"
#include "kernel/coherent/validate.h"
#include "kernel/detect/stages_tmpl.h"
#include "kernel/sys/error.h"

/* Cells are much larger than the nodes of the index. So the boxes of a chunk of bodies are ordered along their longest
 * side, in bins of about a node each. */
enum { CHUNK = 512, BINS = CHUNK / CAROM_BOX_TREE_WIDTH };
/* How many bodies ahead SLOT is fetched. */
enum { AHEAD = 32 };
/* Of a step with a rebuild, what the host is told that the search for the pairs takes. */
static const double FIND_SHARE = 0.6;

/* A rebuild while it runs. */
typedef struct build {
    carom_coherent_step *step;
    carom_extended extended;
    carom_bodies listed;         /* the extended bodies with the radii of the list */
    const carom_record *records; /* of these bodies, in partition order; in the context */
    carom_coherent_index index;
    uint32_t *high; /* workspace: the larger and the smaller slot of each pair */
    uint32_t *low;
} build;

/* Tasks of a team: each worker takes its range of the bodies. */
static void extend_bodies(void *data, uint32_t worker) {
    build *b = data;
    const carom_bodies *bodies = b->step->job->bodies;
    const uint64_t count = b->extended.bodies.count;
    carom_walk walk = carom_team_walk(&b->step->state->context->team, worker, count, CAROM_SIMD_PAD);
    while (carom_walk_next(&walk)) {
        carom_extended_fill(b->step->state, bodies, walk.begin, walk.end, &b->extended);
    }
}

/* The pairs of the extended bodies, and their records in partition order. Cold detection takes their boxes relative to
 * the same centre, so its boxes and those of the index are the same to the bit: a pair is on the list if and only if
 * its boxes in the index overlap. */
static carom_status find_pairs(build *b, carom_detection *found) {
    carom_coherent_step *step = b->step;
    carom_coherent *state = step->state;
    const carom_detect_config config = {.size = sizeof config, .until = CAROM_UNTIL_PAIRS};
    carom_error error;
    carom_detect_job job = {.context = state->context,
                            .bodies = &b->listed,
                            .config = &config,
                            .detection = found,
                            .headroom = CAROM_HEADROOM_GROW,
                            .search = {.given_centre = state->centre}};
    carom_control *control = state->context->team.control;
    carom_control_scale(control, FIND_SHARE);
    carom_status status = carom_detect_stages(&job, &error);
    carom_control_scale(control, 1.0);
    carom_control_enter(control, CAROM_PHASE_PARTITION);
    if (status == CAROM_ERROR_CANCELLED) {
        return status;
    }
    step->candidates = status == CAROM_OK ? found->pair_count : found->summary.required_pairs;
    /* MEMORY: the bodies have been surveyed, and there is no sink and no array of the caller's. */
    if (status != CAROM_OK) {
        step->job->detection->summary.required_pairs = 0;
        return carom_job_no_memory(step->job, found->summary.required_bytes);
    }
    /* Pairs, and the records of pairs apart, are numbered by 32 bits. */
    const uint64_t apart = state->space.periodic ? 2 * state->space.most_apart : 0;
    if (carom_coherent_room(found->pair_count) + apart >= UINT32_MAX || state->count + apart >= UINT32_MAX) {
        return carom_error_set(step->job->error, CAROM_ERROR_ARGUMENT,
                               "%" PRIu64 " pairs are too many to be kept from step to step", found->pair_count);
    }
    b->records = job.search.records;
    return CAROM_OK;
}

/* Room for everything that depends on the number of pairs or bodies. All at once, so that a failure can say how much
 * memory would be enough. */
static carom_status reserve(build *b, uint64_t pairs) {
    carom_coherent_step *step = b->step;
    carom_coherent *state = step->state;
    carom_coherent_need need[CAROM_COHERENT_LIST_NEEDS];
    state->list.capacity = carom_coherent_room(pairs);
    const carom_coherent_size size = {
        .bodies = state->count, .owned = state->owned, .room = state->list.capacity, .apart = state->space.most_apart};
    carom_coherent_memory_list(&size, need);
    uint64_t required = 0;
    if (carom_coherent_reserve(state, need, CAROM_COHERENT_LIST_NEEDS, &required) != CAROM_OK) {
        return carom_job_no_memory(step->job, carom_size_add(required, 2 * pairs * sizeof(uint32_t)));
    }
    carom_work_need slots[] = {{CAROM_WORK_SORT_KEY, pairs * sizeof(uint32_t)},
                               {CAROM_WORK_SORT_SPARE_KEY, pairs * sizeof(uint32_t)}};
    carom_context_reserve_more(state->context, slots, 2, CAROM_HEADROOM_GROW);
    carom_status status = carom_job_reserve(step->job, slots, 2);
    b->high = carom_context_work(state->context, CAROM_WORK_SORT_KEY);
    b->low = carom_context_work(state->context, CAROM_WORK_SORT_SPARE_KEY);
    return status;
}

/* Leaves out the pairs that a list in a periodic box does not have. Incomplete if the call is to stop. */
static void drop_images(const build *b, carom_detection *found) {
    const carom_images *images = b->step->images;
    const carom_contacts *rows = &found->contacts;
    uint64_t kept = 0;
    carom_walk walk = carom_team_walk_alone(&b->step->state->context->team, found->pair_count);
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin; n < walk.end; n++) {
            const uint32_t i = rows->i[n];
            const uint32_t k = rows->k[n];
            rows->i[kept] = i;
            rows->k[kept] = k;
            kept += carom_images_report(images, false, i, k);
        }
    }
    found->pair_count = kept;
}

/* The pairs of the list. */
static carom_status find_listed(build *b, carom_detection *found) {
    carom_status status = find_pairs(b, found);
    if (status == CAROM_OK && b->step->images != NULL) {
        drop_images(b, found);
    }
    return status == CAROM_OK && carom_job_stopped(b->step->job) ? CAROM_ERROR_CANCELLED : status;
}

/* Pairs and room for their list. */
static carom_status find_and_reserve(build *b, carom_detection *found) {
    carom_status status = find_listed(b, found);
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
    carom_coherent_release_cold(state);
    carom_context_release_work(context);
    context->expected_rows = b->step->candidates;
    status = find_listed(b, found);
    if (status == CAROM_OK) {
        carom_chunk_pool_release(&context->chunks, &context->memory);
        status = reserve(b, found->pair_count);
    }
    return status;
}

/* The boxes that steps check, in the caller's order. */
static void make_fat_boxes(void *data, uint32_t worker) {
    build *b = data;
    carom_coherent *state = b->step->state;
    float *lo[3];
    float *hi[3];
    const carom_bodies *extended = &b->extended.bodies;
    carom_coherent_fat_boxes(state, lo, hi);
    carom_walk walk = carom_team_walk(&state->context->team, worker, state->count, CAROM_SIMD_PAD);
    while (carom_walk_next(&walk)) {
        carom_kernels_of(state->context->simd)->fat_boxes(extended, walk.begin, walk.end, state->centre, lo, hi);
    }
}

/* After the fat boxes of all bodies, because the steps of their sides depend on the whole scene. */
static void make_inner_boxes(void *data, uint32_t worker) {
    const build *b = data;
    const carom_coherent *state = b->step->state;
    carom_walk walk = carom_team_walk(&state->context->team, worker, state->count, CAROM_SIMD_PAD);
    while (carom_walk_next(&walk)) {
        carom_coherent_inner_fill(state, walk.begin, walk.end);
    }
}

/* The axis along which the low corners spread most. */
static int longest_side(const carom_slot_box *box, uint64_t count) {
    float lo[3];
    float hi[3];
    int longest = 0;
    /* By low corners alone: their spread is what the bins will divide. */
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

/* The bin of each low corner on the longest side, and where each bin begins. Boxes alike on that side, or infinite
 * sides, all go into one bin. */
static void choose_bins(const carom_slot_box *box, uint64_t count, uint8_t *bin, uint32_t *start) {
    int a = longest_side(box, count);
    float lo = box[0].lo[a];
    float hi = lo;
    for (uint64_t n = 1; n < count; n++) {
        lo = box[n].lo[a] < lo ? box[n].lo[a] : lo;
        hi = box[n].lo[a] > hi ? box[n].lo[a] : hi;
    }
    /* Not finite, or too large to multiply by, if the corners do not spread. */
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

/* Gives slots to the bodies of a chunk, with their boxes in the index. */
static void order_chunk(const build *b, uint64_t chunk, uint64_t size) {
    const carom_coherent *state = b->step->state;
    uint32_t *body = carom_coherent_data(state, CAROM_COHERENT_BODY);
    uint32_t *slot = carom_coherent_data(state, CAROM_COHERENT_SLOT);
    carom_slot_box box[CHUNK];
    uint8_t bin[CHUNK];
    uint32_t start[BINS + 1];
    carom_kernels_of(state->context->simd)->slot_boxes(b->records + chunk, 0, size, state->centre, box);
    choose_bins(box, size, bin, start);
    for (uint64_t n = 0; n < size; n++) {
        if (chunk + n + AHEAD < state->count) {
            __builtin_prefetch(&slot[b->records[chunk + n + AHEAD].body], 1);
        }
        const uint64_t to = chunk + start[bin[n]]++;
        const uint32_t who = (uint32_t)b->records[chunk + n].body;
        carom_coherent_index_put(&b->index, to, &box[n]);
        body[to] = who;
        slot[who] = (uint32_t)to;
    }
}

/* The chunks of a walk, whose items begin at slot `first`. */
static void order_range(const build *b, carom_walk walk, uint64_t first) {
    walk.step = CHUNK;
    while (carom_walk_next(&walk)) {
        order_chunk(b, first + walk.begin, walk.end - walk.begin);
    }
}

/* Chunks are the same for every number of workers, and so is the order. None has slots of two classes. */
static void order_chunks(void *data, uint32_t worker) {
    const build *b = data;
    const carom_coherent *state = b->step->state;
    const carom_team *team = &state->context->team;
    const uint64_t border = state->space.border;
    order_range(b, carom_team_walk(team, worker, border, CHUNK), 0);
    order_range(b, carom_team_walk(team, worker, state->owned - border, CHUNK), border);
    order_range(b, carom_team_walk(team, worker, state->count - state->owned, CHUNK), state->owned);
}

/* Classes of slots in a periodic box, in their order. */
typedef enum slot_class { INSIDE, BORDER, IMAGE, CLASSES } slot_class;

static slot_class class_of(const carom_coherent *state, const carom_record *record) {
    if (record->body >= state->owned) {
        return IMAGE;
    }
    double at[CAROM_BODY_FIELDS];
    for (int a = 0; a < 3; a++) {
        at[a] = (double)record->prev[a];
        at[a + 3] = (double)record->curr[a];
    }
    at[6] = (double)record->radius;
    return carom_lattice_is_inside(&state->space.lattice, at) ? INSIDE : BORDER;
}

/* MARK has the classes until the slots are known. */
static void find_classes(void *data, uint32_t worker) {
    const build *b = data;
    const carom_coherent *state = b->step->state;
    uint8_t *of = carom_coherent_data(state, CAROM_COHERENT_MARK);
    carom_walk walk = carom_team_walk(&state->context->team, worker, state->count, CAROM_SIMD_PAD);
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin; n < walk.end; n++) {
            of[n] = (uint8_t)class_of(state, &b->records[n]);
        }
    }
}

/* Images come after all bodies, and before them those that may leave the cell: the pairs of both are then the last of
 * the list. RECORDS is free until the list is made. Garbage if the call is to stop. */
static void put_images_last(build *b) {
    carom_coherent *state = b->step->state;
    const carom_team *team = &state->context->team;
    const uint8_t *of = carom_coherent_data(state, CAROM_COHERENT_MARK);
    carom_record *to = carom_coherent_data(state, CAROM_COHERENT_RECORDS);
    uint64_t at[CLASSES] = {0, 0, state->owned};
    carom_team_run(team, find_classes, b);
    if (carom_team_stopped(team)) {
        return; /* not all classes are known */
    }
    for (uint64_t n = 0; n < state->count; n++) {
        at[BORDER] += of[n] == INSIDE;
    }
    state->space.border = at[BORDER];
    state->space.crossed = false;
    carom_walk walk = carom_team_walk_alone(team, state->count);
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin; n < walk.end; n++) {
            to[at[of[n]]++] = b->records[n];
        }
    }
    b->records = to;
}

/* The slots of the owners of images, in order of slots. */
static void find_owners(const carom_coherent_step *step) {
    const carom_coherent *state = step->state;
    const uint32_t *body = carom_coherent_data(state, CAROM_COHERENT_BODY);
    const uint32_t *slot = carom_coherent_data(state, CAROM_COHERENT_SLOT);
    uint32_t *owner = carom_coherent_data(state, CAROM_COHERENT_IMAGE_OWNER);
    carom_walk walk = carom_team_walk_alone(&state->context->team, state->count - state->owned);
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin; n < walk.end; n++) {
            owner[n] = slot[carom_images_owner(step->images, body[state->owned + n])];
        }
    }
}

/* Order, fat boxes, index and inner boxes, and the list of the pairs that were found. All garbage if the call is to
 * stop. */
static void put_in_order(build *b, const carom_detection *found) {
    carom_coherent *state = b->step->state;
    const carom_team *team = &state->context->team;
    state->space.border = state->owned;
    if (b->step->images != NULL) {
        put_images_last(b);
    }
    if (carom_team_stopped(team)) {
        return;
    }
    b->index = carom_coherent_index_view(carom_coherent_data(state, CAROM_COHERENT_INDEX), state->count);
    carom_team_run(team, make_fat_boxes, b);
    carom_team_run(team, order_chunks, b);
    if (b->step->images != NULL && !carom_team_stopped(team)) {
        find_owners(b->step);
        memset(carom_coherent_data(state, CAROM_COHERENT_MARK), 0, state->count);
    }
    carom_coherent_index_build(team, &b->index);
    if (carom_team_stopped(team)) {
        return;
    }
    carom_coherent_inner_start(state, &b->index);
    carom_team_run(team, make_inner_boxes, b);
    state->space.far = carom_coherent_index_is_far(&b->index);
    if (state->space.far) {
        state->drift = 0.0; /* the boxes hold for this very centre only */
    }
    if (!carom_team_stopped(team)) {
        const carom_contacts *rows = &found->contacts;
        carom_coherent_list_build(state, found->pair_count, rows->i, rows->k, b->high, b->low);
    }
}

/* From here on the old list is lost: until the rebuild succeeds there is none. */
static void start_state(carom_coherent_step *step) {
    carom_coherent *state = step->state;
    state->built = false;
    state->groups.known = false;
    state->groups.linked = false;
    state->cold.in_set = state->cold.in_set && step->hooks != NULL; /* else pairs that are of use are in SAVED */
    state->owned = step->job->owned;
    state->count = step->job->owned;
}

/* The bits of the step before are those of the old list; carom_coherent_list_restore sets them anew. */
static void clear_touching(carom_coherent *state) {
    uint64_t bytes = carom_coherent_touching_bytes(state);
    memset(carom_coherent_data(state, CAROM_COHERENT_TOUCHING), 0, bytes);
    memset(carom_coherent_data(state, CAROM_COHERENT_TOUCHING_BEFORE), 0, bytes);
}

/* Extends the first `count` bodies. */
static carom_status extend(build *b, uint64_t count) {
    carom_coherent *state = b->step->state;
    carom_bodies bodies = *b->step->job->bodies;
    bodies.count = count;
    const carom_coherent_need need = {CAROM_COHERENT_EXTENDED, carom_extended_bytes(count)};
    uint64_t required = 0;
    if (carom_coherent_reserve(state, &need, 1, &required) != CAROM_OK) {
        return carom_job_no_memory(b->step->job, required);
    }
    b->extended = carom_extended_view(carom_coherent_data(state, CAROM_COHERENT_EXTENDED), &bodies);
    b->listed = b->extended.bodies;
    b->listed.radius = b->extended.list_radius;
    carom_team_run(&state->context->team, extend_bodies, b);
    return carom_job_stopped(b->step->job) ? CAROM_ERROR_CANCELLED : CAROM_OK;
}

/* In a periodic box the bodies that are extended first say which images the list needs. */
static carom_status make_images(build *b) {
    carom_coherent_step *step = b->step;
    step->hooks->bound(step);
    carom_status status = extend(b, step->job->owned);
    return status == CAROM_OK ? step->hooks->make_images(step, &b->listed) : status;
}

/* Chooses centre, steps ahead and margin, and extends the bodies. */
static carom_status make_extended(build *b) {
    carom_coherent_step *step = b->step;
    carom_coherent *state = step->state;
    const carom_bodies owned = carom_coherent_step_bodies(step);
    memcpy(state->centre, step->centre, sizeof state->centre);
    state->drift = sizeof(carom_real) == sizeof(double) && isfinite(step->length) ? step->length : 0.0;
    const carom_coherent_motion motion = carom_motion_measure(state, &owned);
    carom_coherent_lookahead_choose(&state->lookahead, state->config.steps_ahead, &motion);
    carom_status status = step->hooks != NULL ? make_images(b) : CAROM_OK;
    if (status != CAROM_OK || step->cold) {
        return status;
    }
    state->count = step->job->bodies->count;
    return extend(b, state->count);
}

carom_status carom_build_list(carom_coherent_step *step) {
    carom_coherent *state = step->state;
    build b = {.step = step};
    carom_detection found;
    uint64_t required = 0;
    CAROM_ASSERT(step->job->bodies->count > 0 && step->job->bodies->count < UINT32_MAX);
    const bool saves = state->compared && step->hooks == NULL;
    if (saves && carom_coherent_list_save(state, &required) != CAROM_OK) {
        carom_context_release_work(state->context); /* the step before has been read */
        if (carom_coherent_list_save(state, &required) != CAROM_OK) {
            return carom_job_no_memory(step->job, required);
        }
    }
    start_state(step);
    carom_status status = carom_job_stopped(step->job) ? CAROM_ERROR_CANCELLED : make_extended(&b);
    if (status == CAROM_OK && !step->cold) {
        status = find_with_room(&b, &found);
    }
    if (status != CAROM_OK || step->cold) {
        return status;
    }
    CAROM_ASSERT(b.records != NULL);
    put_in_order(&b, &found);
    if (carom_job_stopped(step->job)) {
        return CAROM_ERROR_CANCELLED;
    }
    clear_touching(state);
    if (saves) {
        carom_coherent_list_restore(state);
    }
    if (carom_job_stopped(step->job)) {
        return CAROM_ERROR_CANCELLED;
    }
    state->built = true;
    CAROM_VALIDATE(carom_coherent_validate(state));
    state->rebuilds++;
    carom_coherent_lookahead_built(&state->lookahead, carom_coherent_step_prices(step), (double)state->owned,
                                   (double)state->list.pairs);
    return CAROM_OK;
}
