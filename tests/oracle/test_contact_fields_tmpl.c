/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* All fields of contacts against exact arithmetic over the whole range of numbers: kinds of pairs at the ends of it,
 * and all other kinds. Guards the bounds of promise.h, that a contact has the same bits on every instruction set and
 * whether or not the kernel still has to decide, and that unit normals are unit vectors.
 *
 * A case is a kind: the extreme ones from 0 on, then the others. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simd/dispatch.h"
#include "simd/precision.h"
#include "tests/oracle/extreme_pairs.h"
#include "tests/oracle/fields.h"
#include "tests/oracle/pair_kinds.h"
#include "tests/oracle/promise.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

/* No whole number of vectors: tails are tested, too. */
enum { BATCH = 2045, BATCHES_EXTREME = 10, BATCHES = 3, ISAS_MOST = 8, ROWS = 9, KINDS = EXTREME_KINDS + PAIR_KINDS };

typedef CAROM_REAL(carom_record) record;
typedef CAROM_REAL(carom_contacts) contact_rows;

/* What the kernels write. */
typedef struct output {
    uint32_t i[BATCH + CAROM_SIMD_PAD];
    uint32_t k[BATCH + CAROM_SIMD_PAD];
    carom_real row[ROWS][BATCH + CAROM_SIMD_PAD];
} output;

typedef struct batch {
    exact_pair pair[BATCH];
    record records[2 * BATCH]; /* of pair n: 2n and 2n + 1 */
    uint32_t slot_i[BATCH + CAROM_SIMD_PAD];
    uint32_t slot_k[BATCH + CAROM_SIMD_PAD];
    output first; /* of the first instruction set */
    output other;
} batch;

static const carom_simd *tables[ISAS_MOST];
static size_t table_count;
static exact judge;
static fields truth;
static batch *held;

static record record_of(const exact_pair *pair, int body, uint32_t number) {
    record to = {.radius = (carom_real)pair->radius[body], .body = number};
    for (int a = 0; a < 3; a++) {
        to.prev[a] = (carom_real)pair->prev[body][a];
        to.curr[a] = (carom_real)pair->curr[body][a];
    }
    return to;
}

static exact_pair draw(uint32_t kind, carom_random *random) {
    const bool for_f32 = CAROM_REAL_BITS == 32;
    return kind < EXTREME_KINDS ? extreme_pair((extreme_kind)kind, for_f32, random)
                                : pair_draw((pair_kind)(kind - EXTREME_KINDS), for_f32, random);
}

static const char *kind_name(uint32_t kind) {
    return kind < EXTREME_KINDS ? extreme_kind_name((extreme_kind)kind)
                                : pair_kind_name((pair_kind)(kind - EXTREME_KINDS));
}

static void fill(batch *b, uint32_t kind, carom_random *random) {
    for (uint32_t n = 0; n < BATCH; n++) {
        const uint32_t swapped = (uint32_t)carom_random_next(random) & 1;
        b->pair[n] = draw(kind, random);
        b->records[2 * n] = record_of(&b->pair[n], 0, 2 * n);
        b->records[2 * n + 1] = record_of(&b->pair[n], 1, 2 * n + 1);
        b->slot_i[n] = 2 * n + swapped;
        b->slot_k[n] = 2 * n + 1 - swapped;
    }
}

static void run_contact(batch *b, const carom_simd *table, uint64_t count, bool all_touch, output *out) {
    contact_rows rows = {.i = out->i,
                         .k = out->k,
                         .t_ca = out->row[0],
                         .distance = out->row[1],
                         .t_toi = out->row[2],
                         .normal = {out->row[3], out->row[4], out->row[5]},
                         .point = {out->row[6], out->row[7], out->row[8]}};
    const carom_contact_in pairs = {b->records, 0, count, b->slot_i, b->slot_k, all_touch};
    carom_kernels_of(table)->contact(&pairs, &rows);
}

static field_row row_of(const output *out, uint32_t n) {
    field_row row = {
        .t_ca = (double)out->row[0][n], .distance = (double)out->row[1][n], .t_toi = (double)out->row[2][n]};
    for (int a = 0; a < 3; a++) {
        row.normal[a] = (double)out->row[3 + a][n];
        row.point[a] = (double)out->row[6 + a][n];
    }
    return row;
}

static void print_row(const exact_pair *pair, const field_row *row) {
    exact_print(pair);
    printf("# t_ca %a distance %a t_toi %a\n# normal {%a, %a, %a} point {%a, %a, %a}\n", row->t_ca, row->distance,
           row->t_toi, row->normal[0], row->normal[1], row->normal[2], row->point[0], row->point[1], row->point[2]);
    gmp_printf("# it should be %.20Fe within %.3Fe\n", truth.value, truth.bound);
}

