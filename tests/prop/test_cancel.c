/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Calls that are cancelled, and the calls after them. Guards: data that a stage left incomplete and somebody used; a
 * context or a series of steps that is not as good as new afterwards; long work without a look at the flag.
 *
 * A call is cancelled at its first report, at its fourth (in a long run at its second), and so on until it is through.
 * After each a whole call must return the bits that it always returned. */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/support/any_coherent.h"
#include "tests/support/basket.h"
#include "tests/support/check.h"
#include "tests/support/fault_allocator.h"
#include "tests/support/isa_contexts.h"
#include "tests/support/note.h"
#include "tests/support/random_scene.h"

enum { CASES = 100, BODIES_MOST = 1200, CROWDED_MOST = 150, LARGE = 30000, REPORTS_MOST = 4000 };

static const uint32_t THREADS[] = {1, 2, 7};
enum { THREAD_COUNTS = sizeof THREADS / sizeof THREADS[0] };

static int make_contexts(void **state) {
    (void)state;
    return isa_contexts_make(THREADS, THREAD_COUNTS);
}

/* A progress function that cancels, and what it was told. */
typedef struct listener {
    uint64_t reports;
    uint64_t cancel_at; /* the report that cancels, from 1; 0: none */
    double fraction;    /* of the last report */
    uint64_t faults;    /* reports that are not as promised */
    uint32_t phases;    /* a bit for each that was told */
    pthread_t caller;
    carom_cancel *flag; /* is raised instead of returning 1; may be NULL */
} listener;

static int listen(void *user, const carom_progress *progress) {
    listener *l = user;
    const bool sane = progress->size == sizeof *progress && carom_phase_name(progress->phase) != NULL &&
                      progress->fraction >= l->fraction && progress->fraction <= 1.0;
    l->faults += !sane || !pthread_equal(pthread_self(), l->caller);
    l->fraction = progress->fraction;
    l->phases |= UINT32_C(1) << progress->phase;
    l->reports++;
    if (l->reports != l->cancel_at) {
        return 0;
    }
    if (l->flag != NULL) {
        carom_cancel_raise(l->flag);
    }
    return l->flag == NULL;
}

/* The config with a listener. */
static carom_detect_config listened(const carom_detect_config *config, listener *l) {
    carom_detect_config with = *config;
    l->caller = pthread_self();
    l->reports = 0;
    l->fraction = 0.0;
    with.progress = listen;
    with.progress_user = l;
    with.cancel = l->flag;
    return with;
}

static void check_cancelled(const any_result *r, const listener *l) {
    note_check(l->faults == 0, "%" PRIu64 " reports are not as promised", l->faults);
    note_check(r->status == CAROM_ERROR_CANCELLED && r->error.status == CAROM_ERROR_CANCELLED, "status %s",
               carom_status_name(r->status));
    note_check(strlen(r->error.message) > 0 && r->error.body == UINT64_MAX, "no message, or a body");
    note_check(r->summary.required_pairs == 0 && r->summary.required_bytes == 0, "a cancelled call needs something");
}

/* What the next call returns, in the bits of `expected`. */
static void check_whole(carom_context *context, const any_bodies *bodies, const carom_detect_config *config,
                        const any_result *expected) {
    any_result whole = any_detect_bodies(context, bodies, config, NULL);
    note_check(whole.status == expected->status && any_result_same(&whole, expected), "other results afterwards: %s",
               carom_status_name(whole.status));
    any_result_release(&whole);
}

