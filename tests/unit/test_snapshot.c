/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Snapshots that are damaged in every byte and cut at every length, and those that somebody made up, with a checksum
 * that fits. Guards that none is loaded that should not be, and that one that is loaded is a world that steps. */
#include <math.h>
#include <string.h>

#include <carom/carom.h>

#include "kernel/world/bytes.h"
#include "tests/support/check.h"

enum { COUNT = 5, MOST = 4096 };

static carom_context *context;
static unsigned char bytes[MOST];
static uint64_t size;

/* A world with all that a snapshot has: surfaces, a box, handles in use, free and used again, contacts. */
static carom_world_f64 *make_world(void) {
    double x[3][COUNT] = {{0.5, 1.6, 4.0, 6.0, 8.0}};
    double v[COUNT] = {1.0, 0.0, 0.0, 0.0, 0.0};
    double radius[COUNT] = {0.5, 0.5, 0.5, 0.5, 0.5};
    carom_handle handle[COUNT];
    carom_surface floor = {.kind = CAROM_SURFACE_PLANE, .restitution = 1.0, .axis = {{0, 0, 1}}, .at = {0, 0, -9}};
    carom_step_config config = carom_step_config_default();
    config.surface = &floor;
    config.surface_count = 1;
    carom_world_f64 *world = NULL;
    carom_world_bodies_f64 b = {.count = COUNT, .radius = radius, .position = {x[0], x[1], x[2]}, .velocity = {v}};
    carom_world_contacts contacts = {0};
    assert_int_equal(carom_world_create_f64(context, &config, &world, NULL), CAROM_OK);
    assert_int_equal(carom_world_add_f64(world, &b, handle, NULL), CAROM_OK);
    assert_int_equal(carom_world_remove_f64(world, handle + 2, 3, NULL), CAROM_OK);
    b.count = 1;
    x[0][0] = 20.0;
    assert_int_equal(carom_world_add_f64(world, &b, handle, NULL), CAROM_OK);
    assert_int_equal(carom_world_step_f64(world, NULL, &contacts, NULL), CAROM_OK);
    assert_true(contacts.begun == 1);
    return world;
}

static void make_snapshot(void) {
    carom_world_f64 *world = make_world();
    assert_int_equal(carom_world_save_f64(world, bytes, sizeof bytes, &size, NULL), CAROM_OK);
    carom_world_destroy_f64(world);
}

static carom_status load(const void *from, uint64_t count, carom_world_f64 **world, carom_error *error) {
    *world = (carom_world_f64 *)from; /* must be written in any case */
    const carom_status status = carom_world_load_f64(context, from, count, world, error);
    assert_true(status == CAROM_OK || *world == NULL);
    return status;
}

static void test_damage(void **state) {
    (void)state;
    carom_world_f64 *world;
    carom_error error = {.message = ""};
    make_snapshot();
    for (uint64_t n = 0; n < size; n++) {
        for (int bit = 0; bit < 8; bit += 7) {
            bytes[n] ^= (unsigned char)(1 << bit);
            assert_int_equal(load(bytes, size, &world, &error), CAROM_ERROR_FORMAT);
            assert_non_null(strstr(error.message, "snapshot: "));
            bytes[n] ^= (unsigned char)(1 << bit);
        }
    }
    for (uint64_t n = 0; n < size; n++) {
        assert_int_equal(load(bytes, n, &world, &error), CAROM_ERROR_FORMAT);
    }
    assert_int_equal(load(bytes, size + 8, &world, &error), CAROM_ERROR_FORMAT);
    assert_int_equal(load(bytes, size, &world, &error), CAROM_OK);
    carom_world_destroy_f64(world);
}

static void sign(void) {
    carom_bytes to = {bytes + size - 8, bytes + size};
    carom_bytes_put(&to, carom_bytes_checksum(bytes, size - 8), 8);
}

