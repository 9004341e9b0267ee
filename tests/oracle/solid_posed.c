/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/oracle/solid_posed.h"

#include <math.h>
#include <string.h>

#include "kernel/shape/measure.h"

static const double IDENTITY[4] = {0, 0, 0, 1};

static double up(wide x) {
    const double near = (double)x;
    return (wide)near < x ? nextafter(near, HUGE_VAL) : near;
}

static uint32_t dimensions_of(const carom_shape *shape) {
    const double *e = shape->extent;
    const uint32_t disc = shape->radius > 0 ? 2 : 0;
    switch (shape->kind) {
    case CAROM_SHAPE_BOX:
        return (e[0] > 0) + (uint32_t)(e[1] > 0) + (e[2] > 0);
    case CAROM_SHAPE_SPHERE:
        return shape->radius > 0 ? 3 : 0;
    case CAROM_SHAPE_CAPSULE:
        return shape->radius > 0 ? 3 : e[2] > 0;
    case CAROM_SHAPE_CYLINDER:
    case CAROM_SHAPE_CONE:
        return disc + (e[2] > 0);
    case CAROM_SHAPE_HULL: {
        uint32_t flat = 2;
        for (uint64_t n = 0; n < shape->point_count; n++) {
            flat = shape->point[n][2] != 0 ? 3 : flat;
        }
        return flat;
    }
    default:
        return 3;
    }
}

static void put_hull(solid_entry *to, const carom_shape *shape) {
    const uint32_t count = (uint32_t)shape->point_count;
    to->hull.vertex_count = count;
    to->hull.padded = (count + CAROM_HULL_PAD - 1) / CAROM_HULL_PAD * CAROM_HULL_PAD;
    to->hull.dimensions = to->entry.dimensions;
    for (int d = 0; d < 3; d++) {
        to->hull.vertex[d] = to->row[d];
        for (uint32_t n = 0; n < to->hull.padded; n++) {
            to->row[d][n] = shape->point[n < count ? n : 0][d];
        }
    }
    carom_rounded_fill(to->hull.vertex, count, to->hull.padded, to->rounded);
    to->hull.rounded = to->rounded;
    to->entry.hull = &to->hull;
}

static void put_extent(carom_shape_entry *entry, const carom_shape *shape) {
    switch (shape->kind) {
    case CAROM_SHAPE_CYLINDER:
    case CAROM_SHAPE_CONE:
        entry->extent[0] = entry->extent[1] = shape->radius;
        entry->extent[2] = shape->extent[2];
        break;
    case CAROM_SHAPE_BOX:
        memcpy(entry->extent, shape->extent, sizeof entry->extent);
        break;
    case CAROM_SHAPE_ELLIPSOID:
        memcpy(entry->extent, shape->extent, sizeof entry->extent);
        entry->radius = carom_shape_rolling_ball(shape->extent);
        break;
    case CAROM_SHAPE_CAPSULE:
        entry->extent[2] = shape->extent[2];
        entry->radius = shape->radius;
        break;
    case CAROM_SHAPE_SPHERE:
        entry->radius = shape->radius;
        break;
    default:
        break;
    }
}

static void put_box(solid_entry *to, const solid *s) {
    for (int d = 0; d < 3; d++) {
        wide n[3] = {0, 0, 0};
        wide p[3];
        n[d] = 1;
        to->entry.hi[d] = up(solid_support(s, n, p) + s->radius);
        n[d] = -1;
        to->entry.lo[d] = -up(solid_support(s, n, p) + s->radius);
    }
}

void solid_entry_make(solid_entry *to, const carom_shape *shape) {
    memset(to, 0, sizeof *to);
    to->entry.kind = shape->kind;
    to->entry.dimensions = dimensions_of(shape);
    put_extent(&to->entry, shape);
    if (shape->kind == CAROM_SHAPE_HULL) {
        put_hull(to, shape);
    }
    const solid_input input = {.shape = *shape};
    const solid_pair pair = solid_pair_of(&input, &input);
    to->entry.core_reach = up(pair.k.reach * (1 + 0x1p-60L));
    to->hull.reach = (float)(to->entry.core_reach * (1 + 0x1p-22));
    to->entry.reach = up((pair.k.reach + pair.k.radius) * (1 + 0x1p-60L));
    put_box(to, &pair.k);
}

static void put_turn(const double q[4], double turn[3][3]) {
    const bool none = q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0;
    carom_pose_turn(none ? IDENTITY : q, turn);
}

void solid_posed_make(const solid_input *i, const solid_input *k, const carom_shape_entry *entry_i,
                      const carom_shape_entry *entry_k, bool own, carom_posed posed[2]) {
    posed[0].shape = entry_i;
    posed[1].shape = entry_k;
    put_turn(i->turn, posed[0].turn);
    put_turn(k->turn, posed[1].turn);
    for (int d = 0; d < 3; d++) {
        posed[0].at[d] = own ? i->at[d] : i->at[d] - k->at[d];
        posed[1].at[d] = own ? k->at[d] : 0;
    }
}
