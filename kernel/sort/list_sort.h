/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Orders one row of a compressed list in place: short rows by insertion, long ones by exchange from the highest bit
 * down (radix exchange, Hildebrandt and Isbitz 1959). At most key_bits passes over any key, whatever the keys are, and
 * no memory; one pass if the row is in order. */
#ifndef CAROM_SORT_LIST_SORT_H
#define CAROM_SORT_LIST_SORT_H

#include <stdint.h>

/* Ascending by key; value[n] goes with key[n]. Keys are below 2^key_bits, 1 to 32. Equal keys are in order of value. */
void carom_list_sort(uint32_t *key, uint64_t *value, uint64_t count, uint32_t key_bits);

/* Bits of the numbers below `count` (1 to 2^32); at least 1. */
uint32_t carom_list_sort_bits(uint64_t count);

#endif
