/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Memory: the account and its limit, refusals, sizes that do not fit, buffers that grow. */
#include <pthread.h>
#include <string.h>

#include "kernel/sys/memory.h"
#include "tests/support/check.h"
#include "tests/support/fault_allocator.h"

enum { MIB = 1 << 20 };

static void fill(void *block, uint64_t bytes, unsigned salt) {
    unsigned char *byte = block;
    for (uint64_t n = 0; n < bytes; n++) {
        byte[n] = (unsigned char)(n * 7 + salt);
    }
}

static int holds(const void *block, uint64_t bytes, unsigned salt) {
    const unsigned char *byte = block;
    for (uint64_t n = 0; n < bytes; n++) {
        if (byte[n] != (unsigned char)(n * 7 + salt)) {
            return 0;
        }
    }
    return 1;
}

static void test_every_size_is_usable(void **state) {
    (void)state;
    const uint64_t sizes[] = {1, 63, 64, 65, 4095, 4097, 4 * MIB - 1, 4 * MIB, 4 * MIB + 1, 6 * MIB, 9 * MIB + 17};
    enum { SIZES = sizeof sizes / sizeof sizes[0] };
    carom_memory memory;
    carom_memory_init(&memory, NULL, 0);
    void *block[SIZES];
    uint64_t total = 0;
    for (unsigned n = 0; n < SIZES; n++) {
        block[n] = carom_memory_allocate(&memory, sizes[n]);
        assert_non_null(block[n]);
        assert_int_equal((uintptr_t)block[n] % CAROM_CACHE_LINE, 0);
        fill(block[n], sizes[n], n);
        total += sizes[n];
        assert_int_equal(memory.held, total);
    }
    for (unsigned n = 0; n < SIZES; n++) {
        assert_true(holds(block[n], sizes[n], n));
        carom_memory_release(&memory, block[n], sizes[n]);
    }
    assert_int_equal(memory.held, 0);
}

/* An allocator may be asked for any power of two, by users other than carom_memory too. */
static void test_system_allocator_keeps_alignment(void **state) {
    (void)state;
    const carom_allocator system = carom_memory_system_allocator();
    for (size_t alignment = 16; alignment <= 8 * MIB; alignment *= 2) {
        for (size_t bytes = 100; bytes <= 5 * MIB; bytes += 5 * MIB - 100) {
            void *block = system.allocate(system.user, bytes, alignment);
            assert_non_null(block);
            assert_int_equal((uintptr_t)block % alignment, 0);
            memset(block, 1, bytes);
            system.release(system.user, block, bytes);
        }
    }
}

static void test_nothing_and_too_much_are_refused(void **state) {
    (void)state;
    const uint64_t sizes[] = {
        0, UINT64_MAX, UINT64_MAX - 63, UINT64_MAX / 2 + 1, (uint64_t)PTRDIFF_MAX, (uint64_t)PTRDIFF_MAX - 4096};
    carom_memory memory;
    carom_memory_init(&memory, NULL, 0);
    for (unsigned n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
        assert_null(carom_memory_allocate(&memory, sizes[n]));
        assert_int_equal(memory.held, 0);
    }
    const carom_allocator system = carom_memory_system_allocator();
    assert_null(system.allocate(system.user, SIZE_MAX, 64));
    assert_null(system.allocate(system.user, SIZE_MAX - 4096, 64));
    carom_memory_release(&memory, NULL, 100);
    assert_int_equal(memory.held, 0);
}

static void test_limit_is_exact(void **state) {
    (void)state;
    fault_allocator counts;
    fault_allocator_init(&counts);
    const carom_allocator allocator = fault_allocator_get(&counts);
    carom_memory memory;
    carom_memory_init(&memory, &allocator, 1000);
    void *first = carom_memory_allocate(&memory, 600);
    assert_non_null(first);
    assert_null(carom_memory_allocate(&memory, 401));
    assert_null(carom_memory_allocate(&memory, UINT64_MAX - 500));
    assert_int_equal(counts.requests, 1); /* what the limit forbids is not even asked for */
    void *second = carom_memory_allocate(&memory, 400);
    assert_non_null(second);
    assert_null(carom_memory_allocate(&memory, 1));
    carom_memory_release(&memory, first, 600);
    assert_int_equal(memory.held, 400);
    carom_memory_release(&memory, second, 400);
    assert_int_equal(counts.live_blocks, 0);
    assert_int_equal(counts.damages, 0);
}

