/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* near_row, near_pairs, impact_times, hulls, sixteen_boxes and met_children against their scalar twins, on paths and
 * boxes kind and unkind. Guards also that no pair of bodies that an exact prediction lets collide is lost by the test
 * in floats, of one piece or of those in a tube. */
#include <math.h>
#include <string.h>

#include "kernel/impacts/hulls.h"
#include "kernel/impacts/tube.h"
#include "simd/hull_paths.h"
#include "tests/support/check.h"
#include "tests/support/note.h"
#include "tests/twin/guarded.h"

enum { BODIES = 64, PAIRS = 200000, TUBES = 20000 };

static float number(carom_random *random) {
    return (float)guarded_number(random);
}

static carom_coarse_path *random_paths(guarded_pool *pool, carom_random *random) {
    carom_coarse_path *path = guarded_array(pool, BODIES, sizeof *path, 0);
    for (uint32_t n = 0; n < BODIES; n++) {
        for (int a = 0; a < 3; a++) {
            path[n].x[a] = n % 8 == 0 ? number(random) : (float)(10.0 * carom_random_u01(random));
            path[n].v[a] = n % 8 == 1 ? number(random) : (float)(8.0 * carom_random_u01(random) - 4.0);
        }
        path[n].reach = (float)carom_random_u01(random);
        path[n].group = (uint32_t)(carom_random_next(random) % 4);
    }
    return path;
}

static uint32_t *random_slots(guarded_pool *pool, carom_random *random, uint32_t count) {
    uint32_t *slot = guarded_array(pool, count, sizeof *slot, carom_random_next(random) % 16);
    for (uint32_t n = 0; n < count; n++) {
        slot[n] = (uint32_t)(carom_random_next(random) % BODIES);
    }
    return slot;
}

static void near_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    guarded_pool pool = {.count = 0};
    const carom_coarse_path *path = random_paths(&pool, random);
    const uint32_t *a = random_slots(&pool, random, count);
    const uint32_t *b = random_slots(&pool, random, count);
    const float until = 0.5F + (count % 5 == 0 ? 15.0F : 1.0F) * (float)carom_random_u01(random);
    const carom_coarse_time time = {(float)carom_random_u01(random) * 0.5F, until,
                                    count % 2 == 0 ? 0.0F : (float)carom_random_u01(random)};
    uint32_t *near[6];
    for (int n = 0; n < 6; n++) {
        near[n] = guarded_array(&pool, count + CAROM_SIMD_PAD, sizeof(uint32_t), 0);
    }
    carom_coarse_path own = path[count % BODIES];
    own.group = 1 + count % 3;
    const carom_near_counts row = simd->near_row(path, &own, b, count, time, near[0], near[4]);
    const carom_near_counts row_twin = twin->near_row(path, &own, b, count, time, near[1], near[5]);
    note_check(row.near == row_twin.near && memcmp(near[0], near[1], row.near * sizeof(uint32_t)) == 0,
               "near_row differs");
    note_check(row.grouped == row_twin.grouped && memcmp(near[4], near[5], row.grouped * sizeof(uint32_t)) == 0,
               "near_row's groups differ");
    const uint32_t pairs = simd->near_pairs(path, a, b, count, time, near[2]);
    const uint32_t pairs_twin = twin->near_pairs(path, a, b, count, time, near[3]);
    note_check(pairs == pairs_twin && memcmp(near[2], near[3], pairs * sizeof(uint32_t)) == 0, "near_pairs differs");
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

static void check_near(void **state) {
    (void)state;
    guarded_over_all("near", near_case);
}

/* Motions of which many pairs collide, some at once; some are unkind. */
static double *random_motions(guarded_pool *pool, carom_random *random, double scale) {
    double *motion = guarded_array(pool, (uint64_t)BODIES * 8, sizeof(double), 0);
    for (uint32_t n = 0; n < 8 * BODIES; n++) {
        motion[n] = scale * (4.0 * carom_random_u01(random) - 2.0);
        motion[n] = n % 8 == 6 ? (n % 3 == 0 ? 0.0 : carom_random_u01(random)) : motion[n];
        motion[n] = n % 61 == 0 ? guarded_number(random) : motion[n];
    }
    return motion;
}

