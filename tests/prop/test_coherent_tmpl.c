/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Coherent detection against cold detection, step by step, whatever the bodies do in between. Guards that fat boxes
 * hold what they promise, that no pair is lost or listed twice, that groups and events follow every change, and that
 * the order of the pairs does not depend on threads and instruction set. Compiled once for each precision. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/prop/stepper_tmpl.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

enum { CASES = 700, STEPS = 30, BODIES_MOST = 220, CROWDED_MOST = 50 };
enum { COUPLES = 2000, LEAPS = 20, LEAPING_SCENES = 12 };

/* One value spoilt: the same complaint as from cold detection, and the next step goes on. */
static void check_bad_step(stepper *s, world *w) {
    if (w->count == 0) {
        return;
    }
    const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    uint64_t n = carom_random_next(w->random) % w->count;
    uint64_t f = carom_random_next(w->random) % 7;
    carom_real kept = w->field[f][n];
    w->field[f][n] = (carom_real)(f == 6 && n % 2 == 0 ? -1.0 : bad[n % 3]);
    bodies_view bodies = world_view(w);
    carom_coherent_report report = {0};
    carom_error errors[2];
    detection found = {0};
    const carom_status status = STEP(s->coherent, &bodies, NULL, NULL, &found, &report, &errors[0]);
    assert_int_equal(DETECT(s->cold, &bodies, NULL, NULL, &found, &errors[1]), CAROM_ERROR_BODY);
    note_check(status == CAROM_ERROR_BODY, "a bad body went unnoticed");
    note_check(errors[0].body == errors[1].body && errors[0].field == errors[1].field, "another body is blamed");
    note_check(report.begun == 0 && report.begun_i == NULL, "events of a step that failed");
    w->field[f][n] = kept;
}

static void run_case(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    random_scene_kind kind = (random_scene_kind)(number % RANDOM_KINDS);
    uint64_t most = world_is_crowded(kind) ? CROWDED_MOST : BODIES_MOST;
    uint64_t count = carom_random_next(&random) % (most + 1);
    random_scene scene = random_scene_make(kind, count, true, &random);
    world w = world_make((const double *const *)scene.field, count, &random);
    uint64_t chosen = carom_random_next(&random) % stepper_context_count;
    uint32_t steps_ahead = number % 3 == 0 ? 1 + (uint32_t)(carom_random_next(&random) % 20) : 0;
    stepper s =
        stepper_start(stepper_contexts[chosen], stepper_contexts[(chosen + 3) % stepper_context_count], steps_ahead);
    for (uint32_t step = 0; step < STEPS; step++) {
        change what = carom_random_next(&random) % 3 == 0 ? (change)(carom_random_next(&random) % CHANGES) : SLOW;
        note_case(number, "%s, %" PRIu64 " bodies, step %u, change %d, %s, %u threads, steps ahead %u",
                  random_scene_name(kind), w.count, step, (int)what, carom_context_isa(s.context),
                  carom_context_threads(s.context), steps_ahead);
        world_change(&w, step == 0 ? STAND : what);
        bodies_view bodies = world_view(&w);
        s.approaching = carom_random_next(&random) % 4 == 0;
        stepper_check_step(&s, &bodies);
        if (step % 7 == 3) {
            check_bad_step(&s, &w);
        }
        if (step % 5 == 4) {
            stepper_check_lesser_step(&s, &bodies, carom_random_next(&random));
        }
    }
    stepper_stop(&s);
    world_release(&w);
    random_scene_release(&scene);
}

static void test_random_scenes(void **state) {
    (void)state;
    note_each_case(CASES, run_case);
}

/* Couples of bodies a little apart, far from one another along a line, so that floats are coarse where most of them
 * are: whether the fat boxes of two just overlap is then a matter of rounding. */
