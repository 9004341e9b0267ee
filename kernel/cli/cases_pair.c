/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a case. Out: what the library says of it.
 *
 * A plane is the surface between two half-spaces. A convex shape can be proved apart from it only along its normal, on
 * one side or the other, so the signed distance from the plane is the greater of those from the two half-spaces. A
 * shape that is beside the plane reaches it when it reaches the half-space beyond. */
#include "kernel/cli/cases_pair.h"

#include <string.h>

/* The pose of a body; `turned`: of the half-space on the plane's other side, after a half-turn about its x axis. */
static carom_pose_f64 pose_of(const carom_case_body *body, bool turned) {
    const double *q = body->turn;
    carom_pose_f64 pose = {.shape = body->shape};
    memcpy(pose.at, body->at, sizeof pose.at);
    for (int d = 0; d < 4; ++d) {
        pose.turn[d] = !turned ? q[d] : d == 0 ? q[3] : d == 1 ? q[2] : d == 2 ? -q[1] : -q[0];
    }
    return pose;
}

static carom_pose_f32 narrow_pose(const carom_pose_f64 *wide) {
    carom_pose_f32 pose = {.shape = wide->shape};
    for (int d = 0; d < 4; ++d) {
        pose.turn[d] = (float)wide->turn[d];
    }
    for (int d = 0; d < 3; ++d) {
        pose.at[d] = (float)wide->at[d];
    }
    return pose;
}

static carom_gap_f64 widen_gap(const carom_gap_f32 *gap) {
    carom_gap_f64 wide = {.state = gap->state,
                          .capped = gap->capped,
                          .point_count = gap->point_count,
                          .iterations = gap->iterations,
                          .child_i = gap->child_i,
                          .child_k = gap->child_k,
                          .distance = (double)gap->distance,
                          .lower = (double)gap->lower,
                          .upper = (double)gap->upper};
    for (int d = 0; d < 3; ++d) {
        wide.normal[d] = (double)gap->normal[d];
        wide.point_i[d] = (double)gap->point_i[d];
        wide.point_k[d] = (double)gap->point_k[d];
    }
    return wide;
}

static carom_toi_f64 widen_impact(const carom_toi_f32 *impact) {
    carom_toi_f64 wide = {.state = impact->state,
                          .iterations = impact->iterations,
                          .child_i = impact->child_i,
                          .child_k = impact->child_k,
                          .t = (double)impact->t,
                          .gap = (double)impact->gap};
    for (int d = 0; d < 3; ++d) {
        wide.normal[d] = (double)impact->normal[d];
        wide.point_i[d] = (double)impact->point_i[d];
        wide.point_k[d] = (double)impact->point_k[d];
    }
    return wide;
}

static carom_status find_gap(const carom_shapes *shapes, const carom_pose_f64 *a, const carom_pose_f64 *b,
                             const carom_cases_asked *asked, carom_gap_f64 *gap, carom_error *error) {
    carom_distance_config config = carom_distance_config_default();
    config.margin = asked->margin;
    if (asked->f64) {
        return carom_distance_pair_f64(shapes, a, b, &config, gap, NULL, error);
    }
    const carom_pose_f32 narrow_a = narrow_pose(a);
    const carom_pose_f32 narrow_b = narrow_pose(b);
    carom_gap_f32 narrow;
    const carom_status status = carom_distance_pair_f32(shapes, &narrow_a, &narrow_b, &config, &narrow, NULL, error);
    if (status == CAROM_OK) {
        *gap = widen_gap(&narrow);
    }
    return status;
}

/* Of two sides the greater distance, with the greater bounds. What is apart on one side is apart, and what touches
 * touches on both. */
static void join_sides(carom_gap_f64 *gap, const carom_gap_f64 *other) {
    const bool apart = gap->state == CAROM_GAP_SEPARATED || other->state == CAROM_GAP_SEPARATED;
    const bool touching = gap->state == CAROM_GAP_TOUCHING && other->state == CAROM_GAP_TOUCHING;
    const double lower = gap->lower > other->lower ? gap->lower : other->lower;
    const double upper = gap->upper > other->upper ? gap->upper : other->upper;
    if (other->distance > gap->distance) {
        *gap = *other;
    }
    gap->lower = lower;
    gap->upper = upper;
    gap->state = apart ? CAROM_GAP_SEPARATED : touching ? CAROM_GAP_TOUCHING : CAROM_GAP_CLOSE;
}