/* The decision, and that the time is not late. */
static void check_time(const exact_pair *pair, double t) {
    const exact_verdict verdict = exact_decide(&judge, pair);
    const bool right = verdict.touches != isnan(t) && (isnan(t) || !exact_time_of(&judge, t).late);
    if (!right) {
        exact_print(pair);
    }
    note_check(right, "t_toi is %a, touches: %d", t, verdict.touches);
}

/* Returns whether it touches. */
static bool check_pair(const batch *b, uint32_t n) {
    const field_row row = row_of(&b->first, n);
    fields_set(&truth, &b->pair[n]);
    const char *wrong = fields_first_wrong(&truth, &row);
    if (wrong != NULL) {
        print_row(&b->pair[n], &row);
    }
    note_check(wrong == NULL, "%s is wrong", wrong);
    check_time(&b->pair[n], row.t_toi);
    return !isnan(row.t_toi);
}

static void check_same(const batch *b, uint64_t count, const char *what) {
    for (int f = 0; f < ROWS; f++) {
        for (uint64_t n = 0; n < count; n++) {
            const bool same = memcmp(&b->first.row[f][n], &b->other.row[f][n], sizeof(carom_real)) == 0;
            const bool no_numbers = isnan(b->first.row[f][n]) && isnan(b->other.row[f][n]);
            if (!same && !no_numbers) {
                exact_print(&b->pair[b->slot_i[n] / 2]);
            }
            note_check(same || no_numbers, "%s: column %d is %a, not %a", what, f, (double)b->other.row[f][n],
                       (double)b->first.row[f][n]);
        }
    }
}

/* Pairs known to touch, which then lie in other lanes. */
static void check_touching(batch *b) {
    uint32_t count = 0;
    for (uint32_t n = 0; n < BATCH; n++) {
        if (isnan(b->first.row[2][n])) {
            continue;
        }
        for (int f = 0; f < ROWS; f++) {
            b->first.row[f][count] = b->first.row[f][n];
        }
        b->slot_i[count] = b->slot_i[n];
        b->slot_k[count++] = b->slot_k[n];
    }
    for (size_t isa = 0; isa < table_count; isa++) {
        run_contact(b, tables[isa], count, true, &b->other);
        check_same(b, count, tables[isa]->name);
    }
}

/* Returns how many pairs touch. */
static uint32_t run_batch(batch *b) {
    uint32_t touching = 0;
    run_contact(b, tables[0], BATCH, false, &b->first);
    for (uint32_t n = 0; n < BATCH; n++) {
        touching += check_pair(b, n);
    }
    for (size_t isa = 1; isa < table_count; isa++) {
        run_contact(b, tables[isa], BATCH, false, &b->other);
        check_same(b, BATCH, tables[isa]->name);
    }
    check_touching(b);
    return touching;
}

static void test_kind(void **state) {
    const uint32_t kind = (uint32_t)(uintptr_t)*state;
    if (note_only_case() != UINT64_MAX && note_only_case() != kind) {
        return;
    }
    const uint64_t batches = note_short() ? 1 : kind < EXTREME_KINDS ? BATCHES_EXTREME : BATCHES;
    carom_random random = carom_random_seeded(note_case_seed(kind));
    uint64_t touching = 0;
    note_case(kind, "%s, f%d", kind_name(kind), CAROM_REAL_BITS);
    for (uint64_t n = 0; n < batches; n++) {
        fill(held, kind, &random);
        touching += run_batch(held);
    }
    const double share = (double)touching / (double)(batches * BATCH);
    printf("# %-18s %6" PRIu64 " pairs, %.3f touch\n", kind_name(kind), batches * BATCH, share);
    note_check(share > 0.04 && share < 0.99, "a share of %g touches", share);
}

static int start(void **state) {
    (void)state;
    const field_bounds bounds = {FIELD_SHARE, FIELD_TIME, FIELD_LEAST, FIELD_MOST_EXPONENT};
    held = calloc(1, sizeof *held);
    exact_start(&judge);
    fields_start(&truth, &bounds);
    table_count = carom_simd_available(tables, ISAS_MOST);
    return held == NULL ? -1 : 0;
}

static int finish(void **state) {
    (void)state;
    fields_end(&truth);
    exact_end(&judge);
    free(held);
    return 0;
}

int main(void) {
    note_start("tests/oracle/test_contact_fields_f" CAROM_BITS_TEXT);
    struct CMUnitTest tests[KINDS];
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        tests[kind] = (struct CMUnitTest){
            .name = kind_name(kind), .test_func = test_kind, .initial_state = (void *)(uintptr_t)kind};
    }
    return cmocka_run_group_tests_name("contact fields", tests, start, finish);
}
