/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Coherent detection when memory or room of the caller's gives out. Every request of a step fails, alone or with all
 * after it, and arrays of every size are too small: the step says so and writes nothing, or does without and is right,
 * and so are the same step again and the one after it. Under every limit a step asks for more, and then has enough.
 * Between rebuilds a step asks for nothing. Compiled once for each precision. */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "tests/prop/stepper_tmpl.h"
#include "tests/support/check.h"
#include "tests/support/guarded_output.h"
#include "tests/support/note.h"

typedef CAROM_REAL(carom_detect_output) detect_output;

#define MEMORY CAROM_REAL(carom_coherent_memory)

enum { BODIES = 3000, ROWS_MOST = 4000, REQUESTS_MOST = 400, THREADS_MOST = 3 };

static const any_precision PRECISION = CAROM_REAL_BITS == 32 ? ANY_F32 : ANY_F64;

/* What steps are asked for: rows in order, in arrays of the caller's too, and neighbours; filtered rows for a sink;
 * rows as they come; the first in a periodic box. */
typedef enum way { SORTED, FILTERED, PLAIN, PERIODIC, WAYS } way;

static const char *const WAY_NAMES[WAYS] = {"sorted", "filtered", "plain", "periodic"};

/* A moving scene under a counting allocator. */
typedef struct watched {
    way way;
    uint32_t steps_ahead; /* 0: as it pays */
    fault_allocator faults;
    carom_context *context;
    coherent *coherent;
    film film;
    guarded_output arrays;
    _Atomic uint64_t rows;
    carom_detect_summary summary; /* of the last step */
} watched;

static carom_status create(watched *w, carom_error *error) {
    carom_coherent_config config = carom_coherent_config_default();
    config.events = true;
    config.steps_ahead = w->steps_ahead;
    return CREATE(w->context, &config, &w->coherent, error);
}

/* All but the detection. limit: of the context; 0: none. */
static void watch_limited(watched *w, way what, uint32_t threads, double scale, uint64_t limit) {
    *w = (watched){.way = what, .film = film_start('u', BODIES, scale)};
    fault_allocator_init(&w->faults);
    carom_context_config config = carom_context_config_default();
    config.threads = threads;
    config.bodies_per_thread = 1;
    config.memory_limit = limit;
    config.allocator = fault_allocator_get(&w->faults);
    note_check(carom_context_create(&config, &w->context, NULL) == CAROM_OK, "no context");
    w->arrays = guarded_make(PRECISION, ROWS_MOST, BODIES);
}

static void watch(watched *w, way what, uint32_t threads, double scale) {
    watch_limited(w, what, threads, scale, 0);
}

static void unwatch(watched *w) {
    DESTROY(w->coherent);
    carom_context_destroy(w->context);
    note_check(w->faults.live_blocks == 0 && w->faults.damages == 0, "leak or damage");
    guarded_release(&w->arrays);
    film_stop(&w->film);
}

static bool count_rows(void *user, const CAROM_REAL(carom_block) * block) {
    *(_Atomic uint64_t *)user += block->count;
    return true;
}

/* Every fifth body is fixed, and each excludes the one before. */
static const carom_filter *some_filter(void) {
    static uint64_t offset[BODIES + 1];
    static uint32_t excluded[BODIES];
    static uint8_t fixed[BODIES];
    static carom_filter filter;
    filter = carom_filter_default();
    for (uint32_t n = 0; n < BODIES; n++) {
        offset[n + 1] = n + 1;
        excluded[n] = n > 0 ? n - 1 : 0;
        fixed[n] = n % 5 == 0;
    }
    filter.exclusion_offset = offset;
    filter.excluded = excluded;
    filter.fixed = fixed;
    return &filter;
}

/* The box of the film. */
static const carom_periodic *some_box(const watched *w) {
    static carom_periodic box;
    box = carom_periodic_default();
    for (int a = 0; a < 3; a++) {
        box.along[a] = true;
        box.edge[a][a] = w->film.scene.box[a];
    }
    return &box;
}

