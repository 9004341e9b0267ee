/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: two moving convex shapes, and distances at the times that the search asks for. Out: a time before which they do
 * not touch, proved, and how far apart they are then.
 *
 * Conservative advancement (Mirtich 1996): at a time t a search finds the distance and its normal n. The gap along any
 * normal is a lower bound of the distance; along n it equals it at t. So a plane's normal starts as n and may rotate as
 * it likes: simd/ref/proof.h proves until when it holds the shapes apart, and there is the next search. The first plane
 * comes before all searches: it is at right angles to the line between the bodies. A plane that
 * keeps up with the true normal, as one does that rotates with the face that will be hit, or that goes on as the normal
 * went from the last time to this one, finds the time of impact as Newton's method does, but never passes it. */
#include "kernel/narrow/advance.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "kernel/narrow/plane.h"
#include "simd/dispatch.h"
#include "simd/ref/difference.h"
#include "simd/vector.h"

/* Brackets and heights are as narrow as this part of the gap that a hit may have. */
static const double PART_OF_TOLERANCE = 0.25;

/* Brackets need not be narrower than this, relative to the distance: a plane is so much the worse. */
static const double ROUGH = 0x1p-6;

/* Rounding of a bound of a distance. */
static const double BOUND_ERROR = 0x1p-50;

/* Most looks in a row that begin with points of the look before, whose roundings add up. */
enum { WARM_MOST = 16 };

static double smaller(double a, double b) {
    const double least = fmin(a, b);
    return least > 0.0 ? least : fmax(a, b);
}

/* What `tolerance` is relative to. Two points have no reach: then it is their way. */
static double scale_of(const carom_approach *pair) {
    const double shapes = smaller(pair->i.swing.shape->reach, pair->k.swing.shape->reach);
    const double bodies = smaller(pair->i.body->shape->reach, pair->k.body->shape->reach);
    const double scale = smaller(shapes, bodies);
    if (!(scale < HUGE_VAL)) {
        return 0.0;
    }
    return scale > 0.0 ? scale : carom_vector_length(pair->course.p) + carom_vector_length(pair->course.u);
}

static bool is_searched(carom_shape_kind i, carom_shape_kind k) {
    const bool convex = i <= CAROM_SHAPE_HULL && k <= CAROM_SHAPE_HULL;
    return convex && (i == CAROM_SHAPE_CAPSULE || k == CAROM_SHAPE_CAPSULE || carom_gap_is_searched(i, k));
}

void carom_advance_make(const carom_approach *pair, const carom_toi_task *task, double end, carom_advance *s) {
    const double reach = smaller(pair->i.swing.shape->reach, pair->k.swing.shape->reach);
    s->pair = pair;
    s->length = fmax(task->tolerance * scale_of(pair), DBL_MIN);
    s->proof.course = &pair->course;
    s->proof.target = PART_OF_TOLERANCE * s->length;
    s->proof.end = end;
    s->iterations_max = task->iterations_max;
    s->once = false;
    s->searched = is_searched(pair->i.swing.shape->kind, pair->k.swing.shape->kind);
    s->gap = (carom_gap_task){.detail = CAROM_GAP_DISTANCE,
                              .margin = task->margin,
                              .tolerance = PART_OF_TOLERANCE * task->tolerance,
                              .rough = ROUGH,
                              .simd = carom_simd_or_best(task->simd)};
    if (reach > 0.0 && reach < HUGE_VAL) {
        s->gap.tolerance = PART_OF_TOLERANCE * fmin(task->tolerance, s->length / reach);
    }
    s->goal = carom_gap_goal(pair->i.swing.shape, pair->k.swing.shape, &s->gap);
    s->found = (carom_toi_found){.state = CAROM_TOI_NONE, .gap = HUGE_VAL};
}

void carom_advance_begin(carom_advance *s, double t) {
    s->proof.next = t;
    s->proof.drift = (carom_turning){.t = t};
    s->proof.first = false;
    s->warm = 0;
}

