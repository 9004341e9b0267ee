/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Depths of pairs of hulls by separating axes, one by one: simd/facets_pair.h. A vector has faces, vertices or edges of
 * one pair. */
#include "simd/facets_find.h"

#include "simd/declare.h"
#include "simd/vector_lanes.h"

#define carom_facets_kernel CAROM_KERNEL_OF(facets)

_Static_assert((int)CAROM_HULL_AXES_PAD >= (int)CAROM_PAIRS && (int)CAROM_HULL_PAD >= (int)CAROM_PAIRS,
               "columns end with whole vectors");

static const double numbers[8] = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0};

/* turn v, for a value of three columns from n on. */
static inline void turn(const carom_facets_hull *side, const double *const column[3], uint32_t n, vd v[3]) {
    const vd local[3] = {vd_load(column[0] + n), vd_load(column[1] + n), vd_load(column[2] + n)};
    for (int d = 0; d < 3; d++) {
        const double *at = side->turn[d];
        const vd row[3] = {vd_set1(at[0]), vd_set1(at[1]), vd_set1(at[2])};
        v[d] = vd_dot(row, local);
    }
}

static inline void move(carom_facets *f) {
    const carom_facets_hull *k = &f->side[1];
    for (uint32_t n = 0; n < k->hull->vertex_count; n += CAROM_PAIRS) {
        vd v[3];
        turn(k, k->hull->vertex, n, v);
        for (int d = 0; d < 3; d++) {
            vd_store(f->moved[d] + n, vd_add(v[d], vd_set1(k->between[d])));
        }
    }
}

/* The first vertices that are least along normals; returns how far that is. */
static inline vd find_supports(const carom_facets_hull *other, const vd normal[3], vd support[3]) {
    vd least = vd_set1(HUGE_VAL);
    for (uint32_t m = 0; m < other->hull->vertex_count; m++) {
        const vd v[3] = {vd_set1(other->vertex[0][m]), vd_set1(other->vertex[1][m]), vd_set1(other->vertex[2][m])};
        const vd along = vd_dot(normal, v);
        const vdm is_less = vd_lt(along, least);
        for (int d = 0; d < 3; d++) {
            support[d] = vd_select(is_less, v[d], support[d]);
        }
        least = vd_min(along, least);
    }
    return least;
}

/* Sets the faces [n, n + CAROM_PAIRS), of which the last ones may be no faces; returns their heights. */
static inline vd measure_faces(carom_facets *f, uint32_t s, uint32_t n) {
    carom_facets_hull *side = &f->side[s];
    const vd between[3] = {vd_set1(side->between[0]), vd_set1(side->between[1]), vd_set1(side->between[2])};
    const vd zero = vd_set1(0.0);
    vd field[8] = {[4] = zero, [5] = zero, [6] = zero, [7] = zero};
    double *row[CAROM_PAIRS];
    turn(side, side->hull->axis, n, field);
    const vd least = find_supports(&f->side[1 - s], field, field + 4);
    field[3] = vd_sub(vd_add(vd_load(side->hull->offset + n), vd_dot(field, between)), least);
    for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
        row[l] = side->face[n + l].normal;
    }
    vd_store_rows(row, field);
    return field[3];
}

static inline uint32_t measure(carom_facets *f, uint32_t s) {
    vd number = vd_load(numbers);
    vd least = vd_set1(HUGE_VAL);
    vd nearest = vd_set1(CAROM_HULL_AXES_FACES);
    for (uint32_t n = 0; n < f->side[s].hull->face_count; n += CAROM_PAIRS) {
        const vd height = measure_faces(f, s, n);
        nearest = vd_select(vd_lt(height, least), number, nearest);
        least = vd_min(height, least);
        number = vd_add(number, vd_set1(CAROM_PAIRS));
    }
    const vdm is_least = vd_le(least, vd_set1(vd_least(least)));
    return (uint32_t)vd_least(vd_select(is_least, nearest, vd_set1(CAROM_HULL_AXES_FACES)));
}

/* Faces `e` of edges [n, n + CAROM_PAIRS), of the last one instead of those after it. */
static inline void load_faces(const carom_facets_hull *side, uint32_t n, int e, vd field[8]) {
    const double *row[CAROM_PAIRS];
    const uint32_t last = side->hull->edge_count - 1;
    for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
        row[l] = side->face[side->hull->edge[n + l < last ? n + l : last].face[e]].normal;
    }
    vd_load_rows(row, field);
}

