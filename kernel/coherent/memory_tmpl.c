/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/coherent/memory_tmpl.h"

#include <string.h>

#include "kernel/coherent/cold_tmpl.h"
#include "kernel/coherent/extended_tmpl.h"
#include "kernel/coherent/index.h"
#include "kernel/coherent/inner.h"
#include "kernel/coherent/regroup.h"
#include "kernel/coherent/walk_tmpl.h"
#include "kernel/detect/need_tmpl.h"
#include "kernel/detect/results/rows_tmpl.h"

/* Bytes of a pair of bodies. */
static const uint64_t PAIR = 2 * sizeof(uint32_t);

/* As many bodies may have left their cells as pairs may be apart; with more there is a rebuild. */
static uint64_t moved_bytes(const carom_coherent_size *size) {
    return size->apart * sizeof(carom_image);
}

void carom_coherent_memory_list(const carom_coherent_size *size, carom_coherent_need need[CAROM_COHERENT_LIST_NEEDS]) {
    const uint64_t bodies = size->bodies;
    const uint64_t room = size->room;
    const uint64_t words = (bodies + CAROM_SIMD_PAD) * sizeof(uint32_t);
    const uint64_t list = carom_size_multiply(carom_size_add(room, CAROM_SIMD_PAD), sizeof(uint32_t));
    const uint64_t bits = room / 8 + 64;
    const uint64_t records = bodies + CAROM_SIMD_PAD + 2 * size->apart;
    const uint64_t periodic = size->apart > 0;
    const carom_coherent_need all[CAROM_COHERENT_LIST_NEEDS] = {
        {CAROM_COHERENT_SLOT, words},
        {CAROM_COHERENT_BODY, words},
        {CAROM_COHERENT_RECORDS, records * sizeof(carom_record)},
        {CAROM_COHERENT_FAT_BOXES, 6 * (words + UINT64_C(9) * CAROM_CACHE_LINE)},
        {CAROM_COHERENT_INNER, carom_coherent_inner_bytes(bodies)},
        {CAROM_COHERENT_INDEX, carom_coherent_index_bytes(bodies)},
        {CAROM_COHERENT_PAIR_I, list},
        {CAROM_COHERENT_PAIR_K, list},
        {CAROM_COHERENT_START, words},
        {CAROM_COHERENT_TOUCHING, bits},
        {CAROM_COHERENT_TOUCHING_BEFORE, bits},
        {CAROM_COHERENT_ESCAPED, words},
        {CAROM_COHERENT_PARENT, words},
        {CAROM_COHERENT_LEAST, words},
        {CAROM_COHERENT_GROUP_SIZE, words},
        {CAROM_COHERENT_NODES, carom_regroup_nodes_bytes(bodies)},
        {CAROM_COHERENT_MEMBERS, carom_regroup_members_bytes(bodies)},
        {CAROM_COHERENT_LABEL, words},
        {CAROM_COHERENT_IMAGE_OWNER, periodic * (bodies - size->owned + 1) * sizeof(uint32_t)},
        {CAROM_COHERENT_MOVED, moved_bytes(size)},
        {CAROM_COHERENT_MARK, periodic * bodies},
        {CAROM_COHERENT_APART, periodic * carom_coherent_apart_bytes(size->apart)},
    };
    memcpy(need, all, sizeof all);
}

static uint64_t list_bytes(const carom_coherent_size *size) {
    carom_coherent_need need[CAROM_COHERENT_LIST_NEEDS];
    uint64_t sum = 0;
    carom_coherent_memory_list(size, need);
    for (uint32_t n = 0; n < CAROM_COHERENT_LIST_NEEDS; n++) {
        sum = carom_size_add(sum, need[n].bytes);
    }
    return sum;
}

