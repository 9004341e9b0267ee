/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Searches in floats for the distances of hulls: simd/ref/seek.c, a pair a lane. A lane whose search has ended takes
 * the next pair, as in simd/gjk.c. */
#include "simd/seek_floats.h"

#include "simd/check.h"
#include "simd/declare.h"
#include "simd/search_lanes.h"

#define carom_seek CAROM_KERNEL_OF(seek)
#define carom_seek_twin CAROM_TWIN_OF(seek)

enum { ALL = (int)((UINT64_C(1) << CAROM_LANES) - 1) };

/* Calls with up to so many pairs search them one by one. */
enum { FEW = CAROM_LANES / 4 };

typedef struct lanes {
    _Alignas(64) float turn[2][9][CAROM_LANES];
    float between[3][CAROM_LANES];
    float error[CAROM_LANES];
    float above[CAROM_LANES];
    float w[4][3][CAROM_LANES]; /* entries 0 to 2 are the simplex's points; entry 3 is one that is being added */
    float number[4][CAROM_LANES];
    float direction[3][CAROM_LANES];
    float square[CAROM_LANES];
    float lower[CAROM_LANES];
    float upper[CAROM_LANES];
    float steps[CAROM_LANES];
    const carom_hull *hull[2][CAROM_LANES];
    carom_seek_pair pair;     /* of a lane while it is filled */
    uint32_t at[CAROM_LANES]; /* the number of the pair in each lane */
    uint32_t busy;
    uint32_t most_vertices; /* of a hull so far */
} lanes;

/* A part of each lane's simplex: points are kept where `keep` is 1, not where it is 0. */
typedef struct part {
    vf square;
    vf keep[4];
    vf direction[3];
} part;

typedef struct seek_edges {
    vf p[3];
    vf edge[3][3];
    vf around[3][3];
    vfm used[3];
} seek_edges;

static inline vf dot(const vf a[3], const vf b[3]) {
    return vf_add(vf_add(vf_mul(a[0], b[0]), vf_mul(a[1], b[1])), vf_mul(a[2], b[2]));
}

static inline void cross(const vf a[3], const vf b[3], vf c[3]) {
    c[0] = vf_sub(vf_mul(a[1], b[2]), vf_mul(a[2], b[1]));
    c[1] = vf_sub(vf_mul(a[2], b[0]), vf_mul(a[0], b[2]));
    c[2] = vf_sub(vf_mul(a[0], b[1]), vf_mul(a[1], b[0]));
}

static inline void load(const float column[][CAROM_LANES], vf x[3]) {
    for (int d = 0; d < 3; d++) {
        x[d] = vf_load(column[d]);
    }
}

static inline vfm is_long(vf square) {
    return vf_le(vf_set1(CAROM_SEEK_SHORT), square);
}

/* 1 / x, or 0 where x is too small. */
static inline vf inverse(vf x) {
    const vf one = vf_set1(1.0F);
    const vfm counts = is_long(x);
    return vf_select(counts, vf_div(one, vf_select(counts, x, one)), vf_set1(0.0F));
}

/* Of the vertices n with the same remainder of n / CAROM_LANES, in each lane the one that is farthest along d, the
 * first of several: how far, and its number. */
static inline void scan(const carom_hull *hull, float x, float y, float z, vi *far, vi *number) {
    static const float numbers[16] = {0.0F, 1.0F, 2.0F,  3.0F,  4.0F,  5.0F,  6.0F,  7.0F,
                                      8.0F, 9.0F, 10.0F, 11.0F, 12.0F, 13.0F, 14.0F, 15.0F};
    const vf d[3] = {vf_set1(x), vf_set1(y), vf_set1(z)};
    vf n = vf_load(numbers);
    vf best = n;
    vf most = vf_set1(-HUGE_VALF);
    for (uint32_t first = 0; first < hull->vertex_count; first += CAROM_LANES) {
        const vf v[3] = {vf_load(hull->rounded[0] + first), vf_load(hull->rounded[1] + first),
                         vf_load(hull->rounded[2] + first)};
        const vf along = dot(d, v);
        best = vf_select(vf_lt(most, along), n, best);
        most = vf_max(along, most);
        n = vf_add(n, vf_set1((float)CAROM_LANES));
    }
    *far = vf_bits(most);
    *number = vf_bits(best);
}

/* The farthest vertices of all hulls of a side, the lowest of several: how far, and their numbers. A hull's row becomes
 * a lane. */
