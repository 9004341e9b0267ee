/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The ordering of rows against the library's sort: lengths around every threshold, keys dense and sparse, near one
 * another, with doubles, in order, backwards; every value stays with its key, and values of one key are in order. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "kernel/scene/random.h"
#include "kernel/sort/list_sort.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

enum { CASES = 4000, LENGTH_MOST = 3000, PATTERNS = 6 };

static uint32_t drawn(int pattern, uint64_t n, uint64_t count, uint32_t bits, carom_random *random) {
    uint32_t all = (uint32_t)((UINT64_C(1) << bits) - 1);
    uint32_t any = (uint32_t)carom_random_next(random);
    switch (pattern) {
    case 0:
        return any & all;
    case 1:
        return (uint32_t)n & all;
    case 2:
        return (uint32_t)(count - n) & all;
    case 3:
        return (all & 0xFFFFFF00) | (any & all & 0xFF); /* near one another, at the top */
    case 4:
        return any % 3 & all;
    default:
        return n + 1 == count ? 0 : (uint32_t)n & all; /* in order but for the last */
    }
}

static int by_key(const void *left, const void *right) {
    uint32_t a = *(const uint32_t *)left;
    uint32_t b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

static void run_case(uint64_t number) {
    static uint32_t key[LENGTH_MOST];
    static uint32_t before[LENGTH_MOST];
    static uint32_t wanted[LENGTH_MOST];
    static uint64_t value[LENGTH_MOST];
    static bool seen[LENGTH_MOST];
    carom_random random = carom_random_seeded(note_case_seed(number));
    uint64_t count = carom_random_next(&random) % (number % 2 == 0 ? 60 : LENGTH_MOST + 1);
    uint32_t bits = (uint32_t)(carom_random_next(&random) % 32 + 1);
    int pattern = (int)(number % PATTERNS);
    note_case(number, "%" PRIu64 " keys of %u bits, pattern %d", count, bits, pattern);
    for (uint64_t n = 0; n < count; n++) {
        before[n] = wanted[n] = key[n] = drawn(pattern, n, count, bits, &random);
        value[n] = n;
        seen[n] = false;
    }
    qsort(wanted, count, sizeof *wanted, by_key);
    carom_list_sort(key, value, count, bits);
    for (uint64_t n = 0; n < count; n++) {
        note_check(key[n] == wanted[n], "key %" PRIu64 " is %u, not %u", n, key[n], wanted[n]);
        note_check(n == 0 || key[n - 1] < key[n] || value[n - 1] < value[n], "values of key %u", key[n]);
        note_check(value[n] < count && before[value[n]] == key[n] && !seen[value[n]], "value %" PRIu64, n);
        seen[value[n]] = true;
    }
}

static void test_random_rows(void **state) {
    (void)state;
    for (uint64_t number = 0; number < CASES; number++) {
        if (note_only_case() == UINT64_MAX || note_only_case() == number) {
            run_case(number);
        }
    }
}

static void test_bits(void **state) {
    (void)state;
    assert_int_equal(carom_list_sort_bits(1), 1);
    assert_int_equal(carom_list_sort_bits(2), 1);
    assert_int_equal(carom_list_sort_bits(3), 2);
    for (uint32_t bits = 2; bits <= 32; bits++) {
        assert_int_equal(carom_list_sort_bits(UINT64_C(1) << bits), bits);
        assert_int_equal(carom_list_sort_bits((UINT64_C(1) << bits) - 1), bits);
        assert_int_equal(carom_list_sort_bits((UINT64_C(1) << (bits - 1)) + 1), bits);
    }
}

int main(void) {
    note_start("tests/unit/test_row_sort");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_rows), cmocka_unit_test(test_bits)};
    return cmocka_run_group_tests_name("row sort", tests, NULL, NULL);
}