static uint64_t greater(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* What the build holds at its highest: while drawn-out bodies are searched for pairs, or when the list is made of the
 * pairs, which two arrays of slots go through. In a periodic box the bodies that images are found with stay, too. */
static uint64_t build_bytes(const carom_need *need, const carom_coherent_size *size, uint64_t candidates,
                            uint64_t list) {
    const carom_detect_config config = {.size = sizeof config, .until = CAROM_UNTIL_PAIRS};
    const carom_need drawn = {.context = need->context, .config = &config, .owned = size->bodies, .pairs = candidates};
    const uint64_t rows = carom_size_multiply(PAIR, carom_row_table_round(candidates));
    const uint64_t made = carom_size_add(carom_size_add(carom_need_search(&drawn), list), rows);
    const uint64_t images = size->apart > 0 ? size->bodies - size->owned : 0;
    const uint64_t wide = size->apart > 0 ? carom_images_bytes(need->context->threads, size->owned, images) : 0;
    return wide + greater(carom_need_detect(&drawn), carom_size_add(made, carom_size_multiply(PAIR, candidates)));
}

/* What a walk holds: the list, and all that comes of it. */
static uint64_t walk_bytes(const carom_need *need, const carom_coherent_size *size, uint64_t list) {
    const uint64_t workers = need->context->threads;
    uint64_t bytes = carom_size_add(list, carom_walk_bytes(workers, size->room, size->apart));
    bytes = carom_size_add(bytes, carom_need_workers(need));
    return carom_size_add(bytes, carom_need_results(need, carom_walk_tasks(size->room, size->apart)));
}

static uint64_t fields_bytes(const carom_coherent_size *size) {
    const uint64_t images = size->bodies - size->owned;
    return carom_coherent_fields_bytes(size->bodies + size->apart) + size->owned * 3 * sizeof(int32_t) +
           (images + size->apart) * sizeof(carom_image) + (3 * images + 1) * sizeof(double);
}

/* Bodies and images of a step in a periodic box, and the chunks and sets of its pairs. */
static uint64_t placed_bytes(const carom_need *need, const carom_coherent_size *size, bool events) {
    if (size->apart == 0) {
        return 0;
    }
    const uint64_t set = carom_size_multiply(2 * sizeof(uint64_t), carom_size_add(need->pairs, CAROM_PAIR_SET_LEAST));
    const uint64_t logged = carom_pair_log_bytes(need->context->threads, need->pairs);
    const uint64_t compared = events ? carom_size_add(logged, carom_size_multiply(2, set)) : 0;
    return carom_size_add(compared, fields_bytes(size));
}

/* Pairs that touched are carried to a new list, from a list or a set; events are those of two steps at most. A cold
 * step keeps no list. */
uint64_t carom_coherent_memory_bound(const carom_need *need, uint64_t candidates, uint64_t images, bool events) {
    const bool periodic = need->config->periodic != NULL;
    const carom_coherent_size size = {.bodies = need->owned + images,
                                      .owned = need->owned,
                                      .room = carom_coherent_room(candidates),
                                      .apart = periodic ? carom_coherent_most_apart(images) : 0};
    const uint64_t list = list_bytes(&size);
    const uint64_t pairs = carom_size_multiply(PAIR, carom_size_add(need->pairs, 1));
    const uint64_t built = build_bytes(need, &size, candidates, list);
    const uint64_t walked = walk_bytes(need, &size, list);
    const uint64_t told = events ? carom_size_multiply(2, pairs) : 0;
    const uint64_t extended = carom_extended_bytes(size.bodies);
    const uint64_t kept = carom_size_add(carom_size_add(extended, pairs), placed_bytes(need, &size, events));
    const uint64_t listed = carom_size_add(kept, greater(built, carom_size_add(walked, told)));
    return greater(listed, carom_size_add(extended, carom_cold_bound(need, events)));
}

/* Nothing that touches is off the list: if its rows were not counted, there are no more than it has pairs. Context and
 * state stay as they are, whatever else is held. */
carom_status carom_coherent_memory_explain(carom_coherent_step *step) {
    carom_detect_job *job = step->job;
    const uint64_t counted = job->detection->summary.required_pairs;
    const uint64_t candidates = greater(step->candidates, step->state->list.pairs);
    const uint64_t images = step->hooks != NULL ? greater(step->images->count, step->cold_images->count) : 0;
    const carom_need need = {.context = job->context,
                             .config = job->config,
                             .owned = job->owned,
                             .images = images,
                             .to_sink = carom_rows_has_sink(job),
                             .shaped = job->shapes.source != NULL,
                             .float_results = job->periodic.float_results,
                             .pairs = counted > 0 ? counted : candidates};
    const uint64_t bound = carom_coherent_memory_bound(&need, candidates, images, step->state->config.events);
    carom_context_release_work(job->context);
    carom_coherent_forget(step->state);
    return carom_need_explain(job, carom_size_add(job->context->memory.held, bound));
}
