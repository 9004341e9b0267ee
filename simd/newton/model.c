/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: two cores and a direction. Out: the support function of their difference there. */
#include "simd/newton/model.h"

#include <math.h>

#include "kernel/check/assert.h"
#include "simd/vector.h"

/* Where |S u| is less than this part of the greatest semi-axis, a round body has too great a curvature. */
static const double ROUND_LEAST = 0x1p-10;

/* Squares of shorter lengths may lose digits. */
static const double LENGTH_LEAST = 0x1p-200;

uint32_t carom_model_farthest(const carom_support_model *model, uint32_t c) {
    const carom_hull *hull = model->core[c]->shape->hull;
    const double sign = c == 0 ? 1.0 : -1.0;
    double d[3];
    uint32_t best = 0;
    double most = -HUGE_VAL;
    carom_pose_to_local(model->core[c]->turn, model->u, d);
    for (uint32_t n = 0; n < hull->vertex_count; n++) {
        const double far = sign * (d[0] * hull->vertex[0][n] + d[1] * hull->vertex[1][n] + d[2] * hull->vertex[2][n]);
        best = far > most ? n : best;
        most = far > most ? far : most;
    }
    return best;
}

void carom_model_vertex(const carom_support_model *model, uint32_t c, uint32_t vertex, double point[3]) {
    const carom_posed *core = model->core[c];
    const carom_hull *hull = core->shape->hull;
    const double local[3] = {hull->vertex[0][vertex], hull->vertex[1][vertex], hull->vertex[2][vertex]};
    carom_pose_from_local(core->turn, local, point);
    for (int d = 0; d < 3; d++) {
        point[d] = c == 0 ? point[d] + core->at[d] : -(point[d] + core->at[d]);
    }
}

/* Whether an edge is active, and its weight, stay as they were in the model before. */
static void add_edge(carom_support_model *model, uint32_t c, const double half[3], int round) {
    CAROM_ASSERT(model->edge_count < CAROM_MODEL_EDGES);
    carom_model_edge *edge = &model->edge[model->edge_count++];
    for (int d = 0; d < 3; d++) {
        edge->half[d] = half[d];
    }
    edge->core = c;
    edge->round = round;
}

/* Edges of core c along the axes of its frame, from `first` on, which are not points. */
static void add_axes(carom_support_model *model, uint32_t c, int first) {
    const carom_posed *core = model->core[c];
    for (int a = first; a < 3; a++) {
        const double half[3] = {core->shape->extent[a] * core->turn[0][a], core->shape->extent[a] * core->turn[1][a],
                                core->shape->extent[a] * core->turn[2][a]};
        if (core->shape->extent[a] > 0.0) {
            add_edge(model, c, half, -1);
        }
    }
}

/* A round body of core c with these semi-axes. |S u| and what follows from it are the same for -u. */
static carom_model_round *add_round(carom_support_model *model, uint32_t c, const double axis[3]) {
    const carom_posed *core = model->core[c];
    carom_model_round *round = &model->round[model->round_count++];
    double s[3];
    double t[2][3];
    double along[2];
    carom_pose_to_local(core->turn, model->u, s);
    round->axis_most = 0.0;
    for (int a = 0; a < 3; a++) {
        round->axis_most = axis[a] > round->axis_most ? axis[a] : round->axis_most;
        s[a] *= axis[a];
    }
    round->length = carom_vector_length(s);
    const double scale = 1.0 / round->length;
    for (int a = 0; a < 3; a++) {
        s[a] = axis[a] * (s[a] * scale);
    }
    carom_pose_from_local(core->turn, s, round->point);
    for (int n = 0; n < 2; n++) {
        carom_pose_to_local(core->turn, model->tangent[n], t[n]);
        along[n] = carom_vector_dot(round->point, model->tangent[n]);
        for (int a = 0; a < 3; a++) {
            t[n][a] *= axis[a];
        }
    }
    round->curvature[0] = (carom_vector_dot(t[0], t[0]) - along[0] * along[0]) * scale;
    round->curvature[1] = (carom_vector_dot(t[0], t[1]) - along[0] * along[1]) * scale;
    round->curvature[2] = (carom_vector_dot(t[1], t[1]) - along[1] * along[1]) * scale;
    round->tangential = sqrt(along[0] * along[0] + along[1] * along[1]);
    round->weight = 1.0;
    round->core = c;
    return round;
}

static void add_cone(carom_support_model *model, uint32_t c) {
    const carom_posed *core = model->core[c];
    const double *extent = core->shape->extent;
    const double disc[3] = {extent[0], extent[1], 0.0};
    const carom_model_round *base = add_round(model, c, disc);
    double half[3];
    for (int d = 0; d < 3; d++) {
        const double up = c == 0 ? core->turn[d][2] : -core->turn[d][2];
        half[d] = extent[2] * up - 0.5 * base->point[d];
        model->middle[c][d] += 0.5 * base->point[d];
    }
    add_edge(model, c, half, (int)model->round_count - 1);
}

/* A hull's edge, which has no length if only one vertex is known. */
static void add_hull(carom_support_model *model, uint32_t c) {
    const uint32_t *vertex = model->vertex[c];
    double p[3];
    double q[3];
    double half[3];
    carom_model_vertex(model, c, vertex[0], p);
    carom_model_vertex(model, c, vertex[1] == CAROM_MODEL_NONE ? vertex[0] : vertex[1], q);
    for (int d = 0; d < 3; d++) {
        model->middle[c][d] = 0.5 * (p[d] + q[d]);
        half[d] = 0.5 * (p[d] - q[d]);
    }
    model->hull_edge[c] = model->edge_count;
    add_edge(model, c, half, -1);
}