static carom_detect_config config_of(const watched *w) {
    const way what = w->way;
    carom_detect_config config = stepper_config();
    config.periodic = what == PERIODIC ? some_box(w) : NULL;
    config.sort_pairs = what == SORTED || what == PERIODIC;
    config.group_members = what != PLAIN;
    config.neighbours = what == SORTED ? CAROM_NEIGHBOURS_FULL : CAROM_NEIGHBOURS_NONE;
    config.filter = what == FILTERED ? some_filter() : NULL;
    return config;
}

static void check_failed(const watched *w, const detection *found, const carom_coherent_report *report) {
    note_check(w->rows == 0, "%" PRIu64 " rows came", w->rows);
    note_check(found->summary.touching_pairs == 0 && found->contacts.i == NULL && found->groups.label == NULL,
               "results of a step that failed");
    note_check(report->begun == 0 && report->begun_i == NULL, "events of a step that failed");
    guarded_check_untouched(&w->arrays);
}

static void check_right(watched *w, const bodies_view *bodies, const carom_detect_config *config,
                        const detection *found) {
    detection cold = {0};
    assert_int_equal(DETECT(stepper_contexts[0], bodies, config, NULL, &cold, NULL), CAROM_OK);
    cold.pair_count = w->way != FILTERED ? cold.pair_count : 0;
    if (w->way == PLAIN) {
        note_check(found->summary.result_hash == cold.summary.result_hash, "other results");
    } else {
        stepper_check_same(found, &cold, bodies->count);
    }
    note_check(w->way != FILTERED || w->rows == cold.summary.touching_pairs, "%" PRIu64 " rows came", w->rows);
    any_result rows = stepper_rows(found, bodies->count);
    guarded_check_filled(&w->arrays, &rows);
    any_result_release(&rows);
    guarded_refill(&w->arrays);
}

/* A step of the first `count` bodies: right, or MEMORY, which it returns, and nothing written. */
static carom_status take_step(watched *w, uint64_t count, carom_coherent_report *report) {
    world bodies = world_of_scene(&w->film.scene, &w->film.random);
    const carom_detect_config config = config_of(w);
    const detect_output sink = {.sink = count_rows, .sink_user = &w->rows, .label = w->arrays.arrays.label};
    detect_output output = w->way == FILTERED ? sink : CAROM_REAL(any_output)(&w->arrays.arrays);
    for (int a = 0; a < 3; a++) {
        output.contacts.shift[a] = NULL; /* only a periodic box would write them */
    }
    detection found = {0};
    bodies.count = count;
    bodies_view b = world_view(&bodies);
    w->rows = 0;
    carom_status status = STEP(w->coherent, &b, &config, &output, &found, report, NULL);
    note_check(status == CAROM_OK || status == CAROM_ERROR_MEMORY, "status %s", carom_status_name(status));
    w->summary = found.summary;
    if (status == CAROM_OK) {
        check_right(w, &b, &config, &found);
    } else {
        check_failed(w, &found, report);
    }
    world_release(&bodies);
    return status;
}

static void must_step(watched *w, uint64_t count) {
    carom_coherent_report report = {0};
    note_check(take_step(w, count, &report) == CAROM_OK, "no memory although there is");
}

/* Bodies of each step: the first builds, the second needs more room and builds again, the third remembers all pairs
 * that have ended. */
enum { STEPS = 3 };
static const uint64_t COUNTS[STEPS] = {BODIES / 2, BODIES, 0};

/* How a scene moves: displacements in those of the scene, and steps ahead, fixed or as it pays. Slow bodies have lists,
 * fast ones cold steps. */
typedef struct motion {
    double scale;
    uint32_t steps_ahead;
} motion;

static const motion SLOW_AND_FAST[2] = {{0.3, 12}, {4, 0}};

/* The request that fails, of which step. */
typedef struct refusal {
    way way;
    uint32_t threads;
    uint32_t step;
    bool from_then_on;
    motion motion;
} refusal;

