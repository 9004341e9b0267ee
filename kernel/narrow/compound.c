/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: two posed shapes. Out: their least pair of children, by trying all in order but those whose bounding spheres are
 * farther apart than the least upper bound so far. Most of these are not even looked at: the balls around groups of
 * children rule them out (kernel/narrow/choice.h), and only them, so that the answer has the bits of a loop over all
 * pairs. */
#include "kernel/narrow/compound.h"

#include <math.h>

#include "kernel/narrow/choice.h"
#include "kernel/sys/control.h"
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

/* Balls rule children out if their spheres are farther apart than the bound by this, relative to the sum of both
 * reaches, the distance of the bodies and the bound: much more than what computed poses, CHILD_ROUNDING and the balls
 * are off by. */
static const double BALL_ROUNDING = 0x1p-40;

/* Small compounds are to take no longer because large ones have a way of their own. */
#define INLINED inline __attribute__((always_inline))
#define NOT_INLINED __attribute__((noinline))

static uint32_t count_parts(const carom_shape_entry *shape) {
    return shape->kind == CAROM_SHAPE_COMPOUND ? shape->child_count : 1;
}

static double sum_of_sides(const double v[3]) {
    return fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
}

/* Child n of a shape; returns a bound of how far rounding has moved it. */
static INLINED double pose_part(const carom_posed *whole, uint32_t n, carom_posed *part) {
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

/* A search while it runs. */
typedef struct search {
    const carom_posed *i;
    const carom_posed *k;
    carom_gap_task task; /* of two children */
    carom_watch watch;
    carom_nearest *nearest;
} search;

/* A child of i. */
typedef struct part {
    carom_posed posed;
    double moved; /* rounding has moved it by no more */
    uint32_t number;
} part;

/* A sphere in the frame of a compound: children of it that are apart from the sphere by more do not matter. */
typedef struct probe {
    double at[3];
    double within; /* the sphere's radius and the distance that matters */
} probe;

static bool is_beyond(const void *data, const carom_ball *ball) {
    const probe *p = data;
    double between[3];
    carom_vector_add(p->at, -1.0, ball->at, between);
    const double reach = p->within + ball->radius;
    return (reach < 0.0) | (carom_vector_dot(between, between) > reach * reach);
}

/* The distance that matters: pairs that are farther apart than the least upper bound so far do not; nor, once the state
 * is known, those that are farther apart than the lower bound. */
static double bound_of(const search *s) {
    const carom_gap *gap = &s->nearest->gap;
    return is_known(s->nearest, &s->task) ? gap->lower : gap->upper;
}

/* The sphere of `shape`, as the compound `whole` sees it. One of them is i or a child of it, the other k. */
static void set_probe(const search *s, const carom_posed *whole, const carom_posed *shape, double bound, probe *p) {
    double between[3];
    carom_vector_add(s->i->at, -1.0, s->k->at, between);
    const double sizes = sum_of_sides(between) + s->i->shape->reach + s->k->shape->reach;
    carom_vector_add(shape->at, -1.0, whole->at, between);
    carom_pose_to_local(whole->turn, between, p->at);
    p->within = bound + shape->shape->reach + BALL_ROUNDING * (sizes + fabs(bound));
}

/* Chooses those of k's children from `begin` on that may matter for a child of i. As long as there is no bound, these
 * are the next few. */
static NOT_INLINED void choose(const search *s, const carom_posed *one, uint32_t begin, carom_choice *choice) {
    const double bound = bound_of(s);
    probe p;
    if (!(bound < HUGE_VAL)) {
        carom_choice_few(begin, s->k->shape->child_count, choice);
        return;
    }
    set_probe(s, s->k, one, bound, &p);
    carom_choice_make(s->k->shape->balls, begin, is_beyond, &p, choice);
}

/* A child of i against child n of k. */
static INLINED void try_pair(const part *one, const carom_posed *k, uint32_t n, const carom_gap_task *task,
                             carom_nearest *nearest) {
    carom_posed other;
    const double rounding = one->moved + pose_part(k, n, &other);
    const double least = least_distance(&one->posed, &other) - rounding;
    if (least > nearest->gap.upper) {
        return;
    }
    if (is_known(nearest, task)) {
        nearest->gap.lower = carom_lesser(nearest->gap.lower, least);
        return;
    }
    carom_gap gap;
    const double before = nearest->distance;
    carom_gap_find(&one->posed, &other, task, &gap);
    gap.lower -= rounding;
    gap.upper += rounding;
    join(nearest, &gap, &one->posed, &other);
    nearest->child_i = nearest->distance < before ? one->number : nearest->child_i;
    nearest->child_k = nearest->distance < before ? n : nearest->child_k;
}

/* A child of i against all of k. */
static void try_row(const part *one, const carom_posed *k, const carom_gap_task *task, carom_nearest *nearest) {
    const uint32_t count = count_parts(k->shape);
    for (uint32_t n = 0; n < count; n++) {
        try_pair(one, k, n, task, nearest);
    }
}

/* The same for a compound that has balls. False if the call is to stop. */
static NOT_INLINED bool try_chosen(search *s, const part *one) {
    const uint32_t count = s->k->shape->child_count;
    for (uint32_t begin = 0; begin < count;) {
        carom_choice choice;
        choose(s, &one->posed, begin, &choice);
        for (uint32_t n = begin; (n = carom_choice_next(&choice, n)) < choice.end; n++) {
            try_pair(one, s->k, n, &s->task, s->nearest);
            if (carom_watch_stops(&s->watch)) {
                return false;
            }
        }
        begin = choice.end;
    }
    return true;
}

/* Child n of i. */
static bool try_child(search *s, uint32_t n) {
    part one;
    one.number = n;
    one.moved = pose_part(s->i, n, &one.posed);
    if (s->k->shape->balls != NULL) {
        return try_chosen(s, &one) && !carom_watch_stops(&s->watch);
    }
    try_row(&one, s->k, &s->task, s->nearest);
    return !carom_watch_stops(&s->watch);
}

/* All children of i, a compound that has balls, but for those that do not matter for any child of k. */
static NOT_INLINED void try_children(search *s) {
    const carom_shape_entry *i = s->i->shape;
    double bound = HUGE_VAL;
    probe p;
    for (uint32_t n = 0; n < i->child_count; n++) {
        carom_ball ball;
        const double now = bound_of(s);
        if (now < bound) {
            bound = now;
            set_probe(s, s->i, s->k, bound, &p);
        }
        carom_balls_child(i, n, &ball);
        if (bound < HUGE_VAL && is_beyond(&p, &ball)) {
            continue;
        }
        if (!try_child(s, n)) {
            return;
        }
    }
}

static void try_all(search *s) {
    const uint32_t count = count_parts(s->i->shape);
    if (s->i->shape->balls != NULL) {
        try_children(s);
        return;
    }
    for (uint32_t n = 0; n < count && try_child(s, n); n++) {
    }
}

void carom_nearest_find(const carom_posed *i, const carom_posed *k, const carom_gap_task *task,
                        carom_nearest *nearest) {
    nearest->child_i = 0;
    nearest->child_k = 0;
    if (i->shape->kind != CAROM_SHAPE_COMPOUND && k->shape->kind != CAROM_SHAPE_COMPOUND) {
        nearest->i = *i;
        nearest->k = *k;
        carom_gap_find(i, k, task, &nearest->gap);
        nearest->distance = carom_gap_middle(nearest->gap.lower, nearest->gap.upper);
        return;
    }
    search s = {.i = i, .k = k, .task = *task, .watch = {.control = task->control}, .nearest = nearest};
    s.task.axes = NULL; /* those of the pair are not its children's */
    s.task.starts = NULL;
    nearest->gap = (carom_gap){.lower = HUGE_VAL, .upper = HUGE_VAL};
    nearest->distance = HUGE_VAL;
    try_all(&s);
}
