/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What each test before tried alone, together: periodic boxes, filters, lists of neighbours and every method of the
 * broad phase. A filtered call must give the unfiltered call's rows that pass, bit by bit, and the lists must be those
 * of its rows; all methods, threads and precisions the same. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/any_detect.h"
#include "tests/support/brute_force.h"
#include "tests/support/check.h"
#include "tests/support/note.h"
#include "tests/support/random_scene.h"

enum { COUNT = 1500, CASES = 12 };

/* Filters of COUNT bodies. */
typedef struct filter_data {
    carom_filter filter;
    uint32_t category[COUNT];
    uint32_t mask[COUNT];
    uint32_t group[COUNT];
    uint8_t fixed[COUNT];
    uint64_t offset[COUNT + 1];
    uint32_t excluded[COUNT];
} filter_data;

static bool accepts(void *user, uint32_t i, uint32_t k) {
    (void)user;
    return i < k && (i ^ k) % 11 != 3;
}

/* Every body excludes one that is often near it in number, as bonded atoms are. */
static void fill_filter(filter_data *f, carom_random *random) {
    f->filter = carom_filter_default();
    for (uint32_t n = 0; n < COUNT; n++) {
        f->category[n] = 1U << carom_random_next(random) % 3;
        f->mask[n] = (uint32_t)(carom_random_next(random) % 8) | 2;
        f->group[n] = (uint32_t)(carom_random_next(random) % 6);
        f->fixed[n] = carom_random_next(random) % 3 == 0;
        f->offset[n] = n;
        f->excluded[n] = (uint32_t)((n + carom_random_next(random) % 40) % COUNT);
    }
    f->offset[COUNT] = COUNT;
    f->filter.category = f->category;
    f->filter.mask = f->mask;
    f->filter.group = f->group;
    f->filter.fixed = f->fixed;
    f->filter.exclusion_offset = f->offset;
    f->filter.excluded = f->excluded;
    f->filter.accepts = accepts;
}

/* Row n of `a` is row m of `b` in every bit. */
static bool same_row(const any_result *a, uint64_t n, const any_result *b, uint64_t m) {
    bool same = a->i[n] == b->i[m] && a->k[n] == b->k[m];
    for (int s = 0; s < 3 && a->shift[0] != NULL; s++) {
        same = same && a->shift[s][n] == b->shift[s][m];
    }
    for (int f = 0; f < ANY_FIELDS; f++) {
        same = same && memcmp(&a->field[f][n], &b->field[f][m], sizeof(double)) == 0;
    }
    return same;
}

static void check_filtered(const any_result *all, const any_result *some, const carom_filter *filter) {
    uint64_t kept = 0;
    for (uint64_t n = 0; n < all->pair_count; n++) {
        if (brute_force_passes(filter, all->i[n], all->k[n])) {
            note_check(kept < some->pair_count && same_row(all, n, some, kept), "row %" PRIu64 " is not as it was", n);
            kept++;
        }
    }
    note_check(kept == some->pair_count, "%" PRIu64 " rows, not %" PRIu64, some->pair_count, kept);
    note_check(kept > 20 && kept < all->pair_count / 2, "%" PRIu64 " of %" PRIu64 " rows pass: the test is empty", kept,
               all->pair_count);
}

/* Rows of the list ascend by (body, pair), name the pair's other body, and together hold every pair twice. */
static void check_neighbours(const any_result *r) {
    uint64_t entries = 0;
    for (uint32_t b = 0; b < COUNT; b++) {
        for (uint64_t e = r->neighbour_offset[b]; e < r->neighbour_offset[b + 1]; e++) {
            uint64_t pair = r->neighbour_pair[e];
            uint32_t other = r->neighbour_body[e];
            note_check(pair < r->pair_count, "no such pair");
            note_check((r->i[pair] == b && r->k[pair] == other) || (r->i[pair] == other && r->k[pair] == b),
                       "body %u: not its pair", b);
            if (e > r->neighbour_offset[b]) {
                uint32_t before = r->neighbour_body[e - 1];
                note_check(before < other || (before == other && r->neighbour_pair[e - 1] < pair), "body %u: order", b);
            }
            entries++;
        }
    }
    note_check(entries == 2 * r->pair_count, "%" PRIu64 " entries for %" PRIu64 " pairs", entries, r->pair_count);
}

