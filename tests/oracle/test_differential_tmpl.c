/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Millions of pairs, many of them within the last digit of touching, decided by the library and by exact arithmetic:
 * the kernels that decide, of every instruction set, their times of impact, the boxes that must not lose a pair, and
 * the public call on two bodies. 2.5e6 pairs for each precision, 5e8 with CAROM_TEST_LONG=1.
 *
 * A case is a batch of one kind: its number is PAIR_KINDS * batch + kind. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"
#include "simd/dispatch.h"
#include "simd/isa.h"
#include "tests/oracle/promise.h"
#include "tests/oracle/tally.h"
#include "tests/support/check.h"
#include "tests/support/note.h"

/* A batch is no whole number of vectors: tails are tested, too. */
enum {
    BATCH = 2045,
    BODIES = 2 * BATCH,
    BATCHES = 60,
    LONG_FACTOR = 200,
    ISAS_MOST = 8,
    DETECTED = 24,
    CONTAINED = 64
};

/* Pairs of one kind, their truth and all that kernels read and write. Pair n is bodies and records 2n and 2n + 1. */
typedef struct batch {
    pair_kind kind;
    double centre[3];
    exact_pair pair[BATCH];
    exact_verdict verdict[BATCH];
    carom_record records[BODIES];
    carom_real field[7][BODIES + CAROM_SIMD_PAD];
    uint32_t slot_i[BATCH + CAROM_SIMD_PAD];
    uint32_t slot_k[BATCH + CAROM_SIMD_PAD];
    uint32_t out_i[BATCH + CAROM_SIMD_PAD];
    uint32_t out_k[BATCH + CAROM_SIMD_PAD];
    uint8_t overlapping[(BATCH + 7) / 8];
    uint8_t touching[(BATCH + 7) / 8];
    uint32_t row_i[BATCH + CAROM_SIMD_PAD];
    uint32_t row_k[BATCH + CAROM_SIMD_PAD];
    carom_real row[9][BATCH + CAROM_SIMD_PAD];
    carom_real time[BATCH]; /* of the first instruction set */
    float box[6][BODIES + CAROM_SIMD_PAD];
} batch;

static const carom_simd *tables[ISAS_MOST];
static carom_context *contexts[ISAS_MOST];
static size_t table_count;
static exact judge;
static tally seen = {.bits = CAROM_REAL_BITS};
static batch *held;

static carom_bodies bodies_of(batch *b) {
    return (carom_bodies){.count = BODIES,
                          .prev = {b->field[0], b->field[1], b->field[2]},
                          .curr = {b->field[3], b->field[4], b->field[5]},
                          .radius = b->field[6]};
}

static void put_body(batch *b, uint32_t n, const exact_pair *pair, int body) {
    carom_record *to = &b->records[n];
    for (int a = 0; a < 3; a++) {
        to->prev[a] = b->field[a][n] = (carom_real)pair->prev[body][a];
        to->curr[a] = b->field[a + 3][n] = (carom_real)pair->curr[body][a];
    }
    to->radius = b->field[6][n] = (carom_real)pair->radius[body];
    to->body = n;
}

/* The middle of all positions, as the library takes one; the first body, where many may lie near; or the origin. */
static void choose_centre(batch *b, uint64_t way) {
    for (int a = 0; a < 3; a++) {
        double lo = INFINITY;
        double hi = -INFINITY;
        for (uint32_t n = 0; n < BODIES; n++) {
            lo = fmin(lo, (double)b->field[a][n]);
            hi = fmax(hi, (double)b->field[a][n]);
        }
        b->centre[a] = way == 0 ? lo / 2 + hi / 2 : way == 1 ? (double)b->field[a][0] : 0;
    }
}

static void fill(batch *b, pair_kind kind, uint64_t number) {
    carom_random random = carom_random_seeded(note_case_seed(number));
    b->kind = kind;
    for (uint32_t n = 0; n < BATCH; n++) {
        uint32_t swapped = (uint32_t)carom_random_next(&random) & 1;
        b->pair[n] = pair_draw(kind, CAROM_REAL_BITS == 32, &random);
        put_body(b, 2 * n, &b->pair[n], 0);
        put_body(b, 2 * n + 1, &b->pair[n], 1);
        b->slot_i[n] = 2 * n + swapped;
        b->slot_k[n] = 2 * n + 1 - swapped;
    }
    choose_centre(b, carom_random_next(&random) % 3);
}

