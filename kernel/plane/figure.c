/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: two figures in the plane. Out: their signed distance and contact points.
 *
 * Separating axes: s is the greatest height of i over k along any direction. Where they overlap it is that along the
 * normal of an edge; where they do not, along the way between their nearest points. A segment has two edges. All
 * directions are tried; each proves a lower bound. */
#include "kernel/plane/figure_contact.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "kernel/sys/arithmetic.h"
#include "simd/vector.h"

static double dot(const double a[2], const double b[2]) {
    return a[0] * b[0] + a[1] * b[1];
}

static bool make_unit(const double v[2], double unit[2]) {
    const double flat[3] = {v[0], v[1], 0.0};
    double long_unit[3];
    if (!carom_vector_unit(flat, long_unit)) {
        return false;
    }
    unit[0] = long_unit[0];
    unit[1] = long_unit[1];
    return true;
}

/* Corners of a box; of a flat one, its ends. */
static void set_box(const double h[2], carom_figure_core *core) {
    static const double sign[4][2] = {{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}};
    const bool wide = h[0] > 0.0;
    const bool high = h[1] > 0.0;
    core->count = wide && high ? 4 : wide || high ? 2 : 1;
    for (uint32_t n = 0; n < core->count; n++) {
        const uint32_t from = core->count == 2 ? 2 * n : n;
        core->corner[n][0] = sign[from][0] * h[0];
        core->corner[n][1] = sign[from][1] * h[1];
    }
}

static bool set_local(const carom_figure_f64 *figure, carom_figure_core *core) {
    core->radius = 0.0;
    if (figure->kind == CAROM_FIGURE_BOX) {
        set_box(figure->extent, core);
        return true;
    }
    if (figure->kind == CAROM_FIGURE_CIRCLE) {
        core->count = 1;
        core->corner[0][0] = 0.0;
        core->corner[0][1] = 0.0;
        core->radius = figure->radius;
        return true;
    }
    core->count = figure->corner_count;
    if (core->count == 0 || core->count > CAROM_FIGURE_CORNERS_MAX || figure->corner == NULL) {
        return false;
    }
    for (uint32_t n = 0; n < core->count; n++) {
        core->corner[n][0] = figure->corner[n][0];
        core->corner[n][1] = figure->corner[n][1];
    }
    return true;
}

/* The figure's core, relative to `origin`. */
static bool set_core(const carom_figure_f64 *figure, const double origin[2], carom_figure_core *core) {
    double turn[2] = {1.0, 0.0};
    if (!set_local(figure, core)) {
        return false;
    }
    if (figure->kind != CAROM_FIGURE_CIRCLE) {
        (void)make_unit(figure->turn, turn);
    }
    const double away[2] = {figure->at[0] - origin[0], figure->at[1] - origin[1]};
    for (uint32_t n = 0; n < core->count; n++) {
        const double x = core->corner[n][0];
        const double y = core->corner[n][1];
        core->corner[n][0] = away[0] + (turn[0] * x - turn[1] * y);
        core->corner[n][1] = away[1] + (turn[1] * x + turn[0] * y);
    }
    return true;
}

/* Of core `which`: the greatest n.a if sign is 1, minus the least if it is -1. */
static double support(const carom_figure_core *core, const double n[2], double sign) {
    double most = -HUGE_VAL;
    for (uint32_t c = 0; c < core->count; c++) {
        most = fmax(most, sign * dot(n, core->corner[c]));
    }
    return most;
}

static double height(const carom_figure_core core[2], const double n[2]) {
    return -support(&core[0], n, -1.0) - support(&core[1], n, 1.0);
}

static void take_higher(const carom_figure_core core[2], const carom_figure_axis *candidate, double slack,
                        carom_figure_axis *best) {
    carom_figure_axis next = *candidate;
    next.s = height(core, next.n);
    if (next.s > best->s + slack) {
        *best = next;
    }
}

/* The normals of the edges of core `of`. */
static void try_edges(const carom_figure_core core[2], int of, carom_figure_axis *best) {
    const carom_figure_core *own = &core[of];
    const double sign = of == 1 ? 1.0 : -1.0;
    for (uint32_t e = 0; e < own->count && own->count > 1; e++) {
        const double *a = own->corner[e];
        const double *b = own->corner[(e + 1) % own->count];
        const double way[2] = {b[0] - a[0], b[1] - a[1]};
        double u[2];
        if (make_unit(way, u)) {
            carom_figure_axis side = {.n = {sign * u[1], -sign * u[0]}, .edge_of = of, .edge = e};
            take_higher(core, &side, 0.0, best);
        }
    }
}

