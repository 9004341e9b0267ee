/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Coherent detection with filters and sinks, step by step, against cold detection with the same. Guards that a filter
 * may change between steps and events follow, that the caller's function is asked about the very pairs that cold
 * detection asks about, that blocks are the rows of a step that stores them, and that the steps go on from the last
 * that succeeded when a sink stops one or a row of exclusions is bad. Compiled once for each
 * precision. */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/sys/mix.h"
#include "tests/prop/stepper_tmpl.h"
#include "tests/support/basket.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

typedef CAROM_REAL(carom_detect_output) detect_output;

enum { CASES = 250, STEPS = 20, BODIES_MOST = 300, CROWDED_MOST = 50, MANY = 24000 };

#if CAROM_REAL_BITS == 32
#define basket_sink basket_sink_f32
#else
#define basket_sink basket_sink_f64
#endif

/* Pairs that a predicate was asked about, mixed: when two calls have asked about the same, once each, nothing is left.
 */
typedef struct questions {
    _Atomic uint64_t left;
    uint32_t salt; /* which pairs it lets through */
} questions;

static bool accepts(void *user, uint32_t i, uint32_t k) {
    questions *asked = user;
    asked->left ^= carom_mix64((uint64_t)i << 32 | k);
    return i < k && carom_mix64(((uint64_t)i << 32 | k) + asked->salt) % 4 != 0;
}

/* Arrays of a filter for up to BODIES_MOST bodies. */
typedef struct filter_data {
    carom_filter filter;
    uint32_t bits[2][BODIES_MOST];
    uint32_t group[BODIES_MOST];
    uint8_t fixed[BODIES_MOST];
    uint8_t part[BODIES_MOST];
    uint64_t offset[BODIES_MOST + 1];
    uint32_t excluded[2 * BODIES_MOST];
    questions asked;
} filter_data;

/* Other contents, and some of the parts. Rows name bodies below `count`. */
static const carom_filter *next_filter(filter_data *f, uint64_t count, carom_random *random) {
    uint64_t parts = carom_random_next(random) % 32;
    f->filter = carom_filter_default();
    for (uint32_t n = 0; n < BODIES_MOST; n++) {
        f->bits[0][n] = 1U << carom_random_next(random) % 3;
        f->bits[1][n] = (uint32_t)(carom_random_next(random) % 8) | 2;
        f->group[n] = (uint32_t)(carom_random_next(random) % 6);
        f->fixed[n] = carom_random_next(random) % 3 == 0;
        f->part[n] = (uint8_t)(carom_random_next(random) & carom_random_next(random) & 0x83);
    }
    for (uint64_t n = 0; n < count; n++) {
        f->offset[n] = 2 * n;
        f->excluded[2 * n] = (uint32_t)((n + carom_random_next(random) % 40) % count);
        f->excluded[2 * n + 1] = (uint32_t)(carom_random_next(random) % count);
    }
    f->offset[count] = 2 * count;
    f->asked.salt = (uint32_t)(carom_random_next(random) % 3);
    f->filter.category = parts & 1 ? f->bits[0] : NULL;
    f->filter.mask = parts & 1 ? f->bits[1] : NULL;
    f->filter.group = parts & 2 ? f->group : NULL;
    f->filter.fixed = parts & 2 ? f->fixed : NULL;
    f->filter.exclusion_offset = parts & 4 ? f->offset : NULL;
    f->filter.excluded = parts & 4 ? f->excluded : NULL;
    f->filter.accepts = parts & 8 ? accepts : NULL;
    f->filter.user = &f->asked;
    f->filter.part = parts & 16 ? f->part : NULL;
    return parts == 0 ? NULL : &f->filter;
}

