/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Guards the validators of the broad phase and of contact rows: what the library makes of a small scene passes, and
 * each kind of damage is refused for its own reason. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "kernel/broad/cell.h"
#include "kernel/broad/oversized_tmpl.h"
#include "kernel/broad/partition_tmpl.h"
#include "kernel/scene/random.h"
#include "kernel/store/row_table_tmpl.h"
#include "tests/support/check.h"
#include "tests/support/small_plan.h"

enum { BODIES = 1000, PADDED = BODIES + CAROM_SIMD_PAD, CODES = 193, CELLS = 24, VISITS_MOST = BODIES * CELLS };

/* A scene of 4 x 3 x 2, and what the broad phase makes of it. Every array begins on a cache line. */
typedef struct scene {
    _Alignas(64) carom_record records[PADDED];
    _Alignas(64) uint32_t slot[PADDED];
    _Alignas(64) uint32_t next[CODES + CAROM_CACHE_LINE];
    _Alignas(64) uint32_t start[CODES + 1];
    _Alignas(64) float low[PADDED];
    _Alignas(64) uint32_t visit_start[CELLS + 1];
    _Alignas(64) uint32_t words[4][VISITS_MOST];
    _Alignas(64) char block[1 << 20];
    carom_real value[7][BODIES];
    carom_plan plan;
    carom_bodies bodies;
    carom_partition made;
    carom_oversized oversized;
    carom_cell cell;
    carom_cell_workspace workspace;
    carom_bins bins;
} scene;

static scene s; /* 300 KiB and more: not on the stack */
static carom_team team;

/* Every tenth body is wider than the plan allows. */
static void make_bodies(void) {
    carom_random random = carom_random_seeded(1);
    for (uint64_t n = 0; n < BODIES; n++) {
        for (int a = 0; a < 3; a++) {
            const double at = carom_random_u01(&random) * (a == 0 ? 4 : a == 1 ? 3 : 2);
            s.value[a][n] = (carom_real)at;
            s.value[a + 3][n] = (carom_real)(at + 0.1 * carom_random_u01(&random));
        }
        s.value[6][n] = (carom_real)(n % 10 == 0 ? 0.6 : 0.2 * carom_random_u01(&random));
    }
    s.bodies = (carom_bodies){.count = BODIES,
                              .prev = {s.value[0], s.value[1], s.value[2]},
                              .curr = {s.value[3], s.value[4], s.value[5]},
                              .radius = s.value[6]};
}

static void list_oversized(const carom_simd *simd) {
    uint64_t visits_of[CAROM_THREADS_MAX];
    carom_memory memory;
    carom_radix_sort sort = {.histogram = {NULL, 0}};
    const carom_visit_workspace workspace = {s.low,      s.visit_start, s.words[0], s.words[1],
                                             s.words[2], s.words[3],    visits_of};
    carom_memory_init(&memory, NULL, 0);
    s.oversized = (carom_oversized){.first = s.start[s.plan.wide_code],
                                    .count = BODIES - s.start[s.plan.wide_code],
                                    .low = s.low,
                                    .start = s.visit_start,
                                    .visit = s.words[1]};
    const carom_record *wide = s.records + s.oversized.first;
    const uint64_t visits = carom_oversized_count(&team, simd, &s.plan, wide, s.oversized.count, &workspace);
    assert_int_equal(
        carom_oversized_list(&team, simd, &memory, &sort, &s.plan, wide, s.oversized.count, visits, &workspace),
        CAROM_OK);
    carom_radix_sort_release(&sort, &memory);
}

