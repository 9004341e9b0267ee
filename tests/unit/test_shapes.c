/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Tables of shapes: every error names the shape and its member, sizes and boxes are those of the shapes, and a refused
 * allocation leaves nothing behind. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/shape/table.h"
#include "tests/support/check.h"

static const double CUBE[8][3] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                  {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};

static void expect_error(const carom_shape *shape, uint64_t count, const char *field, const char *text) {
    carom_error error;
    carom_shapes *shapes = (carom_shapes *)(void *)&error;
    assert_int_equal(carom_shapes_create(shape, count, NULL, &shapes, &error), CAROM_ERROR_BODY);
    assert_null(shapes);
    assert_int_equal(error.body, count - 1);
    assert_string_equal(error.field, field);
    assert_non_null(strstr(error.message, text));
}

static void bad_shapes_are_named(void **state) {
    (void)state;
    const double bad[] = {-1.0, NAN, INFINITY, 1e-60, 1e60};
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        const double points[2][3] = {{0.0, 0.0, 0.0}, {0.0, fabs(bad[n]) > 1.0 || isnan(bad[n]) ? bad[n] : 1e-60, 0.0}};
        const carom_shape shape[] = {{.kind = CAROM_SHAPE_SPHERE, .radius = bad[n]},
                                     {.kind = CAROM_SHAPE_CAPSULE, .extent = {0.0, 0.0, bad[n]}},
                                     {.kind = CAROM_SHAPE_BOX, .extent = {1.0, bad[n], 1.0}},
                                     {.kind = CAROM_SHAPE_CYLINDER, .radius = bad[n]},
                                     {.kind = CAROM_SHAPE_HULL, .point = points, .point_count = 2}};
        const char *field[] = {"radius", "extent_z", "extent_y", "radius", "point"};
        for (int s = 0; s < 5; s++) {
            expect_error(&shape[s], 1, field[s], "1e-50");
        }
    }
    const carom_shape flat = {.kind = CAROM_SHAPE_ELLIPSOID, .extent = {1.0, 1.0, 0.0}};
    expect_error(&flat, 1, "extent_z", "ellipsoid");
    const carom_shape none = {.kind = (carom_shape_kind)99};
    expect_error(&none, 1, "kind", "99");
    const carom_shape reserved = {.kind = CAROM_SHAPE_SPHERE, .reserved = 1};
    expect_error(&reserved, 1, "reserved", "not 0");
    const carom_shape empty = {.kind = CAROM_SHAPE_HULL, .point = CUBE, .point_count = 0};
    expect_error(&empty, 1, "point_count", "1 to 256");
    const carom_shape absent = {.kind = CAROM_SHAPE_HULL, .point_count = 3};
    expect_error(&absent, 1, "point", "NULL");
}

static void bad_children_are_named(void **state) {
    (void)state;
    carom_shape_child child = {.turn = {0.0, 0.0, 0.0, 1.0}};
    carom_shape shape[2] = {{.kind = CAROM_SHAPE_SPHERE, .radius = 1.0},
                            {.kind = CAROM_SHAPE_COMPOUND, .child = &child, .child_count = 1}};
    carom_shapes *shapes;
    assert_int_equal(carom_shapes_create(shape, 2, NULL, &shapes, NULL), CAROM_OK);
    carom_shapes_destroy(shapes);
    child.shape = 1;
    expect_error(shape, 2, "child", "convex shape before it");
    child.shape = 0;
    child.turn[3] = 0.25;
    expect_error(shape, 2, "child", "length 0.25,");
    child.turn[3] = nextafter(0.5, 0.0);
    expect_error(shape, 2, "child", "length 0.49999999999999994,");
    child.turn[3] = 2.0;
    child.turn[0] = 0x1.8p-26; /* the length rounds to 2 */
    expect_error(shape, 2, "child", "length 2.0000000000000004,");
    child.turn[0] = 0.0;
    child.turn[3] = 1.0;
    child.at[1] = NAN;
    expect_error(shape, 2, "child", "at_y");
    child.at[1] = 0.0;
    shape[0].kind = CAROM_SHAPE_LINE;
    expect_error(shape, 2, "child", "convex shape before it");
    shape[1].child_count = 0;
    expect_error(shape, 2, "child", "1 to");
}

static carom_shape_facts facts_of(const carom_shape *shape, uint64_t count) {
    carom_shapes *shapes;
    carom_shape_facts facts;
    assert_int_equal(carom_shapes_create(shape, count, NULL, &shapes, NULL), CAROM_OK);
    assert_int_equal(carom_shapes_count(shapes), count);
    assert_int_equal(carom_shapes_facts(shapes, count - 1, &facts, NULL), CAROM_OK);
    carom_error error;
    assert_int_equal(carom_shapes_facts(shapes, count, &facts, &error), CAROM_ERROR_ARGUMENT);
    carom_shapes_destroy(shapes);
    return facts;
}

static void expect_box(const carom_shape_facts *facts, double x, double y, double z, double reach,
                       uint32_t dimensions) {
    const double extent[3] = {x, y, z};
    for (int d = 0; d < 3; d++) {
        assert_true(facts->hi[d] >= extent[d] && facts->hi[d] <= extent[d] * (1.0 + 1e-14));
        assert_true(facts->lo[d] <= -extent[d] && facts->lo[d] >= -extent[d] * (1.0 + 1e-14));
    }
    assert_true(facts->reach >= reach && facts->reach <= reach * (1.0 + 1e-14));
    assert_int_equal(facts->dimensions, dimensions);
}

