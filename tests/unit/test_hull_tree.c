/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The tree over hulls: what boxes meet, when it is new and after hulls have become wider. Guards that it finds all that
 * brute force finds, and nothing else. */
#include <stdlib.h>
#include <string.h>

#include "kernel/impacts/tree.h"
#include "kernel/scene/random.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

enum { MOST = 5000, QUERIES = 40, WIDENINGS = 60, CASES = 60 };

static carom_memory memory;
static carom_tree tree;
static carom_tree_search search;
static carom_hull_box hull[MOST + CAROM_TREE_WIDTH];

/* A box somewhere in a cube of ten, up to `size` wide. */
static carom_box random_box(carom_random *random, double size) {
    carom_box box;
    for (int a = 0; a < 3; a++) {
        box.lo[a] = (float)(10.0 * carom_random_u01(random));
        box.hi[a] = box.lo[a] + (float)(size * carom_random_u01(random));
    }
    return box;
}

static void check_found(uint32_t count, carom_random *random) {
    static bool found[QUERIES][MOST];
    carom_box box[QUERIES];
    for (int q = 0; q < QUERIES; q++) {
        box[q] = random_box(random, 1.0);
    }
    const carom_tree_boxes boxes = {.box = box, .count = QUERIES};
    memset(found, 0, sizeof found);
    note_check(carom_tree_find(&tree, &memory, carom_simd_best(), &boxes, &search), "no memory");
    for (uint64_t n = 0; n < search.leaf.count; n++) {
        const uint32_t q = ((const uint32_t *)search.leaf.box.data)[n];
        const uint32_t leaf = ((const uint32_t *)search.leaf.node.data)[n];
        note_check(q < QUERIES && leaf < count && !found[q][leaf], "leaf %u of %u and box %u", leaf, count, q);
        found[q][leaf] = true;
    }
    for (int q = 0; q < QUERIES; q++) {
        for (uint32_t leaf = 0; leaf < count; leaf++) {
            const carom_box own = carom_box_of(&hull[leaf]);
            note_check(found[q][leaf] == carom_box_meets(&box[q], &own), "leaf %u of %u and box %d", leaf, count, q);
        }
    }
}

/* Some hulls become wider, a few of them so much that they leave all that was around them. */
static void widen_some(uint32_t count, carom_random *random) {
    for (int n = 0; n < WIDENINGS; n++) {
        const uint32_t leaf = (uint32_t)(carom_random_next(random) % count);
        const carom_box more = random_box(random, 1.0);
        carom_box box = carom_box_of(&hull[leaf]);
        if (n % 8 == 0) {
            carom_box_widen(&box, &more);
        } else {
            box.hi[n % 3] += 0.1F;
        }
        carom_box_put(&hull[leaf], &box);
        carom_tree_widen(&tree, leaf);
    }
}

static void check_tree(uint64_t number) {
    static const uint32_t counts[] = {MOST, 257, 1000, 17, 1, 2, 15, 16, 256};
    carom_random random = carom_random_seeded(note_case_seed(number));
    const uint64_t sizes = sizeof counts / sizeof *counts;
    const uint32_t count = counts[number % sizes];
    carom_team team;
    carom_team_init(&team, 3 - (uint32_t)(number / sizes % 3), NULL);
    for (uint32_t leaf = 0; leaf < count; leaf++) { /* as slots are, in order of space */
        carom_box box = random_box(&random, 0.3);
        const float width = box.hi[0] - box.lo[0];
        box.lo[0] = 10.0F * (float)leaf / (float)count;
        box.hi[0] = box.lo[0] + width;
        carom_box_put(&hull[leaf], &box);
    }
    note_check(carom_tree_build(&tree, &memory, &team, hull, count) == CAROM_OK, "no memory");
    check_found(count, &random);
    for (int round = 0; round < 3; round++) {
        widen_some(count, &random);
        check_found(count, &random);
    }
}

static void test_tree(void **state) {
    (void)state;
    note_each_case(CASES, check_tree);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tree)};
    note_start("test_hull_tree");
    carom_memory_init(&memory, NULL, 0);
    const int failed = cmocka_run_group_tests_name("hull tree", tests, NULL, NULL);
    carom_tree_search_release(&search, &memory);
    carom_tree_release(&tree, &memory);
    return failed;
}