/* Cancels a call at each of its reports; returns how many there are. */
static uint64_t cancel_everywhere(carom_context *context, const any_bodies *bodies, const carom_detect_config *config,
                                  const any_output *output, const any_result *expected) {
    carom_cancel flag = {0};
    listener l = {.cancel_at = 0};
    for (uint64_t n = 1; n < REPORTS_MOST; n += note_stride()) {
        l.cancel_at = n;
        l.flag = n % 2 == 0 ? &flag : NULL;
        const carom_detect_config with = listened(config, &l);
        any_result r = any_detect_bodies(context, bodies, &with, output);
        const bool through = r.status != CAROM_ERROR_CANCELLED;
        if (!through) {
            check_cancelled(&r, &l);
            check_whole(context, bodies, config, expected);
        }
        carom_cancel_clear(&flag);
        note_check(!through || r.status == expected->status, "status %s", carom_status_name(r.status));
        note_check(!through || output != NULL || any_result_same(&r, expected), "with a listener: other results");
        any_result_release(&r);
        if (through) {
            return l.reports;
        }
    }
    note_check(false, "there is no end of reports");
    return 0;
}

static bool is_crowded(random_scene_kind kind) {
    return kind == RANDOM_FAST || kind == RANDOM_POINT || kind == RANDOM_COPIES || kind == RANDOM_GRAZING ||
           kind == RANDOM_POINTS || kind == RANDOM_LINE;
}

/* Everything that is asked of a call, or not. */
static carom_detect_config some_config(carom_random *random) {
    carom_detect_config config = carom_detect_config_default();
    config.until =
        (carom_until)(carom_random_next(random) % 8 == 0 ? CAROM_UNTIL_BOUNDS
                                                         : CAROM_UNTIL_PAIRS + carom_random_next(random) % 3);
    config.method = (carom_method)(carom_random_next(random) % 5);
    config.all_pairs = carom_random_next(random) % 4 == 0;
    config.sort_pairs = carom_random_next(random) % 2 == 0;
    config.group_members = carom_random_next(random) % 2 == 0;
    config.hash = carom_random_next(random) % 2 == 0;
    config.neighbours = (carom_neighbour_list)(carom_random_next(random) % 3);
    return config;
}

/* Filters of all kinds. */
typedef struct filter_arrays {
    uint32_t mask[BODIES_MOST];
    uint8_t part[BODIES_MOST];
    uint64_t offset[BODIES_MOST + 1];
    uint32_t excluded[BODIES_MOST];
} filter_arrays;

static carom_filter some_filter(filter_arrays *arrays, uint64_t count, carom_random *random) {
    carom_filter filter = carom_filter_default();
    for (uint64_t n = 0; n < count; n++) {
        arrays->mask[n] = (uint32_t)(carom_random_next(random) % 4);
        arrays->part[n] = (uint8_t)(carom_random_next(random) % 8 == 0);
        arrays->offset[n] = n;
        arrays->excluded[n] = (uint32_t)((n + 1) % count);
    }
    arrays->offset[count] = count;
    filter.mask = arrays->mask;
    filter.part = arrays->part;
    filter.exclusion_offset = arrays->offset;
    filter.excluded = arrays->excluded;
    return filter;
}

/* A box around all bodies, some of whose images touch bodies. */
static carom_periodic box_around(const carom_bodies_f64 *bodies) {
    carom_periodic box = carom_periodic_default();
    box.self_images = true;
    for (int a = 0; a < 3; a++) {
        double lo = bodies->prev[a][0];
        double hi = lo;
        for (uint64_t n = 1; n < bodies->count; n++) {
            lo = bodies->prev[a][n] < lo ? bodies->prev[a][n] : lo;
            hi = bodies->prev[a][n] > hi ? bodies->prev[a][n] : hi;
        }
        box.along[a] = true;
        box.edge[a][a] = hi - lo + 1.0;
        box.edge[a][(a + 1) % 3] = a == 0 ? 0.25 * (hi - lo) : 0.0;
    }
    return box;
}