static void run_contact(batch *b, const carom_simd *table) {
    carom_contacts rows = {.i = b->row_i,
                           .k = b->row_k,
                           .t_ca = b->row[0],
                           .distance = b->row[1],
                           .t_toi = b->row[2],
                           .normal = {b->row[3], b->row[4], b->row[5]},
                           .point = {b->row[6], b->row[7], b->row[8]}};
    const carom_contact_in pairs = {b->records, 0, BATCH, b->slot_i, b->slot_k, false};
    carom_kernels_of(table)->contact(&pairs, &rows);
}

/* The time of pair n, the one that the judge decided last. */
static void check_time(batch *b, uint32_t n) {
    const exact_verdict *verdict = &b->verdict[n];
    const exact_pair *pair = &b->pair[n];
    double t = (double)b->time[n];
    bool in_step = verdict->rule == EXACT_START ? t == 0 : t >= 0 && t <= 1;
    if (!verdict->touches || !in_step) {
        if (verdict->touches || !isnan(t)) {
            tally_wrong(&seen, PROMISE_TIME, b->kind, pair, "t %a, touches: %d", t, verdict->touches);
        }
        return;
    }
    exact_time time = exact_time_of(&judge, t);
    tally_time(&seen, b->kind, &time);
    if (time.late) {
        tally_wrong(&seen, PROMISE_NOT_LATE, b->kind, pair, "t %a is %.3g after the exact %a", t, -time.behind,
                    time.exact);
    }
    if (!(time.behind <= promise_early(&judge, time.exact))) {
        tally_wrong(&seen, PROMISE_CLOSE, b->kind, pair, "t %a is %.3g before the exact %a", t, time.behind,
                    time.exact);
    }
    if (!(time.residual <= promise_residual(&judge, t))) {
        tally_wrong(&seen, PROMISE_RESIDUAL, b->kind, pair, "t %a leaves a residual of %.3g", t, time.residual);
    }
}

/* Decides every pair exactly, and holds the times of the first instruction set against it. */
static void judge_batch(batch *b) {
    run_contact(b, tables[0]);
    memcpy(b->time, b->row[2], sizeof b->time);
    for (uint32_t n = 0; n < BATCH; n++) {
        b->verdict[n] = exact_decide(&judge, &b->pair[n]);
        tally_pair(&seen, b->kind, &b->verdict[n]);
        check_time(b, n);
    }
}

static void check_decision(batch *b, promise which, uint32_t n, bool touches, const char *isa) {
    if (touches != b->verdict[n].touches) {
        tally_wrong(&seen, which, b->kind, &b->pair[n], "%s says %s, (d^2 - R^2) / R^2 is %.3g", isa,
                    touches ? "touches" : "does not", b->verdict[n].slack);
    }
}

static void check_touch(batch *b, const carom_simd *table) {
    uint32_t kept = carom_kernels_of(table)->touch(b->records, BATCH, b->slot_i, b->slot_k, b->out_i, b->out_k);
    uint32_t at = 0;
    for (uint32_t n = 0; n < BATCH; n++) {
        bool found = at < kept && b->out_i[at] == b->slot_i[n] && b->out_k[at] == b->slot_k[n];
        check_decision(b, PROMISE_TOUCH, n, found, table->name);
        at += found;
    }
    note_check(at == kept, "%s: touch keeps what is no pair, or out of order", table->name);
}

static void check_approaching(batch *b, const carom_simd *table) {
    uint32_t kept = carom_kernels_of(table)->approaching(b->records, BATCH, b->slot_i, b->slot_k, b->out_i, b->out_k);
    uint32_t at = 0;
    for (uint32_t n = 0; n < BATCH; n++) {
        bool found = at < kept && b->out_i[at] == b->slot_i[n] && b->out_k[at] == b->slot_k[n];
        if (found != b->verdict[n].approaches) {
            tally_wrong(&seen, PROMISE_APPROACHING, b->kind, &b->pair[n], "%s says %s", table->name,
                        found ? "approaches" : "does not");
        }
        at += found;
    }
    note_check(at == kept, "%s: approaching keeps what is no pair, or out of order", table->name);
}

