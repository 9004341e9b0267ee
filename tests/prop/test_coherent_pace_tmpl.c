/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Coherent detection of bodies whose pace changes: from rest to many radii a step and back, with jumps, collapses and
 * other numbers of bodies between. Guards that steps turn cold where lists do not pay and come back, and that across
 * every such change results, hashes and events are those of carom_detect and of two steps compared pair by pair.
 * Compiled once for each precision. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/prop/stepper_tmpl.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

typedef CAROM_REAL(carom_detect_output) detect_output;

#define MEMORY CAROM_REAL(carom_coherent_memory)

enum { CASES = 30, PHASES = 8, PHASE_MOST = 24, BODIES = 2500 };

/* What happens in a phase, and how far bodies go in a step of it, in displacements of the scene (half a radius). */
typedef enum event { NOTHING, JUMP, COLLAPSE, COUNT, RESET_ALL, BOUNDS_ALONE, EVENTS } event;

static const double PACES[] = {0, 0.02, 0.1, 0.4, 1, 4};

/* From a list to a cold step, and so on. */
typedef struct changes {
    uint64_t to_cold;
    uint64_t to_list;
    uint64_t cold;
    uint64_t list;
} changes;

/* A scene whose bodies keep their directions. */
typedef struct flock {
    world w;
    carom_real *way[3];
    carom_random random;
} flock;

static void flock_start(flock *f, char letter, uint64_t seed) {
    carom_scene_f32 scene;
    f->random = carom_random_seeded(seed);
    assert_int_equal(carom_scene_make(letter, BODIES, seed, &scene), CAROM_OK);
    f->w = world_of_scene(&scene, &f->random);
    for (int a = 0; a < 3; a++) {
        f->way[a] = calloc(BODIES, sizeof(carom_real));
        assert_non_null(f->way[a]);
        for (uint64_t n = 0; n < BODIES; n++) {
            f->way[a][n] = f->w.field[3 + a][n] - f->w.field[a][n];
        }
    }
    carom_scene_release(&scene);
}

static void flock_stop(flock *f) {
    world_release(&f->w);
    for (int a = 0; a < 3; a++) {
        free(f->way[a]);
    }
}

/* Bodies turn round now and then, so that the scene stays together. */
static void flock_step(flock *f, double pace, bool collapses) {
    for (int a = 0; a < 3; a++) {
        for (uint64_t n = 0; n < BODIES; n++) {
            const carom_real at = f->w.field[3 + a][n];
            f->way[a][n] = carom_random_next(&f->random) % 64 == 0 ? -f->way[a][n] : f->way[a][n];
            f->w.field[a][n] = at;
            f->w.field[3 + a][n] = collapses ? at * (carom_real)0.9 : at + (carom_real)pace * f->way[a][n];
        }
    }
}

/* Nothing that fails may be lost from the events of the next step: a bad body, and arrays that are too small. */
static void check_failures(stepper *s, world *w) {
    const carom_real kept = w->field[4][w->count / 2];
    carom_coherent_report report = {0};
    detection found = {0};
    uint32_t none[1] = {7};
    const detect_output too_small = {.contacts.i = none, .pair_capacity = 0};
    w->field[4][w->count / 2] = (carom_real)INFINITY;
    bodies_view bodies = world_view(w);
    assert_int_equal(STEP(s->coherent, &bodies, NULL, NULL, &found, &report, NULL), CAROM_ERROR_BODY);
    w->field[4][w->count / 2] = kept;
    const carom_status status = STEP(s->coherent, &bodies, NULL, &too_small, &found, &report, NULL);
    note_check(status == CAROM_ERROR_CAPACITY && none[0] == 7, "status %s", carom_status_name(status));
    note_check(report.begun == 0 && report.begun_i == NULL && !report.cold, "a report of a step that failed");
}

static void count_step(changes *c, const carom_coherent_report *report, bool *cold) {
    c->to_cold += !*cold && report->cold;
    c->to_list += *cold && !report->cold;
    c->cold += report->cold;
    c->list += !report->cold;
    note_check(!report->cold || (!report->rebuilt && report->candidates == 0 && report->steps_ahead == 0),
               "a cold step with a list");
    *cold = report->cold;
}

