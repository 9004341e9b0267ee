/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Contacts of approaching pairs of shapes alone: random scenes of every family and motion against the formula of
 * carom/detect.h, and pairs by hand. Guards that exactly the pairs that approach are left, in counts, rows, lists,
 * groups, hashes and a sink, with the rows that they have otherwise, for every instruction set and number of threads.
 * Compiled once for each precision. */
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "tests/prop/shape_approach.h"
#include "tests/prop/shape_scene_tmpl.h"
#include "tests/support/check.h"
#include "tests/support/isa_contexts.h"
#include "tests/support/note.h"

enum { CASES = 2 * FAMILIES * MOTIONS, BODIES_MOST = 90, FIELDS = 17, METHODS = CAROM_METHOD_SHARED + 1 };
enum { CURR = 3, PREV_TURN = 6, CURR_TURN = 10, SPIN = 14 };

typedef CAROM_REAL(carom_detection) detection;
typedef CAROM_REAL(carom_detect_output) detect_output;
typedef CAROM_REAL(carom_block) block;
#define DETECT CAROM_REAL(carom_detect)

static uint64_t all_touching;
static uint64_t all_approaching;

static int make_contexts(void **state) {
    static const uint32_t threads[] = {1, 2, 8};
    (void)state;
    return isa_contexts_make(threads, sizeof threads / sizeof threads[0]);
}

static carom_detect_config full_config(const shape_scene *scene) {
    carom_detect_config config = any_config_full();
    config.neighbours = CAROM_NEIGHBOURS_FULL;
    config.margin = scene->margin;
    config.tolerance = scene->tolerance;
    return config;
}

static any_result run(carom_context *context, const shape_scene *scene, const carom_detect_config *config) {
    const any_bodies bodies = shape_scene_any(scene);
    any_result result = any_detect_bodies(context, &bodies, config, NULL);
    note_check(result.status == CAROM_OK, "detection fails: %s", result.error.message);
    return result;
}

/* Two bodies in double: answers for floats are rounded. */
static bool two_approach(const shape_scene *scene, uint32_t i, uint32_t k) {
    static const uint32_t first = 0;
    static const uint32_t second = 1;
    const carom_bodies *from = &scene->bodies;
    const uint32_t shape[2] = {scene->shape[i], scene->shape[k]};
    double field[FIELDS][2];
    carom_bodies_f64 two = {.size = sizeof two, .count = 2, .shapes = from->shapes, .shape = shape};
    carom_toi_config config = carom_toi_config_default();
    carom_toi_f64 impact;
    carom_error error;
    for (int f = 0; f < FIELDS; f++) {
        field[f][0] = (double)scene->field[f][i];
        field[f][1] = (double)scene->field[f][k];
    }
    for (int a = 0; a < 4; a++) {
        if (a < 3) {
            two.prev[a] = field[a];
            two.curr[a] = from->curr[a] != NULL ? field[CURR + a] : NULL;
            two.spin[a] = from->spin[a] != NULL ? field[SPIN + a] : NULL;
        }
        two.prev_turn[a] = from->prev_turn[a] != NULL ? field[PREV_TURN + a] : NULL;
        two.curr_turn[a] = from->curr_turn[a] != NULL ? field[CURR_TURN + a] : NULL;
    }
    config.margin = scene->margin;
    config.tolerance = scene->tolerance > 0.0 ? scene->tolerance : CAROM_REAL_BITS == 32 ? 1e-4 : 1e-9;
    const carom_status status =
        carom_toi_pairs_f64(isa_contexts[0], &two, &first, &second, 1, &config, &impact, &error);
    note_check(status == CAROM_OK, "no time of impact: %s", error.message);
    return shape_approaches(&two, &impact);
}

/* Of a call's rows those that the formula leaves, in order; `row` receives their numbers. */
static brute_pairs pick_approaching(const shape_scene *scene, const any_result *all, uint64_t *row) {
    brute_pairs left = {0};
    left.i = calloc(all->pair_count + 1, sizeof *left.i);
    left.k = calloc(all->pair_count + 1, sizeof *left.k);
    for (uint64_t n = 0; n < all->pair_count; n++) {
        const bool rest = shape_scene_rests(scene, all->i[n]) && shape_scene_rests(scene, all->k[n]);
        if (!rest && two_approach(scene, all->i[n], all->k[n])) {
            left.i[left.count] = all->i[n];
            left.k[left.count] = all->k[n];
            row[left.count++] = n;
        }
    }
    return left;
}