static void check_recheck(batch *b, const carom_simd *table) {
    const carom_recheck_in pairs = {b->records, b->centre, BATCH, 0, b->slot_i, b->slot_k};
    carom_recheck_out kept = {b->out_i, b->out_k, b->overlapping, b->touching, {0, 0}};
    carom_kernels_of(table)->recheck(&pairs, &kept);
    uint32_t at = 0;
    for (uint32_t n = 0; n < BATCH; n++) {
        bool found = (b->touching[n / 8] >> n % 8 & 1) != 0;
        check_decision(b, PROMISE_RECHECK, n, found, table->name);
        note_check(!found || (b->out_i[at] == b->slot_i[n] && b->out_k[at] == b->slot_k[n]),
                   "%s: recheck keeps another pair than it says", table->name);
        at += found;
    }
    note_check(at == kept.counts.touching, "%s: recheck counts %u, finds %u", table->name, kept.counts.touching, at);
}

static void check_overlap(batch *b, const char *what) {
    for (uint32_t n = 0; n < BATCH; n++) {
        bool overlap = true;
        for (int a = 0; a < 3; a++) {
            const float *lo = &b->box[a][2 * n];
            const float *hi = &b->box[a + 3][2 * n];
            overlap = overlap && lo[0] <= hi[1] && lo[1] <= hi[0];
        }
        if (b->verdict[n].touches && !overlap) {
            tally_wrong(&seen, PROMISE_BOUNDS, b->kind, &b->pair[n], "%s lose it", what);
        }
    }
}

/* Does the box of body n about this centre hold the exact one on axis a? Infinite corners do on their side. */
static bool contains(const batch *b, uint32_t n, int a, double centre) {
    double lo = (double)b->box[a][n];
    double hi = (double)b->box[a + 3][n];
    double prev = (double)b->field[a][n];
    double curr = (double)b->field[a + 3][n];
    double radius = (double)b->field[6][n];
    const double below[] = {fmin(prev, curr), -radius, -centre, -lo};
    const double above[] = {fmax(prev, curr), radius, -centre, -hi};
    return (lo == -INFINITY || (isfinite(lo) && exact_sum_sign(&judge, below, 4) >= 0)) &&
           (hi == INFINITY || (isfinite(hi) && exact_sum_sign(&judge, above, 4) <= 0));
}

static void check_containment(batch *b, const double centre[3], const char *what) {
    for (uint32_t n = 0; n < CONTAINED; n++) {
        for (int a = 0; a < 3; a++) {
            if (!contains(b, n, a, centre[a])) {
                tally_wrong(&seen, PROMISE_BOUNDS, b->kind, &b->pair[n / 2], "%s: %c of body %u is %a .. %a about %a",
                            what, "xyz"[a], n % 2, (double)b->box[a][n], (double)b->box[a + 3][n], centre[a]);
            }
        }
    }
}

static void check_bounds(batch *b, const carom_simd *table) {
    static const double origin[3] = {0, 0, 0};
    const double *centre = CAROM_REAL_BITS == 32 ? origin : b->centre; /* which floats do without */
    carom_bodies bodies = bodies_of(b);
    float *const lo[3] = {b->box[0], b->box[1], b->box[2]};
    float *const hi[3] = {b->box[3], b->box[4], b->box[5]};
    carom_kernels_of(table)->bounds(&bodies, 0, BODIES, lo, hi);
    check_overlap(b, "bounds");
    check_containment(b, origin, "bounds");
    carom_kernels_of(table)->fat_boxes(&bodies, 0, BODIES, b->centre, lo, hi);
    check_overlap(b, "boxes about the centre");
    check_containment(b, centre, "box about the centre");
}