static void begin_phase(stepper *s, flock *f, event what) {
    if (what == RESET_ALL) {
        RESET(s->coherent);
        stepper_forget(s, NULL);
    } else if (what == BOUNDS_ALONE) {
        carom_detect_config config = carom_detect_config_default();
        const bodies_view bodies = world_view(&f->w);
        detection found = {0};
        config.until = CAROM_UNTIL_BOUNDS;
        assert_int_equal(STEP(s->coherent, &bodies, &config, NULL, &found, NULL, NULL), CAROM_OK);
        stepper_forget(s, NULL);
    } else if (what == COUNT) {
        f->w.count = BODIES / 2 + carom_random_next(&f->random) % (BODIES / 2);
    } else if (what == JUMP) {
        world_change(&f->w, TELEPORT_ALL);
    }
}

static void run_case(uint64_t number, changes *c) {
    flock f;
    flock_start(&f, carom_scene_letters()[number % 6], note_case_seed(number));
    stepper s = stepper_start(stepper_contexts[number % stepper_context_count],
                              stepper_contexts[(number + 4) % stepper_context_count], 0);
    bool cold = false;
    for (uint32_t phase = 0; phase < PHASES; phase++) {
        const double pace = PACES[carom_random_next(&f.random) % 6];
        const event what = (event)(carom_random_next(&f.random) % EVENTS);
        const uint64_t steps = 1 + carom_random_next(&f.random) % PHASE_MOST;
        begin_phase(&s, &f, what);
        for (uint64_t step = 0; step < steps; step++) {
            note_case(number, "phase %u, step %" PRIu64 ", pace %g, event %d, %s, %u threads", phase, step, pace,
                      (int)what, carom_context_isa(s.context), carom_context_threads(s.context));
            flock_step(&f, pace, what == COLLAPSE && step < 5);
            if (step % 8 == 5) {
                check_failures(&s, &f.w);
            }
            const bodies_view bodies = world_view(&f.w);
            const carom_coherent_report report = stepper_check_step(&s, &bodies);
            count_step(c, &report, &cold);
            if (step % 8 == 7) {
                stepper_check_lesser_step(&s, &bodies, carom_random_next(&f.random));
            }
        }
    }
    stepper_stop(&s);
    flock_stop(&f);
}

static void test_changing_paces(void **state) {
    (void)state;
    changes c = {0};
    const uint64_t cases = note_cases(CASES);
    for (uint64_t number = 0; number < cases; number++) {
        if (note_only_case() == UINT64_MAX || note_only_case() == number) {
            run_case(number, &c);
        }
    }
    if (note_only_case() == UINT64_MAX) {
        note_check(c.to_cold >= cases && c.to_list >= cases / 2, "only %" PRIu64 " and %" PRIu64 " changes", c.to_cold,
                   c.to_list);
        note_check(c.cold >= 10 * cases && c.list >= 10 * cases, "%" PRIu64 " cold steps, %" PRIu64 " with lists",
                   c.cold, c.list);
    }
}

/* Lists at rest and where bodies are slow, no list where they are fast; and a fast scene that slows down has lists
 * again before long. */
static void test_choice(void **state) {
    (void)state;
    static const struct {
        double pace;
        bool cold;
    } paces[] = {{0, false}, {0.03, false}, {4, true}, {0.03, false}, {2, true}, {0, false}};
    flock f;
    flock_start(&f, 'u', 1);
    stepper s = stepper_start(stepper_contexts[0], stepper_contexts[1], 0);
    for (size_t n = 0; n < sizeof paces / sizeof paces[0]; n++) {
        uint64_t cold = 0;
        for (int step = 0; step < 60; step++) {
            note_case(n, "pace %g, step %d", paces[n].pace, step);
            flock_step(&f, paces[n].pace, false);
            const bodies_view bodies = world_view(&f.w);
            cold += stepper_check_step(&s, &bodies).cold && step >= 20;
        }
        note_check(paces[n].cold ? cold == 40 : cold <= 10, "%" PRIu64 " of 40 steps are cold", cold);
    }
    stepper_stop(&s);
    flock_stop(&f);
}

