/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a posed shape and a direction. Out: the face most parallel to it, or the edge or point that is farthest. */
#include "kernel/narrow/feature.h"

#include <math.h>

#include "simd/compare.h"
#include "simd/ref/support.h"
#include "simd/vector.h"

/* A disc faces a direction within this cosine of its axis, about 45 degrees; else the side of the shape does. */
static const double DISC_COSINE = 0.7;

/* Sine of some 8 degrees: edges are across a direction within that. */
static const double ACROSS = 0.14;

/* Cosine of 45 degrees: the points of a rim are an eighth of a turn apart. */
static const double EIGHTH = 0x1.6a09e667f3bcdp-1;

static void add(carom_feature *feature, double x, double y, double z) {
    double *p = feature->point[feature->count++];
    p[0] = x;
    p[1] = y;
    p[2] = z;
}

/* Points of a rim of radius r at height z, counterclockwise seen from `side` of the z axis. They are always the same:
 * where the rim is lowest depends on rounding while a cylinder stands. */
static void find_rim(double r, double z, int side, carom_feature *feature) {
    double x = r;
    double y = 0.0;
    feature->normal[2] = side;
    for (int n = 0; n < CAROM_FEATURE_RIM; n++) {
        add(feature, x, y, z);
        const double turned = EIGHTH * (x - side * y);
        y = EIGHTH * (side * x + y);
        x = turned;
    }
}

static void find_cylinder(const double extent[3], const double d[3], carom_feature *feature) {
    double s[3];
    if (fabs(d[2]) >= DISC_COSINE) {
        const int side = d[2] < 0.0 ? -1 : 1;
        find_rim(extent[0], side * extent[2], side, feature);
        return;
    }
    carom_support_circle(extent[0], d, s);
    add(feature, s[0], s[1], -extent[2]);
    add(feature, s[0], s[1], extent[2]);
}

static void find_cone(const double extent[3], const double d[3], carom_feature *feature) {
    double s[3];
    if (d[2] <= -DISC_COSINE) {
        find_rim(extent[0], -extent[2], -1, feature);
        return;
    }
    carom_support_circle(extent[0], d, s);
    add(feature, s[0], s[1], -extent[2]);
    add(feature, 0.0, 0.0, extent[2]);
}

static void add_vertex(const carom_hull *hull, uint32_t vertex, carom_feature *feature) {
    add(feature, hull->vertex[0][vertex], hull->vertex[1][vertex], hull->vertex[2][vertex]);
}

static void find_hull(const carom_hull *hull, const double d[3], carom_feature *feature) {
    uint32_t best = 0;
    double most = -HUGE_VAL;
    for (uint32_t n = 0; n < hull->face_count; n++) {
        const double cosine = carom_vector_dot(hull->face[n].normal, d);
        best = cosine > most ? n : best;
        most = cosine > most ? cosine : most;
    }
    if (hull->face_count == 0) {
        for (uint32_t n = 0; n < hull->vertex_count; n++) {
            add_vertex(hull, n, feature);
        }
        return;
    }
    const carom_hull_face *face = &hull->face[best];
    const uint32_t count = face->count < CAROM_FEATURE_POINTS ? face->count : CAROM_FEATURE_POINTS;
    for (uint32_t n = 0; n < count; n++) {
        add_vertex(hull, hull->corner[face->first + n * face->count / count], feature);
    }
    for (int a = 0; a < 3; a++) {
        feature->normal[a] = face->normal[a];
    }
}

/* The line on the side that faces d. The farthest points of all may lie on the caps, off this line. */
static void find_capsule(double radius, const double extent[3], const double d[3], carom_feature *feature) {
    double s[3];
    carom_support_circle(radius, d, s);
    add(feature, s[0], s[1], -extent[2]);
    add(feature, s[0], s[1], extent[2]);
}

static void find_local(const carom_shape_entry *shape, const double d[3], carom_feature *feature) {
    switch (shape->kind) {
    case CAROM_SHAPE_CAPSULE:
        find_capsule(shape->radius, shape->extent, d, feature);
        break;
    case CAROM_SHAPE_CYLINDER:
        find_cylinder(shape->extent, d, feature);
        break;
    case CAROM_SHAPE_CONE:
        find_cone(shape->extent, d, feature);
        break;
    case CAROM_SHAPE_HULL:
        find_hull(shape->hull, d, feature);
        break;
    default:
        carom_support_local(shape, d, feature->point[0]);
        for (int a = 0; a < 3; a++) {
            feature->point[0][a] += shape->radius * d[a];
        }
        feature->count = 1;
        break;
    }
}

/* The axis of a box whose faces are most parallel to d. */
static int face_axis(const double d[3]) {
    const int axis = fabs(d[1]) > fabs(d[0]) ? 1 : 0;
    return fabs(d[2]) > fabs(d[axis]) ? 2 : axis;
}

double carom_feature_cosine(const carom_posed *posed, const double n[3]) {
    double d[3];
    if (posed->shape->kind != CAROM_SHAPE_BOX) {
        return 1.0;
    }
    carom_pose_to_local(posed->turn, n, d);
    return fabs(d[face_axis(d)]);
}

