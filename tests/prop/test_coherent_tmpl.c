/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Coherent detection against cold detection, step by step, whatever the bodies do in between. Guards that hulls hold
 * what they promise, that no pair is lost or listed twice, that groups and events follow every change, and that the
 * order of the pairs does not depend on threads and instruction set. Compiled once for each precision. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"
#include "simd/isa.h"
#include "tests/support/check.h"
#include "tests/support/fault_allocator.h"
#include "tests/support/note.h"
#include "tests/support/random_scene.h"

typedef CAROM_REAL(carom_bodies) bodies_view;
typedef CAROM_REAL(carom_detection) detection;
typedef CAROM_REAL(carom_coherent) coherent;

#define DETECT CAROM_REAL(carom_detect)
#define CREATE CAROM_REAL(carom_coherent_create)
#define DESTROY CAROM_REAL(carom_coherent_destroy)
#define RESET CAROM_REAL(carom_coherent_reset)
#define STEP CAROM_REAL(carom_coherent_detect)

enum { CASES = 700, STEPS = 30, BODIES_MOST = 220, CROWDED_MOST = 50, CONTEXTS_MOST = 32, ISAS_MOST = 8 };

static carom_context *contexts[CONTEXTS_MOST];
static uint64_t context_count;

static carom_context *make_context(uint32_t threads, const char *isa, const fault_allocator *faults) {
    carom_context_config config = carom_context_config_default();
    carom_context *context;
    config.threads = threads;
    config.isa = isa;
    if (faults != NULL) {
        config.allocator = fault_allocator_get((fault_allocator *)(uintptr_t)faults);
    }
    assert_int_equal(carom_context_create(&config, &context, NULL), CAROM_OK);
    return context;
}

static int make_contexts(void **state) {
    (void)state;
    static const uint32_t threads[] = {1, 2, 7};
    const char *isas[ISAS_MOST];
    size_t count = carom_isa_available(isas, ISAS_MOST);
    for (size_t n = 0; n < count; n++) {
        for (size_t t = 0; t < 3; t++) {
            contexts[context_count++] = make_context(threads[t], isas[n], NULL);
        }
    }
    return 0;
}

static int destroy_contexts(void **state) {
    (void)state;
    while (context_count > 0) {
        carom_context_destroy(contexts[--context_count]);
    }
    return 0;
}

/* Bodies that move: prev, curr, radius. */
typedef struct world {
    uint64_t count;
    uint64_t most;
    carom_real *field[7];
    carom_random *random;
} world;

static double unit(world *w) {
    return carom_random_u01(w->random);
}

static bodies_view view(const world *w) {
    return (bodies_view){.count = w->count,
                         .prev = {w->field[0], w->field[1], w->field[2]},
                         .curr = {w->field[3], w->field[4], w->field[5]},
                         .radius = w->field[6]};
}

static world make_world(const double *const from[7], uint64_t count, carom_random *random) {
    world w = {.count = count, .most = count, .random = random};
    for (int f = 0; f < 7; f++) {
        w.field[f] = calloc(count + 1, sizeof(carom_real));
        assert_non_null(w.field[f]);
        for (uint64_t n = 0; n < count; n++) {
            w.field[f][n] = (carom_real)from[f][n];
        }
    }
    return w;
}

static void release_world(world *w) {
    for (int f = 0; f < 7; f++) {
        free(w->field[f]);
    }
}

/* On as before, with displacements times `scale`. */
static void go_on(world *w, double scale) {
    for (int a = 0; a < 3; a++) {
        for (uint64_t n = 0; n < w->count; n++) {
            carom_real displacement = w->field[3 + a][n] - w->field[a][n];
            w->field[a][n] = w->field[3 + a][n];
            carom_real to = w->field[a][n] + (carom_real)scale * displacement;
            w->field[3 + a][n] = isfinite(to) ? to : w->field[a][n];
        }
    }
}

static void jump(world *w, uint64_t n, bool far) {
    uint64_t to = carom_random_next(w->random) % w->count;
    for (int a = 0; a < 3; a++) {
        w->field[a][n] = w->field[a][to];
        w->field[3 + a][n] = far ? w->field[3 + a][carom_random_next(w->random) % w->count] : w->field[3 + a][to];
    }
}

typedef enum change {
    GO_ON,
    STAND,
    SLOW,
    TURN,
    WANDER,
    TELEPORT_SOME,
    SWEEP_SOME,
    TELEPORT_ALL,
    GROW_SOME,
    OTHER_COUNT,
    SHUFFLE_PREV,
    CHANGES
} change;

