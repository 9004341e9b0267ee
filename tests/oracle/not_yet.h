/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What is promised and does not hold yet, one line each: remove a line as what it says comes to hold. The run counts
 * and prints these cases but does not fail on them; CAROM_TEST_STRICT=1 ignores the table. */
#ifndef CAROM_TESTS_NOT_YET_H
#define CAROM_TESTS_NOT_YET_H

#include "tests/oracle/tally.h"

#define NOT_YET(which) (1U << (which))

enum {
    NOT_YET_ANY = -1, /* every kind */
    NOT_YET_DECIDED =
        NOT_YET(PROMISE_TOUCH) | NOT_YET(PROMISE_RECHECK) | NOT_YET(PROMISE_TIME) | NOT_YET(PROMISE_DETECT),
    NOT_YET_LATE = NOT_YET(PROMISE_NOT_LATE),
    NOT_YET_CLOSE = NOT_YET(PROMISE_CLOSE),
    NOT_YET_RESIDUAL = NOT_YET(PROMISE_RESIDUAL)
};

typedef struct not_yet_line {
    int bits;
    int kind;          /* a pair_kind, or NOT_YET_ANY */
    unsigned promises; /* a bit for each */
} not_yet_line;

/* The first line matches nothing: a table may not be empty. */
static const not_yet_line NOT_YET_LINES[] = {
    {0, NOT_YET_ANY, 0},
    {32, PAIR_NUDGED, NOT_YET_DECIDED},
    {32, PAIR_NEEDLE, NOT_YET_DECIDED},
    {32, PAIR_SCALES, NOT_YET_DECIDED},
    {32, PAIR_MIXED, NOT_YET_DECIDED},
    {64, PAIR_GAP_15, NOT_YET_DECIDED},
    {64, PAIR_LONG, NOT_YET_DECIDED},
    {64, PAIR_START, NOT_YET_DECIDED},
    {64, PAIR_END, NOT_YET_DECIDED},
    {64, PAIR_TINY_STEP, NOT_YET_DECIDED},
    {64, PAIR_TOGETHER, NOT_YET_DECIDED},
    {64, PAIR_NUDGED, NOT_YET_DECIDED},
    {64, PAIR_NEEDLE, NOT_YET_DECIDED},
    {64, PAIR_SCALES, NOT_YET_DECIDED},
    {64, PAIR_LARGEST, NOT_YET_DECIDED},
    {64, PAIR_SUBNORMAL, NOT_YET_DECIDED},
    {64, PAIR_MIXED, NOT_YET_DECIDED},
    {32, NOT_YET_ANY, NOT_YET_LATE},
    {64, NOT_YET_ANY, NOT_YET_LATE},
    {32, NOT_YET_ANY, NOT_YET_CLOSE},
    {64, NOT_YET_ANY, NOT_YET_CLOSE},
    {32, PAIR_MIXED, NOT_YET_RESIDUAL},
    {64, PAIR_SCALES, NOT_YET_RESIDUAL},
    {64, PAIR_SUBNORMAL, NOT_YET_RESIDUAL},
    {64, PAIR_MIXED, NOT_YET_RESIDUAL},
};

#endif
