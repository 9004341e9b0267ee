/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: pairs of a caller's bodies. Out: brackets of those that floats decide. Where pairs are of several kinds, those of
 * the same two make a run. Bodies that are not packed are copied first. */
#include "kernel/narrow/quick_tmpl.h"

#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/narrow/gather_tmpl.h"
#include "kernel/narrow/seek.h"
#include "kernel/shape/table.h"
#include "simd/dispatch.h"
#include "simd/layout.h"

/* A run is numbered by both kinds. NO_RUN: the pair has no test. */
enum { KINDS = CAROM_SHAPE_HULL + 1, NO_RUN = KINDS * KINDS, RUNS };

/* The kernel's numbers of bodies and shapes are less. */
#define NUMBER_MOST UINT64_C(0x80000000)

static bool is_segment(uint32_t kind) {
    return kind == CAROM_SHAPE_SPHERE || kind == CAROM_SHAPE_CAPSULE;
}

/* The test for two kinds, the lower one first. */
static carom_quick_test test_of(uint32_t i, uint32_t k) {
    if (is_segment(i) && is_segment(k)) {
        return CAROM_QUICK_SEGMENTS;
    }
    if (k == CAROM_SHAPE_BOX && i != CAROM_SHAPE_CAPSULE) {
        return i == CAROM_SHAPE_SPHERE ? CAROM_QUICK_SOLID : CAROM_QUICK_BOXES;
    }
    return CAROM_QUICK_HULLS;
}

/* Floats must not decide what brackets as wide as the tolerance leave open: so it must be finer than the margin of a
 * test. That of a search for hulls has to be finer still, since detection asks it (carom_seek_is_asked). */
static bool is_fine(const carom_gap_task *task) {
    return task->tolerance <= (double)CAROM_APART_ROUNDING;
}

/* Whether all of an answer is wanted, whatever the state is: then floats only find where searches begin. */
static bool wants_all(const carom_gap_task *task) {
    return carom_gap_wants_apart(task->detail) && carom_gap_wants_touching(task->detail);
}

/* Whether two kinds have a test. With axes, pairs that are searched for have none but the search in floats, which sets
 * their axes. */
static bool has_test(uint32_t i, uint32_t k, const carom_gap_task *task) {
    const bool are_convex = i <= CAROM_SHAPE_HULL && k <= CAROM_SHAPE_HULL;
    const bool are_boxes = i == CAROM_SHAPE_BOX && k == CAROM_SHAPE_BOX;
    if (i == CAROM_SHAPE_HULL && k == CAROM_SHAPE_HULL && (wants_all(task) || task->axes != NULL)) {
        return carom_seek_is_asked(task);
    }
    if (wants_all(task) || !are_convex) {
        return false;
    }
    return (is_fine(task) && task->axes == NULL) || are_boxes ||
           !carom_gap_is_searched((carom_shape_kind)i, (carom_shape_kind)k);
}

static const carom_hull *hull_of(const carom_quick_in *in, const carom_shapes *shapes, int side, uint32_t n) {
    return shapes->hull[in->shape != NULL ? in->shape[in->body[side][n]] : 0];
}

/* What a search has found, beside the bounds that are there. An axis proves no lower bound but its own. */
static void take_found(uint32_t n, const carom_seek_pairs *seek, carom_quick_gaps *gaps) {
    const bool is_apart = seek->lower[n] > seek->above;
    const bool touches = !is_apart && seek->upper[n] <= seek->below;
    const carom_real lower = (carom_real)seek->lower[n];
    const carom_real upper = (carom_real)seek->upper[n];
    gaps->apart |= (uint64_t)is_apart << n;
    gaps->touching |= (uint64_t)touches << n;
    gaps->lower[n] = lower > gaps->lower[n] || seek->has_axes ? lower : gaps->lower[n];
    gaps->upper[n] = upper < gaps->upper[n] ? upper : gaps->upper[n];
    const carom_real middle = (carom_real)0.5 * gaps->lower[n] + (carom_real)0.5 * gaps->upper[n];
    const carom_real more = middle > gaps->lower[n] ? middle : gaps->lower[n];
    gaps->distance[n] = more < gaps->upper[n] ? more : gaps->upper[n];
}

/* The rotation of the first body of a pair. */
static void turn_of(const carom_quick_in *in, uint32_t n, double turn[3][3]) {
    double q[4] = {0.0, 0.0, 0.0, 1.0};
    for (int d = 0; d < 4 && in->turn[0] != NULL; d++) {
        q[d] = (double)in->turn[d][in->body[0][n]];
    }
    carom_pose_turn(q, turn);
}