/* A row that names no body, in one step: the same complaint as from cold detection, and no event is lost. */
static void check_bad_row(stepper *s, const bodies_view *bodies, filter_data *f) {
    if (bodies->count == 0) {
        return;
    }
    carom_filter bad = carom_filter_default();
    carom_detect_config config = stepper_config();
    uint32_t kept = f->excluded[bodies->count];
    carom_coherent_report report = {0};
    carom_error errors[2];
    detection found = {0};
    bad.exclusion_offset = f->offset;
    bad.excluded = f->excluded;
    config.filter = &bad;
    f->excluded[bodies->count] = (uint32_t)bodies->count;
    carom_status status = STEP(s->coherent, bodies, &config, NULL, &found, &report, &errors[0]);
    assert_int_equal(DETECT(s->cold, bodies, &config, NULL, &found, &errors[1]), CAROM_ERROR_BODY);
    note_check(status == CAROM_ERROR_BODY && errors[0].body == errors[1].body && errors[0].field == errors[1].field,
               "status %s", carom_status_name(status));
    note_check(report.begun == 0 && report.begun_i == NULL, "events of a step that failed");
    f->excluded[bodies->count] = kept;
}

static void run_case(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    random_scene_kind kind = (random_scene_kind)(number % RANDOM_KINDS);
    uint64_t most = world_is_crowded(kind) ? CROWDED_MOST : BODIES_MOST;
    uint64_t count = carom_random_next(&random) % (most + 1);
    random_scene scene = random_scene_make(kind, count, true, &random);
    world w = world_make((const double *const *)scene.field, count, &random);
    uint64_t chosen = carom_random_next(&random) % stepper_context_count;
    stepper s = stepper_start(stepper_contexts[chosen], stepper_contexts[(chosen + 3) % stepper_context_count], 0);
    filter_data *f = calloc(1, sizeof *f);
    assert_non_null(f);
    for (uint32_t step = 0; step < STEPS; step++) {
        change what = carom_random_next(&random) % 3 == 0 ? (change)(carom_random_next(&random) % CHANGES) : SLOW;
        note_case(number, "%s, %" PRIu64 " bodies, step %u, change %d, %s, %u threads", random_scene_name(kind),
                  w.count, step, (int)what, carom_context_isa(s.context), carom_context_threads(s.context));
        world_change(&w, step == 0 ? STAND : what);
        bodies_view bodies = world_view(&w);
        if (step % 3 == 0 || what == OTHER_COUNT) {
            s.filter = next_filter(f, w.count, &random);
        }
        if (step % 6 == 1) {
            check_bad_row(&s, &bodies, f);
        }
        f->asked.left = 0;
        stepper_check_step(&s, &bodies);
        note_check(f->asked.left == 0, "other pairs were asked about");
        if (step % 4 == 3) {
            stepper_check_lesser_step(&s, &bodies, carom_random_next(&random));
        }
    }
    free(f);
    stepper_stop(&s);
    world_release(&w);
    random_scene_release(&scene);
}

static void test_changing_filters(void **state) {
    (void)state;
    for (uint64_t number = 0; number < CASES; number++) {
        if (note_only_case() == UINT64_MAX || note_only_case() == number) {
            run_case(number);
        }
    }
}

/* A step with a sink beside one that stores: all the same but that no rows are left. */
static void check_delivered(coherent *c, const bodies_view *bodies, const carom_detect_config *config,
                            const detection *stored) {
    basket b = basket_make(stored->pair_count);
    const detect_output output = {.sink = basket_sink, .sink_user = &b};
    detection found = {0};
    detection rest = *stored;
    assert_int_equal(STEP(c, bodies, config, &output, &found, NULL, NULL), CAROM_OK);
    note_check(found.pair_count == 0 && found.contacts.i == NULL && found.contacts.t_ca == NULL, "rows are stored");
    rest.pair_count = 0;
    stepper_check_same(&found, &rest, bodies->count);
    any_result wanted = stepper_rows(stored, 0);
    basket_check(&b, &wanted);
    any_result_release(&wanted);
    basket_release(&b);
}