static void add_core(carom_support_model *model, uint32_t c) {
    const carom_posed *core = model->core[c];
    const double *extent = core->shape->extent;
    const double disc[3] = {extent[0], extent[1], 0.0};
    for (int d = 0; d < 3; d++) {
        model->middle[c][d] = c == 0 ? core->at[d] : -core->at[d];
    }
    switch (core->shape->kind) {
    case CAROM_SHAPE_HULL:
        add_hull(model, c);
        break;
    case CAROM_SHAPE_CYLINDER:
        (void)add_round(model, c, disc);
        add_axes(model, c, 2);
        break;
    case CAROM_SHAPE_CONE:
        add_cone(model, c);
        break;
    case CAROM_SHAPE_ELLIPSOID:
        (void)add_round(model, c, extent);
        model->ball[c] = core->shape->radius;
        break;
    default: /* a point, a segment or a box */
        add_axes(model, c, 0);
        break;
    }
}

/* How far u is from the planes of edges, and the weights of those that are not active. */
static void set_weights(carom_support_model *model) {
    for (uint32_t n = 0; n < model->edge_count; n++) {
        carom_model_edge *edge = &model->edge[n];
        edge->offset = carom_vector_dot(edge->half, model->u);
        edge->across[0] = carom_vector_dot(edge->half, model->tangent[0]);
        edge->across[1] = carom_vector_dot(edge->half, model->tangent[1]);
        edge->square = edge->across[0] * edge->across[0] + edge->across[1] * edge->across[1];
        if (!edge->active) {
            edge->weight = edge->offset < 0.0 ? -1.0 : 1.0;
        }
        if (edge->round >= 0) {
            model->round[edge->round].weight = 0.5 * (1.0 - edge->weight);
        }
    }
}

/* Whether a round body stands alone: not as a cone's base, which is a part of an edge. */
static bool is_alone(const carom_support_model *model, uint32_t round) {
    return model->core[model->round[round].core]->shape->kind != CAROM_SHAPE_CONE;
}

/* The point of core c's part of the difference, without active edges and without balls. */
static void find_point(const carom_support_model *model, uint32_t c, double point[3]) {
    for (int d = 0; d < 3; d++) {
        point[d] = model->middle[c][d];
    }
    for (uint32_t n = 0; n < model->edge_count; n++) {
        const carom_model_edge *edge = &model->edge[n];
        if (edge->core == c && !edge->active) {
            carom_vector_add(point, edge->weight, edge->half, point);
        }
    }
    for (uint32_t n = 0; n < model->round_count; n++) {
        if (model->round[n].core == c && is_alone(model, n)) {
            carom_vector_add(point, 1.0, model->round[n].point, point);
        }
    }
}

/* Sums the terms. */
static void sum(carom_support_model *model) {
    double p[3];
    double q[3];
    find_point(model, 0, p);
    find_point(model, 1, q);
    carom_vector_add(p, 1.0, q, p);
    model->value = carom_vector_dot(p, model->u);
    model->slope[0] = carom_vector_dot(p, model->tangent[0]);
    model->slope[1] = carom_vector_dot(p, model->tangent[1]);
    for (uint32_t n = 0; n < model->edge_count; n++) {
        model->value += model->edge[n].active ? fabs(model->edge[n].offset) : 0.0;
    }
    for (int m = 0; m < 3; m++) {
        model->curvature[m] = 0.0;
        for (uint32_t n = 0; n < model->round_count; n++) {
            model->curvature[m] += model->round[n].weight * model->round[n].curvature[m];
        }
    }
}

void carom_model_update(carom_support_model *model) {
    set_weights(model);
    sum(model);
}

bool carom_model_evaluate(carom_support_model *model) {
    model->edge_count = model->round_count = 0;
    model->ball[0] = model->ball[1] = 0.0;
    carom_vector_across(model->u, model->tangent[0]);
    carom_vector_cross(model->u, model->tangent[0], model->tangent[1]);
    add_core(model, 0);
    add_core(model, 1);
    carom_model_update(model);
    bool smooth = true;
    for (uint32_t n = 0; n < model->round_count; n++) {
        const carom_model_round *round = &model->round[n];
        smooth = smooth && round->length > ROUND_LEAST * round->axis_most && round->length > LENGTH_LEAST;
    }
    return smooth;
}

void carom_model_begin(carom_support_model *model, const carom_posed *i, const carom_posed *k, const double u[3]) {
    model->core[0] = i;
    model->core[1] = k;
    (void)carom_vector_unit(u, model->u);
    for (uint32_t n = 0; n < CAROM_MODEL_EDGES; n++) {
        model->edge[n].active = false;
    }
    for (uint32_t c = 0; c < 2; c++) {
        const bool is_hull = model->core[c]->shape->kind == CAROM_SHAPE_HULL;
        model->vertex[c][0] = is_hull ? carom_model_farthest(model, c) : CAROM_MODEL_NONE;
        model->vertex[c][1] = CAROM_MODEL_NONE;
    }
}

void carom_model_answer(const carom_support_model *model, carom_difference_point *point) {
    double other[3];
    find_point(model, 0, point->a);
    find_point(model, 1, other);
    for (uint32_t n = 0; n < model->edge_count; n++) {
        const carom_model_edge *edge = &model->edge[n];
        if (edge->active) {
            double *to = edge->core == 0 ? point->a : other;
            carom_vector_add(to, edge->weight, edge->half, to);
        }
    }
    carom_vector_add(point->a, -model->ball[0], model->u, point->a);
    carom_vector_add(other, -model->ball[1], model->u, other);
    carom_vector_add(point->a, 1.0, other, point->w);
}
