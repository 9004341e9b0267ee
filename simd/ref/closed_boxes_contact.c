/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* In: two boxes that overlap, and the axis of least depth. Out: their normal and the points that are deepest along it.
 *
 * Along a face's normal, the other box's deepest corner lies under that face, unless an edge or a face is parallel to
 * it: then it is the middle of what lies deepest of the part under the face. Along the common normal of two edges, it
 * is where they cross. */
#include "simd/ref/closed_boxes.h"
#include "simd/ref/closed_work.h"

/* Corners of a face, clipped by four sides. */
enum { CORNERS_MAX = 8 };

/* A box in the frame of another one, the reference. */
typedef struct guest_box {
    const double *frame; /* half extents of the reference */
    const double *h;     /* its own */
    double centre[3];
    double turn[3][3]; /* turn[a][c]: its axis c along the reference's axis a */
} guest_box;

typedef struct face_polygon {
    uint32_t count;
    double point[CORNERS_MAX + 1][3];
} face_polygon;

static void make_guest(const carom_posed *reference, const carom_posed *guest, guest_box *box) {
    double between[3];
    box->frame = reference->shape->extent;
    box->h = guest->shape->extent;
    carom_closed_between(guest, reference, between);
    carom_pose_to_local(reference->turn, between, box->centre);
    for (int c = 0; c < 3; c++) {
        const double axis[3] = {guest->turn[0][c], guest->turn[1][c], guest->turn[2][c]};
        double local[3];
        carom_pose_to_local(reference->turn, axis, local);
        for (int a = 0; a < 3; a++) {
            box->turn[a][c] = fabs(local[a]) < CAROM_CLOSED_BOXES_LEAST ? 0.0 : local[a];
        }
    }
}

/* Adds t times the guest's axis c. */
static void go_along(const guest_box *box, uint32_t c, double t, double point[3]) {
    for (int d = 0; d < 3; d++) {
        point[d] += t * box->turn[d][c];
    }
}

/* The corner that is least along `sign` times the reference's axis a. */
static void lowest_corner(const guest_box *box, uint32_t a, double sign, double corner[3]) {
    for (int d = 0; d < 3; d++) {
        corner[d] = box->centre[d];
    }
    for (uint32_t c = 0; c < 3; c++) {
        go_along(box, c, sign * box->turn[a][c] < 0.0 ? box->h[c] : -box->h[c], corner);
    }
}

/* The face that looks most against `sign` times the reference's axis a. */
static void lowest_face(const guest_box *box, uint32_t a, double sign, face_polygon *face) {
    static const double side[4][2] = {{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}};
    uint32_t c = 0;
    for (uint32_t d = 1; d < 3; d++) {
        c = fabs(box->turn[a][d]) > fabs(box->turn[a][c]) ? d : c;
    }
    face->count = 4;
    for (int n = 0; n < 4; n++) {
        for (int d = 0; d < 3; d++) {
            face->point[n][d] = box->centre[d];
        }
        go_along(box, c, sign * box->turn[a][c] < 0.0 ? box->h[c] : -box->h[c], face->point[n]);
        go_along(box, (c + 1) % 3, side[n][0] * box->h[(c + 1) % 3], face->point[n]);
        go_along(box, (c + 2) % 3, side[n][1] * box->h[(c + 2) % 3], face->point[n]);
    }
}

/* Keeps what has sign x_d <= limit (Sutherland and Hodgman). */
static void clip(const face_polygon *from, uint32_t d, double sign, double limit, face_polygon *to) {
    to->count = 0;
    for (uint32_t n = 0; n < from->count; n++) {
        const double *p = from->point[n];
        const double *q = from->point[n + 1 < from->count ? n + 1 : 0];
        const double beyond_p = sign * p[d] - limit;
        const double beyond_q = sign * q[d] - limit;
        if (beyond_p <= 0.0 && to->count < CORNERS_MAX) {
            for (int e = 0; e < 3; e++) {
                to->point[to->count][e] = p[e];
            }
            to->count++;
        }
        if (((beyond_p < 0.0 && beyond_q > 0.0) || (beyond_p > 0.0 && beyond_q < 0.0)) && to->count < CORNERS_MAX) {
            const double t = beyond_p / (beyond_p - beyond_q);
            for (int e = 0; e < 3; e++) {
                to->point[to->count][e] = p[e] + t * (q[e] - p[e]);
            }
            to->point[to->count][d] = sign * limit;
            to->count++;
        }
    }
}

/* The middle of the polygon's lowest points, to within `alike`; false if it has none. */
static bool middle_of_lowest(const face_polygon *face, uint32_t a, double sign, double alike, double middle[3]) {
    double least = HUGE_VAL;
    uint32_t count = 0;
    double sum[3] = {0.0, 0.0, 0.0};
    for (uint32_t n = 0; n < face->count; n++) {
        least = carom_lesser(sign * face->point[n][a], least);
    }
    for (uint32_t n = 0; n < face->count; n++) {
        if (sign * face->point[n][a] <= least + alike) {
            count++;
            carom_vector_add(sum, 1.0, face->point[n], sum);
        }
    }
    for (int d = 0; d < 3 && count > 0; d++) {
        middle[d] = sum[d] / count;
    }
    return count > 0;
}

static double size_of(const guest_box *box) {
    return carom_closed_sum(box->centre) + carom_closed_sum(box->frame) + carom_closed_sum(box->h);
}

