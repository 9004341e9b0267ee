/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The sort for keys of CAROM_REAL_BITS bits. Digits have at most 8 bits, and each key is written straight to its place.
 *
 * Why not wider digits, or buffers that combine writes: measured at 1e6 and 8e6 random 32-bit keys (ns a key; Zen 5,
 * 2026-11), 8-bit digits take 4.0 and 6.4; 11-bit digits 7.3 and 13.5, since the first-level cache and the store buffer
 * cannot hold that many open lines; 8-bit digits through write-combining buffers 7.9 and 10.5, and with streaming
 * stores 7.6 and 7.9; 11-bit digits in that way 6.6 and 6.7. Streaming with wide digits comes near only for 64-bit keys
 * far beyond the caches. */
#include <stddef.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/sort/check.h"
#include "kernel/sort/digit_table.h"
#include "kernel/sort/radix_sort.h"
#include "simd/precision.h"

enum {
    INSERTION_MAX = 64,   /* keys up to which insertion sort wins over one pass of histograms */
    SERIAL_MAX = 1 << 15, /* keys up to which two fork-joins a pass (some microseconds each) cost more than they save */
    GRAIN = 4096          /* fewest keys worth a histogram of their own */
};

#if CAROM_REAL_BITS == 32
typedef uint32_t sort_key;
#else
typedef uint64_t sort_key;
#endif

#define carom_radix_sort_keys CAROM_PASTE(carom_radix_sort_u, CAROM_REAL_BITS)
#define digit_histogram CAROM_PASTE(digit_histogram_u, CAROM_REAL_BITS)

/* One pass: from keys and payload to out_keys and out_payload by the digit at `shift`. */
typedef struct pass {
    const carom_team *team;
    const carom_simd *simd;
    carom_digit_table *tables; /* one for each worker */
    uint64_t count;            /* keys */
    uint32_t shift;            /* the lowest bit of the digit */
    uint32_t mask;             /* number of digits less one, a power of two less one */
    sort_key *keys;            /* in the order of the digits below */
    uint32_t *payload;
    sort_key *out_keys; /* in the order of this digit too */
    uint32_t *out_payload;
} pass;

static void count_digits(void *data, uint32_t worker) {
    const pass *p = data;
    carom_digit_table *table = &p->tables[worker];
    memset(table, 0, sizeof *table);
    carom_walk walk = carom_team_walk(p->team, worker, p->count, GRAIN);
    while (carom_walk_next(&walk)) {
        uint32_t counts[CAROM_DIGITS];
        p->simd->digit_histogram(p->keys + walk.begin, walk.end - walk.begin, p->shift, p->mask, counts);
        for (uint32_t digit = 0; digit <= p->mask; digit++) {
            table->at[digit] += counts[digit];
        }
    }
}

/* Local copies of pointers: the compiler could not know that writing keys does not change the pass. */
static void scatter_keys(const pass *p, uint64_t *restrict at, uint64_t begin, uint64_t end) {
    const sort_key *restrict keys = p->keys;
    const uint32_t *restrict payload = p->payload;
    sort_key *restrict out_keys = p->out_keys;
    uint32_t *restrict out_payload = p->out_payload;
    const uint32_t shift = p->shift;
    const uint32_t mask = p->mask;
    for (uint64_t n = begin; n < end; n++) {
        const sort_key key = keys[n];
        const uint64_t to = at[(key >> shift) & mask]++;
        out_keys[to] = key;
        out_payload[to] = payload[n];
    }
}

static void scatter(void *data, uint32_t worker) {
    const pass *p = data;
    carom_walk walk = carom_team_walk(p->team, worker, p->count, GRAIN);
    while (carom_walk_next(&walk)) {
        scatter_keys(p, p->tables[worker].at, walk.begin, walk.end);
    }
}

/* After an odd number of moves the result is in the workspace. */
static void copy(void *data, uint32_t worker) {
    const pass *p = data;
    carom_walk walk = carom_team_walk(p->team, worker, p->count, GRAIN);
    while (carom_walk_next(&walk)) {
        const size_t count = (size_t)(walk.end - walk.begin);
        memcpy(p->out_keys + walk.begin, p->keys + walk.begin, count * sizeof *p->keys);
        memcpy(p->out_payload + walk.begin, p->payload + walk.begin, count * sizeof *p->payload);
    }
}

/* Moves the keys unless the digit is the same for all of them; the next pass starts where this one put them. */
static void run_pass(pass *p) {
    carom_team_run(p->team, count_digits, p);
    if (carom_team_stopped(p->team) || !carom_digit_table_place(p->tables, p->team->workers, p->mask + 1, p->count)) {
        return;
    }
    carom_team_run(p->team, scatter, p);
    sort_key *keys = p->keys;
    uint32_t *payload = p->payload;
    p->keys = p->out_keys;
    p->payload = p->out_payload;
    p->out_keys = keys;
    p->out_payload = payload;
}

static void insertion_sort(uint64_t count, sort_key *keys, uint32_t *payload) {
    for (uint64_t n = 1; n < count; n++) {
        const sort_key key = keys[n];
        const uint32_t load = payload[n];
        uint64_t to = n;
        for (; to > 0 && keys[to - 1] > key; to--) {
            keys[to] = keys[to - 1];
            payload[to] = payload[to - 1];
        }
        keys[to] = key;
        payload[to] = load;
    }
}

carom_status carom_radix_sort_keys(carom_radix_sort *sort, const carom_team *team, carom_memory *memory,
                                   const carom_simd *simd, uint64_t count, uint32_t key_bits, sort_key *keys,
                                   uint32_t *payload, sort_key *spare_keys, uint32_t *spare_payload) {
    CAROM_ASSERT(key_bits >= 1 && key_bits <= 8 * sizeof *keys);
    CAROM_ASSERT(carom_check_key_bits(keys, count, sizeof *keys, key_bits));
    CAROM_ASSERT(count <= INSERTION_MAX || (spare_keys != NULL && spare_payload != NULL && spare_keys != keys));
    if (count <= INSERTION_MAX) {
        insertion_sort(count, keys, payload);
        return CAROM_OK;
    }
    const carom_team alone = {.workers = 1};
    const carom_team *workers = count <= SERIAL_MAX ? &alone : team;
    const carom_status status = carom_buffer_reserve(memory, &sort->histogram, carom_radix_sort_bytes(workers));
    if (status != CAROM_OK) {
        return status;
    }
    pass p = {workers, simd, sort->histogram.data, count, 0, 0, keys, payload, spare_keys, spare_payload};
    const uint32_t bits = carom_digit_table_bits(key_bits);
    p.mask = (UINT32_C(1) << bits) - 1;
    for (; p.shift < key_bits && !carom_team_stopped(workers); p.shift += bits) {
        run_pass(&p);
    }
    if (p.keys != keys) {
        carom_team_run(workers, copy, &p);
    }
    if (carom_team_stopped(workers)) {
        return CAROM_ERROR_CANCELLED;
    }
    CAROM_ASSERT(carom_check_key_order(keys, count, sizeof *keys));
    return CAROM_OK;
}