static void check_same_times(batch *b, const carom_simd *table) {
    run_contact(b, table);
    for (uint32_t n = 0; n < BATCH; n++) {
        double t = (double)b->row[2][n];
        if (t != (double)b->time[n] && !(isnan(t) && isnan(b->time[n]))) {
            tally_wrong(&seen, PROMISE_SAME, b->kind, &b->pair[n], "t %a on %s, %a on %s", t, table->name,
                        (double)b->time[n], tables[0]->name);
        }
    }
}

/* The public call on the pair alone: the exact decision, the kernels' time. */
static void check_detect(batch *b, carom_context *context, uint32_t n) {
    carom_bodies two = bodies_of(b);
    two.count = 2;
    for (int a = 0; a < 3; a++) {
        two.prev[a] += 2 * n;
        two.curr[a] += 2 * n;
    }
    two.radius += 2 * n;
    CAROM_REAL(carom_detection) found = {0};
    carom_error error;
    carom_status status = CAROM_REAL(carom_detect)(context, &two, NULL, NULL, &found, &error);
    note_check(status == CAROM_OK, "%s", error.message);
    check_decision(b, PROMISE_DETECT, n, found.pair_count == 1, carom_context_isa(context));
    if (found.pair_count == 1 && b->verdict[n].touches && found.contacts.t_toi[0] != b->time[n]) {
        tally_wrong(&seen, PROMISE_DETECT, b->kind, &b->pair[n], "t %a, the kernels' %a",
                    (double)found.contacts.t_toi[0], (double)b->time[n]);
    }
}

static void run_batch(pair_kind kind, uint64_t batch_number) {
    uint64_t number = PAIR_KINDS * batch_number + kind;
    if (note_only_case() != UINT64_MAX && note_only_case() != number) {
        return;
    }
    note_case(number, "%s, f%d", pair_kind_name(kind), CAROM_REAL_BITS);
    seen.case_number = number;
    fill(held, kind, number);
    judge_batch(held);
    for (size_t isa = 0; isa < table_count; isa++) {
        check_touch(held, tables[isa]);
        check_approaching(held, tables[isa]);
        check_recheck(held, tables[isa]);
        check_bounds(held, tables[isa]);
        check_same_times(held, tables[isa]);
    }
    for (uint32_t n = 0; n < DETECTED; n++) {
        check_detect(held, contexts[batch_number % table_count], n);
    }
}

static void test_kind(void **state) {
    pair_kind kind = (pair_kind)(uintptr_t)*state;
    uint64_t batches = note_long() ? (uint64_t)BATCHES * LONG_FACTOR : BATCHES;
    for (uint64_t n = 0; n < batches; n++) {
        run_batch(kind, n);
    }
    tally_check(&seen, kind);
    if (note_only_case() == UINT64_MAX) {
        tally_check_shares(&seen, kind);
    }
}

static int start(void **state) {
    (void)state;
    held = calloc(1, sizeof *held);
    exact_start(&judge);
    table_count = carom_simd_available(tables, ISAS_MOST);
    for (size_t isa = 0; isa < table_count; isa++) {
        carom_context_config config = carom_context_config_default();
        config.threads = 1;
        config.isa = tables[isa]->name;
        if (carom_context_create(&config, &contexts[isa], NULL) != CAROM_OK) {
            return -1;
        }
        printf("# %s\n", tables[isa]->name);
    }
    return held == NULL ? -1 : 0;
}

static int finish(void **state) {
    (void)state;
    tally_print(&seen);
    for (size_t isa = 0; isa < table_count; isa++) {
        carom_context_destroy(contexts[isa]);
    }
    exact_end(&judge);
    free(held);
    return 0;
}

int main(void) {
    note_start("tests/oracle/test_differential_f" CAROM_BITS_TEXT);
    struct CMUnitTest tests[PAIR_KINDS];
    for (int kind = 0; kind < PAIR_KINDS; kind++) {
        tests[kind] = (struct CMUnitTest){
            .name = pair_kind_name((pair_kind)kind), .test_func = test_kind, .initial_state = (void *)(uintptr_t)kind};
    }
    return cmocka_run_group_tests_name("differential", tests, start, finish);
}