static world make_couples(carom_random *random) {
    static const double away = 1000;
    random_scene scene = random_scene_blank(2 * COUPLES);
    for (uint64_t n = 0; n < 2 * COUPLES; n++) {
        const double apart = 10 * 0x1p-53 * (double)(carom_random_next(random) >> 11);
        scene.field[0][n] = away * (double)(n / 2) + (n % 2 == 0 ? 0 : 1 + apart);
        scene.field[3][n] = scene.field[0][n];
        scene.field[6][n] = 0.25;
    }
    world w = world_make((const double *const *)scene.field, 2 * COUPLES, random);
    random_scene_release(&scene);
    return w;
}

/* All go a little way, each its own; a few leap to their partners. */
static void leap(world *w) {
    for (uint64_t n = 0; n < w->count; n++) {
        w->field[0][n] = w->field[3][n];
        w->field[3][n] += (carom_real)(n % 5) / 1024;
    }
    for (int n = 0; n < LEAPS; n++) {
        const uint64_t who = carom_random_next(w->random) % w->count;
        w->field[3][who] = w->field[0][who ^ 1];
    }
}

/* A body that leaves its fat box gets all the pairs of its new one, those besides whose fat boxes had just met, or just
 * not.
 */
static void test_leaps(void **state) {
    (void)state;
    for (uint64_t number = 0; number < note_cases(LEAPING_SCENES); number++) {
        carom_random random = carom_random_seeded(note_case_seed(number));
        world w = make_couples(&random);
        stepper s = stepper_start(stepper_contexts[number % stepper_context_count],
                                  stepper_contexts[(number + 3) % stepper_context_count], 24);
        uint64_t escapes = 0;
        for (uint32_t step = 0; step < STEPS; step++) {
            note_case(number, "leaps, step %u", step);
            bodies_view bodies = world_view(&w);
            escapes += stepper_check_step(&s, &bodies).escapes;
            leap(&w);
        }
        note_check(escapes > STEPS, "only %" PRIu64 " bodies left their fat boxes", escapes);
        stepper_stop(&s);
        world_release(&w);
    }
}

static void run_standard_scene(char letter, double scale, uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    carom_scene_f32 scene;
    carom_scene_motion motion;
    uint64_t rebuilds = 0;
    assert_int_equal(carom_scene_make(letter, 3000, 1, &scene), CAROM_OK);
    assert_int_equal(carom_scene_motion_start(letter, scale, &scene, &motion), CAROM_OK);
    stepper s = stepper_start(stepper_contexts[number % stepper_context_count],
                              stepper_contexts[(number + 3) % stepper_context_count], 0);
    for (uint32_t step = 0; step < STEPS; step++) {
        note_case(number, "scene %c times %g, step %u, %s, %u threads", letter, scale, step,
                  carom_context_isa(s.context), carom_context_threads(s.context));
        world w = world_of_scene(&scene, &random);
        bodies_view bodies = world_view(&w);
        carom_coherent_report report = stepper_check_step(&s, &bodies);
        note_check(report.rebuilt == (report.rebuilds > rebuilds), "rebuilds miscounted");
        rebuilds = report.rebuilds;
        world_release(&w);
        carom_scene_motion_step(&motion, &scene);
    }
    note_check(scale != 0 || rebuilds == 1, "%" PRIu64 " rebuilds of a scene at rest", rebuilds);
    note_check(scale != 0.05 || rebuilds <= STEPS / 5, "%" PRIu64 " rebuilds of a slow scene", rebuilds);
    stepper_stop(&s);
    carom_scene_motion_end(&motion);
    carom_scene_release(&scene);
}

static void test_standard_scenes(void **state) {
    (void)state;
    static const double scales[] = {0, 0.05, 0.3, 1};
    uint64_t number = 0;
    for (const char *letter = carom_scene_letters(); *letter != '\0'; letter++) {
        for (size_t n = 0; n < 4; n++, number++) {
            run_standard_scene(*letter, scales[n], number);
        }
    }
}