bool carom_advance_first(carom_advance *s) {
    static const double still[3] = {0.0, 0.0, 0.0};
    const carom_approach *pair = s->pair;
    const bool bounded = pair->i.swing.turns > 0.0 && pair->k.swing.turns > 0.0;
    double n[3];
    carom_vector_add(pair->course.p, s->proof.next, pair->course.u, n);
    if (s->once || !(s->proof.next < s->proof.end) || !bounded || pair->i.child != NULL || pair->k.child != NULL || !carom_vector_unit(n, n)) {
        return false;
    }
    carom_plane_make(n, s->proof.next, still, &s->proof.drift);
    s->proof.closing = -carom_vector_dot(n, pair->course.u);
    s->proof.first = true;
    return true;
}

bool carom_advance_follow(carom_advance *s) {
    carom_advance_begin(s, s->proof.next);
    return s->proof.next < s->proof.end;
}

void carom_advance_aim(carom_advance *s, const carom_view *seen, const carom_view *view, carom_aim *aim) {
    s->warm = s->searched && seen != NULL && s->warm < WARM_MOST ? s->warm + 1 : 0;
    *aim = (carom_aim){.course = &s->pair->course, .t = s->proof.next, .i = view->i, .k = view->k};
    aim->bracket = view->bracket;
    aim->bracket->known = false;
    if (s->warm > 0) {
        memcpy(aim->direction, s->proof.ahead, sizeof aim->direction);
        aim->seen_i = seen->i;
        aim->seen_k = seen->k;
        aim->seen = seen->bracket;
    }
    *view->goal = s->goal;
}

/* A half-space's plane, and a line, allow for one normal only. */
static void fit_normal(const carom_posed *posed, double sign, double n[3]) {
    const double axis[3] = {posed->turn[0][2], posed->turn[1][2], posed->turn[2][2]};
    if (posed->shape->kind == CAROM_SHAPE_HALF_SPACE) {
        for (int d = 0; d < 3; d++) {
            n[d] = sign * axis[d];
        }
    } else if (posed->shape->kind == CAROM_SHAPE_LINE) {
        carom_vector_add(n, -carom_vector_dot(n, axis) / carom_vector_dot(axis, axis), axis, n);
    }
}

/* Whether the shapes are so close that it is a hit, with the margin's rounding. */
static bool is_hit(const carom_advance *s, const carom_toi_found *found) {
    const double margin = s->gap.margin;
    return found->gap - margin + BOUND_ERROR * margin <= s->length;
}

/* The distance that was seen. A search that began with old points and did not reach its goal is repeated without. */
static void find_gap(carom_advance *s, const carom_view *seen, carom_gap *gap) {
    if (!s->searched) {
        carom_gap_find(seen->i, seen->k, &s->gap, gap);
        return;
    }
    const carom_bracket *bracket = seen->bracket;
    if (s->warm > 0 && (bracket->overlap || !carom_goal_reached(seen->goal, bracket->lower, bracket->upper))) {
        s->warm = 0;
        memset(seen->bracket, 0, sizeof *seen->bracket);
        s->gap.simd->gjk(seen->i, seen->k, seen->goal, 1, seen->bracket);
    }
    if (bracket->overlap && carom_gap_try(seen->i, seen->k, &s->gap, gap)) {
        return; /* a closed form takes a third of a search for the depth */
    }
    if (bracket->overlap) {
        carom_gap_depths(s->gap.simd, seen->i, seen->k, seen->goal, 1, seen->bracket, NULL);
    }
    carom_gap_finish(seen->i, seen->k, seen->bracket, gap);
}

/* How far points that were carried from another pose may be from the core. */
static double warm_error(const carom_posed *i, const carom_posed *k) {
    const double sizes = i->shape->core_reach + k->shape->core_reach;
    return CAROM_AIM_ERROR * (sizes + fabs(i->at[0]) + fabs(i->at[1]) + fabs(i->at[2]));
}

