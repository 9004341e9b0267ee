/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A sphere against a box, a cylinder or a cone. In: both. Out: the signed distance of the centre from the solid, less
 * the radius.
 *
 * A box is a distance past its faces, an axis each. A cylinder and a cone are figures in the half-plane through their
 * axis and the centre. */
#include "simd/ref/closed_solid.h"
#include "simd/ref/closed_work.h"

/* A point's place about a solid, in the frame of the solid or in its half-plane. */
typedef struct point_place {
    double s;         /* signed distance from the solid */
    double normal[3]; /* unit vector, from the solid to the point if that is outside */
    double foot[3];   /* the nearest point of the solid's surface; outside and on the surface, of the solid */
} point_place;

/* A segment's nearest point to p, in the half-plane; returns the distance. */
typedef struct flat_segment {
    double from[2];
    double along[2]; /* unit vector */
    double length;
} flat_segment;

/* The axis on which past[] is greatest, the first of several. */
static int deepest(const double *past, int axes) {
    int best = 0;
    for (int d = 1; d < axes; d++) {
        best = past[d] > past[best] ? d : best;
    }
    return best;
}

/* About a box of `axes` axes. Outside, the distance is that of the parts past the faces; inside, the nearest face
 * decides. */
static void place_in_box(const double *p, const double *h, int axes, point_place *place) {
    double past[3] = {0.0, 0.0, 0.0};
    double out[3] = {0.0, 0.0, 0.0};
    double unit[3] = {0.0, 0.0, 0.0};
    for (int d = 0; d < axes; d++) {
        past[d] = fabs(p[d]) - h[d];
        out[d] = carom_greater(past[d], 0.0);
    }
    const int face = deepest(past, axes);
    const bool outside = carom_vector_unit(out, unit);
    place->s = outside ? carom_vector_dot(out, unit) : past[face];
    for (int d = 0; d < axes; d++) {
        const double side = p[d] < 0.0 ? -1.0 : 1.0;
        const double inside = d == face ? 1.0 : 0.0;
        place->normal[d] = side * (outside ? unit[d] : inside);
        place->foot[d] = !outside && d == face ? side * h[d] : carom_closed_clamp(p[d], h[d]);
    }
}

static void place_box(const double p[3], const double extent[3], point_place *place) {
    place_in_box(p, extent, 3, place);
}

/* The distance from the z axis, and the unit vector away from it: x on the axis itself. */
static double from_axis(const double p[3], double away[3]) {
    const double flat[3] = {p[0], p[1], 0.0};
    away[0] = 1.0;
    away[1] = 0.0;
    away[2] = 0.0;
    (void)carom_vector_unit(flat, away);
    return carom_vector_dot(flat, away);
}

/* The axes of the half-plane are z and `away`, in this order: a flat face comes before the curved one. */
static void leave_half_plane(const double away[3], point_place *place) {
    const double normal[2] = {place->normal[0], place->normal[1]};
    const double foot[2] = {place->foot[0], place->foot[1]};
    for (int d = 0; d < 2; d++) {
        place->normal[d] = normal[1] * away[d];
        place->foot[d] = foot[1] * away[d];
    }
    place->normal[2] = normal[0];
    place->foot[2] = foot[0];
}

static void place_cylinder(const double p[3], const double extent[3], point_place *place) {
    double away[3];
    const double radial = from_axis(p, away);
    const double flat[2] = {p[2], radial};
    const double h[2] = {extent[2], extent[0]};
    place_in_box(flat, h, 2, place);
    leave_half_plane(away, place);
}

/* Whether the segment's side is what the point looks at: between its ends, or at one that `apart`, by rounding, does
 * not make the nearest. */
static bool is_beside(const flat_segment *segment, double at, const double apart[3]) {
    const double beyond = apart[0] * segment->along[0] + apart[1] * segment->along[1];
    return (at > 0.0 || beyond > 0.0) && (at < segment->length || beyond < 0.0);
}

/* About a segment in the half-plane. Beside it, the normal is the segment's own, which no rounding tilts. False if the
 * point is on the segment. */
