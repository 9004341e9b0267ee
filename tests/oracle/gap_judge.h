/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What the library says of a pair of shapes (kernel/narrow/gap.h), held against the truth: all that carom/distance.h
 * promises of one answer. */
#ifndef CAROM_TESTS_GAP_JUDGE_H
#define CAROM_TESTS_GAP_JUDGE_H

#include <stddef.h>

#include "kernel/narrow/gap.h"
#include "tests/oracle/solid_posed.h"
#include "tests/oracle/truth.h"

/* One question: a pair, the task, and the truth about it. */
typedef struct gap_case {
    const solid_input *i;
    const solid_input *k;
    carom_gap_task task;
    bool own;      /* positions are not made relative, nor are the answer's points */
    bool in_float; /* the answer was rounded to float */
    solid_pair solids;
    truth truth;
} gap_case;

typedef struct gap_answer {
    carom_gap gap;
    bool capped;     /* the bracket is wider than the task asks */
    wide outside[2]; /* how far the points are outside their shapes at least */
} gap_answer;

/* Runs the search. */
gap_answer gap_case_ask(const gap_case *c);

/* NULL, or which promise is broken; says more in `text`. */
const char *gap_judge(const gap_case *c, gap_answer *answer, char *text, size_t size);

/* The pair in full, so that it can be repeated: C99 hexadecimal numbers. */
void gap_case_print(const gap_case *c, char *text, size_t size);

#endif