static inline vf farthest(const lanes *s, int side, const vf d[3], float vertex[CAROM_LANES]) {
    float direction[3][CAROM_LANES];
    vi far[CAROM_LANES];
    vi number[CAROM_LANES];
    for (int a = 0; a < 3; a++) {
        vf_store(direction[a], d[a]);
    }
    for (uint32_t l = 0; l < CAROM_LANES; l++) {
        scan(s->hull[side][l], direction[0][l], direction[1][l], direction[2][l], &far[l], &number[l]);
    }
    vi_transpose(far);
    if (s->most_vertices > CAROM_LANES) {
        vi_transpose(number);
    }
    vf most = vf_from_bits(far[0]);
    for (int c = 1; c < CAROM_LANES; c++) {
        most = vf_max(vf_from_bits(far[c]), most);
    }
    vf least = vf_set1((float)CAROM_SEEK_HULL);
    for (int c = 0; c < CAROM_LANES; c++) {
        const vfm is_most = vf_le(most, vf_from_bits(far[c]));
        const vf one = s->most_vertices > CAROM_LANES ? vf_from_bits(number[c]) : vf_set1((float)c);
        least = vf_min(vf_select(is_most, one, vf_set1((float)CAROM_SEEK_HULL)), least);
    }
    vf_store(vertex, least);
    return most;
}

/* The vertices of one side that are farthest along `sign` n, in the scene but for positions; returns how far. */
static inline vf support(const lanes *s, int side, float sign, const vf n[3], float vertex[CAROM_LANES], vf point[3]) {
    vf turn[9];
    vf d[3];
    float local[3][CAROM_LANES];
    for (int e = 0; e < 9; e++) {
        turn[e] = vf_load(s->turn[side][e]);
    }
    for (int c = 0; c < 3; c++) {
        const vf column[3] = {turn[c], turn[3 + c], turn[6 + c]};
        d[c] = vf_mul(vf_set1(sign), dot(column, n));
    }
    const vf far = farthest(s, side, d, vertex);
    for (uint32_t l = 0; l < CAROM_LANES; l++) {
        const uint32_t v = (uint32_t)vertex[l];
        for (int a = 0; a < 3; a++) {
            local[a][l] = s->hull[side][l]->rounded[a][v];
        }
    }
    vf at[3];
    load((const float(*)[CAROM_LANES])local, at);
    for (int r = 0; r < 3; r++) {
        point[r] = dot(turn + 3 * r, at);
    }
    return far;
}

/* Adds points, and raises lower bounds to the gaps along the directions. */
static inline void look(lanes *s) {
    float vertex[2][CAROM_LANES];
    vf n[3];
    vf between[3];
    vf at[2][3];
    load((const float(*)[CAROM_LANES])s->direction, n);
    load((const float(*)[CAROM_LANES])s->between, between);
    const vf far_i = support(s, 0, -1.0F, n, vertex[0], at[0]);
    const vf far_k = support(s, 1, 1.0F, n, vertex[1], at[1]);
    for (int d = 0; d < 3; d++) {
        vf_store(s->w[3][d], vf_sub(vf_add(at[0][d], between[d]), at[1][d]));
    }
    vf_store(s->number[3], vf_add(vf_mul(vf_load(vertex[0]), vf_set1((float)CAROM_SEEK_HULL)), vf_load(vertex[1])));
    const vf square = dot(n, n);
    const vfm counts = is_long(square);
    const vf length = vf_sqrt(vf_select(counts, square, vf_set1(1.0F)));
    const vf gap = vf_sub(vf_div(vf_sub(vf_sub(dot(n, between), far_i), far_k), length), vf_load(s->error));
    const vf before = vf_load(s->lower);
    const vfm better = vfm_and(counts, vf_lt(before, gap));
    vf_store(s->lower, vf_select(better, gap, before));
    vf_store(s->steps, vf_add(vf_load(s->steps), vf_set1(1.0F)));
}

static inline vf one_where(vfm where) {
    return vf_select(where, vf_set1(1.0F), vf_set1(0.0F));
}

