/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Coherent detection of doubles where floats give out, which boxes are made of, against cold detection, step by step.
 * The centre that boxes are relative to moves on with most of the bodies, fat boxes keep the one they were made with:
 * guards that they hold with it whatever boxes from the new one hold, beyond floats' range and below it. */
#include <float.h>
#include <math.h>

#include "tests/prop/stepper_tmpl.h"
#include "tests/prop/world_tmpl.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

enum { STEPS = 30, ROWS = 400, OUTLIERS = 2, DUST = 200, DUSTY_SCENES = 4, DUSTY_SCENES_LONG = 10 };

/* Two rows of bodies go on along x, and with them the centre, midway between the rows. The rest, after them, rest. */
static random_scene make_rows(double row, double way, double radius, uint64_t others) {
    random_scene scene = random_scene_blank(ROWS + others);
    for (uint64_t n = 0; n < ROWS; n++) {
        scene.field[0][n] = n % 2 == 0 ? row : -row;
        scene.field[3][n] = scene.field[0][n] + way;
        scene.field[1][n] = scene.field[4][n] = 4 * radius * (double)n;
        scene.field[6][n] = radius;
    }
    return scene;
}

/* Two on the left are apart: one is beyond floats' range from every centre, the other from the second on, and there no
 * box tells them apart. */
static void place_outliers(double *const field[7], double way) {
    for (int end = 0; end < 6; end += 3) {
        field[end][ROWS] = -0x1p130;
        field[end][ROWS + 1] = way - (double)FLT_MAX;
    }
}

/* Even numbers have lists in every step, whether these pay or not. */
static void check_steps(const random_scene *scene, uint64_t number, carom_random *random) {
    world w = world_make((const double *const *)scene->field, scene->bodies.count, random);
    stepper s = stepper_start(stepper_contexts[number % stepper_context_count],
                              stepper_contexts[(number + 3) % stepper_context_count], number % 2 == 0 ? 8 : 0);
    for (uint32_t step = 0; step < STEPS; step++) {
        note_case(number, "step %u", step);
        bodies_view bodies = world_view(&w);
        stepper_check_step(&s, &bodies);
        world_go_on(&w, 1);
    }
    stepper_stop(&s);
    world_release(&w);
}

/* Fat boxes that serve another centre as well must not be where boxes from that one are beyond floats' range. */
static void test_outliers(void **state) {
    (void)state;
    static const double way = 0x1p112;
    carom_random random = carom_random_seeded(note_case_seed(0));
    random_scene scene = make_rows(0x1p126, way, 1, OUTLIERS);
    place_outliers(scene.field, way);
    check_steps(&scene, 0, &random);
    random_scene_release(&scene);
}

/* Floats are a few steps apart here, the whole scene long: whether boxes overlap depends on where their centre is. */
static void test_dust(void **state) {
    (void)state;
    static const double least = 0x1p-149;
    for (uint64_t number = 0; number < note_cases(note_long() ? DUSTY_SCENES_LONG : DUSTY_SCENES); number++) {
        carom_random random = carom_random_seeded(note_case_seed(number));
        random_scene scene = make_rows(16 * least, least / 8, 0, DUST);
        for (uint64_t n = ROWS; n < ROWS + DUST; n++) {
            scene.field[0][n] = scene.field[3][n] = (carom_random_u01(&random) - 0.5) * 32 * least;
        }
        check_steps(&scene, number, &random);
        random_scene_release(&scene);
    }
}

int main(int argc, char **argv) {
    (void)argc;
    note_start(argv[0]);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_outliers), cmocka_unit_test(test_dust)};
    return cmocka_run_group_tests_name("coherent_range", tests, stepper_contexts_make, stepper_contexts_destroy);
}