/* Bodies that are at rest in every step and have moved by the next one, as neighbour lists have them: their way does
 * not show in any path, and still lists last for some steps where bodies are slow, and there are none where they are
 * fast. */
static void test_moved_between_steps(void **state) {
    (void)state;
    static const struct {
        double pace;
        bool cold;
    } paces[] = {{0.02, false}, {1, true}, {0.01, false}, {0, false}};
    flock f;
    flock_start(&f, 'u', 3);
    stepper s = stepper_start(stepper_contexts[0], stepper_contexts[1], 0);
    for (size_t n = 0; n < sizeof paces / sizeof paces[0]; n++) {
        uint64_t cold = 0;
        uint64_t rebuilds = 0;
        for (int step = 0; step < 100; step++) {
            note_case(n, "pace %g between steps, step %d", paces[n].pace, step);
            flock_step(&f, paces[n].pace, false);
            bodies_view bodies = world_view(&f.w);
            bodies.prev[0] = bodies.curr[0];
            bodies.prev[1] = bodies.curr[1];
            bodies.prev[2] = bodies.curr[2];
            const carom_coherent_report report = stepper_check_step(&s, &bodies);
            cold += report.cold && step >= 40;
            rebuilds += report.rebuilt && step >= 40;
        }
        note_check(paces[n].cold ? cold == 60 : cold <= 10, "%" PRIu64 " of 60 steps are cold", cold);
        note_check(rebuilds <= 12, "%" PRIu64 " lists in 60 steps", rebuilds);
    }
    stepper_stop(&s);
    flock_stop(&f);
}

/* Where the caller has fixed the steps ahead there is always a list. */
static void test_fixed_steps_ahead(void **state) {
    (void)state;
    flock f;
    flock_start(&f, 'u', 1);
    stepper s = stepper_start(stepper_contexts[0], stepper_contexts[1], 2);
    for (int step = 0; step < 10; step++) {
        note_case((uint64_t)step, "fixed steps ahead");
        flock_step(&f, 4, false);
        const bodies_view bodies = world_view(&f.w);
        note_check(!stepper_check_step(&s, &bodies).cold, "a cold step");
    }
    stepper_stop(&s);
    flock_stop(&f);
}

/* Rows of a cold step come in the order of carom_detect, and events in one order, for every number of threads and
 * instruction set. */
static void test_cold_order(void **state) {
    (void)state;
    flock f;
    coherent *each[STEPPER_CONTEXTS_MOST];
    carom_coherent_config told = carom_coherent_config_default();
    carom_detect_config config = carom_detect_config_default();
    told.events = true;
    config.hash = true;
    flock_start(&f, 'u', 2);
    for (uint64_t c = 0; c < stepper_context_count; c++) {
        assert_int_equal(CREATE(stepper_contexts[c], &told, &each[c], NULL), CAROM_OK);
    }
    for (uint64_t step = 0; step < 12; step++) {
        carom_coherent_report first = {0};
        flock_step(&f, 4, false);
        const bodies_view bodies = world_view(&f.w);
        for (uint64_t c = 0; c < stepper_context_count; c++) {
            carom_coherent_report report = {0};
            detection found = {0};
            detection cold = {0};
            const uint64_t other = (c + 1) % stepper_context_count;
            note_case(step, "cold order, %s, %u threads", carom_context_isa(stepper_contexts[c]),
                      carom_context_threads(stepper_contexts[c]));
            assert_int_equal(STEP(each[c], &bodies, &config, NULL, &found, &report, NULL), CAROM_OK);
            assert_int_equal(DETECT(stepper_contexts[other], &bodies, &config, NULL, &cold, NULL), CAROM_OK);
            assert_true(report.cold);
            stepper_check_same(&found, &cold, bodies.count);
            first = c == 0 ? report : first;
            note_check(report.begun == first.begun && report.ended == first.ended, "other numbers of events");
            note_check(memcmp(report.begun_i, first.begun_i, report.begun * sizeof(uint32_t)) == 0 &&
                           memcmp(report.ended_k, first.ended_k, report.ended * sizeof(uint32_t)) == 0,
                       "another order of events");
        }
    }
    for (uint64_t c = 0; c < stepper_context_count; c++) {
        DESTROY(each[c]);
    }
    flock_stop(&f);
}

