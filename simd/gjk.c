/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Distances of pairs of cores: simd/ref/gjk.c, a pair a lane. A lane whose search has ended gives its bracket out and
 * takes the next pair, so that all lanes work until the pairs run out. No lane sees another, so results do not depend
 * on which pairs are side by side. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/newton/distance.h"
#include "simd/ref/difference.h"
#include "simd/ref/simplex.h"
#include "simd/search_lanes.h"

#define carom_gjk CAROM_KERNEL_OF(gjk)
#define carom_gjk_twin CAROM_TWIN_OF(gjk)

/* Doubles of a carom_bracket, in its order. A column is one of them in all lanes. */
enum {
    LOWER = 0,
    UPPER = 1,
    NORMAL = 2,
    POINT = 5,
    WEIGHT = POINT + 4 * 6,
    CLOSEST = WEIGHT + 3,
    DIRECTION = CLOSEST + 3,
    COLUMNS = DIRECTION + 3
};
_Static_assert(offsetof(carom_bracket, simplex) == POINT * sizeof(double), "a bracket begins with columns");
_Static_assert(offsetof(carom_bracket, iterations) == COLUMNS * sizeof(double), "a bracket's doubles are columns");

typedef struct lanes {
    carom_difference_lanes difference;
    double column[COLUMNS][CAROM_PAIRS];
    carom_goal_lanes goal;
    double iterations[CAROM_PAIRS];
    uint32_t pair[CAROM_PAIRS]; /* the pair in each lane */
} lanes;

/* A part of each lane's simplex (carom_simplex_part). */
typedef struct part {
    vd square;
    vd weight[3];
    vd direction[3];
} part;

/* The new points p, and the edges from there to the others (carom_simplex_edges). */
typedef struct simplex_edges {
    vd p[3];
    vd edge[3][3];
    vd around[3][3];
    vdm used[3];
} simplex_edges;

static inline void store_where(double column[][CAROM_PAIRS], vdm where, const vd x[3]) {
    for (int a = 0; a < 3; a++) {
        vd_store(column[a], vd_select(where, x[a], vd_load(column[a])));
    }
}

/* The number of an edge is a constant where it is used: then vectors stay in registers. */
static inline __attribute__((always_inline)) void try_edge(const simplex_edges *edges, int n, part *best) {
    const vd zero = vd_set1(0.0);
    const vd *e = edges->edge[n];
    vd at[3];
    const vd scale = vd_div(vd_set1(1.0), vd_dot(e, e));
    vd t = vd_mul(vd_negate(vd_dot(edges->p, e)), scale);
    t = vd_min(vd_max(t, zero), vd_set1(1.0));
    for (int a = 0; a < 3; a++) {
        at[a] = vd_add(edges->p[a], vd_mul(t, e[a]));
    }
    const vd square = vd_dot(at, at);
    const vd back = vd_negate(vd_mul(vd_dot(at, e), scale));
    const vdm closer = vdm_and(edges->used[n], vd_lt(square, best->square));
    best->square = vd_select(closer, square, best->square);
    for (int m = 0; m < 3; m++) {
        best->weight[m] = vd_select(closer, m == n ? t : zero, best->weight[m]);
        best->direction[m] = vd_select(closer, vd_add(at[m], vd_mul(back, e[m])), best->direction[m]);
    }
}

static inline __attribute__((always_inline)) vd try_face(const simplex_edges *edges, int n, int m, part *best) {
    const vd zero = vd_set1(0.0);
    vd normal[3];
    vd_cross(edges->edge[n], edges->edge[m], normal);
    const vd square = vd_dot(normal, normal);
    const vd part_n = vd_dot(normal, edges->around[m]);
    const vd part_m = vd_negate(vd_dot(normal, edges->around[n]));
    const vd height = vd_dot(normal, edges->p);
    const vd scale = vd_div(vd_set1(1.0), square);
    const vd distance = vd_mul(vd_mul(height, height), scale);
    const vdm inside = vdm_and(vdm_and(vd_le(zero, part_n), vd_le(zero, part_m)),
                               vdm_and(vd_le(vd_add(part_n, part_m), square), vd_lt(zero, square)));
    const vdm closer = vdm_and(vdm_and(inside, vdm_and(edges->used[n], edges->used[m])), vd_lt(distance, best->square));
    const vdm below = vd_lt(height, zero);
    const vd weight_n = vd_mul(part_n, scale);
    const vd weight_m = vd_mul(part_m, scale);
    best->square = vd_select(closer, distance, best->square);
    for (int l = 0; l < 3; l++) {
        best->weight[l] = vd_select(closer, l == n ? weight_n : l == m ? weight_m : zero, best->weight[l]);
        best->direction[l] = vd_select(closer, vd_select(below, vd_negate(normal[l]), normal[l]), best->direction[l]);
    }
    return height;
}