/* Of a time that is no number, which one does not matter. */
static bool same_times(const double *a, const double *b, uint32_t count) {
    bool same = true;
    for (uint32_t n = 0; n < count; n++) {
        same = same && ((isnan(a[n]) && isnan(b[n])) || memcmp(&a[n], &b[n], sizeof *a) == 0);
    }
    return same;
}

/* Makes every fifth pair touch and slide: p is 1 along one axis, v small along it and large along another. What one
 * approach leaves is as often more than rounding as less. */
static void let_slide(carom_random *random, double *motion_a, double *motion_b, const uint32_t *a, const uint32_t *b,
                      double *reach, uint32_t count) {
    for (uint32_t n = 0; n < count; n += 5) {
        double *first = motion_a + 8 * (uint64_t)a[n];
        double *second = motion_b + 8 * (uint64_t)b[n];
        memset(first, 0, 8 * sizeof *first);
        memset(second, 0, 8 * sizeof *second);
        first[n % 3] = reach[n] = 1.0;
        first[CAROM_MOTION_V + n % 3] = 1.0;
        second[CAROM_MOTION_V + n % 3] = 1.0 + (double)(carom_random_next(random) % 32) * 0x1p-52;
        first[CAROM_MOTION_V + (n + 1) % 3] = carom_random_u01(random);
    }
}

static void times_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    guarded_pool pool = {.count = 0};
    const double scale = count % 3 == 0 ? pow(10.0, 300.0 * carom_random_u01(random) - 150.0) : 1.0;
    double *motion_a = random_motions(&pool, random, scale);
    double *motion_b = random_motions(&pool, random, scale);
    const uint32_t *a = random_slots(&pool, random, count);
    const uint32_t *b = random_slots(&pool, random, count);
    double *reach = guarded_array(&pool, count + CAROM_SIMD_PAD, sizeof(double), 0);
    double *t[2];
    for (uint32_t n = 0; n < count; n++) {
        reach[n] = n % 9 == 0 ? 0.0 : scale * 2.0 * carom_random_u01(random);
    }
    let_slide(random, motion_a, motion_b, a, b, reach, count);
    for (int n = 0; n < 2; n++) {
        t[n] = guarded_array(&pool, count + CAROM_SIMD_PAD, sizeof(double), 0);
    }
    simd->impact_times(motion_a, a, motion_b, b, reach, count, t[0]);
    twin->impact_times(motion_a, a, motion_b, b, reach, count, t[1]);
    note_check(same_times(t[0], t[1], count), "impact_times differs");
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

static void check_times(void **state) {
    (void)state;
    guarded_over_all("impact_times", times_case);
}

/* What a kernel or its twin makes of the bodies. */
typedef struct made {
    carom_hull_box *box;
    carom_coarse_path *coarse;
    bool finite;
} made;

static made make_hulls(const carom_simd *simd, guarded_pool *pool, const carom_hull_frame *frame, const double *motion,
                       const double *body, uint32_t count) {
    made m = {.box = guarded_array(pool, count, sizeof *m.box, 0),
              .coarse = guarded_array(pool, count, sizeof *m.coarse, 0)};
    const carom_hull_paths out = {m.box, m.coarse};
    m.finite = simd->hulls(frame, motion, body, 0, count, &out);
    return m;
}

