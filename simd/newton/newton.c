/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: two cores and a direction. Out: one nearby in which their difference is least wide. */
#include "simd/newton/newton.h"

#include <math.h>

#include "simd/vector.h"

enum { STEPS_MAX = 12 };

/* Edges that are held when the search begins are nearer than this angle, those that are held where h bends downward
 * nearer than the second one. */
static const double ANGLE_NEAR = 0x1p-6;
static const double ANGLE_FAR = 0.5;

/* The longest step, and one that is of rounding. */
static const double STEP_MOST = 0.25;
static const double STEP_DONE = 0x1p-44;

/* Two edges whose planes meet at an angle with a lesser sine count as parallel. */
static const double PARALLEL = 0x1p-20;

/* Gives core c, a hull of which one vertex is known, the edge to the vertex whose plane is nearest to u, if it is
 * nearer than `angle`. */
static bool hold_vertex(carom_support_model *model, uint32_t c, double angle) {
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
    model->edge[model->hull_edge[c]].held = true;
    model->edge[model->hull_edge[c]].weight = 0.0;
    return true;
}

/* Holds the edge whose plane is nearest to u, of those nearer than `angle`. False if there is none. */
static bool hold_nearest(carom_support_model *model, double angle) {
    carom_model_edge *best = NULL;
    double least = angle;
    for (uint32_t n = 0; n < model->edge_count; n++) {
        carom_model_edge *edge = &model->edge[n];
        const double off = fabs(edge->at) / sqrt(edge->square);
        best = !edge->held && off < least ? edge : best;
        least = !edge->held && off < least ? off : least;
    }
    for (uint32_t c = 0; c < 2; c++) {
        if (model->core[c]->shape->kind == CAROM_SHAPE_HULL && model->vertex[c][1] == CAROM_MODEL_NONE &&
            hold_vertex(model, c, least)) {
            return carom_model_look(model);
        }
    }
    if (best == NULL) {
        return false;
    }
    best->held = true;
    best->weight = 0.0;
    carom_model_settle(model);
    return true;
}

/* The edges that are held; returns how many, 3 for more than two. */
static uint32_t find_held(carom_support_model *model, carom_model_edge *held[3]) {
    uint32_t count = 0;
    for (uint32_t n = 0; n < model->edge_count && count < 3; n++) {
        if (model->edge[n].held) {
            held[count++] = &model->edge[n];
        }
    }
    return count;
}

/* Second derivatives on the sphere, along the tangents. */
static void find_curvature(const carom_support_model *model, double curvature[3]) {
    curvature[0] = model->bend[0] - model->value;
    curvature[1] = model->bend[1];
    curvature[2] = model->bend[2] - model->value;
}

/* The slope after a step: slope + curvature step. */
static void find_slope(const carom_support_model *model, const double step[2], double slope[2]) {
    double curvature[3];
    find_curvature(model, curvature);
    slope[0] = model->slope[0] + (curvature[0] * step[0] + curvature[1] * step[1]);
    slope[1] = model->slope[1] + (curvature[1] * step[0] + curvature[2] * step[1]);
}

/* The step where no edge is held. False where h does not bend upward. */
static bool step_free(const carom_support_model *model, double step[2]) {
    double curvature[3];
    find_curvature(model, curvature);
    const double det = curvature[0] * curvature[2] - curvature[1] * curvature[1];
    step[0] = -(curvature[2] * model->slope[0] - curvature[1] * model->slope[1]) / det;
    step[1] = -(curvature[0] * model->slope[1] - curvature[1] * model->slope[0]) / det;
    return curvature[0] > 0.0 && det > 0.0;
}

/* The step to and along the plane of an edge, and the edge's weight. False where h does not bend upward along it. */
static bool step_along(const carom_support_model *model, carom_model_edge *edge, double step[2]) {
    const double length = sqrt(edge->square);
    const double normal[2] = {edge->across[0] / length, edge->across[1] / length};
    const double along[2] = {-normal[1], normal[0]};
    double curvature[3];
    double slope[2];
    find_curvature(model, curvature);
    const double bend = curvature[0] * along[0] * along[0] + 2.0 * curvature[1] * along[0] * along[1] +
                        curvature[2] * along[1] * along[1];
    step[0] = -edge->at / length * normal[0];
    step[1] = -edge->at / length * normal[1];
    find_slope(model, step, slope);
    const double far = -(slope[0] * along[0] + slope[1] * along[1]) / bend;
    step[0] += far * along[0];
    step[1] += far * along[1];
    find_slope(model, step, slope);
    edge->weight = -(slope[0] * normal[0] + slope[1] * normal[1]) / length;
    return bend > 0.0;
}