/* The lanes whose four points lie around the origin. */
static inline vdm holds_origin(const simplex_edges *edges, const vd height[3]) {
    const vd zero = vd_set1(0.0);
    vd cross[3];
    vd_cross(edges->edge[0], edges->edge[1], cross);
    const vd rest = vd_add(vd_dot(edges->edge[2], cross), vd_add(vd_add(height[0], height[1]), height[2]));
    const vdm below = vdm_and(vdm_and(vd_lt(height[0], zero), vd_lt(height[1], zero)),
                              vdm_and(vd_lt(height[2], zero), vd_lt(zero, rest)));
    const vdm above = vdm_and(vdm_and(vd_lt(zero, height[0]), vd_lt(zero, height[1])),
                              vdm_and(vd_lt(zero, height[2]), vd_lt(rest, zero)));
    return vdm_and(vdm_or(above, below), vdm_and(vdm_and(edges->used[0], edges->used[1]), edges->used[2]));
}

/* The simplexes' closest parts; returns the lanes whose points lie around the origin, where they have no meaning. */
static inline vdm find(lanes *s, part *closest) {
    const vd zero = vd_set1(0.0);
    simplex_edges edges;
    vd_load_vector(s->column + POINT + 3 * CAROM_POINT_COLUMNS + CAROM_POINT_W, edges.p);
    for (int n = 0; n < 3; n++) {
        vd w[3];
        vd_load_vector(s->column + POINT + n * CAROM_POINT_COLUMNS + CAROM_POINT_W, w);
        edges.used[n] = vd_lt(zero, vd_load(s->column[WEIGHT + n]));
        for (int a = 0; a < 3; a++) {
            edges.edge[n][a] = vd_sub(w[a], edges.p[a]);
        }
        vd_cross(edges.edge[n], edges.p, edges.around[n]);
    }
    *closest = (part){.square = vd_dot(edges.p, edges.p),
                      .weight = {zero, zero, zero},
                      .direction = {edges.p[0], edges.p[1], edges.p[2]}};
    try_edge(&edges, 0, closest);
    try_edge(&edges, 1, closest);
    try_edge(&edges, 2, closest);
    vd height[3];
    height[2] = try_face(&edges, 0, 1, closest);
    height[0] = try_face(&edges, 1, 2, closest);
    height[1] = try_face(&edges, 2, 0, closest);
    return holds_origin(&edges, height);
}

/* How far faces are from the origin (carom_simplex_face_distance). */
static inline __attribute__((always_inline)) vd face_distance(const vd a[3], const vd b[3], const vd c[3], vd side) {
    vd e[3];
    vd f[3];
    vd normal[3];
    for (int d = 0; d < 3; d++) {
        e[d] = vd_sub(b[d], a[d]);
        f[d] = vd_sub(c[d], a[d]);
    }
    vd_cross(e, f, normal);
    const vd square = vd_dot(normal, normal);
    const vd to_a = vd_mul(side, vd_dot(normal, a));
    const vd to_b = vd_mul(side, vd_dot(normal, b));
    const vd to_c = vd_mul(side, vd_dot(normal, c));
    const vd least = vd_min(vd_min(to_a, to_b), to_c);
    const vdm has_area = vd_lt(vd_set1(CAROM_TRIANGLE_AREA), square);
    return vd_select(has_area, vd_div(least, vd_sqrt(square)), vd_set1(0.0));
}

