/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* One parallel pass: each body is gathered, checked and boxed. Kernels round boxes outward once more as they make
 * floats relative to the centre of the scene. */
#include "kernel/detect/shaped/shape_boxes_tmpl.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/detect/shaped/shape_source.h"
#include "kernel/detect/shaped/shape_work.h"
#include "kernel/narrow/columns_tmpl.h"
#include "kernel/narrow/faults.h"
#include "kernel/narrow/moving.h"
#include "kernel/shape/box.h"
#include "kernel/shape/table.h"
#include "kernel/sys/error.h"
#include "simd/apart_boxes.h"
#include "simd/ref/round.h"
#include "simd/vector.h"

typedef struct boxes_job {
    const carom_detect_job *job;
    carom_real *side[6];        /* low and high corners */
    double edges;               /* of a periodic box: the sum of their numbers; else 0 */
    double more;                /* by which each side moves outward: half of the margin */
    double reach;               /* a body whose shape reaches so far could touch its own image */
    _Atomic uint64_t bad;       /* the lowest body that is not valid */
    _Atomic uint64_t large;     /* the lowest body whose shape reaches so far */
    _Atomic uint32_t compounds; /* 1: some body is a compound */
} boxes_job;

/* In a periodic box, and for a margin, corners move outward by this share of their numbers, of the box's edges and of
 * the margin: some ten times what is rounded when boxes, and then bodies, are moved. */
static const double ROUNDING = 0x1p-48;

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

/* A number of a path; none if it is beyond the floats, and then nothing is known of the body. */
static double path_number(double x) {
    return fabs(x) < CAROM_PATH_MOST ? x : NAN;
}

/* Half of a rotation, q' ~ (1 + spin / 4) q, as a quaternion of any length. Up to one radian it is less than
 * angle^3 / 96 short of the half; of more it is none. Returns how far points of the shape are from there at most. */
static double half_turn(const carom_moving *moving, double half[4]) {
    const double *q = moving->turn;
    const double angle = carom_vector_length(moving->spin);
    memcpy(half, q, 4 * sizeof half[0]);
    if (!(angle <= 1.0)) {
        return 2.0 * moving->shape->reach;
    }
    double w[3];
    double cross[3];
    for (int d = 0; d < 3; d++) {
        w[d] = 0.25 * moving->spin[d];
    }
    carom_vector_cross(w, q, cross);
    for (int d = 0; d < 3; d++) {
        half[d] = q[d] + (w[d] * q[3] + cross[d]);
    }
    half[3] = q[3] - carom_vector_dot(w, q);
    return moving->shape->reach * (0.5 * angle + angle * angle * angle / 96.0);
}

/* The body in the middle of the step, and how far it is from there at other times, with what is rounded here. */
static void keep_path(const carom_moving *moving, const carom_body_numbers *body, float path[CAROM_PATH_NUMBERS]) {
    carom_path_numbers numbers = {.rests = carom_body_rests(body) ? 1.0 : 0.0};
    double half[4];
    double spread = half_turn(moving, half);
    double size = moving->shape->reach;
    for (int d = 0; d < 3; d++) {
        numbers.middle[d] = path_number(moving->at[d] + 0.5 * moving->move[d]);
        numbers.half_way[d] = path_number(0.5 * moving->move[d]);
        size += fabs(moving->at[d]) + fabs(moving->move[d]);
    }
    for (int d = 0; d < 4; d++) {
        numbers.turn[d] = path_number(half[d]);
    }
    numbers.spread = path_number(carom_path_widen(spread, size));
    carom_path_set(&numbers, path);
    memcpy(path + CAROM_APART_SHAPE, &body->shape, sizeof body->shape);
}

/* Of a body that rests `moving` has no way and no spin. */
static void find_box(const carom_body_numbers *body, const carom_shapes *shapes, carom_shape_box *box,
                     carom_moving *moving) {
    static const double origin[3] = {0.0, 0.0, 0.0};
    carom_moving_set(body, &shapes->entry[body->shape], origin, moving);
    if (body->turning == CAROM_BODY_RESTS) {
        carom_body_posed posed;
        carom_body_pose(body, shapes, &posed);
        carom_box_at(&posed.posed, box);
        memset(moving->move, 0, sizeof moving->move);
        memset(moving->spin, 0, sizeof moving->spin);
    } else if (is_lost(moving)) {
        set_everywhere(box);
    } else {
        carom_box_swept(moving, box);
    }
}

static void note_reach(boxes_job *boxes, uint64_t n, double reach) {
    if (reach >= boxes->reach) {
        carom_faults_note(&boxes->large, n);
    }
}