static void hulls_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    guarded_pool pool = {.count = 0};
    double *motion = guarded_array(&pool, (uint64_t)count * 8, sizeof(double), 0);
    double *body = guarded_array(&pool, (uint64_t)count * 4, sizeof(double), 0);
    const double scale = pow(10.0, 40.0 * carom_random_u01(random) - 20.0);
    for (uint32_t n = 0; n < 8 * count; n++) {
        motion[n] = scale * (2.0 * carom_random_u01(random) - 1.0);
        motion[n] = n % 8 == 6 ? carom_random_u01(random) : n % 5 == 0 ? 0.0 : motion[n];
    }
    for (uint32_t n = 0; n < 4 * count; n++) {
        body[n] = n % 7 == 0 ? 0.0 : scale * carom_random_u01(random);
    }
    if (count > 0 && count % 3 == 0) {
        motion[8 * (carom_random_next(random) % count)] = 1e39; /* beyond floats */
    }
    const carom_hull_frame frame = {.begin = carom_random_u01(random),
                                    .end = 1.0 + carom_random_u01(random),
                                    .drift = {count % 2 == 0 ? 0.0 : scale * carom_random_u01(random), -scale, 0.0},
                                    .span = 1.0 + 15.0 * carom_random_u01(random),
                                    .unit = 0x1p20 / scale,
                                    .rounding = count % 4 == 0 ? 0x1p-20 : 0x1p-40,
                                    .reach = scale * carom_random_u01(random),
                                    .own_room = carom_random_u01(random),
                                    .room = scale * carom_random_u01(random),
                                    .room_most = count % 2 == 0 ? INFINITY : scale * carom_random_u01(random)};
    const made a = make_hulls(simd, &pool, &frame, motion, body, count);
    const made b = make_hulls(twin, &pool, &frame, motion, body, count);
    note_check(a.finite == b.finite, "finite differs");
    note_check(memcmp(a.coarse, b.coarse, count * sizeof *a.coarse) == 0, "coarse paths differ");
    note_check(memcmp(a.box, b.box, count * sizeof *a.box) == 0, "hulls differ");
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

static void check_hulls(void **state) {
    (void)state;
    guarded_over_all("hulls", hulls_case);
}

static void boxes_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    guarded_pool pool = {.count = 0};
    const float *lo[3];
    const float *hi[3];
    float low[3];
    float high[3];
    for (int a = 0; a < 3; a++) {
        float *from = guarded_array(&pool, 16, sizeof(float), 0);
        float *to = guarded_array(&pool, 16, sizeof(float), 0);
        for (uint32_t n = 0; n < 16; n++) {
            from[n] = n % 5 == 0 ? number(random) : (float)(int)(8.0 * carom_random_u01(random));
            to[n] = n % 7 == 0 ? number(random) : from[n] + (float)(int)(4.0 * carom_random_u01(random));
        }
        lo[a] = from;
        hi[a] = to;
        low[a] = (float)(int)(8.0 * carom_random_u01(random));
        high[a] = low[a] + (float)(count % 4);
    }
    note_check(simd->sixteen_boxes(lo, hi, low, high) == twin->sixteen_boxes(lo, hi, low, high), "boxes differ");
    guarded_release(&pool);
}

enum { NODES = 12, BOXES = 5 };

/* Numbers from a small set, so that boxes often touch; now and then something unkind. */
static float *random_corners(guarded_pool *pool, carom_random *random, uint32_t count, const float *low) {
    float *corner = guarded_array(pool, count, sizeof(float), 0);
    for (uint32_t n = 0; n < count; n++) {
        const float whole = (float)(int)(8.0 * carom_random_u01(random));
        corner[n] = n % 11 == 0 ? number(random) : (low != NULL ? low[n] + whole / 4.0F : whole);
    }
    return corner;
}

/* Low corner and high corner of each. */
static float *random_boxes(guarded_pool *pool, carom_random *random) {
    float *box = random_corners(pool, random, 6 * BOXES, NULL);
    for (uint32_t n = 0; n < BOXES; n++) {
        for (uint32_t a = 0; a < 3; a++) {
            box[6 * n + 3 + a] = box[6 * n + a] + (float)(int)(4.0 * carom_random_u01(random));
        }
    }
    return box;
}

