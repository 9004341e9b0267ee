/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Coherent detection in periodic boxes against cold detection, step by step: boxes of any tilt, repeated along one to
 * three axes, bodies that cross faces, and callers who move bodies by whole edges or do not. Guards that a pair has the
 * bits of cold detection whichever image the list has it by, and that no image is missing. Compiled once for each
 * precision. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernel/periodic/lattice.h"
#include "tests/prop/stepper_tmpl.h"
#include "tests/support/check.h"
#include "tests/support/note.h"
#include "tests/support/periodic_case.h"

enum { CASES = 500, STEPS = 40, BODIES_MOST = 160, LONG_STEPS = 200, LONG_BODIES = 3000 };

/* What all cases have done, so that none of it is left out. */
static struct done {
    uint64_t followed; /* steps with a list of an earlier step */
    uint64_t cold;
    uint64_t escapes;
    uint64_t moved; /* bodies whose caller moved them by whole edges before such a step */
} done;

/* Bodies in a box, and how their caller treats those that leave it. */
typedef struct gas {
    world w;
    carom_periodic box;
    bool wraps;
} gas;

static double unit(gas *g) {
    return carom_random_u01(g->w.random);
}

/* Anywhere in the box, going anywhere. */
static void place(gas *g, double speed, double radius) {
    for (uint64_t n = 0; n < g->w.count; n++) {
        double at[3] = {0.0, 0.0, 0.0};
        for (int a = 0; a < 3; a++) {
            const double share = unit(g);
            for (int j = 0; j < 3; j++) {
                at[j] += share * (g->box.along[a] ? g->box.edge[a][j] : j == a ? 6.0 : 0.0);
            }
        }
        for (int j = 0; j < 3; j++) {
            g->w.field[j][n] = (carom_real)at[j];
            g->w.field[j + 3][n] = (carom_real)(at[j] + speed * (2.0 * unit(g) - 1.0));
        }
        g->w.field[6][n] = (carom_real)(radius * (0.2 + 0.8 * unit(g)));
    }
}

static void move_by_edge(gas *g, uint64_t n, int a, double times) {
    for (int j = 0; j < 3; j++) {
        g->w.field[j][n] += (carom_real)(times * g->box.edge[a][j]);
        g->w.field[j + 3][n] += (carom_real)(times * g->box.edge[a][j]);
    }
}

/* As molecular dynamics does it, axis by axis, or any body at any time. */
static void move_by_edges(gas *g) {
    for (uint64_t n = 0; n < g->w.count; n++) {
        for (int a = 0; a < 3; a++) {
            const double at = (double)g->w.field[a][n];
            const double side = g->box.edge[a][a];
            const bool leaves = side > 0.0 && (at < 0.0 || at >= side);
            if (g->box.along[a] && (leaves || unit(g) < 0.01)) {
                move_by_edge(g, n, a, leaves ? -floor(at / side) : unit(g) < 0.5 ? -1.0 : 2.0);
                done.moved++;
            }
        }
    }
}

static gas gas_make(carom_random *random, uint64_t number, uint64_t count) {
    gas g = {.box = carom_periodic_default(), .wraps = number % 2 == 0};
    random_scene blank = random_scene_blank(count);
    g.w = world_make((const double *const *)blank.field, count, random);
    random_scene_release(&blank);
    const uint32_t axes = 1 + periodic_case_below(random, 7);
    for (int a = 0; a < 3; a++) {
        g.box.along[a] = (axes >> a & 1U) != 0;
    }
    periodic_case_edges(random, (uint32_t)(number % PERIODIC_TILTS), number % 5 == 0 ? 3.0 : 8.0, g.box.edge);
    return g;
}

