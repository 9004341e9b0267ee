/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Leaves of the tree for escapes: hulls wrapped into a periodic box, or in open space, in the order of slots or of
 * space. Guards that a tree over them finds each image of a hull that another one meets, by the edges between the two
 * where they are, also of hulls that lie many edges away, that become others, and where space is open along some axes.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/impacts/images.h"
#include "kernel/impacts/leaves.h"
#include "kernel/scene/random.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

/* Edges that two of the hulls are apart at most when they meet: 7, their widths, and the tilts of edges. */
enum { CASES = 80, HULLS = 60, MANY = 300, EDGES_MOST = 12 };

static carom_memory memory;
static carom_leaves leaves;
static carom_tree tree;
static carom_tree_search search;
static carom_context *contexts[2];
static carom_hull_box hull[MANY + CAROM_TREE_WIDTH];
static const carom_hulls hulls = {.box = hull};
static carom_periodic box;
static carom_impacts_bodies bodies;

static double uniform(carom_random *random, double least, double most) {
    return least + (most - least) * carom_random_u01(random);
}

/* Tilted or not, repeating along one axis or more. */
static void make_box(carom_random *random) {
    box = carom_periodic_default();
    const uint64_t along = carom_random_next(random) % 8;
    const double tilt = carom_random_next(random) % 2 == 0 ? 0.0 : 3.0;
    for (int e = 0; e < 3; e++) {
        box.along[e] = (along >> e & 1) != 0;
        for (int a = 0; a < 3; a++) {
            box.edge[e][a] = a == e ? uniform(random, 6.0, 12.0) : a < e ? uniform(random, -tilt, tilt) : 0.0;
        }
    }
    bodies.periodic = along > 0 ? &box : NULL;
}

/* As many edges away as bodies may be that have moved through the box. */
static void make_hull(carom_random *random, carom_hull_box *made) {
    double at[3] = {0.0, 0.0, 0.0};
    for (int e = 0; e < 3; e++) {
        const double edges = uniform(random, 0.0, 1.0) + (double)(carom_random_next(random) % 7) - 3.0;
        for (int a = 0; a < 3; a++) {
            at[a] += (box.along[e] ? edges : uniform(random, -1.0, 1.0)) * box.edge[e][a];
        }
    }
    for (int a = 0; a < 3; a++) {
        made->lo[a] = (float)at[a];
        made->hi[a] = (float)(at[a] + uniform(random, 0.1, carom_random_next(random) % 8 == 0 ? 9.0 : 2.0));
    }
}

/* By how much two hulls overlap, the second one so many edges away, on the axis on which they do so least. */
static double overlap(const carom_periodic *periodic, uint32_t a, uint32_t b, const int32_t edges[3]) {
    double shift[3];
    double least = INFINITY;
    carom_image_shift(periodic->edge, edges, shift);
    for (int d = 0; d < 3; d++) {
        least = fmin(least, fmin((double)hull[a].hi[d] - ((double)hull[b].lo[d] + shift[d]),
                                 (double)hull[b].hi[d] + shift[d] - (double)hull[a].lo[d]));
    }
    return least;
}

static uint8_t found[MANY][CAROM_IMAGE_SELF * 2];

/* Counts by hull and code what the tree finds of a hull. */
static void find(uint32_t a) {
    const carom_box own = carom_box_of(&leaves.box[carom_leaves_of(&leaves, a)]);
    carom_image_walk images = carom_images_begin(bodies.periodic, &own, &tree);
    memset(found, 0, bodies.count * sizeof *found);
    while (carom_images_next(&images)) {
        const carom_tree_boxes boxes = {.box = &images.box, .count = 1};
        note_check(carom_tree_find(&tree, &memory, carom_simd_best(), &boxes, &search), "no memory");
        for (uint64_t n = 0; n < search.leaf.count; n++) {
            const uint32_t b = carom_leaves_slot(&leaves, ((const uint32_t *)search.leaf.node.data)[n]);
            uint32_t code = CAROM_IMAGE_SELF;
            if (bodies.periodic == NULL || carom_leaves_image(&leaves, a, b, images.edges, &code)) {
                int32_t edges[3];
                carom_image_edges(code, edges);
                note_check(++found[b][code] == 1, "hull %u twice at one image", b);
                note_check(overlap(&box, a, b, edges) > -1e-3, "hull %u is found, %g away", b,
                           -overlap(&box, a, b, edges));
            }
        }
    }
}