static void sizes_are_those_of_the_shapes(void **state) {
    (void)state;
    const carom_shape_child child = {.at = {3.0, 0.0, 0.0}, .turn = {0.0, 1.0, 0.0, 1.0}};
    const carom_shape sphere = {.kind = CAROM_SHAPE_SPHERE, .radius = 2.0};
    const carom_shape capsule = {.kind = CAROM_SHAPE_CAPSULE, .radius = 0.5, .extent = {9.0, 9.0, 2.0}};
    const carom_shape segment = {.kind = CAROM_SHAPE_CAPSULE, .extent = {0.0, 0.0, 2.0}};
    const carom_shape box = {.kind = CAROM_SHAPE_BOX, .extent = {2.0, 3.0, 6.0}};
    const carom_shape cylinder = {.kind = CAROM_SHAPE_CYLINDER, .radius = 3.0, .extent = {0.0, 0.0, 4.0}};
    const carom_shape disc = {.kind = CAROM_SHAPE_CYLINDER, .radius = 3.0};
    const carom_shape ellipsoid = {.kind = CAROM_SHAPE_ELLIPSOID, .extent = {1.0, 5.0, 2.0}};
    const carom_shape cube = {.kind = CAROM_SHAPE_HULL, .point = CUBE, .point_count = 8};
    const carom_shape compound[2] = {segment, {.kind = CAROM_SHAPE_COMPOUND, .child = &child, .child_count = 1}};
    carom_shape_facts facts = facts_of(&sphere, 1);
    expect_box(&facts, 2.0, 2.0, 2.0, 2.0, 3);
    facts = facts_of(&capsule, 1);
    expect_box(&facts, 0.5, 0.5, 2.5, 2.5, 3);
    facts = facts_of(&segment, 1);
    expect_box(&facts, 0.0, 0.0, 2.0, 2.0, 1);
    facts = facts_of(&box, 1);
    expect_box(&facts, 2.0, 3.0, 6.0, 7.0, 3);
    facts = facts_of(&cylinder, 1);
    expect_box(&facts, 3.0, 3.0, 4.0, 5.0, 3);
    facts = facts_of(&disc, 1);
    expect_box(&facts, 3.0, 3.0, 0.0, 3.0, 2);
    facts = facts_of(&ellipsoid, 1);
    expect_box(&facts, 1.0, 5.0, 2.0, 5.0, 3);
    facts = facts_of(&cube, 1);
    expect_box(&facts, 1.0, 1.0, 1.0, sqrt(3.0), 3);
    assert_int_equal(facts.vertices, 8);
    assert_int_equal(facts.faces, 6);
    assert_int_equal(facts.edges, 12);
    facts = facts_of(compound, 2); /* the segment lies along x, from 1 to 5 */
    assert_true(facts.lo[0] <= 1.0 && facts.lo[0] > 1.0 - 1e-12 && facts.hi[0] >= 5.0 && facts.hi[0] < 5.0 + 1e-12);
    assert_true(facts.reach >= 5.0 && facts.reach < 5.0 + 1e-12 && facts.children == 1);
}

/* An allocator that refuses one of its calls and counts what is not given back. */
typedef struct stingy {
    int until;
    int held;
} stingy;

static void *take(void *user, size_t bytes, size_t alignment) {
    stingy *s = user;
    void *block = NULL;
    if (s->until-- > 0 && posix_memalign(&block, alignment, bytes) == 0) {
        s->held++;
        return block;
    }
    return NULL;
}

static void give(void *user, void *block, size_t bytes) {
    (void)bytes;
    ((stingy *)user)->held--;
    free(block);
}

static void refused_memory_leaves_nothing(void **state) {
    (void)state;
    const carom_shape cube = {.kind = CAROM_SHAPE_HULL, .point = CUBE, .point_count = 8};
    carom_status status = CAROM_ERROR_MEMORY;
    int granted = 0;
    for (; status != CAROM_OK; granted++) {
        stingy s = {.until = granted};
        const carom_allocator allocator = {&s, take, give};
        carom_shapes *shapes;
        status = carom_shapes_create(&cube, 1, &allocator, &shapes, NULL);
        assert_true(status == CAROM_OK || (status == CAROM_ERROR_MEMORY && shapes == NULL && s.held == 0));
        carom_shapes_destroy(shapes);
        assert_int_equal(s.held, 0);
    }
    assert_int_equal(granted, 3);
}

static void arguments_are_checked(void **state) {
    (void)state;
    carom_shapes *shapes;
    carom_error error;
    const carom_shape sphere = {.kind = CAROM_SHAPE_SPHERE};
    const carom_allocator half = {NULL, take, NULL};
    assert_int_equal(carom_shapes_create(&sphere, 1, NULL, NULL, &error), CAROM_ERROR_ARGUMENT);
    assert_int_equal(carom_shapes_create(NULL, 1, NULL, &shapes, &error), CAROM_ERROR_ARGUMENT);
    assert_int_equal(carom_shapes_create(&sphere, UINT64_MAX, NULL, &shapes, &error), CAROM_ERROR_ARGUMENT);
    assert_int_equal(carom_shapes_create(&sphere, 1, &half, &shapes, &error), CAROM_ERROR_ARGUMENT);
    assert_int_equal(carom_shapes_facts(NULL, 0, NULL, &error), CAROM_ERROR_ARGUMENT);
    assert_int_equal(carom_shapes_create(NULL, 0, NULL, &shapes, &error), CAROM_OK);
    assert_int_equal(carom_shapes_count(shapes), 0);
    carom_shapes_destroy(shapes);
    carom_shapes_destroy(NULL);
    assert_int_equal(carom_shapes_count(NULL), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_shapes_are_named),          cmocka_unit_test(bad_children_are_named),
        cmocka_unit_test(sizes_are_those_of_the_shapes), cmocka_unit_test(refused_memory_leaves_nothing),
        cmocka_unit_test(arguments_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