/* On contexts side by side, the first of which stores: touching pairs, all of them, pairs alone; filtered in turns. */
static void test_blocks(void **state) {
    (void)state;
    film f = film_start('d', MANY, 0.2);
    coherent *each[STEPPER_CONTEXTS_MOST];
    questions asked = {.salt = 1};
    carom_filter filter = carom_filter_default();
    filter.accepts = accepts;
    filter.user = &asked;
    for (uint64_t c = 0; c < stepper_context_count; c++) {
        assert_int_equal(CREATE(stepper_contexts[c], NULL, &each[c], NULL), CAROM_OK);
    }
    for (uint32_t step = 0; step < 6; step++) {
        world w = world_of_scene(&f.scene, &f.random);
        bodies_view bodies = world_view(&w);
        carom_detect_config config = stepper_config();
        detection stored = {0};
        config.sort_pairs = false;
        config.filter = step % 2 == 1 ? &filter : NULL;
        config.all_pairs = step / 2 == 1;
        config.until = step / 2 == 2 ? CAROM_UNTIL_PAIRS : CAROM_UNTIL_GROUPS;
        assert_int_equal(STEP(each[0], &bodies, &config, NULL, &stored, NULL, NULL), CAROM_OK);
        note_check(stored.pair_count > 4 * CAROM_BLOCK_ROWS, "%" PRIu64 " rows are too few", stored.pair_count);
        for (uint64_t c = 1; c < stepper_context_count; c++) {
            note_case(step, "step %u, %s, %u threads", step, carom_context_isa(stepper_contexts[c]),
                      carom_context_threads(stepper_contexts[c]));
            check_delivered(each[c], &bodies, &config, &stored);
        }
        world_release(&w);
        carom_scene_motion_step(&f.motion, &f.scene);
    }
    for (uint64_t c = 0; c < stepper_context_count; c++) {
        DESTROY(each[c]);
    }
    film_stop(&f);
}

/* A step whose sink has had enough: nothing of it is left, and its label array is untouched. */
static void check_stop(stepper *s, const bodies_view *bodies, uint64_t after) {
    basket b = basket_make(64 * bodies->count);
    uint32_t *label = calloc(bodies->count, sizeof *label);
    const detect_output output = {.sink = basket_sink, .sink_user = &b, .label = label};
    carom_detect_config config = carom_detect_config_default();
    carom_coherent_report report = {0};
    carom_error error;
    detection found = {0};
    b.stop_after = after;
    assert_int_equal(STEP(s->coherent, bodies, &config, &output, &found, &report, &error), CAROM_ERROR_STOPPED);
    assert_int_equal(error.status, CAROM_ERROR_STOPPED);
    note_check(b.count >= after && b.count < after + carom_context_threads(s->context), "%" PRIu64 " blocks", b.count);
    note_check(report.begun == 0 && report.ended == 0 && report.begun_i == NULL, "events of a step that failed");
    note_check(found.summary.touching_pairs == 0 && found.groups.label == NULL, "results of a step that failed");
    for (uint64_t n = 0; n < bodies->count; n++) {
        note_check(label[n] == 0, "labels are written");
    }
    free(label);
    basket_release(&b);
}

/* As after too small an array: events are those since the last step that succeeded, over rebuilds, too. */
static void test_stop(void **state) {
    (void)state;
    for (uint64_t c = 0; c < stepper_context_count; c++) {
        film f = film_start('d', MANY / 4, 0.2);
        stepper s = stepper_start(stepper_contexts[c], stepper_contexts[(c + 1) % stepper_context_count], 0);
        world w = world_of_scene(&f.scene, &f.random);
        bodies_view bodies = world_view(&w);
        note_case(c, "a stop, %s, %u threads", carom_context_isa(s.context), carom_context_threads(s.context));
        check_stop(&s, &bodies, 1); /* the very first step */
        stepper_check_step(&s, &bodies);
        world_go_on(&w, 2);
        check_stop(&s, &bodies, 3);
        stepper_check_step(&s, &bodies);
        for (int round = 0; round < 2; round++) {
            w.count -= 500;
            bodies = world_view(&w);
            check_stop(&s, &bodies, 1);
        }
        w.count -= 500;
        bodies = world_view(&w);
        stepper_check_step(&s, &bodies);
        check_stop(&s, &bodies, 2);
        w.count = 0;
        bodies = world_view(&w);
        stepper_check_step(&s, &bodies);
        world_release(&w);
        stepper_stop(&s);
        film_stop(&f);
    }
}

