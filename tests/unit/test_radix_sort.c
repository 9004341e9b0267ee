/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The radix sort against a plain stable merge sort: every width of key, sizes around every threshold, many equal keys,
 * any number of workers, every instruction set. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/scene/random.h"
#include "kernel/sort/radix_sort.h"
#include "tests/support/check.h"
#include "tests/support/fault_allocator.h"
#include "tests/support/note.h"

enum { GUARD = 16, GUARD_WORD = 0x5EED5EED };

/* One array of each role, guarded; keys are held in 64 bits and narrowed for the 32-bit sort. */
typedef struct arrays {
    uint64_t count;
    void *keys;
    void *spare_keys;
    uint32_t *payload;
    uint32_t *spare_payload;
} arrays;

static carom_memory memory;
static fault_allocator counts;

static void *guarded(uint64_t count, size_t size) {
    const uint64_t words = count * size / 4;
    uint32_t *block = malloc((words + GUARD) * 4);
    assert_non_null(block);
    for (uint64_t n = 0; n < words + GUARD; n++) {
        block[n] = GUARD_WORD;
    }
    return block;
}

static bool guard_holds(const void *block, uint64_t count, size_t size) {
    const uint32_t *guard = (const uint32_t *)block + count * size / 4;
    for (int n = 0; n < GUARD; n++) {
        if (guard[n] != GUARD_WORD) {
            return false;
        }
    }
    return true;
}

static arrays make_arrays(uint64_t count, const uint64_t *keys, size_t size) {
    arrays a = {count, guarded(count, size), guarded(count, size), guarded(count, 4), guarded(count, 4)};
    for (uint64_t n = 0; n < count; n++) {
        if (size == 4) {
            ((uint32_t *)a.keys)[n] = (uint32_t)keys[n];
        } else {
            ((uint64_t *)a.keys)[n] = keys[n];
        }
        a.payload[n] = (uint32_t)n;
    }
    return a;
}

static void release_arrays(arrays *a) {
    free(a->keys);
    free(a->spare_keys);
    free(a->payload);
    free(a->spare_payload);
}

static bool guards_hold(const arrays *a, size_t size) {
    return guard_holds(a->keys, a->count, size) && guard_holds(a->spare_keys, a->count, size) &&
           guard_holds(a->payload, a->count, 4) && guard_holds(a->spare_payload, a->count, 4);
}

/* The order a stable sort gives: order[] starts as 0, 1, 2, ... */
static void merge_sort(const uint64_t *keys, uint64_t count, uint32_t *order, uint32_t *spare) {
    if (count < 2) {
        return;
    }
    const uint64_t half = count / 2;
    merge_sort(keys, half, order, spare);
    merge_sort(keys, count - half, order + half, spare);
    memcpy(spare, order, half * sizeof *order);
    uint64_t left = 0;
    uint64_t right = half;
    for (uint64_t to = 0; left < half; to++) {
        const bool take_right = right < count && keys[order[right]] < keys[spare[left]];
        order[to] = take_right ? order[right++] : spare[left++];
    }
}

static uint32_t *stable_order(const uint64_t *keys, uint64_t count) {
    uint32_t *order = malloc((count + 1) * sizeof *order);
    uint32_t *spare = malloc((count + 1) * sizeof *spare);
    assert_true(order != NULL && spare != NULL);
    for (uint64_t n = 0; n < count; n++) {
        order[n] = (uint32_t)n;
    }
    merge_sort(keys, count, order, spare);
    free(spare);
    return order;
}

static uint64_t key_at(const arrays *a, size_t size, uint64_t n) {
    return size == 4 ? ((const uint32_t *)a->keys)[n] : ((const uint64_t *)a->keys)[n];
}

static carom_status sort_arrays(carom_radix_sort *sort, const carom_team *team, const carom_simd *simd, size_t size,
                                uint32_t key_bits, arrays *a) {
    if (size == 4) {
        return carom_radix_sort_u32(sort, team, &memory, simd, a->count, key_bits, a->keys, a->payload, a->spare_keys,
                                    a->spare_payload);
    }
    return carom_radix_sort_u64(sort, team, &memory, simd, a->count, key_bits, a->keys, a->payload, a->spare_keys,
                                a->spare_payload);
}