static void run_case(uint64_t number) {
    static filter_arrays arrays;
    carom_random random = carom_random_seeded(note_case_seed(number));
    const bool periodic = number % 4 == 3;
    const random_scene_kind kind =
        periodic ? RANDOM_UNIFORM_DENSE : (random_scene_kind)(carom_random_next(&random) % RANDOM_KINDS);
    const uint64_t most = is_crowded(kind) ? CROWDED_MOST : BODIES_MOST;
    const uint64_t count = 1 + carom_random_next(&random) % most;
    const any_precision precision = (any_precision)(carom_random_next(&random) % ANY_PRECISIONS);
    random_scene scene = random_scene_make(kind, count, precision == ANY_F32, &random);
    any_bodies bodies = any_bodies_make(precision, &scene.bodies);
    carom_detect_config config = some_config(&random);
    const carom_filter filter = some_filter(&arrays, count, &random);
    const carom_periodic box = box_around(&scene.bodies);
    config.filter = number % 3 == 0 ? &filter : NULL;
    config.periodic = periodic ? &box : NULL;
    carom_context *context = isa_contexts[number % isa_context_count];
    note_case(number, "%s, %" PRIu64 " bodies, %s, until %d, method %d, %s, %u threads%s%s", random_scene_name(kind),
              count, any_precision_name(precision), (int)config.until, (int)config.method, carom_context_isa(context),
              carom_context_threads(context), config.filter != NULL ? ", filter" : "", periodic ? ", periodic" : "");
    any_result expected = any_detect_bodies(context, &bodies, &config, NULL);
    cancel_everywhere(context, &bodies, &config, NULL, &expected);
    any_result_release(&expected);
    any_bodies_release(&bodies);
    random_scene_release(&scene);
}

static void test_random_scenes(void **state) {
    (void)state;
    note_each_case(CASES, run_case);
}

/* Scenes of many tasks: crowded cells, oversized bodies, cells shared by all workers. */
static void test_large_scenes(void **state) {
    (void)state;
    static const random_scene_kind kinds[] = {RANDOM_UNIFORM_DENSE, RANDOM_CLUSTERED, RANDOM_RADII, RANDOM_OUTLIER};
    for (uint64_t setting = 0; setting < 8; setting++) {
        const random_scene_kind kind = kinds[setting % 4];
        const any_precision precision = (any_precision)(setting / 4);
        const uint64_t count = kind == RANDOM_UNIFORM_DENSE ? LARGE : LARGE / 4;
        carom_random random = carom_random_seeded(note_case_seed(1000 + setting));
        random_scene scene = random_scene_make(kind, count, true, &random);
        any_bodies bodies = any_bodies_make(precision, &scene.bodies);
        carom_detect_config config = any_config_full();
        config.method = setting == 4 ? CAROM_METHOD_SWEEP : CAROM_METHOD_AUTO;
        carom_context *context = isa_contexts[setting % THREAD_COUNTS];
        note_case(setting, "%s, %" PRIu64 " bodies, %s, %u threads", random_scene_name(kind), count,
                  any_precision_name(precision), carom_context_threads(context));
        any_result expected = any_detect_bodies(context, &bodies, &config, NULL);
        note_check(expected.status == CAROM_OK, "%s", expected.error.message);
        cancel_everywhere(context, &bodies, &config, NULL, &expected);
        any_result_release(&expected);
        any_bodies_release(&bodies);
        random_scene_release(&scene);
    }
}

static uint64_t hash_of(carom_context *context, const any_bodies *bodies, const carom_detect_config *config,
                        carom_status *status) {
    carom_detect_summary summary;
    *status = any_detect_status(context, bodies, config, &summary);
    return summary.result_hash;
}

/* Every STRIDE-th report of a call whose passes have several slices: it stops in the middle of them. */
static void cancel_slices(carom_context *context, const any_bodies *bodies, const carom_detect_config *config) {
    enum { STRIDE = 17 };
    carom_status status;
    const uint64_t expected = hash_of(context, bodies, config, &status);
    note_check(status == CAROM_OK, "status %s", carom_status_name(status));
    status = CAROM_ERROR_CANCELLED;
    for (uint64_t at = 1; status == CAROM_ERROR_CANCELLED && at < REPORTS_MOST; at += note_short() ? 90 : STRIDE) {
        listener l = {.cancel_at = at};
        const carom_detect_config with = listened(config, &l);
        hash_of(context, bodies, &with, &status);
        carom_status after;
        note_check(hash_of(context, bodies, config, &after) == expected && after == CAROM_OK,
                   "cancelled at report %" PRIu64 ": other results afterwards", at);
    }
    note_check(status == CAROM_OK, "there is no end of reports");
}