/* Notes what was seen at the time that has been reached. Returns the lower bound of the distance. */
static double look(carom_advance *s, const carom_view *seen, const double shift[3]) {
    const carom_approach *pair = s->pair;
    const double t = s->proof.next;
    carom_toi_found *found = &s->found;
    carom_gap gap;
    find_gap(s, seen, &gap);
    found->iterations++;
    found->t = t;
    found->gap = gap.upper + pair->pose_error;
    if (s->warm > 0) {
        found->gap += s->warm * warm_error(seen->i, seen->k);
    }
    for (int d = 0; d < 3; d++) {
        const double origin = shift[d] + (pair->k.body->at[d] + t * pair->k.body->move[d]);
        found->normal[d] = gap.normal[d];
        found->point_i[d] = gap.point_i[d] + origin;
        found->point_k[d] = gap.point_k[d] + origin;
    }
    if (!s->searched) {
        fit_normal(seen->i, -1.0, found->normal);
        fit_normal(seen->k, 1.0, found->normal);
        (void)carom_vector_unit(found->normal, found->normal);
    }
    return gap.lower;
}

/* The height of the gap along the normal at the time of the look. A search's normal proves its lower bound. */
static double height_of(const carom_advance *s, double lower) {
    const carom_approach *pair = s->pair;
    const double t = s->found.t;
    double x[3];
    if (!s->searched) {
        static const double still[3] = {0.0, 0.0, 0.0};
        carom_turning plane;
        carom_plane_make(s->found.normal, t, still, &plane);
        return carom_plane_height(&plane, pair, t);
    }
    carom_vector_add(pair->course.p, t, pair->course.u, x);
    return lower - pair->margin - carom_approach_height_error(pair, x);
}

/* The normal that was seen, and the rotation vector per step from that of the look before. */
static void set_drift(carom_advance *s) {
    carom_turning *drift = &s->proof.drift;
    const double *normal = s->found.normal;
    const double since = s->found.t - drift->t;
    double across[3];
    carom_vector_cross(drift->normal, normal, across);
    for (int d = 0; d < 3; d++) {
        across[d] = since > 0.0 ? across[d] / since : 0.0;
    }
    carom_plane_make(normal, s->found.t, across, drift);
}

/* The speed of a point of a body along n. */
static double speed_of(const carom_moving *body, double t, const double point[3], const double n[3]) {
    double arm[3];
    double turning[3];
    for (int d = 0; d < 3; d++) {
        arm[d] = point[d] - (body->at[d] + t * body->move[d]);
    }
    carom_vector_cross(body->spin, arm, turning);
    return carom_vector_dot(n, body->move) + carom_vector_dot(n, turning);
}

/* Ends the search where it no longer knows. */
static bool give_up(carom_advance *s) {
    s->found.state = CAROM_TOI_CAPPED;
    return false;
}

bool carom_advance_take(carom_advance *s, const carom_view *seen, const double shift[3]) {
    carom_toi_found *found = &s->found;
    const double lower = look(s, seen, shift);
    if (s->once) {
        return false;
    }
    if (is_hit(s, found)) {
        found->state = CAROM_TOI_HIT;
        return false;
    }
    s->proof.height = height_of(s, lower);
    if (!(s->proof.height > 0.0)) {
        return give_up(s);
    }
    set_drift(s);
    s->proof.closing = speed_of(s->pair->k.body, found->t, found->point_k, found->normal) -
                       speed_of(s->pair->i.body, found->t, found->point_i, found->normal);
    return true;
}

bool carom_advance_step(carom_advance *s) {
    if (s->proof.next >= s->proof.end) {
        return false;
    }
    return (s->proof.next > s->found.t && s->found.iterations < s->iterations_max) || give_up(s);
}

void carom_advance_run(carom_advance *s, double t) {
    carom_posed i;
    carom_posed k;
    carom_goal goal;
    carom_bracket bracket;
    carom_aim aim;
    carom_proof *const proof = &s->proof;
    const carom_view view = {&i, &k, &goal, &bracket};
    carom_advance_begin(s, t);
    if (carom_advance_first(s)) {
        s->gap.simd->prove(&proof, 1);
        if (!carom_advance_follow(s)) {
            return;
        }
    }
    carom_advance_aim(s, NULL, &view, &aim);
    for (;;) {
        s->gap.simd->aim(&aim, 1);
        if (s->searched) {
            s->gap.simd->gjk(&i, &k, &goal, 1, &bracket);
        }
        if (!carom_advance_take(s, &view, aim.shift)) {
            return;
        }
        s->gap.simd->prove(&proof, 1);
        if (!carom_advance_step(s)) {
            return;
        }
        carom_advance_aim(s, &view, &view, &aim);
    }
}
