/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Room for one pair in exact arithmetic, for all tests of a program: set-up and tear-down of its group. */
#ifndef CAROM_TESTS_JUDGE_H
#define CAROM_TESTS_JUDGE_H

#include "tests/oracle/exact.h"

static exact judge;

static int start_judge(void **state) {
    (void)state;
    exact_start(&judge);
    return 0;
}

static int finish_judge(void **state) {
    (void)state;
    exact_end(&judge);
    return 0;
}

#endif
