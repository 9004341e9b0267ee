/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Does this build, on this machine, compute as results need it? What the compiler was told can be undone by flags that
 * come later, by a library that sets the processor's modes when it is loaded, by an emulator. */
#include <float.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "carom/detect.h"
#include "kernel/store/context.h"
#include "kernel/sys/error.h"

/* What a worker found wrong, as bits. */
enum { ROUNDING = 1, SUBNORMALS = 2, NUMBERS = 4, CONTRACTION = 8 };

/* Volatile: the processor must do it, not the compiler. */
static bool rounds_to_nearest(void) {
    volatile double one = 1.0;
    volatile double half_step = 0x1p-53;
    return one + half_step == 1.0 && one + 3 * half_step == 1.0 + 0x1p-51 && -one - half_step == -1.0;
}

/* A compiler's -ffast-math, or a library that was built with it, may have them flushed to zero. */
static bool keeps_subnormals(void) {
    volatile double small = DBL_MIN;
    volatile float small_float = FLT_MIN;
    volatile double least = 0x1p-1074;
    return small / 2 > 0.0 && small_float / 2 > 0.0F && least * 2 > least;
}

/* -ffinite-math-only makes comparisons with NaN true. */
static bool knows_nan(void) {
    volatile double zero = 0.0;
    double nan = zero / zero;
    return nan != nan && !(nan < 1.0) && !(nan >= 1.0) && 1.0 / zero > DBL_MAX;
}

/* x * x - square is 0 if each step rounds; a fused product would leave the rounding error. */
static bool does_not_contract(void) {
    volatile double x = 1.0 + 0x1p-30;
    double factor = x;
    double square = x * x;
    volatile double stored = square;
    return factor * factor - stored == 0.0;
}

/* What the workers share: the bits of all that found something wrong. */
typedef struct check_job {
    _Atomic uint32_t wrong;
} check_job;

/* Modes of the processor belong to a thread, so each is asked. */
static void check_worker(void *data, uint32_t worker) {
    check_job *job = data;
    (void)worker;
    uint32_t wrong = rounds_to_nearest() ? 0 : ROUNDING;
    wrong |= keeps_subnormals() ? 0 : SUBNORMALS;
    wrong |= knows_nan() ? 0 : NUMBERS;
    wrong |= does_not_contract() ? 0 : CONTRACTION;
    atomic_fetch_or_explicit(&job->wrong, wrong, memory_order_relaxed);
}

/* A scene whose every length is a small multiple of 1/16, so that many pairs just touch, and what is found in it. */
enum { BODIES = 192 };
static const uint64_t HASH_F32 = UINT64_C(0xad2673c27bb7d9bf);
static const uint64_t HASH_F64 = UINT64_C(0xb9faf2627d0c342f);

/* Multiples of 1/16 below steps / 16, from a linear congruential generator. */
static double draw(uint32_t *state, uint32_t steps) {
    *state = *state * UINT32_C(1664525) + UINT32_C(1013904223);
    return (double)(*state / 65536 % steps) / 16;
}

/* The scene in both precisions, and what is found: too large for the stack. */
typedef struct known_scene {
    float narrow[7][BODIES];
    double wide[7][BODIES];
    carom_bodies_f32 floats;
    carom_bodies_f64 doubles;
    carom_detection_f32 found_f32;
    carom_detection_f64 found_f64;
} known_scene;

static void make_scene(known_scene *scene) {
    uint32_t state = 1;
    for (uint32_t n = 0; n < BODIES; n++) {
        for (uint32_t a = 0; a < 3; a++) {
            scene->wide[a][n] = draw(&state, 128);
            scene->wide[a + 3][n] = scene->wide[a][n] + draw(&state, 17) - 0.5;
        }
        scene->wide[6][n] = draw(&state, 8);
        for (uint32_t f = 0; f < 7; f++) {
            scene->narrow[f][n] = (float)scene->wide[f][n];
        }
    }
    scene->floats = (carom_bodies_f32){.count = BODIES, .radius = scene->narrow[6]};
    scene->doubles = (carom_bodies_f64){.count = BODIES, .radius = scene->wide[6]};
    for (uint32_t a = 0; a < 3; a++) {
        scene->floats.prev[a] = scene->narrow[a];
        scene->floats.curr[a] = scene->narrow[a + 3];
        scene->doubles.prev[a] = scene->wide[a];
        scene->doubles.curr[a] = scene->wide[a + 3];
    }
}

/* Detects in the scene in both precisions and compares hashes. */
static carom_status check_scene(carom_context *context, known_scene *scene, carom_error *error) {
    carom_detect_config config = carom_detect_config_default();
    config.hash = true;
    make_scene(scene);
    scene->found_f32.size = sizeof scene->found_f32;
    scene->found_f64.size = sizeof scene->found_f64;
    carom_status status = carom_detect_f32(context, &scene->floats, &config, NULL, &scene->found_f32, error);
    if (status == CAROM_OK) {
        status = carom_detect_f64(context, &scene->doubles, &config, NULL, &scene->found_f64, error);
    }
    const uint64_t hash_f32 = scene->found_f32.summary.result_hash;
    const uint64_t hash_f64 = scene->found_f64.summary.result_hash;
    if (status == CAROM_OK && (hash_f32 != HASH_F32 || hash_f64 != HASH_F64)) {
        status = carom_error_set(error, CAROM_ERROR_ARITHMETIC,
                                 "the results of a known scene have hashes %016" PRIx64 " and %016" PRIx64
                                 ", not %016" PRIx64 " and %016" PRIx64,
                                 hash_f32, hash_f64, HASH_F32, HASH_F64);
    }
    return status;
}

/* Beside the context's workspace, which a call may give back. */
static carom_status check_results(carom_context *context, carom_error *error) {
    carom_buffer scene = {0};
    if (carom_buffer_reserve(&context->memory, &scene, sizeof(known_scene)) != CAROM_OK) {
        return carom_error_set(error, CAROM_ERROR_MEMORY, "no memory for the known scene");
    }
    carom_status status = check_scene(context, scene.data, error);
    carom_buffer_release(&context->memory, &scene);
    context->partition.searchable = false; /* the bodies are the check's own */
    return status;
}

carom_status carom_context_check(carom_context *context, carom_error *error) {
    if (context == NULL) {
        return carom_error_set(error, CAROM_ERROR_ARGUMENT, "context is NULL");
    }
    const carom_status status = carom_context_take(context, error);
    if (status != CAROM_OK) {
        return status;
    }
    /* All threads, however few bodies the last call had. */
    context->team.workers = context->threads;
    check_job job = {0};
    carom_team_run(&context->team, check_worker, &job);
    carom_context_give_back(context);
    if (job.wrong != 0) {
        return carom_error_set(error, CAROM_ERROR_ARITHMETIC, "arithmetic is not what it must be:%s%s%s%s",
                               (job.wrong & ROUNDING) != 0 ? " not rounded to nearest;" : "",
                               (job.wrong & SUBNORMALS) != 0 ? " subnormal numbers are lost;" : "",
                               (job.wrong & NUMBERS) != 0 ? " NaN and infinity are not known;" : "",
                               (job.wrong & CONTRACTION) != 0 ? " products and sums are fused;" : "");
    }
    return check_results(context, error);
}
