/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Hulls wrapped into a periodic box, and the images at which they meet. Guards that a tree over them finds each image
 * of a hull that another one meets, by the edges between the two where they are, also of hulls that lie many edges
 * away, that become others, and where space is open along some axes. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/impacts/images.h"
#include "kernel/impacts/wrapped.h"
#include "kernel/scene/random.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

/* Edges that two of the hulls are apart at most when they meet: 7, their widths, and the tilts of edges. */
enum { CASES = 100, HULLS = 60, EDGES_MOST = 12 };

static carom_memory memory;
static carom_wrapped wrapped;
static carom_tree tree;
static carom_tree_search search;
static carom_hull_box hull[HULLS + CAROM_TREE_WIDTH];
static const carom_hulls hulls = {.box = hull};
static carom_periodic box;
static const carom_impacts_bodies bodies = {.count = HULLS, .periodic = &box};

static double uniform(carom_random *random, double least, double most) {
    return least + (most - least) * carom_random_u01(random);
}

/* Tilted or not, repeating along one axis or more. */
static void make_box(carom_random *random) {
    box = carom_periodic_default();
    const uint64_t along = 1 + carom_random_next(random) % 7;
    const double tilt = carom_random_next(random) % 2 == 0 ? 0.0 : 3.0;
    for (int e = 0; e < 3; e++) {
        box.along[e] = (along >> e & 1) != 0;
        for (int a = 0; a < 3; a++) {
            box.edge[e][a] = a == e ? uniform(random, 6.0, 12.0) : a < e ? uniform(random, -tilt, tilt) : 0.0;
        }
    }
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

static uint8_t found[HULLS][CAROM_IMAGE_SELF * 2];

/* Counts by hull and code what the tree finds of a hull. */
static void find(uint32_t a) {
    const carom_box own = carom_box_of(&tree.leaves[a]);
    carom_image_walk images = carom_images_begin(&box, &own, &tree);
    memset(found, 0, sizeof found);
    while (carom_images_next(&images)) {
        const carom_tree_boxes boxes = {.box = &images.box, .count = 1};
        note_check(carom_tree_find(&tree, &memory, carom_simd_best(), &boxes, &search), "no memory");
        for (uint64_t n = 0; n < search.leaf.count; n++) {
            const uint32_t b = ((const uint32_t *)search.leaf.node.data)[n];
            uint32_t code;
            if (carom_wrapped_image(&wrapped, a, b, images.edges, &code)) {
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
        for (uint32_t b = 0; b < HULLS && is_looked_at(edges); b++) {
            if (overlap(&box, a, b, edges) >= 0.0) {
                met++;
                note_check(found[b][code] == 1, "hulls %u and %u meet at edges %d %d %d, and are not found", a, b,
                           edges[0], edges[1], edges[2]);
            }
        }
    }
}

static void check_case(uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    carom_team team;
    carom_team_init(&team, 1 + (uint32_t)(number % 3), NULL);
    make_box(&random);
    for (uint32_t n = 0; n < HULLS; n++) {
        make_hull(&random, &hull[n]);
    }
    note_case(number, "hulls in a periodic box");
    note_check(carom_wrapped_make(&wrapped, &memory, &team, &hulls, &bodies) == CAROM_OK &&
                   carom_tree_build(&tree, &memory, &team, wrapped.box, HULLS) == CAROM_OK,
               "no memory");
    check_hull((uint32_t)(number % HULLS));
    for (uint32_t n = 0; n < HULLS; n += 7) {
        make_hull(&random, &hull[n]);
        carom_wrapped_renew(&wrapped, &hulls, &box, n);
        carom_tree_widen(&tree, n);
    }
    check_hull(0);
    check_hull((uint32_t)(number % HULLS));
}

static void test_images(void **state) {
    (void)state;
    carom_memory_init(&memory, NULL, 0);
    note_each_case(CASES, check_case);
    carom_tree_release(&tree, &memory);
    carom_tree_search_release(&search, &memory);
    carom_wrapped_release(&wrapped, &memory);
    printf("%" PRIu64 " images met\n", met);
    assert_true(met > 500);
}

/* A hull that somebody has put far away is found where it is, and a box of no number wraps nothing beyond numbers. */
static void test_far(void **state) {
    (void)state;
    carom_team team;
    carom_team_init(&team, 1, NULL);
    carom_memory_init(&memory, NULL, 0);
    box = carom_periodic_default();
    box.along[0] = true;
    box.edge[0][0] = 8.0;
    box.edge[1][1] = box.edge[2][2] = 1.0;
    for (uint32_t n = 0; n < HULLS; n++) {
        const float x = n == 0 ? 8e6F : 10.0F * (float)n;
        hull[n] = (carom_hull_box){.lo = {x, 0.0F, 0.0F}, .hi = {x + 1.0F, 1.0F, 1.0F}};
    }
    assert_int_equal(carom_wrapped_make(&wrapped, &memory, &team, &hulls, &bodies), CAROM_OK);
    assert_int_equal(wrapped.edges[0].edge[0], 0);
    assert_true(wrapped.box[0].lo[0] <= 8e6F && wrapped.box[0].hi[0] >= 8e6F);
    for (uint32_t n = 1; n < HULLS; n++) {
        assert_true(wrapped.box[n].lo[0] > -4.6F && wrapped.box[n].hi[0] < 4.6F);
        assert_int_equal(wrapped.edges[n].edge[0], (int)rint((10.0 * n + 0.5) / 8.0));
    }
    carom_wrapped_release(&wrapped, &memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_images), cmocka_unit_test(test_far)};
    return cmocka_run_group_tests_name("wrapped hulls", tests, NULL, NULL);
}
