/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Sinks of both precisions that gather the blocks of one call, to be held against the rows of a call that stores
 * them. */
#ifndef CAROM_TESTS_BASKET_H
#define CAROM_TESTS_BASKET_H

#include <stdatomic.h>

#include "tests/support/any_detect.h"

/* A copy of one block. */
typedef struct kept_block {
    uint64_t task;
    uint64_t part;
    uint32_t count;
    uint32_t i[CAROM_BLOCK_ROWS];
    uint32_t k[CAROM_BLOCK_ROWS];
    bool has_contacts;
    bool has_shifts;
    double field[ANY_FIELDS][CAROM_BLOCK_ROWS];
    int32_t shift[3][CAROM_BLOCK_ROWS];
} kept_block;

/* What the sinks gather; blocks come from several threads. */
typedef struct basket {
    _Atomic uint64_t count; /* blocks that came */
    uint64_t capacity;
    uint64_t stop_after;     /* blocks; 0: never */
    _Atomic uint64_t faults; /* blocks that are not as they should be */
    kept_block **blocks;
} basket;

/* For a call that finds at most `rows`: every block has one. */
basket basket_make(uint64_t rows);
void basket_release(basket *b);

bool basket_sink_f32(void *user, const carom_block_f32 *block);
bool basket_sink_f64(void *user, const carom_block_f64 *block);
any_output basket_output(basket *b);

/* The rows in order of (task, part), as a result that has nothing else. Fails the test if a block is not as it should
 * be, or if parts are not numbered without a gap. */
any_result basket_rows(basket *b);

/* The same rows in the same order, bit by bit. */
void basket_check(basket *b, const any_result *stored);

/* Runs the call with a basket as its sink: all that `stored`, the same call without one, has returned, and the rows in
 * the basket. */
void basket_check_call(carom_context *context, const any_bodies *bodies, const carom_detect_config *config,
                       const any_result *stored);

#endif
