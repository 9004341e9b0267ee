/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Heap for readers and writers, which belong to no context. */
#ifndef CAROM_IO_HEAP_H
#define CAROM_IO_HEAP_H

#include <stdint.h>

/* At least `bytes` bytes, or NULL. bytes = 0 gives one byte. */
void *carom_heap_allocate(uint64_t bytes);
void carom_heap_release(void *memory, uint64_t bytes);

#endif