enum { SLICED = 5 * CAROM_CONTROL_ITEMS / 2 };

static void test_slices(void **state) {
    (void)state;
    for (uint64_t setting = 0; setting < 8; setting++) {
        const any_precision precision = (any_precision)(setting % 2);
        carom_context *context = isa_contexts[setting / 2 % 2];
        carom_random random = carom_random_seeded(note_case_seed(8000 + setting));
        random_scene scene = random_scene_make(RANDOM_UNIFORM_SPARSE, SLICED, true, &random);
        any_bodies bodies = any_bodies_make(precision, &scene.bodies);
        const carom_periodic box = box_around(&scene.bodies);
        carom_detect_config config = any_config_full();
        config.neighbours = CAROM_NEIGHBOURS_FULL;
        config.all_pairs = true;
        config.periodic = setting >= 4 ? &box : NULL;
        note_case(setting, "%d bodies, %s, %u threads", SLICED, any_precision_name(precision),
                  carom_context_threads(context));
        cancel_slices(context, &bodies, &config);
        any_bodies_release(&bodies);
        random_scene_release(&scene);
    }
}

/* With a sink, and with arrays of the caller's. */
static void test_outputs(void **state) {
    (void)state;
    for (uint64_t setting = 0; setting < 12; setting++) {
        const any_precision precision = (any_precision)(setting % 2);
        carom_context *context = isa_contexts[setting / 2 % THREAD_COUNTS];
        carom_random random = carom_random_seeded(note_case_seed(2000 + setting));
        random_scene scene = random_scene_make(RANDOM_UNIFORM_DENSE, 6000, true, &random);
        any_bodies bodies = any_bodies_make(precision, &scene.bodies);
        const carom_periodic box = box_around(&scene.bodies);
        carom_detect_config config = any_config_full();
        config.sort_pairs = false;
        config.periodic = setting >= 6 ? &box : NULL;
        note_case(setting, "a sink, %s, %u threads", any_precision_name(precision), carom_context_threads(context));
        any_result expected = any_detect_bodies(context, &bodies, &config, NULL);
        note_check(expected.status == CAROM_OK, "%s", expected.error.message);
        basket b = basket_make(100 * expected.pair_count + 100000);
        const any_output output = basket_output(&b);
        carom_cancel flag = {1};
        for (uint64_t n = 1; n < REPORTS_MOST && flag.raised != 0; n += note_stride()) {
            listener l = {.cancel_at = n};
            const carom_detect_config with = listened(&config, &l);
            basket_release(&b);
            b = basket_make(expected.pair_count);
            any_result r = any_detect_bodies(context, &bodies, &with, &output);
            if (r.status == CAROM_ERROR_CANCELLED) {
                check_cancelled(&r, &l);
                check_whole(context, &bodies, &config, &expected);
            } else {
                note_check(r.status == CAROM_OK, "%s", r.error.message);
                basket_check(&b, &expected);
                flag.raised = 0;
            }
            any_result_release(&r);
        }
        basket_release(&b);
        any_result_release(&expected);
        any_bodies_release(&bodies);
        random_scene_release(&scene);
    }
}

