/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Guards the validators of plans, unions, labels, chunks and tables of rows: a sound structure passes, and each kind of
 * damage is refused for its own reason. test_validate_tmpl.c does the same for what has a precision. */
#include <math.h>
#include <string.h>

#include "kernel/groups/groups.h"
#include "kernel/store/chunk_pool.h"
#include "kernel/store/row_table.h"
#include "tests/support/check.h"
#include "tests/support/small_plan.h"

static void expect(const char *found, const char *reason) {
    assert_non_null(found);
    assert_string_equal(found, reason);
}

/* Plans */

static void test_sound_plans(void **state) {
    (void)state;
    carom_plan plan = small_plan;
    assert_null(carom_plan_validate(&plan));
    plan.method = CAROM_METHOD_CELLS;
    plan.grid.wide[0] = plan.grid.wide[1] = plan.grid.wide[2] = INFINITY;
    assert_null(carom_plan_validate(&plan));
    plan.method = CAROM_METHOD_SHARED;
    plan.grid.wide[0] = plan.grid.wide[1] = plan.grid.wide[2] = -1.0F;
    assert_null(carom_plan_validate(&plan));
    const carom_plan one_cell = {.grid = {.columns = {1, 1, 1}, .cell_weight = {1.0F, 1.0F, 1.0F}, .wide_code = 1.0F},
                                 .method = CAROM_METHOD_SWEEP,
                                 .stride = {1, 1, 1},
                                 .cell_count = 1,
                                 .wide_code = 1,
                                 .code_count = 2};
    assert_null(carom_plan_validate(&one_cell));
}

static void test_methods(void **state) {
    (void)state;
    carom_plan plan = small_plan;
    plan.method = CAROM_METHOD_AUTO;
    expect(carom_plan_validate(&plan), "the method is none of sweep, cells, levels and shared");
    plan.method = CAROM_METHOD_SWEEP;
    expect(carom_plan_validate(&plan), "a sweep has more than one cell, or another method has only one");
    plan = small_plan;
    plan.sweep_axis = 3;
    expect(carom_plan_validate(&plan), "the sweep axis is none of the three");
    plan = small_plan;
    plan.sweep_lo = 4.0F;
    expect(carom_plan_validate(&plan), "the range on the sweep axis ends before it begins");
    plan = small_plan;
    plan.grid.wide[1] = INFINITY;
    expect(carom_plan_validate(&plan), "the width from which bodies are oversized is not that of the method");
    plan = small_plan;
    plan.adjacent = true;
    expect(carom_plan_validate(&plan), "cells are adjacent in a method that has none");
    plan.method = CAROM_METHOD_CELLS;
    plan.grid.wide[0] = plan.grid.wide[1] = plan.grid.wide[2] = INFINITY;
    expect(carom_plan_validate(&plan),
           "the straddle bit of an axis is not the next free one, or an axis that needs none has one");
}

static void test_axes(void **state) {
    (void)state;
    carom_plan plan = small_plan;
    plan.grid.last[2] = 2.0F;
    expect(carom_plan_validate(&plan), "the last column of an axis is not its number of columns less one");
    plan = small_plan;
    plan.grid.centre[1] = (double)INFINITY;
    expect(carom_plan_validate(&plan), "the centre is not finite");
    plan = small_plan;
    plan.grid.scale[0] = 0.0F;
    expect(carom_plan_validate(&plan), "the map of a split axis is not finite or has no width");
    plan = small_plan;
    plan.grid.origin[0] = NAN;
    expect(carom_plan_validate(&plan), "the map of a split axis is not finite or has no width");
}

static void test_codes(void **state) {
    (void)state;
    carom_plan plan = small_plan;
    plan.stride[0] = 3;
    expect(carom_plan_validate(&plan), "the stride of an axis is not the product of the columns before it");
    plan = small_plan;
    plan.bit[0] = 2;
    expect(carom_plan_validate(&plan),
           "the straddle bit of an axis is not the next free one, or an axis that needs none has one");
    plan = small_plan;
    plan.bits = 2;
    expect(carom_plan_validate(&plan), "the number of straddle bits is not the number of axes that need one");
    plan = small_plan;
    plan.cell_count = 23;
    expect(carom_plan_validate(&plan), "the number of cells is not the product of the columns");
    plan = small_plan;
    plan.code_count = 192;
    expect(carom_plan_validate(&plan), "the code of oversized bodies is not the one after all cells' codes");
    plan = small_plan;
    plan.grid.cell_weight[2] = 3.0F;
    expect(carom_plan_validate(&plan), "the grid's weights are not those of the plan's strides and bits");
}

