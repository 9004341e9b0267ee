/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The row of a giant in a periodic box, and the rows of dust around it. Guards that what verification does not look at
 * cannot be touched: when rows are put in order, and after a body has left its hull, at whichever image it is. */
#include <string.h>

#include "kernel/impacts/long_rows.h"
#include "tests/support/check.h"

/* Some dust the giant may touch. The rest is in the corner of the box around it, where it may not. */
enum { DUST = 80, BODIES = DUST + 1, GIANT = 0 };

static carom_response_body body[BODIES];
static carom_hull_box hull[BODIES];
static carom_row_head head[BODIES + 1];
static uint32_t other[2 * DUST + CAROM_ROW_PAD];
static uint16_t image[2 * DUST + CAROM_ROW_PAD];
static carom_long_row long_row;
static const carom_impacts_bodies bodies = {.count = BODIES, .body = body};
static const carom_hulls hulls = {.box = hull};
static carom_impacts_rows rows = {.head = head, .other = other, .image = image, .long_above = CAROM_ROW_LONG};
static carom_memory memory;

static carom_hull_box cube(double x, double y, double half) {
    return (carom_hull_box){{(float)(x - half), (float)(y - half), (float)-half},
                            {(float)(x + half), (float)(y + half), (float)half},
                            {0.0F, 0.0F}};
}

/* Near and far dust in turns, so that order has something to do. */
static bool is_far(uint32_t slot) {
    return slot % 8 >= 3;
}

static void make_rows(void) {
    memset(body, 0, sizeof body);
    for (uint32_t slot = 0; slot < BODIES; slot++) {
        const double at = slot == GIANT ? 0.0 : is_far(slot) ? 2.8 : 1.5;
        body[slot].radius = slot == GIANT ? 3.0 : 0.2;
        hull[slot] = cube(at, at, body[slot].radius + 0.1);
        head[slot].extra = CAROM_IMPACTS_NONE;
        head[slot + 1].start = slot == GIANT ? DUST : head[slot].start + 1;
    }
    for (uint32_t n = 0; n < DUST; n++) {
        other[n] = 1 + n;
        other[DUST + n] = GIANT;
    }
    for (uint32_t n = 0; n < 2 * DUST; n++) {
        image[n] = CAROM_IMAGE_SELF;
    }
    long_row = (carom_long_row){.slot = GIANT, .near = DUST};
    rows.longs.buffer.data = &long_row;
    rows.longs.count = 1;
}

static uint32_t far_dust(void) {
    uint32_t far = 0;
    for (uint32_t slot = 1; slot < BODIES; slot++) {
        far += is_far(slot) ? 1 : 0;
    }
    return far;
}

/* Where a body stands in the giant's row. */
static uint64_t place_of(uint32_t slot) {
    uint64_t at = head[GIANT].start;
    while (at < carom_row_end(&rows, GIANT) && other[at] != slot) {
        at++;
    }
    assert_true(at < carom_row_end(&rows, GIANT));
    return at;
}

static bool is_looked_at(uint32_t slot) {
    return place_of(slot) < carom_long_rows_end(&rows, GIANT);
}

/* The pair of the giant and a body is one of the giant and an image of the body. */
static void move_to_image(uint32_t slot) {
    const uint32_t code = carom_image_code(1, 0, 0);
    image[place_of(slot)] = (uint16_t)code;
    image[head[slot].start] = (uint16_t)carom_image_opposite(code);
}

/* Bodies have left their hulls. */
static void widen_all(const uint32_t *slot, uint32_t count) {
    const carom_team team = {.workers = 1};
    uint64_t escaped[BODIES / 64 + 1] = {0};
    for (uint32_t n = 0; n < count; n++) {
        escaped[slot[n] / 64] |= UINT64_C(1) << slot[n] % 64;
        assert_true(carom_long_rows_note(&rows, &memory, &bodies, &hulls, slot[n]));
    }
    assert_true(rows.noted.count <= 1);
    carom_long_rows_renew(&rows, &team, &bodies, &hulls, escaped);
    assert_true(rows.noted.count == 0 && long_row.work == CAROM_LONG_ROW_KEEP);
}

static void widen(uint32_t slot) {
    widen_all(&slot, 1);
}

static void order(void) {
    const carom_team team = {.workers = 1};
    carom_long_rows_order(&rows, &team, &bodies, &hulls);
}

static void test_order(void **state) {
    (void)state;
    make_rows();
    const uint32_t image_of = 11; /* far, if it were the body itself */
    assert_true(is_far(image_of));
    move_to_image(image_of);
    order();
    assert_int_equal(carom_long_rows_end(&rows, GIANT), DUST - far_dust() + 1);
    for (uint32_t slot = 1; slot < BODIES; slot++) {
        assert_true(is_looked_at(slot) == (!is_far(slot) || slot == image_of));
        assert_true((image[place_of(slot)] != CAROM_IMAGE_SELF) == (slot == image_of));
    }
}

/* Dust leaves its hull, and a row that has it behind must have it in front if the two may touch now. */
static void test_widen(void **state) {
    (void)state;
    const uint32_t itself = 4;
    const uint32_t little = 5;
    const uint32_t at_image = 6;
    make_rows();
    order();
    assert_false(is_looked_at(itself) || is_looked_at(little) || is_looked_at(at_image));
    hull[itself] = cube(2.0, 2.0, 0.9);
    widen(itself);
    assert_true(is_looked_at(itself));
    hull[little] = cube(2.8, 2.8, 0.4);
    widen(little);
    assert_false(is_looked_at(little));
    move_to_image(at_image); /* whatever is between the two hulls, an edge of the box may make up for it */
    hull[at_image] = cube(2.8, 2.8, 0.4);
    widen(at_image);
    assert_true(is_looked_at(at_image) && !is_looked_at(little));
    hull[GIANT] = cube(0.4, 0.4, 3.4); /* the giant leaves its own */
    widen(GIANT);
    assert_true(is_looked_at(little));
}

/* Dust and the giant leave their hulls together, in either order. The giant's row is put in order, which says most. */
static void test_widen_together(void **state) {
    (void)state;
    for (int first = 0; first < 2; first++) {
        const uint32_t dust = 4;
        const uint32_t left[2] = {first == 0 ? dust : GIANT, first == 0 ? GIANT : dust};
        make_rows();
        order();
        hull[dust] = cube(2.0, 2.0, 0.9);
        hull[GIANT] = cube(0.4, 0.4, 3.4);
        assert_false(is_looked_at(dust) || is_looked_at(5));
        widen_all(left, 2);
        assert_true(is_looked_at(dust) && is_looked_at(5));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order), cmocka_unit_test(test_widen),
                                       cmocka_unit_test(test_widen_together)};
    carom_memory_init(&memory, NULL, 0);
    const int failures = cmocka_run_group_tests_name("long rows", tests, NULL, NULL);
    carom_buffer_release(&memory, &rows.noted.buffer);
    return failures;
}
