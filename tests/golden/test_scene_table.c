/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The six standard scenes against the table that an independent program made in 113-bit arithmetic: pairs, hash, groups
 * and the largest group are equal in both precisions, on any number of threads and every instruction set, by
 * the method the chooser takes and by each that can be forced (with more bodies than METHODS_UP_TO only in a long run),
 * and so are the hashes of all results among themselves. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/scene/scene.h"
#include "tests/support/any_detect.h"
#include "tests/support/check.h"
#include "tests/support/note.h"
#include "tests/support/random_scene.h"

enum { ISAS_MOST = 8, ROWS_MOST = 32, ALL_ISAS_UP_TO = 10000, METHODS_UP_TO = 10000, USUAL_MOST = 100000 };

/* Boxes rounded outward may overlap where the table's, rounded to nearest, do not: at most one in so many. */
static const double BOX_PAIRS_MORE = 0.005;

typedef struct table_row {
    char letter;
    uint64_t bodies;
    uint64_t box_pairs;
    uint64_t touching_pairs;
    uint64_t touching_hash;
    uint64_t groups;
    uint64_t largest_group;
} table_row;

static table_row rows[ROWS_MOST];
static size_t row_count;

/* Forced methods, as carom_method numbers them, and how often the one forced was the one taken: a scene may not allow
 * it. */
static const char *const METHOD_NAMES[] = {"chosen", "sweep", "cells", "levels", "shared"};
enum { METHODS = sizeof METHOD_NAMES / sizeof METHOD_NAMES[0] };
static uint64_t taken[METHODS];

static int read_table(void **state) {
    (void)state;
    FILE *file = fopen(CAROM_TEST_DATA "/scene_table.csv", "r");
    char line[256];
    if (file == NULL || fgets(line, sizeof line, file) == NULL) {
        return -1;
    }
    while (row_count < ROWS_MOST && fgets(line, sizeof line, file) != NULL) {
        table_row *r = &rows[row_count++];
        if (sscanf(line, "%c,%" SCNu64 ",%" SCNu64 ",%" SCNu64 ",%" SCNx64 ",%" SCNu64 ",%" SCNu64, &r->letter,
                   &r->bodies, &r->box_pairs, &r->touching_pairs, &r->touching_hash, &r->groups,
                   &r->largest_group) != 7) {
            return -1;
        }
    }
    fclose(file);
    return row_count == 18 ? 0 : -1;
}

static any_bodies make_bodies(const table_row *row, any_precision precision) {
    carom_scene_f32 made;
    assert_int_equal(carom_scene_make(row->letter, row->bodies, 1, &made), CAROM_OK);
    random_scene scene = random_scene_blank(row->bodies);
    for (uint64_t n = 0; n < row->bodies; n++) {
        for (int a = 0; a < 3; a++) {
            scene.field[a][n] = (double)made.prev[a][n];
            scene.field[a + 3][n] = (double)made.curr[a][n];
        }
        scene.field[6][n] = (double)made.radius[n];
    }
    any_bodies bodies = any_bodies_make(precision, &scene.bodies);
    random_scene_release(&scene);
    carom_scene_release(&made);
    return bodies;
}

static void check_summary(const table_row *row, const carom_detect_summary *s) {
    note_check(s->touching_pairs == row->touching_pairs, "%" PRIu64 " touching pairs, not %" PRIu64, s->touching_pairs,
               row->touching_pairs);
    note_check(s->touching_hash == row->touching_hash, "touching_hash %016" PRIx64 ", not %016" PRIx64,
               s->touching_hash, row->touching_hash);
    note_check(s->groups == row->groups, "%" PRIu64 " groups, not %" PRIu64, s->groups, row->groups);
    note_check(s->largest_group == row->largest_group, "largest group %" PRIu64 ", not %" PRIu64, s->largest_group,
               row->largest_group);
    note_check(s->box_pairs >= row->box_pairs && (double)s->box_pairs <= (1 + BOX_PAIRS_MORE) * (double)row->box_pairs,
               "%" PRIu64 " box pairs, %" PRIu64 " in the table", s->box_pairs, row->box_pairs);
}