/* Whether an image is one that the box has, and that two hulls may meet at. */
static bool is_looked_at(const int32_t edges[3]) {
    bool is_image = true;
    for (int e = 0; e < 3; e++) {
        is_image = is_image && abs(edges[e]) <= (box.along[e] ? EDGES_MOST : 0);
    }
    return is_image;
}

static uint64_t met;

/* All images that a hull meets, and that have a code, are found. */
static void check_hull(uint32_t a) {
    find(a);
    for (uint32_t code = 0; code < CAROM_IMAGE_SELF * 2; code++) {
        int32_t edges[3];
        carom_image_edges(code, edges);
        for (uint32_t b = 0; b < bodies.count && is_looked_at(edges); b++) {
            if (overlap(&box, a, b, edges) >= 0.0) {
                met++;
                note_check(found[b][code] == 1, "hulls %u and %u meet at edges %d %d %d, and are not found", a, b,
                           edges[0], edges[1], edges[2]);
            }
        }
    }
}

static void check_order(void) {
    for (uint32_t n = 0; n < bodies.count; n++) {
        note_check(carom_leaves_slot(&leaves, carom_leaves_of(&leaves, n)) == n, "slot %u has leaf %u", n,
                   carom_leaves_of(&leaves, n));
    }
    note_check((leaves.slot != NULL) == (bodies.count == MANY), "leaves are in order of space, or are not");
    note_check(carom_leaves_are(&leaves, &hulls) == (bodies.periodic == NULL && leaves.slot == NULL),
               "leaves are hulls, or are not");
}

static void check_case(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    carom_context *context = contexts[number % 2];
    bodies.count = number % 4 == 0 ? MANY : HULLS;
    make_box(&random);
    for (uint32_t n = 0; n < bodies.count; n++) {
        make_hull(&random, &hull[n]);
    }
    note_case(number, "%u hulls", bodies.count);
    note_check(carom_leaves_make(&leaves, &memory, context, &hulls, &bodies) == CAROM_OK &&
                   carom_tree_build(&tree, &memory, &context->team, leaves.box, bodies.count) == CAROM_OK,
               "no memory");
    check_order();
    check_hull((uint32_t)(number % HULLS));
    for (uint32_t n = 0; n < bodies.count; n += 7) {
        make_hull(&random, &hull[n]);
        carom_leaves_renew(&leaves, &hulls, &bodies, n);
        carom_tree_widen(&tree, carom_leaves_of(&leaves, n));
    }
    check_hull(0);
    check_hull((uint32_t)(number % HULLS));
}

static void test_images(void **state) {
    (void)state;
    note_each_case(CASES, check_case);
    carom_tree_release(&tree, &memory);
    carom_tree_search_release(&search, &memory);
    carom_leaves_release(&leaves, &memory);
    printf("%" PRIu64 " images met\n", met);
    assert_true(met > 200);
}

/* Hulls that lie in memory in the order of space are leaves as they are. */
static void test_in_order(void **state) {
    (void)state;
    bodies = (carom_impacts_bodies){.count = MANY};
    for (uint32_t n = 0; n < MANY; n++) {
        hull[n] = (carom_hull_box){.lo = {(float)n, 0.0F, 0.0F}, .hi = {(float)n + 2.0F, 1.0F, 1.0F}};
    }
    assert_int_equal(carom_leaves_make(&leaves, &memory, contexts[0], &hulls, &bodies), CAROM_OK);
    assert_true(carom_leaves_are(&leaves, &hulls));
    carom_leaves_release(&leaves, &memory);
}

