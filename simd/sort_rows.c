/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* CAROM_LANES rows at a time: transposed, so that a vector has one entry of each, and put in order by networks over
 * whole vectors: blocks of eight entries first, then the blocks by the odd-even merge sort of Batcher (1968), whose
 * every comparison merges two of them, by his odd-even merge. Places after a row's last entry hold the greatest number,
 * and stay at the end. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/vec.h"

#define carom_sort_rows CAROM_KERNEL_OF(sort_rows)

static inline void exchange(vi *a, vi *b) {
    const vi least = vi_min_unsigned(*a, *b);
    *b = vi_max_unsigned(*a, *b);
    *a = least;
}

/* Sorts eight entries. */
static inline void sort_eight(vi *entry) {
    vi e[8];
    vi_copy(e, entry, 8);
    exchange(&e[0], &e[1]), exchange(&e[2], &e[3]), exchange(&e[4], &e[5]), exchange(&e[6], &e[7]);
    exchange(&e[0], &e[2]), exchange(&e[1], &e[3]), exchange(&e[4], &e[6]), exchange(&e[5], &e[7]);
    exchange(&e[1], &e[2]), exchange(&e[5], &e[6]);
    exchange(&e[0], &e[4]), exchange(&e[1], &e[5]), exchange(&e[2], &e[6]), exchange(&e[3], &e[7]);
    exchange(&e[2], &e[4]), exchange(&e[3], &e[5]);
    exchange(&e[1], &e[2]), exchange(&e[3], &e[4]), exchange(&e[5], &e[6]);
    vi_copy(entry, e, 8);
}

/* Of two sorted blocks of eight entries the lesser eight go to the one, sorted, and the greater to the other. */
static void merge_blocks(vi *one, vi *other) {
    vi e[16];
    vi_copy(e, one, 8);
    vi_copy(e + 8, other, 8);
    exchange(&e[0], &e[8]), exchange(&e[1], &e[9]), exchange(&e[2], &e[10]), exchange(&e[3], &e[11]);
    exchange(&e[4], &e[12]), exchange(&e[5], &e[13]), exchange(&e[6], &e[14]), exchange(&e[7], &e[15]);
    exchange(&e[4], &e[8]), exchange(&e[5], &e[9]), exchange(&e[6], &e[10]), exchange(&e[7], &e[11]);
    exchange(&e[2], &e[4]), exchange(&e[3], &e[5]), exchange(&e[6], &e[8]), exchange(&e[7], &e[9]);
    exchange(&e[10], &e[12]), exchange(&e[11], &e[13]);
    exchange(&e[1], &e[2]), exchange(&e[3], &e[4]), exchange(&e[5], &e[6]), exchange(&e[7], &e[8]);
    exchange(&e[9], &e[10]), exchange(&e[11], &e[12]), exchange(&e[13], &e[14]);
    vi_copy(one, e, 8);
    vi_copy(other, e + 8, 8);
}

/* A network that sorts numbers sorts blocks that are sorted, if a comparison merges two of them (Knuth 1973). */
static void sort_blocks(vi *entry, uint32_t blocks) {
    for (uint32_t p = 1; p < blocks; p *= 2) {
        for (uint32_t k = p; k > 0; k /= 2) {
            for (uint32_t j = k % p; j + k < blocks; j += 2 * k) {
                for (uint32_t i = j; i < j + k && i + k < blocks; i++) {
                    if ((i ^ (i + k)) < 2 * p) { /* in one block of 2p */
                        merge_blocks(entry + 8 * i, entry + 8 * (i + k));
                    }
                }
            }
        }
    }
}

/* count: a multiple of 8. */
static void sort_entries(vi *entry, uint32_t count) {
    for (uint32_t n = 0; n < count; n += 8) {
        sort_eight(entry + n);
    }
    sort_blocks(entry, count / 8);
}

/* From rows to entries. Rows that are not there are like the last. */
static void load_entries(const uint32_t *packed, uint32_t rows, uint32_t count, vi *entry) {
    for (uint32_t at = 0; at < count; at += CAROM_LANES) {
        for (uint32_t n = 0; n < CAROM_LANES; n++) {
            entry[at + n] = vi_load(packed + (n < rows ? n : rows - 1) * CAROM_HIT_ROW_ROOM + at);
        }
        vi_transpose(entry + at);
    }
}

/* A vector of a row that `left` entries are left of. */
static inline __attribute__((always_inline)) void store_some(const vi *entry, uint32_t at, uint32_t left,
                                                             uint32_t *row) {
    if (left >= CAROM_LANES) {
        vi_store(row, *entry);
    } else if (at == 0) {
        vi_store_first(row, left, *entry);
    } else if (left > 0) {
        vi_store_last(row, left, entry[-CAROM_LANES], *entry);
    }
}

/* Back to rows, where they belong. No row is shorter than `least`. */
static void store_entries(vi *entry, const uint32_t *length, uint32_t least, uint32_t rows, uint32_t count,
                          uint32_t *const *row) {
    uint32_t at = 0;
    for (; at + CAROM_LANES <= least; at += CAROM_LANES) {
        vi_transpose(entry + at);
        for (uint32_t n = 0; n < rows; n++) {
            vi_store(row[n] + at, entry[at + n]);
        }
    }
    for (; at < count; at += CAROM_LANES) {
        vi_transpose(entry + at);
        for (uint32_t n = 0; n < rows; n++) {
            store_some(&entry[at + n], at, length[n] > at ? length[n] - at : 0, row[n] + at);
        }
    }
}

/* At most CAROM_LANES rows. */
static void sort_lanes(const uint32_t *packed, const uint32_t *length, uint32_t rows, uint32_t *const *row) {
    enum { UNIT = CAROM_LANES > 8 ? CAROM_LANES : 8 };
    vi entry[CAROM_HIT_ROW_MOST];
    uint32_t least = UINT32_MAX;
    uint32_t most = 0;
    for (uint32_t n = 0; n < rows; n++) {
        least = length[n] < least ? length[n] : least;
        most = length[n] > most ? length[n] : most;
    }
    const uint32_t count = (most + UNIT - 1) / UNIT * UNIT; /* whole vectors are loaded, and whole eights sorted */
    load_entries(packed, rows, count, entry);
    sort_entries(entry, (most + 7) / 8 * 8);
    store_entries(entry, length, least, rows, count, row);
}

void carom_sort_rows(const uint32_t *packed, const uint32_t *length, uint32_t rows, uint32_t *const *row) {
    for (uint32_t n = 0; n < rows; n += CAROM_LANES) {
        const uint32_t lanes = rows - n < CAROM_LANES ? rows - n : CAROM_LANES;
        sort_lanes(packed + n * CAROM_HIT_ROW_ROOM, length + n, lanes, row + n);
    }
}