static void children_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    guarded_pool pool = {.count = 0};
    carom_children children = {.box = random_boxes(&pool, random),
                               .known = count % 2 == 0 ? random_boxes(&pool, random) : NULL};
    carom_hull_box *hull = guarded_array(&pool, NODES * CAROM_CHILDREN, sizeof *hull, 0);
    for (int a = 0; a < 3; a++) {
        children.lo[a] = random_corners(&pool, random, NODES * CAROM_CHILDREN, NULL);
        children.hi[a] = random_corners(&pool, random, NODES * CAROM_CHILDREN, children.lo[a]);
        for (uint32_t n = 0; n < NODES * CAROM_CHILDREN; n++) {
            hull[n].lo[a] = children.lo[a][n];
            hull[n].hi[a] = children.hi[a][n];
        }
    }
    children.hull = count % 3 == 0 ? hull : NULL;
    uint64_t *marks = guarded_array(&pool, NODES * CAROM_CHILDREN / 64, sizeof *marks, 0);
    for (uint32_t n = 0; n < NODES * CAROM_CHILDREN / 64; n++) {
        marks[n] = carom_random_next(random) & carom_random_next(random);
    }
    children.marks = marks;
    uint32_t *box = random_slots(&pool, random, count);
    uint32_t *node = random_slots(&pool, random, count);
    uint32_t *met[4];
    for (uint32_t n = 0; n < count; n++) {
        box[n] %= BOXES;
        node[n] %= NODES;
    }
    for (int n = 0; n < 4; n++) {
        met[n] = guarded_array(&pool, (uint64_t)count * CAROM_CHILDREN + CAROM_SIMD_PAD, sizeof(uint32_t), 0);
    }
    const uint64_t kernel = simd->met_children(&children, box, node, count, met[0], met[1]);
    const uint64_t reference = twin->met_children(&children, box, node, count, met[2], met[3]);
    note_check(kernel == reference && memcmp(met[0], met[2], kernel * sizeof(uint32_t)) == 0 &&
                   memcmp(met[1], met[3], kernel * sizeof(uint32_t)) == 0,
               "children differ");
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

static void check_children(void **state) {
    (void)state;
    guarded_over_all("met_children", children_case);
}

static void check_boxes(void **state) {
    (void)state;
    guarded_over_all("sixteen_boxes", boxes_case);
}

static double uniform(carom_random *random) {
    return 2.0 * carom_random_u01(random) - 1.0;
}

/* Bodies at all scales, far from the origin or near it, which may move along together. Most pass close by each other.
 */
static void random_body(carom_random *random, double scale, double far, double drift, carom_piece *piece,
                        double *radius) {
    *piece = (carom_piece){.last = CAROM_PIECE_FRESH};
    *radius = scale * carom_random_u01(random);
    for (int a = 0; a < 3; a++) {
        piece->x[a] = far + 4.0 * scale * uniform(random);
        piece->v[a] = drift * scale + 4.0 * scale * uniform(random) * pow(10.0, 6.0 * uniform(random));
    }
}

/* Hulls of one step, or of several of which some are over. */
static void set_frame(carom_random *random, carom_hulls *hulls, const carom_impacts_bodies *bodies) {
    const uint64_t steps = carom_random_next(random) % 2 == 0 ? 1 : 1 + carom_random_next(random) % 16;
    const uint64_t over = carom_random_next(random) % steps;
    carom_hulls_set_frame(hulls, bodies);
    carom_hulls_set_time(hulls, bodies, -(double)over, (double)(steps - over));
}

