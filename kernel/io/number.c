/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/io/number.h"

#include <locale.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/check/assert.h"

/* Powers of ten that a double holds exactly. */
static const double POWER_OF_TEN[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* Most digits whose integer a double holds exactly. */
enum { EXACT_DIGITS = 15 };

/* Made once and never changed. */
static locale_t c_locale;
static pthread_once_t c_locale_once = PTHREAD_ONCE_INIT;

static void make_c_locale(void) {
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

/* strtod also takes blanks before a number, and hexadecimal ones; nothing but those has an x. */
static bool is_decimal(const char *begin, const char *end) {
    bool blank = *begin == ' ' || (*begin >= '\t' && *begin <= '\r');
    size_t length = (size_t)(end - begin);
    return !blank && memchr(begin, 'x', length) == NULL && memchr(begin, 'X', length) == NULL;
}

/* The general case, by the C library in the C locale. */
static bool parse_any(const char *begin, const char *end, double *value) {
    char copy[128];
    size_t length = (size_t)(end - begin);
    if (length == 0 || length >= sizeof copy || !is_decimal(begin, end)) {
        return false;
    }
    memcpy(copy, begin, length);
    copy[length] = '\0';
    pthread_once(&c_locale_once, make_c_locale);
    char *stop;
    *value = c_locale != (locale_t)0 ? strtod_l(copy, &stop, c_locale) : strtod(copy, &stop);
    return stop == copy + length;
}

/* Plain decimals of at most 15 digits: an exact integer divided by an exact power of ten is rounded once. */
bool carom_number_parse(const char *begin, const char *end, double *value) {
    CAROM_ASSERT(begin <= end);
    const char *at = begin;
    bool negative = at < end && *at == '-';
    at += negative;
    uint64_t digits = 0;
    int count = 0;
    int decimals = 0;
    bool point = false;
    /* Digits go into one integer; the point only says by which power of ten to divide. */
    for (; at < end; at++) {
        unsigned digit = (unsigned)(unsigned char)*at - '0';
        if (digit <= 9) {
            digits = digits * 10 + digit;
            count++;
            decimals += point;
        } else if (*at == '.' && !point) {
            point = true;
        } else {
            break;
        }
        if (count > EXACT_DIGITS) {
            break;
        }
    }
    /* An exponent, too many digits, inf, nan, or no number at all. */
    if (at != end || count == 0) {
        return parse_any(begin, end, value);
    }
    double magnitude = (double)digits / POWER_OF_TEN[decimals];
    *value = negative ? -magnitude : magnitude;
    return true;
}
