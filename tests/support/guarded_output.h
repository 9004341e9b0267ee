/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Output arrays of the caller's, each between two stretches of canaries and full of them: what a call has written of
 * them, and what it has left alone. */
#ifndef CAROM_TESTS_GUARDED_OUTPUT_H
#define CAROM_TESTS_GUARDED_OUTPUT_H

#include "tests/support/any_detect.h"

/* i, k, the fields and the shifts have an entry a pair, the labels one a body. */
enum {
    GUARDED_FIELD = 2,
    GUARDED_SHIFT = GUARDED_FIELD + ANY_FIELDS,
    GUARDED_LABEL = GUARDED_SHIFT + 3,
    GUARDED_ARRAYS
};

typedef struct guarded_output {
    any_output arrays; /* all of them; the test may take some away before the call */
    any_precision precision;
    uint8_t *memory[GUARDED_ARRAYS];
    uint64_t bytes[GUARDED_ARRAYS];
} guarded_output;

/* Room for `capacity` pairs and `bodies` labels. */
guarded_output guarded_make(any_precision precision, uint64_t capacity, uint64_t bodies);
void guarded_release(guarded_output *g);

/* Canaries everywhere again. */
void guarded_refill(guarded_output *g);

/* Fails the test unless only the first `used` bytes of the array, or of none, have been written. */
void guarded_check_used(const guarded_output *g, int array, uint64_t used);
void guarded_check_untouched(const guarded_output *g);

/* Fails the test unless the arrays hold what the result does, and no more. */
void guarded_check_filled(const guarded_output *g, const any_result *r);

/* Whether the array has been written. */
bool guarded_is_written(const guarded_output *g, int array);

/* Bytes of an entry. */
uint64_t guarded_entry_bytes(any_precision precision, int array);

#endif
