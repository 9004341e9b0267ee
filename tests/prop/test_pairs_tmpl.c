/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Batches of pairs. Guards that a pair's answer has the same bits alone and among others, on every instruction set and
 * number of threads, in every layout of the arrays and with every order of pairs; that bodies without shapes are
 * spheres; that a compound answers as its children do; that positions far apart neither overflow nor end in NaN; and
 * that calls survive memory that gives out. Compiled once for each precision. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"
#include "kernel/scene/random.h"
#include "simd/precision.h"
#include "tests/support/any_detect.h"
#include "tests/support/check.h"
#include "tests/support/fault_allocator.h"
#include "tests/support/isa_contexts.h"
#include "tests/support/note.h"

#define PAIRS CAROM_REAL(carom_distance_pairs)
#define PAIR CAROM_REAL(carom_distance_pair)
#define TOI_PAIRS CAROM_REAL(carom_toi_pairs)
#define TOI_PAIR CAROM_REAL(carom_toi_pair)

typedef CAROM_REAL(carom_gap) gap_row;
typedef CAROM_REAL(carom_manifold) manifold_row;
typedef CAROM_REAL(carom_toi) toi_row;
typedef CAROM_REAL(carom_pose) pose;
typedef CAROM_REAL(carom_sweep) sweep;

enum { CASES = 12, BODIES = 60, PAIRS_MOST = 400, ITERATIONS = 16 };

/* Shapes of every convex kind, and two compounds of some. */
enum { KINDS = 7, CHILDREN = 3, SHAPES = KINDS + 2, HULL_POINTS = 9 };

static carom_shapes *shapes;
static double hull[HULL_POINTS][3];
static carom_shape_child children[2][CHILDREN];

/* The bodies of a case, packed: position, rotation, spin, the way's end, radius. */
typedef struct scene {
    carom_real at[3][BODIES];
    carom_real end[3][BODIES];
    carom_real turn[4][BODIES];
    carom_real spin[3][BODIES];
    carom_real radius[BODIES];
    uint32_t shape[BODIES];
    uint32_t i[PAIRS_MOST];
    uint32_t k[PAIRS_MOST];
    uint64_t count;
} scene;

static scene s;

/* All answers of a case. */
typedef struct answers {
    gap_row gap[PAIRS_MOST];
    manifold_row manifold[PAIRS_MOST];
    toi_row impact[PAIRS_MOST];
} answers;

static answers wanted;
static answers found;

static double in(carom_random *random, double least, double most) {
    return least + (most - least) * carom_random_u01(random);
}

static void draw_turn(carom_random *random, double turn[4]) {
    double square = 0;
    while (!(square > 0.3 && square < 3.9)) {
        square = 0;
        for (int d = 0; d < 4; d++) {
            turn[d] = in(random, -1.5, 1.5);
            square += turn[d] * turn[d];
        }
    }
}

static void draw_children(carom_random *random, carom_shape_child *child) {
    for (uint32_t n = 0; n < CHILDREN; n++) {
        child[n] = (carom_shape_child){.shape = (uint32_t)(carom_random_next(random) % KINDS)};
        for (int d = 0; d < 3; d++) {
            child[n].at[d] = in(random, -1, 1);
        }
        draw_turn(random, child[n].turn);
    }
}

static int make(void **state) {
    static const uint32_t threads[] = {1, 2, 8};
    carom_random random = carom_random_seeded(note_seed());
    (void)state;
    for (int n = 0; n < HULL_POINTS; n++) {
        for (int d = 0; d < 3; d++) {
            hull[n][d] = in(&random, -1, 1);
        }
    }
    draw_children(&random, children[0]);
    draw_children(&random, children[1]);
    const carom_shape made[SHAPES] = {
        {.kind = CAROM_SHAPE_SPHERE, .radius = 0.7},
        {.kind = CAROM_SHAPE_CAPSULE, .radius = 0.3, .extent = {0, 0, 0.6}},
        {.kind = CAROM_SHAPE_BOX, .extent = {0.4, 0.6, 0.8}},
        {.kind = CAROM_SHAPE_CYLINDER, .radius = 0.5, .extent = {0, 0, 0.4}},
        {.kind = CAROM_SHAPE_CONE, .radius = 0.6, .extent = {0, 0, 0.7}},
        {.kind = CAROM_SHAPE_ELLIPSOID, .extent = {0.3, 0.5, 0.9}},
        {.kind = CAROM_SHAPE_HULL, .point = (const double(*)[3])hull, .point_count = HULL_POINTS},
        {.kind = CAROM_SHAPE_COMPOUND, .child = children[0], .child_count = CHILDREN},
        {.kind = CAROM_SHAPE_COMPOUND, .child = children[1], .child_count = CHILDREN},
    };
    return carom_shapes_create(made, SHAPES, NULL, &shapes, NULL) == CAROM_OK
               ? isa_contexts_make(threads, sizeof threads / sizeof *threads)
               : -1;
}

