/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/narrow/columns_tmpl.h"

#include "kernel/check/assert.h"
#include "kernel/narrow/gather_tmpl.h"
#include "kernel/shape/table.h"
#include "simd/layout.h"

/* Stands for a shape that is not there. */
static const carom_shape_entry no_shape = {.kind = CAROM_SHAPE_COMPOUND};

static const carom_shape_entry *shape_of(const carom_bodies *bodies, uint64_t body) {
    if (body >= bodies->count) {
        return &no_shape;
    }
    const uint32_t shape = carom_gather_shape(bodies, body);
    return shape < bodies->shapes->count ? &bodies->shapes->entry[shape] : &no_shape;
}

static void find_shapes(const carom_bodies *bodies, const uint32_t *body, uint32_t count,
                        const carom_shape_entry **shape) {
    const uint64_t shapes = bodies->shapes->count;
    const carom_shape_entry *entry = bodies->shapes->entry;
    if (bodies->shape == NULL || bodies->shape_stride != 0) {
        for (uint32_t n = 0; n < count; n++) {
            shape[n] = shape_of(bodies, body[n]);
        }
        return;
    }
    for (uint32_t n = 0; n < count; n++) {
        const uint64_t number = body[n] < bodies->count ? bodies->shape[body[n]] : shapes;
        shape[n] = number < shapes ? &entry[number] : &no_shape;
    }
}

/* Bodies of a block: body[c], or, if that is NULL, those that follow one another from `first` on. */
typedef struct chosen {
    const uint32_t *body;
    uint64_t first;
    uint32_t count;
} chosen;

static uint64_t chosen_body(const chosen *of, uint32_t c) {
    return of->body != NULL ? of->body[c] : of->first + c;
}

/* One number of all bodies. Most arrays are packed, and then vectors take bodies that follow one another. */
static void load_column(const carom_real *from, uint64_t stride, const chosen *of, double *to) {
    if (stride != 0) {
        for (uint32_t c = 0; c < of->count; c++) {
            to[c] = (double)carom_layout_value(from, stride, chosen_body(of, c));
        }
    } else if (of->body != NULL) {
        for (uint32_t c = 0; c < of->count; c++) {
            to[c] = (double)from[of->body[c]];
        }
    } else {
        for (uint32_t c = 0; c < of->count; c++) {
            to[c] = (double)from[of->first + c];
        }
    }
}

static void fill_column(double value, uint32_t count, double *to) {
    for (uint32_t c = 0; c < count; c++) {
        to[c] = value;
    }
}

static void load_side(const carom_bodies *bodies, const chosen *of, carom_block_side *side) {
    for (int d = 0; d < 3; d++) {
        load_column(bodies->prev[d], bodies->prev_stride, of, side->at[d]);
    }
    for (int d = 0; d < 4; d++) {
        if (bodies->prev_turn[0] != NULL) {
            load_column(bodies->prev_turn[d], bodies->prev_turn_stride, of, side->turn[d]);
        } else {
            fill_column(d == 3 ? 1.0 : 0.0, of->count, side->turn[d]);
        }
    }
}

/* The bodies of a side, place by place: side 0 has those of i, unless pairs are swapped. */
static void list_side(const carom_many *many, int side, const uint32_t *i, const uint32_t *k, uint32_t *body) {
    for (uint32_t c = 0; c < many->count; c++) {
        const uint32_t n = many->number[c];
        body[c] = many->swapped[c] == (side == 0) ? k[n] : i[n];
    }
}

/* The same list, which is the caller's where pairs are in order, else in `room`. */
static const uint32_t *bodies_of_side(const carom_many *many, int side, const uint32_t *i, const uint32_t *k,
                                      uint32_t *room) {
    if (many->in_order) {
        return many->swapped[0] == (side == 0) ? k : i;
    }
    list_side(many, side, i, k, room);
    return room;
}

