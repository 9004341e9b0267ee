/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: two posed shapes. Out: a proved bracket of their signed distance.
 *
 * GJK searches for the distance of the cores. Where it ends in points around or at the origin, EPA searches for the
 * depth. Both add to one bracket, whose lower side is what a direction proves, and whose upper side what points of both
 * shapes or an inner polytope prove. The shapes' radii are subtracted at the end. */
#include "kernel/narrow/gap.h"

#include <math.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/narrow/closed.h"
#include "kernel/narrow/seek_start.h"
#include "simd/compare.h"
#include "simd/dispatch.h"
#include "simd/ref/boxes_contact.h"
#include "simd/ref/difference.h"
#include "simd/ref/simplex.h"
#include "simd/vector.h"

/* Rounding of lower - radius, relative to the sum of both: two operations. */
static const double SUBTRACTION = 0x1p-51;

/* Searches for a depth, each after one for a distance: all but the last may find that the cores are apart after all. */
enum { DEPTH_SEARCHES_MAX = 2 };

static bool is_convex(carom_shape_kind kind) {
    return kind <= CAROM_SHAPE_HULL;
}

/* The closed form for two kinds in either order, or NULL. */
static carom_closed_test *closed_form(carom_shape_kind i, carom_shape_kind k) {
    return i <= k ? carom_closed_find(i, k) : carom_closed_find(k, i);
}

bool carom_gap_has(carom_shape_kind i, carom_shape_kind k) {
    return (is_convex(i) && is_convex(k)) || closed_form(i, k) != NULL;
}

double carom_gap_width(const carom_posed *i, const carom_posed *k, const carom_gap_task *task, double s) {
    return task->tolerance * carom_greater(carom_gap_reach(i->shape, k->shape), fabs(s));
}

carom_gap_state carom_gap_state_of(const carom_gap *gap, double margin) {
    if (gap->lower > margin) {
        return CAROM_GAP_SEPARATED;
    }
    return gap->upper <= margin ? CAROM_GAP_TOUCHING : CAROM_GAP_CLOSE;
}

/* Moves the witness points along the normal so that they are as far apart as the bracket says. Those of curved shapes
 * may be off by as much as the bracket is wide. */
static void fit_points(carom_gap *gap) {
    double between[3];
    for (int d = 0; d < 3; d++) {
        between[d] = gap->point_i[d] - gap->point_k[d];
    }
    const double s = carom_vector_dot(between, gap->normal);
    const double change = 0.5 * (carom_lesser(carom_greater(s, gap->lower), gap->upper) - s);
    carom_vector_add(gap->point_i, change, gap->normal, gap->point_i);
    carom_vector_add(gap->point_k, -change, gap->normal, gap->point_k);
}

/* The bounds for the shapes, from those for their cores. */
static void set_bounds(const carom_bracket *bracket, const carom_posed *i, const carom_posed *k, carom_gap *gap) {
    const double radius = i->shape->radius + k->shape->radius;
    const double rounding = SUBTRACTION * (radius + carom_greater(fabs(bracket->lower), fabs(bracket->upper)));
    gap->lower = bracket->lower - radius - rounding;
    gap->upper = bracket->upper - radius + rounding;
    gap->iterations = bracket->iterations;
}

static void set_points(const carom_bracket *bracket, const carom_posed *i, const carom_posed *k, carom_gap *gap) {
    carom_simplex_witness(&bracket->simplex, gap->point_i, gap->point_k);
    for (int d = 0; d < 3; d++) {
        gap->normal[d] = bracket->normal[d];
    }
    carom_vector_add(gap->point_i, -i->shape->radius, gap->normal, gap->point_i);
    carom_vector_add(gap->point_k, k->shape->radius, gap->normal, gap->point_k);
    fit_points(gap);
}

carom_goal carom_gap_goal(const carom_shape_entry *i, const carom_shape_entry *k, const carom_gap_task *task) {
    const double radius = i->radius + k->radius;
    const double limit = radius + task->margin;
    const double slack = 2.0 * SUBTRACTION * limit;
    const bool rough = task->rough > task->tolerance;
    const double reach = carom_gap_reach(i, k);
    return (carom_goal){.width = rough ? task->rough : task->tolerance,
                        .reach = rough ? reach * (task->tolerance / task->rough) : reach,
                        .radius = rough ? limit : radius, /* a rough bracket must not reach below the margin */
                        .above = carom_gap_wants_apart(task->detail) ? HUGE_VAL : limit + slack,
                        .below = carom_gap_wants_touching(task->detail) ? -HUGE_VAL : limit - slack};
}

/* Boxes that an axis proves to be apart are so for every detail, even if the search does not see it. */
static void heed_axes(const carom_posed *i, const carom_posed *k, carom_gap *gap) {
    carom_gap by_axes;
    if (gap->lower > 0.0 || i->shape->kind != CAROM_SHAPE_BOX || k->shape->kind != CAROM_SHAPE_BOX) {
        return;
    }
    const uint32_t axis = carom_closed_boxes(i, k, &by_axes);
    if (by_axes.lower > 0.0) {
        gap->lower = by_axes.lower;
        carom_boxes_contact_normal(i, k, axis, gap->normal);
    }
}

/* Whether a search that has gone on from somewhere is to begin anew. */
static bool is_stuck(const carom_goal *goal, const carom_bracket *bracket) {
    return !bracket->known && !bracket->overlap && !carom_goal_reached(goal, bracket->lower, bracket->upper);
}