static void test_too_many_codes(void **state) {
    (void)state;
    carom_plan plan = small_plan;
    plan.grid.columns[0] = 1 << 20;
    plan.grid.last[0] = 0x1p20F - 1.0F;
    plan.cell_count = 6 << 20;
    expect(carom_plan_validate(&plan), "there are more codes than float holds exactly");
}

/* Unions and labels */

enum { SLOTS = 6, OWNED = 5 };

/* Slots {0, 1, 3} and {2, 4} are sets, slot 5 is the image of the body in slot 4. */
typedef struct groups {
    carom_union_find_parent parent[SLOTS];
    _Atomic uint32_t least[SLOTS];
    _Atomic uint32_t size[SLOTS];
    uint32_t body[SLOTS];
    uint32_t slot_of[SLOTS];
    uint32_t label[SLOTS];
    carom_group_workspace workspace;
} groups;

static void fill(groups *g) {
    static const uint32_t parent[SLOTS] = {0, 0, 2, 1, 2, 4};
    static const uint32_t size[SLOTS] = {3, 0, 2, 0, 0, 0};
    static const uint32_t body[SLOTS] = {4, 2, 0, 1, 3, 5};
    static const uint32_t label[SLOTS] = {0, 1, 1, 0, 1, 0};
    for (uint32_t n = 0; n < SLOTS; n++) {
        atomic_init(&g->parent[n], parent[n]);
        atomic_init(&g->size[n], size[n]);
        atomic_init(&g->least[n], 0);
        g->body[n] = body[n];
        g->slot_of[body[n]] = n;
        g->label[n] = label[n];
    }
    g->workspace = (carom_group_workspace){.parent = g->parent,
                                           .least = g->least,
                                           .size = g->size,
                                           .body = g->body,
                                           .slot_of = g->slot_of,
                                           .owned = OWNED};
}

static void test_unions(void **state) {
    (void)state;
    groups g;
    fill(&g);
    assert_null(carom_union_find_validate(g.parent, SLOTS));
    assert_null(carom_union_find_validate(g.parent, 0));
    g.parent[1] = 3;
    expect(carom_union_find_validate(g.parent, SLOTS), "a parent is larger than its child");
    g.parent[1] = SLOTS;
    expect(carom_union_find_validate(g.parent, SLOTS), "a parent is out of range");
    expect(carom_groups_validate_slots(&g.workspace, SLOTS), "a parent is out of range");
}

static void test_slots(void **state) {
    (void)state;
    groups g;
    fill(&g);
    assert_null(carom_groups_validate_slots(&g.workspace, SLOTS));
    g.body[0] = 2;
    expect(carom_groups_validate_slots(&g.workspace, SLOTS), "the slot of a slot's body is another one");
    g.body[0] = SLOTS;
    expect(carom_groups_validate_slots(&g.workspace, SLOTS), "the slot of a slot's body is another one");
}

static void expect_labels(const groups *g, const char *reason) {
    expect(carom_groups_validate_labels(&g->workspace, SLOTS, g->label), reason);
}

static void test_labels(void **state) {
    (void)state;
    groups g;
    fill(&g);
    assert_null(carom_groups_validate_labels(&g.workspace, SLOTS, g.label));
    g.label[2] = 4;
    expect_labels(&g, "a label is larger than its body");
    fill(&g);
    g.label[2] = 0;
    expect_labels(&g, "a slot has another label than its root");
    fill(&g);
    g.label[1] = g.label[2] = g.label[4] = 0;
    expect_labels(&g, "a label is a body of another set");
}

static void test_roots(void **state) {
    (void)state;
    groups g;
    fill(&g);
    g.parent[4] = 3;
    expect_labels(&g, "a slot is more than two steps from its root");
    fill(&g);
    g.size[3] = 1;
    expect_labels(&g, "a slot that is no root has a size");
    fill(&g);
    g.size[0] = 4;
    expect_labels(&g, "the sizes of all sets do not add up to the bodies");
}

/* Chunks */

