/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What is wrong with a batch of pairs. Workers note what they find; the lowest of each kind is left, so that the error
 * does not depend on the number of threads. */
#ifndef CAROM_NARROW_FAULTS_H
#define CAROM_NARROW_FAULTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* No fault of a kind. */
#define CAROM_FAULT_NONE UINT64_MAX

typedef struct carom_faults {
    _Atomic uint64_t stray;    /* the lowest pair that names a body that is not there */
    _Atomic uint64_t body;     /* the lowest invalid body of a pair */
    _Atomic uint64_t untested; /* the lowest pair of valid bodies whose shapes have no test */
} carom_faults;

/* There are none yet. */
void carom_faults_init(carom_faults *faults);

/* Notes pair or body `number` in one of the three. */
void carom_faults_note(_Atomic uint64_t *lowest, uint64_t number);

/* Whether there are any. */
static inline bool carom_faults_any(carom_faults *faults) {
    return atomic_load_explicit(&faults->stray, memory_order_relaxed) != CAROM_FAULT_NONE ||
           atomic_load_explicit(&faults->body, memory_order_relaxed) != CAROM_FAULT_NONE ||
           atomic_load_explicit(&faults->untested, memory_order_relaxed) != CAROM_FAULT_NONE;
}

#endif