/* The guest's point that is deepest under the face of axis a; `foot` is the face's point over it. */
static void under_face(const guest_box *box, uint32_t a, double sign, double deepest[3], double foot[3]) {
    const uint32_t u = (a + 1) % 3;
    const uint32_t v = (a + 2) % 3;
    const double *h = box->frame;
    lowest_corner(box, a, sign, deepest);
    if (!(fabs(deepest[u]) <= h[u] && fabs(deepest[v]) <= h[v])) {
        face_polygon one;
        face_polygon other;
        lowest_face(box, a, sign, &one);
        clip(&one, u, 1.0, h[u], &other);
        clip(&other, u, -1.0, h[u], &one);
        clip(&one, v, 1.0, h[v], &other);
        clip(&other, v, -1.0, h[v], &one);
        (void)middle_of_lowest(&one, a, sign, CAROM_CLOSED_BOXES_ERROR * size_of(box), deepest);
    }
    for (int d = 0; d < 3; d++) {
        foot[d] = carom_closed_clamp(deepest[d], h[d]);
    }
    foot[a] = sign * h[a];
}

/* Where edge a of the reference, k, and edge c of the guest, i, cross: seen along their common normal n. */
static void at_edges(const guest_box *box, uint32_t a, uint32_t c, const double n[3], double of_i[3], double of_k[3]) {
    const uint32_t u = (a + 1) % 3;
    const uint32_t v = (a + 2) % 3;
    const double along[2] = {box->turn[u][c], box->turn[v][c]};
    for (int d = 0; d < 3; d++) {
        of_i[d] = box->centre[d];
        of_k[d] = n[d] < 0.0 ? -box->frame[d] : box->frame[d];
    }
    for (uint32_t other = 1; other < 3; other++) {
        const uint32_t e = (c + other) % 3;
        const double rise = n[u] * box->turn[u][e] + n[v] * box->turn[v][e];
        go_along(box, e, rise < 0.0 ? box->h[e] : -box->h[e], of_i);
    }
    const double most = carom_greater(fabs(along[0]), fabs(along[1]));
    const double way[2] = {along[0] / most, along[1] / most};
    const double t =
        ((of_k[u] - of_i[u]) * way[0] + (of_k[v] - of_i[v]) * way[1]) / (way[0] * way[0] + way[1] * way[1]) / most;
    go_along(box, c, carom_closed_clamp(t, box->h[c]), of_i);
    of_k[a] = carom_closed_clamp(of_i[a], box->frame[a]);
}

/* The axis as a unit vector in the reference's frame, from k to i. */
static void make_normal(const guest_box *box, uint32_t axis, double n[3]) {
    const double sign = axis >= CAROM_CLOSED_BOXES_BACK ? -1.0 : 1.0;
    const uint32_t forth = axis % CAROM_CLOSED_BOXES_BACK;
    n[0] = 0.0;
    n[1] = 0.0;
    n[2] = 0.0;
    if (forth < CAROM_CLOSED_BOXES_EDGES) {
        n[forth % 3] = sign;
    } else {
        const uint32_t a = (forth - CAROM_CLOSED_BOXES_EDGES) / 3;
        const double x = -box->turn[(a + 2) % 3][forth % 3];
        const double y = box->turn[(a + 1) % 3][forth % 3];
        const double length = sqrt(x * x + y * y);
        n[(a + 1) % 3] = sign * (x / length);
        n[(a + 2) % 3] = sign * (y / length);
    }
}

/* A point of the frame of a posed box, in that of the scene. */
static void place(const carom_posed *posed, const double local[3], double point[3]) {
    carom_pose_from_local(posed->turn, local, point);
    carom_vector_add(point, 1.0, posed->at, point);
}

void carom_closed_boxes_contact_normal(const carom_posed *i, const carom_posed *k, uint32_t axis, double normal[3]) {
    const bool face_of_i = axis % CAROM_CLOSED_BOXES_BACK < CAROM_CLOSED_BOXES_K;
    const carom_posed *reference = face_of_i ? i : k;
    double n[3];
    guest_box box;
    make_guest(reference, face_of_i ? k : i, &box);
    make_normal(&box, axis, n);
    carom_pose_from_local(reference->turn, n, normal);
}

void carom_closed_boxes_contact(const carom_posed *i, const carom_posed *k, uint32_t axis, carom_gap *gap) {
    const uint32_t forth = axis % CAROM_CLOSED_BOXES_BACK;
    const bool face_of_i = forth < CAROM_CLOSED_BOXES_K;
    const carom_posed *reference = face_of_i ? i : k;
    double n[3];
    double on_reference[3];
    double on_other[3];
    guest_box box;
    make_guest(reference, face_of_i ? k : i, &box);
    make_normal(&box, axis, n);
    if (forth < CAROM_CLOSED_BOXES_EDGES) {
        under_face(&box, forth % 3, face_of_i ? -n[forth % 3] : n[forth % 3], on_other, on_reference);
    } else {
        at_edges(&box, (forth - CAROM_CLOSED_BOXES_EDGES) / 3, forth % 3, n, on_other, on_reference);
    }
    carom_pose_from_local(reference->turn, n, gap->normal);
    place(reference, on_reference, face_of_i ? gap->point_i : gap->point_k);
    place(reference, on_other, face_of_i ? gap->point_k : gap->point_i);
}
