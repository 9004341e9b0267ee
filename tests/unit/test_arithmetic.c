/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Nothing depends on how the caller's threads round, flush or trap, and all that is as it was after a call. Guards the
 * environment of every worker and entry point, and the library's check of itself. */
#include <fenv.h>
#include <inttypes.h>
#include <string.h>

#include "carom/coherent.h"
#include "carom/plane.h"
#include "kernel/scene/scene.h"
#include "kernel/sys/arithmetic.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

enum { BODIES = 6000 };

/* Ways to set a processor up that would change results. */
typedef enum hostile { PLAIN, UP, DOWN, TO_ZERO, FLUSH, ALL_FLAGS, HOSTILE } hostile;

static const char *const hostile_names[HOSTILE] = {"plain",         "round up",      "round down",
                                                   "round to zero", "flush to zero", "all flags raised"};

static void set_flush(void) {
#if defined(__SSE2__)
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
#elif defined(__aarch64__)
    uint64_t control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    __asm__ volatile("msr fpcr, %0" : : "r"(control | UINT64_C(1) << 24) : "memory");
#endif
}

static void become(hostile how) {
    static const int rounding[HOSTILE] = {FE_TONEAREST,  FE_UPWARD,    FE_DOWNWARD,
                                          FE_TOWARDZERO, FE_TONEAREST, FE_TONEAREST};
    fesetround(rounding[how]);
    if (how == FLUSH) {
        set_flush();
    }
    if (how == ALL_FLAGS) {
        feraiseexcept(FE_ALL_EXCEPT);
    }
}

static uint64_t control_now(void) {
    carom_arithmetic now = carom_arithmetic_enter();
    carom_arithmetic_leave(now);
    return now.control;
}

/* So small that the differences of positions are subnormal floats: flushing loses them. */
static void shrink(carom_scene_f32 *scene) {
    const carom_arithmetic before = carom_arithmetic_enter();
    for (uint64_t n = 0; n < scene->count; n++) {
        for (int a = 0; a < 3; a++) {
            scene->prev[a][n] *= 0x1p-130F;
            scene->curr[a][n] *= 0x1p-130F;
        }
        scene->radius[n] *= 0x1p-130F;
    }
    carom_arithmetic_leave(before);
}

static uint64_t hash_of_scene(carom_context *context, const carom_scene_f32 *scene, carom_coherent_f32 *coherent) {
    carom_detect_config config = carom_detect_config_default();
    carom_detection_f32 found = {0};
    carom_bodies_f32 bodies = carom_scene_bodies(scene);
    config.hash = true;
    assert_int_equal(carom_detect_f32(context, &bodies, &config, NULL, &found, NULL), CAROM_OK);
    uint64_t hash = found.summary.result_hash;
    assert_int_equal(carom_coherent_detect_f32(coherent, &bodies, &config, NULL, &found, NULL, NULL), CAROM_OK);
    assert_true(found.summary.result_hash == hash);
    return hash;
}

/* Made, detected in, moved and shrunk in the environment at hand. */
static uint64_t hash_of_everything(carom_context *context) {
    carom_scene_f32 scene;
    carom_scene_motion motion;
    carom_coherent_f32 *coherent;
    uint64_t hash = 0;
    assert_int_equal(carom_coherent_create_f32(context, NULL, &coherent, NULL), CAROM_OK);
    assert_int_equal(carom_scene_make('d', BODIES, 1, &scene), CAROM_OK);
    assert_int_equal(carom_scene_motion_start('d', 0.5, &scene, &motion), CAROM_OK);
    for (int step = 0; step < 3; step++) {
        hash = hash * 31 + hash_of_scene(context, &scene, coherent);
        carom_scene_motion_step(&motion, &scene);
    }
    shrink(&scene);
    hash = hash * 31 + hash_of_scene(context, &scene, coherent);
    carom_coherent_destroy_f32(coherent);
    carom_scene_motion_end(&motion);
    carom_scene_release(&scene);
    return hash;
}

static void parallel_for_hostile(void *user, uint32_t count, carom_executor_task *task, void *data) {
    hostile how = *(const hostile *)user;
    for (uint32_t n = count; n-- > 0;) {
        become(how);
        uint64_t before = control_now();
        task(data, n);
        note_check(control_now() == before, "a task has left its thread changed");
        become(PLAIN);
        fesetenv(FE_DFL_ENV);
    }
}

static carom_context *make_context(uint32_t threads, const char *isa, hostile *executor) {
    carom_context_config config = carom_context_config_default();
    carom_context *context;
    config.threads = threads;
    config.isa = isa;
    if (executor != NULL) {
        config.executor = (carom_executor){.user = executor, .parallel_for = parallel_for_hostile};
    }
    assert_int_equal(carom_context_create(&config, &context, NULL), CAROM_OK);
    return context;
}