/* Returns whether the step made so many requests. */
static bool refuse(const refusal *r, uint64_t nth, uint64_t *failures) {
    watched w;
    carom_coherent_report report = {0};
    watch(&w, r->way, r->threads, r->motion.scale);
    w.steps_ahead = r->motion.steps_ahead;
    assert_int_equal(create(&w, NULL), CAROM_OK);
    for (uint32_t step = 0; step < r->step; step++) {
        must_step(&w, COUNTS[step]);
        carom_scene_motion_step(&w.film.motion, &w.film.scene);
    }
    const uint64_t before = w.faults.requests;
    fault_allocator_fail(&w.faults, nth, r->from_then_on);
    *failures += take_step(&w, COUNTS[r->step], &report) != CAROM_OK;
    const bool reached = w.faults.requests - before >= nth;
    fault_allocator_fail(&w.faults, 0, false);
    must_step(&w, COUNTS[r->step]);
    carom_scene_motion_step(&w.film.motion, &w.film.scene);
    must_step(&w, COUNTS[(r->step + 1) % STEPS]);
    unwatch(&w);
    return reached;
}

static void refuse_each(const refusal *r) {
    uint64_t nth = 0;
    uint64_t failures = 0;
    bool reached = true;
    while (reached && nth < REQUESTS_MOST) {
        nth++;
        note_case(nth, "%s, %u threads, displacements times %g, request %" PRIu64 " of step %u fails%s",
                  WAY_NAMES[r->way], r->threads, r->motion.scale, nth, r->step,
                  r->from_then_on ? " and all after it" : "");
        reached = refuse(r, nth, &failures);
    }
    note_check(!reached, "more than %d requests", REQUESTS_MOST);
    /* Of a cold step every single request may fail. */
    note_check(failures > 0 || !r->from_then_on, "none of %" PRIu64 " requests was missed", nth - 1);
}

static void refuse_all(way what) {
    for (uint32_t threads = 1; threads <= 2; threads++) {
        for (uint32_t step = 0; step < STEPS; step++) {
            for (int fast = 0; fast < 2; fast++) {
                refuse_each(&(refusal){what, threads, step, false, SLOW_AND_FAST[fast]});
                refuse_each(&(refusal){what, threads, step, true, SLOW_AND_FAST[fast]});
            }
        }
    }
}

static void test_memory_gives_out(void **state) {
    (void)state;
    refuse_all(SORTED);
}

static void test_memory_gives_out_filtered(void **state) {
    (void)state;
    refuse_all(FILTERED);
}

static void test_memory_gives_out_periodic(void **state) {
    (void)state;
    refuse_all(PERIODIC);
}

/* Limits tried between the least and the need, and attempts that a row of steps may take: two a step. */
enum { LIMITS = 12, ATTEMPTS_MOST = 2 * STEPS };
/* Bodies of the steps under a limit: one builds, one follows, one builds for more. */
static const uint64_t LIMITED_COUNTS[STEPS] = {BODIES / 2, BODIES / 2, BODIES};

/* The least limit that has any sense: context and state, and little else. */
static const uint64_t LIMIT_LEAST = 64 << 10;

/* How far a row of steps gets under a limit, and what the step that fails asks for. */
typedef struct outcome {
    uint32_t done;
    uint64_t required;
    bool counted;
    uint64_t peak;
} outcome;

static outcome run_limited(way what, uint32_t threads, const motion *m, uint64_t limit) {
    watched w;
    carom_coherent_report report = {0};
    outcome o = {.done = 0};
    watch_limited(&w, what, threads, m->scale, limit);
    w.steps_ahead = m->steps_ahead;
    assert_int_equal(create(&w, NULL), CAROM_OK);
    while (o.done < STEPS && take_step(&w, LIMITED_COUNTS[o.done], &report) == CAROM_OK) {
        note_check(report.cold == (m->steps_ahead == 0), "step %u: a cold step, or a list", o.done);
        note_check(report.cold || report.rebuilt == (o.done != 1), "step %u: %s", o.done,
                   report.rebuilt ? "rebuilt" : "followed");
        carom_scene_motion_step(&w.film.motion, &w.film.scene);
        o.done++;
    }
    o.required = w.summary.required_bytes;
    o.counted = w.summary.required_pairs > 0;
    o.peak = w.faults.peak_bytes;
    note_check(limit == 0 || o.peak <= limit, "%" PRIu64 " bytes held, the limit is %" PRIu64, o.peak, limit);
    unwatch(&w);
    return o;
}