static int release(void **state) {
    carom_shapes_destroy(shapes);
    return isa_contexts_destroy(state);
}

/* Bodies in a small box, some on a lattice, so that they touch, coincide and are alike; any pairs of them. */
static void draw(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const double room = in(&random, 1, 8);
    for (uint32_t n = 0; n < BODIES; n++) {
        const bool plain = carom_random_next(&random) % 4 == 0;
        double turn[4];
        draw_turn(&random, turn);
        for (int d = 0; d < 3; d++) {
            const double at = in(&random, -room, room);
            s.at[d][n] = (carom_real)(plain ? floor(at) : at);
            s.end[d][n] = s.at[d][n] + (carom_real)in(&random, -2, 2);
            s.spin[d][n] = (carom_real)(plain ? 0 : in(&random, -2, 2));
        }
        for (int d = 0; d < 4; d++) {
            s.turn[d][n] = (carom_real)(plain ? d == 3 : turn[d]);
        }
        s.radius[n] = (carom_real)in(&random, 0, 1);
        s.shape[n] = (uint32_t)(carom_random_next(&random) % SHAPES);
    }
    s.count = 1 + carom_random_next(&random) % PAIRS_MOST;
    for (uint64_t n = 0; n < s.count; n++) {
        s.i[n] = (uint32_t)(carom_random_next(&random) % BODIES);
        s.k[n] = (uint32_t)(carom_random_next(&random) % BODIES);
    }
}

static carom_bodies packed(void) {
    carom_bodies bodies = {.size = sizeof bodies, .count = BODIES, .shapes = shapes, .shape = s.shape};
    for (int a = 0; a < 3; a++) {
        bodies.prev[a] = s.at[a];
        bodies.curr[a] = s.end[a];
        bodies.spin[a] = s.spin[a];
    }
    for (int a = 0; a < 4; a++) {
        bodies.prev_turn[a] = s.turn[a];
    }
    return bodies;
}

static carom_distance_config full(void) {
    carom_distance_config config = carom_distance_config_default();
    config.detail = CAROM_GAP_MANIFOLD;
    return config;
}

/* Few, so that a case is short. */
static carom_toi_config short_toi(void) {
    carom_toi_config config = carom_toi_config_default();
    config.iterations_max = ITERATIONS;
    return config;
}

static void answer(carom_context *context, const carom_bodies *bodies, answers *to) {
    const carom_distance_config config = full();
    const carom_toi_config toi = short_toi();
    carom_error error = {.message = ""};
    memset(to, 0xAA, sizeof *to);
    carom_status status = PAIRS(context, bodies, s.i, s.k, s.count, &config, to->gap, to->manifold, &error);
    note_check(status == CAROM_OK, "%s", error.message);
    status = TOI_PAIRS(context, bodies, s.i, s.k, s.count, &toi, to->impact, &error);
    note_check(status == CAROM_OK, "%s", error.message);
}

static void compare(const answers *a, const answers *b, const char *what) {
    for (uint64_t n = 0; n < s.count; n++) {
        note_check(memcmp(&a->gap[n], &b->gap[n], sizeof a->gap[n]) == 0, "%s: gap %" PRIu64 " differs", what, n);
        note_check(memcmp(&a->manifold[n], &b->manifold[n], sizeof a->manifold[n]) == 0,
                   "%s: manifold %" PRIu64 " differs", what, n);
        note_check(memcmp(&a->impact[n], &b->impact[n], sizeof a->impact[n]) == 0, "%s: time %" PRIu64 " differs", what,
                   n);
    }
    note_check(memcmp(a, b, sizeof *a) == 0, "%s: something is written behind the last pair", what);
}

static pose pose_of(uint32_t n) {
    pose p = {.shape = s.shape[n]};
    for (int d = 0; d < 3; d++) {
        p.at[d] = s.at[d][n];
    }
    for (int d = 0; d < 4; d++) {
        p.turn[d] = s.turn[d][n];
    }
    return p;
}