static void change_some(world *w, change what) {
    uint64_t some = 1 + carom_random_next(w->random) % 4;
    for (uint64_t s = 0; s < some && w->count > 0; s++) {
        uint64_t n = carom_random_next(w->random) % w->count;
        if (what == GROW_SOME) {
            w->field[6][n] *= (carom_real)(0.5 + 1.5 * unit(w));
        } else {
            jump(w, n, what == SWEEP_SOME);
        }
    }
}

static void change_world(world *w, change what) {
    switch (what) {
    case STAND:
        go_on(w, 0);
        break;
    case SLOW:
        go_on(w, 0.05);
        break;
    case TURN:
        go_on(w, -1);
        break;
    case WANDER:
        go_on(w, 0.5 - unit(w));
        break;
    case TELEPORT_SOME:
    case SWEEP_SOME:
    case GROW_SOME:
        go_on(w, 1);
        change_some(w, what);
        break;
    case TELEPORT_ALL:
        for (uint64_t n = 0; n < w->count; n++) {
            jump(w, n, false);
        }
        break;
    case OTHER_COUNT:
        w->count = carom_random_next(w->random) % (w->most + 1);
        break;
    case SHUFFLE_PREV: /* prev is not curr of the step before */
        change_some(w, TELEPORT_SOME);
        break;
    default:
        go_on(w, 1);
    }
}

/* Touching pairs as sorted keys: both detections give them in order. */
typedef struct pair_set {
    uint64_t count;
    uint64_t *key;
} pair_set;

