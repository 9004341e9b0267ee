/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: a posed shape and a direction. Out: the face most parallel to it, or the edge or point that is farthest. */
#include "kernel/narrow/feature.h"

#include <math.h>

#include "simd/ref/support.h"
#include "simd/vector.h"

/* A disc faces a direction within this cosine of its axis, about 45 degrees; else the side of the shape does. */
static const double DISC_COSINE = 0.7;

/* Cosine of 45 degrees: the points of a rim are an eighth of a turn apart. */
static const double EIGHTH = 0x1.6a09e667f3bcdp-1;

static void add(carom_feature *feature, double x, double y, double z) {
    double *p = feature->point[feature->count++];
    p[0] = x;
    p[1] = y;
    p[2] = z;
}

/* Points of a rim of radius r at height z, counterclockwise seen from `side` of the z axis. */
static void find_rim(double r, double z, int side, const double d[3], carom_feature *feature) {
    const double length = sqrt(d[0] * d[0] + d[1] * d[1]);
    double x = length > 0.0 ? r * (d[0] / length) : r;
    double y = length > 0.0 ? r * (d[1] / length) : 0.0;
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
        find_rim(extent[0], side * extent[2], side, d, feature);
        return;
    }
    carom_support_circle(extent[0], d, s);
    add(feature, s[0], s[1], -extent[2]);
    add(feature, s[0], s[1], extent[2]);
}

static void find_cone(const double extent[3], const double d[3], carom_feature *feature) {
    double s[3];
    if (d[2] <= -DISC_COSINE) {
        find_rim(extent[0], -extent[2], -1, d, feature);
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

/* The line of the side that faces d: the caps' farthest points are not on it. */
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