static void check_single(void) {
    const carom_distance_config config = full();
    carom_error error = {.message = ""};
    memset(&found, 0xAA, sizeof found);
    for (uint64_t n = 0; n < s.count; n++) {
        const pose i = pose_of(s.i[n]);
        const pose k = pose_of(s.k[n]);
        const carom_status status = PAIR(shapes, &i, &k, &config, &found.gap[n], &found.manifold[n], &error);
        note_check(status == CAROM_OK, "%s", error.message);
    }
    memcpy(found.impact, wanted.impact, sizeof found.impact);
    compare(&wanted, &found, "a single pair");
}

/* Sweeps whose ends are exact sums. */
static void check_single_times(void) {
    const carom_toi_config toi = short_toi();
    carom_error error = {.message = ""};
    for (uint64_t n = 0; n < s.count; n++) {
        const uint32_t body[2] = {s.i[n], s.k[n]};
        sweep way[2] = {{{0}, {0}}, {{0}, {0}}};
        bool exact = true;
        for (int b = 0; b < 2; b++) {
            for (int d = 0; d < 3; d++) {
                const carom_real move = s.end[d][body[b]] - s.at[d][body[b]];
                way[b].move[d] = move;
                way[b].spin[d] = s.spin[d][body[b]];
                exact = exact && (double)move == (double)s.end[d][body[b]] - (double)s.at[d][body[b]];
            }
        }
        const pose i = pose_of(body[0]);
        const pose k = pose_of(body[1]);
        toi_row row;
        memset(&row, 0xAA, sizeof row);
        const carom_status status = TOI_PAIR(shapes, &i, &way[0], &k, &way[1], &toi, &row, &error);
        note_check(status == CAROM_OK, "%s", error.message);
        note_check(!exact || memcmp(&row, &wanted.impact[n], sizeof row) == 0, "the time of pair %" PRIu64 " differs",
                   n);
    }
}

/* A body's numbers side by side, NaN between them. */
typedef struct mixed {
    carom_real gap[2];
    carom_real at[3];
    carom_real turn[4];
    uint32_t shape[sizeof(carom_real) / sizeof(uint32_t) * 2];
    carom_real end[3];
    carom_real spin[3];
} mixed;

static void check_layout(void) {
    static mixed body[BODIES];
    const carom_real nothing = (carom_real)NAN;
    carom_bodies bodies = packed();
    for (uint32_t n = 0; n < BODIES; n++) {
        body[n].gap[0] = body[n].gap[1] = nothing;
        body[n].shape[1] = UINT32_MAX;
        body[n].shape[0] = s.shape[n];
        for (int d = 0; d < 4; d++) {
            body[n].turn[d] = s.turn[d][n];
        }
        for (int d = 0; d < 3; d++) {
            body[n].at[d] = s.at[d][n];
            body[n].end[d] = s.end[d][n];
            body[n].spin[d] = s.spin[d][n];
        }
    }
    bodies.shape = &body[0].shape[0];
    for (int d = 0; d < 4; d++) {
        bodies.prev_turn[d] = &body[0].turn[d];
    }
    for (int d = 0; d < 3; d++) {
        bodies.prev[d] = &body[0].at[d];
        bodies.curr[d] = &body[0].end[d];
        bodies.spin[d] = &body[0].spin[d];
    }
    bodies.shape_stride = bodies.prev_turn_stride = bodies.spin_stride = sizeof body[0];
    bodies.prev_stride = bodies.curr_stride = sizeof body[0];
    answer(isa_contexts[0], &bodies, &found);
    compare(&wanted, &found, "an array of structs");
}

/* No answer is NaN, and brackets are in order. */
static void check_sane(void) {
    for (uint64_t n = 0; n < s.count; n++) {
        const gap_row *g = &wanted.gap[n];
        const toi_row *t = &wanted.impact[n];
        note_check(g->lower <= g->distance && g->distance <= g->upper, "pair %" PRIu64 ": %g is not in %g to %g", n,
                   (double)g->distance, (double)g->lower, (double)g->upper);
        note_check(t->t >= 0 && t->t <= 1 && !isnan(t->gap), "pair %" PRIu64 ": t %g, gap %g", n, (double)t->t,
                   (double)t->gap);
        for (int d = 0; d < 3; d++) {
            note_check(isfinite(g->normal[d]) && isfinite(g->point_i[d]) && isfinite(g->point_k[d]) &&
                           isfinite(t->normal[d]) && isfinite(t->point_i[d]) && isfinite(t->point_k[d]),
                       "pair %" PRIu64 " has a number that is not finite", n);
        }
        note_check(t->state != CAROM_TOI_HIT || t->t > 0 || g->lower <= (carom_real)0.1,
                   "pair %" PRIu64 " is hit at once, but apart", n);
        note_check(g->state == CAROM_GAP_SEPARATED || (t->state != CAROM_TOI_NONE && t->t <= 0),
                   "pair %" PRIu64 " touches, but is not hit at once", n);
    }
}