/* Guards that a caller is told which limit is too low, and how much is held. */
static void test_error_names_the_limit(void **state) {
    (void)state;
    carom_memory memory;
    carom_error error = {.message = ""};
    carom_memory_init(&memory, NULL, 0);
    assert_int_equal(carom_memory_error(&memory, &error, "%d bodies", 7), CAROM_ERROR_MEMORY);
    assert_string_equal(error.message, "no memory for 7 bodies: 0 bytes are held");
    carom_memory_init(&memory, NULL, 1000);
    void *block = carom_memory_allocate(&memory, 640);
    assert_int_equal(carom_memory_error(&memory, &error, "the impacts of a step"), CAROM_ERROR_MEMORY);
    assert_string_equal(error.message,
                        "no memory for the impacts of a step: memory_limit is 1000 bytes, of which 640 are held");
    carom_memory_release(&memory, block, 640);
    assert_int_equal(carom_memory_error(&memory, NULL, "nobody who asks"), CAROM_ERROR_MEMORY);
}

static void test_refusal_gives_the_account_back(void **state) {
    (void)state;
    fault_allocator counts;
    fault_allocator_init(&counts);
    const carom_allocator allocator = fault_allocator_get(&counts);
    carom_memory memory;
    carom_memory_init(&memory, &allocator, 1000);
    fault_allocator_fail(&counts, 1, false);
    assert_null(carom_memory_allocate(&memory, 900));
    assert_int_equal(memory.held, 0);
    void *block = carom_memory_allocate(&memory, 900);
    assert_non_null(block);
    carom_memory_release(&memory, block, 900);
}

static void test_half_an_allocator_means_the_system(void **state) {
    (void)state;
    const carom_allocator none = {.user = NULL, .allocate = NULL, .release = NULL};
    carom_memory memory;
    carom_memory_init(&memory, &none, 0);
    void *block = carom_memory_allocate(&memory, 10);
    assert_non_null(block);
    carom_memory_release(&memory, block, 10);
}

static void test_reserve(void **state) {
    (void)state;
    fault_allocator counts;
    fault_allocator_init(&counts);
    const carom_allocator allocator = fault_allocator_get(&counts);
    carom_memory memory;
    carom_memory_init(&memory, &allocator, 0);
    carom_buffer buffer = {NULL, 0};
    assert_int_equal(carom_buffer_reserve(&memory, &buffer, 0), CAROM_OK);
    assert_null(buffer.data);
    assert_int_equal(carom_buffer_reserve(&memory, &buffer, 5000), CAROM_OK);
    assert_int_equal(carom_buffer_reserve(&memory, &buffer, 100), CAROM_OK);
    assert_int_equal(carom_buffer_reserve(&memory, &buffer, 5000), CAROM_OK);
    assert_int_equal(counts.requests, 1);
    assert_int_equal(carom_buffer_reserve(&memory, &buffer, 6000), CAROM_OK);
    assert_int_equal(counts.peak_bytes, 6000); /* never both blocks at once */
    fault_allocator_fail(&counts, 1, true);
    assert_int_equal(carom_buffer_reserve(&memory, &buffer, 7000), CAROM_ERROR_MEMORY);
    assert_null(buffer.data);
    assert_int_equal(buffer.bytes, 0);
    assert_int_equal(memory.held, 0);
    assert_int_equal(counts.live_blocks, 0);
}

static void test_grow_keeps_the_contents(void **state) {
    (void)state;
    carom_memory memory;
    carom_memory_init(&memory, NULL, 0);
    carom_buffer buffer = {NULL, 0};
    uint64_t kept = 0;
    for (uint64_t bytes = 1; bytes < 20 * MIB; bytes = bytes * 3 / 2 + 1) {
        assert_int_equal(carom_buffer_grow(&memory, &buffer, bytes, kept), CAROM_OK);
        assert_true(buffer.bytes >= bytes);
        assert_int_equal(memory.held, buffer.bytes);
        assert_true(holds(buffer.data, kept, 3));
        fill(buffer.data, bytes, 3);
        kept = bytes;
    }
    carom_buffer_release(&memory, &buffer);
    assert_null(buffer.data);
    assert_int_equal(memory.held, 0);
}

