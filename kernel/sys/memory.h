/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The one owner of the heap: memory of a context, counted and limited, and buffers that only grow.
 *
 * All memory of the library goes through here. So a context can say how much it holds, a limit holds for all of it, and
 * a test can refuse any single allocation. */
#ifndef CAROM_SYS_MEMORY_H
#define CAROM_SYS_MEMORY_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/context.h"
#include "carom/status.h"
#include "kernel/sys/size.h"

/* Bytes. Every block begins on a cache line. */
enum { CAROM_CACHE_LINE = 64 };

/* An allocator with its account. Safe to use from several threads at once. */
typedef struct carom_memory {
    carom_allocator allocator; /* the caller's, or the system's */
    uint64_t limit;            /* bytes; 0: none */
    _Atomic uint64_t held;     /* bytes of all blocks, at most the limit */
} carom_memory;

/* The C library's allocator. Blocks of 1 MiB and more are in huge pages if the system has them. They begin at different
 * offsets from a page boundary, so that arrays read side by side do not share sets of the first-level cache. */
carom_allocator carom_memory_system_allocator(void);

/* An empty account. `allocator` NULL, or with a NULL member, means the system's. */
void carom_memory_init(carom_memory *memory, const carom_allocator *allocator, uint64_t limit);

/* `bytes` bytes from a cache line on. NULL if bytes is 0, if the allocator refuses, if the limit would be exceeded or
 * if the size does not fit size_t. */
void *carom_memory_allocate(carom_memory *memory, uint64_t bytes);
/* Releases a block; `bytes` is the size it was allocated with. A NULL block is allowed. */
void carom_memory_release(carom_memory *memory, void *block, uint64_t bytes);

/* MEMORY: there is none for what the format says. The message goes on with how much is held, and the limit. */
__attribute__((format(printf, 3, 4))) carom_status carom_memory_error(const carom_memory *memory, carom_error *error,
                                                                      const char *format, ...);

/* A block that grows to the largest size that was ever needed. Zero-initialise before the first use. */
typedef struct carom_buffer {
    void *data;     /* from a cache line on; NULL if empty */
    uint64_t bytes; /* capacity; 0 if empty */
} carom_buffer;

/* Makes room for at least `bytes`. If the buffer grows its contents are lost: the old block is released first, so that
 * the two never need memory at the same time. On failure the buffer is empty and MEMORY is returned. */
carom_status carom_buffer_reserve(carom_memory *memory, carom_buffer *buffer, uint64_t bytes);

/* The same, but keeps the first `keep` bytes, at most buffer->bytes, and leaves the buffer unchanged on failure. Grows
 * by at least half of the old size, so that repeated growth is amortised, unless memory is enough for the exact size
 * only. */
carom_status carom_buffer_grow(carom_memory *memory, carom_buffer *buffer, uint64_t bytes, uint64_t keep);

/* Gives the block back. The buffer is then empty. */
void carom_buffer_release(carom_memory *memory, carom_buffer *buffer);

#endif
