/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/oracle/tally.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/check.h"
#include "tests/support/note.h"

/* Relative distance between d^2 and R^2 below which a pair counts as grazing. */
static const double GRAZING = 1e-12;

static const char *const PROMISE_NAMES[PROMISE_COUNT] = {
    [PROMISE_TOUCH] = "touch",   [PROMISE_RECHECK] = "recheck",   [PROMISE_APPROACHING] = "approach",
    [PROMISE_BOUNDS] = "bounds", [PROMISE_TIME] = "time",         [PROMISE_NOT_LATE] = "late",
    [PROMISE_CLOSE] = "close",   [PROMISE_RESIDUAL] = "residual", [PROMISE_SAME] = "same",
    [PROMISE_DETECT] = "detect",
};

/* Shares of a kind's pairs: without them it would not test what it says. */
typedef struct expectation {
    double hits_least;
    double hits_most;
    double grazing_least[2]; /* double, float */
} expectation;

static const expectation EXPECTED[PAIR_KINDS] = {
    [PAIR_UNIFORM] = {0.05, 0.25, {0, 0}},      [PAIR_GAP_3] = {0.4, 0.6, {0, 0}},
    [PAIR_GAP_6] = {0.4, 0.6, {0, 0}},          [PAIR_GAP_7] = {0.4, 0.6, {0, 0}},
    [PAIR_GAP_15] = {0.4, 0.6, {0.99, 0}},      [PAIR_LONG] = {0.4, 0.6, {0.1, 0}},
    [PAIR_START] = {0.6, 0.9, {0.15, 0}},       [PAIR_END] = {0.4, 0.6, {0.2, 0}},
    [PAIR_OFFSET_6] = {0.2, 0.5, {0, 0}},       [PAIR_OFFSET_7] = {0.2, 0.5, {0, 0}},
    [PAIR_OFFSET_12] = {0.2, 0.5, {0, 0}},      [PAIR_TINY_STEP] = {0.5, 0.8, {0.05, 0}},
    [PAIR_TOGETHER] = {0.4, 0.6, {0.15, 0}},    [PAIR_LATTICE] = {0.8, 0.95, {0.7, 0.7}},
    [PAIR_NUDGED] = {0.5, 0.8, {0.6, 0.2}},     [PAIR_NEEDLE] = {0.2, 0.5, {0.9, 0.9}},
    [PAIR_REST] = {0.1, 0.4, {0.1, 0.1}},       [PAIR_POINTS] = {0.15, 0.4, {0.15, 0.15}},
    [PAIR_SCALES] = {0.3, 0.6, {0.2, 1e-4}},    [PAIR_LARGEST] = {0.3, 0.7, {0.3, 0.3}},
    [PAIR_SUBNORMAL] = {0.8, 0.99, {0.8, 0.8}}, [PAIR_MIXED] = {0.2, 0.6, {0, 0}},
};

void tally_pair(tally *t, pair_kind kind, const exact_verdict *verdict) {
    tally_kind *of = &t->kind[kind];
    of->pairs++;
    of->hits += verdict->touches;
    of->grazing += fabs(verdict->slack) <= GRAZING;
}

void tally_time(tally *t, pair_kind kind, const exact_time *time) {
    tally_kind *of = &t->kind[kind];
    if (time->exact > 0) {
        of->latest = fmax(of->latest, -time->behind / time->exact);
        of->earliest = fmax(of->earliest, time->behind / time->exact);
    }
    of->latest_steps = fmax(of->latest_steps, -time->behind);
    of->earliest_steps = fmax(of->earliest_steps, time->behind);
    of->residual = fmax(of->residual, time->residual);
}

void tally_wrong(tally *t, promise which, pair_kind kind, const exact_pair *pair, const char *format, ...) {
    if (t->kind[kind].wrong[which]++ > 0) {
        return;
    }
    t->kind[kind].first_wrong[which] = t->case_number;
    char message[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    printf("# f%d, case %" PRIu64 ", %s, %s: %s\n", t->bits, t->case_number, pair_kind_name(kind), PROMISE_NAMES[which],
           message);
    exact_print(pair);
}

static void print_wrong(const tally *t, pair_kind kind) {
    const tally_kind *of = &t->kind[kind];
    for (int which = 0; which < PROMISE_COUNT; which++) {
        if (of->wrong[which] > 0) {
            printf("; %s: %" PRIu64, PROMISE_NAMES[which], of->wrong[which]);
        }
    }
}

void tally_print(const tally *t) {
    printf("# f%d: pairs, share that touches, grazing, worst times (late, early: relative to t, of the step), "
           "residual; wrong\n",
           t->bits);
    uint64_t pairs = 0;
    for (int kind = 0; kind < PAIR_KINDS; kind++) {
        const tally_kind *of = &t->kind[kind];
        pairs += of->pairs;
        if (of->pairs > 0) {
            printf("# %-11s %9" PRIu64 " %.3f %9" PRIu64 " %8.1e %8.1e %8.1e %8.1e %8.1e",
                   pair_kind_name((pair_kind)kind), of->pairs, (double)of->hits / (double)of->pairs, of->grazing,
                   of->latest, of->earliest, of->latest_steps, of->earliest_steps, of->residual);
            print_wrong(t, (pair_kind)kind);
            printf("\n");
        }
    }
    printf("# f%d: %" PRIu64 " pairs\n", t->bits, pairs);
}

void tally_check(const tally *t, pair_kind kind) {
    const tally_kind *of = &t->kind[kind];
    for (int which = 0; which < PROMISE_COUNT; which++) {
        note_case(of->first_wrong[which], "%s, f%d, %s", pair_kind_name(kind), t->bits, PROMISE_NAMES[which]);
        note_check(of->wrong[which] == 0, "%" PRIu64 " of %" PRIu64 " pairs wrong; the first is printed above",
                   of->wrong[which], of->pairs);
    }
}

void tally_check_shares(const tally *t, pair_kind kind) {
    const tally_kind *of = &t->kind[kind];
    const expectation *expected = &EXPECTED[kind];
    double pairs = (double)of->pairs;
    double hits = (double)of->hits / pairs;
    note_check(hits >= expected->hits_least && hits <= expected->hits_most, "a share of %g touches", hits);
    note_check((double)of->grazing / pairs >= expected->grazing_least[t->bits == 32], "only %" PRIu64 " graze",
               of->grazing);
}