static void test_growth_is_amortised(void **state) {
    (void)state;
    fault_allocator counts;
    fault_allocator_init(&counts);
    const carom_allocator allocator = fault_allocator_get(&counts);
    carom_memory memory;
    carom_memory_init(&memory, &allocator, 0);
    carom_buffer buffer = {NULL, 0};
    for (uint64_t bytes = 1; bytes <= 100000; bytes++) {
        assert_int_equal(carom_buffer_grow(&memory, &buffer, bytes, bytes - 1), CAROM_OK);
        ((char *)buffer.data)[bytes - 1] = 'x';
    }
    assert_true(counts.requests < 40); /* log(1e5) / log(1.5) is 28.4 */
    carom_buffer_release(&memory, &buffer);
    assert_int_equal(counts.damages, 0);
}

/* A grown block that does not fit leaves the old one as it was; exactly enough is tried when half as much again is
 * too much. */
static void test_grow_near_the_limit(void **state) {
    (void)state;
    carom_memory memory;
    carom_memory_init(&memory, NULL, 2100);
    carom_buffer buffer = {NULL, 0};
    assert_int_equal(carom_buffer_grow(&memory, &buffer, 1000, 0), CAROM_OK);
    fill(buffer.data, 1000, 9);
    assert_int_equal(carom_buffer_grow(&memory, &buffer, 1200, 1000), CAROM_ERROR_MEMORY);
    assert_int_equal(buffer.bytes, 1000);
    assert_true(holds(buffer.data, 1000, 9));
    assert_int_equal(carom_buffer_grow(&memory, &buffer, 1100, 1000), CAROM_OK);
    assert_int_equal(buffer.bytes, 1100);
    assert_true(holds(buffer.data, 1000, 9));
    assert_int_equal(memory.held, 1100);
    carom_buffer_release(&memory, &buffer);
}

/* Numbers around every place where sizes are rounded, compared and added. */
static uint64_t edge_number(uint32_t n) {
    static const uint64_t around[] = {0,
                                      64,
                                      4096,
                                      UINT64_C(2) << 20,
                                      UINT64_C(4) << 20,
                                      UINT64_C(1) << 31,
                                      UINT64_C(1) << 32,
                                      UINT64_C(1) << 62,
                                      (uint64_t)PTRDIFF_MAX,
                                      UINT64_MAX - (UINT64_C(4) << 20),
                                      UINT64_MAX - 4096,
                                      UINT64_MAX};
    enum { PLACES = sizeof around / sizeof around[0], STEPS = 5 };
    return n < PLACES * STEPS ? around[n / STEPS] + n % STEPS - STEPS / 2 : 0;
}

enum { EDGE_NUMBERS = 60 };

/* Against 128-bit arithmetic. */
static void test_sizes_near_the_largest(void **state) {
    (void)state;
    for (uint32_t n = 0; n < EDGE_NUMBERS * EDGE_NUMBERS; n++) {
        const uint64_t a = edge_number(n / EDGE_NUMBERS);
        const uint64_t b = edge_number(n % EDGE_NUMBERS);
        __extension__ const unsigned __int128 sum = (unsigned __int128)a + b;
        __extension__ const unsigned __int128 product = (unsigned __int128)a * b;
        assert_true(carom_size_add(a, b) == (sum > UINT64_MAX ? UINT64_MAX : (uint64_t)sum));
        assert_true(carom_size_multiply(a, b) == (product > UINT64_MAX ? UINT64_MAX : (uint64_t)product));
    }
}

/* Sizes that cannot be had are refused by every alignment's rounding, whatever is on the account; none wraps round to a
 * small block. Small ones of the numbers are left out: they are granted. */