/* States alone, in a byte each, are those of the rows, for each detail; and nothing is written behind the last one. */
static void check_states(carom_context *context, const carom_bodies *bodies) {
    uint8_t states[PAIRS_MOST + 1];
    uint8_t alone[PAIRS_MOST + 1];
    for (int detail = CAROM_GAP_STATE; detail <= CAROM_GAP_CLEARANCE; detail++) {
        carom_distance_config config = carom_distance_config_default();
        const bool only = detail == CAROM_GAP_STATE;
        config.detail = (carom_gap_detail)detail;
        config.states = memset(states, 0xAA, sizeof states);
        assert_int_equal(PAIRS(context, bodies, s.i, s.k, s.count, &config, found.gap, found.manifold, NULL), CAROM_OK);
        config.states = memset(alone, 0xAA, sizeof alone);
        assert_int_equal(PAIRS(context, bodies, s.i, s.k, only ? s.count : 0, &config, NULL, NULL, NULL), CAROM_OK);
        for (uint64_t n = 0; n < s.count; n++) {
            note_check(states[n] == found.gap[n].state, "detail %d: pair %" PRIu64 " has state %d, not %d", detail, n,
                       states[n], (int)found.gap[n].state);
            note_check(alone[n] == (only ? states[n] : 0xAA), "alone pair %" PRIu64 " has state %d", n, alone[n]);
        }
        note_check(states[s.count] == 0xAA && alone[s.count] == 0xAA, "a state is written behind the last pair");
    }
}

/* A clearance of a pair that is apart is its distance, bit for bit. */
static void check_clearances(carom_context *context, const carom_bodies *bodies) {
    static gap_row distance[PAIRS_MOST];
    carom_distance_config config = carom_distance_config_default();
    config.detail = CAROM_GAP_DISTANCE;
    assert_int_equal(PAIRS(context, bodies, s.i, s.k, s.count, &config, distance, NULL, NULL), CAROM_OK);
    config.detail = CAROM_GAP_CLEARANCE;
    assert_int_equal(PAIRS(context, bodies, s.i, s.k, s.count, &config, found.gap, NULL, NULL), CAROM_OK);
    for (uint64_t n = 0; n < s.count; n++) {
        const gap_row *row = &found.gap[n];
        note_check(
            row->state != CAROM_GAP_SEPARATED || (row->lower == distance[n].lower && row->upper == distance[n].upper &&
                                                  memcmp(row->point_i, distance[n].point_i, sizeof row->point_i) == 0),
            "pair %" PRIu64 " has clearance %.17g, not %.17g", n, (double)row->distance, (double)distance[n].distance);
    }
}

static void check_single_states(void) {
    carom_distance_config config = carom_distance_config_default();
    config.detail = CAROM_GAP_STATE;
    for (uint64_t n = 0; n < s.count; n++) {
        const pose i = pose_of(s.i[n]);
        const pose k = pose_of(s.k[n]);
        uint8_t state = 0xAA;
        gap_row row;
        config.states = &state;
        assert_int_equal(PAIR(shapes, &i, &k, &config, NULL, NULL, NULL), CAROM_OK);
        config.states = NULL;
        assert_int_equal(PAIR(shapes, &i, &k, &config, &row, NULL, NULL), CAROM_OK);
        note_check(state == row.state, "pair %" PRIu64 " has state %d, not %d", n, state, (int)row.state);
    }
}

static void one_case(uint64_t number) {
    draw(number);
    note_case(number, "%" PRIu64 " pairs", s.count);
    const carom_bodies bodies = packed();
    answer(isa_contexts[0], &bodies, &wanted);
    check_sane();
    for (uint64_t c = 1; c < isa_context_count; c++) {
        answer(isa_contexts[c], &bodies, &found);
        compare(&wanted, &found, "another context");
        check_states(isa_contexts[c], &bodies);
        check_clearances(isa_contexts[c], &bodies);
    }
    check_single_states();
    check_single();
    check_single_times();
    check_layout();
}

