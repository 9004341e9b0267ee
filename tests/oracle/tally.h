/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What a run over many pairs has seen of each kind, and what was not as promised: printed at the end, and failed on. */
#ifndef CAROM_TESTS_TALLY_H
#define CAROM_TESTS_TALLY_H

#include "tests/oracle/pair_kinds.h"

typedef enum promise {
    PROMISE_TOUCH,       /* kernels decide as exact arithmetic does */
    PROMISE_RECHECK,     /* so does the kernel that tests boxes first */
    PROMISE_APPROACHING, /* the kernel says p.v < 0 as exact arithmetic does */
    PROMISE_BOUNDS,      /* boxes hold the exact ones, and those of bodies that touch overlap */
    PROMISE_TIME,        /* a touch has a time in [0, 1], 0 at the start; what does not touch has none */
    PROMISE_NOT_LATE,    /* t <= t_exact */
    PROMISE_CLOSE,       /* t_exact - t within the bound */
    PROMISE_RESIDUAL,    /* |p + t v| is R within the bound */
    PROMISE_SAME,        /* every instruction set the same bits */
    PROMISE_DETECT,      /* the public call on two bodies: decision and time of the kernels */
    PROMISE_COUNT
} promise;

typedef struct tally_kind {
    uint64_t pairs;
    uint64_t hits;
    uint64_t grazing; /* within 1e-12 of touching, relative, or exactly tangent */
    uint64_t wrong[PROMISE_COUNT];
    uint64_t first_wrong[PROMISE_COUNT]; /* its case */
    double latest;                       /* worst (t - t_exact) / t_exact */
    double earliest;                     /* worst (t_exact - t) / t_exact */
    double latest_steps;                 /* worst t - t_exact */
    double earliest_steps;               /* worst t_exact - t */
    double residual;
} tally_kind;

typedef struct tally {
    int bits;             /* 32, 64 */
    uint64_t case_number; /* under way, to be repeated by CAROM_TEST_CASE */
    tally_kind kind[PAIR_KINDS];
} tally;

void tally_pair(tally *t, pair_kind kind, const exact_verdict *verdict);
void tally_time(tally *t, pair_kind kind, const exact_time *time);

/* Counts what was not as promised; the first of a kind is printed with its pair and what the format says. */
void tally_wrong(tally *t, promise which, pair_kind kind, const exact_pair *pair, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* A line a kind. */
void tally_print(const tally *t);

/* Fails the test if a promise was not kept on a kind. */
void tally_check(const tally *t, pair_kind kind);

/* Fails it if the kind was not what its name says: too many or too few touch, too few graze. */
void tally_check_shares(const tally *t, pair_kind kind);

#endif