/* The axis of pair n of a run: task->number has the pairs' numbers. */
static double *axis_of(const carom_gap_task *task, uint32_t n) {
    return task->axes + 3 * (uint64_t)(task->number != NULL ? task->number[n] : n);
}

/* Lets searches look along the pairs' axes first. */
static void take_axes(const carom_quick_in *in, uint64_t open, const carom_gap_task *task) {
    in->seek->has_axes = true;
    for (uint64_t rest = open; rest != 0; rest &= rest - 1) {
        const uint32_t n = (uint32_t)__builtin_ctzll(rest);
        double turn[3][3];
        turn_of(in, n, turn);
        carom_seek_look_first(axis_of(task, n), (const double(*)[3])turn, n, in->seek);
    }
}

/* Axes of pairs that floats decide. */
static void give_axes(const carom_quick_in *in, uint64_t decided, const carom_gap_task *task) {
    for (uint64_t rest = decided; rest != 0; rest &= rest - 1) {
        const uint32_t n = (uint32_t)__builtin_ctzll(rest);
        double turn[3][3];
        turn_of(in, n, turn);
        carom_seek_give_axis(in->seek, n, (const double(*)[3])turn, axis_of(task, n));
    }
}

/* Searches for hulls that are open. Where more than the state is wanted, the search in double goes on from there. */
static void search_open(const carom_quick_in *in, const carom_shapes *shapes, const carom_gap_task *task,
                        carom_quick_gaps *gaps, carom_seek_start *start) {
    carom_seek_pairs *seek = in->seek;
    uint64_t open = 0;
    for (uint64_t rest = gaps->open; rest != 0; rest &= rest - 1) {
        const uint32_t n = (uint32_t)__builtin_ctzll(rest);
        seek->hull[0][n] = hull_of(in, shapes, 0, n);
        seek->hull[1][n] = hull_of(in, shapes, 1, n);
        open |= (uint64_t)carom_seek_set(seek, n) << n;
    }
    carom_seek_set_limits(task, seek);
    if (task->axes != NULL) {
        take_axes(in, open, task);
    }
    carom_simd_or_best(task->simd)->seek(seek, open);
    for (uint64_t rest = open; rest != 0; rest &= rest - 1) {
        const uint32_t n = (uint32_t)__builtin_ctzll(rest);
        take_found(n, seek, gaps);
        start[n] = carom_seek_start_of(seek, n);
    }
    if (task->axes != NULL) {
        give_axes(in, open & (gaps->apart | gaps->touching), task);
    }
}

/* Tests a run. In the sets are those pairs of which nothing else is wanted. */
static void test_run(carom_quick_in *in, const carom_shapes *shapes, const carom_gap_task *task, carom_quick_gaps *gaps,
                     carom_seek_start *start) {
    if (in->kinds[0] > in->kinds[1]) {
        const uint32_t kind = in->kinds[0];
        const uint32_t *body = in->body[0];
        in->kinds[0] = in->kinds[1];
        in->kinds[1] = kind;
        in->body[0] = in->body[1];
        in->body[1] = body;
    }
    in->test = test_of(in->kinds[0], in->kinds[1]);
    in->above = carom_seek_above(task->margin);
    in->below = carom_seek_below(task->margin);
    if (in->kinds[0] != CAROM_SHAPE_HULL || in->kinds[1] != CAROM_SHAPE_HULL || !carom_seek_is_asked(task)) {
        in->seek = NULL;
    }
    carom_kernels_of(carom_simd_or_best(task->simd))->quick(in, gaps);
    const bool all = in->seek != NULL && task->axes != NULL;
    if (all || carom_gap_wants_apart(task->detail)) {
        gaps->open |= gaps->apart;
        gaps->apart = 0;
    }
    if (all || carom_gap_wants_touching(task->detail)) {
        gaps->open |= gaps->touching;
        gaps->touching = 0;
    }
    if (in->seek != NULL && gaps->open != 0) {
        search_open(in, shapes, task, gaps, start);
    }
}

bool carom_quick_is_asked(const carom_shapes *shapes, const carom_gap_task *task) {
    return shapes->count < NUMBER_MOST && (!wants_all(task) || (shapes->has_hulls && carom_seek_is_asked(task)));
}