static void test_no_size_wraps_round(void **state) {
    (void)state;
    const carom_allocator system = carom_memory_system_allocator();
    for (uint32_t n = 0; n < EDGE_NUMBERS; n++) {
        const uint64_t bytes = edge_number(n);
        if (bytes < UINT64_C(1) << 61) {
            continue;
        }
        for (size_t alignment = 16; alignment <= 8 * MIB; alignment *= 2) {
            assert_null(system.allocate(system.user, (size_t)bytes, alignment));
        }
        for (uint64_t limit = 0; limit < 3; limit++) {
            carom_memory memory;
            carom_buffer buffer = {NULL, 0};
            carom_memory_init(&memory, NULL, limit == 2 ? UINT64_MAX : limit * 100);
            void *held = carom_memory_allocate(&memory, 50);
            assert_null(carom_memory_allocate(&memory, bytes));
            assert_int_equal(carom_buffer_grow(&memory, &buffer, bytes, 0), CAROM_ERROR_MEMORY);
            assert_int_equal(carom_buffer_reserve(&memory, &buffer, bytes), CAROM_ERROR_MEMORY);
            assert_int_equal(memory.held, 50);
            carom_memory_release(&memory, held, 50);
        }
    }
}

static void test_sizes_saturate(void **state) {
    (void)state;
    assert_true(carom_size_add(2, 3) == 5);
    assert_true(carom_size_add(UINT64_MAX - 1, 1) == UINT64_MAX);
    assert_true(carom_size_add(UINT64_MAX, 1) == UINT64_MAX);
    assert_true(carom_size_multiply(6, 7) == 42);
    assert_true(carom_size_multiply(0, UINT64_MAX) == 0);
    assert_true(carom_size_multiply(UINT64_MAX, 0) == 0);
    assert_true(carom_size_multiply(UINT64_C(1) << 32, UINT64_C(1) << 32) == UINT64_MAX);
    assert_true(carom_size_multiply(UINT64_MAX / 3, 3) == UINT64_MAX / 3 * 3);
}

enum { THREADS = 4, ROUNDS = 20000, BLOCK = 100 };

typedef struct contender {
    carom_memory *memory;
    uint64_t granted;
    uint64_t most; /* largest account seen */
} contender;

static void *contend(void *data) {
    contender *c = data;
    for (int round = 0; round < ROUNDS; round++) {
        void *block = carom_memory_allocate(c->memory, BLOCK);
        const uint64_t held = c->memory->held;
        c->most = held > c->most ? held : c->most;
        if (block != NULL) {
            c->granted++;
            carom_memory_release(c->memory, block, BLOCK);
        }
    }
    return NULL;
}

/* Threads that allocate at once cannot pass the limit together. */
static void test_limit_holds_between_threads(void **state) {
    (void)state;
    carom_memory memory;
    carom_memory_init(&memory, NULL, 2 * BLOCK);
    contender contenders[THREADS] = {{NULL, 0, 0}};
    pthread_t thread[THREADS];
    uint64_t granted = 0;
    for (int n = 0; n < THREADS; n++) {
        contenders[n].memory = &memory;
        assert_int_equal(pthread_create(&thread[n], NULL, contend, &contenders[n]), 0);
    }
    for (int n = 0; n < THREADS; n++) {
        assert_int_equal(pthread_join(thread[n], NULL), 0);
    }
    for (int n = 0; n < THREADS; n++) {
        granted += contenders[n].granted;
        assert_true(contenders[n].most <= 2 * BLOCK);
    }
    assert_true(granted > 0);
    assert_int_equal(memory.held, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_size_is_usable),
        cmocka_unit_test(test_system_allocator_keeps_alignment),
        cmocka_unit_test(test_nothing_and_too_much_are_refused),
        cmocka_unit_test(test_limit_is_exact),
        cmocka_unit_test(test_error_names_the_limit),
        cmocka_unit_test(test_refusal_gives_the_account_back),
        cmocka_unit_test(test_half_an_allocator_means_the_system),
        cmocka_unit_test(test_reserve),
        cmocka_unit_test(test_grow_keeps_the_contents),
        cmocka_unit_test(test_growth_is_amortised),
        cmocka_unit_test(test_grow_near_the_limit),
        cmocka_unit_test(test_sizes_saturate),
        cmocka_unit_test(test_sizes_near_the_largest),
        cmocka_unit_test(test_no_size_wraps_round),
        cmocka_unit_test(test_limit_holds_between_threads),
    };
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
