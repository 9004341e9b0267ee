/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The tests of carom/plane.h for floats: as doubles, whose results are rounded. Floats become doubles, and doubles
 * floats, in the arithmetic that the library works in, too: the host's may flush what is small, or round elsewhere. So
 * functions that enter that arithmetic hold no numbers of their own. */
#include <stddef.h>

#include "carom/plane.h"
#include "kernel/sys/arithmetic.h"

static void widen(const float *from, int count, double *to) {
    for (int d = 0; d < count; d++) {
        to[d] = from[d];
    }
}

static void narrow(const double *from, int count, float *to) {
    for (int d = 0; d < count; d++) {
        to[d] = (float)from[d];
    }
}

static __attribute__((noinline)) float point_of(const float n[3], float offset, const float point[3]) {
    double n_64[3];
    double point_64[3];
    widen(n, 3, n_64);
    widen(point, 3, point_64);
    return (float)carom_plane_point_f64(n_64, offset, point_64);
}

static __attribute__((noinline)) bool segment_of(const float n[3], float offset, const float a[3], const float b[3],
                                                 float at[4]) {
    double n_64[3];
    double a_64[3];
    double b_64[3];
    double at_64[4];
    widen(n, 3, n_64);
    widen(a, 3, a_64);
    widen(b, 3, b_64);
    const bool meets = carom_plane_segment_f64(n_64, offset, a_64, b_64, at_64);
    if (meets && at != NULL) {
        narrow(at_64, 4, at);
    }
    return meets;
}

static __attribute__((noinline)) float line_sphere_of(const float from[3], const float l[3], const float centre[3],
                                                      float radius, float nearest[3]) {
    double from_64[3];
    double l_64[3];
    double centre_64[3];
    double nearest_64[3];
    widen(from, 3, from_64);
    widen(l, 3, l_64);
    widen(centre, 3, centre_64);
    const double distance = carom_plane_line_sphere_f64(from_64, l_64, centre_64, radius, nearest_64);
    if (nearest != NULL) {
        narrow(nearest_64, 3, nearest);
    }
    return (float)distance;
}

static __attribute__((noinline)) float segments_of(const float i[2][3], const float k[2][3], float nearest[2][3]) {
    double i_64[2][3];
    double k_64[2][3];
    double nearest_64[2][3];
    for (int end = 0; end < 2; end++) {
        widen(i[end], 3, i_64[end]);
        widen(k[end], 3, k_64[end]);
    }
    const double distance = carom_plane_segments_f64((const double(*)[3])i_64, (const double(*)[3])k_64, nearest_64);
    for (int end = 0; end < 2 && nearest != NULL; end++) {
        narrow(nearest_64[end], 3, nearest[end]);
    }
    return (float)distance;
}

static __attribute__((noinline)) bool boxes_of(const float c_i[3], const float h_i[3], const float c_k[3],
                                               const float h_k[3]) {
    double c_64[2][3];
    double h_64[2][3];
    widen(c_i, 3, c_64[0]);
    widen(c_k, 3, c_64[1]);
    widen(h_i, 3, h_64[0]);
    widen(h_k, 3, h_64[1]);
    return carom_plane_boxes_f64(c_64[0], h_64[0], c_64[1], h_64[1]);
}

/* The figure in double. Its corners go to `corner`; of too many, none. */
static carom_figure_f64 widen_figure(const carom_figure_f32 *figure, double corner[CAROM_FIGURE_CORNERS_MAX][2]) {
    carom_figure_f64 wide = {.kind = figure->kind, .corner_count = figure->corner_count, .radius = figure->radius};
    widen(figure->at, 2, wide.at);
    widen(figure->turn, 2, wide.turn);
    widen(figure->extent, 2, wide.extent);
    if (figure->kind == CAROM_FIGURE_POLYGON && figure->corner != NULL &&
        figure->corner_count <= CAROM_FIGURE_CORNERS_MAX) {
        for (uint32_t n = 0; n < figure->corner_count; n++) {
            widen(figure->corner[n], 2, corner[n]);
        }
        wide.corner = (const double(*)[2])corner;
    }
    return wide;
}

static __attribute__((noinline)) bool figures_of(const carom_figure_f32 *i, const carom_figure_f32 *k,
                                                 carom_figure_contact_f32 *contact) {
    double corner[2][CAROM_FIGURE_CORNERS_MAX][2];
    carom_figure_contact_f64 wide;
    const carom_figure_f64 wide_i = widen_figure(i, corner[0]);
    const carom_figure_f64 wide_k = widen_figure(k, corner[1]);
    if (!carom_plane_figures_f64(&wide_i, &wide_k, &wide)) {
        return false;
    }
    contact->distance = (float)wide.distance;
    contact->point_count = wide.point_count;
    narrow(wide.normal, 2, contact->normal);
    narrow(wide.gap, 2, contact->gap);
    for (int n = 0; n < 2; n++) {
        narrow(wide.point[n], 2, contact->point[n]);
    }
    return true;
}

float carom_plane_point_f32(const float n[3], float offset, const float point[3]) {
    const carom_arithmetic before = carom_arithmetic_enter();
    const float result = point_of(n, offset, point);
    carom_arithmetic_leave(before);
    return result;
}

bool carom_plane_segment_f32(const float n[3], float offset, const float a[3], const float b[3], float at[4]) {
    const carom_arithmetic before = carom_arithmetic_enter();
    const bool result = segment_of(n, offset, a, b, at);
    carom_arithmetic_leave(before);
    return result;
}

float carom_plane_line_sphere_f32(const float from[3], const float l[3], const float centre[3], float radius,
                                  float nearest[3]) {
    const carom_arithmetic before = carom_arithmetic_enter();
    const float result = line_sphere_of(from, l, centre, radius, nearest);
    carom_arithmetic_leave(before);
    return result;
}

float carom_plane_segments_f32(const float i[2][3], const float k[2][3], float nearest[2][3]) {
    const carom_arithmetic before = carom_arithmetic_enter();
    const float result = segments_of(i, k, nearest);
    carom_arithmetic_leave(before);
    return result;
}

bool carom_plane_boxes_f32(const float c_i[3], const float h_i[3], const float c_k[3], const float h_k[3]) {
    const carom_arithmetic before = carom_arithmetic_enter();
    const bool result = boxes_of(c_i, h_i, c_k, h_k);
    carom_arithmetic_leave(before);
    return result;
}

bool carom_plane_figures_f32(const carom_figure_f32 *i, const carom_figure_f32 *k, carom_figure_contact_f32 *contact) {
    const carom_arithmetic before = carom_arithmetic_enter();
    const bool result = figures_of(i, k, contact);
    carom_arithmetic_leave(before);
    return result;
}