/* Whoever is told before the call begins does nothing, and says nothing of progress. */
static void test_raised_before(void **state) {
    (void)state;
    for (uint64_t setting = 0; setting < 16; setting++) {
        const any_precision precision = (any_precision)(setting % 2);
        const uint64_t count = setting / 2 % 2 == 0 ? 0 : 500;
        carom_random random = carom_random_seeded(note_case_seed(3000 + setting));
        random_scene scene = random_scene_make(RANDOM_UNIFORM_DENSE, 500, true, &random);
        carom_periodic box = box_around(&scene.bodies);
        scene.bodies.count = count;
        any_bodies bodies = any_bodies_make(precision, &scene.bodies);
        carom_cancel flag = {0};
        listener l = {.flag = &flag};
        const carom_detect_config plain = any_config_full();
        carom_detect_config config = listened(&plain, &l);
        config.until = setting / 4 % 2 == 0 ? CAROM_UNTIL_GROUPS : CAROM_UNTIL_BOUNDS;
        config.periodic = setting / 8 == 0 ? NULL : &box;
        note_case(setting, "%s, %" PRIu64 " bodies, until %d", any_precision_name(precision), count, (int)config.until);
        carom_cancel_raise(&flag);
        any_result r = any_detect_bodies(isa_contexts[0], &bodies, &config, NULL);
        check_cancelled(&r, &l);
        note_check(l.reports == 0, "%" PRIu64 " reports", l.reports);
        any_result_release(&r);
        config.periodic = NULL;
        any_coherent coherent = any_coherent_start(isa_contexts[0], precision);
        r = any_coherent_step(&coherent, &bodies, &config, NULL);
        check_cancelled(&r, &l);
        any_result_release(&r);
        carom_cancel_clear(&flag);
        r = any_coherent_step(&coherent, &bodies, &config, NULL);
        note_check(r.status == CAROM_OK, "%s", r.error.message);
        any_result_release(&r);
        any_coherent_stop(&coherent);
        any_bodies_release(&bodies);
        random_scene_release(&scene);
    }
}

/* Reports of a call on one thread, by which it could have been cancelled. */
static uint64_t count_reports(uint64_t count, const carom_detect_config *config, uint32_t *phases) {
    carom_random random = carom_random_seeded(note_case_seed(4000));
    random_scene scene = random_scene_make(RANDOM_UNIFORM_SPARSE, count, true, &random);
    any_bodies bodies = any_bodies_make(ANY_F32, &scene.bodies);
    listener l = {.cancel_at = 0};
    const carom_detect_config with = listened(config, &l);
    carom_detect_summary summary;
    note_check(any_detect_status(isa_contexts[0], &bodies, &with, &summary) == CAROM_OK, "no result");
    note_check(l.faults == 0, "%" PRIu64 " reports are not as promised", l.faults);
    any_bodies_release(&bodies);
    random_scene_release(&scene);
    *phases = l.phases;
    return l.reports;
}

/* Between two looks lie CAROM_CONTROL_ITEMS bodies at most, in each pass over the bodies: so many more bodies make so
 * many more reports. */
static void test_granularity(void **state) {
    (void)state;
    enum { SLICES = 8, PASSES = 7 }; /* survey, codes, slots, sets, labels twice, members thrice: seven at least */
    carom_detect_config config = carom_detect_config_default();
    uint32_t phases = 0;
    config.group_members = true;
    note_case(0, "%d slices", SLICES);
    const uint64_t few = count_reports(CAROM_CONTROL_ITEMS, &config, &phases);
    const uint64_t many = count_reports((uint64_t)SLICES * CAROM_CONTROL_ITEMS, &config, &phases);
    note_check(many >= few + (SLICES - 1) * PASSES, "%" PRIu64 " and %" PRIu64 " reports", few, many);
    note_check((phases & 1U << CAROM_PHASE_BOUNDS) != 0 && (phases & 1U << CAROM_PHASE_PARTITION) != 0 &&
                   (phases & 1U << CAROM_PHASE_SWEEP) != 0 && (phases & 1U << CAROM_PHASE_GROUPS) != 0,
               "phases %x", phases);
}

