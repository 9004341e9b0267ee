/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a block of pairs. Out: their brackets. Pairs of the same two kinds make a run: their places follow each other.
 * Closed forms are computed by the kernel for the run, or one by one; what is left is searched for, a run at a time. */
#include "kernel/narrow/many.h"

#include <string.h>

#include "kernel/narrow/box_list.h"
#include "kernel/narrow/closed.h"
#include "kernel/narrow/seek.h"
#include "kernel/narrow/seek_start.h"
#include "simd/compare.h"
#include "simd/dispatch.h"

/* A run is numbered by both kinds. NO_RUN: the pair has no place. */
enum { KINDS = CAROM_SHAPE_COMPOUND + 1, RUNS = KINDS * KINDS, NO_RUN = RUNS };

/* Vectors of doubles read so many places past the last: shapes and poses must be there. */
enum { PAST_LAST = 8 };

static inline uint8_t run_of(const carom_shape_entry *i, const carom_shape_entry *k) {
    return (uint8_t)((uint32_t)i->kind * KINDS + (uint32_t)k->kind);
}

static bool has_place(uint8_t run) {
    const uint32_t i = run / KINDS;
    const uint32_t k = run % KINDS;
    return i < CAROM_SHAPE_COMPOUND && k < CAROM_SHAPE_COMPOUND &&
           carom_gap_has((carom_shape_kind)i, (carom_shape_kind)k);
}

static bool is_swapped(uint8_t run) {
    return run / KINDS > run % KINDS;
}

/* The run of each pair; returns whether all have the same, and places. */
static bool find_runs(const carom_shape_entry *const *i, const carom_shape_entry *const *k, uint32_t count,
                      uint8_t run[CAROM_MANY_PAIRS]) {
    uint32_t different = 0;
    for (uint32_t n = 0; n < count; n++) {
        run[n] = run_of(i[n], k[n]);
        different |= run[n] ^ run[0];
    }
    if (count > 0 && different == 0 && has_place(run[0])) {
        return true;
    }
    for (uint32_t n = 0; n < count; n++) {
        run[n] = has_place(run[n]) ? run[n] : NO_RUN;
    }
    return false;
}

/* All pairs are of one run: pair n has place n. */
static void number_one_run(carom_many *many, uint8_t run, uint32_t count) {
    many->count = count;
    many->alone = 0;
    memset(many->run, run, count);
    memset(many->swapped, is_swapped(run), count * sizeof many->swapped[0]);
    for (uint32_t n = 0; n < count; n++) {
        many->number[n] = n;
    }
}

/* A counting sort by runs. */
static void number_runs(carom_many *many, const uint8_t run[CAROM_MANY_PAIRS], uint32_t count) {
    uint8_t next[RUNS + 1];
    uint8_t begin = 0;
    memset(next, 0, sizeof next);
    many->alone = 0;
    for (uint32_t n = 0; n < count; n++) {
        next[run[n]]++;
    }
    for (uint32_t r = 0; r < RUNS; r++) {
        const uint8_t pairs = next[r];
        next[r] = begin;
        begin = (uint8_t)(begin + pairs);
    }
    many->count = begin;
    for (uint32_t n = 0; n < count; n++) {
        if (run[n] == NO_RUN) {
            many->alone |= (uint64_t)1 << n;
            continue;
        }
        const uint32_t place = next[run[n]]++;
        many->number[place] = n;
        many->run[place] = run[n];
        many->swapped[place] = is_swapped(run[n]);
    }
}

static void place_shapes(carom_many *many, const carom_shape_entry *const *i, const carom_shape_entry *const *k) {
    for (uint32_t c = 0; c < many->count; c++) {
        const carom_shape_entry *of_i = i[many->number[c]];
        const carom_shape_entry *of_k = k[many->number[c]];
        many->block.side[0].shape[c] = many->swapped[c] ? of_k : of_i;
        many->block.side[1].shape[c] = many->swapped[c] ? of_i : of_k;
    }
}