/* Of squares of distances this much greater, relatively, the one to the inside of an edge is the least: that to a
 * corner next to it differs by less than rounding as long as the corner is near. */
static const double INSIDE_LESS = 0x1p-40;

/* The point nearest to p on the segment from a to b. True if it is between them. */
static bool nearest_on(const double p[2], const double a[2], const double b[2], double point[2]) {
    const double way[2] = {b[0] - a[0], b[1] - a[1]};
    const double to[2] = {p[0] - a[0], p[1] - a[1]};
    const double square = dot(way, way);
    const double t = square > 0.0 ? fmax(0.0, fmin(1.0, dot(to, way) / square)) : 0.0;
    point[0] = a[0] + t * way[0];
    point[1] = a[1] + t * way[1];
    return t > 0.0 && t < 1.0;
}

/* The nearest points of the cores' boundaries that have a corner of core `of`. */
static void nearest_of(const carom_figure_core core[2], int of, double *least, double point[2][2]) {
    const carom_figure_core *own = &core[of];
    const carom_figure_core *other = &core[1 - of];
    for (uint32_t c = 0; c < own->count; c++) {
        for (uint32_t e = 0; e < other->count; e++) {
            double on[2];
            const bool inside = nearest_on(own->corner[c], other->corner[e], other->corner[(e + 1) % other->count], on);
            const double way[2] = {own->corner[c][0] - on[0], own->corner[c][1] - on[1]};
            const double square = dot(way, way) * (inside ? 1.0 - INSIDE_LESS : 1.0);
            for (int d = 0; d < 2 && square < *least; d++) {
                point[of][d] = own->corner[c][d];
                point[1 - of][d] = on[d];
            }
            *least = fmin(*least, square);
        }
    }
}

/* The way between the nearest points. Points of both that coincide leave (1, 0). */
static void try_nearest(const carom_figure_core core[2], double size, carom_figure_axis *best) {
    carom_figure_axis way = {.n = {1.0, 0.0}, .edge_of = -1};
    double least = HUGE_VAL;
    nearest_of(core, 0, &least, way.point);
    nearest_of(core, 1, &least, way.point);
    const double between[2] = {way.point[0][0] - way.point[1][0], way.point[0][1] - way.point[1][1]};
    (void)make_unit(between, way.n);
    memcpy(way.way, way.n, sizeof way.n);
    way.way_s = height(core, way.n);
    memcpy(best->point, way.point, sizeof way.point);
    memcpy(best->way, way.way, sizeof way.way);
    best->way_s = way.way_s;
    take_higher(core, &way, CAROM_FIGURE_ERROR * size, best);
}

/* The sum of all lengths. */
static double size_of(const carom_figure_core core[2]) {
    double size = core[0].radius + core[1].radius;
    for (int b = 0; b < 2; b++) {
        double most = 0.0;
        for (uint32_t c = 0; c < core[b].count; c++) {
            most = fmax(most, fabs(core[b].corner[c][0]) + fabs(core[b].corner[c][1]));
        }
        size += most;
    }
    return size;
}

static void find(const carom_figure_core core[2], const double origin[2], carom_figure_contact_f64 *contact) {
    carom_figure_axis best = {.s = -HUGE_VAL, .edge_of = -1};
    const double size = size_of(core);
    try_edges(core, 1, &best);
    try_edges(core, 0, &best);
    try_nearest(core, size, &best);
    *contact = (carom_figure_contact_f64){.distance = best.s - (core[0].radius + core[1].radius),
                                          .normal = {best.n[0], best.n[1]}};
    carom_figure_contact_fill(core, &best, size, contact);
    for (uint32_t n = 0; n < contact->point_count; n++) {
        contact->point[n][0] += origin[0];
        contact->point[n][1] += origin[1];
    }
}

bool carom_plane_figures_f64(const carom_figure_f64 *i, const carom_figure_f64 *k, carom_figure_contact_f64 *contact) {
    carom_figure_core core[2];
    const carom_arithmetic before = carom_arithmetic_enter();
    const bool valid = set_core(i, k->at, &core[0]) && set_core(k, k->at, &core[1]);
    if (valid) {
        find(core, k->at, contact);
    }
    carom_arithmetic_leave(before);
    return valid;
}
