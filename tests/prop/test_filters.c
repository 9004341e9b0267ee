/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Pair filters on random scenes: each part alone and all together, on every instruction set, with 1, 2 and 7 threads,
 * both precisions, after every stage, against brute force with the rule as it is stated. Guards that a pair that does
 * not pass is nowhere and that one that passes is not lost. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/check_detection.h"
#include "tests/support/isa_contexts.h"
#include "tests/support/note.h"
#include "tests/support/random_filter.h"
#include "tests/support/random_scene.h"

enum { CASES = 700, BODIES_MOST = 150, CROWDED_MOST = 40, LARGE = 3000 };

static const uint32_t THREADS[] = {1, 2, 7};
enum { THREAD_COUNTS = sizeof THREADS / sizeof THREADS[0] };

static int make_contexts(void **state) {
    (void)state;
    return isa_contexts_make(THREADS, THREAD_COUNTS);
}

static bool is_crowded(random_scene_kind kind) {
    return kind == RANDOM_FAST || kind == RANDOM_POINT || kind == RANDOM_COPIES || kind == RANDOM_GRAZING;
}

static void run_case(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    random_scene_kind kind = (random_scene_kind)(carom_random_next(&random) % RANDOM_KINDS);
    bool for_f32 = carom_random_next(&random) % 2 == 0;
    uint64_t most = is_crowded(kind) ? CROWDED_MOST : BODIES_MOST;
    uint64_t count = carom_random_next(&random) % (most + 1);
    int parts = random_filter_parts(number, &random);
    random_scene scene = random_scene_make(kind, count, for_f32, &random);
    random_filter f = random_filter_make(parts, count, &random);
    truth known = truth_of(&scene.bodies);
    truth left = truth_filtered(&known, &f.filter);
    for (any_precision p = for_f32 ? ANY_F32 : ANY_F64; p < ANY_PRECISIONS; p++) {
        carom_context *context = isa_contexts[(number + p) % isa_context_count];
        note_case(number, "%s, %" PRIu64 " bodies, parts %d, %s, %s, %u threads", random_scene_name(kind), count, parts,
                  any_precision_name(p), carom_context_isa(context), carom_context_threads(context));
        check_detection(context, p, &left);
        note_check(random_filter_wrong_questions() == 0, "the function was asked about i >= k");
    }
    truth_release(&left);
    truth_release(&known);
    random_filter_release(&f);
    random_scene_release(&scene);
}

static void test_small_scenes(void **state) {
    (void)state;
    note_each_case(CASES, run_case);
}

/* Many cells and tasks: brute force once, and the very same bits from every context. */
static void test_all_contexts_agree(void **state) {
    (void)state;
    carom_random of_scene = carom_random_seeded(note_case_seed(0));
    random_scene scene = random_scene_make(RANDOM_UNIFORM_DENSE, LARGE, true, &of_scene);
    truth known = truth_of(&scene.bodies);
    for (int parts = 0; parts <= RANDOM_FILTER_ALL; parts = parts == 0 ? 1
                                                            : parts < 1 << (RANDOM_FILTER_PARTS - 1)
                                                                ? 2 * parts
                                                                : parts + RANDOM_FILTER_ALL / 2) {
        carom_random random = carom_random_seeded(note_case_seed((uint64_t)parts));
        random_filter f = random_filter_make(parts, LARGE, &random);
        truth left = truth_filtered(&known, &f.filter);
        note_check(parts == 0 || left.touching.count < known.touching.count, "the filter does nothing");
        note_check(left.touching.count > 100, "the filter leaves nothing");
        carom_detect_config config = any_config_full();
        config.filter = &f.filter;
        config.sort_pairs = false;
        for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
            note_case((uint64_t)parts, "parts %d, %s", parts, any_precision_name(p));
            check_detection(isa_contexts[0], p, &left);
            any_result wanted = any_detect(isa_contexts[0], p, &scene.bodies, &config);
            for (uint64_t c = 1; c < isa_context_count; c++) {
                any_result r = any_detect(isa_contexts[c], p, &scene.bodies, &config);
                note_check(any_result_same(&wanted, &r), "%s, %u threads: other results",
                           carom_context_isa(isa_contexts[c]), carom_context_threads(isa_contexts[c]));
                any_result_release(&r);
            }
            any_result_release(&wanted);
        }
        truth_release(&left);
        random_filter_release(&f);
    }
    truth_release(&known);
    random_scene_release(&scene);
}