static uint8_t run_of(const carom_bodies *bodies, uint32_t i, uint32_t k, const carom_gap_task *task) {
    const uint32_t kind_i = carom_gather_kind(bodies, i);
    const uint32_t kind_k = carom_gather_kind(bodies, k);
    return (uint8_t)(has_test(kind_i, kind_k, task) ? kind_i * KINDS + kind_k : NO_RUN);
}

/* A counting sort by runs. Returns how many pairs have one. */
static uint32_t sort_runs(const uint8_t run[CAROM_BLOCK_PAIRS], uint32_t count, uint32_t *number) {
    uint8_t next[RUNS];
    uint8_t begin = 0;
    memset(next, 0, sizeof next);
    for (uint32_t n = 0; n < count; n++) {
        next[run[n]]++;
    }
    for (uint32_t r = 0; r < RUNS; r++) {
        const uint8_t pairs = next[r];
        next[r] = begin;
        begin = (uint8_t)(begin + pairs);
    }
    const uint32_t tested = next[NO_RUN];
    for (uint32_t n = 0; n < count; n++) {
        number[next[run[n]]++] = n;
    }
    return tested;
}

static void copy_column(const carom_real *from, uint64_t stride, const carom_quick_work *work, uint32_t count,
                        carom_real *to) {
    for (uint32_t n = 0; n < count; n++) {
        to[2 * n] = carom_layout_value(from, stride, work->body[0][n]);
        to[2 * n + 1] = carom_layout_value(from, stride, work->body[1][n]);
    }
}

/* Bodies that are there become bodies of `work`, by their places. */
static void copy_bodies(const carom_bodies *bodies, uint32_t count, carom_quick_work *work, carom_quick_in *in) {
    for (int d = 0; d < 3; d++) {
        copy_column(bodies->prev[d], bodies->prev_stride, work, count, work->at[d]);
        in->at[d] = work->at[d];
    }
    for (int d = 0; d < 4 && bodies->prev_turn[0] != NULL; d++) {
        copy_column(bodies->prev_turn[d], bodies->prev_turn_stride, work, count, work->turn[d]);
        in->turn[d] = work->turn[d];
    }
    for (uint32_t n = 0; n < count; n++) {
        work->shape[2 * n] = carom_gather_shape(bodies, work->body[0][n]);
        work->shape[2 * n + 1] = carom_gather_shape(bodies, work->body[1][n]);
        work->body[0][n] = 2 * n;
        work->body[1][n] = 2 * n + 1;
    }
    in->shape = work->shape;
    in->bodies = CAROM_QUICK_BODIES;
}

static bool is_packed(const carom_bodies *bodies) {
    return bodies->prev_stride == 0 && bodies->prev_turn_stride == 0 && bodies->shape_stride == 0 &&
           bodies->count < NUMBER_MOST;
}

/* What the kernel reads of packed bodies. */
static carom_quick_in whole_of(const carom_bodies *bodies) {
    const carom_shapes *shapes = bodies->shapes;
    carom_quick_in in = {.shape = bodies->shape,
                         .bodies = (uint32_t)bodies->count,
                         .shapes = (uint32_t)shapes->count,
                         .kind = shapes->one_kind ? NULL : shapes->kind,
                         .box = shapes->box[0]};
    for (int d = 0; d < 3; d++) {
        in.at[d] = bodies->prev[d];
    }
    for (int d = 0; d < 4; d++) {
        in.turn[d] = bodies->prev_turn[d];
    }
    return in;
}

/* The pairs at places [begin, end). */
static void find_part(const carom_quick_in *all, const carom_shapes *shapes, uint32_t run, uint32_t begin, uint32_t end,
                      const carom_gap_task *task, carom_quick_work *work) {
    carom_quick_in in = *all;
    carom_gap_task of_part = *task;
    carom_quick_gaps *gaps = &work->gaps;
    carom_quick_gaps *part = &work->part;
    in.count = end - begin;
    in.kinds[0] = run / KINDS;
    in.kinds[1] = run % KINDS;
    in.body[0] = work->body[0] + begin;
    in.body[1] = work->body[1] + begin;
    in.seek = &work->seek;
    of_part.number = work->number + begin;
    test_run(&in, shapes, &of_part, part, work->start + begin);
    gaps->apart |= part->apart << begin;
    gaps->touching |= part->touching << begin;
    memcpy(gaps->distance + begin, part->distance, in.count * sizeof gaps->distance[0]);
    memcpy(gaps->lower + begin, part->lower, in.count * sizeof gaps->lower[0]);
    memcpy(gaps->upper + begin, part->upper, in.count * sizeof gaps->upper[0]);
}