/* The same complaint as from cold detection, and the next step goes on. */
static void check_bad_step(stepper *s, gas *g) {
    if (g->w.count == 0) {
        return;
    }
    const double bad[] = {(double)NAN, (double)INFINITY, 1e30, 100.0};
    const uint64_t n = carom_random_next(g->w.random) % g->w.count;
    const uint64_t which = carom_random_next(g->w.random) % 4;
    const uint64_t f = which == 3 ? 6 : carom_random_next(g->w.random) % 3;
    const carom_real kept = g->w.field[f][n];
    g->w.field[f][n] = (carom_real)bad[which];
    const bodies_view bodies = world_view(&g->w);
    carom_detect_config config = stepper_config();
    carom_coherent_report report = {0};
    carom_error errors[2];
    detection found = {0};
    config.periodic = s->periodic;
    const carom_status status = STEP(s->coherent, &bodies, &config, NULL, &found, &report, &errors[0]);
    const carom_status expected = DETECT(s->cold, &bodies, &config, NULL, &found, &errors[1]);
    note_check(status == expected, "status %d, not %d", (int)status, (int)expected);
    if (expected == CAROM_ERROR_BODY) {
        note_check(errors[0].body == errors[1].body && errors[0].field == errors[1].field, "another body is blamed");
        note_check(report.begun == 0 && report.begun_i == NULL, "events of a step that failed");
    } else if (expected == CAROM_OK) {
        stepper_forget(s, &found);
    }
    g->w.field[f][n] = kept;
}

static void change_bodies(gas *g, uint32_t step) {
    const bool calm = carom_random_next(g->w.random) % 4 != 0;
    const change what = (change)(carom_random_next(g->w.random) % CHANGES);
    const bool grows = what == GROW_SOME; /* in a small box a body soon is too large */
    world_change(&g->w, step == 0 ? STAND : calm || grows ? GO_ON : what);
    if (g->wraps) {
        move_by_edges(g);
    }
}

static void run_step(stepper *s, gas *g, uint32_t step) {
    const bodies_view bodies = world_view(&g->w);
    s->approaching = step % 9 > 5;
    const carom_coherent_report report = stepper_check_step(s, &bodies);
    done.followed += !report.cold && !report.rebuilt;
    done.cold += report.cold;
    done.escapes += report.escapes;
    if (step % 11 == 7) {
        check_bad_step(s, g);
    }
    if (step % 9 == 5) {
        stepper_check_lesser_step(s, &bodies, carom_random_next(g->w.random));
    }
}

static void run_case(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    const uint64_t count = carom_random_next(&random) % (BODIES_MOST + 1);
    gas g = gas_make(&random, number, count);
    const uint64_t chosen = carom_random_next(&random) % stepper_context_count;
    const uint32_t ahead = number % 3 != 0 ? 1 + periodic_case_below(&random, 20) : 0;
    const double speed = 0.02 * (double)(1 + periodic_case_below(&random, 8));
    carom_lattice lattice;
    assert_int_equal(carom_lattice_make(&g.box, &lattice, NULL), CAROM_OK);
    place(&g, speed, fmin(number % 7 == 0 ? 1.4 : 0.5, 0.45 * lattice.shortest));
    stepper s = stepper_start(stepper_contexts[chosen], stepper_contexts[(chosen + 3) % stepper_context_count], ahead);
    s.periodic = &g.box;
    for (uint32_t step = 0; step < STEPS; step++) {
        note_case(number, "%" PRIu64 " bodies, step %u, %s, %u threads, steps ahead %u", g.w.count, step,
                  carom_context_isa(s.context), carom_context_threads(s.context), ahead);
        if (step % 17 == 16) {
            g.box.edge[0][0] *= 1.0625; /* another box; the bodies stay */
        }
        change_bodies(&g, step);
        run_step(&s, &g, step);
    }
    stepper_stop(&s);
    world_release(&g.w);
}

static void test_random_boxes(void **state) {
    (void)state;
    note_each_case(CASES, run_case);
    printf("%" PRIu64 " steps with a list, %" PRIu64 " cold, %" PRIu64 " escapes, %" PRIu64 " bodies moved by edges\n",
           done.followed, done.cold, done.escapes, done.moved);
    assert_true(note_only_case() != UINT64_MAX || (done.followed > 0 && done.escapes > 0 && done.moved > 0));
}

/* Two hundred steps of a gas in a box with right angles and in a tilted one, whose bodies stay in it or fly on. */
static void run_long(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    gas g = gas_make(&random, number, LONG_BODIES);
    const double side = 24.0;
    const double tilt = number < 2 ? 0.0 : 7.0;
    const double edge[3][3] = {{side, 0.0, 0.0}, {tilt, side, 0.0}, {-tilt, tilt, side}};
    memcpy(g.box.edge, edge, sizeof edge);
    g.box.along[0] = g.box.along[1] = g.box.along[2] = true;
    place(&g, 0.04, 0.5);
    stepper s = stepper_start(stepper_contexts[number], stepper_contexts[number + 1], 0);
    s.periodic = &g.box;
    uint64_t followed = 0;
    for (uint32_t step = 0; step < LONG_STEPS; step++) {
        note_case(number, "step %u", step);
        world_go_on(&g.w, 1.0);
        if (g.wraps) {
            move_by_edges(&g);
        }
        const bodies_view bodies = world_view(&g.w);
        const carom_coherent_report report = stepper_check_step(&s, &bodies);
        followed += !report.cold && !report.rebuilt;
    }
    note_check(followed > LONG_STEPS / 2, "only %" PRIu64 " steps followed a list", followed);
    stepper_stop(&s);
    world_release(&g.w);
}

