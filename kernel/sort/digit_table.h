/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Digit counts of a radix sort, one table for each worker, and their prefix sum. */
#ifndef CAROM_SORT_DIGIT_TABLE_H
#define CAROM_SORT_DIGIT_TABLE_H

#include <stdbool.h>
#include <stdint.h>

/* Bits of a digit at most, and the number of digits that makes. */
enum { CAROM_DIGIT_BITS_MAX = 8, CAROM_DIGITS = 1 << CAROM_DIGIT_BITS_MAX };

/* How many keys of each digit a worker has. After carom_digit_table_place: where its next key of that digit goes. */
typedef struct carom_digit_table {
    uint64_t at[CAROM_DIGITS];
} carom_digit_table;

/* Turns the counts of digits 0 to digits - 1 into positions by one exclusive prefix sum over (digit, worker). This
 * order makes the sort stable and the same for any number of workers. Returns false if all `count` keys have the same
 * digit: then nothing has to move, and the tables mean nothing. */
bool carom_digit_table_place(carom_digit_table *tables, uint32_t workers, uint32_t digits, uint64_t count);

/* Bits of one digit for keys of `bits` bits, >= 1: the fewest passes that are possible share the bits evenly. */
uint32_t carom_digit_table_bits(uint32_t bits);

#endif