/* Raises the limit to what is asked for: it is always more, the step always gets further, and once its pairs are
 * counted it has enough. */
static void raise_limit(way what, uint32_t threads, const motion *m, uint64_t limit, uint64_t need) {
    outcome before = {.done = 0};
    int attempt = 0;
    for (; attempt <= ATTEMPTS_MOST && before.done < STEPS; attempt++) {
        const outcome now = run_limited(what, threads, m, limit);
        note_check(now.done >= before.done, "step %u fails where it did not", now.done);
        note_check(!before.counted || now.done > before.done, "%" PRIu64 " bytes were asked for, but fail", limit);
        note_check(now.done == STEPS || now.required > limit, "%" PRIu64 " bytes asked for, the limit was %" PRIu64,
                   now.required, limit);
        limit = now.done < STEPS ? now.required : limit;
        before = now;
    }
    note_check(before.done == STEPS, "%d attempts are too few: %" PRIu64 " bytes", attempt, limit);
    note_check(limit <= 2 * need, "%" PRIu64 " bytes asked for, %" PRIu64 " needed", limit, need);
}

static void try_limits(way what, uint32_t threads, const motion *m) {
    note_case(what, "%s, %u threads, no limit", WAY_NAMES[what], threads);
    const uint64_t need = run_limited(what, threads, m, 0).peak;
    for (uint64_t n = 0; n < note_cases(LIMITS); n++) {
        const uint64_t limit = LIMIT_LEAST + (need - LIMIT_LEAST) * n / LIMITS;
        note_case(n, "%s, %u threads, displacements times %g, limit %" PRIu64, WAY_NAMES[what], threads, m->scale,
                  limit);
        raise_limit(what, threads, m, limit, need);
    }
}

static void test_limits(void **state) {
    (void)state;
    static const motion motions[2] = {{0.02, 24}, {4, 0}};
    for (way what = SORTED; what < WAYS; what++) {
        for (uint32_t threads = 1; threads <= THREADS_MOST; threads++) {
            try_limits(what, threads, &motions[0]);
            try_limits(what, threads, &motions[1]);
        }
    }
}

/* A first step of all bodies, under a limit; 0: none. Returns what is held at the highest, and
 * what the library says of the numbers that the first step found. */
static uint64_t run_bound(way what, uint32_t threads, uint64_t limit, uint64_t *bound) {
    watched w;
    carom_coherent_report report = {0};
    const carom_coherent_config told = {.size = sizeof told, .events = true};
    watch_limited(&w, what, threads, 0.02, limit);
    assert_int_equal(create(&w, NULL), CAROM_OK);
    note_check(take_step(&w, BODIES, &report) == CAROM_OK, "%" PRIu64 " bytes are not enough, but %" PRIu64, limit,
               w.summary.required_bytes);
    const carom_detect_config config = config_of(&w);
    *bound = MEMORY(w.context, BODIES, report.candidates, w.summary.required_pairs, &config, &told);
    const uint64_t peak = w.faults.peak_bytes;
    unwatch(&w);
    return peak;
}

/* What the library says beforehand is enough, and at most 1.3 times what is held. */
static void test_bound(void **state) {
    (void)state;
    for (way what = SORTED; what < WAYS; what++) {
        for (uint32_t threads = 1; threads <= THREADS_MOST; threads++) {
            uint64_t bound;
            uint64_t same;
            note_case(what, "bound: %s, %u threads", WAY_NAMES[what], threads);
            run_bound(what, threads, 0, &bound);
            const uint64_t peak = run_bound(what, threads, bound, &same);
            note_check(same == bound, "%" PRIu64 " bytes, then %" PRIu64, bound, same);
            note_check(1.3 * (double)peak >= (double)bound, "%" PRIu64 " bytes asked for, %" PRIu64 " held", bound,
                       peak);
        }
    }
}

