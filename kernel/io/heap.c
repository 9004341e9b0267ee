/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/io/heap.h"

#include <stddef.h>

#include "kernel/sys/memory.h"

void *carom_heap_allocate(uint64_t bytes) {
    /* Sizes come from files. One beyond the address space counts as "no memory"; it must not wrap on its way. */
    if (bytes > PTRDIFF_MAX) {
        return NULL;
    }
    carom_allocator system = carom_memory_system_allocator();
    return system.allocate(system.user, bytes == 0 ? 1 : (size_t)bytes, CAROM_CACHE_LINE);
}

void carom_heap_release(void *memory, uint64_t bytes) {
    if (memory != NULL) {
        carom_allocator system = carom_memory_system_allocator();
        system.release(system.user, memory, bytes == 0 ? 1 : (size_t)bytes);
    }
}