static void test_chunks(void **state) {
    (void)state;
    carom_memory memory;
    carom_memory_init(&memory, NULL, 0);
    carom_chunk_pool pool = {.held = 0};
    assert_null(carom_chunk_pool_validate(&pool));
    carom_chunk_pool_reserve(&pool, &memory, 2, 0);
    carom_chunk *taken = carom_chunk_take(&pool, &memory);
    assert_non_null(taken);
    taken->count = CAROM_CHUNK_PAIRS;
    assert_null(carom_chunk_pool_validate(&pool));
    taken->count++;
    expect(carom_chunk_pool_validate(&pool), "a chunk has more pairs than it can hold");
    taken->count = 0;
    taken->slot_k--;
    expect(carom_chunk_pool_validate(&pool), "the columns of a chunk do not lie behind its head");
    taken->slot_k++;
    assert_true(carom_chunk_reserve_answers(taken, &memory, 64));
    assert_null(carom_chunk_pool_validate(&pool));
    taken->answer_bytes = 0;
    expect(carom_chunk_pool_validate(&pool), "a chunk has answers without bytes, or bytes without answers");
    taken->answer_bytes = 64;
    carom_chunk_give(&pool, taken, taken, 1);
    carom_chunk_pool_release(&pool, &memory);
    assert_int_equal(memory.held, 0);
}

static void test_chunk_counts(void **state) {
    (void)state;
    carom_memory memory;
    carom_memory_init(&memory, NULL, 0);
    carom_chunk_pool pool = {.held = 0};
    carom_chunk_pool_reserve(&pool, &memory, 3, 0);
    pool.taken = 4;
    expect(carom_chunk_pool_validate(&pool), "more chunks are in use than the pool holds");
    pool.taken = 1;
    expect(carom_chunk_pool_validate(&pool), "the spare chunks are not those that are not in use");
    pool.taken = 0;
    carom_chunk *last = pool.spare->next->next;
    last->next = pool.spare;
    expect(carom_chunk_pool_validate(&pool), "the spare chunks are not those that are not in use");
    last->next = NULL;
    pool.held = 4;
    pool.taken = 1;
    expect(carom_chunk_pool_validate(&pool), "the pool has fewer chunks than it holds");
    pool.held = 2;
    pool.taken = 0;
    pool.spare = pool.spare->next;
    expect(carom_chunk_pool_validate(&pool), "the pool has more chunks than it holds, or a loop of them");
    pool.held = 3;
    pool.taken = 1;
    carom_chunk_pool_release(&pool, &memory);
    assert_int_equal(memory.held, 0);
}

/* Tables of rows */

static const carom_row_shape contact_shape = {CAROM_ROW_FIELDS, sizeof(double), 3, 0};

static void test_tables(void **state) {
    (void)state;
    const carom_row_shape shapes[] = {{CAROM_PAIR_FIELDS, 4, 0, 0},
                                      {CAROM_PAIR_FIELDS, 8, 3, 0},
                                      {CAROM_ROW_FIELDS, 4, 3, 0},
                                      {CAROM_ROW_FIELDS, 8, 0, 2}};
    carom_memory memory;
    carom_memory_init(&memory, NULL, 0);
    carom_row_table table = {.capacity = 0};
    for (int s = 0; s < 4; s++) {
        assert_null(carom_row_table_validate(&table, shapes[s]));
        assert_int_equal(carom_row_table_reserve(&table, &memory, shapes[s], 1000), CAROM_OK);
        assert_null(carom_row_table_validate(&table, shapes[s]));
        carom_row_table_release(&table, &memory);
    }
    table.capacity = 16;
    expect(carom_row_table_validate(&table, contact_shape), "the table has room for rows but no block");
}

static void test_table_damage(void **state) {
    (void)state;
    carom_memory memory;
    carom_memory_init(&memory, NULL, 0);
    carom_row_table table = {.capacity = 0};
    assert_int_equal(carom_row_table_reserve(&table, &memory, contact_shape, 1000), CAROM_OK);
    const carom_row_table sound = table;
    expect(carom_row_table_validate(&table, (carom_row_shape){3, 8, 0, 0}),
           "the shape is none of those that rows have");
    table.capacity--;
    expect(carom_row_table_validate(&table, contact_shape), "the capacity is not a multiple of 16 rows");
    table.capacity = sound.capacity + CAROM_ROW_MULTIPLE;
    expect(carom_row_table_validate(&table, contact_shape), "the block is too small for the capacity");
    table = sound;
    table.block.data = (char *)sound.block.data + sizeof(double);
    expect(carom_row_table_validate(&table, contact_shape), "a field does not begin on a cache line");
    table = sound;
    carom_row_table_release(&table, &memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound_plans),  cmocka_unit_test(test_methods),        cmocka_unit_test(test_axes),
        cmocka_unit_test(test_codes),        cmocka_unit_test(test_too_many_codes), cmocka_unit_test(test_unions),
        cmocka_unit_test(test_slots),        cmocka_unit_test(test_labels),         cmocka_unit_test(test_roots),
        cmocka_unit_test(test_chunks),       cmocka_unit_test(test_chunk_counts),   cmocka_unit_test(test_tables),
        cmocka_unit_test(test_table_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
