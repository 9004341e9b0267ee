/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The scenes at the edge of touching of which tests/golden/result_hashes.csv has hashes (tests/matrix/edge_scene.h),
 * against GMP over all pairs of bodies, and repeated in a box against every image of every pair. Guards that what is
 * stored is true, on every instruction set, in units that make floats subnormal or squares infinite, too; and that the
 * scenes are what their head says. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "tests/matrix/edge_scene.h"
#include "tests/oracle/exact.h"
#include "tests/support/any_detect.h"
#include "tests/support/check.h"
#include "tests/support/note.h"
#include "tests/support/periodic_truth.h"
#include "tests/support/random_scene.h"

enum { BODIES = 2000, ISAS_MOST = 8, THREADS = 2, TANGENTS_LEAST = 150, PAIRS_MOST = 64 * BODIES };

/* As the file has it. */
static const int EXPONENTS[] = {0, -149, 100};

/* Least share of the touching pairs that do so at one instant exactly; of those with overlapping boxes that touch, or
 * miss, by no more than NEAR of the distance. */
static const double TANGENT_SHARE = 0.7;
static const double NEAR_SHARE = 0.4;
static const double NEAR = 3e-7;

static random_scene take_scene(char letter, int exponent, double box[3]) {
    carom_scene_f32 made = edge_scene_make(letter, BODIES);
    random_scene scene = random_scene_blank(BODIES);
    for (uint64_t n = 0; n < BODIES; n++) {
        for (int a = 0; a < 3; a++) {
            scene.field[a][n] = ldexp((double)made.prev[a][n], exponent);
            scene.field[a + 3][n] = ldexp((double)made.curr[a][n], exponent);
        }
        scene.field[6][n] = ldexp((double)made.radius[n], exponent);
    }
    for (int a = 0; a < 3; a++) {
        box[a] = made.box[a];
    }
    edge_scene_release(&made);
    return scene;
}

static exact_pair pair_of(const random_scene *scene, uint64_t i, uint64_t k) {
    exact_pair pair;
    for (int a = 0; a < 3; a++) {
        pair.prev[0][a] = scene->field[a][i];
        pair.prev[1][a] = scene->field[a][k];
        pair.curr[0][a] = scene->field[a + 3][i];
        pair.curr[1][a] = scene->field[a + 3][k];
    }
    pair.radius[0] = scene->field[6][i];
    pair.radius[1] = scene->field[6][k];
    return pair;
}

/* What GMP finds of a scene. */
typedef struct judged {
    brute_pairs touching;
    uint64_t tangent[EXACT_WITHIN + 1]; /* by what decides */
    uint64_t near;
} judged;

static judged judge_all(const random_scene *scene) {
    static exact judge; /* not on the stack: the memory sanitizer does not see GMP write to it */
    judged j = {.touching = {.capacity = PAIRS_MOST}};
    j.touching.i = test_calloc(PAIRS_MOST, sizeof *j.touching.i);
    j.touching.k = test_calloc(PAIRS_MOST, sizeof *j.touching.k);
    exact_start(&judge);
    for (uint32_t i = 0; i < BODIES; i++) {
        for (uint32_t k = i + 1; k < BODIES; k++) {
            const exact_pair pair = pair_of(scene, i, k);
            const exact_verdict verdict = exact_decide(&judge, &pair);
            assert_true(j.touching.count < PAIRS_MOST);
            j.touching.i[j.touching.count] = i;
            j.touching.k[j.touching.count] = k;
            j.touching.count += verdict.touches;
            j.tangent[verdict.rule] += verdict.slack == 0;
            j.near += fabs(verdict.slack) <= 2 * NEAR;
        }
    }
    exact_end(&judge);
    return j;
}

static void release_judged(judged *j) {
    test_free(j->touching.i);
    test_free(j->touching.k);
}

static void check_call(const random_scene *scene, const judged *j, any_precision precision, const char *isa) {
    carom_context *context = any_context(THREADS, isa);
    carom_detect_config config = any_config_full();
    any_result r = any_detect(context, precision, &scene->bodies, &config);
    note_check(r.status == CAROM_OK, "%s", r.error.message);
    note_check(r.pair_count == j->touching.count, "%" PRIu64 " pairs, not %" PRIu64, r.pair_count, j->touching.count);
    for (uint64_t n = 0; n < r.pair_count; n++) {
        note_check(r.i[n] == j->touching.i[n] && r.k[n] == j->touching.k[n], "(%u, %u) instead of (%u, %u)", r.i[n],
                   r.k[n], j->touching.i[n], j->touching.k[n]);
    }
    note_check(r.summary.touching_hash == brute_force_hash(&j->touching), "touching_hash is wrong");
    any_result_release(&r);
    carom_context_destroy(context);
}

