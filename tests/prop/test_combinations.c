/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What each test before tried alone, together: periodic boxes, filters, lists of neighbours, sinks and every method of
 * the broad phase. A filtered call must give the unfiltered call's rows that pass, bit by bit, and the lists must be
 * those of its rows; all methods, threads and precisions the same. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/any_detect.h"
#include "tests/support/basket.h"
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
    uint8_t part[COUNT];
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
        f->part[n] = (uint8_t)(1U << carom_random_next(random) % 8);
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
    f->filter.part = f->part;
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

/* Enough rows for several blocks a worker. */
enum { MANY = 20000 };

typedef struct crowd {
    any_bodies bodies;
    carom_periodic box;
    carom_detect_config config;
} crowd;

static crowd crowd_make(any_precision precision, double side) {
    carom_random random = carom_random_seeded(note_case_seed(MANY));
    random_scene scene = random_scene_make(RANDOM_UNIFORM_DENSE, MANY, true, &random);
    crowd c = {any_bodies_make(precision, &scene.bodies), carom_periodic_default(), any_config_full()};
    for (int a = 0; a < 3; a++) {
        c.box.along[a] = true;
        c.box.edge[a][a] = side;
    }
    c.box.edge[1][0] = side / 4;
    c.config.sort_pairs = false;
    random_scene_release(&scene);
    return c;
}

/* A filter, a box and a sink at once, on one thread what is stored on several. */
static void test_sink_in_a_box(void **state) {
    (void)state;
    carom_filter filter = carom_filter_default();
    filter.accepts = accepts;
    for (int setting = 0; setting < 8; setting++) {
        any_precision precision = (any_precision)(setting % 2);
        crowd c = crowd_make(precision, 60);
        carom_context *one = any_context(1, NULL);
        carom_context *several = any_context(5, NULL);
        c.config.periodic = &c.box;
        c.config.filter = setting / 2 % 2 != 0 ? &filter : NULL;
        c.config.until = setting / 4 != 0 ? CAROM_UNTIL_PAIRS : CAROM_UNTIL_GROUPS;
        note_case((uint64_t)setting, "%d bodies in a box, a sink, %s", MANY, any_precision_name(precision));
        any_result stored = any_detect_bodies(several, &c.bodies, &c.config, NULL);
        note_check(stored.pair_count > 8 * CAROM_BLOCK_ROWS, "%" PRIu64 " rows are too few", stored.pair_count);
        basket_check_call(one, &c.bodies, &c.config, &stored);
        basket_check_call(several, &c.bodies, &c.config, &stored);
        any_result_release(&stored);
        carom_context_destroy(one);
        carom_context_destroy(several);
        any_bodies_release(&c.bodies);
    }
}

/* A sink that has had enough in a box: nothing but STOPPED, and the next call is as good as any. */
static void test_stop_in_a_box(void **state) {
    (void)state;
    for (int setting = 0; setting < 8; setting++) {
        any_precision precision = (any_precision)(setting % 2);
        uint32_t threads = setting / 2 % 2 == 0 ? 1 : 3;
        crowd c = crowd_make(precision, 60);
        carom_context *context = any_context(threads, NULL);
        c.config.periodic = &c.box;
        any_result stored = any_detect_bodies(context, &c.bodies, &c.config, NULL);
        basket b = basket_make(stored.pair_count);
        any_output output = basket_output(&b);
        uint32_t *label = calloc(MANY, sizeof *label);
        output.label = label;
        b.stop_after = setting < 4 ? 1 : 5;
        note_case((uint64_t)setting, "stopped in a box, %s, %u threads", any_precision_name(precision), threads);
        any_result stopped = any_detect_bodies(context, &c.bodies, &c.config, &output);
        note_check(stopped.status == CAROM_ERROR_STOPPED && stopped.error.status == CAROM_ERROR_STOPPED, "status %s",
                   carom_status_name(stopped.status));
        note_check(b.count >= b.stop_after && b.count < b.stop_after + threads, "%" PRIu64 " blocks came", b.count);
        for (uint32_t n = 0; n < MANY; n++) {
            note_check(label[n] == 0, "labels are written");
        }
        basket_check_call(context, &c.bodies, &c.config, &stored);
        any_result_release(&stopped);
        any_result_release(&stored);
        free(label);
        basket_release(&b);
        carom_context_destroy(context);
        any_bodies_release(&c.bodies);
    }
}

int main(void) {
    note_start("tests/prop/test_combinations");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_combinations), cmocka_unit_test(test_sink_in_a_box),
                                       cmocka_unit_test(test_stop_in_a_box)};
    return cmocka_run_group_tests_name("combinations", tests, NULL, NULL);
}