/* The face of a box: its middle, and half its edges to either side. */
static void find_face(const carom_posed *posed, const double d[3], carom_feature *feature) {
    static const double corner[4][2] = {{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}};
    const double *h = posed->shape->extent;
    const int axis = face_axis(d);
    const int u = (axis + 1) % 3;
    const int v = (axis + 2) % 3;
    const double side = d[axis] < 0.0 ? -1.0 : 1.0;
    feature->count = 4;
    for (int a = 0; a < 3; a++) {
        const double *row = posed->turn[a];
        const double middle = posed->at[a] + side * h[axis] * row[axis];
        const double along_u = side * h[u] * row[u]; /* the other way round on the far side */
        const double along_v = h[v] * row[v];
        feature->normal[a] = side * row[axis];
        for (int n = 0; n < 4; n++) {
            feature->point[n][a] = middle + corner[n][0] * along_u + corner[n][1] * along_v;
        }
    }
}

void carom_feature_find(const carom_posed *posed, const double n[3], carom_feature *feature) {
    double d[3];
    carom_feature local;
    carom_pose_to_local(posed->turn, n, d);
    if (posed->shape->kind == CAROM_SHAPE_BOX) {
        find_face(posed, d, feature);
        return;
    }
    local.count = 0;
    for (int a = 0; a < 3; a++) {
        local.normal[a] = 0.0;
    }
    find_local(posed->shape, d, &local);
    feature->count = local.count;
    carom_pose_from_local(posed->turn, local.normal, feature->normal);
    for (uint32_t p = 0; p < local.count; p++) {
        carom_pose_from_local(posed->turn, local.point[p], feature->point[p]);
        for (int a = 0; a < 3; a++) {
            feature->point[p][a] += posed->at[a];
        }
    }
}

/* Of the edges along each axis those at a corner of the box; the one that is most across d. */
static void find_box_edge(const double h[3], const double d[3], carom_feature *edge) {
    const int least = fabs(d[1]) < fabs(d[0]) ? 1 : 0;
    const int axis = fabs(d[2]) < fabs(d[least]) ? 2 : least;
    for (int end = 0; end < 2; end++) {
        for (int a = 0; a < 3; a++) {
            edge->point[end][a] = d[a] < 0.0 ? -h[a] : h[a];
        }
        edge->point[end][axis] = end == 0 ? -h[axis] : h[axis];
    }
    edge->count = 2;
}

static double vertex_height(const carom_hull *hull, uint32_t vertex, const double d[3]) {
    return d[0] * hull->vertex[0][vertex] + d[1] * hull->vertex[1][vertex] + d[2] * hull->vertex[2][vertex];
}

static uint32_t farthest_vertex(const carom_hull *hull, const double d[3]) {
    uint32_t best = 0;
    double most = -HUGE_VAL;
    for (uint32_t n = 0; n < hull->vertex_count; n++) {
        const double height = vertex_height(hull, n, d);
        best = height > most ? n : best;
        most = carom_greater(height, most);
    }
    return best;
}

/* The edge whose lower end is farthest along d: of a convex polytope, one of the farthest vertex. */
static void find_hull_edge(const carom_hull *hull, const double d[3], carom_feature *edge) {
    const uint32_t from = farthest_vertex(hull, d);
    uint32_t to = from;
    double most = -HUGE_VAL;
    for (uint32_t n = 0; n < hull->face_count; n++) {
        const carom_hull_face *face = &hull->face[n];
        const uint32_t *corner = hull->corner + face->first;
        for (uint32_t c = 0; c < face->count; c++) {
            const uint32_t next = corner[c + 1 < face->count ? c + 1 : 0];
            if (corner[c] != from) { /* each edge at a vertex begins there in one of its faces */
                continue;
            }
            const double height = vertex_height(hull, next, d);
            to = height > most ? next : to;
            most = carom_greater(height, most);
        }
    }
    edge->count = 0;
    add_vertex(hull, from < to ? from : to, edge);
    add_vertex(hull, from < to ? to : from, edge);
}

/* Two points of a shape's own frame, in that of the pose. */
static void place_edge(const carom_posed *posed, carom_feature *edge) {
    for (int end = 0; end < 2; end++) {
        double local[3] = {edge->point[end][0], edge->point[end][1], edge->point[end][2]};
        carom_pose_from_local(posed->turn, local, edge->point[end]);
        for (int a = 0; a < 3; a++) {
            edge->point[end][a] += posed->at[a];
        }
    }
}

static bool is_across(const carom_feature *edge, const double n[3]) {
    double along[3];
    for (int a = 0; a < 3; a++) {
        along[a] = edge->point[1][a] - edge->point[0][a];
    }
    const double slope = carom_vector_dot(along, n);
    return slope * slope <= ACROSS * ACROSS * carom_vector_dot(along, along);
}

bool carom_feature_edge(const carom_posed *posed, const double n[3], carom_feature *edge) {
    const carom_shape_entry *shape = posed->shape;
    double d[3];
    carom_pose_to_local(posed->turn, n, d);
    if (shape->kind == CAROM_SHAPE_BOX) {
        find_box_edge(shape->extent, d, edge);
        place_edge(posed, edge);
    } else if (shape->kind == CAROM_SHAPE_HULL && shape->hull->face_count > 0) {
        find_hull_edge(shape->hull, d, edge);
        place_edge(posed, edge);
    } else {
        carom_feature_find(posed, n, edge);
    }
    return edge->count == 2 && is_across(edge, n);
}