/* carom_facets_counts for edges; bit l for lane l. */
static inline uint32_t count_edges(const carom_facets_hull *side, uint32_t n, double limit, double size) {
    vd a[8];
    vd b[8];
    vd between[3];
    load_faces(side, n, 0, a);
    load_faces(side, n, 1, b);
    for (int d = 0; d < 3; d++) {
        between[d] = vd_sub(a[4 + d], b[4 + d]);
    }
    const vd alpha = vd_dot(b, between);
    const vd beta = vd_negate(vd_dot(a, between));
    const vd sum = vd_add(alpha, beta);
    const vd both = vd_mul(alpha, beta);
    const vd square =
        vd_add(vd_add(vd_mul(alpha, alpha), vd_mul(beta, beta)), vd_mul(vd_add(both, both), vd_dot(a, b)));
    const vd value = vd_add(vd_mul(alpha, a[3]), vd_mul(beta, vd_sub(b[3], alpha)));
    const vdm is_above =
        vdm_and(vd_lt(vd_set1(0.0), value), vd_lt(vd_mul(vd_set1(limit * limit), square), vd_mul(value, value)));
    const vdm is_certain = vd_lt(vd_mul(vd_set1(CAROM_FACETS_BENT), vd_mul(sum, sum)), square);
    const vdm is_even = vd_le(vd_min(alpha, beta), vd_set1(CAROM_FACETS_EVEN * size));
    return ~vdm_bits(vdm_or(vdm_and(is_above, is_certain), is_even)) & ((1U << CAROM_PAIRS) - 1);
}

/* Whether one vertex of the other hull makes the heights of both faces of an edge, but for rounding. */
static inline bool share_vertex(const carom_facets *f, uint32_t s, const uint32_t face[2]) {
    const carom_facets_hull *other = &f->side[1 - s];
    const double slack = CAROM_FACETS_EVEN * f->difference.size;
    vd normal[2][3];
    vd most[2];
    uint32_t shared = 0;
    for (int e = 0; e < 2; e++) {
        const carom_facets_face *at = &f->side[s].face[face[e]];
        most[e] = vd_set1(carom_vector_dot(at->normal, at->support) + slack);
        for (int d = 0; d < 3; d++) {
            normal[e][d] = vd_set1(at->normal[d]);
        }
    }
    for (uint32_t m = 0; m < other->hull->vertex_count; m += CAROM_PAIRS) {
        const vd v[3] = {vd_load(other->vertex[0] + m), vd_load(other->vertex[1] + m), vd_load(other->vertex[2] + m)};
        shared |= vdm_bits(vdm_and(vd_le(vd_dot(normal[0], v), most[0]), vd_le(vd_dot(normal[1], v), most[1])));
    }
    return shared != 0;
}

static inline void choose(carom_facets *f, uint32_t s) {
    carom_facets_hull *side = &f->side[s];
    const double limit = carom_facets_limit(f);
    const uint32_t count = side->hull->edge_count;
    side->edges = 0;
    for (uint32_t n = 0; n < count; n += CAROM_PAIRS) {
        uint32_t bits = count_edges(side, n, limit, f->difference.size);
        bits &= count - n < CAROM_PAIRS ? (1U << (count - n)) - 1 : UINT32_MAX;
        for (; bits != 0; bits &= bits - 1) {
            const uint32_t edge = n + (uint32_t)__builtin_ctz(bits);
            side->edge[side->edges] = (uint8_t)edge;
            side->edges += share_vertex(f, s, side->hull->edge[edge].face) ? 0 : 1;
        }
    }
}

/* The greatest product with n of a hull's vertices, of which the last ones may be repeated. */
static inline double greatest(const carom_facets_hull *side, const vd n[3]) {
    vd far = vd_set1(-HUGE_VAL);
    for (uint32_t m = 0; m < side->hull->vertex_count; m += CAROM_PAIRS) {
        const vd v[3] = {vd_load(side->vertex[0] + m), vd_load(side->vertex[1] + m), vd_load(side->vertex[2] + m)};
        far = vd_max(vd_dot(n, v), far);
    }
    return vd_greatest(far);
}

static inline double reach(const carom_facets *f, const double normal[3]) {
    const vd n[3] = {vd_set1(normal[0]), vd_set1(normal[1]), vd_set1(normal[2])};
    const vd back[3] = {vd_negate(n[0]), vd_negate(n[1]), vd_negate(n[2])};
    return greatest(&f->side[0], n) + greatest(&f->side[1], back);
}

void carom_facets_kernel(const carom_posed *i, const carom_posed *k, const carom_goal *goals, uint32_t count,
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