/* A filter that lets everything pass changes nothing, not even the order of rows. */
static void test_filter_of_nothing(void **state) {
    (void)state;
    carom_random random = carom_random_seeded(note_case_seed(1));
    random_scene scene = random_scene_make(RANDOM_UNIFORM_DENSE, LARGE, true, &random);
    uint64_t *offset = random_filter_allocate(LARGE + 1, sizeof *offset);
    uint32_t *ones = random_filter_allocate(LARGE, sizeof *ones);
    uint8_t *zero = random_filter_allocate(LARGE, 1);
    for (uint64_t n = 0; n < LARGE; n++) {
        ones[n] = 1;
    }
    carom_filter filter = carom_filter_default();
    carom_detect_config config = carom_detect_config_default();
    config.hash = true;
    any_result wanted = any_detect(isa_contexts[0], ANY_F32, &scene.bodies, &config);
    config.filter = &filter;
    for (int step = 0; step < 5; step++) {
        note_case((uint64_t)step, "a filter of nothing");
        filter.category = step > 0 ? ones : NULL;
        filter.mask = step > 0 ? ones : NULL;
        filter.fixed = step > 1 ? zero : NULL;
        filter.exclusion_offset = step > 2 ? offset : NULL;
        filter.part = step > 3 ? zero : NULL;
        any_result r = any_detect(isa_contexts[0], ANY_F32, &scene.bodies, &config);
        note_check(any_result_same(&wanted, &r), "other results: %s", r.error.message);
        any_result_release(&r);
    }
    any_result_release(&wanted);
    free(offset);
    free(ones);
    free(zero);
    random_scene_release(&scene);
}

/* One group, all fixed, no category, one part: no pair at all. */
static void test_nothing_passes(void **state) {
    (void)state;
    carom_random random = carom_random_seeded(note_case_seed(2));
    random_scene scene = random_scene_make(RANDOM_UNIFORM_DENSE, LARGE, true, &random);
    uint32_t *group = random_filter_allocate(LARGE, sizeof *group);
    uint8_t *fixed = random_filter_allocate(LARGE, 1);
    memset(group, 0xFF, LARGE * sizeof *group);
    memset(fixed, 0x80, LARGE);
    for (int which = 0; which < 4; which++) {
        carom_filter filter = carom_filter_default();
        filter.group = which == 0 ? group : NULL;
        filter.fixed = which == 1 ? fixed : NULL;
        filter.mask = which == 2 ? group : NULL;
        filter.part = which == 3 ? fixed : NULL;                              /* 0x80 */
        uint32_t *category = random_filter_allocate(LARGE, sizeof *category); /* no bit */
        filter.category = which == 2 ? category : NULL;
        carom_detect_config config = any_config_full();
        config.filter = &filter;
        config.neighbours = CAROM_NEIGHBOURS_FULL;
        any_result r = any_detect(isa_contexts[which], ANY_F64, &scene.bodies, &config);
        note_case((uint64_t)which, "nothing passes");
        note_check(r.status == CAROM_OK && r.summary.box_pairs == 0 && r.summary.touching_pairs == 0 &&
                       r.pair_count == 0 && r.group_count == 0 && r.neighbour_offset[LARGE] == 0,
                   "%" PRIu64 " pairs are left", r.summary.box_pairs);
        any_result_release(&r);
        free(category);
    }
    free(group);
    free(fixed);
    random_scene_release(&scene);
}

int main(void) {
    note_start("tests/prop/test_filters");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_scenes),
        cmocka_unit_test(test_all_contexts_agree),
        cmocka_unit_test(test_filter_of_nothing),
        cmocka_unit_test(test_nothing_passes),
    };
    return cmocka_run_group_tests_name("filters", tests, make_contexts, isa_contexts_destroy);
}