static void box_body(boxes_job *boxes, uint64_t n) {
    const carom_shape_source *source = boxes->job->shapes.source;
    carom_body_numbers body;
    carom_shape_box box;
    carom_moving moving;
    carom_shape_source_gather(source, n, &body);
    if (!is_valid(&body, source->shapes)) {
        carom_faults_note(&boxes->bad, n);
        return;
    }
    if (source->shapes->entry[body.shape].kind == CAROM_SHAPE_COMPOUND) {
        atomic_store_explicit(&boxes->compounds, 1, memory_order_relaxed);
    }
    note_reach(boxes, n, source->shapes->entry[body.shape].reach);
    find_box(&body, source->shapes, &box, &moving);
    if (boxes->job->shapes.paths != NULL) {
        keep_path(&moving, &body, boxes->job->shapes.paths[n]);
    }
    for (int a = 0; a < 3; a++) {
        boxes->side[a][n] = carom_round_low(box.lo[a]);
        boxes->side[a + 3][n] = carom_round_high(box.hi[a]);
    }
}

/* Boxes of bodies at rest that the kernel takes together. Returns the others. */
static uint64_t pose_block(const boxes_job *boxes, uint64_t n, uint32_t count, carom_columns_bodies *block) {
    carom_columns_keep_poses(block, count, boxes->job->shapes.poses + n);
    return carom_kernels_of(boxes->job->context->simd)
        ->pose_boxes(&block->side, block->reach, 0, count, boxes->side, n);
}

/* Boxes and paths of bodies that move, likewise. */
static uint64_t sweep_block(const boxes_job *boxes, uint64_t n, uint32_t count, carom_columns_bodies *block) {
    const carom_detect_job *job = boxes->job;
    const carom_swept_out out = {boxes->side, n, job->shapes.paths + n};
    for (uint32_t c = 0; c < count; c++) {
        memcpy(out.paths[c] + CAROM_APART_SHAPE, &block->number[c], sizeof block->number[c]);
    }
    return carom_kernels_of(job->context->simd)
        ->swept_boxes(&block->side, &block->motion, block->reach, 0, count, &out);
}

/* Boxes `count` bodies from n on: most together, the others one by one. */
static void box_block(boxes_job *boxes, uint64_t n, uint32_t count, carom_columns_bodies *block) {
    const carom_shape_source *source = boxes->job->shapes.source;
    carom_shape_source_load_bodies(source, n, count, block);
    for (uint32_t c = 0; c < count; c++) {
        note_reach(boxes, n + c, block->reach[c]);
    }
    uint64_t rest = source->moving ? sweep_block(boxes, n, count, block) : pose_block(boxes, n, count, block);
    for (; rest != 0; rest &= rest - 1) {
        box_body(boxes, n + (uint64_t)__builtin_ctzll(rest));
    }
}

/* For a periodic box or a margin. */
static void widen_box(boxes_job *boxes, uint64_t n) {
    for (int a = 0; a < 3; a++) {
        const double low = (double)boxes->side[a][n];
        const double high = (double)boxes->side[a + 3][n];
        boxes->side[a][n] = carom_round_low(low - (boxes->more + ROUNDING * (fabs(low) + boxes->edges + boxes->more)));
        boxes->side[a + 3][n] = carom_round_high(high + (boxes->more + ROUNDING * (fabs(high) + boxes->edges + boxes->more)));
    }
}

/* The room for answers is free until bodies have boxes; on the stack a block would take 12 KB. */
static carom_columns_bodies *block_of(const boxes_job *boxes, uint32_t worker) {
    _Static_assert(sizeof(carom_columns_bodies) <= CAROM_HITS_MAX * sizeof(carom_shape_answer), "room for a block");
    return (carom_columns_bodies *)(void *)(boxes->job->shapes.answers + (uint64_t)worker * CAROM_HITS_MAX);
}

static void box_bodies(void *data, uint32_t worker) {
    boxes_job *boxes = data;
    const carom_team *team = &boxes->job->context->team;
    carom_walk walk = carom_team_walk(team, worker, boxes->job->owned, CAROM_SIMD_PAD);
    carom_columns_bodies *block = block_of(boxes, worker);
    while (carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin; n < walk.end; n += CAROM_BLOCK_PAIRS) {
            const uint64_t left = walk.end - n;
            box_block(boxes, n, left < CAROM_BLOCK_PAIRS ? (uint32_t)left : CAROM_BLOCK_PAIRS, block);
        }
        for (uint64_t n = walk.begin; n < walk.end && (boxes->edges > 0.0 || boxes->more > 0.0); n++) {
            widen_box(boxes, n);
        }
    }
}

static carom_status explain(const carom_detect_job *job, uint64_t n) {
    const carom_shape_source *source = job->shapes.source;
    carom_body_numbers body;
    carom_shape_source_gather(source, n, &body);
    if (body.shape < source->shapes->count && is_infinite(&body, source->shapes)) {
        return carom_error_body(job->error, n, "shape",
                                "body %" PRIu64 ": shape %" PRIu32 " is infinite: it cannot be in a detection", n,
                                body.shape);
    }
    return carom_body_explain(&body, source->shapes, &carom_body_array_names, n, job->error);
}