static void test_no_memory_to_create(void **state) {
    (void)state;
    carom_status status = CAROM_ERROR_MEMORY;
    uint64_t nth = 0;
    while (status != CAROM_OK) {
        watched w;
        carom_error error;
        nth++;
        note_case(nth, "request %" PRIu64 " of the creation fails", nth);
        watch(&w, SORTED, 1, 1);
        w.coherent = (coherent *)(uintptr_t)8;
        fault_allocator_fail(&w.faults, nth, true);
        status = create(&w, &error);
        note_check(status == CAROM_OK || (status == CAROM_ERROR_MEMORY && error.status == status), "status %s",
                   carom_status_name(status));
        note_check(status == CAROM_OK || w.coherent == NULL, "a detection after all");
        unwatch(&w);
    }
    note_check(nth > 1, "it makes no requests");
}

/* What the steps of a scene without a rebuild ask for. `growth`: of radii, a step. */
static void watch_steps(way what, uint32_t threads, double growth) {
    watched w;
    uint64_t rows = 0;
    uint64_t warm = 0;
    watch(&w, what, threads, 0.05);
    assert_int_equal(create(&w, NULL), CAROM_OK);
    for (uint32_t step = 0; step < 120; step++) {
        carom_coherent_report report = {0};
        uint64_t before = w.faults.requests;
        note_case(what, "%s, %u threads, radii times %g, step %u", WAY_NAMES[what], threads, growth, step);
        assert_int_equal(take_step(&w, BODIES, &report), CAROM_OK);
        note_check(report.rebuilt || w.faults.requests == before, "it asks for memory");
        warm += !report.rebuilt && report.begun + report.persisted > rows;
        rows = report.begun + report.persisted > rows ? report.begun + report.persisted : rows;
        carom_scene_motion_step(&w.film.motion, &w.film.scene);
        for (uint64_t n = 0; n < BODIES; n++) {
            w.film.scene.radius[n] = (float)((double)w.film.scene.radius[n] * growth);
        }
    }
    note_check(growth == 1 || warm > 10, "there are never more rows than before but after a rebuild");
    unwatch(&w);
}

/* Between rebuilds a step asks for nothing, not even where there are more rows and groups than ever. */
static void test_no_allocation_between_rebuilds(void **state) {
    (void)state;
    for (way what = SORTED; what < WAYS; what++) {
        for (uint32_t threads = 1; threads <= 2; threads++) {
            watch_steps(what, threads, 1);
            watch_steps(what, threads, 1.0005);
        }
    }
}

/* A step into arrays of this capacity, and the same again, with its events. Returns what is needed. */
static uint64_t try_capacity(stepper *s, const bodies_view *bodies, uint64_t capacity) {
    const carom_detect_config config = stepper_config();
    guarded_output g = guarded_make(PRECISION, capacity, bodies->count);
    const detect_output output = CAROM_REAL(any_output)(&g.arrays);
    carom_coherent_report report = {0};
    detection found = {0};
    detection cold = {0};
    carom_status status = STEP(s->coherent, bodies, &config, &output, &found, &report, NULL);
    assert_int_equal(DETECT(s->cold, bodies, &config, NULL, &cold, NULL), CAROM_OK);
    const uint64_t needed = cold.pair_count;
    note_check(status == (capacity < needed ? CAROM_ERROR_CAPACITY : CAROM_OK), "status %s", carom_status_name(status));
    note_check(found.summary.required_pairs == needed, "required_pairs is %" PRIu64, found.summary.required_pairs);
    if (status == CAROM_OK) {
        stepper_check_same(&found, &cold, bodies->count);
        stepper_check_events(s, &cold, &report);
        any_result rows = stepper_rows(&found, bodies->count);
        guarded_check_filled(&g, &rows);
        any_result_release(&rows);
    } else {
        note_check(report.begun == 0 && report.begun_i == NULL, "events of a step that failed");
        guarded_check_untouched(&g);
    }
    guarded_release(&g);
    stepper_check_step(s, bodies);
    return needed;
}