static void check_rows(const any_result *all, const any_result *r, const brute_pairs *wanted, const uint64_t *row) {
    note_check(r->pair_count == wanted->count && r->summary.touching_pairs == wanted->count,
               "%" PRIu64 " rows, %" PRIu64 " pairs, not %" PRIu64, r->pair_count, r->summary.touching_pairs,
               wanted->count);
    for (uint64_t n = 0; n < wanted->count; n++) {
        note_check(r->i[n] == wanted->i[n] && r->k[n] == wanted->k[n], "row %" PRIu64 " is (%u, %u), not (%u, %u)", n,
                   r->i[n], r->k[n], wanted->i[n], wanted->k[n]);
        for (int f = 0; f < ANY_FIELDS; f++) {
            note_check(r->field[f][n] == all->field[f][row[n]], "another row of (%u, %u)", r->i[n], r->k[n]);
        }
    }
    note_check(r->summary.box_pairs == all->summary.box_pairs, "other pairs of boxes");
    note_check(r->summary.touching_hash == brute_force_hash(wanted), "touching_hash");
    note_check(r->bodies == 0 || r->neighbour_offset[r->bodies] == 2 * wanted->count, "neighbour lists");
}

static void check_groups(const any_result *r, const brute_pairs *wanted) {
    brute_groups groups = brute_force_groups(r->bodies, wanted);
    note_check(r->group_count == groups.count, "%" PRIu64 " groups, not %" PRIu64, r->group_count, groups.count);
    for (uint64_t n = 0; n < r->bodies; n++) {
        note_check(r->label[n] == groups.label[n], "label of body %" PRIu64, n);
    }
    brute_force_release_groups(&groups);
}

static bool count_rows(void *user, const block *rows) {
    _Atomic uint64_t *count = user;
    atomic_fetch_add(count, rows->count);
    return true;
}

/* A sink gets the same rows, and counting finds as many. */
static void check_consumers(carom_context *context, const shape_scene *scene, const any_result *r) {
    _Atomic uint64_t sunk = 0;
    detect_output output = {.size = sizeof output, .sink = count_rows, .sink_user = &sunk};
    detection found = {.size = sizeof found};
    carom_detect_config config = carom_detect_config_default();
    carom_error error;
    config.hash = true;
    config.approaching = true;
    config.margin = scene->margin;
    config.tolerance = scene->tolerance;
    carom_status status = DETECT(context, &scene->bodies, &config, &output, &found, &error);
    note_check(status == CAROM_OK && sunk == r->pair_count && found.summary.result_hash == r->summary.result_hash,
               "a sink gets %" PRIu64 " rows of %" PRIu64, (uint64_t)sunk, r->pair_count);
    config.count_only = true;
    status = DETECT(context, &scene->bodies, &config, NULL, &found, &error);
    note_check(status == CAROM_OK && found.summary.touching_pairs == r->pair_count &&
                   found.summary.groups == r->summary.groups,
               "%" PRIu64 " pairs are counted, not %" PRIu64, found.summary.touching_pairs, r->pair_count);
}

static void check_scene(const shape_scene *scene, carom_random *random) {
    carom_detect_config config = full_config(scene);
    any_result all = run(isa_contexts[0], scene, &config);
    uint64_t *row = calloc(all.pair_count + 1, sizeof *row);
    brute_pairs wanted = pick_approaching(scene, &all, row);
    config.approaching = true;
    any_result first = run(isa_contexts[0], scene, &config);
    check_rows(&all, &first, &wanted, row);
    check_groups(&first, &wanted);
    for (uint64_t c = 1; c < isa_context_count; c++) {
        config.method = (carom_method)(carom_random_next(random) % METHODS);
        any_result other = run(isa_contexts[c], scene, &config);
        note_check(any_result_same(&first, &other), "%s, %u threads: another result",
                   carom_context_isa(isa_contexts[c]), carom_context_threads(isa_contexts[c]));
        any_result_release(&other);
    }
    check_consumers(isa_contexts[carom_random_next(random) % isa_context_count], scene, &first);
    if (scene->motion != MOTION_REST) {
        all_touching += all.pair_count;
        all_approaching += wanted.count;
    }
    any_result_release(&first);
    any_result_release(&all);
    brute_force_release_pairs(&wanted);
    free(row);
}

