/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Digits of at most 8 bits, scattered straight to their places. Measured at 1e6 and 8e6 random keys (ns a key, u32):
 * 8-bit digits 4.0 and 6.4; 11-bit digits 7.3 and 13.5 (too many open lines for L1 and the store buffer); 8-bit
 * through write-combining buffers 7.9 and 10.5, with streaming stores 7.6 and 7.9; 11-bit so 6.6 and 6.7. Only for
 * 64-bit keys well beyond the caches does streaming with wide digits come near. (Zen 5, 2026-11.) */
#include "kernel/broad/radix_sort.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum {
    DIGIT_BITS_MAX = 8,
    DIGITS = 1 << DIGIT_BITS_MAX,
    INSERTION_MAX = 64,   /* keys up to which insertion sort wins over one pass of histograms */
    SERIAL_MAX = 1 << 15, /* keys up to which two fork-joins a pass (some microseconds each) cost more than they save */
    GRAIN = 4096          /* fewest keys worth a histogram of their own */
};

/* Keys of each digit in one worker's block; after place() where the next of them goes. */
typedef struct digit_table {
    uint64_t at[DIGITS];
} digit_table;

/* One exclusive prefix sum over (digit, worker), which is what makes the sort stable and the same for any number of
 * workers. False if all keys have the same digit: nothing moves. */
static bool place(digit_table *tables, uint32_t workers, uint32_t digits, uint64_t count) {
    uint64_t next = 0;
    for (uint32_t digit = 0; digit < digits; digit++) {
        const uint64_t first = next;
        for (uint32_t worker = 0; worker < workers; worker++) {
            const uint64_t here = tables[worker].at[digit];
            tables[worker].at[digit] = next;
            next += here;
        }
        if (next - first == count) {
            return false;
        }
    }
    return true;
}

/* Passes over `bits` bits, and the bits of each when they share evenly. */
static uint32_t pass_count(uint32_t bits) {
    return (bits + DIGIT_BITS_MAX - 1) / DIGIT_BITS_MAX;
}

static uint32_t digit_bits(uint32_t bits) {
    const uint32_t passes = pass_count(bits);
    return (bits + passes - 1) / passes;
}

uint64_t carom_radix_sort_bytes(const carom_team *team) {
    return carom_size_multiply(team->workers, sizeof(digit_table));
}

static carom_status reserve_tables(carom_radix_sort *sort, carom_memory *memory, uint32_t workers) {
    return carom_buffer_reserve(memory, &sort->histogram, carom_size_multiply(workers, sizeof(digit_table)));
}

/* The sort itself, once for each width of key. */
typedef uint32_t key_u32;
#define CAROM_SORT(name) name##_u32
#include "kernel/broad/radix_sort_tmpl.c"
#undef CAROM_SORT

typedef uint64_t key_u64;
#define CAROM_SORT(name) name##_u64
#include "kernel/broad/radix_sort_tmpl.c"
#undef CAROM_SORT

void carom_radix_sort_release(carom_radix_sort *sort, carom_memory *memory) {
    carom_buffer_release(memory, &sort->histogram);
}
