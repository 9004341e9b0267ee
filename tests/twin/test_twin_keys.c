/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Kernels without a precision against their scalar twins: bins, digits, and the sweep, which may pause at
 * other places on each instruction set but must find the same pairs in the same order. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/check.h"
#include "tests/support/note.h"
#include "tests/twin/guarded.h"

static float *random_floats(guarded_pool *pool, carom_random *random, uint32_t count) {
    float *value = guarded_array(pool, count, sizeof(float), carom_random_next(random) % 16);
    for (uint64_t n = 0; n < count; n++) {
        value[n] = (float)guarded_number(random);
    }
    return value;
}

static void bin_keys_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    guarded_pool pool = {.count = 0};
    const carom_bins bins = {0, -80.0F, 3.0F, 511.0F};
    float *low = random_floats(&pool, random, count);
    uint32_t *key[2];
    for (int n = 0; n < 2; n++) {
        key[n] = guarded_array(&pool, count, sizeof(uint32_t), carom_random_next(random) % 16);
        (n == 0 ? simd : twin)->bin_keys(low, count, &bins, key[n]);
    }
    note_check(memcmp(key[0], key[1], count * sizeof(uint32_t)) == 0, "keys differ");
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

static void check_bin_keys(void **state) {
    (void)state;
    guarded_over_all("bin_keys", bin_keys_case);
}

static void digits_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    guarded_pool pool = {.count = 0};
    uint32_t *narrow = guarded_array(&pool, count, sizeof(uint32_t), carom_random_next(random) % 16);
    uint64_t *wide = guarded_array(&pool, count, sizeof(uint64_t), carom_random_next(random) % 8);
    uint32_t bits = 1 + (uint32_t)(carom_random_next(random) % 8);
    uint32_t mask = (UINT32_C(1) << bits) - 1;
    for (uint64_t n = 0; n < count; n++) {
        wide[n] = carom_random_next(random);
        narrow[n] = (uint32_t)(wide[n] >> 13);
    }
    uint32_t *counts[4];
    for (int n = 0; n < 4; n++) {
        counts[n] = guarded_array(&pool, mask + 1, sizeof(uint32_t), 0);
    }
    uint32_t shift = (uint32_t)(carom_random_next(random) % (33 - bits));
    simd->digit_histogram_u32(narrow, count, shift, mask, counts[0]);
    twin->digit_histogram_u32(narrow, count, shift, mask, counts[1]);
    simd->digit_histogram_u64(wide, count, shift + 17, mask, counts[2]);
    twin->digit_histogram_u64(wide, count, shift + 17, mask, counts[3]);
    note_check(memcmp(counts[0], counts[1], (mask + 1) * sizeof(uint32_t)) == 0, "32-bit digits differ");
    note_check(memcmp(counts[2], counts[3], (mask + 1) * sizeof(uint32_t)) == 0, "64-bit digits differ");
    uint64_t sum = 0;
    for (uint32_t d = 0; d <= mask; d++) {
        sum += counts[0][d];
    }
    note_check(sum == count, "%d keys are counted", (int)sum);
    note_check(guarded_intact(&pool), "a canary is dead");
    guarded_release(&pool);
}

static void check_digits(void **state) {
    (void)state;
    guarded_over_all("digit_histogram", digits_case);
}

/* Boxes in any order, each to be swept up to a random end, some with bits of missing columns, NaN behind them. */
static carom_boxes random_boxes(guarded_pool *pool, carom_random *random, uint32_t count) {
    const double range = carom_random_next(random) % 2 == 0 ? 20.0 : 5.0; /* 5: most vectors have several hits */
    carom_boxes boxes = {.count = count};
    for (int a = 0; a < 3; a++) {
        boxes.lo[a] = guarded_array(pool, count + CAROM_SIMD_PAD, sizeof(float), 0);
        boxes.hi[a] = guarded_array(pool, count + CAROM_SIMD_PAD, sizeof(float), 0);
        for (uint32_t n = 0; n < count + CAROM_SIMD_PAD; n++) {
            float lo = (float)(int)(range * carom_random_u01(random)); /* whole numbers, so that boxes just touch */
            boxes.lo[a][n] = n < count ? lo : NAN;
            boxes.hi[a][n] = n < count ? lo + (float)(int)(6.0 * carom_random_u01(random)) : NAN;
        }
    }
    boxes.slot = guarded_array(pool, count + CAROM_SIMD_PAD, sizeof(uint32_t), 0);
    boxes.earlier = guarded_array(pool, count + CAROM_SIMD_PAD, sizeof(uint32_t), 0);
    boxes.end = guarded_array(pool, count, sizeof(uint32_t), 0);
    for (uint32_t n = 0; n < count + CAROM_SIMD_PAD; n++) {
        boxes.slot[n] = n < count ? 3 * n + 1 : 0;
        boxes.earlier[n] =
            n < count && carom_random_next(random) % 3 == 0 ? (uint32_t)(carom_random_next(random) % 8) : 0;
    }
    for (uint32_t n = 0; n < count; n++) {
        boxes.end[n] = count;
    }
    return boxes;
}

enum { SWEEP_MOST = 300 };

