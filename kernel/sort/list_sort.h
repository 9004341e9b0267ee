/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Sorts one short list in place, such as the neighbours of one body.
 *
 * A list of up to 16 different keys is sorted by counting the lesser keys of each, without a branch; another short list
 * by insertion; a long one by exchange from the highest bit down (radix exchange, Hildebrandt and Isbitz 1959). This
 * needs no memory, and at most key_bits passes over any key, whatever the keys are; where many are equal, at most 128
 * more for their values. A list that is in order takes one pass. */
#ifndef CAROM_SORT_LIST_SORT_H
#define CAROM_SORT_LIST_SORT_H

#include <stdint.h>

/* Lists up to this long are sorted without branches, if no keys are equal. */
enum { CAROM_LIST_SORT_FEW = 16 };

/* Sorts by key, equal keys by value; value[n] goes with key[n]. Keys are below 2^key_bits, 1 to 32. */
void carom_list_sort(uint32_t *key, uint64_t *value, uint64_t count, uint32_t key_bits);

/* Sorts entries by their upper 32 bits, of which all but the lowest key_bits are 0; entries of one key stay in order.
 * Pays from some hundreds on. Digit by digit, the least first (Knuth 1998, section 5.2.5), into `spare` and back, each
 * of which has `count` entries: returns the one that has them at last. */
uint64_t *carom_list_sort_packed(uint64_t *entry, uint64_t *spare, uint64_t count, uint32_t key_bits);

/* Bits of the numbers below `count` (1 to 2^32); at least 1. */
uint32_t carom_list_sort_bits(uint64_t count);

#endif