static void check_sort(const uint64_t *keys, uint64_t count, const uint32_t *order, uint32_t key_bits, size_t size,
                       uint32_t workers, const carom_simd *simd) {
    carom_radix_sort sort = {{NULL, 0}};
    carom_team team;
    carom_team_init(&team, workers, NULL);
    arrays a = make_arrays(count, keys, size);
    const carom_status status = sort_arrays(&sort, &team, simd, size, key_bits, &a);
    note_check(status == CAROM_OK, "status %d", (int)status);
    for (uint64_t n = 0; n < count; n++) {
        note_check(a.payload[n] == order[n] && key_at(&a, size, n) == keys[order[n]],
                   "u%zu, %u bits, %u workers, %s: wrong at %" PRIu64, 8 * size, key_bits, workers, simd->name, n);
    }
    note_check(guards_hold(&a, size), "wrote past the end");
    release_arrays(&a);
    carom_radix_sort_release(&sort, &memory);
}

/* Keys of so many bits; of `distinct` values only, if that is not 0. */
static uint64_t *random_keys(carom_random *random, uint64_t count, uint32_t key_bits, uint64_t distinct) {
    const uint64_t mask = key_bits == 64 ? UINT64_MAX : (UINT64_C(1) << key_bits) - 1;
    uint64_t *keys = malloc((count + 1) * sizeof *keys);
    assert_non_null(keys);
    for (uint64_t n = 0; n < count; n++) {
        const uint64_t draw = carom_random_next(random);
        keys[n] = (distinct == 0 ? draw : (draw >> 32) % distinct * UINT64_C(0x9E3779B97F4A7C15)) & mask;
    }
    return keys;
}

static void check_widths(const uint64_t *keys, uint64_t count, uint32_t key_bits, uint32_t workers,
                         const carom_simd *simd) {
    uint32_t *order = stable_order(keys, count);
    if (key_bits <= 32) {
        check_sort(keys, count, order, key_bits, 4, workers, simd);
    }
    check_sort(keys, count, order, key_bits, 8, workers, simd);
    free(order);
}

static bool skips(uint64_t number) {
    return note_only_case() != UINT64_MAX && note_only_case() != number;
}

static void random_case(uint64_t number, uint64_t count, uint32_t key_bits, uint64_t distinct, uint32_t workers) {
    if (skips(number)) {
        return;
    }
    note_case(number, "%" PRIu64 " keys of %u bits, %" PRIu64 " distinct", count, key_bits, distinct);
    carom_random random = carom_random_seeded(note_case_seed(number));
    uint64_t *keys = random_keys(&random, count, key_bits, distinct);
    check_widths(keys, count, key_bits, workers, carom_simd_best());
    free(keys);
}

static const uint32_t worker_counts[] = {1, 2, 3, 8};

static void test_all_small_sizes(void **state) {
    (void)state;
    for (uint64_t count = 0; count <= 300; count++) {
        random_case(count, count, 1 + (uint32_t)(count * 7 % 64), count % 3 == 0 ? 5 : 0, worker_counts[count % 4]);
    }
}

static void test_all_key_widths(void **state) {
    (void)state;
    for (uint32_t bits = 1; bits <= 64; bits++) {
        random_case(1000 + bits, 3000, bits, 0, 1);
        random_case(1100 + bits, 36000 + bits, bits, bits % 2 == 0 ? 0 : 100, worker_counts[bits % 4]);
    }
}

static void test_sizes_around_the_thresholds(void **state) {
    (void)state;
    const uint64_t sizes[] = {32767, 32768, 32769, 36863, 36864, 36865, 65536, 100003, 1000003};
    uint64_t number = 2000;
    for (unsigned n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
        for (unsigned w = 0; w < 4; w++) {
            random_case(number++, sizes[n], 32, 0, worker_counts[w]);
            random_case(number++, sizes[n], 40, 3, worker_counts[w]);
        }
    }
}

/* Passes whose digit is the same for all keys are skipped: none, some, all, and the first or the last of them. */
static void test_constant_digits(void **state) {
    (void)state;
    const uint64_t masks[] = {
        0, 0xFF, 0xFF00, 0xFF0000FF, 0xF0F0F0F0, UINT64_C(0xFF00000000000000), UINT64_C(0x00FF00FF00FF00FF)};
    enum { COUNT = 40000 };
    for (unsigned m = 0; m < sizeof masks / sizeof masks[0]; m++) {
        if (skips(3000 + m)) {
            continue;
        }
        note_case(3000 + m, "keys within mask %016" PRIx64, masks[m]);
        carom_random random = carom_random_seeded(note_case_seed(3000 + m));
        uint64_t *keys = random_keys(&random, COUNT, 64, 0);
        for (uint64_t n = 0; n < COUNT; n++) {
            keys[n] = (keys[n] & masks[m]) | (UINT64_C(0x0A0A0A0A) & ~masks[m]);
        }
        check_widths(keys, COUNT, masks[m] >> 32 != 0 ? 64 : 32, 3, carom_simd_best());
        check_widths(keys, 200, masks[m] >> 32 != 0 ? 64 : 32, 1, carom_simd_best());
        free(keys);
    }
}