static inline __attribute__((always_inline)) void try_edge(const seek_edges *edges, int n, part *best) {
    const vf zero = vf_set1(0.0F);
    const vf one = vf_set1(1.0F);
    const vf *e = edges->edge[n];
    const vf scale = inverse(dot(e, e));
    const vf t = vf_min(vf_max(vf_mul(vf_negate(dot(edges->p, e)), scale), zero), one);
    vf at[3];
    for (int d = 0; d < 3; d++) {
        at[d] = vf_add(edges->p[d], vf_mul(t, e[d]));
    }
    const vf square = dot(at, at);
    const vf back = vf_mul(dot(at, e), scale);
    const vfm closer = vfm_and(edges->used[n], vf_lt(square, best->square));
    best->square = vf_select(closer, square, best->square);
    best->keep[3] = vf_select(closer, one_where(vf_lt(t, one)), best->keep[3]);
    for (int m = 0; m < 3; m++) {
        best->keep[m] = vf_select(closer, m == n ? one_where(vf_lt(zero, t)) : zero, best->keep[m]);
        best->direction[m] = vf_select(closer, vf_sub(at[m], vf_mul(back, e[m])), best->direction[m]);
    }
}

static inline __attribute__((always_inline)) vf try_face(const seek_edges *edges, int n, int m, part *best) {
    const vf zero = vf_set1(0.0F);
    vf normal[3];
    cross(edges->edge[n], edges->edge[m], normal);
    const vf square = dot(normal, normal);
    const vf part_n = dot(normal, edges->around[m]);
    const vf part_m = vf_negate(dot(normal, edges->around[n]));
    const vf rest = vf_sub(square, vf_add(part_n, part_m));
    const vf height = dot(normal, edges->p);
    const vf distance = vf_mul(vf_mul(height, height), inverse(square));
    const vfm inside =
        vfm_and(vfm_and(vf_le(zero, part_n), vf_le(zero, part_m)), vfm_and(vf_le(zero, rest), is_long(square)));
    const vfm closer = vfm_and(vfm_and(inside, vfm_and(edges->used[n], edges->used[m])), vf_lt(distance, best->square));
    const vfm below = vf_lt(height, zero);
    const vf keep_n = one_where(vf_lt(zero, part_n));
    const vf keep_m = one_where(vf_lt(zero, part_m));
    best->square = vf_select(closer, distance, best->square);
    best->keep[3] = vf_select(closer, one_where(vf_lt(zero, rest)), best->keep[3]);
    for (int l = 0; l < 3; l++) {
        best->keep[l] = vf_select(closer, l == n ? keep_n : l == m ? keep_m : zero, best->keep[l]);
        best->direction[l] = vf_select(closer, vf_select(below, vf_negate(normal[l]), normal[l]), best->direction[l]);
    }
    return height;
}

/* The lanes whose points lie around the origin. */
static inline uint32_t holds_origin(const seek_edges *edges, const vf height[3]) {
    const vf zero = vf_set1(0.0F);
    vf normal[3];
    cross(edges->edge[0], edges->edge[1], normal);
    const vf rest = vf_add(dot(edges->edge[2], normal), vf_add(vf_add(height[0], height[1]), height[2]));
    const vfm below = vfm_and(vfm_and(vf_lt(height[0], zero), vf_lt(height[1], zero)),
                              vfm_and(vf_lt(height[2], zero), vf_lt(zero, rest)));
    const vfm above = vfm_and(vfm_and(vf_lt(zero, height[0]), vf_lt(zero, height[1])),
                              vfm_and(vf_lt(zero, height[2]), vf_lt(rest, zero)));
    const vfm used = vfm_and(vfm_and(edges->used[0], edges->used[1]), edges->used[2]);
    return (vfm_bits(below) | vfm_bits(above)) & vfm_bits(used);
}

static inline uint32_t find(const lanes *s, part *closest) {
    const vf zero = vf_set1(0.0F);
    seek_edges edges;
    vf height[3];
    load((const float(*)[CAROM_LANES])s->w[3], edges.p);
    for (int n = 0; n < 3; n++) {
        edges.used[n] = vf_le(zero, vf_load(s->number[n]));
        for (int d = 0; d < 3; d++) {
            edges.edge[n][d] = vf_sub(vf_load(s->w[n][d]), edges.p[d]);
        }
        cross(edges.edge[n], edges.p, edges.around[n]);
    }
    *closest = (part){.square = dot(edges.p, edges.p),
                      .keep = {zero, zero, zero, vf_set1(1.0F)},
                      .direction = {edges.p[0], edges.p[1], edges.p[2]}};
    try_edge(&edges, 0, closest);
    try_edge(&edges, 1, closest);
    try_edge(&edges, 2, closest);
    height[2] = try_face(&edges, 0, 1, closest);
    height[0] = try_face(&edges, 1, 2, closest);
    height[1] = try_face(&edges, 2, 0, closest);
    return holds_origin(&edges, height);
}

