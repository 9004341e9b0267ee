/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The checks of coherent detection's state: a state as steps leave it passes, and each kind of damage gets its own
 * sentence. Guards that the checks, which release builds lack, find what they are for. */
#include <string.h>

#include "kernel/coherent/ring.h"
#include "kernel/coherent/validate.h"
#include "kernel/coherent/validate_groups.h"
#include "kernel/coherent/validate_list.h"
#include "kernel/scene/random.h"
#include "tests/support/check.h"

enum { BODIES = 400, JUMPS = 3 };

typedef struct fixture {
    carom_context *context;
    carom_coherent_f32 *coherent;
    carom_coherent *state;
    carom_coherent_list list;
    carom_coherent_index index;
    float prev[3][BODIES];
    float curr[3][BODIES];
    float radius[BODIES];
} fixture;

static void run_step(fixture *f) {
    const carom_bodies_f32 bodies = {.count = BODIES,
                                     .prev = {f->prev[0], f->prev[1], f->prev[2]},
                                     .curr = {f->curr[0], f->curr[1], f->curr[2]},
                                     .radius = f->radius};
    carom_detection_f32 detection = {0};
    carom_error error = {.message = ""};
    const carom_status status = carom_coherent_detect_f32(f->coherent, &bodies, NULL, NULL, &detection, NULL, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(status, CAROM_OK);
}

/* Bodies go on; some jump to others, and so leave their fat boxes and bring pairs with them. */
static void move_on(fixture *f, int jumps) {
    for (int n = 0; n < BODIES; n++) {
        for (int a = 0; a < 3; a++) {
            const float to = n < jumps ? f->curr[a][BODIES / 2 + n] : 2 * f->curr[a][n] - f->prev[a][n];
            f->prev[a][n] = n < jumps ? to : f->curr[a][n];
            f->curr[a][n] = to;
        }
    }
}

/* Three steps: a rebuild, an extension of the list, and an update of the groups. */
static int make_state(void **state) {
    static fixture f;
    carom_random random = carom_random_seeded(1);
    memset(&f, 0, sizeof f);
    for (int n = 0; n < BODIES; n++) {
        f.radius[n] = 0.5F;
        for (int a = 0; a < 3; a++) {
            f.prev[a][n] = 14 * (float)carom_random_u01(&random);
            f.curr[a][n] = f.prev[a][n] + 0.02F * ((float)carom_random_u01(&random) - 0.5F);
        }
    }
    assert_int_equal(carom_context_create(NULL, &f.context, NULL), CAROM_OK);
    assert_int_equal(carom_coherent_create_f32(f.context, NULL, &f.coherent, NULL), CAROM_OK);
    f.state = (carom_coherent *)(void *)f.coherent;
    run_step(&f);
    move_on(&f, JUMPS);
    run_step(&f);
    move_on(&f, 0);
    run_step(&f);
    assert_int_equal(f.state->rebuilds, 1);
    f.list = carom_coherent_list_of(f.state);
    f.index = carom_coherent_index_view(carom_coherent_data(f.state, CAROM_COHERENT_INDEX), BODIES);
    *state = &f;
    return 0;
}

static int destroy_state(void **state) {
    fixture *f = *state;
    carom_coherent_destroy_f32(f->coherent);
    carom_context_destroy(f->context);
    return 0;
}

static void check_says(const char *reason, const char *expected) {
    assert_non_null(reason);
    assert_string_equal(reason, expected);
}

static void test_sound(void **state) {
    const fixture *f = *state;
    assert_true(f->state->list.ordered > 0 && f->state->list.ordered < f->state->list.pairs);
    assert_true(f->state->has_inner);
    assert_null(carom_coherent_validate(f->state));
}

static void test_order(void **state) {
    const fixture *f = *state;
    uint32_t *body = carom_coherent_data(f->state, CAROM_COHERENT_BODY);
    const uint32_t whole = body[7];
    body[7] = body[8];
    check_says(carom_coherent_validate(f->state), "slots and bodies are not inverse permutations");
    body[7] = BODIES;
    check_says(carom_coherent_validate(f->state), "a slot has a body that does not exist");
    body[7] = whole;
}

static void test_pairs(void **state) {
    const fixture *f = *state;
    const carom_coherent_list *list = &f->list;
    const uint64_t last = f->state->list.pairs - 1;
    const uint32_t i = list->i[last];
    const uint32_t k = list->k[last];
    list->i[last] = k;
    list->k[last] = i;
    check_says(carom_coherent_validate(f->state), "a pair on the list does not have its larger slot first");
    list->i[last] = BODIES;
    check_says(carom_coherent_validate(f->state), "a pair on the list has a slot that does not exist");
    list->i[last] = list->i[0];
    list->k[last] = list->k[0];
    check_says(carom_coherent_validate(f->state), "a pair is on the list twice");
    list->i[last] = BODIES - 1;
    list->k[last] = 0;
    check_says(carom_coherent_validate(f->state), "the fat boxes of a pair on the list do not overlap");
    list->i[last] = i;
    list->k[last] = k;
}

static void test_starts(void **state) {
    const fixture *f = *state;
    const carom_coherent_list *list = &f->list;
    const uint32_t slot = list->i[0];
    const uint32_t start = list->start[slot];
    const uint64_t middle = f->state->list.ordered / 2;
    const uint32_t i = list->i[middle];
    list->start[slot]++;
    check_says(carom_coherent_list_validate(f->state),
               "a pair in the ordered part of the list lies under another slot");
    list->start[slot] = UINT32_MAX;
    check_says(carom_coherent_list_validate(f->state), "the list starts do not ascend");
    list->start[slot] = start;
    list->i[middle]++;
    check_says(carom_coherent_list_validate(f->state),
               "a pair in the ordered part of the list lies under another slot");
    list->i[middle] = i;
    f->state->list.ordered--;
    check_says(carom_coherent_list_validate(f->state), "the list starts do not span the ordered part of the list");
    f->state->list.ordered = f->state->list.capacity;
    check_says(carom_coherent_list_validate(f->state),
               "the list has more pairs than places, or more ordered pairs than pairs");
    f->state->list.ordered = list->start[BODIES];
    assert_null(carom_coherent_list_validate(f->state));
}

static void test_touching(void **state) {
    const fixture *f = *state;
    const uint64_t beyond[2] = {f->state->list.pairs, f->state->list.capacity};
    for (int n = 0; n < 2; n++) {
        uint64_t *bits = n == 0 ? f->list.touching : f->list.before;
        const uint64_t whole = bits[beyond[n] / 64];
        bits[beyond[n] / 64] |= UINT64_C(1) << beyond[n] % 64;
        check_says(carom_coherent_validate(f->state), "a touching bit is set beyond the last pair of the list");
        bits[beyond[n] / 64] = whole;
    }
}

static void test_index(void **state) {
    const fixture *f = *state;
    static const char *const reasons[] = {"a node of the index does not contain its fat boxes",
                                          "a node of the index does not contain its nodes"};
    assert_int_equal(f->index.tree.levels, 3);
    for (int l = 0; l < 2; l++) {
        float *lo = carom_box_blocks_side(&f->index.tree.level[l + 1], 1, 1);
        const float whole = *lo;
        *lo = 1e9F;
        check_says(carom_coherent_validate(f->state), reasons[l]);
        *lo = whole;
    }
}

static void test_boxes(void **state) {
    const fixture *f = *state;
    float *lo[3];
    float *hi[3];
    carom_coherent_fat_boxes(f->state, lo, hi);
    const float whole = hi[2][BODIES - 1];
    hi[2][BODIES - 1] += 100;
    check_says(carom_coherent_validate(f->state), "a box of the index does not contain the fat box of its body");
    hi[2][BODIES - 1] = lo[2][BODIES - 1] + 0.4F;
    check_says(carom_coherent_validate(f->state), "an inner box is not inside its fat box");
    hi[2][BODIES - 1] = whole;
    f->state->built = false;
    check_says(carom_coherent_validate(f->state), "there is no list");
    f->state->built = true;
}

/* The last step swapped the bits: those of this step are the ones before the next. */
static void swap_touching(carom_coherent *state) {
    const carom_buffer now = state->buffer[CAROM_COHERENT_TOUCHING];
    state->buffer[CAROM_COHERENT_TOUCHING] = state->buffer[CAROM_COHERENT_TOUCHING_BEFORE];
    state->buffer[CAROM_COHERENT_TOUCHING_BEFORE] = now;
}

/* A slot in a group of several. */
static uint32_t member_of_some(const carom_group_node *node) {
    uint32_t slot = 0;
    while (node[slot].next == slot) {
        slot++;
    }
    return slot;
}

static void damage_node(const fixture *f, uint32_t *field, uint32_t value, const char *expected) {
    const uint32_t whole = *field;
    *field = value;
    check_says(carom_coherent_groups_validate(f->state), expected);
    *field = whole;
    assert_null(carom_coherent_groups_validate(f->state));
}

static void test_groups(void **state) {
    const fixture *f = *state;
    carom_group_node *node = carom_coherent_data(f->state, CAROM_COHERENT_NODES);
    uint32_t *label = carom_coherent_data(f->state, CAROM_COHERENT_LABEL);
    assert_true(f->state->groups.linked);
    swap_touching(f->state);
    assert_null(carom_coherent_groups_validate(f->state));
    const uint32_t slot = member_of_some(node);
    carom_group_node *root = &node[node[slot].root];
    damage_node(f, &node[slot].next, slot, "the members of a group do not form a ring");
    damage_node(f, &node[root->next].root, slot == 0 ? 1 : 0, "a member of a group has another root or label");
    damage_node(f, &label[node[slot].body], BODIES, "a member of a group has another root or label");
    damage_node(f, &root->size, root->size + 1, "a group has another size than its root says");
    damage_node(f, &node[slot].split, 1, "a node has no root, or is still marked as split");
    damage_node(f, &node[slot].degree, node[slot].degree + 1,
                "the degrees of the bodies do not add up to the pairs that touch");
    f->state->groups.linked = false;
    check_says(carom_coherent_groups_validate(f->state), "groups are not linked");
    f->state->groups.linked = true;
    swap_touching(f->state);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sound),    cmocka_unit_test(test_order),
                                       cmocka_unit_test(test_pairs),    cmocka_unit_test(test_starts),
                                       cmocka_unit_test(test_touching), cmocka_unit_test(test_index),
                                       cmocka_unit_test(test_boxes),    cmocka_unit_test(test_groups)};
    return cmocka_run_group_tests_name("validate_coherent", tests, make_state, destroy_state);
}