/* What is made up may be a world: then it steps, adds and removes. */
static void use(carom_world_f64 *world) {
    double one = 1.0;
    carom_handle handle = 0;
    carom_step_report report = {0};
    carom_world_contacts contacts = {0};
    carom_world_bodies_f64 b = {.count = 1, .radius = &one, .position = {&one, &one, &one}};
    (void)carom_world_step_f64(world, &report, &contacts, NULL);
    const uint64_t count = carom_world_count_f64(world);
    assert_int_equal(carom_world_add_f64(world, &b, &handle, NULL), CAROM_OK);
    assert_true(carom_world_count_f64(world) == count + 1 && carom_world_handles_f64(world)[count] == handle);
    for (uint64_t n = 0; n < count; n++) {
        assert_true(carom_world_handles_f64(world)[n] != handle);
    }
    assert_int_equal(carom_world_remove_f64(world, carom_world_handles_f64(world), count + 1, NULL), CAROM_OK);
    assert_true(carom_world_count_f64(world) == 0);
}

static void test_hostile(void **state) {
    (void)state;
    static const unsigned char values[] = {0x00, 0x01, 0x7F, 0x80, 0xF0, 0xFF};
    unsigned char kept[MOST];
    carom_world_f64 *world;
    carom_error error = {.message = ""};
    uint64_t loaded = 0;
    make_snapshot();
    memcpy(kept, bytes, sizeof kept);
    for (uint64_t n = 0; n < size - 8; n++) {
        for (size_t v = 0; v < sizeof values; v++) {
            bytes[n] = values[v];
            sign();
            if (load(bytes, size, &world, &error) == CAROM_OK) {
                use(world);
                carom_world_destroy_f64(world);
                loaded++;
            }
            memcpy(bytes, kept, sizeof kept);
        }
    }
    assert_true(loaded > size); /* most bytes are digits of numbers */
}

/* Where things are in the snapshot: after head, config and one surface. */
enum { NEXT_SERIAL = 56, FREE = 64, BODY = 72 + 168 + 136, SERIAL = 96, HANDLE = 104, BODY_SIZE = 112 };
enum { ENTRY = BODY + 3 * BODY_SIZE, PLACE = 4, CONTACT = ENTRY + 5 * 8, CONTACT_K = 24 };

static void put(uint64_t at, uint64_t value, int count) {
    carom_bytes to = {bytes + at, bytes + size};
    carom_bytes_put(&to, value, count);
}

static void expect_refused(const char *message) {
    carom_world_f64 *world;
    carom_error error = {.message = ""};
    sign();
    assert_int_equal(load(bytes, size, &world, &error), CAROM_ERROR_FORMAT);
    if (strstr(error.message, message) == NULL) {
        fail_msg("\"%s\", not \"%s\"", error.message, message);
    }
}

/* What single bytes cannot do: bodies in another order, and an entry whose generations are used up as a free one. Of
 * five entries 0, 1 and one more are in use. */
static void test_made_up(void **state) {
    (void)state;
    make_snapshot();
    put(BODY + SERIAL, 1, 8);
    put(BODY + BODY_SIZE + SERIAL, 0, 8);
    expect_refused("bodies are in no order");
    make_snapshot();
    const uint64_t first = bytes[FREE];
    put(ENTRY + 8 * first, 0, 4);
    put(ENTRY + 8 * first + 4, UINT32_MAX, 4);
    expect_refused("list of free handles");
    make_snapshot();
    put(ENTRY + 8 * first + 4, first, 4); /* a circle */
    expect_refused("list of free handles");
}

/* A handle that is 0, and one of an earlier generation of an entry that is free as well: the next body would get the
 * entry, and nobody could name the old one. */
static void test_made_up_handles(void **state) {
    (void)state;
    make_snapshot();
    put(BODY + HANDLE, 0, 8);
    put(ENTRY, 0, 4);
    expect_refused("a handle does not name its body");
    make_snapshot(); /* the last body has entry 4; 3 and 2 are free, and now 3, 4 and 2 */
    put(BODY + 2 * BODY_SIZE + HANDLE, UINT64_C(1) << 32 | 4, 8);
    put(FREE, 3, 8);
    put(ENTRY + 3 * 8 + PLACE, 4, 4);
    put(ENTRY + 4 * 8 + PLACE, 2, 4);
    put(ENTRY + 2 * 8 + PLACE, UINT32_MAX, 4);
    expect_refused("a handle does not name its body");
}