static void run_case(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const uint64_t count = carom_random_next(&random) % BODIES_MOST;
    shape_scene scene =
        shape_scene_make((shape_family)(number % FAMILIES), (shape_motion)(number % MOTIONS), count, &random);
    scene.margin = number % 7 < 2 ? 0.3 * carom_random_u01(&random) : 0.0;
    scene.tolerance = number % 11 < 4 ? ldexp(1.0, -8 - (int)(number % 4) * 7) : 0.0;
    note_case(number, "%s, %" PRIu64 " bodies, margin %g, tolerance %g", shape_scene_name(&scene), count, scene.margin,
              scene.tolerance);
    check_scene(&scene, &random);
    shape_scene_release(&scene);
}

static void test_random_scenes(void **state) {
    (void)state;
    all_touching = 0;
    all_approaching = 0;
    note_each_case(CASES, run_case);
    note_check(note_only_case() != UINT64_MAX ||
                   (all_approaching > all_touching / 10 && all_approaching < all_touching * 9 / 10),
               "%" PRIu64 " of %" PRIu64 " pairs approach: the test is empty", all_approaching, all_touching);
}

/* Two bodies by hand. What is 0 is at rest at the origin, unturned. */
typedef struct by_hand {
    const char *what;
    int shape[2];
    double at[2][3];
    double move[2][3];
    double spin[2][3];
    bool approaches;
} by_hand;

enum { CUBE, ROD, BALL, DUMBBELL, SHAPES };

/* Cubes have edges of 2, a rod reaches from -2 to 2 along x, a dumbbell has balls at its ends. */
static carom_shapes *make_table(void) {
    const carom_shape_child child[2] = {{.shape = BALL, .at = {-2, 0, 0}, .turn = {0, 0, 0, 1}},
                                        {.shape = BALL, .at = {2, 0, 0}, .turn = {0, 0, 0, 1}}};
    const carom_shape shape[SHAPES] = {
        [CUBE] = {.kind = CAROM_SHAPE_BOX, .extent = {1, 1, 1}},
        [ROD] = {.kind = CAROM_SHAPE_BOX, .extent = {2, 0.125, 0.125}},
        [BALL] = {.kind = CAROM_SHAPE_SPHERE, .radius = 1},
        [DUMBBELL] = {.kind = CAROM_SHAPE_COMPOUND, .child = child, .child_count = 2},
    };
    carom_shapes *table = NULL;
    carom_error error;
    note_check(carom_shapes_create(shape, SHAPES, NULL, &table, &error) == CAROM_OK, "no table: %s", error.message);
    return table;
}

