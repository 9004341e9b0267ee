/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* required_bytes keeps its word: whatever is asked for and on however many threads, a limit raised to it gets further,
 * and once the pairs have been counted it is enough. Each attempt is a new context, so nothing is left from the one
 * before. */
#include "carom/carom.h"
#include "kernel/scene/scene.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

enum { ATTEMPTS_MOST = 8, FIRST_LIMIT = 20000 };

typedef struct asked {
    uint32_t threads;
    bool sort_pairs;
    bool group_members;
    bool count_only;
} asked;

static carom_status attempt(const carom_bodies_f32 *bodies, const asked *a, uint64_t limit,
                            carom_detect_summary *summary) {
    carom_context_config limits = carom_context_config_default();
    carom_detect_config config = carom_detect_config_default();
    carom_context *context;
    carom_detection_f32 found = {0};
    limits.threads = a->threads;
    limits.bodies_per_thread = 1;
    limits.memory_limit = limit;
    config.sort_pairs = a->sort_pairs;
    config.group_members = a->group_members;
    config.count_only = a->count_only;
    assert_int_equal(carom_context_create(&limits, &context, NULL), CAROM_OK);
    carom_status status = carom_detect_f32(context, bodies, &config, NULL, &found, NULL);
    *summary = found.summary;
    carom_context_destroy(context);
    return status;
}

static void raise_until_it_fits(const carom_bodies_f32 *bodies, const asked *a) {
    uint64_t limit = FIRST_LIMIT;
    bool counted = false;
    for (int n = 0; n < ATTEMPTS_MOST; n++) {
        carom_detect_summary summary;
        carom_status status = attempt(bodies, a, limit, &summary);
        if (status == CAROM_OK) {
            return;
        }
        assert_int_equal(status, CAROM_ERROR_MEMORY);
        if (counted || summary.required_bytes <= limit) {
            fail_msg("%u threads, sort %d, members %d, count only %d: a limit of %ju is not enough, now %ju",
                     a->threads, a->sort_pairs, a->group_members, a->count_only, (uintmax_t)limit,
                     (uintmax_t)summary.required_bytes);
        }
        counted = summary.required_pairs != 0;
        limit = summary.required_bytes;
    }
    fail_msg("%u threads: still too little after %d attempts", a->threads, ATTEMPTS_MOST);
}

static void test_limits_suffice(void **state) {
    (void)state;
    static const uint32_t threads[] = {1, 2, 16, CAROM_THREADS_MAX};
    static const uint64_t sizes[] = {100, 5000, 20000};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        carom_scene_f32 scene;
        assert_int_equal(carom_scene_make('d', sizes[s], 1, &scene), CAROM_OK);
        const carom_bodies_f32 bodies = carom_scene_bodies(&scene);
        for (size_t t = 0; t < (note_short() ? 3 : 4); t++) {
            for (unsigned options = 0; options < 8; options++) {
                asked a = {threads[t], (options & 1) != 0, (options & 2) != 0, (options & 4) != 0};
                raise_until_it_fits(&bodies, &a);
            }
        }
        carom_scene_release(&scene);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_limits_suffice)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
