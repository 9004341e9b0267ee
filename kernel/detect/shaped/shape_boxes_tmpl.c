/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* One parallel pass: each body is gathered, checked and boxed. Kernels round boxes outward once more as they make
 * floats relative to the centre of the scene. */
#include "kernel/detect/shaped/shape_boxes_tmpl.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/narrow/faults.h"
#include "kernel/narrow/gather_tmpl.h"
#include "kernel/narrow/many.h"
#include "kernel/narrow/moving.h"
#include "kernel/shape/box.h"
#include "kernel/shape/table.h"
#include "kernel/sys/error.h"

#if CAROM_REAL_BITS == 32
#define REAL_MOST FLT_MAX
#else
#define REAL_MOST DBL_MAX
#endif

typedef struct boxes_job {
    const carom_detect_job *job;
    carom_real *side[6];        /* low and high corners */
    _Atomic uint64_t bad;       /* the lowest body that is not valid */
    _Atomic uint32_t compounds; /* 1: some body is a compound */
} boxes_job;

static carom_real next_after(carom_real x, carom_real to) {
#if CAROM_REAL_BITS == 32
    return nextafterf(x, to);
#else
    return nextafter(x, to);
#endif
}

/* Sides beyond the largest number end there, on both sides of it: boxes that overlap still do. A side that is no
 * number, because sums overflowed, ends there too. */
static carom_real low_side(double lo) {
    if (!(lo > -(double)REAL_MOST)) {
        return -REAL_MOST;
    }
    const carom_real near = (carom_real)fmin(lo, (double)REAL_MOST);
    return (double)near > lo ? next_after(near, -REAL_MOST) : near;
}

static carom_real high_side(double hi) {
    if (!(hi < (double)REAL_MOST)) {
        return REAL_MOST;
    }
    const carom_real near = (carom_real)fmax(hi, -(double)REAL_MOST);
    return (double)near < hi ? next_after(near, REAL_MOST) : near;
}

static bool is_infinite(const carom_body_numbers *body, const carom_shapes *shapes) {
    const carom_shape_kind kind = shapes->entry[body->shape].kind;
    return kind == CAROM_SHAPE_HALF_SPACE || kind == CAROM_SHAPE_LINE;
}

static bool is_valid(const carom_body_numbers *body, const carom_shapes *shapes) {
    return carom_body_is_valid(body, shapes) && !is_infinite(body, shapes);
}

/* Of a body whose way overflows nothing is known. */
static bool is_lost(const carom_moving *moving) {
    return !isfinite(moving->move[0]) || !isfinite(moving->move[1]) || !isfinite(moving->move[2]);
}

static void set_everywhere(carom_shape_box *box) {
    for (int a = 0; a < 3; a++) {
        box->lo[a] = -HUGE_VAL;
        box->hi[a] = HUGE_VAL;
    }
}

static void find_box(const carom_body_numbers *body, const carom_shapes *shapes, carom_shape_box *box) {
    static const double origin[3] = {0.0, 0.0, 0.0};
    if (body->turning == CAROM_BODY_RESTS) {
        carom_body_posed posed;
        carom_body_pose(body, shapes, &posed);
        carom_box_at(&posed.posed, box);
    } else {
        carom_moving moving;
        carom_moving_set(body, &shapes->entry[body->shape], origin, &moving);
        if (is_lost(&moving)) {
            set_everywhere(box);
            return;
        }
        carom_box_swept(&moving, box);
    }
}

static void box_body(boxes_job *boxes, uint64_t n) {
    const carom_shape_state *state = &boxes->job->shapes;
    carom_body_numbers body;
    carom_shape_box box;
    carom_gather_body(state->source, n, state->moving, &body);
    if (!is_valid(&body, state->source->shapes)) {
        carom_faults_note(&boxes->bad, n);
        return;
    }
    if (state->source->shapes->entry[body.shape].kind == CAROM_SHAPE_COMPOUND) {
        atomic_store_explicit(&boxes->compounds, 1, memory_order_relaxed);
    }
    find_box(&body, state->source->shapes, &box);
    for (int a = 0; a < 3; a++) {
        boxes->side[a][n] = low_side(box.lo[a]);
        boxes->side[a + 3][n] = high_side(box.hi[a]);
    }
}

