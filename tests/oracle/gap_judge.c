/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/oracle/gap_judge.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Of a normal's length, of what is computed from it and from rounded points, relative to the coordinates: some hundred
 * roundings of doubles. */
static const wide ROUNDED = 0x1p-44L;

/* The same of answers in float. */
static const wide ROUNDED_FLOAT = 0x1p-20L;

/* How far points of curved shapes may be off, relative to the smaller shape: searches for a depth end on faces so small
 * that the weights of their corners are rough. */
static const wide POINTS_OFF = 0x1p-32L;

enum { ITERATIONS_MOST = 4096 };

gap_answer gap_case_ask(const gap_case *c) {
    solid_entry entry[2];
    carom_posed posed[2];
    gap_answer answer;
    solid_entry_make(&entry[0], &c->i->shape);
    solid_entry_make(&entry[1], &c->k->shape);
    solid_posed_make(c->i, c->k, &entry[0].entry, &entry[1].entry, c->own, posed);
    memset(&answer, 0xFF, sizeof answer); /* not-a-numbers */
    answer.outside[0] = answer.outside[1] = 0;
    carom_gap_find(&posed[0], &posed[1], &c->task, &answer.gap);
    const double s = fabs(answer.gap.lower) < fabs(answer.gap.upper) ? answer.gap.lower : answer.gap.upper;
    answer.capped = !(answer.gap.upper - answer.gap.lower <= carom_gap_width(&posed[0], &posed[1], &c->task, s));
    return answer;
}

static bool all_finite(const carom_gap *gap) {
    bool all = isfinite(gap->lower) && isfinite(gap->upper);
    for (int d = 0; d < 3; d++) {
        all = all && isfinite(gap->normal[d]) && isfinite(gap->point_i[d]) && isfinite(gap->point_k[d]);
    }
    return all;
}

static const char *judge_bracket(const gap_case *c, const carom_gap *gap) {
    const carom_gap_state state = carom_gap_state_of(gap, c->task.margin);
    const wide margin = c->task.margin;
    if (!(gap->lower <= gap->upper)) {
        return "lower is above upper";
    }
    if ((wide)gap->lower > c->truth.upper) {
        return "lower is above the truth";
    }
    if ((wide)gap->upper < c->truth.lower) {
        return "upper is below the truth";
    }
    if ((state == CAROM_GAP_SEPARATED && c->truth.upper <= margin) ||
        (state == CAROM_GAP_TOUCHING && c->truth.lower > margin)) {
        return "the state is wrong";
    }
    return gap->iterations > ITERATIONS_MOST ? "too many iterations" : NULL;
}

/* How far a point is outside a shape, at most what is said: <= 0 inside. */
static wide outside(const solid *s, const solid_input *input, const wide point[3]) {
    if (s->shape->kind != CAROM_SHAPE_HULL) {
        return solid_outside(s, point);
    }
    const truth_effort effort = {.width = 0x1p-60L, .triangles = 0};
    solid_input at = {.shape = {.kind = CAROM_SHAPE_SPHERE}};
    solid_pair pair = solid_pair_of(&at, input);
    for (int d = 0; d < 3; d++) {
        pair.i.at[d] = point[d] - s->at[d];
    }
    return truth_find(&pair, &effort).lower;
}

static void from_double(const double v[3], const double origin[3], bool shifted, wide to[3]) {
    for (int d = 0; d < 3; d++) {
        to[d] = (wide)v[d] - (shifted ? (wide)origin[d] : 0);
    }
}

static bool is_curved(const solid_input *input) {
    return input->shape.kind >= CAROM_SHAPE_CYLINDER && input->shape.kind <= CAROM_SHAPE_ELLIPSOID;
}

/* Shapes that overlap by more than this, relative to their sizes, have points opposite each other. Those that just
 * touch do so along whole edges, to rounding, and any of their points will do. */
static const wide DEEP = 0x1p-20L;

/* A closed form finds points that are opposite each other; searches may end in others that prove the bracket. */
static bool is_closed(const gap_case *c) {
    return c->i->shape.kind <= CAROM_SHAPE_BOX && c->k->shape.kind <= CAROM_SHAPE_BOX;
}