static void check_pair(uint64_t number_of_pair) {
    carom_random random = carom_random_seeded(note_case_seed(number_of_pair));
    const double scale = pow(10.0, 30.0 * uniform(&random));
    const double far = number_of_pair % 2 == 0 ? 0.0 : scale * pow(10.0, 5.0 * carom_random_u01(&random));
    const double drift = number_of_pair % 3 == 0 ? 1e3 * uniform(&random) : 0.0;
    carom_piece piece[2];
    double radius[2];
    carom_coarse_path path[2];
    carom_response_body body[2];
    const uint32_t numbers[2] = {0, 1};
    for (int n = 0; n < 2; n++) {
        random_body(&random, scale, far, drift, &piece[n], &radius[n]);
        body[n] = (carom_response_body){radius[n], 1.0, 1.0, -INFINITY};
    }
    double kept[2][3];
    const carom_impacts_bodies bodies = {
        .count = 2, .rules = {.budget = 9}, .piece = piece, .body = body, .kept = kept, .number = numbers};
    carom_hulls hulls = {.until = 1.0};
    set_frame(&random, &hulls, &bodies);
    for (int a = 0; a < 3 && number_of_pair % 5 == 0; a++) { /* that of other bodies */
        hulls.frame.drift[a] = scale * 1e5 * uniform(&random);
    }
    for (uint32_t n = 0; n < 2; n++) {
        path[n] = carom_hulls_coarse(&hulls, &bodies, n, &piece[n]);
    }
    const carom_pair_image self = carom_image_of(NULL, CAROM_IMAGE_SELF);
    const double t = carom_impacts_predict(&bodies, 0, &piece[0], 1, &piece[1], CAROM_IMAGE_SELF);
    note_case(number_of_pair, "scale %g, %g from the origin, step %g, impact at %g", scale, far, -hulls.frame.begin, t);
    note_check(!(t < 1.0) || carom_hulls_may_meet(&hulls, &path[0], &path[1], &self, 0.0, t), "the impact is lost");
}

static void check_predictions(void **state) {
    (void)state;
    note_each_case(PAIRS, check_pair);
}

enum { PIECES = 6, DUST = 32 };

/* A giant in slot 0, and dust that one of its pieces touches or goes past. */
typedef struct giant {
    carom_path_piece path[PIECES + 1];
    carom_piece piece[1 + DUST];
    carom_response_body body[1 + DUST];
    double kept[1 + DUST][3];
    uint32_t number[1 + DUST];
} giant;

static void random_direction(carom_random *random, double direction[3]) {
    double square = 0.0;
    while (!(square > 0.01)) {
        for (int a = 0; a < 3; a++) {
            direction[a] = uniform(random);
        }
        square = direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2];
    }
    for (int a = 0; a < 3; a++) {
        direction[a] /= sqrt(square);
    }
}

/* Pieces that begin at one time or one after another, where the one before is then. Their velocities differ by much, or
 * by next to nothing. */
static void random_path(carom_random *random, double scale, double turn, giant *g) {
    const double lasts = carom_random_next(random) % 2 == 0 ? 0.0 : (1.0 - g->piece[0].start) / (PIECES + 1);
    for (uint32_t n = 0; n <= PIECES; n++) {
        carom_piece *piece = &g->path[n].piece;
        *piece = n == 0 ? g->piece[0] : g->path[n - 1].piece;
        piece->start += n == 0 ? 0.0 : lasts;
        g->path[n].next = n < PIECES ? n + 1 : CAROM_IMPACTS_NONE;
        for (int a = 0; a < 3; a++) {
            piece->x[a] += n == 0 ? 0.0 : lasts * piece->v[a];
            piece->v[a] += turn * scale * uniform(random);
        }
    }
}

/* Dust that a piece touches, or nearly so, at some moment. */
static void random_dust(carom_random *random, double scale, double turn, giant *g, uint32_t n) {
    const carom_piece *piece = &g->path[carom_random_next(random) % PIECES].piece;
    double direction[3];
    random_direction(random, direction);
    const double depth = 1.0 + pow(10.0, -9.0 * carom_random_u01(random)) * (n % 2 == 0 ? 1.0 : -1.0);
    g->piece[n].start = piece->start * carom_random_u01(random);
    for (int a = 0; a < 3; a++) {
        const double lasted = piece->start - g->piece[n].start;
        g->piece[n].v[a] = piece->v[a] + (turn + (n % 4 == 0)) * scale * uniform(random);
        g->piece[n].x[a] =
            piece->x[a] - lasted * g->piece[n].v[a] + depth * (g->body[0].radius + g->body[n].radius) * direction[a];
    }
}