/* The cell in the middle, which borrows from all its neighbours. */
static void sort_cell(const carom_simd *simd) {
    float range[2] = {FLT_MAX, -FLT_MAX};
    carom_cell_spans(&s.plan, s.start, &s.oversized, CELLS - 1, &s.cell);
    assert_true(s.cell.span_count > 4 && s.cell.visit_end > s.cell.visit_begin);
    assert_true(carom_cell_workspace_bytes(s.cell.count) <= sizeof s.block);
    carom_cell_workspace_lay_out(s.block, s.cell.count, &s.workspace);
    float *low = s.workspace.low;
    for (uint32_t n = 0; n < s.cell.span_count; n++) {
        const uint32_t count = s.cell.span[n].end - s.cell.span[n].begin;
        carom_kernels_of(simd)->cell_lows(s.records + s.cell.span[n].begin, count, &s.plan.grid, s.plan.sweep_axis, low,
                                          range);
        low += count;
    }
    carom_cell_oversized_lows(&s.plan, &s.cell, low, range);
    s.bins = carom_cell_sort(&s.plan, simd, &s.cell, range, &s.workspace);
}

/* Before each test: the sound scene. */
static int start(void **state) {
    (void)state;
    const carom_simd *simd = carom_simd_best();
    const carom_partition_workspace workspace = {s.slot, s.next, s.start};
    carom_team_init(&team, 1, NULL);
    s.plan = small_plan;
    make_bodies();
    carom_partition_run(&team, simd, &s.plan, &s.bodies, &workspace, s.records);
    s.made = (carom_partition){simd, &s.plan, &s.bodies, s.slot, s.start, s.records};
    list_oversized(simd);
    sort_cell(simd);
    return 0;
}

static void expect(const char *found, const char *reason) {
    assert_non_null(found);
    assert_string_equal(found, reason);
}

static void test_sound(void **state) {
    (void)state;
    assert_null(carom_plan_validate(&s.plan));
    assert_null(carom_partition_validate(&s.made));
    assert_null(carom_oversized_validate(&s.plan, &s.oversized));
    assert_null(carom_cell_validate(&s.plan, s.start, &s.cell));
    assert_null(carom_cell_workspace_validate(&s.cell, (uint32_t)s.bins.last + 1, &s.workspace));
}

static void test_starts(void **state) {
    (void)state;
    s.start[CODES]--;
    expect(carom_partition_validate(&s.made),
           "the first code does not begin at record 0, or the last does not end at the last record");
    s.start[CODES]++;
    s.start[7] = BODIES;
    expect(carom_partition_validate(&s.made), "the records of a code end before they begin");
}

/* The first code that has two records or more. */
static uint32_t first_two(void) {
    uint32_t code = 0;
    while (s.start[code + 1] - s.start[code] < 2) {
        code++;
    }
    return s.start[code];
}

static void swap_records(uint32_t a, uint32_t b) {
    const carom_record one = s.records[a];
    s.records[a] = s.records[b];
    s.records[b] = one;
    s.slot[s.records[a].body] = a;
    s.slot[s.records[b].body] = b;
}

static void test_order(void **state) {
    (void)state;
    const uint32_t at = first_two();
    swap_records(at, at + 1);
    expect(carom_partition_validate(&s.made), "the records of a code are not in the order of their bodies");
}

static void test_cells_of_bodies(void **state) {
    (void)state;
    swap_records(0, BODIES / 2);
    expect(carom_partition_validate(&s.made), "a body is in another cell than its box");
    swap_records(0, BODIES / 2);
    s.plan.grid.wide[0] = s.plan.grid.wide[1] = s.plan.grid.wide[2] = 0.3F;
    expect(carom_partition_validate(&s.made), "a body is in another cell than its box");
}

static void test_records(void **state) {
    (void)state;
    s.records[5].radius += 1;
    expect(carom_partition_validate(&s.made), "a record does not have the values of its body");
    s.records[5].radius = s.bodies.radius[s.records[5].body];
    s.slot[17] = s.slot[18];
    expect(carom_partition_validate(&s.made), "a body is not at its slot");
    s.slot[17] = BODIES;
    expect(carom_partition_validate(&s.made), "a body is not at its slot");
}