static void bits_do_not_depend_on_the_call(void **state) {
    (void)state;
    note_each_case(CASES, one_case);
}

/* The answers for spheres of radii, and for shapes that are spheres of 0.7. */
static void bodies_without_shapes_are_spheres(void **state) {
    (void)state;
    draw(0);
    for (uint32_t n = 0; n < BODIES; n++) {
        s.shape[n] = 0;
        s.radius[n] = 2;
    }
    carom_bodies bodies = packed();
    carom_shape two = {.kind = CAROM_SHAPE_SPHERE, .radius = 2};
    carom_shapes *table;
    assert_int_equal(carom_shapes_create(&two, 1, NULL, &table, NULL), CAROM_OK);
    bodies.shapes = table;
    for (int a = 0; a < 4; a++) {
        bodies.prev_turn[a] = NULL;
    }
    bodies.spin[0] = bodies.spin[1] = bodies.spin[2] = NULL;
    answer(isa_contexts[0], &bodies, &wanted);
    bodies.shapes = NULL;
    bodies.radius = s.radius;
    answer(isa_contexts[0], &bodies, &found);
    compare(&wanted, &found, "radii");
    bodies.radius = NULL;
    bodies.common_radius = 2;
    answer(isa_contexts[0], &bodies, &found);
    compare(&wanted, &found, "a common radius");
    carom_shapes_destroy(table);
}

/* A compound's bracket meets that of its children, each posed as a body of its own. */
static void compounds_answer_as_their_children(void **state) {
    const pose compound = {.shape = KINDS};
    (void)state;
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        for (int n = 0; n < 8; n++) {
            const pose other = {.shape = kind, .at = {(carom_real)(0.5 * n - 1), 1, (carom_real)(0.25 * n)}};
            gap_row whole;
            double lower = HUGE_VAL;
            double upper = HUGE_VAL;
            assert_int_equal(PAIR(shapes, &compound, &other, NULL, &whole, NULL, NULL), CAROM_OK);
            for (uint32_t c = 0; c < CHILDREN; c++) {
                pose child = {.shape = children[0][c].shape};
                gap_row part;
                for (int d = 0; d < 4; d++) {
                    child.turn[d] = (carom_real)children[0][c].turn[d];
                    child.at[d < 3 ? d : 0] = (carom_real)children[0][c].at[d < 3 ? d : 0];
                }
                assert_int_equal(PAIR(shapes, &child, &other, NULL, &part, NULL, NULL), CAROM_OK);
                lower = fmin(lower, (double)part.lower);
                upper = fmin(upper, (double)part.upper);
            }
            note_case(kind, "shift %d", n);
            const double slack = sizeof(carom_real) == 4 ? 1e-6 : 1e-13;
            note_check((double)whole.lower <= upper + slack && lower - slack <= (double)whole.upper,
                       "%g to %g, but the children have %g to %g", (double)whole.lower, (double)whole.upper, lower,
                       upper);
            note_check(whole.child_i < CHILDREN && whole.child_k == 0, "children %u and %u", whole.child_i,
                       whole.child_k);
        }
    }
}

static void far_positions_do_not_overflow(void **state) {
    const double most = sizeof(carom_real) == 4 ? (double)FLT_MAX : DBL_MAX;
    const double far[] = {1e30, most / 4, most};
    (void)state;
    for (size_t n = 0; n < sizeof far / sizeof *far; n++) {
        for (uint32_t kind = 0; kind < SHAPES; kind++) {
            const pose i = {.shape = kind, .at = {(carom_real)far[n], 0, 1}};
            const pose k = {.shape = SHAPES - 1 - kind, .at = {-(carom_real)far[n], (carom_real)far[n], 2}};
            const sweep way = {.move = {-(carom_real)far[n], 0, 0}, .spin = {1, 2, 3}};
            const double distance = far[n] * sqrt(5) < DBL_MAX ? far[n] * sqrt(5) : DBL_MAX;
            gap_row gap;
            toi_row impact;
            note_case(n, "kind %u", kind);
            note_check(PAIR(shapes, &i, &k, NULL, &gap, NULL, NULL) == CAROM_OK, "refused");
            note_check(gap.state == CAROM_GAP_SEPARATED && (double)gap.lower <= distance &&
                           (double)gap.upper >= distance * (1 - 1e-6),
                       "%g to %g, not %g", (double)gap.lower, (double)gap.upper, distance);
            note_check((double)gap.lower >= fmin(distance, most) * (1 - 1e-6), "%g, not %g", (double)gap.lower,
                       distance);
            note_check(fabs((double)gap.normal[0] - 2 / sqrt(5)) < 1e-6 && fabs((double)gap.normal[2]) < 1e-6,
                       "normal %g %g %g", (double)gap.normal[0], (double)gap.normal[1], (double)gap.normal[2]);
            note_check(TOI_PAIR(shapes, &i, &way, &k, NULL, NULL, &impact, NULL) == CAROM_OK, "refused");
            note_check(impact.t >= 0 && impact.t <= 1 && impact.state != CAROM_TOI_HIT && isfinite(impact.point_i[0]),
                       "state %d, t %g", (int)impact.state, (double)impact.t);
        }
    }
}