/* Serials that would begin again, and contacts of handles that nobody has had so far. */
static void test_made_up_serials(void **state) {
    (void)state;
    static const uint64_t strange[] = {UINT64_C(1), UINT64_C(2) << 32 | 1, UINT64_C(2) << 32 | 2,
                                       UINT64_C(1) << 32 | 5};
    carom_world_f64 *world;
    make_snapshot();
    put(NEXT_SERIAL, UINT64_MAX, 8);
    expect_refused("another number of bodies");
    for (size_t n = 0; n < sizeof strange / sizeof *strange; n++) {
        make_snapshot();
        put(CONTACT + CONTACT_K, strange[n], 8);
        expect_refused("contacts are in no order, or of no bodies");
    }
    make_snapshot(); /* of a body that is gone */
    put(CONTACT + 8, 2, 8);
    put(CONTACT + CONTACT_K, UINT64_C(1) << 32 | 2, 8);
    sign();
    assert_int_equal(load(bytes, size, &world, NULL), CAROM_OK);
    carom_world_destroy_f64(world);
}

/* A world of floats has no other numbers: of three coordinates side by side each is looked at. */
static void test_unrounded(void **state) {
    (void)state;
    carom_world_f32 *world = NULL;
    carom_error error = {.message = ""};
    float x[3] = {0.1F, 0.7F, -1.3F};
    float radius = 0.3F;
    const carom_world_bodies_f32 b = {.count = 1, .radius = &radius, .position = {&x[0], &x[1], &x[2]}};
    assert_int_equal(carom_world_create_f32(context, NULL, &world, &error), CAROM_OK);
    assert_int_equal(carom_world_add_f32(world, &b, NULL, &error), CAROM_OK);
    assert_int_equal(carom_world_save_f32(world, bytes, sizeof bytes, &size, &error), CAROM_OK);
    carom_world_destroy_f32(world);
    for (uint64_t n = 0; n < 7; n++) { /* position, velocity, radius */
        const uint64_t at = BODY - 136 + 8 * n;
        unsigned char kept[8];
        memcpy(kept, bytes + at, sizeof kept);
        bytes[at]++;
        sign();
        assert_int_equal(carom_world_load_f32(context, bytes, size, &world, &error), CAROM_ERROR_FORMAT);
        assert_non_null(strstr(error.message, "is out of its range"));
        memcpy(bytes + at, kept, sizeof kept);
    }
    sign();
    assert_int_equal(carom_world_load_f32(context, bytes, size, &world, &error), CAROM_OK);
    carom_world_destroy_f32(world);
}

static void test_arguments(void **state) {
    (void)state;
    carom_error error = {.message = ""};
    uint64_t needed = 0;
    make_snapshot();
    carom_world_f64 *world = make_world();
    memset(bytes, 0xA5, sizeof bytes);
    assert_int_equal(carom_world_save_f64(world, bytes, size - 1, &needed, &error), CAROM_ERROR_CAPACITY);
    assert_true(needed == size && bytes[0] == 0xA5 && bytes[size - 1] == 0xA5);
    assert_int_equal(carom_world_save_f64(world, NULL, 1, &needed, &error), CAROM_ERROR_ARGUMENT);
    assert_int_equal(carom_world_save_f64(world, bytes, size, NULL, &error), CAROM_ERROR_ARGUMENT);
    assert_int_equal(carom_world_save_f64(NULL, bytes, size, &needed, &error), CAROM_ERROR_ARGUMENT);
    assert_int_equal(carom_world_save_f64(world, bytes, size, &needed, &error), CAROM_OK);
    carom_world_f32 *floats = NULL;
    assert_int_equal(carom_world_load_f32(context, bytes, size, &floats, &error), CAROM_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "floats"));
    assert_int_equal(carom_world_load_f32(context, NULL, size, &floats, &error), CAROM_ERROR_ARGUMENT);
    assert_int_equal(carom_world_load_f64(context, bytes, size, NULL, &error), CAROM_ERROR_ARGUMENT);
    carom_world_destroy_f64(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_damage),          cmocka_unit_test(test_hostile),
                                       cmocka_unit_test(test_made_up),         cmocka_unit_test(test_made_up_handles),
                                       cmocka_unit_test(test_made_up_serials), cmocka_unit_test(test_arguments),
                                       cmocka_unit_test(test_unrounded)};
    carom_context_config config = carom_context_config_default();
    config.threads = 1;
    if (carom_context_create(&config, &context, NULL) != CAROM_OK) {
        return 1;
    }
    const int failed = cmocka_run_group_tests_name("snapshots", tests, NULL, NULL);
    carom_context_destroy(context);
    return failed;
}