static const by_hand pairs[] = {
    {"cubes that separate", {CUBE, CUBE}, {{0}, {1.75, 0.5, 0}}, {{-1, 0, 0}, {1, 0, 0}}, {{0}}, false},
    {"cubes that approach", {CUBE, CUBE}, {{0}, {1.75, 0.5, 0}}, {{0}, {-0.25, 0, 0}}, {{0}}, true},
    {"cubes that slide", {CUBE, CUBE}, {{0}, {1.75, 0.5, 0}}, {{0, 3, 0}, {0, -1, 2}}, {{0}}, false},
    {"cubes that move as one", {CUBE, CUBE}, {{0}, {1.75, 0, 0}}, {{-3, 0.1, 1}, {-3, 0.1, 1}}, {{0}}, false},
    {"cubes that rest", {CUBE, CUBE}, {{0}, {1.75, 0, 0}}, {{0}}, {{0}}, false},
    {"one follows faster", {CUBE, CUBE}, {{0}, {1.75, 0, 0}}, {{2, 0, 0}, {1, 0, 0}}, {{0}}, true},
    {"one follows slower", {CUBE, CUBE}, {{0}, {1.75, 0, 0}}, {{1, 0, 0}, {2, 0, 0}}, {{0}}, false},
    {"faces that just touch part", {CUBE, CUBE}, {{0}, {2, 0, 0}}, {{0}, {1, 0, 0}}, {{0}}, false},
    {"faces that just touch press", {CUBE, CUBE}, {{0}, {2, 0, 0}}, {{0}, {-1, 0, 0}}, {{0}}, true},
    {"cubes apart meet", {CUBE, CUBE}, {{0}, {4, 0, 0}}, {{0}, {-3, 0, 0}}, {{0}}, true},
    {"a rod's end goes down", {ROD, CUBE}, {{0}, {2.5, -1, 0}}, {{0}}, {{0, 0, -0.5}}, true},
    {"a rod's end goes up", {ROD, CUBE}, {{0}, {2.5, -1, 0}}, {{0}}, {{0, 0, 0.5}}, false},
    {"a wall, and a rod's end", {CUBE, ROD}, {{2.5, -1, 0}, {0}}, {{0}}, {{0}, {0, 0, -0.5}}, true},
    {"a wall, and its other end", {CUBE, ROD}, {{-2.5, -1, 0}, {0}}, {{0}}, {{0}, {0, 0, -0.5}}, false},
    {"a wall that goes slower", {ROD, CUBE}, {{0}, {2.5, -1, 0}}, {{0}, {0, -0.5, 0}}, {{0, 0, -0.5}}, true},
    {"a wall that goes faster", {ROD, CUBE}, {{0}, {2.5, -1, 0}}, {{0}, {0, -1.5, 0}}, {{0, 0, -0.5}}, false},
    {"balls that spin in place", {BALL, BALL}, {{0}, {1, 0.5, 0.25}}, {{0}}, {{3, 1, 7}, {-2, 0.1, 5}}, false},
    {"a cube that spins on another", {CUBE, CUBE}, {{0}, {0, 0, 2}}, {{0}}, {{0}, {0, 0, 1}}, false},
    {"a dumbbell's ball goes down", {DUMBBELL, CUBE}, {{0}, {2, -1.75, 0}}, {{0}}, {{0, 0, -0.5}}, true},
    {"a dumbbell's ball goes up", {DUMBBELL, CUBE}, {{0}, {2, -1.75, 0}}, {{0}}, {{0, 0, 0.5}}, false},
    {"a spin that nobody knows", {CUBE, CUBE}, {{0}, {1.75, 0, 0}}, {{0}, {1, 0, 0}}, {{0, 0, 0x1p60}}, true},
};

enum { SPUN, TURNED, BOXED, WAYS };

/* The half of an angle as a quaternion about the vector's axis. */
static void set_turn(const double spin[3], carom_real field[FIELDS][2], int body) {
    const double angle = sqrt(spin[0] * spin[0] + spin[1] * spin[1] + spin[2] * spin[2]);
    for (int a = 0; a < 3; a++) {
        field[CURR_TURN + a][body] = (carom_real)(angle > 0.0 ? sin(0.5 * angle) * spin[a] / angle : 0.0);
    }
    field[CURR_TURN + 3][body] = (carom_real)cos(0.5 * angle);
}