static int compare_keys(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left;
    uint64_t b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static pair_set pairs_of(uint64_t count, const uint32_t *i, const uint32_t *k) {
    pair_set set = {count, calloc(count + 1, sizeof(uint64_t))};
    for (uint64_t n = 0; n < count; n++) {
        assert_true(i[n] < k[n]);
        set.key[n] = (uint64_t)i[n] << 32 | k[n];
    }
    qsort(set.key, count, sizeof *set.key, compare_keys);
    return set;
}

/* What `a` has and `b` has not. */
static pair_set difference(const pair_set *a, const pair_set *b) {
    pair_set only = {0, calloc(a->count + 1, sizeof(uint64_t))};
    for (uint64_t n = 0; n < a->count; n++) {
        if (b->count == 0 || bsearch(&a->key[n], b->key, b->count, sizeof(uint64_t), compare_keys) == NULL) {
            only.key[only.count++] = a->key[n];
        }
    }
    return only;
}

static void check_list(const char *what, const pair_set *expected, uint64_t count, const uint32_t *i,
                       const uint32_t *k) {
    note_check(count == expected->count, "%" PRIu64 " pairs %s, not %" PRIu64, count, what, expected->count);
    pair_set listed = pairs_of(count, i, k);
    note_check(memcmp(listed.key, expected->key, count * sizeof(uint64_t)) == 0, "other pairs %s", what);
    free(listed.key);
}

static void check_events(const pair_set *before, const pair_set *now, const carom_coherent_report *report) {
    pair_set begun = difference(now, before);
    pair_set ended = difference(before, now);
    check_list("begun", &begun, report->begun, report->begun_i, report->begun_k);
    check_list("ended", &ended, report->ended, report->ended_i, report->ended_k);
    note_check(report->persisted == now->count - begun.count, "%" PRIu64 " pairs persist", report->persisted);
    free(begun.key);
    free(ended.key);
}

static void check_array(const char *what, const void *a, const void *b, uint64_t bytes) {
    note_check(bytes == 0 || (a == NULL) == (b == NULL), "%s: only one has it", what);
    note_check(a == NULL || bytes == 0 || memcmp(a, b, bytes) == 0, "%s differ", what);
}

/* Both in order of (i, k). */
static void check_same(const detection *got, const detection *cold, uint64_t bodies) {
    const carom_detect_summary *a = &got->summary;
    const carom_detect_summary *b = &cold->summary;
    note_check(a->box_pairs == b->box_pairs, "%" PRIu64 " box pairs, not %" PRIu64, a->box_pairs, b->box_pairs);
    note_check(a->touching_pairs == b->touching_pairs, "%" PRIu64 " touching pairs, not %" PRIu64, a->touching_pairs,
               b->touching_pairs);
    note_check(a->groups == b->groups && a->largest_group == b->largest_group,
               "%" PRIu64 " groups, largest %" PRIu64 ", not %" PRIu64 ", %" PRIu64, a->groups, a->largest_group,
               b->groups, b->largest_group);
    note_check(got->pair_count == cold->pair_count, "other number of rows");
    uint64_t rows = got->pair_count;
    check_array("i", got->i, cold->i, rows * sizeof(uint32_t));
    check_array("k", got->k, cold->k, rows * sizeof(uint32_t));
    check_array("t_ca", got->t_ca, cold->t_ca, rows * sizeof(carom_real));
    check_array("distance", got->distance, cold->distance, rows * sizeof(carom_real));
    check_array("t_toi", got->t_toi, cold->t_toi, rows * sizeof(carom_real));
    for (int x = 0; x < 3; x++) {
        check_array("normal", got->normal[x], cold->normal[x], rows * sizeof(carom_real));
        check_array("point", got->point[x], cold->point[x], rows * sizeof(carom_real));
    }
    check_array("labels", got->groups.label, cold->groups.label, bodies * sizeof(uint32_t));
    note_check(got->groups.count == cold->groups.count, "other number of groups");
    check_array("offsets", got->groups.offset, cold->groups.offset, (cold->groups.count + 1) * sizeof(uint64_t));
    if (cold->groups.member != NULL) {
        check_array("members", got->groups.member, cold->groups.member,
                    cold->groups.offset[cold->groups.count] * sizeof(uint32_t));
    }
    note_check(a->touching_hash == b->touching_hash, "other touching hash");
    note_check(a->result_hash == b->result_hash, "other result hash");
}

static carom_detect_config full_config(void) {
    carom_detect_config config = carom_detect_config_default();
    config.hash = true;
    config.sort_pairs = true;
    config.group_members = true;
    return config;
}

typedef struct stepper {
    carom_context *context;
    carom_context *cold;
    coherent *coherent;
    pair_set before;
} stepper;

static stepper start(carom_context *context, carom_context *cold, uint32_t horizon) {
    stepper s = {.context = context, .cold = cold, .before = {0, calloc(1, sizeof(uint64_t))}};
    carom_coherent_config config = carom_coherent_config_default();
    config.events = true;
    config.horizon = horizon;
    assert_int_equal(CREATE(context, &config, &s.coherent, NULL), CAROM_OK);
    return s;
}

static void stop(stepper *s) {
    DESTROY(s->coherent);
    free(s->before.key);
}

/* A step of everything, held against cold detection and the step before. */
static carom_coherent_report check_step(stepper *s, const bodies_view *bodies) {
    const carom_detect_config config = full_config();
    carom_coherent_report report;
    carom_error error = {.status = CAROM_OK};
    detection got;
    detection cold;
    carom_status status = STEP(s->coherent, bodies, &config, NULL, &got, &report, &error);
    note_check(status == CAROM_OK, "%s", error.message);
    assert_int_equal(DETECT(s->cold, bodies, &config, NULL, &cold, NULL), CAROM_OK);
    check_same(&got, &cold, bodies->count);
    pair_set now = pairs_of(cold.pair_count, cold.i, cold.k);
    check_events(&s->before, &now, &report);
    free(s->before.key);
    s->before = now;
    return report;
}

/* A step that does less: the next one has nothing to compare with unless it found who touches. */
static void check_lesser_step(stepper *s, const bodies_view *bodies, uint64_t which) {
    carom_detect_config config = full_config();
    carom_coherent_report report;
    detection got;
    detection cold;
    config.group_members = false;
    config.until = which % 3 == 0 ? CAROM_UNTIL_PAIRS : which % 3 == 1 ? CAROM_UNTIL_APPROACH : CAROM_UNTIL_GROUPS;
    config.all_pairs = which / 3 % 2 == 1;
    config.count_only = which / 6 % 2 == 1;
    assert_int_equal(STEP(s->coherent, bodies, &config, NULL, &got, &report, NULL), CAROM_OK);
    assert_int_equal(DETECT(s->cold, bodies, &config, NULL, &cold, NULL), CAROM_OK);
    check_same(&got, &cold, bodies->count);
    s->before.count = 0;
    if (config.until >= CAROM_UNTIL_APPROACH) {
        config = full_config();
        assert_int_equal(DETECT(s->cold, bodies, &config, NULL, &cold, NULL), CAROM_OK);
        free(s->before.key);
        s->before = pairs_of(cold.pair_count, cold.i, cold.k);
    }
}

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
    bodies_view bodies = view(w);
    carom_coherent_report report;
    carom_error errors[2];
    detection found;
    const carom_status status = STEP(s->coherent, &bodies, NULL, NULL, &found, &report, &errors[0]);
    assert_int_equal(DETECT(s->cold, &bodies, NULL, NULL, &found, &errors[1]), CAROM_ERROR_BODY);
    note_check(status == CAROM_ERROR_BODY, "a bad body went unnoticed");
    note_check(errors[0].body == errors[1].body && errors[0].field == errors[1].field, "another body is blamed");
    note_check(report.begun == 0 && report.begun_i == NULL, "events of a step that failed");
    w->field[f][n] = kept;
}

