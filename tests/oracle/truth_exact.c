/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/oracle/truth_exact.h"

enum { PARTS = 12 };

static void each(truth_exact *e, void (*whole)(mpz_t), void (*fraction)(mpq_t)) {
    for (int b = 0; b < 2; b++) {
        for (int n = 0; n < 3 * TRUTH_EXACT_POINTS; n++) {
            fraction(e->body[b].at[n / 3][n % 3]);
            whole(e->body[b].point[n / 3][n % 3]);
        }
    }
    for (int n = 0; n < 12; n++) {
        whole(e->c[n / 3][n % 3]);
    }
    for (int n = 0; n < 4; n++) {
        whole(e->weight[n]);
    }
    for (int d = 0; d < 3; d++) {
        whole(e->near[d]);
        whole(e->normal[d]);
        whole(e->back[d]);
    }
    for (int n = 0; n < PARTS; n++) {
        whole(e->part[n]);
    }
    whole(e->den);
    whole(e->scale);
    fraction(e->square);
    fraction(e->other);
}

static void whole_start(mpz_t x) {
    mpz_init(x);
}

static void whole_end(mpz_t x) {
    mpz_clear(x);
}

static void fraction_start(mpq_t x) {
    mpq_init(x);
}

static void fraction_end(mpq_t x) {
    mpq_clear(x);
}

void truth_exact_start(truth_exact *e) {
    each(e, whole_start, fraction_start);
}

void truth_exact_end(truth_exact *e) {
    each(e, whole_end, fraction_end);
}

bool truth_exact_serves(const carom_shape *shape) {
    switch (shape->kind) {
    case CAROM_SHAPE_SPHERE:
    case CAROM_SHAPE_CAPSULE:
        return !(shape->radius > 0);
    case CAROM_SHAPE_BOX:
        return true;
    case CAROM_SHAPE_HULL:
        return shape->point_count <= TRUTH_EXACT_POINTS;
    default:
        return false;
    }
}

/* turn q.q, and q.q: both are sums of products. */
static void set_turn(mpq_t turn[3][3], mpq_t square, const double q[4]) {
    mpq_t v[4];
    mpq_t product;
    mpq_init(product);
    mpq_set_ui(square, 0, 1);
    for (int d = 0; d < 4; d++) {
        mpq_init(v[d]);
        mpq_set_d(v[d], q[d]);
        mpq_mul(product, v[d], v[d]);
        mpq_add(square, square, product);
    }
    const bool none = mpq_sgn(square) == 0;
    if (none) {
        mpq_set_ui(square, 1, 1);
    }
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            /* w [v] + [v]^2 = w [v] + v v^T - (v.v) I */
            mpq_mul(turn[r][c], v[r], v[c]);
            if (r != c) {
                const int third = 3 - r - c;
                mpq_mul(product, v[3], v[third]);
                if ((c + 1) % 3 == r) {
                    mpq_add(turn[r][c], turn[r][c], product);
                } else {
                    mpq_sub(turn[r][c], turn[r][c], product);
                }
            } else {
                for (int d = 0; d < 3; d++) {
                    mpq_mul(product, v[d], v[d]);
                    mpq_sub(turn[r][c], turn[r][c], product);
                }
            }
            mpq_add(turn[r][c], turn[r][c], turn[r][c]);
            if (r == c) {
                mpq_add(turn[r][c], turn[r][c], square);
            }
        }
    }
    for (int d = 0; d < 4; d++) {
        mpq_clear(v[d]);
    }
    mpq_clear(product);
}

static int local_points(const carom_shape *shape, double p[TRUTH_EXACT_POINTS][3]) {
    const double *x = shape->extent;
    const int count = shape->kind == CAROM_SHAPE_HULL      ? (int)shape->point_count
                      : shape->kind == CAROM_SHAPE_BOX     ? 8
                      : shape->kind == CAROM_SHAPE_CAPSULE ? 2
                                                           : 1;
    for (int n = 0; n < count; n++) {
        for (int d = 0; d < 3; d++) {
            p[n][d] = shape->kind == CAROM_SHAPE_HULL      ? shape->point[n][d]
                      : shape->kind == CAROM_SHAPE_BOX     ? (n >> d & 1 ? x[d] : -x[d])
                      : shape->kind == CAROM_SHAPE_CAPSULE ? (d < 2    ? 0
                                                              : n == 1 ? x[2]
                                                                       : -x[2])
                                                           : 0;
        }
    }
    return count;
}