/* What the detail leaves out is 0, and the state is the same. */
static void states_agree_with_distances(void **state) {
    carom_distance_config config = full();
    (void)state;
    draw(1);
    const carom_bodies bodies = packed();
    for (int n = 0; n < 3; n++) {
        config.margin = n * 0.5;
        config.detail = CAROM_GAP_DISTANCE;
        assert_int_equal(PAIRS(isa_contexts[0], &bodies, s.i, s.k, s.count, &config, wanted.gap, NULL, NULL), CAROM_OK);
        config.detail = CAROM_GAP_STATE;
        assert_int_equal(PAIRS(isa_contexts[0], &bodies, s.i, s.k, s.count, &config, found.gap, NULL, NULL), CAROM_OK);
        for (uint64_t p = 0; p < s.count; p++) {
            const gap_row *a = &wanted.gap[p];
            const gap_row *b = &found.gap[p];
            note_case(p, "margin %g", config.margin);
            note_check(a->state == b->state || a->state == CAROM_GAP_CLOSE || b->state == CAROM_GAP_CLOSE,
                       "states %d and %d", (int)a->state, (int)b->state);
            note_check(b->lower <= a->upper && a->lower <= b->upper, "the brackets are apart");
            note_check(b->normal[0] == 0 && b->point_i[1] == 0 && b->point_k[2] == 0, "more than the state is there");
        }
    }
}

/* Turns bodies so that all are nearly parallel. */
static void make_parallel(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number) + 1);
    for (uint32_t n = 0; n < BODIES; n++) {
        for (int d = 0; d < 4; d++) {
            s.turn[d][n] = (carom_real)(d == 3 ? 1.0 : in(&random, -0.05, 0.05));
        }
    }
}

/* With detail CONTACT pairs that are not apart have all that MANIFOLD gives, bit for bit, and the others a bracket; one
 * by one and in a batch. Without room for manifolds only these are missing. Returns how many pairs are apart. */
static uint64_t check_contacts(double margin) {
    carom_distance_config config = full();
    uint64_t apart = 0;
    const carom_bodies bodies = packed();
    config.margin = margin;
    assert_int_equal(PAIRS(isa_contexts[0], &bodies, s.i, s.k, s.count, &config, wanted.gap, wanted.manifold, NULL),
                     CAROM_OK);
    config.detail = CAROM_GAP_CONTACT;
    assert_int_equal(PAIRS(isa_contexts[0], &bodies, s.i, s.k, s.count, &config, found.gap, found.manifold, NULL),
                     CAROM_OK);
    for (uint64_t n = 0; n < s.count; n++) {
        const pose i = pose_of(s.i[n]);
        const pose k = pose_of(s.k[n]);
        const gap_row *a = &wanted.gap[n];
        gap_row *b = &found.gap[n];
        gap_row one;
        manifold_row alone;
        note_case(n, "contact");
        note_check(PAIR(shapes, &i, &k, &config, &one, &alone, NULL) == CAROM_OK, "refused");
        note_check(memcmp(&one, b, sizeof one) == 0 && memcmp(&alone, &found.manifold[n], sizeof alone) == 0,
                   "alone it differs");
        note_check((a->state == CAROM_GAP_SEPARATED) == (b->state == CAROM_GAP_SEPARATED), "states %d and %d",
                   (int)a->state, (int)b->state);
        note_check(PAIR(shapes, &i, &k, &config, &one, NULL, NULL) == CAROM_OK, "refused without manifolds");
        note_check(one.point_count == 0 && one.lower == b->lower && one.upper == b->upper,
                   "no manifold, other bracket");
        if (a->state != CAROM_GAP_SEPARATED) {
            note_check(b->iterations <= a->iterations, "%u iterations, not %u", b->iterations, a->iterations);
            b->iterations = a->iterations; /* children that are apart take fewer */
            note_check(memcmp(a, b, sizeof *a) == 0, "the contact differs");
            note_check(memcmp(&wanted.manifold[n], &found.manifold[n], sizeof alone) == 0, "the manifold differs");
        } else {
            apart++;
            note_check(b->lower > margin * 0.999 && b->lower <= a->upper && a->lower <= b->upper, "brackets are apart");
            note_check(b->normal[0] == 0 && b->point_i[1] == 0 && b->point_count == 0 && !b->capped,
                       "too much is there");
        }
    }
    return apart;
}