static bool is_crowded(random_scene_kind kind) {
    return kind == RANDOM_FAST || kind == RANDOM_POINT || kind == RANDOM_COPIES || kind == RANDOM_GRAZING ||
           kind == RANDOM_GIANT;
}

static void run_case(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    random_scene_kind kind = (random_scene_kind)(number % RANDOM_KINDS);
    uint64_t most = is_crowded(kind) ? CROWDED_MOST : BODIES_MOST;
    uint64_t count = carom_random_next(&random) % (most + 1);
    random_scene scene = random_scene_make(kind, count, true, &random);
    world w = make_world((const double *const *)scene.field, count, &random);
    uint64_t chosen = carom_random_next(&random) % context_count;
    uint32_t horizon = number % 3 == 0 ? 1 + (uint32_t)(carom_random_next(&random) % 20) : 0;
    stepper s = start(contexts[chosen], contexts[(chosen + 3) % context_count], horizon);
    for (uint32_t step = 0; step < STEPS; step++) {
        change what = carom_random_next(&random) % 3 == 0 ? (change)(carom_random_next(&random) % CHANGES) : SLOW;
        note_case(number, "%s, %" PRIu64 " bodies, step %u, change %d, %s, %u threads, horizon %u",
                  random_scene_name(kind), w.count, step, (int)what, carom_context_isa(s.context),
                  carom_context_threads(s.context), horizon);
        change_world(&w, step == 0 ? STAND : what);
        bodies_view bodies = view(&w);
        check_step(&s, &bodies);
        if (step % 7 == 3) {
            check_bad_step(&s, &w);
        }
        if (step % 5 == 4) {
            check_lesser_step(&s, &bodies, carom_random_next(&random));
        }
    }
    stop(&s);
    release_world(&w);
    random_scene_release(&scene);
}

static void test_random_scenes(void **state) {
    (void)state;
    for (uint64_t number = 0; number < note_cases(CASES); number++) {
        if (note_only_case() == UINT64_MAX || note_only_case() == number) {
            run_case(number);
        }
    }
}

/* A standard scene as bodies of this precision. */
static world world_of(const carom_scene_f32 *scene, carom_random *random) {
    world w = {.count = scene->count, .most = scene->count, .random = random};
    for (int f = 0; f < 7; f++) {
        const float *from = f < 3 ? scene->prev[f] : f < 6 ? scene->curr[f - 3] : scene->radius;
        w.field[f] = calloc(scene->count + 1, sizeof(carom_real));
        assert_non_null(w.field[f]);
        for (uint64_t n = 0; n < scene->count; n++) {
            w.field[f][n] = (carom_real)from[n];
        }
    }
    return w;
}