/* Points relative to `origin`. */
static void place(truth_exact_body *body, const solid_input *input, const double origin[3]) {
    double p[TRUTH_EXACT_POINTS][3];
    mpq_t turn[3][3];
    mpq_t square;
    mpq_t x;
    mpq_inits(square, x, NULL);
    for (int n = 0; n < 9; n++) {
        mpq_init(turn[n / 3][n % 3]);
    }
    set_turn(turn, square, input->turn);
    body->points = local_points(&input->shape, p);
    for (int n = 0; n < 3 * body->points; n++) {
        mpq_ptr to = body->at[n / 3][n % 3];
        mpq_set_ui(to, 0, 1);
        for (int d = 0; d < 3; d++) {
            mpq_set_d(x, p[n / 3][d]);
            mpq_mul(x, x, turn[n % 3][d]);
            mpq_add(to, to, x);
        }
        mpq_div(to, to, square);
        mpq_set_d(x, input->at[n % 3]);
        mpq_add(to, to, x);
        mpq_set_d(x, origin[n % 3]);
        mpq_sub(to, to, x);
    }
    for (int n = 0; n < 9; n++) {
        mpq_clear(turn[n / 3][n % 3]);
    }
    mpq_clears(square, x, NULL);
}

static void scale_all(truth_exact *e) {
    mpz_set_ui(e->scale, 1);
    for (int b = 0; b < 2; b++) {
        for (int n = 0; n < 3 * e->body[b].points; n++) {
            mpz_lcm(e->scale, e->scale, mpq_denref(e->body[b].at[n / 3][n % 3]));
        }
    }
    for (int b = 0; b < 2; b++) {
        for (int n = 0; n < 3 * e->body[b].points; n++) {
            mpq_ptr from = e->body[b].at[n / 3][n % 3];
            mpz_ptr to = e->body[b].point[n / 3][n % 3];
            mpz_divexact(to, e->scale, mpq_denref(from));
            mpz_mul(to, to, mpq_numref(from));
        }
    }
}

static void add_edge(truth_exact_body *body, int p, int q) {
    body->edge[body->edges][0] = p;
    body->edge[body->edges++][1] = q;
}

static void add_face(truth_exact_body *body, int p, int q, int r) {
    body->face[body->faces][0] = p;
    body->face[body->faces][1] = q;
    body->face[body->faces++][2] = r;
}

static void put_features(truth_exact_body *body, bool box) {
    body->edges = 0;
    body->faces = 0;
    if (box) {
        for (int d = 0; d < 3; d++) {
            add_edge(body, 0, 1 << d);
            add_face(body, 0, 1 << d, 1 << (d + 1) % 3);
        }
        return;
    }
    for (int n = 0; n < body->points; n++) {
        for (int m = 0; m < n; m++) {
            add_edge(body, n, m);
            for (int l = 0; l < m; l++) {
                add_face(body, n, m, l);
            }
        }
    }
}

static void set_dot(mpz_t to, mpz_t *x, mpz_t *y) {
    mpz_mul(to, x[0], y[0]);
    mpz_addmul(to, x[1], y[1]);
    mpz_addmul(to, x[2], y[2]);
}

static void set_cross(mpz_t *to, mpz_t *x, mpz_t *y) {
    for (int d = 0; d < 3; d++) {
        mpz_mul(to[d], x[(d + 1) % 3], y[(d + 2) % 3]);
        mpz_submul(to[d], x[(d + 2) % 3], y[(d + 1) % 3]);
    }
}

static void set_minus(mpz_t *to, mpz_t *x, mpz_t *y) {
    for (int d = 0; d < 3; d++) {
        mpz_sub(to[d], x[d], y[d]);
    }
}

/* The point of a body with the least n.p (sign 1), or with the greatest (-1), and that product. part[0] is lost. */
static int farthest(truth_exact *e, truth_exact_body *body, mpz_t *n, int sign, mpz_t product) {
    int best = 0;
    for (int p = 0; p < body->points; p++) {
        set_dot(e->part[0], n, body->point[p]);
        if (p == 0 || mpz_cmp(e->part[0], product) * sign < 0) {
            mpz_set(product, e->part[0]);
            best = p;
        }
    }
    return best;
}

