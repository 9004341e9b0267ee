/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Thousands of small random scenes of every kind, both precisions, all that a call returns against brute force. Guards
 * the rules of detection themselves, vector tails, ties, empty and degenerate extents. */
#include <inttypes.h>

#include "tests/support/check.h"
#include "tests/support/check_detection.h"
#include "tests/support/isa_contexts.h"
#include "tests/support/note.h"
#include "tests/support/random_scene.h"

enum { CASES = 6000, BODIES_MOST = 200, CROWDED_MOST = 60 };

/* Every instruction set with 1 to 3 threads; cases take turns. */
static int make_contexts(void **state) {
    static const uint32_t threads[] = {1, 2, 3};
    (void)state;
    return isa_contexts_make(threads, sizeof threads / sizeof threads[0]);
}

/* In these nearly every pair touches: fewer bodies, or brute force takes all the time. */
static bool is_crowded(random_scene_kind kind) {
    return kind == RANDOM_FAST || kind == RANDOM_POINT || kind == RANDOM_COPIES || kind == RANDOM_GRAZING;
}

static void run_case(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    random_scene_kind kind = (random_scene_kind)(number % RANDOM_KINDS);
    bool for_f32 = number / RANDOM_KINDS % 2 == 0;
    uint64_t most = is_crowded(kind) ? CROWDED_MOST : BODIES_MOST;
    uint64_t count = carom_random_next(&random) % (most + 1);
    if (number % 4 == 0) {
        count %= 18; /* around the width of a vector */
    }
    random_scene scene = random_scene_make(kind, count, for_f32, &random);
    truth known = truth_of(&scene.bodies);
    uint64_t chosen = carom_random_next(&random) % isa_context_count;
    if (carom_random_next(&random) % 2 == 0) {
        chosen -= chosen % 3; /* more often one thread: waking others takes longer than these scenes */
    }
    carom_context *context = isa_contexts[chosen];
    for (any_precision p = for_f32 ? ANY_F32 : ANY_F64; p < ANY_PRECISIONS; p++) {
        note_case(number, "%s, %" PRIu64 " bodies, %s%s, %s, %u threads", random_scene_name(kind), count,
                  any_precision_name(p), for_f32 ? " from floats" : "", carom_context_isa(context),
                  carom_context_threads(context));
        check_detection(context, p, &known);
    }
    truth_release(&known);
    random_scene_release(&scene);
}

static void test_small_scenes(void **state) {
    (void)state;
    note_each_case(CASES, run_case);
}

/* N = 0 .. 67, 255 .. 257 and 1023 .. 1025: every tail of vectors of 4, 8 and 16, and the edges of blocks. */
static void test_tails(void **state) {
    (void)state;
    static const uint64_t sizes[] = {255, 256, 257, 1023, 1024, 1025};
    for (uint64_t s = 0; s < 68 + sizeof sizes / sizeof sizes[0]; s++) {
        uint64_t count = s < 68 ? s : sizes[s - 68];
        carom_random random = carom_random_seeded(note_case_seed(s) + 1);
        random_scene scene = random_scene_make(RANDOM_UNIFORM_DENSE, count, true, &random);
        truth known = truth_of(&scene.bodies);
        for (uint64_t c = s % 3; c < isa_context_count; c += 3) {
            note_case(s, "tail of %" PRIu64 " bodies, %s", count, carom_context_isa(isa_contexts[c]));
            check_detection(isa_contexts[c], ANY_F32, &known);
            check_detection(isa_contexts[c], ANY_F64, &known);
        }
        truth_release(&known);
        random_scene_release(&scene);
    }
}

int main(void) {
    note_start("tests/prop/test_small_scenes");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_small_scenes), cmocka_unit_test(test_tails)};
    return cmocka_run_group_tests_name("small scenes", tests, make_contexts, isa_contexts_destroy);
}
