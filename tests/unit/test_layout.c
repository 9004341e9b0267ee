/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Structs of callers that know fewer or more members than the library. Guards that nothing beyond the caller's size is
 * read or written, that missing members have their default, and that what the library does not know is refused by
 * name. */
#include <string.h>

#include "kernel/api/layout.h"
#include "tests/support/check.h"

/* A struct of four words, size first, of which version 0.2 has the first two. */
enum { WORD = sizeof(size_t), FIRST = 2 * WORD, FULL = 4 * WORD };
static const carom_layout CONFIG = {"carom_sample", FIRST, FULL, false};
static const carom_layout DATA = {"carom_sample", FIRST, FULL, true};

/* A caller's struct that states a size, and words behind it that are not the caller's. */
enum { WORDS = 16 };
static void state_size(size_t given[WORDS], size_t size) {
    for (size_t n = 0; n < WORDS; n++) {
        given[n] = n + 100;
    }
    given[0] = size;
}

static void missing_members_have_their_default(void **state) {
    (void)state;
    for (size_t bytes = FIRST; bytes <= FULL; bytes += WORD) {
        size_t own[4] = {7, 8, 9, 10};
        size_t given[WORDS];
        state_size(given, bytes);
        assert_int_equal(carom_layout_take(&CONFIG, own, given, NULL), CAROM_OK);
        assert_int_equal(own[0], FULL);
        for (size_t n = 1; n < 4; n++) {
            assert_int_equal(own[n], n < bytes / WORD ? n + 100 : n + 7);
        }
    }
    size_t own[4] = {7, 8, 9, 10};
    assert_int_equal(carom_layout_take(&CONFIG, own, NULL, NULL), CAROM_OK);
    assert_true(own[0] == 7 && own[3] == 10);
}

static void size_zero_is_the_first_version(void **state) {
    (void)state;
    size_t own[4] = {7, 8, 9, 10};
    size_t given[WORDS];
    state_size(given, 0);
    carom_error error;
    assert_int_equal(carom_layout_take(&DATA, own, given, NULL), CAROM_OK);
    assert_true(own[0] == FULL && own[1] == 101 && own[2] == 9 && own[3] == 10);
    assert_int_equal(carom_layout_take(&CONFIG, own, given, &error), CAROM_ERROR_ARGUMENT);
    assert_string_equal(error.message,
                        "carom_sample.size is 0, not 32: begin with what the struct's default function returns");
}

static void sizes_of_no_version_are_refused(void **state) {
    (void)state;
    const size_t sizes[] = {1, WORD, FIRST - 1, FULL + 4097, SIZE_MAX};
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
        size_t own[4] = {7, 8, 9, 10};
        size_t given[WORDS];
        state_size(given, sizes[n]);
        carom_error error;
        assert_int_equal(carom_layout_take(&CONFIG, own, given, &error), CAROM_ERROR_ARGUMENT);
        assert_int_equal(carom_layout_check(&DATA, given, &error), CAROM_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, "carom_sample.size is "));
        assert_int_equal(error.status, CAROM_ERROR_ARGUMENT);
        assert_true(own[0] == 7 && own[1] == 8);
    }
}

static void unknown_members_must_be_zero(void **state) {
    (void)state;
    enum { MORE = FULL + 64 };
    for (size_t at = FULL; at < MORE; at++) {
        size_t own[4] = {7, 8, 9, 10};
        carom_error error;
        size_t given[WORDS];
        state_size(given, MORE);
        memset((char *)given + FULL, 0, MORE - FULL);
        assert_int_equal(carom_layout_take(&CONFIG, own, given, NULL), CAROM_OK);
        assert_true(own[0] == FULL && own[3] == 103);
        ((char *)given)[at] = 1;
        own[3] = 10;
        assert_int_equal(carom_layout_take(&CONFIG, own, given, &error), CAROM_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, "carom_sample.size is 96: this library"));
        assert_int_equal(own[3], 10);
    }
}

static void writing_stops_at_the_callers_size(void **state) {
    (void)state;
    const size_t own[4] = {7, 8, 9, 10};
    for (size_t bytes = FIRST; bytes <= FULL + WORD; bytes += WORD) {
        size_t given[WORDS];
        state_size(given, bytes);
        assert_int_equal(carom_layout_check(&DATA, given, NULL), CAROM_OK);
        carom_layout_give(&DATA, given, own);
        assert_int_equal(given[0], bytes);
        for (size_t n = 1; n < WORDS; n++) {
            assert_int_equal(given[n], n < 4 && n < bytes / WORD ? own[n] : n + 100);
        }
    }
    size_t given[WORDS];
    state_size(given, 0);
    carom_layout_give(&DATA, given, own);
    assert_true(given[0] == 0 && given[1] == 8 && given[2] == 102);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_members_have_their_default), cmocka_unit_test(size_zero_is_the_first_version),
        cmocka_unit_test(sizes_of_no_version_are_refused),    cmocka_unit_test(unknown_members_must_be_zero),
        cmocka_unit_test(writing_stops_at_the_callers_size),
    };
    return cmocka_run_group_tests_name("layout", tests, NULL, NULL);
}