void carom_columns_load(const carom_bodies *bodies, const uint32_t *i, const uint32_t *k, uint32_t count,
                        carom_many *many) {
    const carom_shape_entry *shape_i[CAROM_MANY_PAIRS];
    const carom_shape_entry *shape_k[CAROM_MANY_PAIRS];
    uint32_t room[CAROM_MANY_PAIRS];
    CAROM_ASSERT(bodies->shapes != NULL && count <= CAROM_MANY_PAIRS);
    find_shapes(bodies, i, count, shape_i);
    find_shapes(bodies, k, count, shape_k);
    carom_many_sort(many, shape_i, shape_k, count);
    for (int s = 0; s < 2; s++) {
        const chosen of = {.body = bodies_of_side(many, s, i, k, room), .count = many->count};
        load_side(bodies, &of, &many->block.side[s]);
    }
}

_Static_assert(sizeof(carom_columns_pose) == 8 * sizeof(carom_real) &&
                   offsetof(carom_columns_pose, turn) == 4 * sizeof(carom_real),
               "poses are rows of the kernel pose_columns");

void carom_columns_load_poses(const carom_shapes *shapes, const carom_columns_pose *poses, const uint32_t *i,
                              const uint32_t *k, uint32_t count, const carom_simd *simd, carom_many *many) {
    uint32_t body[2][CAROM_BLOCK_ROOM] = {{0}};
    const carom_shape_entry *shape_i[CAROM_MANY_PAIRS];
    const carom_shape_entry *shape_k[CAROM_MANY_PAIRS];
    for (uint32_t n = 0; n < count; n++) {
        shape_i[n] = &shapes->entry[poses[i[n]].shape];
        shape_k[n] = &shapes->entry[poses[k[n]].shape];
    }
    carom_many_sort(many, shape_i, shape_k, count);
    list_side(many, 0, i, k, body[0]);
    list_side(many, 1, i, k, body[1]);
    const uint32_t *const pose[2] = {body[0], body[1]};
    carom_kernels_of(simd)->pose_columns(poses->at, pose, many->count, &many->block);
}

void carom_columns_keep_poses(const carom_columns_bodies *columns, uint32_t count, carom_columns_pose *poses) {
    for (uint32_t c = 0; c < count; c++) {
        carom_columns_pose *pose = &poses[c];
        pose->shape = columns->number[c];
        for (int d = 0; d < 3; d++) {
            pose->at[d] = (carom_real)columns->side.at[d][c];
        }
        for (int d = 0; d < 4; d++) {
            pose->turn[d] = (carom_real)columns->side.turn[d][c];
        }
    }
}

static void set_body(carom_columns_bodies *columns, uint32_t column, const carom_shape_entry *shape) {
    columns->side.shape[column] = shape;
    columns->side.radius[column] = shape->radius;
    columns->reach[column] = shape->reach;
    for (int d = 0; d < 3; d++) {
        columns->side.extent[d][column] = shape->extent[d];
    }
}

void carom_columns_load_bodies(const carom_bodies *bodies, uint64_t first, uint32_t count,
                               carom_columns_bodies *columns) {
    CAROM_ASSERT(bodies->shapes != NULL && first + count <= bodies->count && count <= CAROM_BLOCK_PAIRS);
    for (uint32_t c = 0; c < count; c++) {
        const carom_shape_entry *shape = shape_of(bodies, first + c);
        columns->number[c] = shape != &no_shape ? (uint32_t)(shape - bodies->shapes->entry) : 0;
        set_body(columns, c, shape);
    }
    const chosen of = {.first = first, .count = count};
    load_side(bodies, &of, &columns->side);
}

void carom_columns_load_motion(const carom_bodies *bodies, uint64_t first, uint32_t count, carom_block_motion *motion) {
    CAROM_ASSERT(first + count <= bodies->count && count <= CAROM_BLOCK_PAIRS);
    const chosen of = {.first = first, .count = count};
    motion->along = bodies->curr_turn[0] == NULL;
    for (int d = 0; d < 3; d++) {
        load_column(bodies->curr[d], bodies->curr_stride, &of, motion->end[d]);
    }
    for (int d = 0; d < 4; d++) {
        if (!motion->along) {
            load_column(bodies->curr_turn[d], bodies->curr_turn_stride, &of, motion->end_turn[d]);
        } else if (d < 3 && bodies->spin[0] != NULL) {
            load_column(bodies->spin[d], bodies->spin_stride, &of, motion->end_turn[d]);
        } else {
            fill_column(0.0, count, motion->end_turn[d]);
        }
    }
}