/* to = min n.c over the difference; its point goes to `c` unless that is NULL. */
static void least_along(truth_exact *e, mpz_t *n, mpz_t to, mpz_t *c) {
    const int a = farthest(e, &e->body[0], n, 1, to);
    const int b = farthest(e, &e->body[1], n, -1, e->part[1]);
    mpz_sub(to, to, e->part[1]);
    if (c != NULL) {
        set_minus(c, e->body[0].point[a], e->body[1].point[b]);
    }
}

/* Weights of the nearest point of a corner, an edge, a face or a tetrahedron, in whole numbers; den is their sum, > 0.
 * False if a weight is negative, or if it is degenerate. */
static bool weigh_edge(truth_exact *e, const int *v) {
    set_minus(&e->part[3], e->c[v[1]], e->c[v[0]]);
    set_dot(e->den, &e->part[3], &e->part[3]);
    set_dot(e->weight[v[1]], e->c[v[0]], &e->part[3]);
    mpz_neg(e->weight[v[1]], e->weight[v[1]]);
    mpz_sub(e->weight[v[0]], e->den, e->weight[v[1]]);
    return mpz_sgn(e->den) > 0;
}

static bool weigh_face(truth_exact *e, const int *v) {
    set_minus(&e->part[3], e->c[v[1]], e->c[v[0]]);
    set_minus(&e->part[6], e->c[v[2]], e->c[v[0]]);
    set_cross(&e->part[9], &e->part[3], &e->part[6]);
    set_dot(e->den, &e->part[9], &e->part[9]);
    for (int n = 0; n < 3; n++) {
        set_cross(&e->part[3], e->c[v[(n + 1) % 3]], e->c[v[(n + 2) % 3]]);
        set_dot(e->weight[v[n]], &e->part[9], &e->part[3]);
    }
    return mpz_sgn(e->den) > 0;
}

static bool weigh_all(truth_exact *e) {
    mpz_set_ui(e->den, 0);
    for (int n = 0; n < 4; n++) {
        const int p = n == 0 ? 1 : 0;
        const int q = n <= 1 ? 2 : 1;
        const int r = n <= 2 ? 3 : 2;
        set_cross(&e->part[3], e->c[q], e->c[r]);
        set_dot(e->weight[n], e->c[p], &e->part[3]);
        if (n % 2 == 1) {
            mpz_neg(e->weight[n], e->weight[n]);
        }
        mpz_add(e->den, e->den, e->weight[n]);
    }
    if (mpz_sgn(e->den) < 0) {
        mpz_neg(e->den, e->den);
        for (int n = 0; n < 4; n++) {
            mpz_neg(e->weight[n], e->weight[n]);
        }
    }
    return mpz_sgn(e->den) > 0;
}

static bool weigh(truth_exact *e, int set) {
    int v[4];
    int count = 0;
    for (int n = 0; n < 4; n++) {
        mpz_set_ui(e->weight[n], 0);
        if (set >> n & 1) {
            v[count++] = n;
        }
    }
    if (count == 1) {
        mpz_set_ui(e->weight[v[0]], 1);
        mpz_set_ui(e->den, 1);
        return true;
    }
    bool good = count == 2 ? weigh_edge(e, v) : count == 3 ? weigh_face(e, v) : weigh_all(e);
    for (int n = 0; n < 4; n++) {
        good = good && mpz_sgn(e->weight[n]) >= 0;
    }
    return good;
}

static void set_near(truth_exact *e) {
    for (int d = 0; d < 3; d++) {
        mpz_set_ui(e->near[d], 0);
        for (int n = 0; n < e->corners; n++) {
            mpz_addmul(e->near[d], e->weight[n], e->c[n][d]);
        }
    }
}

/* e->other = |near / den|^2 */
static void set_square(truth_exact *e) {
    set_dot(mpq_numref(e->other), e->near, e->near);
    mpz_mul(mpq_denref(e->other), e->den, e->den);
    mpq_canonicalize(e->other);
}

/* Keeps the corners that the nearest point is made of; near and den are its. e->square is its square. */
static void reduce(truth_exact *e) {
    int best = 0;
    for (int set = 1; set < 1 << e->corners; set++) {
        if (weigh(e, set)) {
            set_near(e);
            set_square(e);
            if (best == 0 || mpq_cmp(e->other, e->square) < 0) {
                mpq_set(e->square, e->other);
                best = set;
            }
        }
    }
    weigh(e, best);
    set_near(e);
    int kept = 0;
    for (int n = 0; n < e->corners; n++) {
        if (best >> n & 1) {
            for (int d = 0; d < 3; d++) {
                mpz_set(e->c[kept][d], e->c[n][d]);
            }
            kept++;
        }
    }
    e->corners = kept;
}