/* One way to detect a row. */
typedef struct way {
    carom_method method;
    const char *isa;
    uint32_t threads;
} way;

static carom_detect_summary run_scene(const table_row *row, const any_bodies *bodies, const way *w) {
    carom_detect_config config = carom_detect_config_default();
    config.hash = true;
    config.method = w->method;
    carom_context *context = any_context(w->threads, w->isa);
    carom_detect_summary summary;
    note_case((uint64_t)(row - rows), "scene %c, %" PRIu64 " bodies, %s, %s, %u threads, method %s", row->letter,
              row->bodies, any_precision_name(bodies->precision), w->isa, w->threads, METHOD_NAMES[w->method]);
    note_check(any_detect_status(context, bodies, &config, &summary) == CAROM_OK, "the call failed");
    carom_context_destroy(context);
    check_summary(row, &summary);
    taken[w->method] += strcmp(summary.method, METHOD_NAMES[w->method]) == 0;
    return summary;
}

static void check_method(const table_row *row, const any_bodies *bodies, carom_method method,
                         const carom_detect_summary *first) {
    const char *isas[ISAS_MOST];
    size_t isa_count = carom_isa_available(isas, ISAS_MOST);
    for (size_t isa = 0; isa < (row->bodies <= ALL_ISAS_UP_TO ? isa_count : 1); isa++) {
        for (uint32_t threads = 1; threads <= (row->bodies <= USUAL_MOST ? 3 : 2); threads++) {
            const way w = {method, isas[isa], threads};
            carom_detect_summary s = run_scene(row, bodies, &w);
            note_check(s.result_hash == first->result_hash, "result_hash %016" PRIx64 ", not %016" PRIx64,
                       s.result_hash, first->result_hash);
            note_check(s.box_pairs == first->box_pairs, "other box pairs");
        }
    }
}

static void check_row(const table_row *row, any_precision precision) {
    const char *isas[ISAS_MOST];
    carom_isa_available(isas, ISAS_MOST);
    any_bodies bodies = make_bodies(row, precision);
    const way chosen = {CAROM_METHOD_AUTO, isas[0], 1};
    carom_detect_summary first = run_scene(row, &bodies, &chosen);
    const bool forced = row->bodies <= METHODS_UP_TO || note_long();
    for (int method = CAROM_METHOD_AUTO; method < (forced ? METHODS : CAROM_METHOD_AUTO + 1); method++) {
        check_method(row, &bodies, (carom_method)method, &first);
    }
    any_bodies_release(&bodies);
}

static void check_rows_of(uint64_t bodies) {
    int checked = 0;
    memset(taken, 0, sizeof taken);
    for (size_t n = 0; n < row_count; n++) {
        if (rows[n].bodies == bodies) {
            check_row(&rows[n], ANY_F32);
            check_row(&rows[n], ANY_F64);
            checked++;
        }
    }
    assert_int_equal(checked, 6);
    for (int method = CAROM_METHOD_SWEEP; method < METHODS && (bodies <= METHODS_UP_TO || note_long()); method++) {
        note_check(taken[method] > 0, "no scene was done by method %s", METHOD_NAMES[method]);
        printf("# %" PRIu64 " bodies: %s forced, taken %" PRIu64 " times\n", bodies, METHOD_NAMES[method],
               taken[method]);
    }
}

static void test_ten_thousand(void **state) {
    (void)state;
    check_rows_of(10000);
}

static void test_hundred_thousand(void **state) {
    (void)state;
    check_rows_of(100000);
}

static void test_million(void **state) {
    (void)state;
    if (!note_long()) {
        skip();
    }
    check_rows_of(1000000);
}

int main(void) {
    note_start("tests/golden/test_scene_table");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ten_thousand),
        cmocka_unit_test(test_hundred_thousand),
        cmocka_unit_test(test_million),
    };
    return cmocka_run_group_tests_name("scene table", tests, read_table, NULL);
}