void carom_many_sort(carom_many *many, const carom_shape_entry *const *i, const carom_shape_entry *const *k,
                     uint32_t count) {
    uint8_t run[CAROM_MANY_PAIRS];
    carom_pair_block *block = &many->block;
    many->in_order = find_runs(i, k, count, run);
    if (many->in_order) {
        number_one_run(many, run[0], count);
        memcpy(block->side[0].shape, many->swapped[0] ? k : i, count * sizeof *i);
        memcpy(block->side[1].shape, many->swapped[0] ? i : k, count * sizeof *i);
    } else {
        number_runs(many, run, count);
        place_shapes(many, i, k);
    }
    for (uint32_t c = many->count; many->count > 0 && c < many->count + PAST_LAST; c++) {
        block->side[0].shape[c] = block->side[0].shape[0];
        block->side[1].shape[c] = block->side[1].shape[0];
    }
}

/* Whether the kernel has a closed form for two kinds, the lower one first. */
static bool is_in_lanes(carom_shape_kind i, carom_shape_kind k) {
    return i == CAROM_SHAPE_SPHERE ? k <= CAROM_SHAPE_CYLINDER : i <= CAROM_SHAPE_BOX && k <= CAROM_SHAPE_BOX;
}

static void swap_bodies(carom_pair_block *block, uint32_t begin, uint32_t end) {
    for (int d = 0; d < 3; d++) {
        for (uint32_t n = begin; n < end; n++) {
            const double point = block->point_i[d][n];
            block->point_i[d][n] = block->point_k[d][n];
            block->point_k[d][n] = point;
            block->normal[d][n] = -block->normal[d][n];
        }
    }
}

void carom_many_posed(const carom_many *many, uint32_t place, carom_posed *i, carom_posed *k) {
    carom_block_posed(&many->block, many->swapped[place] ? 1 : 0, place, i);
    carom_block_posed(&many->block, many->swapped[place] ? 0 : 1, place, k);
}

/* What the pairs that are searched for begin with. All or none are swapped. */
static void begin_search(carom_many *many, const carom_simd *simd, const carom_gap_task *task) {
    const uint32_t side_i = many->swapped[many->place[0]] ? 1 : 0;
    simd->pose_pairs(&many->block, side_i, many->place, many->searched, many->i);
    simd->pose_pairs(&many->block, 1 - side_i, many->place, many->searched, many->k);
    for (uint32_t n = 0; n < many->searched; n++) {
        many->goal[n] = carom_gap_goal(many->i[n].shape, many->k[n].shape, task);
    }
    memset(many->bracket, 0, many->searched * sizeof many->bracket[0]);
}

/* Sorts boxes by what their axes say. Bit n for place n: in *open, those that must be searched for; in *overlapping,
 * those that no axis holds apart. */
static void sort_boxes(const carom_pair_block *block, uint32_t begin, uint32_t end, const carom_gap_task *task,
                       uint64_t *open, uint64_t *overlapping) {
    *open = 0;
    *overlapping = 0;
    for (uint32_t n = begin; n < end; n++) {
        *open |= (uint64_t)!carom_gap_boxes_are_answered(block->lower[n], task) << n;
        *overlapping |= (uint64_t)(block->lower[n] <= 0.0) << n;
    }
}

/* The normals and points of boxes that overlap, and in `boxes` their manifolds, unless it is NULL. */
static void find_contacts(carom_pair_block *block, uint64_t overlapping, const carom_simd *simd,
                          carom_many_manifolds *boxes) {
    carom_box_list own;
    carom_box_list *list = boxes != NULL ? &boxes->list : &own;
    const uint32_t count = carom_box_list_make(block, overlapping, list);
    if (boxes != NULL) {
        boxes->found = overlapping;
        boxes->count = count;
    }
    simd->boxes_contact(block, list->place, count, boxes != NULL ? &boxes->manifolds : NULL);
}