/* Bodies that go on as they did before: `step` steps from where they were. */
static any_bodies moved(const random_scene *scene, any_precision precision, uint32_t step, double pace) {
    any_bodies bodies = any_bodies_make(precision, &scene->bodies);
    for (uint64_t n = 0; n < scene->bodies.count; n++) {
        for (int a = 0; a < 3; a++) {
            const double from = scene->field[a][n];
            const double way = pace * (scene->field[a + 3][n] - from);
            any_bodies_set(&bodies, a, n, (double)(float)(from + step * way));
            any_bodies_set(&bodies, a + 3, n, (double)(float)(from + (step + 1) * way));
        }
    }
    return bodies;
}

/* A step after a cancelled one is a first step: the bits of a series that begins with it. */
static void check_afresh(any_coherent *coherent, const any_bodies steps[], uint32_t from, uint32_t count,
                         const carom_detect_config *config, carom_context *other) {
    any_coherent fresh = any_coherent_start(other, steps[0].precision);
    for (uint32_t s = from; s < count; s++) {
        carom_coherent_report told = {0};
        carom_coherent_report expected = {0};
        any_result r = any_coherent_step(coherent, &steps[s], config, &told);
        any_result e = any_coherent_step(&fresh, &steps[s], config, &expected);
        note_check(r.status == CAROM_OK && any_result_same(&r, &e), "step %u after a cancelled one: other results", s);
        note_check(told.cold == expected.cold && told.rebuilt == expected.rebuilt &&
                       told.compared == expected.compared && told.begun == expected.begun &&
                       told.persisted == expected.persisted && told.ended == expected.ended &&
                       told.candidates == expected.candidates && told.escapes == expected.escapes,
                   "step %u after a cancelled one: another report", s);
        any_result_release(&r);
        any_result_release(&e);
    }
    any_coherent_stop(&fresh);
}

enum { STEPS = 5, CANCELLED_STEP = 2 };

/* Steps 0 and 1, a cancelled step 2, and steps 2 to 4 afresh. Returns whether step 2 was through. */
static bool cancel_series(const any_bodies steps[STEPS], uint64_t at, carom_context *context, carom_context *other,
                          const carom_detect_config *config) {
    any_coherent coherent = any_coherent_start(context, steps[0].precision);
    listener l = {.cancel_at = at};
    const carom_detect_config with = listened(config, &l);
    for (uint32_t s = 0; s < CANCELLED_STEP; s++) {
        any_result r = any_coherent_step(&coherent, &steps[s], config, NULL);
        note_check(r.status == CAROM_OK, "%s", r.error.message);
        any_result_release(&r);
    }
    carom_coherent_report report = {0};
    any_result r = any_coherent_step(&coherent, &steps[CANCELLED_STEP], &with, &report);
    const bool through = r.status == CAROM_OK;
    if (!through) {
        check_cancelled(&r, &l);
        note_check(report.begun == 0 && report.ended == 0 && report.begun_i == NULL && !report.rebuilt, "a report");
        check_afresh(&coherent, steps, CANCELLED_STEP, STEPS, config, other);
    }
    any_result_release(&r);
    any_coherent_stop(&coherent);
    return through;
}