void carom_gap_distances(const carom_simd *simd, const carom_posed *i, const carom_posed *k, const carom_goal *goals,
                         uint32_t count, carom_bracket *brackets) {
    uint64_t started = 0;
    CAROM_ASSERT(count <= 64);
    for (uint32_t n = 0; n < count; n++) {
        started |= (uint64_t)(brackets[n].iterations > 0) << n;
    }
    simd->gjk(i, k, goals, count, brackets);
    for (uint64_t rest = started; rest != 0; rest &= rest - 1) {
        const uint32_t n = (uint32_t)__builtin_ctzll(rest);
        if (is_stuck(&goals[n], &brackets[n])) {
            brackets[n] = (carom_bracket){.iterations = 0};
            simd->gjk(&i[n], &k[n], &goals[n], 1, &brackets[n]);
        }
    }
}

void carom_gap_depths(const carom_simd *simd, const carom_posed *i, const carom_posed *k, const carom_goal *goals,
                      uint32_t count, carom_bracket *brackets, carom_epa_room *room) {
    bool again = true;
    for (uint32_t n = 1; again; n++) {
        simd->epa(i, k, goals, count, brackets, room);
        again = false;
        for (uint32_t m = 0; m < count && n < DEPTH_SEARCHES_MAX; m++) {
            if (brackets[m].overlap) {
                simd->gjk(&i[m], &k[m], &goals[m], 1, &brackets[m]);
                again = again || brackets[m].overlap;
            }
        }
    }
}

void carom_gap_finish(const carom_posed *i, const carom_posed *k, const carom_bracket *bracket, carom_gap *gap) {
    set_bounds(bracket, i, k, gap);
    set_points(bracket, i, k, gap);
    heed_axes(i, k, gap);
}

void carom_gap_finish_state(const carom_posed *i, const carom_posed *k, const carom_bracket *bracket, carom_gap *gap) {
    set_bounds(bracket, i, k, gap);
    heed_axes(i, k, gap);
}

void carom_gap_look_first(const double axis[3], carom_bracket *bracket) {
    if (isfinite(axis[0]) && isfinite(axis[1]) && isfinite(axis[2])) {
        (void)carom_vector_unit(axis, bracket->simplex.direction);
    }
}

static void search(const carom_simd *simd, const carom_posed *i, const carom_posed *k, const carom_gap_task *task,
                   carom_gap *gap) {
    const carom_goal goal = carom_gap_goal(i->shape, k->shape, task);
    carom_bracket bracket = {0};
    if (task->axes != NULL) {
        carom_gap_look_first(task->axes, &bracket);
    }
    if (task->starts != NULL && i->shape->kind == CAROM_SHAPE_HULL && k->shape->kind == CAROM_SHAPE_HULL) {
        carom_seek_start_take(i, k, task->starts, &bracket);
        simd->facets(i, k, &goal, 1, &bracket);
    }
    carom_gap_distances(simd, i, k, &goal, 1, &bracket);
    if (bracket.overlap) {
        carom_gap_depths(simd, i, k, &goal, 1, &bracket, NULL);
    }
    carom_gap_finish(i, k, &bracket, gap);
    if (task->axes != NULL) {
        memcpy(task->axes, bracket.normal, sizeof bracket.normal);
    }
}

bool carom_gap_is_searched(carom_shape_kind i, carom_shape_kind k) {
    return closed_form(i, k) == NULL;
}

bool carom_gap_overlaps_are_closed(carom_shape_kind i, carom_shape_kind k) {
    return closed_form(i, k) != NULL || (i == CAROM_SHAPE_BOX && k == CAROM_SHAPE_BOX);
}

/* The answer for shapes k and i, from that for i and k. */
static void swap(carom_gap *gap) {
    for (int d = 0; d < 3; d++) {
        const double point = gap->point_i[d];
        gap->point_i[d] = gap->point_k[d];
        gap->point_k[d] = point;
        gap->normal[d] = -gap->normal[d];
    }
}

static bool try_boxes(const carom_posed *i, const carom_posed *k, const carom_gap_task *task, carom_gap *gap) {
    *gap = (carom_gap){.iterations = 0};
    const uint32_t axis = carom_closed_boxes(i, k, gap);
    if (!carom_gap_boxes_are_answered(gap->lower, task)) {
        return false;
    }
    if (carom_gap_wants_touching(task->detail) && gap->lower <= 0.0) {
        carom_boxes_contact_find(i, k, axis, gap);
    }
    return true;
}

bool carom_gap_try(const carom_posed *i, const carom_posed *k, const carom_gap_task *task, carom_gap *gap) {
    if (i->shape->kind == CAROM_SHAPE_BOX && k->shape->kind == CAROM_SHAPE_BOX) {
        return try_boxes(i, k, task, gap);
    }
    carom_closed_test *test = closed_form(i->shape->kind, k->shape->kind);
    if (test != NULL && i->shape->kind <= k->shape->kind) {
        test(i, k, gap);
    } else if (test != NULL) {
        test(k, i, gap);
        swap(gap);
    }
    return test != NULL;
}

void carom_gap_find(const carom_posed *i, const carom_posed *k, const carom_gap_task *task, carom_gap *gap) {
    if (!carom_gap_try(i, k, task, gap)) {
        search(carom_simd_or_best(task->simd), i, k, task, gap);
    }
}