static void random_giant(carom_random *random, double scale, giant *g) {
    const double far = carom_random_next(random) % 2 == 0 ? 0.0 : scale * pow(10.0, 5.0 * carom_random_u01(random));
    const double turn = pow(10.0, -8.0 * carom_random_u01(random));
    const double drift = carom_random_next(random) % 3 == 0 ? 1e3 * uniform(random) : 0.0;
    random_body(random, scale, far, drift, &g->piece[0], &g->body[0].radius);
    g->piece[0].start = carom_random_u01(random);
    random_path(random, scale, turn, g);
    for (uint32_t n = 1; n <= DUST; n++) {
        random_body(random, scale, far, drift, &g->piece[n], &g->body[n].radius);
        random_dust(random, scale, turn, g, n);
    }
    for (uint32_t n = 0; n <= DUST; n++) {
        g->body[n] = (carom_response_body){g->body[n].radius, 1.0, 1.0, -INFINITY};
        g->number[n] = n;
    }
}

/* Whether one of the giant's pieces in the tube collides with the dust in a slot before it ends. */
static bool collides(const carom_impacts_bodies *bodies, giant *g, const carom_tube *tube, uint32_t slot) {
    bool collided = false;
    for (uint32_t n = 0; n < tube->count; n++) {
        carom_path_piece *own = &g->path[tube->piece[n]];
        const double end = own->next == CAROM_IMPACTS_NONE ? 1.0 : g->path[own->next].piece.start;
        const double t = carom_impacts_predict(bodies, 0, &own->piece, slot, &g->piece[slot], CAROM_IMAGE_SELF);
        collided = collided || t <= end;
    }
    return collided;
}

static void check_tube(uint64_t number_of_tube) {
    carom_random random = carom_random_seeded(note_case_seed(number_of_tube));
    const double scale = pow(10.0, 30.0 * uniform(&random));
    giant g = {.path = {{.next = 0}}};
    random_giant(&random, scale, &g);
    carom_impacts_bodies bodies = {.count = 1 + DUST,
                                   .rules = {.budget = 9},
                                   .piece = g.piece,
                                   .body = g.body,
                                   .kept = g.kept,
                                   .number = g.number};
    carom_coarse_path coarse[1 + DUST];
    carom_hulls hulls = {.coarse = coarse, .until = 1.0};
    set_frame(&random, &hulls, &bodies);
    uint32_t slot[DUST + CAROM_SIMD_PAD] = {0};
    uint32_t near[DUST + CAROM_SIMD_PAD];
    uint32_t grouped[DUST + CAROM_SIMD_PAD];
    uint32_t piece[PIECES + 1];
    for (uint32_t n = 0; n <= DUST; n++) {
        coarse[n] = carom_hulls_coarse(&hulls, &bodies, n, &g.piece[n]);
        slot[n] = n < DUST ? n + 1 : 0;
    }
    for (uint32_t n = 0; n <= PIECES; n++) {
        piece[n] = n;
    }
    carom_impacts_worker worker = {.path.piece.buffer.data = g.path};
    const carom_window window = {.bodies = &bodies, .hulls = &hulls, .simd = carom_simd_best(), .worker = &worker};
    const carom_active active = {.slot = 0};
    const uint32_t first = (uint32_t)(carom_random_next(&random) % PIECES);
    const carom_tube tube = {&active, piece + first, 1 + (uint32_t)(carom_random_next(&random) % (PIECES - first + 1))};
    note_case(number_of_tube, "scale %g, pieces %u to %u", scale, first, first + tube.count - 1);
    const carom_near_counts kept = carom_tube_keep(&window, &tube, slot, DUST, near, grouped);
    for (uint32_t n = 1, at = 0; n <= DUST; n++) {
        const bool is_kept = at < kept.near && near[at] == n;
        at += is_kept;
        note_check(is_kept || !collides(&bodies, &g, &tube, n), "the impact with body %u is lost", n);
    }
}

static void check_tubes(void **state) {
    (void)state;
    note_each_case(TUBES, check_tube);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(check_near),     cmocka_unit_test(check_times),
                                       cmocka_unit_test(check_hulls),    cmocka_unit_test(check_boxes),
                                       cmocka_unit_test(check_children), cmocka_unit_test(check_predictions),
                                       cmocka_unit_test(check_tubes)};
    note_start("test_twin_near");
    return cmocka_run_group_tests_name("coarse paths", tests, NULL, NULL);
}
