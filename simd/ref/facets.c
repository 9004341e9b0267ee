/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Depths of pairs of hulls by separating axes, one by one, in scalar form (simd/facets_pair.h). */
#include "simd/facets_find.h"

#include "simd/declare.h"

#define carom_facets_twin CAROM_TWIN_OF(facets)

static void move(carom_facets *f) {
    const carom_facets_hull *k = &f->side[1];
    for (uint32_t n = 0; n < k->hull->vertex_count; n++) {
        double local[3];
        double v[3];
        carom_facets_column(k->hull->vertex, n, local);
        carom_pose_from_local(k->turn, local, v);
        for (int d = 0; d < 3; d++) {
            f->moved[d][n] = v[d] + k->between[d];
        }
    }
}

/* A normal, as the other hull's frame has it. */
static void turn(const carom_facets_hull *side, uint32_t n, double normal[3]) {
    double local[3];
    carom_facets_column(side->hull->axis, n, local);
    carom_pose_from_local(side->turn, local, normal);
}

/* The first vertex that is least along the face's normal; returns how far that is. */
static double find_support(const carom_facets_hull *other, carom_facets_face *face) {
    double least = HUGE_VAL;
    for (uint32_t m = 0; m < other->hull->vertex_count; m++) {
        double v[3];
        carom_facets_column(other->vertex, m, v);
        const double along = carom_vector_dot(face->normal, v);
        for (int d = 0; d < 3 && along < least; d++) {
            face->support[d] = v[d];
        }
        least = along < least ? along : least;
    }
    return least;
}

static uint32_t measure(carom_facets *f, uint32_t s) {
    carom_facets_hull *side = &f->side[s];
    uint32_t nearest = 0;
    for (uint32_t n = 0; n < side->hull->face_count; n++) {
        carom_facets_face *face = &side->face[n];
        turn(side, n, face->normal);
        const double least = find_support(&f->side[1 - s], face);
        face->height = (side->hull->offset[n] + carom_vector_dot(face->normal, side->between)) - least;
        nearest = face->height < side->face[nearest].height ? n : nearest;
    }
    return nearest;
}

/* Whether one vertex of the other hull makes the heights of both faces of an edge, but for rounding. */
static bool share_vertex(const carom_facets *f, uint32_t s, const uint32_t face[2]) {
    const carom_facets_hull *other = &f->side[1 - s];
    const carom_facets_face *a = &f->side[s].face[face[0]];
    const carom_facets_face *b = &f->side[s].face[face[1]];
    const double slack = CAROM_FACETS_EVEN * f->difference.size;
    const double most_a = carom_vector_dot(a->normal, a->support) + slack;
    const double most_b = carom_vector_dot(b->normal, b->support) + slack;
    bool share = false;
    for (uint32_t m = 0; m < other->hull->vertex_count; m++) {
        double v[3];
        carom_facets_column(other->vertex, m, v);
        share = share || (carom_vector_dot(a->normal, v) <= most_a && carom_vector_dot(b->normal, v) <= most_b);
    }
    return share;
}

static void choose(carom_facets *f, uint32_t s) {
    carom_facets_hull *side = &f->side[s];
    const double limit = carom_facets_limit(f);
    side->edges = 0;
    for (uint32_t n = 0; n < side->hull->edge_count; n++) {
        const uint32_t *face = side->hull->edge[n].face;
        const bool counts = carom_facets_counts(&side->face[face[0]], &side->face[face[1]], limit, f->difference.size);
        side->edge[side->edges] = (uint8_t)n;
        side->edges += counts && !share_vertex(f, s, face) ? 1 : 0;
    }
}

static double reach(const carom_facets *f, const double normal[3]) {
    double far[2] = {-HUGE_VAL, -HUGE_VAL};
    for (uint32_t s = 0; s < 2; s++) {
        const carom_facets_hull *side = &f->side[s];
        for (uint32_t n = 0; n < side->hull->vertex_count; n++) {
            double v[3];
            carom_facets_column(side->vertex, n, v);
            const double along = carom_vector_dot(normal, v);
            far[s] = carom_greater(s == 0 ? along : -along, far[s]);
        }
    }
    return far[0] + far[1];
}

void carom_facets_twin(const carom_posed *i, const carom_posed *k, const carom_goal *goals, uint32_t count,
                       carom_bracket *brackets) {
    static const carom_facets_steps steps = {move, measure, choose, reach};
    carom_facets f;
    for (uint32_t n = 0; n < count; n++) {
        if (brackets[n].overlap && carom_facets_have(i[n].shape, k[n].shape)) {
            (void)carom_facets_find(&i[n], &k[n], &goals[n], &brackets[n], &steps, &f);
        }
        brackets[n].overlap = false;
    }
}
