/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Decimal numbers, against the C library's in the C locale. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/io/number.h"
#include "kernel/scene/random.h"
#include "tests/support/check.h"
#include "tests/support/io_groups.h"
#include "tests/support/note.h"

enum { CASES = 200000, TEXT_SIZE = 64 };

static void expect_same(const char *text) {
    double value = 0;
    const double expected = strtod(text, NULL);
    note_check(carom_number_parse(text, text + strlen(text), &value), "not taken for a number");
    note_check(memcmp(&value, &expected, sizeof value) == 0, "%.17g instead of %.17g", value, expected);
}

/* Up to 25 digits, a point anywhere or nowhere, sometimes an exponent. */
static void make_decimal(carom_random *random, char text[TEXT_SIZE]) {
    const int digits = 1 + (int)(carom_random_next(random) % 25);
    const int point = (int)(carom_random_next(random) % 40);
    char *at = text;
    const uint64_t sign = carom_random_next(random) % 4;
    if (sign < 2) {
        *at++ = sign == 0 ? '-' : '+';
    }
    for (int n = 0; n < digits; n++) {
        if (n == point) {
            *at++ = '.';
        }
        *at++ = (char)('0' + carom_random_next(random) % 10);
    }
    if (point == digits) {
        *at++ = '.';
    }
    *at = '\0';
    if (carom_random_next(random) % 4 == 0) {
        sprintf(at, "%c%d", carom_random_next(random) % 2 == 0 ? 'e' : 'E',
                (int)(carom_random_next(random) % 700) - 350);
    }
}

/* The text of any double there is, with the digits that tell it from its neighbours, or some fewer. */
static void make_double(carom_random *random, char text[TEXT_SIZE]) {
    double value;
    uint64_t bits = carom_random_next(random);
    memcpy(&value, &bits, sizeof value);
    snprintf(text, TEXT_SIZE, "%.*g", 1 + (int)(carom_random_next(random) % 17), value);
    if (strpbrk(text, "ni") != NULL) { /* nan, inf */
        strcpy(text, "0");
    }
}

/* The fast way for short decimals must round as the slow one does. */
static void random_decimals_are_those_of_strtod(void **state) {
    (void)state;
    for (uint64_t number = 0; number < CASES; number++) {
        if (note_only_case() != UINT64_MAX && note_only_case() != number) {
            continue;
        }
        carom_random random = carom_random_seeded(note_case_seed(number));
        char text[TEXT_SIZE];
        if (number % 2 == 0) {
            make_decimal(&random, text);
        } else {
            make_double(&random, text);
        }
        note_case(number, "\"%s\"", text);
        expect_same(text);
    }
}

/* Both sides of the 15 digits up to which the fast way goes, signs of zero, ends of the range, halves between two. */
static void chosen_decimals_are_those_of_strtod(void **state) {
    static const char *const texts[] = {
        "0",
        "-0",
        "0.0",
        "-0.000",
        "+1",
        "1.",
        ".1",
        "-.5",
        "007",
        "0000000000000000000000001",
        "999999999999999",
        "9999999999999999",
        "123456789012345",
        "1234567890.12345",
        "0.123456789012345",
        "0.1234567890123456",
        "9007199254740993",
        "9007199254740992.5",
        "1e22",
        "1e23",
        "1e-22",
        "8.5e-320",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "1.7976931348623157e308",
        "2.2250738585072011e-308",
        "0.000000000000000000000000000000000000000000000000000001",
        "1E5",
        "1e+05",
        "100000000000000000000",
    };
    (void)state;
    for (size_t n = 0; n < sizeof texts / sizeof *texts; n++) {
        note_case(n, "\"%s\"", texts[n]);
        expect_same(texts[n]);
    }
}

static void what_is_no_decimal_is_refused(void **state) {
    static const char *const texts[] = {"",    "-",   "+",   ".",   "-.", "e5",   "1e",   "1e+",  "1.2.3",
                                        "1,5", "--1", "+-1", " 1",  "1 ", "\t1",  "\n1",  "0x10", "0X1p3",
                                        "1f",  "1d5", "one", "1_0", "in", "nano", "1e5.0"};
    (void)state;
    for (size_t n = 0; n < sizeof texts / sizeof *texts; n++) {
        double value;
        if (carom_number_parse(texts[n], texts[n] + strlen(texts[n]), &value)) {
            fail_msg("\"%s\" is taken for %g", texts[n], value);
        }
    }
}

/* The span's end counts, not a '\0': fields are not copied. */
static void nothing_past_the_end_is_looked_at(void **state) {
    static const char digits[] = "12345678901234567890";
    double value;
    (void)state;
    assert_true(carom_number_parse(digits, digits + 2, &value) && value == 12);
    assert_true(carom_number_parse(digits + 1, digits + 18, &value) && value == 23456789012345678.0);
    static const char zero_inside[] = "1\0002";
    assert_false(carom_number_parse(zero_inside, zero_inside + 3, &value));
}

int io_number_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_decimals_are_those_of_strtod),
        cmocka_unit_test(chosen_decimals_are_those_of_strtod),
        cmocka_unit_test(what_is_no_decimal_is_refused),
        cmocka_unit_test(nothing_past_the_end_is_looked_at),
    };
    return cmocka_run_group_tests_name("number", tests, NULL, NULL);
}
