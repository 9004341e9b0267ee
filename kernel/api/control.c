/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The flag by which a host cancels calls. The struct is plain, so that every language has it; atomic is what the
 * library does with it. */
#include "carom/control.h"

#include "kernel/check/assert.h"

void carom_cancel_raise(carom_cancel *cancel) {
    CAROM_ASSERT(cancel != NULL);
    __atomic_store_n(&cancel->raised, 1, __ATOMIC_RELEASE);
}

void carom_cancel_clear(carom_cancel *cancel) {
    CAROM_ASSERT(cancel != NULL);
    __atomic_store_n(&cancel->raised, 0, __ATOMIC_RELEASE);
}
