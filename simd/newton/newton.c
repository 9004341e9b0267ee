/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: two cores and a direction. Out: one nearby in which their difference is least wide. */
#include "simd/newton/newton.h"

#include <math.h>

#include "simd/vector.h"

enum { STEPS_MAX = 12 };

/* Angles from the planes of edges: edges nearer than the first one are active from the beginning; where h has no
 * minimum, the nearest one within the second one becomes active. */
static const double ANGLE_NEAR = 0x1p-6;
static const double ANGLE_FAR = 0.5;

/* Steps are not longer than this. Shorter than the second one they are rounding. */
static const double STEP_MOST = 0.25;
static const double STEP_LEAST = 0x1p-44;

/* The part of a goal's width that a last step may have. */
static const double STEP_PART = 0.0625;

/* Two edges whose planes meet at an angle with a lesser sine count as parallel. */
static const double PARALLEL = 0x1p-20;

double carom_newton_tolerance(const carom_goal *goal, double size) {
    return STEP_PART * goal->width * (goal->reach / size);
}

/* Makes an edge of core c active, a hull of which one vertex is known: the edge to the vertex whose plane is nearest to
 * u, if it is nearer than `angle`. */
static bool activate_vertex(carom_support_model *model, uint32_t c, double angle) {
    const carom_hull *hull = model->core[c]->shape->hull;
    uint32_t best = CAROM_MODEL_NONE;
    double p[3];
    double least = angle;
    carom_model_vertex(model, c, model->vertex[c][0], p);
    for (uint32_t n = 0; n < hull->vertex_count; n++) {
        double q[3];
        carom_model_vertex(model, c, n, q);
        carom_vector_add(p, -1.0, q, q);
        const double x = carom_vector_dot(q, model->tangent[0]);
        const double y = carom_vector_dot(q, model->tangent[1]);
        const double off = fabs(carom_vector_dot(q, model->u)) / sqrt(x * x + y * y);
        best = n != model->vertex[c][0] && off < least ? n : best;
        least = n != model->vertex[c][0] && off < least ? off : least;
    }
    if (best == CAROM_MODEL_NONE) {
        return false;
    }
    model->vertex[c][1] = best;
    model->edge[model->hull_edge[c]].active = true;
    model->edge[model->hull_edge[c]].weight = 0.0;
    return true;
}

/* Makes the edge active whose plane is nearest to u, of those nearer than `angle`. False if there is none. */
static bool activate_nearest(carom_support_model *model, double angle) {
    carom_model_edge *best = NULL;
    double least = angle;
    for (uint32_t n = 0; n < model->edge_count; n++) {
        carom_model_edge *edge = &model->edge[n];
        const double off = fabs(edge->offset) / sqrt(edge->square);
        best = !edge->active && off < least ? edge : best;
        least = !edge->active && off < least ? off : least;
    }
    for (uint32_t c = 0; c < 2; c++) {
        if (model->core[c]->shape->kind == CAROM_SHAPE_HULL && model->vertex[c][1] == CAROM_MODEL_NONE &&
            activate_vertex(model, c, least)) {
            return carom_model_evaluate(model);
        }
    }
    if (best == NULL) {
        return false;
    }
    best->active = true;
    best->weight = 0.0;
    carom_model_update(model);
    return true;
}

/* The active edges; returns how many, 3 for more than two. */
static uint32_t list_active(carom_support_model *model, carom_model_edge *active[3]) {
    uint32_t count = 0;
    for (uint32_t n = 0; n < model->edge_count && count < 3; n++) {
        if (model->edge[n].active) {
            active[count++] = &model->edge[n];
        }
    }
    return count;
}

/* Second derivatives of h on the sphere, along the tangents. */
static void sphere_curvature(const carom_support_model *model, double curvature[3]) {
    curvature[0] = model->curvature[0] - model->value;
    curvature[1] = model->curvature[1];
    curvature[2] = model->curvature[2] - model->value;
}

/* The slope after a step: slope + curvature step. */
static void find_slope(const carom_support_model *model, const double step[2], double slope[2]) {
    double curvature[3];
    sphere_curvature(model, curvature);
    slope[0] = model->slope[0] + (curvature[0] * step[0] + curvature[1] * step[1]);
    slope[1] = model->slope[1] + (curvature[1] * step[0] + curvature[2] * step[1]);
}

/* The step where no edge is active. False where h has no minimum. */
static bool step_free(const carom_support_model *model, double step[2]) {
    double curvature[3];
    sphere_curvature(model, curvature);
    const double det = curvature[0] * curvature[2] - curvature[1] * curvature[1];
    step[0] = -(curvature[2] * model->slope[0] - curvature[1] * model->slope[1]) / det;
    step[1] = -(curvature[0] * model->slope[1] - curvature[1] * model->slope[0]) / det;
    return curvature[0] > 0.0 && det > 0.0;
}

/* The step to and along the plane of an edge, and the edge's weight. False where h has no
 * minimum along it. */