static any_result detect(const random_scene *scene, any_precision precision, const carom_detect_config *config,
                         uint32_t threads) {
    carom_context *context = any_context(threads, NULL);
    any_result r = any_detect(context, precision, &scene->bodies, config);
    carom_context_destroy(context);
    note_check(r.status == CAROM_OK, "%s", r.error.message);
    return r;
}

static void run_case(uint64_t number) {
    static const random_scene_kind kinds[] = {RANDOM_UNIFORM_DENSE, RANDOM_RADII, RANDOM_CLUSTERED};
    carom_random random = carom_random_seeded(note_case_seed(number));
    random_scene scene = random_scene_make(kinds[number % 3], COUNT, true, &random);
    carom_periodic box = carom_periodic_default();
    filter_data *f = calloc(1, sizeof *f);
    assert_non_null(f);
    fill_filter(f, &random);
    for (int a = 0; a < 3; a++) {
        box.along[a] = number % 4 != 0 && (a == 0 || carom_random_next(&random) % 2 == 0);
        box.edge[a][a] = number % 3 == 1 ? 3000 : 23 + 3 * a;
        box.edge[a][(a + 1) % 3] = 2.5;
    }
    any_result first = {0};
    for (carom_method m = CAROM_METHOD_AUTO; m <= CAROM_METHOD_SHARED; m++) {
        for (any_precision p = ANY_F32; p < ANY_PRECISIONS; p++) {
            note_case(number, "%s, method %d, %s", random_scene_name(kinds[number % 3]), (int)m, any_precision_name(p));
            carom_detect_config config = any_config_full();
            config.method = m;
            config.periodic = number % 4 != 0 ? &box : NULL;
            any_result all = detect(&scene, p, &config, 1);
            config.filter = &f->filter;
            config.neighbours = CAROM_NEIGHBOURS_FULL;
            any_result some = detect(&scene, p, &config, 1 + (uint32_t)m);
            check_filtered(&all, &some, &f->filter);
            check_neighbours(&some);
            if (m == CAROM_METHOD_AUTO && p == ANY_F32) {
                first = some;
            } else {
                note_check(p != ANY_F32 || any_result_same(&first, &some), "other results than the chooser's method");
                any_result_release(&some);
            }
            any_result_release(&all);
        }
    }
    any_result_release(&first);
    random_scene_release(&scene);
    free(f);
}

static void test_combinations(void **state) {
    (void)state;
    for (uint64_t number = 0; number < CASES; number++) {
        if (note_only_case() == UINT64_MAX || note_only_case() == number) {
            run_case(number);
        }
    }
}

static void test_sink_in_a_box(void **state) {
    (void)state;
    carom_random random = carom_random_seeded(note_case_seed(99));
    random_scene scene = random_scene_make(RANDOM_UNIFORM_DENSE, 100, true, &random);
    carom_periodic box = carom_periodic_default();
    carom_context *context = any_context(1, NULL);
    carom_detect_config config = carom_detect_config_default();
    carom_detect_output_f64 output = {.sink = (carom_block_sink_f64 *)(uintptr_t)accepts};
    carom_detection_f64 found;
    carom_error error;
    for (int a = 0; a < 3; a++) {
        box.along[a] = true;
        box.edge[a][a] = 30;
    }
    config.periodic = &box;
    assert_int_equal(carom_detect_f64(context, &scene.bodies, &config, &output, &found, &error), CAROM_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "periodic"));
    carom_context_destroy(context);
    random_scene_release(&scene);
}

int main(void) {
    note_start("tests/prop/test_combinations");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_combinations), cmocka_unit_test(test_sink_in_a_box)};
    return cmocka_run_group_tests_name("combinations", tests, NULL, NULL);
}