/* Two of them side by side: without sort_pairs rows come in the list's own order, the same for both. */
static void test_order_of_rows(void **state) {
    (void)state;
    carom_random random = carom_random_seeded(note_case_seed(0));
    carom_scene_f32 scene;
    carom_scene_motion motion;
    assert_int_equal(carom_scene_make('u', 4000, 1, &scene), CAROM_OK);
    assert_int_equal(carom_scene_motion_start('u', 0.1, &scene, &motion), CAROM_OK);
    coherent *each[STEPPER_CONTEXTS_MOST];
    for (uint64_t c = 0; c < stepper_context_count; c++) {
        assert_int_equal(CREATE(stepper_contexts[c], NULL, &each[c], NULL), CAROM_OK);
    }
    for (uint32_t step = 0; step < STEPS; step++) {
        world w = world_of_scene(&scene, &random);
        bodies_view bodies = world_view(&w);
        detection first = {0};
        for (uint64_t c = 0; c < stepper_context_count; c++) {
            detection found = {0};
            note_case(step, "%s, %u threads", carom_context_isa(stepper_contexts[c]),
                      carom_context_threads(stepper_contexts[c]));
            assert_int_equal(STEP(each[c], &bodies, NULL, NULL, &found, NULL, NULL), CAROM_OK);
            first = c == 0 ? found : first;
            stepper_check_same(&found, &first, bodies.count);
        }
        world_release(&w);
        carom_scene_motion_step(&motion, &scene);
    }
    for (uint64_t c = 0; c < stepper_context_count; c++) {
        DESTROY(each[c]);
    }
    carom_scene_motion_end(&motion);
    carom_scene_release(&scene);
}

static void test_arguments(void **state) {
    (void)state;
    carom_coherent_config config = carom_coherent_config_default();
    coherent *made = (coherent *)(uintptr_t)8;
    carom_error error;
    detection found = {0};
    bodies_view none = {.count = 0};
    assert_int_equal(CREATE(NULL, NULL, &made, &error), CAROM_ERROR_ARGUMENT);
    assert_null(made);
    assert_int_equal(CREATE(stepper_contexts[0], NULL, NULL, &error), CAROM_ERROR_ARGUMENT);
    config.size = 3;
    assert_int_equal(CREATE(stepper_contexts[0], &config, &made, &error), CAROM_ERROR_ARGUMENT);
    config = carom_coherent_config_default();
    config.steps_ahead = CAROM_STEPS_AHEAD_MAX + 1;
    assert_int_equal(CREATE(stepper_contexts[0], &config, &made, &error), CAROM_ERROR_ARGUMENT);
    assert_int_equal(CREATE(stepper_contexts[0], NULL, &made, NULL), CAROM_OK);
    assert_int_equal(STEP(NULL, &none, NULL, NULL, &found, NULL, &error), CAROM_ERROR_ARGUMENT);
    assert_int_equal(STEP(made, NULL, NULL, NULL, &found, NULL, &error), CAROM_ERROR_ARGUMENT);
    assert_int_equal(STEP(made, &none, NULL, NULL, NULL, NULL, &error), CAROM_ERROR_ARGUMENT);
    none.count = 1;
    assert_int_equal(STEP(made, &none, NULL, NULL, &found, NULL, &error), CAROM_ERROR_ARGUMENT);
    none.count = 0;
    found.size = 8;
    assert_int_equal(STEP(made, &none, NULL, NULL, &found, NULL, &error), CAROM_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "carom_detection_f"));
    found.size = sizeof found;
    carom_coherent_report report = {.size = 8};
    assert_int_equal(STEP(made, &none, NULL, NULL, &found, &report, &error), CAROM_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "carom_coherent_report.size"));
    assert_int_equal(STEP(made, &none, NULL, NULL, &found, NULL, &error), CAROM_OK);
    assert_int_equal(found.summary.touching_pairs, 0);
    RESET(made);
    RESET(NULL);
    DESTROY(made);
    DESTROY(NULL);
}

int main(int argc, char **argv) {
    (void)argc;
    note_start(argv[0]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arguments),     cmocka_unit_test(test_standard_scenes),
        cmocka_unit_test(test_random_scenes), cmocka_unit_test(test_order_of_rows),
        cmocka_unit_test(test_leaps),
    };
    return cmocka_run_group_tests_name("coherent", tests, stepper_contexts_make, stepper_contexts_destroy);
}