static inline vf face_distance(const vf a[3], const vf b[3], const vf c[3], vf side) {
    vf e[3];
    vf f[3];
    vf normal[3];
    for (int d = 0; d < 3; d++) {
        e[d] = vf_sub(b[d], a[d]);
        f[d] = vf_sub(c[d], a[d]);
    }
    cross(e, f, normal);
    const vf square = dot(normal, normal);
    const vfm counts = is_long(square);
    const vf least =
        vf_min(vf_min(vf_mul(side, dot(normal, a)), vf_mul(side, dot(normal, b))), vf_mul(side, dot(normal, c)));
    return vf_select(counts, vf_div(least, vf_sqrt(vf_select(counts, square, vf_set1(1.0F)))), vf_set1(0.0F));
}

/* Notes what balls within four points prove. Returns the lanes whose goals are reached. */
static inline uint32_t prove_overlaps(lanes *s) {
    vf w[4][3];
    vf e[3];
    vf f[3];
    vf normal[3];
    for (int n = 0; n < 4; n++) {
        load((const float(*)[CAROM_LANES])s->w[n], w[n]);
    }
    const vf *p = w[3];
    for (int d = 0; d < 3; d++) {
        e[d] = vf_sub(w[0][d], p[d]);
        f[d] = vf_sub(w[1][d], p[d]);
    }
    cross(e, f, normal);
    const vf side = vf_select(vf_lt(dot(normal, p), vf_set1(0.0F)), vf_set1(-1.0F), vf_set1(1.0F));
    const vf beside_p = vf_min(vf_min(face_distance(p, w[0], w[1], side), face_distance(p, w[1], w[2], side)),
                               face_distance(p, w[2], w[0], side));
    const vf ball = vf_min(beside_p, face_distance(w[0], w[2], w[1], side));
    const vf upper = vf_sub(vf_load(s->error), ball);
    vf_store(s->upper, upper);
    return vfm_bits(vf_le(upper, vf_set1(0.0F)));
}

/* Makes the parts the simplexes. */
static inline void keep(lanes *s, const part *closest) {
    const vf half = vf_set1(0.5F);
    vf moves = closest->keep[3];
    for (int n = 0; n < 3; n++) {
        const vfm kept = vf_lt(half, closest->keep[n]);
        const vfm taken = vf_lt(half, vf_sub(moves, closest->keep[n]));
        const vf other = vf_select(taken, vf_load(s->number[3]), vf_set1(-1.0F));
        vf_store(s->number[n], vf_select(kept, vf_load(s->number[n]), other));
        for (int d = 0; d < 3; d++) {
            vf_store(s->w[n][d], vf_select(taken, vf_load(s->w[3][d]), vf_load(s->w[n][d])));
        }
        moves = vf_select(taken, vf_set1(0.0F), moves);
    }
    vf_store(s->square, closest->square);
    for (int d = 0; d < 3; d++) {
        vf_store(s->direction[d], closest->direction[d]);
    }
}

/* The lanes whose new point is one of the simplex, or takes it no closer to the origin. */
static inline uint32_t is_at_end(const lanes *s, const part *closest) {
    const vf number = vf_load(s->number[3]);
    uint32_t end = ~vfm_bits(vf_lt(closest->square, vf_load(s->square)));
    for (int n = 0; n < 3; n++) {
        const vf other = vf_load(s->number[n]);
        end |= vfm_bits(vfm_and(vf_le(number, other), vf_le(other, number)));
    }
    return end & ALL;
}

static inline uint32_t is_narrow(const lanes *s, const part *closest) {
    const vf width = vf_sub(vf_sqrt(closest->square), vf_load(s->lower));
    const vfm wide = vf_lt(vf_mul(vf_set1(CAROM_SEEK_WIDTH), vf_load(s->error)), width);
    const vfm goes_on = vfm_and(wide, vf_lt(vf_load(s->steps), vf_set1((float)CAROM_SEEK_STEPS_MAX)));
    return ~vfm_bits(goes_on) & ALL;
}