/* The step to where the planes of two edges meet, and the weights of both. False if they are parallel. */
static bool step_to(const carom_support_model *model, carom_model_edge *a, carom_model_edge *b, double step[2]) {
    const double det = a->across[0] * b->across[1] - a->across[1] * b->across[0];
    double slope[2];
    step[0] = (b->at * a->across[1] - a->at * b->across[1]) / det;
    step[1] = (a->at * b->across[0] - b->at * a->across[0]) / det;
    find_slope(model, step, slope);
    a->weight = (slope[1] * b->across[0] - slope[0] * b->across[1]) / det;
    b->weight = (slope[0] * a->across[1] - slope[1] * a->across[0]) / det;
    return fabs(det) > PARALLEL * sqrt(a->square * b->square);
}

/* Lets go the edge whose point lies farthest beyond its ends; false if none does. */
static bool let_go(carom_model_edge *held[3], uint32_t count) {
    carom_model_edge *worst = NULL;
    double most = 1.0;
    for (uint32_t n = 0; n < count; n++) {
        const double far = fabs(held[n]->weight);
        worst = far > most ? held[n] : worst;
        most = far > most ? far : most;
    }
    if (worst != NULL) {
        worst->held = false;
    }
    return worst != NULL;
}

/* The vertex of a hull that is farthest after a step. One that is at neither end of its edge begins a new edge, which
 * is held. False if the edge was held: the hull has a face there. */
static bool turn_hull(carom_support_model *model, uint32_t c) {
    uint32_t *vertex = model->vertex[c];
    carom_model_edge *edge = &model->edge[model->hull_edge[c]];
    const uint32_t farthest = carom_model_farthest(model, c);
    if (farthest == vertex[0] || farthest == vertex[1]) {
        return true;
    }
    if (edge->held) {
        return false;
    }
    vertex[0] = vertex[1] != CAROM_MODEL_NONE && edge->weight < 0.0 ? vertex[1] : vertex[0];
    vertex[1] = farthest;
    edge->held = true;
    edge->weight = 0.0;
    return true;
}

/* Makes a step, and holds the edges whose planes it has crossed. */
static bool move(carom_support_model *model, const double step[2]) {
    const double length = sqrt(step[0] * step[0] + step[1] * step[1]);
    const double scale = length > STEP_MOST ? STEP_MOST / length : 1.0;
    double before[CAROM_MODEL_EDGES];
    bool crossed = false;
    for (uint32_t n = 0; n < model->edge_count; n++) {
        before[n] = model->edge[n].at;
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
    if (!carom_model_look(model)) {
        return false;
    }
    for (uint32_t n = 0; n < model->edge_count; n++) {
        carom_model_edge *edge = &model->edge[n];
        const bool crosses = !edge->held && edge->at * before[n] < 0.0;
        edge->held = edge->held || crosses;
        edge->weight = crosses ? 0.0 : edge->weight;
        crossed = crossed || crosses;
    }
    if (crossed) {
        carom_model_settle(model);
    }
    return true;
}

/* The step from the model's direction. False where there is none, because h does not bend upward. */
static bool find_step(const carom_support_model *model, carom_model_edge *held[3], uint32_t count, double step[2]) {
    switch (count) {
    case 0:
        return step_free(model, step);
    case 1:
        return step_along(model, held[0], step);
    case 2:
        return step_to(model, held[0], held[1], step);
    default:
        return false;
    }
}

bool carom_newton_least(carom_support_model *model, const carom_posed *i, const carom_posed *k, const double u[3],
                        double step_most) {
    carom_model_begin(model, i, k, u);
    const double least = step_most > STEP_DONE ? step_most : STEP_DONE;
    bool good = carom_model_look(model);
    while (good && hold_nearest(model, ANGLE_NEAR)) {
    }
    for (uint32_t n = 0; n < STEPS_MAX && good; n++) {
        carom_model_edge *held[3];
        double step[2];
        const uint32_t count = find_held(model, held);
        if (!find_step(model, held, count, step)) {
            good = count < 2 && hold_nearest(model, ANGLE_FAR);
        } else if (let_go(held, count)) {
            carom_model_settle(model);
        } else if (step[0] * step[0] + step[1] * step[1] < least * least) {
            carom_model_settle(model); /* the step has found new weights */
            return true;
        } else {
            good = move(model, step);
        }
    }
    return false;
}