static bool step_along(const carom_support_model *model, carom_model_edge *edge, double step[2]) {
    const double length = sqrt(edge->square);
    const double normal[2] = {edge->across[0] / length, edge->across[1] / length};
    const double along[2] = {-normal[1], normal[0]};
    double curvature[3];
    double slope[2];
    sphere_curvature(model, curvature);
    const double bend = curvature[0] * along[0] * along[0] + 2.0 * curvature[1] * along[0] * along[1] +
                        curvature[2] * along[1] * along[1];
    if (!(bend > 0.0)) {
        return false;
    }
    step[0] = -edge->offset / length * normal[0];
    step[1] = -edge->offset / length * normal[1];
    find_slope(model, step, slope);
    const double far = -(slope[0] * along[0] + slope[1] * along[1]) / bend;
    step[0] += far * along[0];
    step[1] += far * along[1];
    find_slope(model, step, slope);
    edge->weight = -(slope[0] * normal[0] + slope[1] * normal[1]) / length;
    return true;
}

/* The step to where the planes of two edges meet, and the weights of both. False if they are parallel. */
static bool step_to(const carom_support_model *model, carom_model_edge *a, carom_model_edge *b, double step[2]) {
    const double det = a->across[0] * b->across[1] - a->across[1] * b->across[0];
    double slope[2];
    step[0] = (b->offset * a->across[1] - a->offset * b->across[1]) / det;
    step[1] = (a->offset * b->across[0] - b->offset * a->across[0]) / det;
    find_slope(model, step, slope);
    a->weight = (slope[1] * b->across[0] - slope[0] * b->across[1]) / det;
    b->weight = (slope[0] * a->across[1] - slope[1] * a->across[0]) / det;
    return fabs(det) > PARALLEL * sqrt(a->square * b->square);
}

/* Makes the edge inactive whose point lies farthest beyond its ends; false if none does. */
static bool release_worst(carom_model_edge *active[3], uint32_t count) {
    carom_model_edge *worst = NULL;
    double most = 1.0;
    for (uint32_t n = 0; n < count; n++) {
        const double far = fabs(active[n]->weight);
        worst = far > most ? active[n] : worst;
        most = far > most ? far : most;
    }
    if (worst != NULL) {
        worst->active = false;
    }
    return worst != NULL;
}

/* After a step of a hull: a farthest vertex that is at neither end of its edge begins a new edge, which is active.
 * False if the edge was active: the hull has a face there. */
static bool turn_hull(carom_support_model *model, uint32_t c) {
    uint32_t *vertex = model->vertex[c];
    carom_model_edge *edge = &model->edge[model->hull_edge[c]];
    const uint32_t farthest = carom_model_farthest(model, c);
    if (farthest == vertex[0] || farthest == vertex[1]) {
        return true;
    }
    if (edge->active) {
        return false;
    }
    vertex[0] = vertex[1] != CAROM_MODEL_NONE && edge->weight < 0.0 ? vertex[1] : vertex[0];
    vertex[1] = farthest;
    edge->active = true;
    edge->weight = 0.0;
    return true;
}

/* Makes a step. Edges whose planes it crosses become active. */
static bool move(carom_support_model *model, const double step[2]) {
    const double length = sqrt(step[0] * step[0] + step[1] * step[1]);
    const double scale = length > STEP_MOST ? STEP_MOST / length : 1.0;
    double before[CAROM_MODEL_EDGES];
    bool crossed = false;
    for (uint32_t n = 0; n < model->edge_count; n++) {
        before[n] = model->edge[n].offset;
    }
    carom_vector_add(model->u, scale * step[0], model->tangent[0], model->u);
    carom_vector_add(model->u, scale * step[1], model->tangent[1], model->u);
    if (!carom_vector_unit(model->u, model->u)) {
        return false;
    }
    for (uint32_t c = 0; c < 2; c++) {
        if (model->core[c]->shape->kind == CAROM_SHAPE_HULL && !turn_hull(model, c)) {
            return false;
        }
    }
    if (!carom_model_evaluate(model)) {
        return false;
    }
    for (uint32_t n = 0; n < model->edge_count; n++) {
        carom_model_edge *edge = &model->edge[n];
        const bool crosses = !edge->active && edge->offset * before[n] < 0.0;
        edge->active = edge->active || crosses;
        edge->weight = crosses ? 0.0 : edge->weight;
        crossed = crossed || crosses;
    }
    if (crossed) {
        carom_model_update(model);
    }
    return true;
}

/* The step from the model's direction. False where there is none. */
static bool find_step(const carom_support_model *model, carom_model_edge *active[3], uint32_t count, double step[2]) {
    switch (count) {
    case 0:
        return step_free(model, step);
    case 1:
        return step_along(model, active[0], step);
    case 2:
        return step_to(model, active[0], active[1], step);
    default:
        return false;
    }
}

bool carom_newton_least(carom_support_model *model, const carom_posed *i, const carom_posed *k, const double u[3],
                        double tolerance) {
    carom_model_begin(model, i, k, u);
    const double least = tolerance > STEP_LEAST ? tolerance : STEP_LEAST;
    bool good = carom_model_evaluate(model);
    while (good && activate_nearest(model, ANGLE_NEAR)) {
    }
    for (uint32_t n = 0; n < STEPS_MAX && good; n++) {
        carom_model_edge *active[3];
        double step[2];
        const uint32_t count = list_active(model, active);
        if (!find_step(model, active, count, step)) {
            good = count < 2 && activate_nearest(model, ANGLE_FAR);
        } else if (release_worst(active, count)) {
            carom_model_update(model);
        } else if (step[0] * step[0] + step[1] * step[1] < least * least) {
            carom_model_update(model); /* the step has found new weights */
            return true;
        } else {
            good = move(model, step);
        }
    }
    return false;
}