static void run_standard_scene(char letter, double scale, uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    carom_scene_f32 scene;
    carom_scene_motion motion;
    uint64_t rebuilds = 0;
    assert_int_equal(carom_scene_make(letter, 3000, 1, &scene), CAROM_OK);
    assert_int_equal(carom_scene_motion_start(letter, scale, &scene, &motion), CAROM_OK);
    stepper s = start(contexts[number % context_count], contexts[(number + 3) % context_count], 0);
    for (uint32_t step = 0; step < STEPS; step++) {
        note_case(number, "scene %c times %g, step %u, %s, %u threads", letter, scale, step,
                  carom_context_isa(s.context), carom_context_threads(s.context));
        world w = world_of(&scene, &random);
        bodies_view bodies = view(&w);
        carom_coherent_report report = check_step(&s, &bodies);
        note_check(report.rebuilt == (report.rebuilds > rebuilds), "rebuilds miscounted");
        rebuilds = report.rebuilds;
        release_world(&w);
        carom_scene_motion_step(&motion, &scene);
    }
    note_check(scale != 0 || rebuilds == 1, "%" PRIu64 " rebuilds of a scene at rest", rebuilds);
    note_check(scale != 0.05 || rebuilds <= STEPS / 5, "%" PRIu64 " rebuilds of a slow scene", rebuilds);
    stop(&s);
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
    coherent *each[CONTEXTS_MOST];
    for (uint64_t c = 0; c < context_count; c++) {
        assert_int_equal(CREATE(contexts[c], NULL, &each[c], NULL), CAROM_OK);
    }
    for (uint32_t step = 0; step < STEPS; step++) {
        world w = world_of(&scene, &random);
        bodies_view bodies = view(&w);
        detection first;
        for (uint64_t c = 0; c < context_count; c++) {
            detection found;
            note_case(step, "%s, %u threads", carom_context_isa(contexts[c]), carom_context_threads(contexts[c]));
            assert_int_equal(STEP(each[c], &bodies, NULL, NULL, &found, NULL, NULL), CAROM_OK);
            first = c == 0 ? found : first;
            check_same(&found, &first, bodies.count);
        }
        release_world(&w);
        carom_scene_motion_step(&motion, &scene);
    }
    for (uint64_t c = 0; c < context_count; c++) {
        DESTROY(each[c]);
    }
    carom_scene_motion_end(&motion);
    carom_scene_release(&scene);
}

/* A moving scene under a counting allocator. */
typedef struct watched {
    fault_allocator faults;
    carom_context *context;
    coherent *coherent;
    carom_scene_f32 scene;
    carom_scene_motion motion;
    carom_random random;
} watched;

static void watch(watched *w, uint32_t threads) {
    fault_allocator_init(&w->faults);
    w->random = carom_random_seeded(1);
    w->context = make_context(threads, NULL, &w->faults);
    assert_int_equal(CREATE(w->context, NULL, &w->coherent, NULL), CAROM_OK);
    assert_int_equal(carom_scene_make('u', 3000, 1, &w->scene), CAROM_OK);
    assert_int_equal(carom_scene_motion_start('u', 0.05, &w->scene, &w->motion), CAROM_OK);
}

static void unwatch(watched *w) {
    DESTROY(w->coherent);
    carom_context_destroy(w->context);
    assert_int_equal(w->faults.live_blocks, 0);
    assert_int_equal(w->faults.damages, 0);
    carom_scene_motion_end(&w->motion);
    carom_scene_release(&w->scene);
}

static void test_no_allocation_between_rebuilds(void **state) {
    (void)state;
    for (uint32_t threads = 1; threads <= 2; threads++) {
        watched w;
        watch(&w, threads);
        for (uint32_t step = 0; step < 4 * STEPS; step++) {
            world bodies = world_of(&w.scene, &w.random);
            bodies_view b = view(&bodies);
            carom_coherent_report report;
            detection found;
            uint64_t before = w.faults.requests;
            assert_int_equal(STEP(w.coherent, &b, NULL, NULL, &found, &report, NULL), CAROM_OK);
            /* Rows may yet grow while the scene is young. */
            assert_true(report.rebuilt || step < 2 * STEPS || w.faults.requests == before);
            release_world(&bodies);
            carom_scene_motion_step(&w.motion, &w.scene);
        }
        unwatch(&w);
    }
}

/* Every request fails, alone or with all after it: MEMORY, or the step did without; the step after it is right. */
static void test_memory_gives_out(void **state) {
    (void)state;
    watched first;
    watch(&first, 1);
    coherent *none = first.coherent;
    carom_error error;
    fault_allocator_fail(&first.faults, 1, false);
    assert_int_equal(CREATE(first.context, NULL, &none, &error), CAROM_ERROR_MEMORY);
    assert_null(none);
    unwatch(&first);
    const carom_detect_config config = full_config();
    for (uint64_t number = 2; number < 160; number++) {
        const uint64_t nth = number / 2;
        watched w;
        watch(&w, 1 + (uint32_t)(nth % 2));
        bool failed = false;
        for (uint32_t step = 0; step < 4; step++) {
            world bodies = world_of(&w.scene, &w.random);
            bodies_view b = view(&bodies);
            carom_coherent_report report;
            detection found;
            detection cold;
            fault_allocator_fail(&w.faults, step == nth % 2 ? nth : 0, number % 2 == 0);
            carom_status status = STEP(w.coherent, &b, &config, NULL, &found, &report, NULL);
            fault_allocator_fail(&w.faults, 0, false);
            assert_true(status == CAROM_OK || status == CAROM_ERROR_MEMORY);
            failed = failed || status == CAROM_ERROR_MEMORY;
            note_case(nth, "request %" PRIu64 " fails, step %u", nth, step);
            if (status == CAROM_OK) {
                assert_int_equal(DETECT(contexts[0], &b, &config, NULL, &cold, NULL), CAROM_OK);
                check_same(&found, &cold, b.count);
            }
            release_world(&bodies);
            carom_scene_motion_step(&w.motion, &w.scene);
        }
        assert_true(failed || nth > 2);
        unwatch(&w);
    }
}