/* A plan that takes a wide body for a narrow one: it lies in one cell, and the cells it reaches do not know of it. */
static void test_far_reach(void **state) {
    (void)state;
    const carom_partition_workspace workspace = {s.slot, s.next, s.start};
    s.plan.grid.wide[0] = s.plan.grid.wide[1] = s.plan.grid.wide[2] = 10.0F;
#ifdef NDEBUG
    carom_partition_run(&team, s.made.simd, &s.plan, &s.bodies, &workspace, s.records);
    expect(carom_partition_validate(&s.made), "a body that is not oversized reaches past the next cell");
#else
    (void)workspace; /* the partition itself would refuse it */
#endif
}

static void expect_visits(const char *reason) {
    expect(carom_oversized_validate(&s.plan, &s.oversized), reason);
}

static void test_visits(void **state) {
    (void)state;
    uint32_t *visit = s.words[1];
    const uint32_t before = visit[0];
    visit[0] = s.oversized.count;
    expect_visits("a visit is of no oversized body");
    visit[0] = visit[1];
    expect_visits("the visits to a cell are not in the order of the bodies");
    visit[0] = before ^ UINT32_C(1) << CAROM_VISIT_SHIFT;
    expect_visits("an oversized body is at home in no cell, or in several");
    visit[0] = before | UINT32_C(4) << CAROM_VISIT_SHIFT;
    s.plan.bits = 2;
    expect_visits("a visit has an `earlier` bit of an axis that is not split");
}

static void test_visit_lists(void **state) {
    (void)state;
    s.visit_start[0] = 1;
    expect_visits("the visits to the first cell do not come first");
    s.visit_start[0] = 0;
    s.visit_start[2] = s.visit_start[1] - 1;
    expect_visits("the visits to a cell end before they begin");
    list_oversized(s.made.simd);
    s.low[3] = NAN;
    expect_visits("the low corner of an oversized body is NaN");
}

static void expect_cell(const char *reason) {
    expect(carom_cell_validate(&s.plan, s.start, &s.cell), reason);
}

static void test_spans(void **state) {
    (void)state;
    const carom_span before = s.cell.span[1];
    s.cell.span[1].end = s.cell.span[1].begin;
    expect_cell("a span is empty or ends behind the records");
    s.cell.span[1] = (carom_span){BODIES, BODIES + 1, 0};
    expect_cell("a span is empty or ends behind the records");
    s.cell.span[1] = before;
    s.cell.span[1].earlier = CAROM_OVERSIZED_MARK;
    expect_cell("a span has an `earlier` bit of an axis that is not split");
    s.cell.span[1] = s.cell.span[0];
    expect_cell("two spans share a record");
}

static void test_cell_counts(void **state) {
    (void)state;
    s.cell.count++;
    expect_cell("the cell's count is not the sum of its spans and visits");
    s.cell.visit_end = s.visit_start[CELLS] + 1;
    expect_cell("the cell's visits are not within the lists");
    s.cell.span_count = CAROM_CELL_SPANS_MAX + 1;
    expect_cell("the cell has more spans than there are buckets around it");
}

static void expect_sorted(const char *reason) {
    expect(carom_cell_workspace_validate(&s.cell, (uint32_t)s.bins.last + 1, &s.workspace), reason);
}

static void test_sorted_cell(void **state) {
    (void)state;
    const uint32_t last = (uint32_t)s.bins.last;
    s.workspace.bin_end[0] = s.cell.count + 1;
    expect_sorted("a bin ends before it begins");
    s.workspace.bin_end[0] = 0;
    s.workspace.bin_end[last]++;
    expect_sorted("the last bin does not end at the last entry");
    s.workspace.bin_end[last]--;
    s.workspace.boxes.earlier[s.cell.count + CAROM_SIMD_PAD - 1] = 1;
    expect_sorted("the padding behind the boxes is not zero");
    s.workspace.boxes.earlier[s.cell.count + CAROM_SIMD_PAD - 1] = 0;
    s.workspace.boxes.end++;
    expect_sorted("an array of the workspace does not begin on a cache line");
    s.workspace.boxes.count--;
    expect_sorted("there are not as many boxes as entries of the cell");
}