static void test_self_images_are_refused(void **state) {
    (void)state;
    carom_detect_config config = carom_detect_config_default();
    carom_periodic box = carom_periodic_default();
    carom_real zero[1] = {0};
    const bodies_view one = {.count = 1, .prev = {zero, zero, zero}, .curr = {zero, zero, zero}, .radius = zero};
    coherent *c;
    carom_error error;
    detection found = {0};
    box.along[0] = true;
    box.edge[0][0] = 4;
    box.self_images = true;
    config.periodic = &box;
    assert_int_equal(CREATE(stepper_contexts[0], NULL, &c, NULL), CAROM_OK);
    assert_int_equal(STEP(c, &one, &config, NULL, &found, NULL, &error), CAROM_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "periodic.self_images"));
    DESTROY(c);
}

/* A step that fails saves the pairs of the step before. A call until BOUNDS between forgets both: no pair of before may
 * be reported as ended. Bad arguments change nothing. */
static void test_bounds_after_a_failure(void **state) {
    (void)state;
    carom_real near[3] = {0, 1, 2};
    carom_real far[3] = {0, 1, 20};
    carom_real zero[3] = {0, 0, 0};
    carom_real radius[3] = {(carom_real)0.6, (carom_real)0.6, (carom_real)0.6};
    const bodies_view before = {.count = 3, .prev = {near, zero, zero}, .curr = {near, zero, zero}, .radius = radius};
    const bodies_view after = {.count = 3, .prev = {far, zero, zero}, .curr = {far, zero, zero}, .radius = radius};
    carom_detect_config bounds = carom_detect_config_default();
    carom_detect_config bad = carom_detect_config_default();
    uint32_t none[1];
    const CAROM_REAL(carom_detect_output) too_small = {.contacts.i = none, .pair_capacity = 0};
    coherent *c;
    detection found = {0};
    carom_coherent_report report = {0};
    carom_coherent_config told = carom_coherent_config_default();
    told.events = true;
    bounds.until = CAROM_UNTIL_BOUNDS;
    bad.size = 3;
    for (int with_bounds = 0; with_bounds < 2; with_bounds++) {
        assert_int_equal(CREATE(stepper_contexts[0], &told, &c, NULL), CAROM_OK);
        assert_int_equal(STEP(c, &before, NULL, NULL, &found, &report, NULL), CAROM_OK);
        assert_int_equal(report.begun, 2);
        assert_int_equal(STEP(c, &after, NULL, &too_small, &found, &report, NULL), CAROM_ERROR_CAPACITY);
        if (with_bounds == 1) {
            assert_int_equal(STEP(c, &after, &bounds, NULL, &found, &report, NULL), CAROM_OK);
        }
        assert_int_equal(STEP(c, &after, &bad, NULL, &found, &report, NULL), CAROM_ERROR_ARGUMENT);
        assert_int_equal(STEP(c, &after, NULL, NULL, &found, &report, NULL), CAROM_OK);
        assert_int_equal(report.begun, with_bounds == 1 ? 1 : 0);
        assert_int_equal(report.persisted, with_bounds == 1 ? 0 : 1);
        assert_int_equal(report.ended, with_bounds == 1 ? 0 : 1);
        DESTROY(c);
    }
}

int main(int argc, char **argv) {
    (void)argc;
    note_start(argv[0]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_changing_filters),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_self_images_are_refused),
        cmocka_unit_test(test_bounds_after_a_failure),
    };
    return cmocka_run_group_tests_name("coherent consumers", tests, stepper_contexts_make, stepper_contexts_destroy);
}