static void box_bodies(void *data, uint32_t worker) {
    boxes_job *boxes = data;
    const carom_team *team = &boxes->job->context->team;
    carom_walk walk = carom_team_walk(team, worker, boxes->job->owned, CAROM_SIMD_PAD);
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin; n < walk.end; n++) {
            box_body(boxes, n);
        }
    }
}

static carom_status explain(const carom_detect_job *job, uint64_t n) {
    const carom_shape_state *state = &job->shapes;
    carom_body_numbers body;
    carom_gather_body(state->source, n, state->moving, &body);
    const carom_status status =
        carom_body_explain(&body, state->source->shapes, &carom_body_array_names, n, job->error);
    return status == CAROM_OK
               ? carom_error_body(job->error, n, "shape",
                                  "body %" PRIu64 ": shape %" PRIu32 " is infinite: it cannot be in a detection", n,
                                  body.shape)
               : status;
}

static bool are_moving(const carom_bodies *bodies) {
    bool same = true;
    for (int a = 0; a < 3; a++) {
        same = same && bodies->curr[a] == bodies->prev[a];
    }
    return !same || bodies->curr_stride != bodies->prev_stride || bodies->curr_turn[0] != NULL ||
           bodies->spin[0] != NULL;
}

static uint64_t padded(uint64_t count) {
    return (count + CAROM_SIMD_PAD - 1) / CAROM_SIMD_PAD * CAROM_SIMD_PAD;
}

/* Corners of all bodies. */
static uint64_t corner_bytes(uint64_t count) {
    return 6 * padded(count) * sizeof(carom_real);
}

uint64_t carom_shape_boxes_bytes(uint64_t count, uint32_t workers) {
    return corner_bytes(count) + workers * sizeof(carom_many);
}

/* Points without a radius, from one corner to the other. */
static void set_points(carom_detect_job *job, const boxes_job *boxes) {
    carom_bodies *points = &job->shapes.boxes;
    memset(points, 0, sizeof *points);
    points->size = sizeof *points;
    points->count = job->owned;
    for (int a = 0; a < 3; a++) {
        points->prev[a] = boxes->side[a];
        points->curr[a] = boxes->side[a + 3];
    }
    job->bodies = points;
}

carom_status carom_shape_boxes_make(carom_detect_job *job) {
    if (job->shapes.source == NULL) {
        return CAROM_OK;
    }
    CAROM_ASSERT(job->periodic.images == NULL);
    const carom_work_need need = {CAROM_WORK_SHAPE_BOXES,
                                  carom_shape_boxes_bytes(job->owned, job->context->team.workers)};
    const carom_status status = carom_job_reserve(job, &need, 1);
    if (status != CAROM_OK) {
        return status;
    }
    boxes_job boxes = {.job = job, .bad = CAROM_FAULT_NONE};
    carom_real *block = carom_context_work(job->context, CAROM_WORK_SHAPE_BOXES);
    for (uint64_t a = 0; a < 6; a++) {
        boxes.side[a] = block + a * padded(job->owned);
    }
    job->shapes.many = (carom_many *)(void *)((char *)block + corner_bytes(job->owned));
    job->shapes.moving = are_moving(job->shapes.source);
    carom_team_run_over(&job->context->team, job->owned, box_bodies, &boxes);
    if (carom_job_stopped(job)) {
        return CAROM_ERROR_CANCELLED;
    }
    if (boxes.bad != CAROM_FAULT_NONE) {
        return explain(job, boxes.bad);
    }
    job->shapes.compounds = boxes.compounds != 0;
    set_points(job, &boxes);
    job->detection->summary.phase_bytes[CAROM_PHASE_BOUNDS] += (double)corner_bytes(job->owned);
    carom_job_lap(job, CAROM_PHASE_BOUNDS);
    return CAROM_OK;
}
