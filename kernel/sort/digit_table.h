/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Digit counts of a radix sort, one table a worker. */
#ifndef CAROM_SORT_DIGIT_TABLE_H
#define CAROM_SORT_DIGIT_TABLE_H

#include <stdbool.h>
#include <stdint.h>

enum { CAROM_DIGIT_BITS_MAX = 8, CAROM_DIGITS = 1 << CAROM_DIGIT_BITS_MAX };

/* How many keys of each digit a worker has; after carom_digit_table_place, where the next of them goes. */
typedef struct carom_digit_table {
    uint64_t at[CAROM_DIGITS];
} carom_digit_table;

/* Turns counts into places by one exclusive prefix sum over (digit, worker), which makes the sort stable and the same
 * for any number of workers. Returns false if all `count` keys have the same digit: nothing moves. */
bool carom_digit_table_place(carom_digit_table *tables, uint32_t workers, uint32_t digits, uint64_t count);

/* Bits of one digit when the passes over `bits` bits share them evenly. */
uint32_t carom_digit_table_bits(uint32_t bits);

#endif