/* Bodies that go to and fro, then one less of them, which rebuilds the list. Returns the most that is needed. */
static uint64_t try_steps(stepper *s, world *w, uint64_t capacity) {
    uint64_t most = 0;
    for (uint64_t step = 0; step < 4; step++) {
        w->count = w->most - step / 2;
        world_go_on(w, -1);
        bodies_view bodies = world_view(w);
        uint64_t needed = try_capacity(s, &bodies, capacity);
        note_check(needed > 20, "only %" PRIu64 " pairs", needed);
        most = needed > most ? needed : most;
    }
    return most;
}

static void try_capacities(uint32_t threads) {
    film f = film_start('d', 60, 1);
    world w = world_of_scene(&f.scene, &f.random);
    carom_context *context = stepper_context(threads, NULL, NULL);
    stepper s = stepper_start(context, stepper_contexts[0], 0);
    uint64_t most = 0;
    for (uint64_t capacity = 0; capacity <= most + 1; capacity++) {
        note_case(capacity, "capacity %" PRIu64 ", %u threads", capacity, threads);
        most = try_steps(&s, &w, capacity);
    }
    stepper_stop(&s);
    carom_context_destroy(context);
    world_release(&w);
    film_stop(&f);
}

static void test_every_capacity(void **state) {
    (void)state;
    for (uint32_t threads = 1; threads <= THREADS_MOST; threads++) {
        try_capacities(threads);
    }
}

/* Too small an array of the caller's: nothing is written, and the same step can be had again with its events. */
static void test_capacity_over_rebuilds(void **state) {
    (void)state;
    film f = film_start('u', BODIES, 0.05);
    world bodies = world_of_scene(&f.scene, &f.random);
    bodies_view b = world_view(&bodies);
    stepper s = stepper_start(stepper_contexts[0], stepper_contexts[1], 0);
    note_case(0, "capacity over rebuilds");
    stepper_check_step(&s, &b);
    world_go_on(&bodies, 4);
    uint32_t room[4] = {7, 7, 7, 7};
    detect_output output = {.pair_capacity = 4, .contacts.i = room};
    carom_coherent_report report = {0};
    detection found = {0};
    assert_int_equal(STEP(s.coherent, &b, NULL, &output, &found, &report, NULL), CAROM_ERROR_CAPACITY);
    assert_true(found.summary.required_pairs > 4);
    assert_int_equal(room[0], 7);
    stepper_check_step(&s, &b);
    /* The same when the step that fails has rebuilt, and the one after it rebuilds again. */
    bodies.count -= 500;
    b = world_view(&bodies);
    assert_int_equal(STEP(s.coherent, &b, NULL, &output, &found, &report, NULL), CAROM_ERROR_CAPACITY);
    bodies.count -= 500;
    b = world_view(&bodies);
    stepper_check_step(&s, &b);
    assert_int_equal(STEP(s.coherent, &b, NULL, &output, &found, &report, NULL), CAROM_ERROR_CAPACITY);
    bodies.count = 0;
    b = world_view(&bodies);
    stepper_check_step(&s, &b);
    stepper_stop(&s);
    world_release(&bodies);
    film_stop(&f);
}

int main(int argc, char **argv) {
    (void)argc;
    note_start(argv[0]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_gives_out),
        cmocka_unit_test(test_memory_gives_out_filtered),
        cmocka_unit_test(test_memory_gives_out_periodic),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_bound),
        cmocka_unit_test(test_no_memory_to_create),
        cmocka_unit_test(test_no_allocation_between_rebuilds),
        cmocka_unit_test(test_every_capacity),
        cmocka_unit_test(test_capacity_over_rebuilds),
    };
    return cmocka_run_group_tests_name("coherent memory", tests, stepper_contexts_make, stepper_contexts_destroy);
}