/* Paces: a list that is followed, one that grows, one that is rebuilt, cold steps. */
static void test_steps(void **state) {
    (void)state;
    static const double paces[] = {0.001, 0.02, 0.1, 1.0};
    for (uint64_t setting = 0; setting < 32; setting++) {
        const any_precision precision = (any_precision)(setting % 2);
        const double pace = paces[setting / 4 % 4];
        carom_context *context = isa_contexts[setting / 2 % 2];
        carom_random random = carom_random_seeded(note_case_seed(5000 + setting));
        random_scene scene = random_scene_make(RANDOM_UNIFORM_DENSE, 800, true, &random);
        any_bodies steps[STEPS];
        for (uint32_t s = 0; s < STEPS; s++) {
            steps[s] = moved(&scene, precision, s, pace);
        }
        carom_detect_config config = any_config_full();
        carom_periodic box = box_around(&scene.bodies);
        box.self_images = false;
        config.periodic = setting >= 16 ? &box : NULL;
        config.sort_pairs = setting % 4 < 2;
        config.neighbours = setting % 4 < 2 ? CAROM_NEIGHBOURS_FULL : CAROM_NEIGHBOURS_NONE;
        uint64_t at = 1;
        bool through = false;
        for (; !through && at < REPORTS_MOST; at += note_short() ? 5 : 1) {
            note_case(setting, "steps at pace %g%s, %s, %u threads, cancelled at report %" PRIu64, pace,
                      setting >= 16 ? " in a box" : "", any_precision_name(precision), carom_context_threads(context),
                      at);
            through = cancel_series(steps, at, context, isa_contexts[2], &config);
        }
        note_check(through && at > 5, "%" PRIu64 " reports", at);
        for (uint32_t s = 0; s < STEPS; s++) {
            any_bodies_release(&steps[s]);
        }
        random_scene_release(&scene);
    }
}

/* Series of many bodies: cancelled within the passes of a rebuild, and of a step that follows a list. */
static void test_sliced_steps(void **state) {
    (void)state;
    enum { STRIDE = 37 };
    for (uint64_t setting = 0; setting < 4; setting++) {
        const any_precision precision = (any_precision)(setting % 2);
        carom_context *context = isa_contexts[setting / 2];
        carom_random random = carom_random_seeded(note_case_seed(9000 + setting));
        random_scene scene = random_scene_make(RANDOM_UNIFORM_SPARSE, SLICED, true, &random);
        any_bodies bodies = moved(&scene, precision, 0, 0.001);
        const carom_detect_config config = any_config_full();
        any_result expected = any_detect_bodies(context, &bodies, &config, NULL);
        for (uint32_t step = 0; step < 3; step++) {
            any_coherent coherent = any_coherent_start(context, precision);
            uint64_t at = 1;
            for (bool through = false; !through && at < REPORTS_MOST; at += note_short() ? 10 * STRIDE : STRIDE) {
                note_case(setting, "step %u of %d bodies, %s, %u threads, cancelled at report %" PRIu64, step, SLICED,
                          any_precision_name(precision), carom_context_threads(context), at);
                listener l = {.cancel_at = at};
                const carom_detect_config with = listened(&config, &l);
                for (uint32_t s = 0; s <= step; s++) {
                    any_result r = any_coherent_step(&coherent, &bodies, s == step ? &with : &config, NULL);
                    through = s == step && r.status == CAROM_OK;
                    note_check(r.status == CAROM_ERROR_CANCELLED ||
                                   (r.status == CAROM_OK && any_result_same(&r, &expected)),
                               "step %u: status %s, or other results", s, carom_status_name(r.status));
                    any_result_release(&r);
                }
            }
            note_check(at < REPORTS_MOST, "there is no end of reports");
            any_coherent_stop(&coherent);
        }
        any_result_release(&expected);
        any_bodies_release(&bodies);
        random_scene_release(&scene);
    }
}

/* A thread that raises and clears a flag, without end. */
typedef struct nuisance {
    carom_cancel flag;
    atomic_bool over;
} nuisance;

static void *disturb(void *data) {
    nuisance *n = data;
    carom_random random = carom_random_seeded(7);
    while (!atomic_load(&n->over)) {
        const struct timespec span = {0, (long)(carom_random_next(&random) % 2000000)};
        nanosleep(&span, NULL);
        carom_cancel_raise(&n->flag);
        nanosleep(&span, NULL);
        carom_cancel_clear(&n->flag);
    }
    return NULL;
}

