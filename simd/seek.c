/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Searches in floats for the states of hulls: simd/ref/seek.c, a pair a lane. A lane whose search has ended takes the
 * next pair, as in simd/gjk.c. */
#include "simd/seek_floats.h"

#include <math.h>

#include "simd/check.h"
#include "simd/declare.h"
#include "simd/rounded.h"
#include "simd/vec.h"

#define carom_seek CAROM_KERNEL_OF(seek)
#define carom_seek_twin CAROM_TWIN_OF(seek)

enum { ALL = (int)((UINT64_C(1) << CAROM_LANES) - 1) };

/* Calls with up to so many pairs search them one by one. */
enum { FEW_PAIRS = CAROM_LANES / 4 };

typedef struct lanes {
    _Alignas(64) float turn[9][CAROM_LANES];
    float between[3][CAROM_LANES];
    float error[CAROM_LANES];
    float unit[CAROM_LANES];
    float w[4][3][CAROM_LANES];   /* entries 0 to 2 are the simplex's points; entry 3 is one that is being added */
    float number[4][CAROM_LANES]; /* of these points; negative: there is none */
    float direction[3][CAROM_LANES];
    float normal[3][CAROM_LANES]; /* has_axes: it proves `lower` */
    float square[CAROM_LANES];
    float lower[CAROM_LANES];
    float upper[CAROM_LANES];
    float steps[CAROM_LANES];
    const float *rounded[2][CAROM_LANES]; /* of both hulls: simd/rounded.h */
    const float *rows[2][CAROM_LANES];
    uint32_t padded[2][CAROM_LANES];
    uint32_t vertices[2][CAROM_LANES];
    uint32_t at[CAROM_LANES]; /* the number of the pair in each lane */
    uint32_t busy;
    bool has_axes;
    bool small; /* no hull so far has more vertices than there are lanes */
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

/* Products with a direction of the vertices that begin at `first`, with their numbers. */
static inline vf products(const float *rounded, uint32_t padded, uint32_t first, vf x, vf y, vf z) {
    const float *at = rounded + first;
    const vf far = vf_add(vf_add(vf_mul(x, vf_load(at)), vf_mul(y, vf_load(at + padded))),
                          vf_mul(z, vf_load(at + 2 * (size_t)padded)));
    const vi numbers = vf_bits(vf_load(at + CAROM_ROUNDED_NUMBERS * (size_t)padded));
    return vf_from_bits(vi_or(vi_and(vf_bits(far), vi_set1(~(CAROM_SEEK_HULL - 1))), numbers));
}

/* Of the vertices n with the same remainder of n / CAROM_LANES, the greatest product in each lane. */
static inline vf scan(const lanes *s, int side, uint32_t l, const float direction[3][CAROM_LANES]) {
    const uint32_t padded = s->padded[side][l];
    const vf x = vf_set1(direction[0][l]);
    const vf y = vf_set1(direction[1][l]);
    const vf z = vf_set1(direction[2][l]);
    vf most = products(s->rounded[side][l], padded, 0, x, y, z);
    for (uint32_t first = CAROM_LANES; first < s->vertices[side][l]; first += CAROM_LANES) {
        most = vf_max(products(s->rounded[side][l], padded, first, x, y, z), most);
    }
    return most;
}

/* Likewise of hulls with no more vertices than there are lanes: these are padded to CAROM_HULL_PAD. */
_Static_assert(CAROM_LANES <= CAROM_HULL_PAD, "a row of a small hull is one vector");
static inline vf scan_small(const lanes *s, int side, uint32_t l, const float direction[3][CAROM_LANES]) {
    return products(s->rounded[side][l], CAROM_HULL_PAD, 0, vf_set1(direction[0][l]), vf_set1(direction[1][l]),
                    vf_set1(direction[2][l]));
}

/* The greatest products of all hulls of a side. A hull's row becomes a lane. */
static inline vf farthest(const lanes *s, int side, const vf d[3]) {
    float direction[3][CAROM_LANES];
    vf far[CAROM_LANES];
    for (int a = 0; a < 3; a++) {
        vf_store(direction[a], d[a]);
    }
    if (s->small) {
        for (uint32_t l = 0; l < CAROM_LANES; l++) {
            far[l] = scan_small(s, side, l, (const float(*)[CAROM_LANES])direction);
        }
    } else {
        for (uint32_t l = 0; l < CAROM_LANES; l++) {
            far[l] = scan(s, side, l, (const float(*)[CAROM_LANES])direction);
        }
    }
    return vf_greatest_of_rows(far);
}

/* The vertices of one side that are farthest along d, in their own frame. Returns how far. */
static inline vf support(const lanes *s, int side, const vf d[3], vi *vertex, vf point[3]) {
    const vf far = farthest(s, side, d);
    const float *row[CAROM_LANES];
    uint32_t number[CAROM_LANES];
    *vertex = vi_and(vf_bits(far), vi_set1(CAROM_SEEK_HULL - 1));
    vi_store(number, *vertex);
    for (uint32_t l = 0; l < CAROM_LANES; l++) {
        row[l] = s->rows[side][l] + 4 * (size_t)number[l];
    }
    vf_load_points(row, point);
    return far;
}

/* The directions of these lanes prove their lower bounds. What only axes need is kept out of the loops of searches
 * without. */
static __attribute__((noinline)) void keep_normals(lanes *s, uint32_t better) {
    for (uint32_t rest = better; rest != 0; rest &= rest - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(rest);
        for (int d = 0; d < 3; d++) {
            s->normal[d][l] = s->direction[d][l];
        }
    }
}

/* Adds points, and raises lower bounds to the gaps along the directions. */
static inline void look(lanes *s) {
    vf n[3];
    vf d[3];
    vf between[3];
    vf turn[9];
    vf at[2][3];
    vi vertex[2];
    load((const float(*)[CAROM_LANES])s->direction, n);
    load((const float(*)[CAROM_LANES])s->between, between);
    for (int e = 0; e < 9; e++) {
        turn[e] = vf_load(s->turn[e]);
    }
    for (int a = 0; a < 3; a++) {
        d[a] = vf_negate(n[a]);
    }
    const vf far_i = support(s, 0, d, &vertex[0], at[0]);
    for (int a = 0; a < 3; a++) {
        const vf column[3] = {turn[a], turn[3 + a], turn[6 + a]};
        d[a] = dot(column, n);
    }
    const vf far_k = support(s, 1, d, &vertex[1], at[1]);
    for (int a = 0; a < 3; a++) {
        const vf w = vf_sub(vf_sub(at[0][a], between[a]), dot(turn + 3 * a, at[1]));
        vf_store(s->w[3][a], vf_mul(w, vf_load(s->unit)));
    }
    vf_store(s->number[3],
             vf_add(vf_mul(vf_from_int(vertex[0]), vf_set1((float)CAROM_SEEK_HULL)), vf_from_int(vertex[1])));
    const vf square = dot(n, n);
    const vfm counts = is_long(square);
    const vf length = vf_sqrt(vf_select(counts, square, vf_set1(1.0F)));
    const vf sum = vf_add(vf_add(dot(n, between), far_i), far_k);
    const vf gap = vf_sub(vf_negate(vf_div(sum, length)), vf_load(s->error));
    const vf before = vf_load(s->lower);
    const vfm is_better = vfm_and(counts, vf_lt(before, gap));
    vf_store(s->lower, vf_select(is_better, gap, before));
    if (s->has_axes) {
        keep_normals(s, vfm_bits(is_better));
    }
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
    const vfm high = vfm_and(counts, vf_le(vf_set1(CAROM_SEEK_HEIGHT), least));
    return vf_select(high, vf_div(least, vf_sqrt(vf_select(counts, square, vf_set1(1.0F)))), vf_set1(0.0F));
}

/* Notes what balls within four points prove, of the lanes `enclosing` whose points lie around the origin. */
static inline void prove_overlaps(lanes *s, uint32_t enclosing) {
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
    float proved[CAROM_LANES];
    vf_store(proved, vf_sub(vf_load(s->error), vf_div(ball, vf_load(s->unit))));
    for (uint32_t rest = enclosing & vfm_bits(vf_lt(vf_set1(0.0F), ball)); rest != 0; rest &= rest - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(rest);
        s->upper[l] = proved[l] < s->upper[l] ? proved[l] : s->upper[l];
    }
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
    const vf unit = vf_load(s->unit);
    const vf width = vf_sub(vf_sqrt(closest->square), vf_mul(vf_load(s->lower), unit));
    const vfm wide = vf_lt(vf_mul(vf_mul(vf_set1(CAROM_SEEK_WIDTH), vf_load(s->error)), unit), width);
    const vfm goes_on = vfm_and(wide, vf_lt(vf_load(s->steps), vf_set1((float)CAROM_SEEK_STEPS_MAX)));
    return ~vfm_bits(goes_on) & ALL;
}

/* Lane l looks along its axis first, if it has one. */
static __attribute__((noinline)) void set_look(lanes *s, uint32_t l, const carom_seek_pairs *p, uint32_t n) {
    const bool has_look = carom_seek_has_look(p, n);
    for (int d = 0; d < 3; d++) {
        s->direction[d][l] = has_look ? p->look[d][n] : s->direction[d][l];
        s->normal[d][l] = s->direction[d][l];
    }
}

/* Lane l takes pair n. */
static void set_lane(lanes *s, uint32_t l, const carom_seek_pairs *p, uint32_t n) {
    for (int e = 0; e < 9; e++) {
        s->turn[e][l] = p->turn[e][n];
    }
    float square = 0.0F;
    const float unit = carom_seek_unit(p->error[n]);
    for (int d = 0; d < 3; d++) {
        const float way = -p->between[d][n] * unit;
        s->number[d][l] = -1.0F;
        s->between[d][l] = p->between[d][n];
        s->direction[d][l] = way;
        s->w[0][d][l] = way;
        square = d == 0 ? way * way : square + way * way;
    }
    s->unit[l] = unit;
    s->direction[0][l] = square >= CAROM_SEEK_SHORT ? s->direction[0][l] : 1.0F;
    if (p->has_axes) {
        set_look(s, l, p, n);
    }
    s->error[l] = p->error[n];
    s->number[0][l] = p->hull[0][n]->holds_origin && p->hull[1][n]->holds_origin ? CAROM_SEEK_ORIGINS : -1.0F;
    s->square[l] = s->number[0][l] >= 0.0F ? square : HUGE_VALF;
    s->lower[l] = p->lower[n];
    s->upper[l] = p->upper[n];
    s->steps[l] = 0.0F;
    for (int side = 0; side < 2; side++) {
        const carom_hull *hull = p->hull[side][n];
        s->rounded[side][l] = hull->rounded;
        s->rows[side][l] = hull->rounded + CAROM_ROUNDED_ROWS * (size_t)hull->padded;
        s->padded[side][l] = hull->padded;
        s->vertices[side][l] = hull->vertex_count;
        s->small = s->small && hull->vertex_count <= CAROM_LANES;
    }
    s->at[l] = n;
}

/* Lane l takes the next pair that is open; false if there is none. */
static bool take(lanes *s, uint32_t l, const carom_seek_pairs *p, uint64_t *open) {
    if (*open == 0) {
        return false;
    }
    const uint32_t n = (uint32_t)__builtin_ctzll(*open);
    CAROM_ASSERT(carom_seek_has(p->error[n]));
    *open &= *open - 1;
    set_lane(s, l, p, n);
    return true;
}

static __attribute__((noinline)) void give_normals(const lanes *s, uint32_t ended, carom_seek_pairs *p) {
    for (uint32_t rest = ended; rest != 0; rest &= rest - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(rest);
        for (int d = 0; d < 3; d++) {
            p->normal[d][s->at[l]] = s->normal[d][l];
        }
    }
}

static void give(const lanes *s, uint32_t ended, carom_seek_pairs *p) {
    for (uint32_t rest = ended; rest != 0; rest &= rest - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(rest);
        p->lower[s->at[l]] = s->lower[l];
        p->upper[s->at[l]] = s->upper[l];
        p->steps[s->at[l]] = s->steps[l];
        for (int d = 0; d < 3; d++) {
            p->number[d][s->at[l]] = s->number[d][l];
            p->direction[d][s->at[l]] = s->direction[d][l];
        }
    }
}

/* One step in all lanes. Returns those that have ended. */
static inline uint32_t advance(lanes *s, carom_seek_pairs *p) {
    part closest;
    look(s);
    const uint32_t apart = vfm_bits(vf_lt(vf_set1(p->above), vf_load(s->lower))) & s->busy;
    const uint32_t enclosing = find(s, &closest) & s->busy & ~apart;
    if (enclosing != 0) {
        prove_overlaps(s, enclosing);
    }
    const uint32_t ended = apart | enclosing | (is_at_end(s, &closest) & s->busy);
    give(s, ended, p);
    keep(s, &closest);
    const uint32_t narrow = is_narrow(s, &closest) & s->busy & ~ended;
    give(s, narrow, p);
    if (s->has_axes) {
        give_normals(s, ended | narrow, p);
    }
    return ended | narrow;
}

/* The first pairs, one to each lane; lanes without one repeat the first. False if there is none. */
static bool take_first(lanes *s, const carom_seek_pairs *p, uint64_t *open) {
    memset(s->w, 0, sizeof s->w); /* no NaN where there is no point */
    s->busy = 0;
    s->has_axes = p->has_axes;
    s->small = true;
    for (uint32_t l = 0; l < CAROM_LANES; l++) {
        if (take(s, l, p, open)) {
            s->busy |= 1U << l;
        } else if (l == 0) {
            return false;
        } else {
            set_lane(s, l, p, s->at[0]);
        }
    }
    return true;
}

void carom_seek(carom_seek_pairs *pairs, uint64_t open) {
    lanes s;
    if (__builtin_popcountll(open) <= FEW_PAIRS) {
        carom_seek_twin(pairs, open);
        return;
    }
    if (!take_first(&s, pairs, &open)) {
        return;
    }
    while (s.busy != 0) {
        const uint32_t ended = advance(&s, pairs);
        for (uint32_t rest = ended; rest != 0; rest &= rest - 1) {
            const uint32_t l = (uint32_t)__builtin_ctz(rest);
            if (!take(&s, l, pairs, &open)) {
                s.busy &= ~(1U << l);
            }
        }
    }
}