/* One key unlike all others is enough to make a pass needed. */
static void test_single_outlier(void **state) {
    (void)state;
    enum { COUNT = 33000 };
    uint64_t *keys = calloc(COUNT, sizeof *keys);
    assert_non_null(keys);
    for (uint32_t bit = 0; bit < 32; bit += 3) {
        note_case(3500 + bit, "one key with bit %u", bit);
        for (uint64_t at = 0; at < COUNT; at += COUNT - 1) {
            keys[at] = UINT64_C(1) << bit;
            check_widths(keys, COUNT, 32, 2, carom_simd_best());
            check_widths(keys, 100, 32, 1, carom_simd_best());
            keys[at] = 0;
        }
    }
    free(keys);
}

static void test_ordered_inputs(void **state) {
    (void)state;
    enum { COUNT = 50000 };
    uint64_t *keys = malloc(COUNT * sizeof *keys);
    assert_non_null(keys);
    for (int reversed = 0; reversed < 2; reversed++) {
        note_case(4000 + (uint64_t)reversed, "ordered keys");
        for (uint64_t n = 0; n < COUNT; n++) {
            keys[n] = reversed ? COUNT - n : n / 3;
        }
        check_widths(keys, COUNT, 16, 2, carom_simd_best());
        check_widths(keys, 60, 16, 2, carom_simd_best());
    }
    free(keys);
}

static void test_every_instruction_set(void **state) {
    (void)state;
    const carom_simd *tables[8];
    const size_t available = carom_simd_available(tables, 8);
    for (size_t t = 0; t < available; t++) {
        note_case(5000 + t, "instruction set %s", tables[t]->name);
        carom_random random = carom_random_seeded(note_case_seed(5000));
        uint64_t *keys = random_keys(&random, 70001, 32, 0);
        check_widths(keys, 70001, 32, 2, tables[t]);
        free(keys);
    }
}

static void test_no_memory_leaves_the_input(void **state) {
    (void)state;
    note_case(6000, "failing allocator");
    carom_random random = carom_random_seeded(note_case_seed(6000));
    for (uint64_t count = 300; count <= 60000; count += 59700) {
        uint64_t *keys = random_keys(&random, count, 30, 0);
        arrays a = make_arrays(count, keys, 4);
        carom_radix_sort sort = {{NULL, 0}};
        const carom_team team = {.workers = 2};
        fault_allocator_fail(&counts, 1, false);
        assert_int_equal(sort_arrays(&sort, &team, carom_simd_best(), 4, 30, &a), CAROM_ERROR_MEMORY);
        for (uint64_t n = 0; n < count; n++) {
            assert_true(a.payload[n] == n && key_at(&a, 4, n) == keys[n]);
        }
        assert_int_equal(sort_arrays(&sort, &team, carom_simd_best(), 4, 30, &a), CAROM_OK);
        carom_radix_sort_release(&sort, &memory);
        release_arrays(&a);
        free(keys);
    }
}

static void test_second_sort_allocates_nothing(void **state) {
    (void)state;
    note_case(7000, "twice");
    carom_random random = carom_random_seeded(note_case_seed(7000));
    uint64_t *keys = random_keys(&random, 50000, 32, 0);
    carom_radix_sort sort = {{NULL, 0}};
    const carom_team team = {.workers = 3};
    uint64_t requests = 0;
    for (int round = 0; round < 2; round++) {
        arrays a = make_arrays(50000, keys, 4);
        requests = counts.requests;
        assert_int_equal(sort_arrays(&sort, &team, carom_simd_best(), 4, 32, &a), CAROM_OK);
        release_arrays(&a);
    }
    assert_int_equal(counts.requests, requests);
    carom_radix_sort_release(&sort, &memory);
    free(keys);
}

static int check_allocator(void **state) {
    (void)state;
    return counts.live_blocks == 0 && counts.damages == 0 ? 0 : 1;
}

int main(int argc, char **argv) {
    (void)argc;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_small_sizes),
        cmocka_unit_test(test_all_key_widths),
        cmocka_unit_test(test_sizes_around_the_thresholds),
        cmocka_unit_test(test_constant_digits),
        cmocka_unit_test(test_single_outlier),
        cmocka_unit_test(test_ordered_inputs),
        cmocka_unit_test(test_every_instruction_set),
        cmocka_unit_test(test_no_memory_leaves_the_input),
        cmocka_unit_test(test_second_sort_allocates_nothing),
    };
    note_start(argv[0]);
    fault_allocator_init(&counts);
    const carom_allocator allocator = fault_allocator_get(&counts);
    carom_memory_init(&memory, &allocator, 0);
    return cmocka_run_group_tests_name("radix_sort", tests, NULL, check_allocator);
}