/* Contact rows */

enum { ROWS = 2 };

/* One contact, and a pair whose boxes overlap but which does not touch. */
typedef struct columns {
    uint32_t i[ROWS];
    uint32_t k[ROWS];
    carom_real real[9][ROWS];
    carom_contacts view;
} columns;

static void fill(columns *c) {
    static const double real[9][ROWS] = {{1, 0.5}, {0, 3}, {0, (double)NAN}, {0.6, 0}, {-0.8, 0},
                                         {0, 0},   {5, 0}, {5, 0},           {5, 0}};
    memset(c, 0, sizeof *c);
    for (int f = 0; f < 9; f++) {
        for (int n = 0; n < ROWS; n++) {
            c->real[f][n] = (carom_real)real[f][n];
        }
    }
    c->k[0] = 1;
    c->i[1] = 3;
    c->k[1] = 9;
    c->view = (carom_contacts){.i = c->i,
                               .k = c->k,
                               .t_ca = c->real[0],
                               .distance = c->real[1],
                               .t_toi = c->real[2],
                               .normal = {c->real[3], c->real[4], c->real[5]},
                               .point = {c->real[6], c->real[7], c->real[8]}};
}

static void expect_rows(const columns *c, const char *reason) {
    expect(carom_row_table_validate_rows(&c->view, ROWS, 10, false, false, false), reason);
}

static void test_rows(void **state) {
    (void)state;
    columns c;
    fill(&c);
    assert_null(carom_row_table_validate_rows(&c.view, ROWS, 10, false, false, false));
    expect(carom_row_table_validate_rows(&c.view, ROWS, 9, false, false, false),
           "a row names a body that does not exist");
    c.i[0] = 1;
    expect_rows(&c, "the first body of a row is not less than the second");
    assert_null(carom_row_table_validate_rows(&c.view, ROWS, 10, true, false, false));
    c.i[0] = 2;
    expect(carom_row_table_validate_rows(&c.view, ROWS, 10, true, false, false),
           "the first body of a row is not less than the second");
    fill(&c);
    const carom_contacts pairs = {.i = c.i, .k = c.k};
    assert_null(carom_row_table_validate_rows(&pairs, ROWS, 10, false, false, false));
}

static void test_row_values(void **state) {
    (void)state;
    columns c;
    fill(&c);
    c.real[0][1] = (carom_real)NAN;
    expect_rows(&c, "the time of closest approach is not in [0, 1]");
    fill(&c);
    c.real[2][0] = (carom_real)1.5;
    expect_rows(&c, "a time of impact is neither in [0, 1] nor NaN");
    fill(&c);
    c.real[1][0] = -1;
    expect_rows(&c, "a distance is negative or NaN");
    assert_null(carom_row_table_validate_rows(&c.view, ROWS, 10, false, true, false));
    c.real[1][0] = (carom_real)NAN;
    expect(carom_row_table_validate_rows(&c.view, ROWS, 10, false, true, false), "a distance is negative or NaN");
    fill(&c);
    c.real[5][0] = (carom_real)0.1;
    expect_rows(&c, "a normal is not of unit length");
    fill(&c);
    c.real[5][1] = 1;
    expect_rows(&c, "a pair that does not touch has a normal");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_sound, start),
        cmocka_unit_test_setup(test_starts, start),
        cmocka_unit_test_setup(test_order, start),
        cmocka_unit_test_setup(test_cells_of_bodies, start),
        cmocka_unit_test_setup(test_records, start),
        cmocka_unit_test_setup(test_far_reach, start),
        cmocka_unit_test_setup(test_visits, start),
        cmocka_unit_test_setup(test_visit_lists, start),
        cmocka_unit_test_setup(test_spans, start),
        cmocka_unit_test_setup(test_cell_counts, start),
        cmocka_unit_test_setup(test_sorted_cell, start),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_row_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