/* The caller's own thread is set up in every way, on every instruction set. */
static void test_caller(void **state) {
    (void)state;
    const char *isas[8];
    size_t isa_count = carom_isa_available(isas, 8);
    uint64_t wanted = 0;
    for (size_t n = 0; n < isa_count; n++) {
        carom_context *context = make_context(1 + (uint32_t)n % 3, isas[n], NULL);
        for (hostile how = PLAIN; how < HOSTILE; how++) {
            note_case(n * HOSTILE + how, "%s, %s", isas[n], hostile_names[how]);
            become(how);
            uint64_t before = control_now();
            uint64_t hash = hash_of_everything(context);
            uint64_t after = control_now();
            fesetenv(FE_DFL_ENV);
            wanted = wanted == 0 ? hash : wanted;
            note_check(hash == wanted, "hash %016" PRIx64 ", not %016" PRIx64, hash, wanted);
            note_check(after == before, "control is %" PRIx64 ", was %" PRIx64, after, before);
        }
        carom_context_destroy(context);
    }
}

/* So are the threads of an executor, the caller's being plain. */
static void test_executor(void **state) {
    (void)state;
    uint64_t wanted = 0;
    for (hostile how = PLAIN; how < HOSTILE; how++) {
        hostile executor = how;
        carom_context *context = make_context(4, NULL, &executor);
        note_case(how, "executor, %s", hostile_names[how]);
        uint64_t hash = hash_of_everything(context);
        wanted = how == PLAIN ? hash : wanted;
        note_check(hash == wanted, "hash %016" PRIx64 ", not %016" PRIx64, hash, wanted);
        carom_context_destroy(context);
    }
}

/* The library finds its own arithmetic in order, whatever the caller's, and says so of every instruction set. */
static void test_self_check(void **state) {
    (void)state;
    const char *isas[8];
    size_t isa_count = carom_isa_available(isas, 8);
    for (size_t n = 0; n < isa_count; n++) {
        carom_context *context = make_context(3, isas[n], NULL);
        for (hostile how = PLAIN; how < HOSTILE; how++) {
            carom_error error = {.status = CAROM_OK};
            become(how);
            carom_status status = carom_context_check(context, &error);
            fesetenv(FE_DFL_ENV);
            note_case(n * HOSTILE + how, "%s, %s", isas[n], hostile_names[how]);
            note_check(status == CAROM_OK, "%s", error.message);
        }
        carom_context_destroy(context);
    }
    assert_int_equal(carom_context_check(NULL, NULL), CAROM_ERROR_ARGUMENT);
}

/* Answers of the tests that take floats and no context, of numbers that flushing loses and rounding moves. */
typedef struct plane_answers {
    float small;
    float line;
    float segments;
    float at[4];
    float nearest[2][3];
    uint32_t meets;
} plane_answers;

static plane_answers answers_now(void) {
    const float along[3] = {1.0F, 0.0F, 0.0F};
    const float none[3] = {0.0F, 0.0F, 0.0F};
    const float small[3] = {0x1p-140F, 0.0F, 0.0F};
    const float third[3] = {0.1F, 0.3F, 0.7F};
    const float ends[2][2][3] = {{{0.1F, 0.2F, 0.3F}, {0.9F, 0.8F, 0.1F}}, {{0.3F, 0.7F, 0.9F}, {0.7F, 0.1F, 0.8F}}};
    plane_answers a;
    memset(&a, 0, sizeof a);
    a.small = carom_plane_point_f32(along, 0.0F, small);
    a.line = carom_plane_line_sphere_f32(none, third, along, 0.1F, a.nearest[0]);
    a.segments = carom_plane_segments_f32(ends[0], ends[1], a.nearest);
    a.meets = carom_plane_segment_f32(third, 0.5F, ends[0][0], ends[1][1], a.at) ? 1 : 0;
    a.meets += carom_plane_boxes_f32(none, none, small, none) ? 2 : 0;
    return a;
}

static void test_plane(void **state) {
    (void)state;
    const plane_answers wanted = answers_now();
    assert_true(memcmp(&wanted.small, &(const float){0x1p-140F}, sizeof wanted.small) == 0);
    assert_int_equal(wanted.meets, 1);
    for (hostile how = PLAIN; how < HOSTILE; how++) {
        note_case(how, "plane, %s", hostile_names[how]);
        become(how);
        const uint64_t before = control_now();
        const plane_answers found = answers_now();
        const uint64_t after = control_now();
        fesetenv(FE_DFL_ENV);
        note_check(memcmp(&found, &wanted, sizeof found) == 0, "other bits");
        note_check(after == before, "control is %" PRIx64 ", was %" PRIx64, after, before);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_caller),
        cmocka_unit_test(test_executor),
        cmocka_unit_test(test_self_check),
        cmocka_unit_test(test_plane),
    };
    note_start("tests/unit/test_arithmetic");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
