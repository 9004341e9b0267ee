/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* An allocator that counts what it is asked, fails when it is told to, and notices a block that was written past its
 * end or released with another size. Safe to use from several threads at once. */
#ifndef CAROM_TESTS_FAULT_ALLOCATOR_H
#define CAROM_TESTS_FAULT_ALLOCATOR_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "carom/context.h"

typedef struct fault_allocator {
    _Atomic uint64_t requests;    /* calls of allocate so far, failed ones too */
    _Atomic uint64_t live_blocks; /* handed out and not yet released */
    _Atomic uint64_t live_bytes;
    _Atomic uint64_t peak_bytes;
    _Atomic uint64_t damages; /* releases of a block overrun or released with another size */
    uint64_t fail_at;         /* the request that fails, counted from 1; 0: none */
    bool fail_from_then_on;   /* every later one fails too */
} fault_allocator;

/* All counts zero, nothing fails. */
void fault_allocator_init(fault_allocator *state);

/* The n-th request from now on fails (n >= 1; 0: none): that one alone, or all from it on. */
void fault_allocator_fail(fault_allocator *state, uint64_t n, bool from_then_on);

/* The allocator to give to a context. `state` must outlive it. */
carom_allocator fault_allocator_get(fault_allocator *state);

#endif
