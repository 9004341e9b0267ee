/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Pairs that would touch exactly but for one component, of a position or of a displacement, which is tiny. Its square
 * decides, and a double cannot hold it: below 2^-537 it is zero, and below 2^-485 it loses bits. Guards the least size
 * from which products of doubles are taken for exact. Every instruction set decides each pair, the scalar one too, and
 * so do the wide integers; GMP says what is right.
 *
 * A case is one exponent of the tiny component. Its number is the exponent's distance from the largest one. */
#include <math.h>

#include "kernel/scene/random.h"
#include "simd/dispatch.h"
#include "simd/exact/exact.h"
#include "simd/precision.h"
#include "tests/oracle/judge.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

/* A batch is no whole number of vectors: tails are tested, too. */
enum { BATCH = 157, BODIES = 2 * BATCH, ISAS_MOST = 8, FIELDS = 7 };

/* Exponents of the tiny component, down to that of the least number. */
#if CAROM_REAL_BITS == 32
enum { EXPONENT_MOST = -20, EXPONENT_LEAST = -149 };
#else
enum { EXPONENT_MOST = -250, EXPONENT_LEAST = -1074 };
#endif

typedef CAROM_REAL(carom_record) record;

/* Pair n is records 2n and 2n + 1. */
typedef struct batch {
    exact_pair pair[BATCH];
    bool touches[BATCH];
    record records[BODIES];
    uint32_t slot_i[BATCH + CAROM_SIMD_PAD];
    uint32_t slot_k[BATCH + CAROM_SIMD_PAD];
    uint32_t out_i[BATCH + CAROM_SIMD_PAD];
    uint32_t out_k[BATCH + CAROM_SIMD_PAD];
} batch;

static const carom_simd *tables[ISAS_MOST];
static size_t table_count;
static batch held;

/* p and v of a pair with R = 5 that touches exactly: at the start, at the end, or in between. */
static const struct {
    double p[3];
    double v[3];
} TANGENT[] = {
    {{5, 0, 0}, {0, 0, 0}},  {{3, 4, 0}, {0, 0, 0}},   {{5, 0, 0}, {3, 0, 0}},   {{5, 0, 0}, {0, 2, 0}},
    {{9, 0, 0}, {-4, 0, 0}}, {{6, 8, 0}, {-3, -4, 0}}, {{8, 5, 0}, {-16, 0, 0}}, {{8, 5, 0}, {-8, 0, 0}},
};
enum { TANGENTS = sizeof TANGENT / sizeof TANGENT[0] };

/* What the tiny number is added to: a component of p, of v, or of both, by which it leaves again or comes on. */
enum { TINY_WAYS = 4 };
static const double TINY_IN_P[TINY_WAYS] = {1, 0, 1, 1};
static const double TINY_IN_V[TINY_WAYS] = {0, 1, -1, -2};

static uint32_t below(carom_random *random, uint32_t count) {
    return (uint32_t)(carom_random_next(random) % count);
}

/* A number of this exponent: a power of two, or one of as many bits as there are. */
static double tiny_of(carom_random *random, int exponent) {
    const double mantissa = below(random, 2) == 0 ? 1.0 : 1.0 + carom_random_u01(random);
    const double size = (double)(carom_real)ldexp(mantissa, exponent);
    return below(random, 2) == 0 ? size : -size;
}

/* Body 1 rests at the origin, so that p and v are body 0's, and exact. Axes come in any order. */
static exact_pair draw(carom_random *random, int exponent) {
    const uint32_t tangent = below(random, TANGENTS);
    const uint32_t way = below(random, TINY_WAYS);
    const int turn = (int)below(random, 3);
    const double tiny = tiny_of(random, exponent);
    exact_pair pair = {.radius = {2, 3}};
    for (int a = 0; a < 3; a++) {
        const int axis = (a + turn) % 3;
        const double p = a == 2 ? TINY_IN_P[way] * tiny : TANGENT[tangent].p[a];
        const double end = a == 2 ? p + TINY_IN_V[way] * tiny : p + TANGENT[tangent].v[a];
        pair.prev[0][axis] = (double)(carom_real)p;
        pair.curr[0][axis] = (double)(carom_real)end;
    }
    return pair;
}

