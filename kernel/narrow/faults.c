/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/narrow/faults.h"

void carom_faults_init(carom_faults *faults) {
    atomic_init(&faults->stray, CAROM_FAULT_NONE);
    atomic_init(&faults->body, CAROM_FAULT_NONE);
    atomic_init(&faults->untested, CAROM_FAULT_NONE);
}

void carom_faults_note(_Atomic uint64_t *lowest, uint64_t number) {
    uint64_t before = atomic_load_explicit(lowest, memory_order_relaxed);
    while (number < before && !atomic_compare_exchange_weak_explicit(lowest, &before, number, memory_order_relaxed,
                                                                     memory_order_relaxed)) {
    }
}