static bool place_by_segment(const double p[2], const flat_segment *segment, point_place *place) {
    const double to[2] = {p[0] - segment->from[0], p[1] - segment->from[1]};
    const double t = to[0] * segment->along[0] + to[1] * segment->along[1];
    const double at = carom_greater(0.0, carom_lesser(segment->length, t));
    const double across = to[1] * segment->along[0] - to[0] * segment->along[1];
    const double side = across < 0.0 ? -1.0 : 1.0;
    double apart[3] = {0.0, 0.0, 0.0};
    for (int d = 0; d < 2; d++) {
        place->foot[d] = segment->from[d] + at * segment->along[d];
        apart[d] = to[d] - at * segment->along[d];
    }
    const bool off = carom_vector_unit(apart, place->normal);
    const bool beside = is_beside(segment, at, apart);
    place->normal[0] = beside ? -side * segment->along[1] : place->normal[0];
    place->normal[1] = beside ? side * segment->along[0] : place->normal[1];
    place->s = !off ? 0.0 : beside ? fabs(across) : carom_vector_dot(apart, place->normal);
    return off;
}

/* The cone in the half-plane of z and the distance from the axis: a triangle with the base from (-h, 0) to (-h, r), and
 * the side from there to the apex (h, 0). */
static flat_segment cone_base(const double extent[3]) {
    return (flat_segment){.from = {-extent[2], 0.0}, .along = {0.0, 1.0}, .length = extent[0]};
}

static flat_segment cone_side(const double extent[3]) {
    const double way[3] = {2.0 * extent[2], -extent[0], 0.0};
    double unit[3] = {1.0, 0.0, 0.0};
    (void)carom_vector_unit(way, unit);
    return (flat_segment){
        .from = {-extent[2], extent[0]}, .along = {unit[0], unit[1]}, .length = carom_vector_dot(way, unit)};
}

/* Inside, the base or the side, whichever is nearer. */
static void place_inside_cone(const double p[2], const flat_segment *side, double base, double slope,
                              point_place *place) {
    const bool by_base = base >= slope;
    place->s = by_base ? base : slope;
    place->normal[0] = by_base ? -1.0 : -side->along[1];
    place->normal[1] = by_base ? 0.0 : side->along[0];
    place->normal[2] = 0.0;
    for (int d = 0; d < 2; d++) {
        place->foot[d] = p[d] - place->s * place->normal[d];
    }
}

static void place_cone(const double p[3], const double extent[3], point_place *place) {
    double away[3];
    const double flat[2] = {p[2], from_axis(p, away)};
    const flat_segment base = cone_base(extent);
    const flat_segment side = cone_side(extent);
    const double past_base = -extent[2] - flat[0];
    const double past_side = (flat[1] - side.from[1]) * side.along[0] - (flat[0] - side.from[0]) * side.along[1];
    point_place other = {.normal = {0.0}};
    const bool off_base = place_by_segment(flat, &base, &other);
    const bool off_side = place_by_segment(flat, &side, place);
    const bool has_inside = extent[0] > 0.0 && extent[2] > 0.0;
    if ((has_inside && past_base <= 0.0 && past_side <= 0.0) || !off_base || !off_side) {
        place_inside_cone(flat, &side, past_base, past_side, place);
    } else if (other.s < place->s) {
        *place = other;
    }
    leave_half_plane(away, place);
}

typedef void place_function(const double p[3], const double extent[3], point_place *place);

/* The answer for a sphere and a solid of which `find` knows the place of points. */
static void find_sphere(const carom_posed *i, const carom_posed *k, place_function *find, carom_gap *gap) {
    double between[3];
    double local[3];
    double foot[3];
    point_place place = {.normal = {0.0}};
    const double *extent = k->shape->extent;
    carom_closed_between(i, k, between);
    carom_pose_to_local(k->turn, between, local);
    find(local, extent, &place);
    carom_pose_from_local(k->turn, place.normal, gap->normal);
    carom_pose_from_local(k->turn, place.foot, foot);
    for (int d = 0; d < 3; d++) {
        gap->point_k[d] = k->at[d] + foot[d];
        gap->point_i[d] = i->at[d] - i->shape->radius * gap->normal[d];
    }
    const double s = place.s - i->shape->radius;
    carom_closed_bracket(s, s, carom_closed_sum(between) + carom_closed_sum(extent) + i->shape->radius, gap);
}

void carom_closed_solid_box(const carom_posed *i, const carom_posed *k, carom_gap *gap) {
    find_sphere(i, k, place_box, gap);
}

void carom_closed_solid_cylinder(const carom_posed *i, const carom_posed *k, carom_gap *gap) {
    find_sphere(i, k, place_cylinder, gap);
}

void carom_closed_solid_cone(const carom_posed *i, const carom_posed *k, carom_gap *gap) {
    find_sphere(i, k, place_cone, gap);
}
