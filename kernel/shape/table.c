/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: shapes that have been checked. Out: their table, in one block. Hulls are built twice, to count and to write:
 * that costs time, but no memory beside the table and one work space. */
#include "kernel/shape/table.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "kernel/shape/balls.h"
#include "kernel/shape/hull.h"
#include "kernel/shape/hull_axes.h"
#include "kernel/shape/measure.h"
#include "kernel/sys/error.h"
#include "kernel/sys/memory.h"
#include "kernel/sys/size.h"
#include "simd/apart_boxes.h"
#include "simd/rounded.h"

/* Boxes that are smaller fit floats, and so do the squares of their sizes. */
#define BOX_MOST 0x1p60

/* The block while it is filled, or only measured (base NULL). */
typedef struct arena {
    char *base;
    uint64_t used;
} arena;

/* Room for `count` values of `size` bytes, from a cache line on. NULL while it is measured. */
static void *take(arena *room, uint64_t count, uint64_t size) {
    const uint64_t bytes = carom_size_multiply(count, size);
    const uint64_t lines = carom_size_add(bytes, CAROM_CACHE_LINE - 1) / CAROM_CACHE_LINE;
    void *at = room->base != NULL ? room->base + room->used : NULL;
    room->used = carom_size_add(room->used, carom_size_multiply(lines, CAROM_CACHE_LINE));
    return at;
}

static void *take_copy(arena *room, const void *values, uint64_t count, uint64_t size) {
    void *at = take(room, count, size);
    if (at != NULL && count > 0) {
        memcpy(at, values, (size_t)(count * size));
    }
    return at;
}

/* Columns of the hull's axes, if it has any. */
static carom_hull_axes take_axes(arena *room, const carom_hull_work *work) {
    carom_hull_axes axes = {.faces = 0};
    if (carom_hull_axes_count(work, &axes)) {
        for (int d = 0; d < 3; d++) {
            axes.axis[d] = take(room, axes.faces, sizeof *axes.axis[d]);
            axes.way[d] = take(room, axes.edges, sizeof *axes.way[d]);
        }
        axes.offset = take(room, axes.faces, sizeof *axes.offset);
    }
    if (axes.offset != NULL) {
        carom_hull_axes_fill(work, &axes);
    }
    return axes;
}

static carom_hull *take_hull(arena *room, const carom_hull_work *work) {
    carom_hull *hull = take(room, 1, sizeof *hull);
    const uint32_t padded = (work->vertex_count + CAROM_HULL_PAD - 1) / CAROM_HULL_PAD * CAROM_HULL_PAD;
    double *vertex[3];
    for (int d = 0; d < 3; d++) {
        vertex[d] = take(room, padded, sizeof *vertex[d]);
    }
    float *rounded = take(room, CAROM_ROUNDED_ALL * (uint64_t)padded, sizeof *rounded);
    const carom_hull_face *face = take_copy(room, work->face, work->face_count, sizeof *face);
    const carom_hull_edge *edge = take_copy(room, work->edge, work->edge_count, sizeof *edge);
    const uint32_t *corner = take_copy(room, work->corner, work->corner_count, sizeof *corner);
    const carom_hull_axes axes = take_axes(room, work);
    if (hull == NULL) {
        return NULL;
    }
    for (int d = 0; d < 3; d++) {
        for (uint32_t n = 0; n < padded; n++) {
            vertex[d][n] = work->vertex[n < work->vertex_count ? n : 0][d];
        }
    }
    const double *const columns[3] = {vertex[0], vertex[1], vertex[2]};
    carom_rounded_fill(columns, work->vertex_count, padded, rounded);
    *hull = (carom_hull){.vertex_count = work->vertex_count,
                         .padded = padded,
                         .face_count = work->face_count,
                         .edge_count = work->edge_count,
                         .corner_count = work->corner_count,
                         .dimensions = work->dimensions,
                         .vertex = {vertex[0], vertex[1], vertex[2]},
                         .rounded = rounded,
                         .face = face,
                         .edge = edge,
                         .corner = corner,
                         .axis = {axes.axis[0], axes.axis[1], axes.axis[2]},
                         .offset = axes.offset,
                         .way = {axes.way[0], axes.way[1], axes.way[2]}};
    return hull;
}

static carom_balls *take_balls(arena *room, uint32_t children) {
    carom_balls counted = {.levels = 0};
    carom_balls *balls = take(room, 1, sizeof *balls);
    carom_balls_count(children, &counted);
    counted.child = take(room, children, sizeof *counted.child);
    for (uint32_t level = 0; level < counted.levels; level++) {
        counted.ball[level] = take(room, counted.count[level], sizeof *counted.ball[level]);
    }
    if (balls != NULL) {
        *balls = counted;
    }
    return balls;
}

static float float_above(double x) {
    return x < BOX_MOST ? (float)(x * (1.0 + 0x1p-22)) + 0x1p-140F : HUGE_VALF;
}

/* The box that `lo` and `hi` of an entry bound, with half extents rounded up, and two balls, the outer one's radius
 * rounded up and the inner one's down. */