/* Goes on with boxes after the kernel `closed`. What the state alone does not need stays as it is. */
static void finish_boxes(carom_many *many, uint32_t begin, uint32_t end, uint64_t unusual, const carom_gap_task *task,
                         carom_many_manifolds *boxes) {
    const uint64_t usual = ~(unusual << begin);
    uint64_t open;
    uint64_t overlapping;
    sort_boxes(&many->block, begin, end, task, &open, &overlapping);
    for (uint64_t rest = open & usual; rest != 0; rest &= rest - 1) {
        many->place[many->searched++] = (uint32_t)__builtin_ctzll(rest);
    }
    if (carom_gap_wants_touching(task->detail)) {
        find_contacts(&many->block, overlapping & usual, carom_simd_or_best(task->simd), boxes);
    }
}

/* A pair with a closed form that is not in lanes. */
static void find_one(carom_many *many, uint32_t place, const carom_gap_task *task) {
    carom_posed i;
    carom_posed k;
    carom_gap gap;
    carom_many_posed(many, place, &i, &k);
    (void)carom_gap_try(&i, &k, task, &gap);
    carom_block_set_gap(&many->block, place, &gap);
}

/* The number of a pair that is searched for among those of the task. */
static uint32_t number_of(const carom_many *many, uint32_t n, const carom_gap_task *task) {
    const uint32_t pair = many->number[many->place[n]];
    return task->number != NULL ? task->number[pair] : pair;
}

/* Its axis. */
static double *axis_of(const carom_many *many, uint32_t n, const carom_gap_task *task) {
    return task->axes + 3 * (uint64_t)number_of(many, n, task);
}

static bool are_hulls(const carom_many *many, uint32_t place) {
    return many->run[place] == CAROM_SHAPE_HULL * KINDS + CAROM_SHAPE_HULL;
}

/* Whether the pair at a place is of hulls whose searches begin in floats. */
static bool begins_in_floats(const carom_many *many, uint32_t place, const carom_gap_task *task) {
    return are_hulls(many, place) && (task->starts != NULL || (task->axes == NULL && carom_seek_is_asked(task)));
}

/* Searches for hulls begin where those in floats have ended. */
static void start_searches(carom_many *many, const carom_gap_task *task) {
    for (uint32_t n = 0; n < many->searched; n++) {
        if (task->starts != NULL) {
            carom_seek_start_take(&many->i[n], &many->k[n], &task->starts[number_of(many, n, task)], &many->bracket[n]);
        } else {
            carom_seek_take(&many->i[n], &many->k[n], &many->seek, many->place[n], &many->bracket[n]);
        }
    }
}

static void search(carom_many *many, const carom_simd *simd, const carom_gap_task *task) {
    if (many->searched == 0) {
        return;
    }
    begin_search(many, simd, task);
    for (uint32_t n = 0; n < many->searched && task->axes != NULL; n++) {
        carom_gap_look_first(axis_of(many, n, task), &many->bracket[n]);
    }
    if (begins_in_floats(many, many->place[0], task)) {
        start_searches(many, task);
        simd->facets(many->i, many->k, many->goal, many->searched, many->bracket);
    }
    carom_gap_distances(simd, many->i, many->k, many->goal, many->searched, many->bracket);
    carom_gap_depths(simd, many->i, many->k, many->goal, many->searched, many->bracket, &many->room);
    for (uint32_t n = 0; n < many->searched; n++) {
        carom_gap gap;
        if (task->detail == CAROM_GAP_STATE || many->bracket[n].bounds_only) {
            carom_gap_finish_state(&many->i[n], &many->k[n], &many->bracket[n], &gap);
            carom_block_set_bounds(&many->block, many->place[n], &gap);
        } else {
            carom_gap_finish(&many->i[n], &many->k[n], &many->bracket[n], &gap);
            carom_block_set_gap(&many->block, many->place[n], &gap);
        }
    }
    for (uint32_t n = 0; n < many->searched && task->axes != NULL; n++) {
        memcpy(axis_of(many, n, task), many->bracket[n].normal, sizeof many->bracket[n].normal);
    }
}