/* Too small an array of the caller's: nothing is written, and the same step can be had again with its events. */
static void test_capacity(void **state) {
    (void)state;
    watched w;
    watch(&w, 1);
    world bodies = world_of(&w.scene, &w.random);
    bodies_view b = view(&bodies);
    stepper s = {.context = w.context, .cold = contexts[0], .before = {0, calloc(1, sizeof(uint64_t))}};
    carom_coherent_config config = {.size = sizeof config, .events = true};
    assert_int_equal(CREATE(w.context, &config, &s.coherent, NULL), CAROM_OK);
    note_case(0, "capacity");
    check_step(&s, &b);
    go_on(&bodies, 4);
    uint32_t room[4] = {7, 7, 7, 7};
    CAROM_REAL(carom_detect_output) output = {.pair_capacity = 4, .i = room};
    carom_coherent_report report;
    detection found;
    assert_int_equal(STEP(s.coherent, &b, NULL, &output, &found, &report, NULL), CAROM_ERROR_CAPACITY);
    assert_true(found.summary.required_pairs > 4);
    assert_int_equal(room[0], 7);
    check_step(&s, &b);
    /* The same when the step that fails has rebuilt, and the one after it rebuilds again. */
    bodies.count -= 500;
    b = view(&bodies);
    assert_int_equal(STEP(s.coherent, &b, NULL, &output, &found, &report, NULL), CAROM_ERROR_CAPACITY);
    bodies.count -= 500;
    b = view(&bodies);
    check_step(&s, &b);
    assert_int_equal(STEP(s.coherent, &b, NULL, &output, &found, &report, NULL), CAROM_ERROR_CAPACITY);
    bodies.count = 0;
    b = view(&bodies);
    check_step(&s, &b);
    stop(&s);
    release_world(&bodies);
    unwatch(&w);
}

static void test_arguments(void **state) {
    (void)state;
    carom_coherent_config config = carom_coherent_config_default();
    coherent *made = (coherent *)(uintptr_t)8;
    carom_error error;
    detection found;
    bodies_view none = {.count = 0};
    assert_int_equal(CREATE(NULL, NULL, &made, &error), CAROM_ERROR_ARGUMENT);
    assert_null(made);
    assert_int_equal(CREATE(contexts[0], NULL, NULL, &error), CAROM_ERROR_ARGUMENT);
    config.size = 3;
    assert_int_equal(CREATE(contexts[0], &config, &made, &error), CAROM_ERROR_ARGUMENT);
    config = carom_coherent_config_default();
    config.horizon = CAROM_HORIZON_MAX + 1;
    assert_int_equal(CREATE(contexts[0], &config, &made, &error), CAROM_ERROR_ARGUMENT);
    assert_int_equal(CREATE(contexts[0], NULL, &made, NULL), CAROM_OK);
    assert_int_equal(STEP(NULL, &none, NULL, NULL, &found, NULL, &error), CAROM_ERROR_ARGUMENT);
    assert_int_equal(STEP(made, NULL, NULL, NULL, &found, NULL, &error), CAROM_ERROR_ARGUMENT);
    assert_int_equal(STEP(made, &none, NULL, NULL, NULL, NULL, &error), CAROM_ERROR_ARGUMENT);
    none.count = 1;
    assert_int_equal(STEP(made, &none, NULL, NULL, &found, NULL, &error), CAROM_ERROR_ARGUMENT);
    none.count = 0;
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
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_standard_scenes),
        cmocka_unit_test(test_random_scenes),
        cmocka_unit_test(test_order_of_rows),
        cmocka_unit_test(test_no_allocation_between_rebuilds),
        cmocka_unit_test(test_memory_gives_out),
        cmocka_unit_test(test_capacity),
    };
    return cmocka_run_group_tests_name("coherent", tests, make_contexts, destroy_contexts);
}