/* As they come, and nearly parallel with a margin. */
static void contacts_are_manifolds_of_pairs_that_touch(void **state) {
    (void)state;
    draw(2);
    const uint64_t apart = check_contacts(0.0);
    note_check(apart > 0 && apart < s.count, "%" PRIu64 " of %" PRIu64 " pairs are apart", apart, s.count);
    for (uint64_t n = 0; n < 20; n++) {
        draw(3 + n);
        make_parallel(n);
        (void)check_contacts(0.5);
    }
}

/* With detail CLEARANCE pairs that are apart have all that DISTANCE gives, bit for bit but for children that take fewer
 * iterations, and the others a bracket; one by one and in a batch, whatever the margin. */
static void clearances_are_distances_of_pairs_that_are_apart(void **state) {
    carom_distance_config config = carom_distance_config_default();
    uint64_t apart = 0;
    uint64_t asked = 0;
    (void)state;
    for (int m = 0; m < 9; m++) {
        draw((uint64_t)m);
        const carom_bodies bodies = packed();
        config.margin = m % 3 * 0.25;
        asked += s.count;
        config.detail = CAROM_GAP_DISTANCE;
        assert_int_equal(PAIRS(isa_contexts[0], &bodies, s.i, s.k, s.count, &config, wanted.gap, NULL, NULL), CAROM_OK);
        config.detail = CAROM_GAP_CLEARANCE;
        assert_int_equal(PAIRS(isa_contexts[0], &bodies, s.i, s.k, s.count, &config, found.gap, NULL, NULL), CAROM_OK);
        for (uint64_t n = 0; n < s.count; n++) {
            const pose i = pose_of(s.i[n]);
            const pose k = pose_of(s.k[n]);
            const gap_row *a = &wanted.gap[n];
            gap_row *b = &found.gap[n];
            gap_row one;
            note_case(n, "clearance, margin %g", config.margin);
            note_check(PAIR(shapes, &i, &k, &config, &one, NULL, NULL) == CAROM_OK, "refused");
            note_check(memcmp(&one, b, sizeof one) == 0, "alone it differs");
            note_check((a->state == CAROM_GAP_SEPARATED) == (b->state == CAROM_GAP_SEPARATED), "states %d and %d",
                       (int)a->state, (int)b->state);
            note_check(b->lower <= a->upper && a->lower <= b->upper, "the brackets are apart");
            if (a->state == CAROM_GAP_SEPARATED) {
                apart++;
                b->iterations = a->iterations;
                note_check(memcmp(a, b, sizeof *a) == 0, "the distance differs");
            } else {
                note_check(b->normal[0] == 0 && b->point_i[1] == 0 && b->point_k[2] == 0 &&
                               !(b->capped && b->state == CAROM_GAP_TOUCHING),
                           "too much is there");
            }
        }
    }
    note_check(20 * apart > asked && 20 * apart < 19 * asked, "%" PRIu64 " of %" PRIu64 " pairs are apart", apart,
               asked);
}

#if CAROM_REAL_BITS == 32
static carom_pose_f64 widened(const pose *p) {
    carom_pose_f64 wide = {.shape = p->shape};
    for (int d = 0; d < 4; d++) {
        wide.turn[d] = (double)p->turn[d];
        wide.at[d < 3 ? d : 0] = (double)p->at[d < 3 ? d : 0];
    }
    return wide;
}

/* The same pair in double has a bracket within that of floats, whose ends are the nearest floats outside it; and its
 * time is no earlier. */