/* Space that repeats after 8 along x. */
static void repeat_along_x(void) {
    bodies = (carom_impacts_bodies){.count = HULLS, .periodic = &box};
    box = carom_periodic_default();
    box.along[0] = true;
    box.edge[0][0] = 8.0;
    box.edge[1][1] = box.edge[2][2] = 1.0;
}

/* A hull that somebody has put very many edges away stays where it is; all others come into the box. */
static void test_far(void **state) {
    (void)state;
    repeat_along_x();
    for (uint32_t n = 0; n < HULLS; n++) {
        const float x = n == 0 ? 8e6F : 10.0F * (float)n;
        hull[n] = (carom_hull_box){.lo = {x, 0.0F, 0.0F}, .hi = {x + 1.0F, 1.0F, 1.0F}};
    }
    assert_int_equal(carom_leaves_make(&leaves, &memory, contexts[0], &hulls, &bodies), CAROM_OK);
    assert_int_equal(leaves.edges[0].edge[0], 0);
    assert_true(leaves.box[0].lo[0] <= 8e6F && leaves.box[0].hi[0] >= 8e6F);
    for (uint32_t n = 1; n < HULLS; n++) {
        assert_true(leaves.box[n].lo[0] > -0.6F && leaves.box[n].hi[0] < 8.6F);
        assert_int_equal(leaves.edges[n].edge[0], (int)floor((10.0 * n + 0.5) / 8.0));
    }
    carom_leaves_release(&leaves, &memory);
}

/* Two hulls some edges apart, where the wrapped ones meet: the code of the image, if there is one. */
static void check_image(int axis, int32_t apart) {
    int32_t edges[3] = {1, -2, 3};
    int32_t sum[3] = {1, -2, 3};
    carom_leaves_edges of[2] = {{{0, 0, 0}}, {{0, 0, 0}}};
    const carom_leaves two = {.edges = of};
    uint32_t code = 0;
    of[0].edge[axis] = (int16_t)(apart / 2);
    of[1].edge[axis] = (int16_t)(apart / 2 - apart);
    sum[axis] += apart;
    const bool near = abs(sum[axis]) <= CAROM_IMAGE_MOST;
    assert_true(carom_leaves_image(&two, 0, 1, edges, &code) == near);
    assert_int_equal(code, near ? carom_image_code(sum[0], sum[1], sum[2]) : CAROM_IMAGE_SELF);
}

static void test_far_images(void **state) {
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        for (int32_t apart = -20; apart <= 20; apart++) {
            check_image(axis, apart);
        }
    }
}

/* None is moved while all are near the box. */
static void test_near_box(void **state) {
    (void)state;
    repeat_along_x();
    for (uint32_t n = 0; n < HULLS; n++) {
        const float x = -3.0F + 14.0F * (float)n / HULLS;
        hull[n] = (carom_hull_box){.lo = {x, 0.0F, 0.0F}, .hi = {x + 0.5F, 1.0F, 1.0F}};
    }
    assert_int_equal(carom_leaves_make(&leaves, &memory, contexts[0], &hulls, &bodies), CAROM_OK);
    for (uint32_t n = 0; n < HULLS; n++) {
        assert_int_equal(leaves.edges[n].edge[0], 0);
    }
    carom_leaves_release(&leaves, &memory);
}

static int make_contexts(void **state) {
    (void)state;
    carom_memory_init(&memory, NULL, 0);
    for (uint32_t n = 0; n < 2; n++) {
        carom_context_config config = carom_context_config_default();
        config.threads = 1 + 2 * n;
        assert_int_equal(carom_context_create(&config, &contexts[n], NULL), CAROM_OK);
    }
    return 0;
}

static int release_contexts(void **state) {
    (void)state;
    carom_context_destroy(contexts[0]);
    carom_context_destroy(contexts[1]);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_images), cmocka_unit_test(test_in_order),
                                       cmocka_unit_test(test_far), cmocka_unit_test(test_far_images),
                                       cmocka_unit_test(test_near_box)};
    return cmocka_run_group_tests_name("leaves", tests, make_contexts, release_contexts);
}
