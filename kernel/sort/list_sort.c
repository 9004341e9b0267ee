/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/sort/list_sort.h"

#include <stdbool.h>

#include "kernel/check/assert.h"
#include "kernel/sort/check.h"

/* Lists up to this long are sorted by insertion. */
enum { SHORT_LIST = 24 };

/* Entry b belongs before entry a. */
static bool follows(uint32_t key_a, uint64_t value_a, uint32_t key_b, uint64_t value_b) {
    return key_a > key_b || (key_a == key_b && value_a > value_b);
}

static bool is_ascending(const uint32_t *key, const uint64_t *value, uint64_t count) {
    for (uint64_t n = 1; n < count; n++) {
        if (follows(key[n - 1], value[n - 1], key[n], value[n])) {
            return false;
        }
    }
    return true;
}

static void insert_all(uint32_t *key, uint64_t *value, uint64_t count) {
    for (uint64_t n = 1; n < count; n++) {
        uint32_t k = key[n];
        uint64_t v = value[n];
        uint64_t at = n;
        for (; at > 0 && follows(key[at - 1], value[at - 1], k, v); at--) {
            key[at] = key[at - 1];
            value[at] = value[at - 1];
        }
        key[at] = k;
        value[at] = v;
    }
}

/* Moves keys without the bit before those with it; returns how many there are. No branch: bits cannot be predicted. */
static uint64_t split(uint32_t *key, uint64_t *value, uint64_t count, uint32_t bit) {
    uint64_t without = 0;
    for (uint64_t n = 0; n < count; n++) {
        uint32_t k = key[n];
        uint64_t v = value[n];
        key[n] = key[without];
        value[n] = value[without];
        key[without] = k;
        value[without] = v;
        without += (~k >> bit) & 1;
    }
    return without;
}

/* The bits in which values differ. */
static uint64_t differing(const uint64_t *value, uint64_t count) {
    uint64_t bits = 0;
    for (uint64_t n = 1; n < count; n++) {
        bits |= value[n] ^ value[0];
    }
    return bits;
}

/* Sorts the values of equal keys, such as the many images of one body. Calls itself at most 64 deep. */
static void exchange_values(uint32_t *key, uint64_t *value, uint64_t count) {
    for (uint64_t bits = differing(value, count); count > SHORT_LIST && bits != 0; bits = differing(value, count)) {
        const int bit = 63 - __builtin_clzll(bits);
        uint64_t without = 0;
        for (uint64_t n = 0; n < count; n++) {
            const uint64_t v = value[n];
            value[n] = value[without];
            value[without] = v;
            without += (~v >> bit) & 1;
        }
        exchange_values(key, value, without);
        value += without;
        count -= without;
    }
    if (count <= SHORT_LIST) {
        insert_all(key, value, count);
    }
}

/* Sorts keys that agree in all bits from `bits` up. Calls itself at most `bits` deep. Insertion finishes a short list.
 */
static void exchange(uint32_t *key, uint64_t *value, uint64_t count, uint32_t bits) {
    while (count > SHORT_LIST && bits > 0) {
        uint64_t without = split(key, value, count, --bits);
        exchange(key, value, without, bits);
        key += without;
        value += without;
        count -= without;
    }
    if (count > SHORT_LIST) {
        exchange_values(key, value, count);
    } else {
        insert_all(key, value, count);
    }
}

/* Sorts 2 to `most` entries by counting for each key how many are less: no branch depends on the keys. `most` is a
 * constant. Returns false, with nothing changed, if two keys are equal. */
static inline bool sort_few(uint32_t *key, uint64_t *value, uint64_t count, uint32_t most) {
    uint32_t k[CAROM_LIST_SORT_FEW];
    uint64_t v[CAROM_LIST_SORT_FEW];
    uint32_t place[CAROM_LIST_SORT_FEW];
    uint32_t sum = 0;
    for (uint32_t n = 0; n < most; n++) {
        k[n] = n < count ? key[n] : UINT32_MAX;
        v[n] = n < count ? value[n] : 0;
        place[n] = 0;
    }
    for (uint32_t other = 0; other < most; other++) {
        for (uint32_t n = 0; n < most; n++) {
            place[n] += k[other] < k[n];
        }
    }
    for (uint32_t n = 0; n < count; n++) {
        sum += place[n];
    }
    if (sum != count * (count - 1) / 2) {
        return false;
    }
    for (uint32_t n = 0; n < count; n++) {
        key[place[n]] = k[n];
        value[place[n]] = v[n];
    }
    return true;
}

static bool sort_short(uint32_t *key, uint64_t *value, uint64_t count) {
    return count <= 4   ? sort_few(key, value, count, 4)
           : count <= 8 ? sort_few(key, value, count, 8)
                        : sort_few(key, value, count, CAROM_LIST_SORT_FEW);
}

void carom_list_sort(uint32_t *key, uint64_t *value, uint64_t count, uint32_t key_bits) {
    CAROM_ASSERT(key_bits >= 1 && key_bits <= 32);
    CAROM_ASSERT(carom_check_key_bits(key, count, sizeof *key, key_bits));
    if (count < 2 || (count <= CAROM_LIST_SORT_FEW && sort_short(key, value, count))) {
        return;
    }
    if (!is_ascending(key, value, count)) {
        exchange(key, value, count, key_bits);
    }
}

/* Bits of a digit at most: the counts of all digits are few beside some hundreds of entries. */
enum { DIGIT_MOST = 8 };

/* Places entries by the digit of so many bits from `shift` up. */
static void place_by_digit(const uint64_t *from, uint64_t *to, uint64_t count, uint32_t shift, uint32_t bits) {
    uint64_t next[1 << DIGIT_MOST] = {0};
    const uint64_t digits = UINT64_C(1) << bits;
    for (uint64_t n = 0; n < count; n++) {
        next[(from[n] >> shift) & (digits - 1)]++;
    }
    uint64_t sum = 0;
    for (uint64_t digit = 0; digit < digits; digit++) {
        const uint64_t some = next[digit];
        next[digit] = sum;
        sum += some;
    }
    for (uint64_t n = 0; n < count; n++) {
        to[next[(from[n] >> shift) & (digits - 1)]++] = from[n];
    }
}

uint64_t *carom_list_sort_packed(uint64_t *entry, uint64_t *spare, uint64_t count, uint32_t key_bits) {
    CAROM_ASSERT(key_bits >= 1 && key_bits <= 32);
    const uint32_t passes = (key_bits + DIGIT_MOST - 1) / DIGIT_MOST;
    const uint32_t bits = (key_bits + passes - 1) / passes;
    for (uint32_t pass = 0; pass < passes; pass++) {
        place_by_digit(entry, spare, count, 32 + pass * bits, bits);
        uint64_t *sorted = spare;
        spare = entry;
        entry = sorted;
    }
    return entry;
}

uint32_t carom_list_sort_bits(uint64_t count) {
    CAROM_ASSERT(count >= 1);
    uint32_t bits = 1;
    while ((count - 1) >> bits != 0) {
        bits++;
    }
    return bits;
}