static void floats_round_outward(void **state) {
    carom_distance_config config = full();
    carom_toi_config toi = short_toi();
    (void)state;
    draw(3);
    config.tolerance = 0x1p-30;
    toi.tolerance = 0x1p-20;
    for (uint64_t n = 0; n < s.count; n++) {
        const pose i = pose_of(s.i[n]);
        const pose k = pose_of(s.k[n]);
        const carom_pose_f64 wide_i = widened(&i);
        const carom_pose_f64 wide_k = widened(&k);
        const sweep way = {.move = {1, -1, 0.5F}, .spin = {0.25F, 1, 0}};
        const carom_sweep_f64 wide_way = {.move = {1, -1, 0.5}, .spin = {0.25, 1, 0}};
        gap_row gap;
        manifold_row manifold;
        toi_row impact;
        carom_gap_f64 wide;
        carom_manifold_f64 wide_manifold;
        carom_toi_f64 wide_impact;
        assert_int_equal(PAIR(shapes, &i, &k, &config, &gap, &manifold, NULL), CAROM_OK);
        assert_int_equal(carom_distance_pair_f64(shapes, &wide_i, &wide_k, &config, &wide, &wide_manifold, NULL),
                         CAROM_OK);
        assert_int_equal(TOI_PAIR(shapes, &i, &way, &k, NULL, &toi, &impact, NULL), CAROM_OK);
        assert_int_equal(carom_toi_pair_f64(shapes, &wide_i, &wide_way, &wide_k, NULL, &toi, &wide_impact, NULL),
                         CAROM_OK);
        note_case(n, "shapes %u and %u", i.shape, k.shape);
        note_check((double)gap.lower <= wide.lower && (double)nextafterf(gap.lower, HUGE_VALF) > wide.lower,
                   "lower is %.9g, not %.17g", (double)gap.lower, wide.lower);
        note_check((double)gap.upper >= wide.upper && (double)nextafterf(gap.upper, -HUGE_VALF) < wide.upper,
                   "upper is %.9g, not %.17g", (double)gap.upper, wide.upper);
        note_check((double)impact.t <= wide_impact.t && (double)nextafterf(impact.t, 2) > wide_impact.t,
                   "t is %.9g, not %.17g", (double)impact.t, wide_impact.t);
        note_check((double)impact.gap >= wide_impact.gap, "the gap is %.9g, not %.17g", (double)impact.gap,
                   wide_impact.gap);
        note_check(gap.state == wide.state && gap.point_count == wide.point_count && impact.state == wide_impact.state,
                   "other states");
    }
}
#endif

static void memory_may_give_out(void **state) {
    (void)state;
    draw(2);
    const carom_bodies bodies = packed();
    carom_context *context;
    fault_allocator faults;
    carom_context_config config = carom_context_config_default();
    fault_allocator_init(&faults);
    config.allocator = fault_allocator_get(&faults);
    config.threads = 2;
    config.bodies_per_thread = 1;
    assert_int_equal(carom_context_create(&config, &context, NULL), CAROM_OK);
    fault_allocator_fail(&faults, 1, true);
    assert_int_equal(PAIRS(context, &bodies, s.i, s.k, s.count, NULL, wanted.gap, NULL, NULL), CAROM_ERROR_MEMORY);
    fault_allocator_fail(&faults, 0, false);
    assert_int_equal(PAIRS(context, &bodies, s.i, s.k, s.count, NULL, wanted.gap, NULL, NULL), CAROM_OK);
    const uint64_t requests = faults.requests;
    assert_int_equal(PAIRS(context, &bodies, s.i, s.k, s.count, NULL, found.gap, NULL, NULL), CAROM_OK);
    assert_int_equal(faults.requests, requests); /* a second call allocates nothing */
    assert_memory_equal(wanted.gap, found.gap, s.count * sizeof *found.gap);
    carom_context_destroy(context);
    assert_int_equal(faults.live_blocks, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_do_not_depend_on_the_call),
        cmocka_unit_test(bodies_without_shapes_are_spheres),
        cmocka_unit_test(compounds_answer_as_their_children),
        cmocka_unit_test(far_positions_do_not_overflow),
#if CAROM_REAL_BITS == 32
        cmocka_unit_test(floats_round_outward),
#endif
        cmocka_unit_test(states_agree_with_distances),
        cmocka_unit_test(contacts_are_manifolds_of_pairs_that_touch),
        cmocka_unit_test(clearances_are_distances_of_pairs_that_are_apart),
        cmocka_unit_test(memory_may_give_out),
    };
    note_start(CAROM_REAL_BITS == 32 ? "test_pairs_f32" : "test_pairs_f64");
    return cmocka_run_group_tests_name("pairs", tests, make, release);
}
