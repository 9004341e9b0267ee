/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The one owner of the heap: accounted, limited memory for a context, and buffers that only ever grow. */
#ifndef CAROM_SYS_MEMORY_H
#define CAROM_SYS_MEMORY_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/context.h"
#include "carom/status.h"
#include "kernel/sys/size.h"

enum { CAROM_CACHE_LINE = 64 };

/* An allocator with its account. Safe to use from several threads at once. */
typedef struct carom_memory {
    carom_allocator allocator;
    uint64_t limit; /* 0: none */
    _Atomic uint64_t held;
} carom_memory;

/* The C library's allocator. Blocks of 4 MiB and more live in huge pages where the system has them and begin at
 * differing offsets from a page boundary, so that several walked side by side do not share L1 sets. */
carom_allocator carom_memory_system_allocator(void);

/* `allocator` with NULL members means the system's. */
void carom_memory_init(carom_memory *memory, const carom_allocator *allocator, uint64_t limit);

/* At least `bytes` bytes aligned to a cache line, or NULL if the allocator refuses, the limit would be passed
 * or the size does not fit size_t. bytes = 0 gives NULL. Release with the same size; releasing
 * NULL does nothing. */
void *carom_memory_allocate(carom_memory *memory, uint64_t bytes);
void carom_memory_release(carom_memory *memory, void *block, uint64_t bytes);

/* A block that grows to the largest size ever asked for. Zero-initialise before the first use. */
typedef struct carom_buffer {
    void *data;
    uint64_t bytes; /* capacity */
} carom_buffer;

/* Makes room for at least `bytes`. The old contents are lost when it grows (the old block is released first,
 * so the peak is the new size). On failure the buffer is empty and MEMORY is returned. */
carom_status carom_buffer_reserve(carom_memory *memory, carom_buffer *buffer, uint64_t bytes);

/* The same, but keeps the first `keep` bytes; on failure the buffer is unchanged. Grows by at least half of the
 * old size, so that repeated growth is amortised, unless only the exact size can be had. keep <= buffer->bytes. */
carom_status carom_buffer_grow(carom_memory *memory, carom_buffer *buffer, uint64_t bytes, uint64_t keep);

void carom_buffer_release(carom_memory *memory, carom_buffer *buffer);

#endif