/* Without lists of events cold steps do not compare, and say so; nor does the step after them. */
static void test_without_events(void **state) {
    (void)state;
    static const double paces[] = {0.02, 0.02, 4, 4, 4, 4};
    flock f;
    coherent *c;
    bool before = false;
    flock_start(&f, 'u', 3);
    assert_int_equal(CREATE(stepper_contexts[0], NULL, &c, NULL), CAROM_OK);
    for (int step = 0; step < 60; step++) {
        carom_coherent_report report = {0};
        detection found = {0};
        note_case((uint64_t)step, "without events");
        flock_step(&f, step < 6 ? paces[step] : 0.02, false);
        const bodies_view bodies = world_view(&f.w);
        assert_int_equal(STEP(c, &bodies, NULL, NULL, &found, &report, NULL), CAROM_OK);
        note_check(report.cold == (step >= 2 && step < 6) || step >= 6, "a step of the wrong kind");
        note_check(report.compared == (before && !report.cold), "compared wrongly");
        note_check(report.begun + report.persisted == found.summary.touching_pairs, "pairs are missing");
        note_check(report.compared || report.persisted + report.ended == 0, "events of a step that was not compared");
        before = !report.cold;
    }
    note_check(before, "the steps are still cold");
    DESTROY(c);
    flock_stop(&f);
}

/* Steps of changing pace; under a limit of memory if there is one. Returns what is enough for them by their numbers. */
static uint64_t run_limited(uint64_t limit, uint32_t threads, uint64_t *colds) {
    static const double paces[] = {0.01, 0.01, 4, 4, 4, 0.01};
    carom_context_config config = carom_context_config_default();
    carom_coherent_config told = carom_coherent_config_default();
    const carom_detect_config everything = stepper_config();
    carom_context *context;
    uint64_t candidates = 0;
    uint64_t pairs = 0;
    flock f;
    config.threads = threads;
    config.bodies_per_thread = 1;
    config.memory_limit = limit;
    told.events = true;
    flock_start(&f, 'u', 1);
    assert_int_equal(carom_context_create(&config, &context, NULL), CAROM_OK);
    stepper s = stepper_start(context, stepper_contexts[0], 0);
    for (int step = 0; step < 50; step++) {
        note_case((uint64_t)step, "limit %" PRIu64 ", %u threads", limit, threads);
        flock_step(&f, step < 6 ? paces[step] : 0.01, false);
        const bodies_view bodies = world_view(&f.w);
        const carom_coherent_report report = stepper_check_step(&s, &bodies);
        const uint64_t touching = report.begun + report.persisted;
        candidates = report.candidates > candidates ? report.candidates : candidates;
        pairs = touching > pairs ? touching : pairs;
        *colds += report.cold;
    }
    const uint64_t bytes = MEMORY(context, BODIES, candidates, pairs, &everything, &told);
    stepper_stop(&s);
    carom_context_destroy(context);
    flock_stop(&f);
    return bytes;
}

/* What the library says beforehand is enough for steps of both kinds, one after the other. */
static void test_bound(void **state) {
    (void)state;
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
        uint64_t colds = 0;
        const uint64_t enough = run_limited(0, threads, &colds);
        note_check(colds > 3 && colds < 45, "%" PRIu64 " cold steps", colds);
        run_limited(enough, threads, &colds);
    }
}

int main(int argc, char **argv) {
    (void)argc;
    note_start(argv[0]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_changing_paces),
        cmocka_unit_test(test_choice),
        cmocka_unit_test(test_moved_between_steps),
        cmocka_unit_test(test_cold_order),
        cmocka_unit_test(test_fixed_steps_ahead),
        cmocka_unit_test(test_without_events),
        cmocka_unit_test(test_bound),
    };
    return cmocka_run_group_tests_name("coherent pace", tests, stepper_contexts_make, stepper_contexts_destroy);
}
