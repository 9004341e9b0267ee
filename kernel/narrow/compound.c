/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: two posed shapes. Out: their least pair of children, by trying all but those whose bounding spheres are farther
 * apart than the least upper bound so far. */
#include "kernel/narrow/compound.h"

#include <math.h>

#include "simd/compare.h"
#include "simd/vector.h"

/* Bounds how far rounding moves a point of a child, relative to the child's reach and its distance from the compound's
 * origin: each entry of the product of two rotations is within 2^-48 of the exact one, which moves a vector by less
 * than 3 2^-48 of its length. */
static const double CHILD_ROUNDING = 0x1p-46;

/* The same for the sum of the compound's position and the child's, relative to the compound's. */
static const double SUM_ROUNDING = 0x1p-52;

/* Covers the rounding of a distance between two centres and of the sum of two radii. */
static const double SPHERE_ROUNDING = 0x1p-50;

static uint32_t count_parts(const carom_shape_entry *shape) {
    return shape->kind == CAROM_SHAPE_COMPOUND ? shape->child_count : 1;
}

static double sum_of_sides(const double v[3]) {
    return fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
}

/* Child n of a shape; returns a bound of how far rounding has moved it. */
static double pose_part(const carom_posed *whole, uint32_t n, carom_posed *part) {
    if (whole->shape->kind != CAROM_SHAPE_COMPOUND) {
        *part = *whole;
        return 0.0;
    }
    const carom_shape_child *child = &whole->shape->child[n];
    double turn[3][3];
    double from[3];
    carom_pose_turn(child->turn, turn);
    carom_pose_from_local(whole->turn, child->at, from);
    part->shape = &whole->shape->table[child->shape];
    for (int r = 0; r < 3; r++) {
        part->at[r] = whole->at[r] + from[r];
        for (int c = 0; c < 3; c++) {
            part->turn[r][c] =
                whole->turn[r][0] * turn[0][c] + whole->turn[r][1] * turn[1][c] + whole->turn[r][2] * turn[2][c];
        }
    }
    return CHILD_ROUNDING * (part->shape->reach + sum_of_sides(child->at)) + SUM_ROUNDING * sum_of_sides(whole->at);
}

/* No signed distance of the two is less: their bounding spheres' is not. */
static double least_distance(const carom_posed *i, const carom_posed *k) {
    double between[3];
    carom_vector_add(i->at, -1.0, k->at, between);
    const double length = carom_vector_length(between);
    return length * (1.0 - SPHERE_ROUNDING) - (i->shape->reach + k->shape->reach) * (1.0 + SPHERE_ROUNDING);
}

/* Takes over another pair's bracket, and the pair itself if it is nearer. */
static void join(carom_nearest *nearest, const carom_gap *gap, const carom_posed *i, const carom_posed *k) {
    const uint32_t before = nearest->gap.iterations;
    const double lower = carom_lesser(nearest->gap.lower, gap->lower);
    const double upper = carom_lesser(nearest->gap.upper, gap->upper);
    const double distance = carom_gap_middle(gap->lower, gap->upper);
    if (distance < nearest->distance) {
        nearest->gap = *gap;
        nearest->i = *i;
        nearest->k = *k;
        nearest->distance = distance;
    }
    nearest->gap.lower = lower;
    nearest->gap.upper = upper;
    nearest->gap.iterations = before > UINT32_MAX - gap->iterations ? UINT32_MAX : before + gap->iterations;
}

/* Whether the state is all that is wanted, and no other pair can change it. */
static bool is_known(const carom_nearest *nearest, const carom_gap_task *task) {
    return !carom_gap_wants_touching(task->detail) && nearest->gap.upper <= task->margin;
}

/* One child of i against all of k. */
static void find_against(const carom_posed *part, double moved, const carom_posed *k, uint32_t child_i,
                         const carom_gap_task *task, carom_nearest *nearest) {
    const uint32_t count = count_parts(k->shape);
    carom_gap_task own = *task;
    own.axes = NULL; /* those of the pair are not its children's */
    for (uint32_t n = 0; n < count; n++) {
        carom_posed other;
        const double rounding = moved + pose_part(k, n, &other);
        const double least = least_distance(part, &other) - rounding;
        if (least > nearest->gap.upper) {
            continue;
        }
        if (is_known(nearest, task)) {
            nearest->gap.lower = carom_lesser(nearest->gap.lower, least);
            continue;
        }
        carom_gap gap;
        const double before = nearest->distance;
        carom_gap_find(part, &other, &own, &gap);
        gap.lower -= rounding;
        gap.upper += rounding;
        join(nearest, &gap, part, &other);
        nearest->child_i = nearest->distance < before ? child_i : nearest->child_i;
        nearest->child_k = nearest->distance < before ? n : nearest->child_k;
    }
}

void carom_nearest_find(const carom_posed *i, const carom_posed *k, const carom_gap_task *task,
                        carom_nearest *nearest) {
    const uint32_t count = count_parts(i->shape);
    nearest->child_i = 0;
    nearest->child_k = 0;
    if (count == 1 && i->shape->kind != CAROM_SHAPE_COMPOUND && k->shape->kind != CAROM_SHAPE_COMPOUND) {
        nearest->i = *i;
        nearest->k = *k;
        carom_gap_find(i, k, task, &nearest->gap);
        nearest->distance = carom_gap_middle(nearest->gap.lower, nearest->gap.upper);
        return;
    }
    nearest->gap = (carom_gap){.lower = HUGE_VAL, .upper = HUGE_VAL};
    nearest->distance = HUGE_VAL;
    for (uint32_t n = 0; n < count; n++) {
        carom_posed part;
        const double moved = pose_part(i, n, &part);
        find_against(&part, moved, k, n, task, nearest);
    }
}