/* e->square becomes the square of the distance of the difference from the origin. It falls with each step, and there
 * are finitely many simplices. */
static void find_distance(truth_exact *e) {
    mpz_set_ui(e->normal[0], 1);
    mpz_set_ui(e->normal[1], 0);
    mpz_set_ui(e->normal[2], 0);
    least_along(e, e->normal, e->part[2], e->c[0]);
    e->corners = 1;
    for (;;) {
        reduce(e);
        if (mpq_sgn(e->square) == 0) {
            return;
        }
        /* Done if near.c >= near.near / den for all points c. */
        least_along(e, e->near, e->part[2], e->c[e->corners]);
        mpz_mul(e->part[2], e->part[2], e->den);
        set_dot(e->part[3], e->near, e->near);
        if (mpz_cmp(e->part[2], e->part[3]) >= 0) {
            return;
        }
        e->corners++;
    }
}

/* Takes -(gap)^2 / n.n if the gap along n is nearer to 0 than those before; `any` is false before the first. */
static void try_normal(truth_exact *e, bool *any) {
    set_dot(mpq_denref(e->other), e->normal, e->normal);
    if (mpz_sgn(mpq_denref(e->other)) == 0) {
        return;
    }
    mpz_set(e->part[3], mpq_denref(e->other));
    for (int side = 0; side < 2; side++) {
        least_along(e, e->normal, e->part[2], NULL);
        mpz_mul(mpq_numref(e->other), e->part[2], e->part[2]);
        mpz_neg(mpq_numref(e->other), mpq_numref(e->other));
        mpz_set(mpq_denref(e->other), e->part[3]);
        mpq_canonicalize(e->other);
        if (!*any || mpq_cmp(e->other, e->square) > 0) {
            mpq_set(e->square, e->other);
            *any = true;
        }
        for (int d = 0; d < 3; d++) {
            mpz_neg(e->normal[d], e->normal[d]);
        }
    }
}

/* The origin is within the difference. */
static void find_depth(truth_exact *e) {
    bool any = false;
    for (int b = 0; b < 2; b++) {
        truth_exact_body *body = &e->body[b];
        for (int n = 0; n < body->faces; n++) {
            set_minus(&e->part[4], body->point[body->face[n][1]], body->point[body->face[n][0]]);
            set_minus(&e->part[7], body->point[body->face[n][2]], body->point[body->face[n][0]]);
            set_cross(e->normal, &e->part[4], &e->part[7]);
            try_normal(e, &any);
        }
    }
    for (int n = 0; n < e->body[0].edges; n++) {
        for (int m = 0; m < e->body[1].edges; m++) {
            const int *p = e->body[0].edge[n];
            const int *q = e->body[1].edge[m];
            set_minus(&e->part[4], e->body[0].point[p[1]], e->body[0].point[p[0]]);
            set_minus(&e->part[7], e->body[1].point[q[1]], e->body[1].point[q[0]]);
            set_cross(e->normal, &e->part[4], &e->part[7]);
            try_normal(e, &any);
        }
    }
}

void truth_exact_find(truth_exact *e, const solid_input *i, const solid_input *k) {
    place(&e->body[0], i, k->at);
    place(&e->body[1], k, k->at);
    put_features(&e->body[0], i->shape.kind == CAROM_SHAPE_BOX);
    put_features(&e->body[1], k->shape.kind == CAROM_SHAPE_BOX);
    scale_all(e);
    find_distance(e);
    if (mpq_sgn(e->square) == 0) {
        find_depth(e);
    }
    mpq_set_z(e->other, e->scale);
    mpq_mul(e->other, e->other, e->other);
    mpq_div(e->square, e->square, e->other);
}

int truth_exact_compare(truth_exact *e, double x) {
    mpq_set_d(e->other, x);
    mpq_mul(e->other, e->other, e->other);
    if (x < 0) {
        mpq_neg(e->other, e->other);
    }
    return mpq_cmp(e->other, e->square);
}

int truth_exact_sign(const truth_exact *e) {
    return mpq_sgn(e->square);
}