/* Pairs of several runs, or bodies that are not packed. */
static void find_runs(const carom_bodies *bodies, const uint32_t *i, const uint32_t *k, uint32_t count,
                      const carom_gap_task *task, carom_quick_work *work) {
    carom_quick_in in = whole_of(bodies);
    uint8_t run[CAROM_BLOCK_PAIRS];
    for (uint32_t n = 0; n < count; n++) {
        run[n] = run_of(bodies, i[n], k[n], task);
    }
    const uint32_t tested = sort_runs(run, count, work->number);
    for (uint32_t c = 0; c < tested; c++) {
        work->body[0][c] = i[work->number[c]];
        work->body[1][c] = k[work->number[c]];
    }
    if (!is_packed(bodies)) {
        copy_bodies(bodies, tested, work, &in);
    }
    for (uint32_t begin = 0; begin < tested;) {
        const uint8_t both = run[work->number[begin]];
        uint32_t end = begin + 1;
        while (end < tested && run[work->number[end]] == both) {
            end++;
        }
        find_part(&in, bodies->shapes, both, begin, end, task, work);
        begin = end;
    }
}

/* Pairs of packed bodies that are of the first pair's kinds. False if there are others. */
static bool find_one_run(const carom_bodies *bodies, const uint32_t *i, const uint32_t *k, uint32_t count,
                         const carom_gap_task *task, carom_quick_work *work) {
    carom_quick_in in = whole_of(bodies);
    in.count = count;
    in.body[0] = i;
    in.body[1] = k;
    in.kinds[0] = carom_gather_kind(bodies, i[0]);
    in.kinds[1] = carom_gather_kind(bodies, k[0]);
    in.seek = &work->seek;
    if (!has_test(in.kinds[0], in.kinds[1], task)) {
        return false;
    }
    test_run(&in, bodies->shapes, task, &work->gaps, work->start);
    for (uint32_t n = 0; n < count; n++) {
        work->number[n] = n;
    }
    return !work->gaps.others;
}

void carom_quick_find(const carom_bodies *bodies, const uint32_t *i, const uint32_t *k, uint32_t count,
                      const carom_gap_task *task, carom_quick_work *work) {
    work->gaps.apart = 0;
    work->gaps.touching = 0;
    work->has_starts = bodies->shapes->has_hulls;
    for (uint32_t n = 0; n < count && work->has_starts; n++) {
        work->start[n].steps = 0.0F;
    }
    CAROM_ASSERT(carom_quick_is_asked(bodies->shapes, task) && count > 0 && count <= CAROM_BLOCK_PAIRS);
    if (!is_packed(bodies) || !find_one_run(bodies, i, k, count, task, work)) {
        find_runs(bodies, i, k, count, task, work);
    }
}

void carom_quick_pair(const carom_shapes *shapes, const carom_body_numbers *i, const carom_body_numbers *k,
                      const carom_gap_task *task, carom_quick_gaps *gaps, carom_seek_start *start) {
    static const uint32_t numbers[2] = {0, 1};
    const carom_body_numbers *const body[2] = {i, k};
    const uint32_t shape[2] = {i->shape, k->shape};
    carom_real at[3][2];
    carom_real turn[4][2];
    carom_seek_pairs seek;
    carom_quick_in in = {.shape = shape,
                         .bodies = 2,
                         .shapes = (uint32_t)shapes->count,
                         .kind = shapes->kind,
                         .box = shapes->box[0],
                         .body = {&numbers[0], &numbers[1]},
                         .count = 1,
                         .kinds = {shapes->kind[shape[0]], shapes->kind[shape[1]]},
                         .seek = &seek};
    gaps->apart = 0;
    gaps->touching = 0;
    start->steps = 0.0F;
    if (!carom_quick_is_asked(shapes, task) || !has_test(in.kinds[0], in.kinds[1], task)) {
        return;
    }
    for (int s = 0; s < 2; s++) {
        for (int d = 0; d < 3; d++) {
            at[d][s] = (carom_real)body[s]->at[d];
            in.at[d] = at[d];
        }
        for (int d = 0; d < 4; d++) {
            turn[d][s] = (carom_real)body[s]->turn[d];
            in.turn[d] = turn[d];
        }
    }
    test_run(&in, shapes, task, gaps, start);
}