static void put_box(const carom_shape_entry *entry, float box[8]) {
    const double inner = carom_shape_inner(entry);
    const bool is_small = entry->reach < BOX_MOST;
    box[CAROM_APART_REACH] = float_above(entry->reach);
    box[CAROM_APART_INNER] = is_small && inner >= 0.0 ? (float)(inner * (1.0 - 0x1p-22)) : -HUGE_VALF;
    for (int d = 0; d < 3; d++) {
        const double half = 0.5 * entry->hi[d] - 0.5 * entry->lo[d];
        const double centre = 0.5 * entry->lo[d] + 0.5 * entry->hi[d];
        const bool fits = half < BOX_MOST && fabs(centre) < BOX_MOST;
        const float near = fits ? (float)centre : 0.0F;
        const double rest = fits ? half + fabs(centre - (double)near) : HUGE_VAL;
        box[CAROM_APART_CENTRE + d] = near;
        box[CAROM_APART_HALF + d] = fits ? float_above(rest) : HUGE_VALF;
    }
}

static bool has_hulls(const carom_shape *shape, uint64_t count) {
    for (uint64_t n = 0; n < count; n++) {
        if (shape[n].kind == CAROM_SHAPE_HULL) {
            return true;
        }
    }
    return false;
}

/* Lays the table out, and fills it unless it is only measured. */
static carom_shapes *lay_out(arena *room, const carom_shape *shape, uint64_t count, carom_hull_work *work) {
    carom_shapes *shapes = take(room, 1, sizeof *shapes);
    carom_shape_entry *entries = take(room, count, sizeof *entries);
    float(*box)[8] = take(room, count, sizeof *box);
    uint32_t *kind = take(room, count, sizeof *kind);
    const carom_hull **hull = take(room, count, sizeof *hull);
    bool one_kind = true;
    for (uint64_t n = 0; n < count; n++) {
        carom_shape_entry entry = {.kind = shape[n].kind};
        carom_hull *own = NULL;
        one_kind = one_kind && shape[n].kind == shape[0].kind;
        if (shape[n].kind == CAROM_SHAPE_HULL) {
            carom_hull_build(shape[n].point, (uint32_t)shape[n].point_count, work);
            own = take_hull(room, work);
            entry.hull = own;
        }
        if (shape[n].kind == CAROM_SHAPE_COMPOUND) {
            entry.child = take_copy(room, shape[n].child, shape[n].child_count, sizeof *entry.child);
            entry.child_count = (uint32_t)shape[n].child_count;
            entry.table = entries;
            entry.balls = entry.child_count >= CAROM_BALLS_LEAST ? take_balls(room, entry.child_count) : NULL;
        }
        if (room->base != NULL) {
            carom_shape_measure(&shape[n], &entry);
            if (entry.balls != NULL) {
                carom_balls_fill(&entry, entry.balls);
            }
            if (own != NULL) {
                own->reach = float_above(entry.core_reach);
                own->holds_origin = carom_shape_inner(&entry) >= 0.0;
            }
            entries[n] = entry;
            put_box(&entry, box[n]);
            kind[n] = (uint32_t)entry.kind;
            hull[n] = entry.hull;
        }
    }
    if (shapes != NULL) {
        shapes->count = count;
        shapes->entry = entries;
        shapes->box = box;
        shapes->kind = kind;
        shapes->hull = hull;
        shapes->one_kind = one_kind;
        shapes->has_hulls = has_hulls(shape, count);
    }
    return shapes;
}

static carom_status no_memory(carom_error *error) {
    return carom_error_set(error, CAROM_ERROR_MEMORY, "no memory for the table of shapes");
}

carom_status carom_shape_table_make(const carom_shape *shape, uint64_t count, const carom_allocator *allocator,
                                    carom_shapes **shapes, carom_error *error) {
    carom_memory memory;
    carom_memory_init(&memory, allocator, 0);
    const uint64_t work_bytes = has_hulls(shape, count) ? sizeof(carom_hull_work) : 0;
    carom_hull_work *work = work_bytes > 0 ? carom_memory_allocate(&memory, work_bytes) : NULL;
    if (work_bytes > 0 && work == NULL) {
        return no_memory(error);
    }
    arena room = {.base = NULL};
    (void)lay_out(&room, shape, count, work);
    const uint64_t bytes = room.used;
    room = (arena){.base = carom_memory_allocate(&memory, bytes)};
    if (room.base != NULL) {
        *shapes = lay_out(&room, shape, count, work);
        (*shapes)->allocator = memory.allocator;
        (*shapes)->bytes = bytes;
    }
    carom_memory_release(&memory, work, work_bytes);
    return room.base != NULL ? CAROM_OK : no_memory(error);
}

void carom_shape_table_release(carom_shapes *shapes) {
    carom_memory memory;
    carom_memory_init(&memory, &shapes->allocator, 0);
    atomic_store_explicit(&memory.held, shapes->bytes, memory_order_relaxed);
    carom_memory_release(&memory, shapes, shapes->bytes);
}