/* Answers a run; `unusual` has a bit for each of its pairs that loses its place. */
static void find_run(carom_many *many, uint32_t begin, uint32_t end, uint64_t unusual, const carom_gap_task *task,
                     carom_many_manifolds *boxes) {
    carom_pair_block *block = &many->block;
    const carom_shape_kind kind = block->side[0].shape[begin]->kind;
    const carom_shape_kind other = block->side[1].shape[begin]->kind;
    const bool in_lanes = is_in_lanes(kind, other);
    const bool is_searched = carom_gap_is_searched(kind, other);
    many->searched = 0;
    if (in_lanes) {
        carom_simd_or_best(task->simd)->closed(block, begin, end);
    }
    if (in_lanes && many->swapped[begin]) {
        swap_bodies(block, begin, end);
    }
    if (in_lanes && kind == CAROM_SHAPE_BOX) {
        finish_boxes(many, begin, end, unusual, task, boxes);
    }
    for (uint32_t n = begin; n < end && !in_lanes; n++) {
        if ((unusual >> (n - begin) & 1) != 0) {
            continue;
        }
        if (is_searched) {
            many->place[many->searched++] = n;
        } else {
            find_one(many, n, task);
        }
    }
    search(many, carom_simd_or_best(task->simd), task);
}

static uint32_t end_of_run(const carom_many *many, uint32_t begin) {
    uint32_t end = begin + 1;
    while (end < many->count && many->run[end] == many->run[begin]) {
        end++;
    }
    return end;
}

/* Vectors past the last place read the first one there. */
static void pad_side(carom_block_side *side, uint32_t count) {
    for (uint32_t n = count; n < count + PAST_LAST; n++) {
        for (int d = 0; d < 3; d++) {
            side->at[d][n] = side->at[d][0];
        }
        for (int d = 0; d < 4; d++) {
            side->turn[d][n] = side->turn[d][0];
        }
    }
}

void carom_many_find(carom_many *many, const carom_gap_task *task, carom_many_manifolds *boxes) {
    if (boxes != NULL) {
        boxes->found = 0;
        boxes->count = 0;
        boxes->manifolds.margin = task->margin;
    }
    for (int side = 0; side < 2 && many->count > 0; side++) {
        pad_side(&many->block.side[side], many->count);
    }
    carom_simd_or_best(task->simd)->shape_columns(&many->block, many->count);
    for (uint32_t begin = 0; begin < many->count;) {
        const uint32_t end = end_of_run(many, begin);
        if (begins_in_floats(many, begin, task) && task->starts == NULL) {
            carom_seek_block(&many->block, begin, end, task, &many->seek);
        }
        const uint64_t unusual =
            carom_simd_or_best(task->simd)->relative(&many->block, begin, end, many->swapped[begin]);
        for (uint32_t n = begin; n < end; n++) {
            many->alone |= (unusual >> (n - begin) & 1) << many->number[n];
        }
        find_run(many, begin, end, unusual, task, boxes);
        begin = end;
    }
}

void carom_many_box_manifolds(const carom_many *many, uint64_t wanted, const carom_gap_task *task,
                              carom_many_manifolds *to) {
    uint64_t boxes = 0;
    for (uint32_t c = 0; c < many->count && wanted != 0; c++) {
        const bool are_boxes = many->run[c] == CAROM_SHAPE_BOX * KINDS + CAROM_SHAPE_BOX;
        const bool are_lost = many->alone >> many->number[c] & 1;
        boxes |= (uint64_t)(are_boxes & !are_lost) << c;
    }
    to->manifolds.margin = task->margin;
    to->found = boxes & wanted;
    to->count = carom_box_list_make(&many->block, to->found, &to->list);
    carom_simd_or_best(task->simd)->boxes_manifold(&many->block, to->list.place, to->count, &to->manifolds);
}
