/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: two cores and the axis of their signed distance. Out: one or two contact points. The edge that gave the axis
 * clips the other core's edge that faces it; of what is left, the ends that are below the edge count, and the deepest.
 */
#include <math.h>

#include "kernel/plane/figure_contact.h"

/* The reference edge, from `from` along the unit vector u, and the edge that is clipped. */
typedef struct clip {
    double from[2];
    double u[2];
    double m[2]; /* outward normal */
    double length;
    double end[2][2];
} clip;

static double dot(const double a[2], const double b[2]) {
    return a[0] * b[0] + a[1] * b[1];
}

/* The edge of the core that faces along -m: the one whose ends are lowest together. */
static void set_facing(const carom_figure_core *core, const double m[2], double end[2][2]) {
    double least = HUGE_VAL;
    for (uint32_t e = 0; e < core->count; e++) {
        const double *a = core->corner[e];
        const double *b = core->corner[(e + 1) % core->count];
        const double both = dot(m, a) + dot(m, b);
        for (int d = 0; d < 2 && both < least; d++) {
            end[0][d] = a[d];
            end[1][d] = b[d];
        }
        least = fmin(least, both);
    }
}

static void make_clip(const carom_figure_core core[2], const carom_figure_axis *axis, clip *cut) {
    const carom_figure_core *own = &core[axis->edge_of];
    const double sign = axis->edge_of == 1 ? 1.0 : -1.0;
    const double *from = own->corner[axis->edge];
    const double *to = own->corner[(axis->edge + 1) % own->count];
    for (int d = 0; d < 2; d++) {
        cut->from[d] = from[d];
        cut->m[d] = sign * axis->n[d];
    }
    cut->u[0] = -cut->m[1];
    cut->u[1] = cut->m[0];
    const double way[2] = {to[0] - from[0], to[1] - from[1]};
    cut->length = dot(way, cut->u);
    set_facing(&core[1 - axis->edge_of], cut->m, cut->end);
}

/* Where an end lies along the reference edge. */
static double along(const clip *cut, const double point[2]) {
    const double to[2] = {point[0] - cut->from[0], point[1] - cut->from[1]};
    return dot(to, cut->u);
}

/* Whether the clipped edge is beside the strip above the reference edge. */
static bool is_beside(const clip *cut) {
    const double x[2] = {along(cut, cut->end[0]), along(cut, cut->end[1])};
    return fmax(x[0], x[1]) < 0.0 || fmin(x[0], x[1]) > cut->length;
}

/* Moves the ends to the strip above the reference edge. An edge beside it becomes its end nearest to the strip. */
static void cut_ends(clip *cut) {
    const double x[2] = {along(cut, cut->end[0]), along(cut, cut->end[1])};
    const double way[2] = {cut->end[1][0] - cut->end[0][0], cut->end[1][1] - cut->end[0][1]};
    double kept[2][2];
    for (int n = 0; n < 2; n++) {
        const double goal = fmax(0.0, fmin(cut->length, x[n]));
        const double span = x[1] - x[0];
        const double t = fabs(span) > 0.0 ? fmax(0.0, fmin(1.0, (goal - x[0]) / span)) : (double)n;
        for (int d = 0; d < 2; d++) {
            kept[n][d] = cut->end[0][d] + t * way[d];
        }
    }
    for (int n = 0; n < 2; n++) {
        cut->end[n][0] = kept[n][0];
        cut->end[n][1] = kept[n][1];
    }
}

/* Adds the point midway between the boundaries, of which one is `gap` from the core's point along m. */
static void add_point(const carom_figure_core core[2], const double point[2], const double m[2], double gap,
                      carom_figure_contact_f64 *contact) {
    const double more = 0.5 * (core[1].radius - core[0].radius);
    const uint32_t n = contact->point_count++;
    for (int d = 0; d < 2; d++) {
        contact->point[n][d] = point[d] - 0.5 * gap * m[d] + more * contact->normal[d];
    }
    contact->gap[n] = gap - (core[0].radius + core[1].radius);
}

static void set_gaps(const clip *cut, double gap[2]) {
    for (int n = 0; n < 2; n++) {
        const double to[2] = {cut->end[n][0] - cut->from[0], cut->end[n][1] - cut->from[1]};
        gap[n] = dot(to, cut->m);
    }
}

static void fill_clipped(const carom_figure_core core[2], const clip *cut, const double gap[2], double most,
                         double slack, carom_figure_contact_f64 *contact) {
    const double apart = fabs(along(cut, cut->end[0]) - along(cut, cut->end[1]));
    const int deepest = gap[1] < gap[0] ? 1 : 0;
    for (int n = 0; n < 2; n++) {
        if (n == deepest || (apart > slack && gap[n] <= most)) {
            add_point(core, cut->end[n], cut->m, gap[n], contact);
        }
    }
}

/* One point, midway between the nearest ones. The way between them becomes the normal if it holds the figures apart. */
static void fill_nearest(const carom_figure_core core[2], const carom_figure_axis *axis, bool way_holds,
                         carom_figure_contact_f64 *contact) {
    for (int d = 0; d < 2; d++) {
        contact->normal[d] = way_holds ? axis->way[d] : axis->n[d];
    }
    add_point(core, axis->point[0], contact->normal, axis->s, contact);
}

/* A corner that lies beside the edge, by however little, is not what the edge clips. Then the nearest points are, if
 * the way between them holds the figures as far apart. */
void carom_figure_contact_fill(const carom_figure_core core[2], const carom_figure_axis *axis, double size,
                               carom_figure_contact_f64 *contact) {
    const double slack = CAROM_FIGURE_ERROR * size;
    const bool way_holds = axis->way_s >= axis->s - slack;
    double gap[2];
    clip cut = {.length = 0.0};
    if (axis->edge_of < 0) {
        fill_nearest(core, axis, way_holds, contact);
        return;
    }
    make_clip(core, axis, &cut);
    const bool beside = is_beside(&cut);
    cut_ends(&cut);
    set_gaps(&cut, gap);
    if (way_holds && (beside || fmin(gap[0], gap[1]) > axis->s + slack)) {
        fill_nearest(core, axis, true, contact);
    } else {
        fill_clipped(core, &cut, gap, fmax(axis->s, 0.0) + slack, slack, contact);
    }
}