static const char *judge_points(const gap_case *c, gap_answer *answer, wide slack) {
    const carom_gap *gap = &answer->gap;
    const bool curved = is_curved(c->i) || is_curved(c->k);
    const wide near = slack + (wide)gap->upper - (wide)gap->lower + (curved ? POINTS_OFF * truth_scale(&c->solids) : 0);
    const wide n[3] = {gap->normal[0], gap->normal[1], gap->normal[2]};
    wide a[3];
    wide b[3];
    wide between[3];
    from_double(gap->point_i, c->k->at, c->own, a);
    from_double(gap->point_k, c->k->at, c->own, b);
    wide_minus(a, b, between);
    const wide along = wide_dot(between, n);
    answer->outside[0] = outside(&c->solids.i, c->i, a);
    answer->outside[1] = outside(&c->solids.k, c->k, b);
    if (along < gap->lower - slack || along > gap->upper + slack) {
        return "the points are not s apart along the normal";
    }
    if (is_closed(c) && gap->upper < -DEEP * truth_scale(&c->solids) && wide_length(between) > fabsl(along) + near) {
        return "the points are not opposite each other";
    }
    if (answer->outside[0] > near) {
        return "point_i is not in its shape";
    }
    return answer->outside[1] > near ? "point_k is not in its shape" : NULL;
}

static const char *judge_normal(const gap_case *c, const carom_gap *gap, wide slack) {
    wide a[3];
    wide b[3];
    wide n[3] = {gap->normal[0], gap->normal[1], gap->normal[2]};
    if (fabsl(wide_length(n) - 1) > (c->in_float ? ROUNDED_FLOAT : ROUNDED)) {
        return "the normal is no unit vector";
    }
    wide_unit(n);
    /* Moved by -s along it, the gap along it is g(n) - s; with s within the bracket it is not much below 0. */
    if (solid_gap_along(&c->solids, n, a, b) - c->solids.radii < gap->lower - slack) {
        return "moving along the normal does not separate";
    }
    return NULL;
}

static void say(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void say(char *text, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, size, format, arguments);
    va_end(arguments);
}

const char *gap_judge(const gap_case *c, gap_answer *answer, char *text, size_t size) {
    const carom_gap *gap = &answer->gap;
    wide far = c->solids.size;
    for (int d = 0; d < 3 && c->own; d++) {
        far += fabs(c->i->at[d]) + fabs(c->k->at[d]);
    }
    const wide slack = (c->in_float ? ROUNDED_FLOAT : ROUNDED) * far;
    const bool points = c->task.detail != CAROM_GAP_STATE;
    const char *fault = NULL;
    if (!isfinite(gap->lower) || !isfinite(gap->upper) || (points && !all_finite(gap))) {
        fault = "not a number, or infinite";
    }
    fault = fault != NULL ? fault : judge_bracket(c, gap);
    fault = fault != NULL || !points ? fault : judge_normal(c, gap, slack);
    fault = fault != NULL || !points ? fault : judge_points(c, answer, slack);
    say(text, size,
        "truth %.21Lg .. %.21Lg (normal %.17Lg %.17Lg %.17Lg), answer %.17g .. %.17g, normal %.17g %.17g %.17g, "
        "iterations %u, points outside by %.3Lg and %.3Lg of %.3Lg",
        c->truth.lower, c->truth.upper, c->truth.normal[0], c->truth.normal[1], c->truth.normal[2], gap->lower,
        gap->upper, gap->normal[0], gap->normal[1], gap->normal[2], gap->iterations, answer->outside[0],
        answer->outside[1], truth_scale(&c->solids));
    return fault;
}

static size_t print_input(const solid_input *input, char *text, size_t size) {
    const carom_shape *s = &input->shape;
    int n = snprintf(text, size, "kind %d radius %a extent %a %a %a at %a %a %a turn %a %a %a %a", (int)s->kind,
                     s->radius, s->extent[0], s->extent[1], s->extent[2], input->at[0], input->at[1], input->at[2],
                     input->turn[0], input->turn[1], input->turn[2], input->turn[3]);
    for (uint64_t p = 0; p < s->point_count && (size_t)n < size; p++) {
        n += snprintf(text + n, size - (size_t)n, " point %a %a %a", s->point[p][0], s->point[p][1], s->point[p][2]);
    }
    return (size_t)n < size ? (size_t)n : size - 1;
}

void gap_case_print(const gap_case *c, char *text, size_t size) {
    size_t n = print_input(c->i, text, size);
    n += (size_t)snprintf(text + n, size - n, "\n");
    if (n < size) {
        print_input(c->k, text + n, size - n);
    }
}