/* Rotations as spins or by their ends; or in a periodic box, body 1 three edges away. */
static uint64_t count_pairs(const by_hand *pair, carom_shapes *shapes, int way, carom_context *context) {
    carom_real field[FIELDS][2];
    const uint32_t shape[2] = {(uint32_t)pair->shape[0], (uint32_t)pair->shape[1]};
    carom_bodies bodies = {.size = sizeof bodies, .count = 2, .shapes = shapes, .shape = shape};
    carom_periodic box = carom_periodic_default();
    carom_detect_config config = carom_detect_config_default();
    detection found = {.size = sizeof found};
    carom_error error;
    memset(field, 0, sizeof field);
    for (int body = 0; body < 2; body++) {
        for (int a = 0; a < 3; a++) {
            box.along[a] = true;
            box.edge[a][a] = 16.0;
            const double away = way == BOXED && body == 1 ? 48.0 : 0.0;
            field[a][body] = (carom_real)(pair->at[body][a] + away);
            field[CURR + a][body] = (carom_real)(pair->at[body][a] + away + pair->move[body][a]);
            field[SPIN + a][body] = (carom_real)pair->spin[body][a];
            bodies.prev[a] = field[a];
            bodies.curr[a] = field[CURR + a];
            bodies.spin[a] = way != TURNED ? field[SPIN + a] : NULL;
        }
        field[PREV_TURN + 3][body] = 1;
        set_turn(pair->spin[body], field, body);
    }
    for (int a = 0; a < 4; a++) {
        bodies.prev_turn[a] = field[PREV_TURN + a];
        bodies.curr_turn[a] = way == TURNED ? field[CURR_TURN + a] : NULL;
    }
    config.approaching = true;
    config.periodic = way == BOXED ? &box : NULL;
    const carom_status status = DETECT(context, &bodies, &config, NULL, &found, &error);
    note_check(status == CAROM_OK && found.summary.box_pairs > 0 && found.pair_count == found.summary.touching_pairs,
               "%s: %s", pair->what, error.message);
    return found.summary.touching_pairs;
}

static bool is_slow(const by_hand *pair) {
    bool slow = true;
    for (int a = 0; a < 3; a++) {
        slow = slow && fabs(pair->spin[0][a]) < 2.0 && fabs(pair->spin[1][a]) < 2.0;
    }
    return slow;
}

static void test_pairs_by_hand(void **state) {
    (void)state;
    carom_shapes *shapes = make_table();
    for (uint64_t n = 0; n < sizeof pairs / sizeof pairs[0]; n++) {
        for (int way = 0; way < WAYS; way++) {
            if (way == TURNED && !is_slow(&pairs[n])) {
                continue; /* the ends of fast spins say another thing */
            }
            note_case(n, "%s, way %d", pairs[n].what, way);
            for (uint64_t c = 0; c < isa_context_count; c++) {
                const uint64_t count = count_pairs(&pairs[n], shapes, way, isa_contexts[c]);
                note_check(count == (pairs[n].approaches ? 1 : 0), "%" PRIu64 " pairs approach", count);
            }
        }
    }
    carom_shapes_destroy(shapes);
}

/* Of bodies whose difference overflows nothing is known: they count. Of three at the end of the range one stays, one
 * comes and one leaves it. */
static void test_extremes(void **state) {
    (void)state;
    const carom_real most = CAROM_REAL_BITS == 32 ? (carom_real)3.4e38 : (carom_real)1.7e308;
    const carom_shape cube = {.kind = CAROM_SHAPE_BOX, .extent = {1e38, 1e38, 1e38}};
    carom_shapes *shapes = NULL;
    carom_error error;
    assert_int_equal(carom_shapes_create(&cube, 1, NULL, &shapes, &error), CAROM_OK);
    const carom_real prev[3] = {most, -most, most};
    const carom_real zero[3] = {0, 0, 0};
    const carom_real curr[3] = {most, most, -most};
    const carom_bodies bodies = {
        .size = sizeof bodies, .count = 3, .prev = {prev, zero, zero}, .curr = {curr, zero, zero}, .shapes = shapes};
    const shape_scene scene = {.motion = MOTION_LINEAR, .bodies = bodies};
    carom_detect_config config = full_config(&scene);
    config.approaching = true;
    any_result r = run(isa_contexts[0], &scene, &config);
    note_check(r.pair_count == 3 || (CAROM_REAL_BITS == 32 && r.pair_count == 2), "%" PRIu64 " pairs", r.pair_count);
    any_result_release(&r);
    carom_shapes_destroy(shapes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_scenes),
        cmocka_unit_test(test_pairs_by_hand),
        cmocka_unit_test(test_extremes),
    };
    note_start("test_approaching_shapes");
    return cmocka_run_group_tests(tests, make_contexts, isa_contexts_destroy);
}