/* All hits of a sweep that pauses whenever `capacity` is full. */
static uint64_t sweep_all(const carom_simd *simd, const carom_boxes *boxes, uint32_t capacity, guarded_pool *pool,
                          uint64_t *hits) {
    uint32_t *slot_i = guarded_array(pool, capacity, sizeof(uint32_t), 0);
    uint32_t *slot_k = guarded_array(pool, capacity, sizeof(uint32_t), 0);
    carom_sweep_cursor cursor = {0, 1, boxes->count};
    uint64_t total = 0;
    while (cursor.i < boxes->count) {
        uint32_t found = simd->sweep(boxes, &cursor, slot_i, slot_k, capacity);
        for (uint32_t n = 0; n < found; n++) {
            hits[total++] = (uint64_t)slot_i[n] << 32 | slot_k[n];
        }
    }
    return total;
}

static uint64_t naive_sweep(const carom_boxes *b, uint64_t *hits) {
    uint64_t total = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        for (uint32_t k = i + 1; k < b->count; k++) {
            bool hit = (b->earlier[i] & b->earlier[k]) == 0;
            for (int a = 0; a < 3; a++) {
                hit = hit && b->lo[a][i] <= b->hi[a][k] && b->hi[a][i] >= b->lo[a][k];
            }
            if (hit) {
                hits[total++] = (uint64_t)b->slot[i] << 32 | b->slot[k];
            }
        }
    }
    return total;
}

static void sweep_case(const carom_simd *simd, const carom_simd *twin, carom_random *random, uint32_t count) {
    static const uint32_t capacities[] = {CAROM_SIMD_PAD + 1, CAROM_SIMD_PAD + 2, 31, 100, 2048};
    static uint64_t hits[3][SWEEP_MOST * SWEEP_MOST];
    count = count < SWEEP_MOST ? count : SWEEP_MOST;
    for (size_t c = 0; c < sizeof capacities / sizeof capacities[0]; c++) {
        guarded_pool pool = {.count = 0};
        carom_boxes boxes = random_boxes(&pool, random, count);
        uint64_t found = sweep_all(simd, &boxes, capacities[c], &pool, hits[0]);
        uint64_t twins = sweep_all(twin, &boxes, capacities[c], &pool, hits[1]);
        uint64_t truth = naive_sweep(&boxes, hits[2]);
        note_check(found == truth && twins == truth, "%d pairs, the twin %d, in truth %d", (int)found, (int)twins,
                   (int)truth);
        note_check(memcmp(hits[0], hits[2], truth * sizeof(uint64_t)) == 0, "pairs differ");
        note_check(memcmp(hits[1], hits[2], truth * sizeof(uint64_t)) == 0, "the twin's pairs differ");
        note_check(guarded_intact(&pool), "a canary is dead");
        guarded_release(&pool);
    }
}

static void check_sweep(void **state) {
    (void)state;
    guarded_over_all("sweep", sweep_case);
}

/* Whether a child is ended by reading `step` bytes from an array's first byte. */
static bool is_fatal(guarded_placement placement, uint64_t count, ptrdiff_t step) {
    guarded_pool pool = {.count = 0};
    guarded_place(placement);
    const volatile unsigned char *array = guarded_array(&pool, count, 1, 0);
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL);
        (void)array[step];
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    guarded_release(&pool);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV;
}

/* The guards themselves: the bytes just before and just behind are out of bounds, the first and the last are not. */
static void check_guards(void **state) {
    (void)state;
    for (uint64_t count = 1; count < 5000; count += 311) {
        const ptrdiff_t last = (ptrdiff_t)count - 1;
        assert_true(is_fatal(GUARDED_AT_START, count, -1));
        assert_true(is_fatal(GUARDED_AT_END, count, last + 1));
        assert_false(is_fatal(GUARDED_AT_START, count, 0));
        assert_false(is_fatal(GUARDED_AT_END, count, last));
    }
    guarded_pool pool = {.count = 0};
    for (guarded_placement p = GUARDED_AT_END; p < GUARDED_PLACEMENTS; p++) {
        guarded_place(p);
        unsigned char *array = guarded_array(&pool, 100, 1, 3);
        assert_true(guarded_intact(&pool));
        array[p == GUARDED_AT_END ? -1 : 100] = 0;
        assert_false(guarded_intact(&pool));
        guarded_release(&pool);
    }
}

#ifndef NDEBUG
/* Whether a child is aborted by a mask that is no row of ones. */
static bool aborts(carom_digit_histogram_u32_fn *digit_histogram) {
    const uint32_t keys[1] = {5};
    uint32_t counts[CAROM_DIGITS_MAX];
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        if (freopen("/dev/null", "w", stderr) != NULL) {
            digit_histogram(keys, 1, 0, 2, counts);
        }
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}
#endif

/* Kernels and twins check their arguments in builds with assertions. */
static void check_assertions(void **state) {
    (void)state;
#ifdef NDEBUG
    skip();
#else
    enum { TABLES_MOST = 8 };
    const carom_simd *tables[TABLES_MOST];
    const size_t count = carom_simd_available(tables, TABLES_MOST);
    for (size_t t = 0; t < count; t++) {
        assert_true(aborts(tables[t]->digit_histogram_u32));
    }
#endif
}

int main(int argc, char **argv) {
    (void)argc;
    note_start(argv[0]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_guards), cmocka_unit_test(check_assertions), cmocka_unit_test(check_bin_keys),
        cmocka_unit_test(check_digits), cmocka_unit_test(check_sweep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