/* The radii of balls about the origin within tetrahedra that hold it (carom_simplex_ball). */
static inline vd ball_of(lanes *s) {
    vd a[3];
    vd b[3];
    vd c[3];
    vd p[3];
    vd e[3];
    vd f[3];
    vd normal[3];
    vd_load_vector(s->column + POINT + CAROM_POINT_W, a);
    vd_load_vector(s->column + POINT + CAROM_POINT_COLUMNS + CAROM_POINT_W, b);
    vd_load_vector(s->column + POINT + 2 * CAROM_POINT_COLUMNS + CAROM_POINT_W, c);
    vd_load_vector(s->column + POINT + 3 * CAROM_POINT_COLUMNS + CAROM_POINT_W, p);
    for (int d = 0; d < 3; d++) {
        e[d] = vd_sub(a[d], p[d]);
        f[d] = vd_sub(b[d], p[d]);
    }
    vd_cross(e, f, normal);
    const vd side = vd_select(vd_lt(vd_dot(normal, p), vd_set1(0.0)), vd_set1(-1.0), vd_set1(1.0));
    const vd beside_p =
        vd_min(vd_min(face_distance(p, a, b, side), face_distance(p, b, c, side)), face_distance(p, c, a, side));
    return vd_min(beside_p, face_distance(a, c, b, side));
}

/* Of the lanes `around`, whose simplexes hold the origin: those whose ball proves what the goal asks for. */
static inline uint32_t prove_overlaps(lanes *s, uint32_t around) {
    if (around == 0) {
        return 0;
    }
    const vd ball = ball_of(s);
    const vd upper = vd_sub(vd_load(s->difference.error), ball);
    const vdm enough = vdm_and(vd_lt(vd_set1(0.0), ball), vd_le(upper, vd_load(s->goal.below)));
    const vdm proved = vdm_and(enough, vdm_from_bits(around));
    vd_store(s->column[UPPER], vd_select(proved, upper, vd_load(s->column[UPPER])));
    return vdm_bits(proved);
}

/* The new points' weights. */
static inline vd rest_of(const part *closest) {
    const vd *weight = closest->weight;
    return vd_max(vd_sub(vd_sub(vd_sub(vd_set1(1.0), weight[0]), weight[1]), weight[2]), vd_set1(0.0));
}

static inline void weighted_sum(const lanes *s, const part *closest, vd rest, vd sum[3]) {
    for (int a = 0; a < 3; a++) {
        sum[a] = vd_mul(closest->weight[0], vd_load(s->column[POINT + a]));
        for (int n = 1; n < 3; n++) {
            sum[a] =
                vd_add(sum[a], vd_mul(closest->weight[n], vd_load(s->column[POINT + n * CAROM_POINT_COLUMNS + a])));
        }
        sum[a] = vd_add(sum[a], vd_mul(rest, vd_load(s->column[POINT + 3 * CAROM_POINT_COLUMNS + a])));
    }
}

/* Copies the new point to entry n of the simplexes in some lanes. */
static inline void move_new_point(lanes *s, int n, vdm where) {
    for (int c = 0; c < CAROM_POINT_COLUMNS; c++) {
        double *to = s->column[POINT + n * CAROM_POINT_COLUMNS + c];
        vd_store(to, vd_select(where, vd_load(s->column[POINT + 3 * CAROM_POINT_COLUMNS + c]), vd_load(to)));
    }
}

/* Makes the parts the simplexes, in some lanes. */
static inline void keep(lanes *s, vdm where, const part *closest, vd rest, const vd sum[3]) {
    const vd zero = vd_set1(0.0);
    const vdm full_0 = vd_lt(zero, closest->weight[0]);
    const vdm full_1 = vd_lt(zero, closest->weight[1]);
    const vdm free_0 = vd_le(closest->weight[0], zero);
    const vdm free_1 = vd_le(closest->weight[1], zero);
    const vdm moves = vdm_and(where, vd_lt(zero, rest));
    const vdm to[3] = {vdm_and(moves, free_0), vdm_and(moves, vdm_and(full_0, free_1)),
                       vdm_and(moves, vdm_and(full_0, full_1))};
    for (int n = 0; n < 3; n++) {
        double *weight = s->column[WEIGHT + n];
        const vd kept = vd_select(where, closest->weight[n], vd_load(weight));
        vd_store(weight, vd_select(to[n], rest, kept));
        move_new_point(s, n, to[n]);
    }
    store_where(s->column + CLOSEST, where, sum);
    store_where(s->column + DIRECTION, where, closest->direction);
}