/* Calls that another thread cancels at any moment are cancelled or whole. For the thread sanitizer, too. */
static void test_other_thread(void **state) {
    (void)state;
    nuisance n = {.flag = {0}};
    carom_random random = carom_random_seeded(note_case_seed(6000));
    random_scene scene = random_scene_make(RANDOM_UNIFORM_DENSE, LARGE, true, &random);
    any_bodies bodies = any_bodies_make(ANY_F32, &scene.bodies);
    const carom_detect_config plain = any_config_full();
    carom_detect_config config = plain;
    config.cancel = &n.flag;
    any_result expected = any_detect_bodies(isa_contexts[1], &bodies, &plain, NULL);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, disturb, &n), 0);
    for (uint64_t call = 0; call < note_cases(200); call++) {
        carom_context *context = isa_contexts[1 + call % 2];
        note_case(call, "%u threads", carom_context_threads(context));
        any_result r = any_detect_bodies(context, &bodies, &config, NULL);
        note_check(r.status == CAROM_ERROR_CANCELLED || any_result_same(&r, &expected), "status %s",
                   carom_status_name(r.status));
        any_result_release(&r);
    }
    atomic_store(&n.over, true);
    pthread_join(thread, NULL);
    any_result_release(&expected);
    any_bodies_release(&bodies);
    random_scene_release(&scene);
}

/* Cancelled calls and those after them ask the allocator for nothing, once buffers have grown. */
static void test_allocates_nothing(void **state) {
    (void)state;
    for (uint64_t setting = 0; setting < 4; setting++) {
        const any_precision precision = (any_precision)(setting % 2);
        fault_allocator allocator;
        fault_allocator_init(&allocator);
        carom_context_config create = carom_context_config_default();
        create.threads = setting / 2 == 0 ? 1 : 3;
        create.allocator = fault_allocator_get(&allocator);
        carom_context *context = NULL;
        assert_int_equal(carom_context_create(&create, &context, NULL), CAROM_OK);
        carom_random random = carom_random_seeded(note_case_seed(7000));
        random_scene scene = random_scene_make(RANDOM_UNIFORM_DENSE, 8000, true, &random);
        any_bodies bodies = any_bodies_make(precision, &scene.bodies);
        carom_detect_config config = any_config_full();
        config.neighbours = CAROM_NEIGHBOURS_FULL;
        note_case(setting, "%s, %u threads", any_precision_name(precision), create.threads);
        carom_detect_summary summary;
        for (int warm = 0; warm < 3; warm++) {
            assert_int_equal(any_detect_status(context, &bodies, &config, &summary), CAROM_OK);
        }
        const uint64_t requests = allocator.requests;
        carom_status status = CAROM_ERROR_CANCELLED;
        for (uint64_t at = 1; status == CAROM_ERROR_CANCELLED; at += note_short() ? 5 : 1) {
            listener l = {.cancel_at = at};
            const carom_detect_config with = listened(&config, &l);
            status = any_detect_status(context, &bodies, &with, &summary);
            assert_int_equal(any_detect_status(context, &bodies, &config, &summary), CAROM_OK);
        }
        note_check(status == CAROM_OK && allocator.requests == requests, "%" PRIu64 " requests more",
                   allocator.requests - requests);
        any_bodies_release(&bodies);
        random_scene_release(&scene);
        carom_context_destroy(context);
        note_check(allocator.live_blocks == 0 && allocator.damages == 0, "blocks are left or damaged");
    }
}

int main(void) {
    note_start("tests/prop/test_cancel");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_raised_before),     cmocka_unit_test(test_random_scenes),
        cmocka_unit_test(test_large_scenes),      cmocka_unit_test(test_slices),
        cmocka_unit_test(test_sliced_steps),      cmocka_unit_test(test_outputs),
        cmocka_unit_test(test_granularity),       cmocka_unit_test(test_steps),
        cmocka_unit_test(test_allocates_nothing), cmocka_unit_test(test_other_thread),
    };
    return cmocka_run_group_tests_name("cancel", tests, make_contexts, isa_contexts_destroy);
}