/* Lane l takes pair n, which is in s->pair. */
static void set_lane(lanes *s, uint32_t l, const carom_search_pairs *p, uint32_t n) {
    const carom_seek_pair *pair = &s->pair;
    for (int e = 0; e < 9; e++) {
        s->turn[0][e][l] = pair->turn[0][e / 3][e % 3];
        s->turn[1][e][l] = pair->turn[1][e / 3][e % 3];
    }
    float square = 0.0F;
    for (int d = 0; d < 3; d++) {
        s->number[d][l] = -1.0F;
        s->between[d][l] = pair->between[d];
        s->direction[d][l] = pair->between[d];
        for (int m = 0; m < 3; m++) {
            s->w[m][d][l] = 0.0F;
        }
        square = d == 0 ? pair->between[0] * pair->between[0] : square + pair->between[d] * pair->between[d];
    }
    s->direction[0][l] = square >= CAROM_SEEK_SHORT ? pair->between[0] : 1.0F;
    s->error[l] = pair->error;
    s->above[l] = pair->above;
    s->square[l] = HUGE_VALF;
    s->lower[l] = -HUGE_VALF;
    s->steps[l] = 0.0F;
    s->hull[0][l] = p->i[n].shape->hull;
    s->hull[1][l] = p->k[n].shape->hull;
    for (int side = 0; side < 2; side++) {
        const uint32_t vertices = s->hull[side][l]->vertex_count;
        s->most_vertices = vertices > s->most_vertices ? vertices : s->most_vertices;
    }
    s->at[l] = n;
}

/* Lane l takes the next pair that is searched for; false if there is none. */
static bool take(lanes *s, uint32_t l, carom_search_pairs *p) {
    while (p->next < p->count) {
        const uint32_t n = p->next++;
        if (carom_seek_pair_make(&p->i[n], &p->k[n], &p->goals[n], &p->brackets[n], &s->pair)) {
            set_lane(s, l, p, n);
            return true;
        }
    }
    return false;
}

static void give(const lanes *s, uint32_t l, carom_seek_end end, const carom_search_pairs *p) {
    const uint32_t n = s->at[l];
    carom_seek_place place = {.lower = s->lower[l], .upper = s->upper[l], .steps = (uint32_t)s->steps[l], .end = end};
    for (int d = 0; d < 3; d++) {
        place.number[d] = s->number[d][l];
        place.direction[d] = s->direction[d][l];
    }
    carom_seek_give(&p->i[n], &p->k[n], &place, &p->brackets[n]);
}

static void give_all(const lanes *s, uint32_t ended, uint32_t apart, uint32_t touching, const carom_search_pairs *p) {
    for (uint32_t rest = ended; rest != 0; rest &= rest - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(rest);
        const bool is_apart = (apart >> l & 1) != 0;
        const bool touches = (touching >> l & 1) != 0;
        give(s, l, is_apart ? CAROM_SEEK_APART : touches ? CAROM_SEEK_TOUCHES : CAROM_SEEK_BEGINS, p);
    }
}

/* One step in all lanes. Returns those that have ended, whose places are given out. */
static inline uint32_t advance(lanes *s, const carom_search_pairs *p) {
    part closest;
    look(s);
    const uint32_t apart = vfm_bits(vf_lt(vf_load(s->above), vf_load(s->lower))) & s->busy;
    const uint32_t around = find(s, &closest) & s->busy & ~apart;
    const uint32_t touching = around != 0 ? prove_overlaps(s) & around : 0;
    const uint32_t ended = apart | around | (is_at_end(s, &closest) & s->busy);
    give_all(s, ended, apart, touching, p);
    keep(s, &closest);
    const uint32_t narrow = is_narrow(s, &closest) & s->busy & ~ended;
    give_all(s, narrow, 0, 0, p);
    return ended | narrow;
}

/* The first pairs, one to each lane; lanes without one repeat the first. False if there is none. */
static bool take_first(lanes *s, carom_search_pairs *p) {
    s->busy = 0;
    s->most_vertices = 0;
    for (uint32_t l = 0; l < CAROM_LANES; l++) {
        if (take(s, l, p)) {
            s->busy |= 1U << l;
        } else if (l == 0) {
            return false;
        } else {
            (void)carom_seek_pair_make(&p->i[s->at[0]], &p->k[s->at[0]], &p->goals[s->at[0]], &p->brackets[s->at[0]],
                                       &s->pair);
            set_lane(s, l, p, s->at[0]);
        }
    }
    return true;
}

void carom_seek(const carom_posed *i, const carom_posed *k, const carom_goal *goals, uint32_t count,
                carom_bracket *brackets) {
    if (count <= FEW) {
        carom_seek_twin(i, k, goals, count, brackets);
        return;
    }
    carom_search_pairs p = {.i = i, .k = k, .goals = goals, .brackets = brackets, .count = count};
    lanes s;
    if (!take_first(&s, &p)) {
        return;
    }
    while (s.busy != 0) {
        for (uint32_t ended = advance(&s, &p); ended != 0; ended &= ended - 1) {
            const uint32_t l = (uint32_t)__builtin_ctz(ended);
            if (!take(&s, l, &p)) {
                s.busy &= ~(1U << l);
            }
        }
    }
}