/* Looks along the directions: a new point in entry 3, and the lower bounds that the directions prove. */
static inline void look(lanes *s) {
    vd n[3];
    vd_load_vector(s->column + DIRECTION, n);
    const vd least = carom_difference_lanes_support(&s->difference, n, s->column + POINT + 3 * CAROM_POINT_COLUMNS);
    (void)carom_difference_lanes_raise(&s->difference, n, least, s->column[LOWER], s->column + NORMAL);
    vd_store(s->iterations, vd_add(vd_load(s->iterations), vd_set1(1.0)));
}

/* The lanes whose goals are reached. */
static inline vdm reached(const lanes *s) {
    return carom_goal_lanes_reached(&s->goal, vd_load(s->column[LOWER]), vd_load(s->column[UPPER]));
}

/* The lanes whose simplex is a point or an edge so close to the origin that its direction says nothing. */
static inline vdm at_origin(const lanes *s, vd length) {
    const vd zero = vd_set1(0.0);
    const vdm no_face =
        vdm_or(vdm_or(vd_le(vd_load(s->column[WEIGHT]), zero), vd_le(vd_load(s->column[WEIGHT + 1]), zero)),
               vd_le(vd_load(s->column[WEIGHT + 2]), zero));
    return vdm_and(no_face, vd_le(length, vd_load(s->difference.error)));
}

/* One step in all lanes. Returns the lanes whose search ends, and in *overlap those of them that end in an overlap. */
static inline uint32_t advance(lanes *s, uint32_t *overlap) {
    look(s);
    const uint32_t early = vdm_bits(vdm_and(reached(s), vd_lt(vd_set1(1.0), vd_load(s->iterations))));
    part closest;
    const uint32_t around = vdm_bits(find(s, &closest)) & ~early;
    vd sum[3];
    vd before[3];
    const vd rest = rest_of(&closest);
    weighted_sum(s, &closest, rest, sum);
    vd_load_vector(s->column + CLOSEST, before);
    const vd square = vd_dot(sum, sum);
    const uint32_t closer = vdm_bits(vd_lt(square, vd_dot(before, before))) & ~early & ~around;
    const vdm where = vdm_from_bits(closer);
    keep(s, where, &closest, rest, sum);
    const vd length = vd_sqrt(square);
    vd_store(s->column[UPPER],
             vd_select(where, vd_add(length, vd_load(s->difference.error)), vd_load(s->column[UPPER])));
    const uint32_t origin = vdm_bits(at_origin(s, length)) & closer;
    const uint32_t last = vdm_bits(vd_le(vd_set1(CAROM_GJK_STEPS_MAX), vd_load(s->iterations)));
    const vdm here = vd_le(vd_load(s->column[UPPER]), vd_mul(vd_set1(2.0), vd_load(s->difference.error)));
    const uint32_t stuck = ~early & ~around & ~closer & vdm_bits(here);
    *overlap = (around & ~prove_overlaps(s, around)) | origin | stuck;
    return ~closer | origin | last | vdm_bits(reached(s));
}

/* Lane l begins without a point: `start` of simd/ref/gjk.c. */
static void start(lanes *s, uint32_t l, const carom_difference *difference, const carom_bracket *bracket) {
    const double *given = bracket->simplex.direction;
    const bool is_given = carom_vector_dot(given, given) > 0.0;
    double square = 0.0;
    for (int c = 0; c < COLUMNS; c++) {
        s->column[c][l] = 0.0;
    }
    for (int d = 0; d < 3; d++) {
        const double along = is_given ? given[d] : difference->i->at[d] - difference->k->at[d];
        s->column[DIRECTION + d][l] = along;
        square += along * along;
    }
    if (!(square > 0.0)) {
        s->column[DIRECTION][l] = 1.0;
    }
    s->column[LOWER][l] = -HUGE_VAL;
    s->column[UPPER][l] = HUGE_VAL;
    s->column[CLOSEST][l] = HUGE_VAL;
}