/* Tries all sides. *a and *b become the poses of the sides with the greatest distance. */
static carom_status find_sides(const carom_cases *cases, const carom_case *c, const carom_cases_asked *asked,
                               carom_pose_f64 *a, carom_pose_f64 *b, carom_gap_f64 *gap, carom_error *error) {
    double most = 0;
    for (int side = 0; side < 4; ++side) {
        const bool turn_a = (side & 1) != 0;
        const bool turn_b = (side & 2) != 0;
        if ((turn_a && !c->a.two_sided) || (turn_b && !c->b.two_sided)) {
            continue;
        }
        const carom_pose_f64 side_a = pose_of(&c->a, turn_a);
        const carom_pose_f64 side_b = pose_of(&c->b, turn_b);
        carom_gap_f64 found;
        const carom_status status = find_gap(cases->table, &side_a, &side_b, asked, &found, error);
        if (status != CAROM_OK) {
            return status;
        }
        if (side == 0 || found.distance > most) {
            most = found.distance;
            *a = side_a;
            *b = side_b;
        }
        if (side == 0) {
            *gap = found;
        } else {
            join_sides(gap, &found);
        }
    }
    return CAROM_OK;
}

carom_status carom_cases_pair_gap(const carom_cases *cases, const carom_case *c, const carom_cases_asked *asked,
                                  carom_gap_f64 *gap, carom_error *error) {
    carom_pose_f64 a;
    carom_pose_f64 b;
    return find_sides(cases, c, asked, &a, &b, gap, error);
}

static carom_sweep_f64 sweep_of(const carom_case_body *body) {
    carom_sweep_f64 sweep;
    memcpy(sweep.move, body->move, sizeof sweep.move);
    memcpy(sweep.spin, body->spin, sizeof sweep.spin);
    return sweep;
}

static carom_sweep_f32 narrow_sweep(const carom_sweep_f64 *wide) {
    carom_sweep_f32 sweep;
    for (int d = 0; d < 3; ++d) {
        sweep.move[d] = (float)wide->move[d];
        sweep.spin[d] = (float)wide->spin[d];
    }
    return sweep;
}

carom_status carom_cases_pair_toi(const carom_cases *cases, const carom_case *c, const carom_cases_asked *asked,
                                  carom_toi_f64 *impact, carom_error *error) {
    carom_toi_config config = carom_toi_config_default();
    config.margin = asked->margin;
    carom_pose_f64 a = pose_of(&c->a, false);
    carom_pose_f64 b = pose_of(&c->b, false);
    const carom_sweep_f64 sweep_a = sweep_of(&c->a);
    const carom_sweep_f64 sweep_b = sweep_of(&c->b);
    if (c->a.two_sided || c->b.two_sided) {
        carom_gap_f64 gap;
        const carom_status status = find_sides(cases, c, asked, &a, &b, &gap, error);
        if (status != CAROM_OK) {
            return status;
        }
    }
    if (asked->f64) {
        return carom_toi_pair_f64(cases->table, &a, &sweep_a, &b, &sweep_b, &config, impact, error);
    }
    const carom_pose_f32 narrow_a = narrow_pose(&a);
    const carom_pose_f32 narrow_b = narrow_pose(&b);
    const carom_sweep_f32 narrow_sweep_a = narrow_sweep(&sweep_a);
    const carom_sweep_f32 narrow_sweep_b = narrow_sweep(&sweep_b);
    carom_toi_f32 narrow;
    const carom_status status = carom_toi_pair_f32(cases->table, &narrow_a, &narrow_sweep_a, &narrow_b, &narrow_sweep_b,
                                                   &config, &narrow, error);
    if (status == CAROM_OK) {
        *impact = widen_impact(&narrow);
    }
    return status;
}
