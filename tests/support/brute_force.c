/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/support/brute_force.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* 113 bits of mantissa: where the compiler's long double is shorter, its quadruple type. */
#if defined(__SIZEOF_FLOAT128__)
__extension__ typedef __float128 wide;
#else
typedef long double wide;
#endif

/* The distance in long double decides alone if it is farther than this share of all lengths involved from the sum of
 * the radii: ten thousand times its rounding error even where it is no wider than double. */
static const long double CLEAR_MARGIN = 1e-11L;

static wide wide_dot(const wide x[3], const wide y[3]) {
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

/* a = v.v, b = p.v, c = p.p - R^2 of the pair. */
typedef struct quadratic {
    wide a;
    wide b;
    wide c;
} quadratic;

static quadratic quadratic_of(const carom_bodies_f64 *bodies, uint64_t i, uint64_t k) {
    wide p[3];
    wide v[3];
    for (int a = 0; a < 3; a++) {
        p[a] = (wide)bodies->prev[a][i] - (wide)bodies->prev[a][k];
        v[a] = (wide)bodies->curr[a][i] - (wide)bodies->curr[a][k] - p[a];
    }
    wide sum_radius = (wide)bodies->radius[i] + (wide)bodies->radius[k];
    return (quadratic){wide_dot(v, v), wide_dot(p, v), wide_dot(p, p) - sum_radius * sum_radius};
}

/* Least |p + t v|^2 - R^2 over [0, 1] is <= 0, by where the parabola a t^2 + 2 b t + c has its least value. */
static bool exactly_touches(quadratic q) {
    if (q.b >= 0) {
        return q.c <= 0; /* at t = 0 */
    }
    if (q.b <= -q.a) {
        return q.a + 2 * q.b + q.c <= 0; /* at t = 1 */
    }
    return q.c * q.a <= q.b * q.b; /* at t = -b/a: c - b^2/a <= 0 */
}

static long double length(const long double x[3]) {
    return sqrtl(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

static brute_contact closest(const carom_bodies_f64 *bodies, uint64_t i, uint64_t k) {
    brute_contact c = {.sum_radius = (long double)bodies->radius[i] + (long double)bodies->radius[k]};
    long double at[3];
    long double a = 0;
    long double b = 0;
    for (int x = 0; x < 3; x++) {
        c.p[x] = (long double)bodies->prev[x][i] - (long double)bodies->prev[x][k];
        c.v[x] = (long double)bodies->curr[x][i] - (long double)bodies->curr[x][k] - c.p[x];
        a += c.v[x] * c.v[x];
        b += c.p[x] * c.v[x];
    }
    c.t_ca = a > 0 ? fminl(fmaxl(-b / a, 0), 1) : 0;
    for (int x = 0; x < 3; x++) {
        at[x] = c.p[x] + c.t_ca * c.v[x];
    }
    c.length_p = length(c.p);
    c.length_v = length(c.v);
    c.distance = length(at);
    return c;
}

static bool decide(const carom_bodies_f64 *bodies, uint64_t i, uint64_t k, const brute_contact *c) {
    long double margin = CLEAR_MARGIN * (c->length_p + c->length_v + c->sum_radius);
    if (fabsl(c->distance - c->sum_radius) > margin) {
        return c->distance < c->sum_radius;
    }
    return exactly_touches(quadratic_of(bodies, i, k));
}

bool brute_force_touches(const carom_bodies_f64 *bodies, uint64_t i, uint64_t k) {
    brute_contact c = closest(bodies, i, k);
    return decide(bodies, i, k, &c);
}

bool brute_force_approaches(const carom_bodies_f64 *bodies, uint64_t i, uint64_t k) {
    brute_contact c = closest(bodies, i, k);
    long double b = c.p[0] * c.v[0] + c.p[1] * c.v[1] + c.p[2] * c.v[2];
    if (fabsl(b) > CLEAR_MARGIN * c.length_p * (c.length_p + c.length_v)) {
        return b < 0;
    }
    return quadratic_of(bodies, i, k).b < 0;
}

brute_contact brute_force_contact(const carom_bodies_f64 *bodies, uint64_t i, uint64_t k) {
    brute_contact c = closest(bodies, i, k);
    c.touches = decide(bodies, i, k, &c);
    if (!c.touches) {
        return c;
    }
    quadratic q = quadratic_of(bodies, i, k);
    if (q.c > 0) {
        wide discriminant = q.b * q.b - q.a * q.c;
        long double root = discriminant > 0 ? sqrtl((long double)discriminant) : 0;
        c.t_toi = fminl((long double)q.c / (root - (long double)q.b), 1);
        c.closing_speed = c.sum_radius > 0 ? root / c.sum_radius : c.length_v;
    }
    return c;
}

void brute_force_box(const carom_bodies_f64 *bodies, uint64_t n, long double lo[3], long double hi[3]) {
    for (int a = 0; a < 3; a++) {
        long double prev = bodies->prev[a][n];
        long double curr = bodies->curr[a][n];
        lo[a] = fminl(prev, curr) - bodies->radius[n];
        hi[a] = fmaxl(prev, curr) + bodies->radius[n];
    }
}

static void add_pair(brute_pairs *pairs, uint64_t i, uint64_t k) {
    if (pairs->count == pairs->capacity) {
        pairs->capacity = pairs->capacity * 2 + 64;
        pairs->i = realloc(pairs->i, pairs->capacity * sizeof *pairs->i);
        pairs->k = realloc(pairs->k, pairs->capacity * sizeof *pairs->k);
        if (pairs->i == NULL || pairs->k == NULL) {
            abort();
        }
    }
    pairs->i[pairs->count] = (uint32_t)i;
    pairs->k[pairs->count] = (uint32_t)k;
    pairs->count++;
}

typedef struct box {
    long double lo[3];
    long double hi[3];
} box;

static bool boxes_overlap(const box *i, const box *k) {
    for (int a = 0; a < 3; a++) {
        if (i->lo[a] > k->hi[a] || i->hi[a] < k->lo[a]) {
            return false;
        }
    }
    return true;
}

brute_pairs brute_force_box_pairs(const carom_bodies_f64 *bodies) {
    brute_pairs pairs = {0};
    box *boxes = calloc(bodies->count + 1, sizeof *boxes);
    if (boxes == NULL) {
        abort();
    }
    for (uint64_t n = 0; n < bodies->count; n++) {
        brute_force_box(bodies, n, boxes[n].lo, boxes[n].hi);
    }
    for (uint64_t i = 0; i < bodies->count; i++) {
        for (uint64_t k = i + 1; k < bodies->count; k++) {
            if (boxes_overlap(&boxes[i], &boxes[k])) {
                add_pair(&pairs, i, k);
            }
        }
    }
    free(boxes);
    return pairs;
}

brute_pairs brute_force_touching(const carom_bodies_f64 *bodies, const brute_pairs *boxes) {
    brute_pairs touching = {0};
    for (uint64_t n = 0; n < boxes->count; n++) {
        if (brute_force_touches(bodies, boxes->i[n], boxes->k[n])) {
            add_pair(&touching, boxes->i[n], boxes->k[n]);
        }
    }
    return touching;
}

brute_pairs brute_force_approaching(const carom_bodies_f64 *bodies, const brute_pairs *touching) {
    brute_pairs approaching = {0};
    for (uint64_t n = 0; n < touching->count; n++) {
        if (brute_force_approaches(bodies, touching->i[n], touching->k[n])) {
            add_pair(&approaching, touching->i[n], touching->k[n]);
        }
    }
    return approaching;
}

static bool row_names(const carom_filter *filter, uint32_t row, uint32_t body) {
    for (uint64_t n = filter->exclusion_offset[row]; n < filter->exclusion_offset[row + 1]; n++) {
        if (filter->excluded[n] == body) {
            return true;
        }
    }
    return false;
}

bool brute_force_passes(const carom_filter *filter, uint32_t i, uint32_t k) {
    if (filter == NULL) {
        return true;
    }
    uint32_t category_i = filter->category != NULL ? filter->category[i] : 1;
    uint32_t category_k = filter->category != NULL ? filter->category[k] : 1;
    uint32_t mask_i = filter->mask != NULL ? filter->mask[i] : 0xFFFFFFFF;
    uint32_t mask_k = filter->mask != NULL ? filter->mask[k] : 0xFFFFFFFF;
    if ((category_i & mask_k) == 0 || (category_k & mask_i) == 0) {
        return false;
    }
    if (filter->group != NULL && filter->group[i] != 0 && filter->group[i] == filter->group[k]) {
        return false;
    }
    if (filter->fixed != NULL && filter->fixed[i] != 0 && filter->fixed[k] != 0) {
        return false;
    }
    if (filter->part != NULL && (filter->part[i] & filter->part[k]) != 0) {
        return false;
    }
    if (i != k && filter->exclusion_offset != NULL && (row_names(filter, i, k) || row_names(filter, k, i))) {
        return false;
    }
    return filter->accepts == NULL || filter->accepts(filter->user, i, k);
}

brute_pairs brute_force_filtered(const carom_filter *filter, const brute_pairs *pairs) {
    brute_pairs passing = {0};
    for (uint64_t n = 0; n < pairs->count; n++) {
        if (brute_force_passes(filter, pairs->i[n], pairs->k[n])) {
            add_pair(&passing, pairs->i[n], pairs->k[n]);
        }
    }
    return passing;
}

void brute_force_release_pairs(brute_pairs *pairs) {
    free(pairs->i);
    free(pairs->k);
    memset(pairs, 0, sizeof *pairs);
}

/* Every root is its set's smallest body. */
static uint32_t root_of(uint32_t *parent, uint32_t x) {
    while (parent[x] != x) {
        parent[x] = parent[parent[x]];
        x = parent[x];
    }
    return x;
}

brute_groups brute_force_groups(uint64_t count, const brute_pairs *touching) {
    brute_groups groups = {.label = calloc(count + 1, sizeof(uint32_t))};
    uint64_t *size = calloc(count + 1, sizeof *size);
    if (groups.label == NULL || size == NULL) {
        abort();
    }
    for (uint64_t n = 0; n < count; n++) {
        groups.label[n] = (uint32_t)n;
    }
    for (uint64_t n = 0; n < touching->count; n++) {
        uint32_t i = root_of(groups.label, touching->i[n]);
        uint32_t k = root_of(groups.label, touching->k[n]);
        groups.label[i < k ? k : i] = i < k ? i : k;
    }
    for (uint64_t n = 0; n < count; n++) {
        groups.label[n] = root_of(groups.label, (uint32_t)n);
        uint64_t members = ++size[groups.label[n]];
        groups.count += members == 2;
        groups.largest = members > 1 && members > groups.largest ? members : groups.largest;
    }
    free(size);
    return groups;
}

void brute_force_release_groups(brute_groups *groups) {
    free(groups->label);
    memset(groups, 0, sizeof *groups);
}

static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

uint64_t brute_force_hash(const brute_pairs *pairs) {
    uint64_t hash = 0;
    for (uint64_t n = 0; n < pairs->count; n++) {
        hash += mix(((uint64_t)pairs->i[n] << 32 | pairs->k[n]) + UINT64_C(0x9E3779B97F4A7C15));
    }
    return hash;
}