/* Lane l goes on where an earlier search has ended. */
static void resume(lanes *s, uint32_t l, const carom_bracket *bracket) {
    const double *from = &bracket->lower;
    for (int c = 0; c < COLUMNS; c++) {
        s->column[c][l] = from[c];
    }
}

/* Lane l takes pair n. */
static void take(lanes *s, uint32_t l, const carom_search_pairs *p, uint32_t n) {
    const carom_difference difference = carom_difference_make(&p->i[n], &p->k[n]);
    const carom_bracket *bracket = &p->brackets[n];
    carom_difference_lanes_set(&s->difference, l, &difference);
    carom_goal_lanes_set(&s->goal, l, &p->goals[n]);
    s->iterations[l] = bracket->iterations;
    s->pair[l] = n;
    if (bracket->iterations > 0) {
        resume(s, l, bracket);
    } else {
        start(s, l, &difference, bracket);
    }
}

/* The next pair of which not all is known; p->count if there is none. */
static uint32_t next_pair(carom_search_pairs *p) {
    while (p->next < p->count && p->brackets[p->next].known) {
        p->next++;
    }
    return p->next < p->count ? p->next++ : p->count;
}

/* The first pairs, one to each lane. Returns the lanes that have one; the others repeat the first pair. */
static uint32_t take_first(lanes *s, carom_search_pairs *p) {
    uint32_t busy = 0;
    s->difference.kind_i = p->i[0].shape->kind;
    s->difference.kind_k = p->k[0].shape->kind;
    for (uint32_t l = 0; l < CAROM_PAIRS; l++) {
        const uint32_t n = next_pair(p);
        take(s, l, p, n < p->count ? n : 0);
        busy |= n < p->count ? 1U << l : 0;
    }
    return busy;
}

/* Lane l's bracket goes to its pair. Points that nobody asks for do not. */
static void give(const lanes *s, uint32_t l, bool overlap, const carom_search_pairs *p) {
    carom_bracket *bracket = &p->brackets[s->pair[l]];
    const bool with_points = overlap || !carom_goal_is_state(&p->goals[s->pair[l]]);
    double *to = &bracket->lower;
    for (int c = 0; c < (with_points ? (int)COLUMNS : (int)POINT); c++) {
        to[c] = s->column[c][l];
    }
    if (!with_points) {
        memset(&bracket->simplex, 0, sizeof bracket->simplex);
    }
    bracket->iterations = (uint32_t)s->iterations[l];
    bracket->overlap = overlap;
}

/* The search of lane l has ended. Where it has not reached its goal, that may be proved from where it got to. */
static void finish(const lanes *s, uint32_t l, bool overlap, const carom_search_pairs *p) {
    const uint32_t n = s->pair[l];
    give(s, l, overlap, p);
    if (!overlap && carom_newton_distance_is_due(&p->i[n], &p->k[n], &p->goals[n], &p->brackets[n])) {
        carom_newton_distance(&p->i[n], &p->k[n], &p->goals[n], &p->brackets[n]);
    }
}

void carom_gjk(const carom_posed *i, const carom_posed *k, const carom_goal *goals, uint32_t count,
               carom_bracket *brackets) {
    if (count <= CAROM_SEARCH_FEW) {
        carom_gjk_twin(i, k, goals, count, brackets);
        return;
    }
    carom_search_pairs p = {.i = i, .k = k, .goals = goals, .brackets = brackets, .count = count};
    lanes s;
    uint32_t busy = take_first(&s, &p);
    while (busy != 0) {
        uint32_t overlap;
        for (uint32_t ended = advance(&s, &overlap) & busy; ended != 0; ended &= ended - 1) {
            const uint32_t l = (uint32_t)__builtin_ctz(ended);
            finish(&s, l, (overlap >> l & 1) != 0, &p);
            const uint32_t n = next_pair(&p);
            if (n < p.count) {
                take(&s, l, &p, n);
            } else {
                busy &= ~(1U << l);
            }
        }
    }
}