static void check_scene(char letter, int exponent, const judged *j) {
    const char *isas[ISAS_MOST];
    const size_t count = carom_isa_available(isas, ISAS_MOST);
    double box[3];
    random_scene scene = take_scene(letter, exponent, box);
    for (size_t n = 0; n < 2 * count; n++) {
        const any_precision precision = (any_precision)(n % 2);
        note_case(n, "scene %c, 2^%d, %s, %s", letter, exponent, any_precision_name(precision), isas[n / 2]);
        check_call(&scene, j, precision, isas[n / 2]);
    }
    random_scene_release(&scene);
}

static void print_judged(char letter, uint64_t boxes, const judged *j) {
    printf("# %c: %" PRIu64 " box pairs, %" PRIu64 " touch, tangent at the start %" PRIu64 ", at the end %" PRIu64
           ", within %" PRIu64 ", %" PRIu64 " within %g\n",
           letter, boxes, j->touching.count, j->tangent[EXACT_START], j->tangent[EXACT_END], j->tangent[EXACT_WITHIN],
           j->near, NEAR);
}

static uint64_t count_boxes(const random_scene *scene) {
    brute_pairs boxes = brute_force_box_pairs(&scene->bodies);
    const uint64_t count = boxes.count;
    brute_force_release_pairs(&boxes);
    return count;
}

/* Tangents of each kind; the same pairs touch in every unit. */
static void test_tangent(void **state) {
    (void)state;
    double box[3];
    random_scene scene = take_scene('t', 0, box);
    judged j = judge_all(&scene);
    const uint64_t boxes = count_boxes(&scene);
    const uint64_t *tangent = j.tangent;
    print_judged('t', boxes, &j);
    assert_true(tangent[EXACT_START] >= TANGENTS_LEAST && tangent[EXACT_END] >= TANGENTS_LEAST &&
                tangent[EXACT_WITHIN] >= TANGENTS_LEAST);
    assert_true((double)(tangent[EXACT_START] + tangent[EXACT_END] + tangent[EXACT_WITHIN]) >=
                TANGENT_SHARE * (double)j.touching.count);
    for (size_t n = 0; n < sizeof EXPONENTS / sizeof EXPONENTS[0]; n++) {
        check_scene('t', EXPONENTS[n], &j);
    }
    release_judged(&j);
    random_scene_release(&scene);
}

static void test_near(void **state) {
    (void)state;
    double box[3];
    random_scene scene = take_scene('n', 0, box);
    judged j = judge_all(&scene);
    const uint64_t boxes = count_boxes(&scene);
    print_judged('n', boxes, &j);
    assert_true((double)j.near >= NEAR_SHARE * (double)boxes);
    check_scene('n', 0, &j);
    release_judged(&j);
    random_scene_release(&scene);
}

/* Whole numbers, edges of whole numbers: all images are where exact arithmetic has them. */
static void test_tangent_periodic(void **state) {
    (void)state;
    static int32_t wrap[BODIES][3];
    carom_periodic period = carom_periodic_default();
    double box[3];
    random_scene scene = take_scene('t', 0, box);
    for (int a = 0; a < 3; a++) {
        period.along[a] = true;
        period.edge[a][a] = box[a];
    }
    periodic_truth known = periodic_truth_of(&scene.bodies, (const int32_t(*)[3])wrap, &period);
    const char *isas[ISAS_MOST];
    const size_t count = carom_isa_available(isas, ISAS_MOST);
    carom_detect_config config = any_config_full();
    config.periodic = &period;
    for (size_t n = 0; n < 2 * count; n++) {
        const any_precision precision = (any_precision)(n % 2);
        carom_context *context = any_context(THREADS, isas[n / 2]);
        note_case(n, "scene t, periodic, %s, %s", any_precision_name(precision), isas[n / 2]);
        any_result r = any_detect(context, precision, &scene.bodies, &config);
        periodic_check(&known, precision, false, &r);
        any_result_release(&r);
        carom_context_destroy(context);
    }
    printf("# t, periodic: %" PRIu64 " of %" PRIu64 " box pairs touch\n", known.touching, known.count);
    periodic_truth_release(&known);
    random_scene_release(&scene);
}

int main(void) {
    note_start("tests/oracle/test_edge_scenes");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tangent),
        cmocka_unit_test(test_near),
        cmocka_unit_test(test_tangent_periodic),
    };
    return cmocka_run_group_tests_name("edge scenes", tests, NULL, NULL);
}