static void put_body(record *to, const exact_pair *pair, int body) {
    for (int a = 0; a < 3; a++) {
        to->prev[a] = (carom_real)pair->prev[body][a];
        to->curr[a] = (carom_real)pair->curr[body][a];
    }
    to->radius = (carom_real)pair->radius[body];
}

static void put_pair(uint32_t n, const exact_pair *pair, bool swapped) {
    held.pair[n] = *pair;
    held.touches[n] = exact_decide(&judge, pair).touches;
    put_body(&held.records[2 * n], pair, 0);
    put_body(&held.records[2 * n + 1], pair, 1);
    held.slot_i[n] = 2 * n + swapped;
    held.slot_k[n] = 2 * n + 1 - swapped;
}

static void check_decision(uint32_t n, bool touches, const char *by) {
    if (touches != held.touches[n]) {
        exact_print(&held.pair[n]);
        note_check(false, "pair %u: %s says %s", n, by, touches ? "touches" : "does not touch");
    }
}

static void check_kernel(const carom_simd *table) {
    const uint32_t kept =
        carom_kernels_of(table)->touch(held.records, BATCH, held.slot_i, held.slot_k, held.out_i, held.out_k);
    uint32_t at = 0;
    for (uint32_t n = 0; n < BATCH; n++) {
        const bool found = at < kept && held.out_i[at] == held.slot_i[n] && held.out_k[at] == held.slot_k[n];
        check_decision(n, found, table->name);
        at += found;
    }
}

static void check_integers(uint32_t n) {
    double fields[2][FIELDS];
    for (int body = 0; body < 2; body++) {
        for (int a = 0; a < 3; a++) {
            fields[body][a] = held.pair[n].prev[body][a];
            fields[body][4 + a] = held.pair[n].curr[body][a];
        }
        fields[body][3] = held.pair[n].radius[body];
    }
    check_decision(n, carom_exact_touches(fields[0], fields[1]), "exact arithmetic");
}

static void check_batch(void) {
    for (size_t isa = 0; isa < table_count; isa++) {
        check_kernel(tables[isa]);
    }
    for (uint32_t n = 0; n < BATCH; n++) {
        check_integers(n);
    }
}

static void test_every_exponent(void **state) {
    (void)state;
    for (int exponent = EXPONENT_MOST; exponent >= EXPONENT_LEAST; exponent--) {
        const uint64_t number = (uint64_t)(EXPONENT_MOST - exponent);
        if (note_only_case() != UINT64_MAX && note_only_case() != number) {
            continue;
        }
        carom_random random = carom_random_seeded(note_case_seed(number));
        note_case(number, "a component of 2^%d, f%d", exponent, CAROM_REAL_BITS);
        for (uint32_t n = 0; n < BATCH; n++) {
            const exact_pair pair = draw(&random, exponent);
            put_pair(n, &pair, below(&random, 2) == 0);
        }
        check_batch();
    }
}

/* The pair for which the least size was found to be unguarded. */
static void test_a_known_pair(void **state) {
    (void)state;
    const int exponent = CAROM_REAL_BITS == 32 ? EXPONENT_LEAST : -550;
    exact_pair pair = {.radius = {0.5, 0.5}};
    pair.prev[1][0] = pair.curr[1][0] = 1;
    pair.prev[1][1] = pair.curr[1][1] = ldexp(1.0, exponent);
    note_case(0, "(0, 0, 0) and (1, 2^%d, 0)", exponent);
    for (uint32_t n = 0; n < BATCH; n++) {
        put_pair(n, &pair, n % 2 == 1);
    }
    note_check(!held.touches[0], "they touch");
    check_batch();
}

static int start(void **state) {
    table_count = carom_simd_available(tables, ISAS_MOST);
    return start_judge(state);
}

int main(int argc, char **argv) {
    (void)argc;
    note_start(argv[0]);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_exponent), cmocka_unit_test(test_a_known_pair)};
    return cmocka_run_group_tests_name("tiny_parts", tests, start, finish_judge);
}