static void test_long_runs(void **state) {
    (void)state;
    for (uint64_t number = 0; number < 4; number++) {
        run_long(number);
    }
}

/* Few bodies in a box along x, step by step against cold detection. */
static void check_steps(double edge, uint64_t count, const double (*steps)[7], uint64_t step_count, uint32_t ahead) {
    carom_random random = carom_random_seeded(1);
    random_scene blank = random_scene_blank(count);
    gas g = {.box = carom_periodic_default()};
    g.box.along[0] = true;
    g.box.edge[0][0] = edge;
    g.w = world_make((const double *const *)blank.field, count, &random);
    stepper s = stepper_start(stepper_contexts[0], stepper_contexts[1], ahead);
    s.periodic = &g.box;
    for (uint64_t step = 0; step < step_count; step++) {
        for (uint64_t n = 0; n < count; n++) {
            for (int f = 0; f < 7; f++) {
                g.w.field[f][n] = (carom_real)steps[step * count + n][f];
            }
        }
        const bodies_view bodies = world_view(&g.w);
        stepper_check_step(&s, &bodies);
    }
    stepper_stop(&s);
    world_release(&g.w);
    random_scene_release(&blank);
}

/* Bodies at rest on both sides of a face, far less apart than floats tell, that then meet: fat boxes without a margin
 * still reach as far as rounding does, and so must the images on the list. */
static void test_rest_at_a_face(void **state) {
    (void)state;
    for (uint64_t number = 0; number < 40; number++) {
        const double edge = number % 2 == 0 ? 1000.0 : 10.0;
        const double gap = edge * 1e-9;
        const double depth = edge * ldexp(1e-9, (int)(number / 2));
        const double apart = 0.5 + gap;
        const double met = 0.5 - depth;
        const double other = edge - 0.5;
        const double steps[4][7] = {{apart, 0.0, 0.0, apart, 0.0, 0.0, 0.5},
                                    {other, 0.0, 0.0, other, 0.0, 0.0, 0.5},
                                    {met, 0.0, 0.0, met, 0.0, 0.0, 0.5},
                                    {other, 0.0, 0.0, other, 0.0, 0.0, 0.5}};
        note_case(number, "edge %g, depth %g", edge, depth);
        for (uint32_t ahead = 0; ahead < 3; ahead++) {
            check_steps(edge, 2, steps, 2, ahead);
        }
    }
}

/* One body that goes as far as numbers do along an open axis; two others touch through a face. */
static void test_one_goes_far(void **state) {
    (void)state;
    const double far = CAROM_REAL_BITS == 32 ? 7e37 : 7e307;
    const double steps[6][7] = {{0.4, 0.0, 0.0, 0.4, 0.0, 0.0, 0.5}, {9.6, 0.0, 0.0, 9.6, 0.0, 0.0, 0.5},
                                {5.0, 0.0, 0.0, 5.0, far, 0.0, 0.5}, {0.4, 0.0, 0.0, 0.4, 0.0, 0.0, 0.5},
                                {9.6, 0.0, 0.0, 9.6, 0.0, 0.0, 0.5}, {5.0, 0.0, 0.0, 5.0, far, 0.0, 0.5}};
    note_case(0, "a body goes %g along an open axis", far);
    for (uint32_t ahead = 0; ahead < 30; ahead += 6) {
        check_steps(10.0, 3, steps, 2, ahead);
    }
}

int main(int argc, char **argv) {
    (void)argc;
    note_start(argv[0]);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_boxes), cmocka_unit_test(test_long_runs),
                                       cmocka_unit_test(test_rest_at_a_face), cmocka_unit_test(test_one_goes_far)};
    return cmocka_run_group_tests_name("coherent periodic", tests, stepper_contexts_make, stepper_contexts_destroy);
}