static carom_status refuse_large(const carom_detect_job *job, uint64_t n) {
    carom_body_numbers body;
    carom_shape_source_gather(job->shapes.source, n, &body);
    return carom_error_body(job->error, n, "shape",
                            "body %" PRIu64 ": shape %" PRIu32 " reaches %g from its position, and the body's own "
                            "image is %g away; periodic.self_images lets bodies meet their own images",
                            n, body.shape, job->shapes.source->shapes->entry[body.shape].reach,
                            job->periodic.images->lattice.shortest);
}

static uint64_t padded(uint64_t count) {
    return (count + CAROM_SIMD_PAD - 1) / CAROM_SIMD_PAD * CAROM_SIMD_PAD;
}

/* Corners of all bodies. */
static uint64_t corner_bytes(uint64_t count) {
    return 6 * padded(count) * sizeof(carom_real);
}

/* Poses of bodies at rest, or paths of bodies that move: whole cache lines. */
static uint64_t pose_bytes(uint64_t count) {
    const uint64_t path = sizeof *((carom_shape_state *)NULL)->paths;
    return padded(count) * (path > sizeof(carom_columns_pose) ? path : sizeof(carom_columns_pose));
}

/* What each worker has. */
static uint64_t worker_bytes(void) {
    return sizeof(carom_shape_work) + CAROM_HITS_MAX * sizeof(carom_shape_answer);
}

uint64_t carom_shape_boxes_bytes(uint64_t count, uint32_t workers) {
    return pose_bytes(count) + corner_bytes(count) + workers * worker_bytes() + sizeof(carom_bodies);
}

/* Points without a radius, from one corner to the other. */
static void set_points(carom_detect_job *job, const boxes_job *boxes) {
    carom_bodies *points = job->shapes.boxes;
    memset(points, 0, sizeof *points);
    points->size = sizeof *points;
    points->count = job->owned;
    for (int a = 0; a < 3; a++) {
        points->prev[a] = boxes->side[a];
        points->curr[a] = boxes->side[a + 3];
    }
    if (job->periodic.images == NULL) {
        job->bodies = points;
    }
}

/* What the pass looks for in a periodic box. */
static void set_lattice(boxes_job *boxes, const carom_images *images) {
    const carom_lattice *lattice = &images->lattice;
    boxes->edges = 0.0;
    for (int a = 0; a < 9; a++) {
        boxes->edges += fabs(lattice->caller[a / 3][a % 3]);
    }
    boxes->reach = images->self_images ? HUGE_VAL : 0.5 * lattice->shortest - boxes->more;
}

carom_status carom_shape_boxes_make(carom_detect_job *job) {
    if (job->shapes.source == NULL) {
        return CAROM_OK;
    }
    const uint32_t workers = job->context->team.workers;
    const carom_work_need need = {CAROM_WORK_SHAPE_BOXES, carom_shape_boxes_bytes(job->owned, workers)};
    const carom_status status = carom_job_reserve(job, &need, 1);
    if (status != CAROM_OK) {
        return status;
    }
    boxes_job boxes = {.job = job,
                       .more = 0.5 * job->config->margin,
                       .reach = HUGE_VAL,
                       .bad = CAROM_FAULT_NONE,
                       .large = CAROM_FAULT_NONE};
    char *block = carom_context_work(job->context, CAROM_WORK_SHAPE_BOXES);
    carom_real *corners = (carom_real *)(void *)(block + pose_bytes(job->owned));
    for (uint64_t a = 0; a < 6; a++) {
        boxes.side[a] = corners + a * padded(job->owned);
    }
    job->shapes.work = (carom_shape_work *)(void *)(block + pose_bytes(job->owned) + corner_bytes(job->owned));
    job->shapes.answers = (carom_shape_answer *)(void *)(job->shapes.work + workers);
    job->shapes.boxes = (carom_bodies *)(void *)(job->shapes.answers + (uint64_t)workers * CAROM_HITS_MAX);
    job->shapes.poses = job->shapes.source->moving ? NULL : (carom_columns_pose *)(void *)block;
    job->shapes.paths = job->shapes.source->moving ? (float(*)[CAROM_PATH_NUMBERS])(void *)block : NULL;
    if (job->periodic.images != NULL) {
        set_lattice(&boxes, job->periodic.images);
    }
    carom_team_run_over(&job->context->team, job->owned, box_bodies, &boxes);
    if (carom_job_stopped(job)) {
        return CAROM_ERROR_CANCELLED;
    }
    if (boxes.bad != CAROM_FAULT_NONE) {
        return explain(job, boxes.bad);
    }
    if (boxes.large != CAROM_FAULT_NONE) {
        return refuse_large(job, boxes.large);
    }
    job->shapes.compounds = boxes.compounds != 0;
    set_points(job, &boxes);
    job->detection->summary.phase_bytes[CAROM_PHASE_BOUNDS] += (double)corner_bytes(job->owned);
    carom_job_lap(job, CAROM_PHASE_BOUNDS);
    return CAROM_OK;
}
