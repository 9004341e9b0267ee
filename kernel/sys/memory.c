/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The only file that calls malloc's family. The account is above the allocator, so that a caller's allocator is limited
 * and counted like the system's. */
#include "kernel/sys/memory.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "kernel/check/assert.h"
#include "kernel/sys/error.h"

enum {
    HUGE_PAGE = 2 << 20,
    HUGE_BLOCK = 1 << 20, /* blocks from this size on get huge pages: one page costs less than 256 common ones */
    STAGGER_LINES = 64    /* cache lines in 4 KiB, the stride at which addresses share a set of the first-level cache */
};

/* Arrays that all begin on a page boundary evict one another when they are read side by side: equal offsets map to the
 * same sets of the first-level cache. So a huge block begins a few cache lines into its first page. Their number is
 * taken from its address. Rounding an address down to the huge page finds the beginning again. */
static size_t stagger_of(uintptr_t page) {
    const uintptr_t number = page / HUGE_PAGE;
    return (size_t)(number * 11 % STAGGER_LINES) * CAROM_CACHE_LINE;
}

/* SIZE_MAX if the rounded size does not fit. */
static size_t round_up(size_t bytes, size_t multiple) {
    return bytes > SIZE_MAX - (multiple - 1) ? SIZE_MAX : (bytes + multiple - 1) / multiple * multiple;
}

static void *allocate_huge(size_t bytes, size_t alignment) {
    const size_t room = (size_t)STAGGER_LINES * CAROM_CACHE_LINE;
    const size_t boundary = alignment > HUGE_PAGE ? alignment : HUGE_PAGE;
    const size_t whole = bytes > SIZE_MAX - room ? SIZE_MAX : round_up(bytes + room, boundary);
    if (whole > PTRDIFF_MAX) {
        return NULL;
    }
    char *page = aligned_alloc(boundary, whole);
    if (page == NULL) {
        return NULL;
    }
#ifdef MADV_HUGEPAGE
    /* Only advice: without huge pages the block is slower, but good. */
    (void)madvise(page, whole, MADV_HUGEPAGE);
#endif
    return page + (alignment <= CAROM_CACHE_LINE ? stagger_of((uintptr_t)page) : 0);
}

/* aligned_alloc needs a size that is a multiple of the alignment. */
static void *system_allocate(void *user, size_t bytes, size_t alignment) {
    (void)user;
    if (bytes >= HUGE_BLOCK) {
        return allocate_huge(bytes, alignment);
    }
    const size_t whole = round_up(bytes, alignment);
    return whole > PTRDIFF_MAX ? NULL : aligned_alloc(alignment, whole);
}

static void system_release(void *user, void *memory, size_t bytes) {
    (void)user;
    free(bytes >= HUGE_BLOCK ? (char *)memory - (uintptr_t)memory % HUGE_PAGE : memory);
}

carom_allocator carom_memory_system_allocator(void) {
    return (carom_allocator){.user = NULL, .allocate = system_allocate, .release = system_release};
}

void carom_memory_init(carom_memory *memory, const carom_allocator *allocator, uint64_t limit) {
    const bool given = allocator != NULL && allocator->allocate != NULL;
    memory->allocator = given ? *allocator : carom_memory_system_allocator();
    memory->limit = limit;
    atomic_init(&memory->held, 0);
}

/* Adds `bytes` to the account before they are allocated, so that threads that allocate at the same time cannot exceed
 * the limit together. Relaxed: no other memory depends on the order. */
static bool account_reserve(carom_memory *memory, uint64_t bytes) {
    const uint64_t ceiling = memory->limit != 0 ? memory->limit : UINT64_MAX;
    uint64_t held = atomic_load_explicit(&memory->held, memory_order_relaxed);
    do {
        if (bytes > ceiling - held) {
            return false;
        }
    } while (!atomic_compare_exchange_weak_explicit(&memory->held, &held, held + bytes, memory_order_relaxed,
                                                    memory_order_relaxed));
    return true;
}

static void account_return(carom_memory *memory, uint64_t bytes) {
    atomic_fetch_sub_explicit(&memory->held, bytes, memory_order_relaxed);
}

void *carom_memory_allocate(carom_memory *memory, uint64_t bytes) {
    if (bytes == 0 || bytes > PTRDIFF_MAX || !account_reserve(memory, bytes)) {
        return NULL;
    }
    void *block = memory->allocator.allocate(memory->allocator.user, (size_t)bytes, CAROM_CACHE_LINE);
    if (block == NULL) {
        account_return(memory, bytes);
    }
    CAROM_ASSERT_ALIGNED(block, CAROM_CACHE_LINE);
    return block;
}

void carom_memory_release(carom_memory *memory, void *block, uint64_t bytes) {
    if (block != NULL) {
        memory->allocator.release(memory->allocator.user, block, (size_t)bytes);
        CAROM_ASSERT(atomic_load_explicit(&memory->held, memory_order_relaxed) >= bytes);
        account_return(memory, bytes);
    }
}

carom_status carom_memory_error(const carom_memory *memory, carom_error *error, const char *format, ...) {
    char what[64];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    const uint64_t held = atomic_load_explicit(&memory->held, memory_order_relaxed);
    return memory->limit > 0
               ? carom_error_set(error, CAROM_ERROR_MEMORY,
                                 "no memory for %s: memory_limit is %" PRIu64 " bytes, of which %" PRIu64 " are held",
                                 what, memory->limit, held)
               : carom_error_set(error, CAROM_ERROR_MEMORY, "no memory for %s: %" PRIu64 " bytes are held", what, held);
}

carom_status carom_buffer_reserve(carom_memory *memory, carom_buffer *buffer, uint64_t bytes) {
    if (bytes <= buffer->bytes) {
        return CAROM_OK;
    }
    carom_buffer_release(memory, buffer);
    buffer->data = carom_memory_allocate(memory, bytes);
    if (buffer->data == NULL) {
        return CAROM_ERROR_MEMORY;
    }
    buffer->bytes = bytes;
    return CAROM_OK;
}

carom_status carom_buffer_grow(carom_memory *memory, carom_buffer *buffer, uint64_t bytes, uint64_t keep) {
    CAROM_ASSERT(keep <= buffer->bytes && keep <= bytes);
    if (bytes <= buffer->bytes) {
        return CAROM_OK;
    }
    const uint64_t generous = carom_size_add(buffer->bytes, buffer->bytes / 2);
    uint64_t size = generous > bytes ? generous : bytes;
    void *data = carom_memory_allocate(memory, size);
    if (data == NULL && size > bytes) {
        /* Near the limit exactly enough may still fit. */
        size = bytes;
        data = carom_memory_allocate(memory, size);
    }
    if (data == NULL) {
        return CAROM_ERROR_MEMORY;
    }
    if (keep != 0) {
        memcpy(data, buffer->data, (size_t)keep);
    }
    carom_buffer_release(memory, buffer);
    *buffer = (carom_buffer){.data = data, .bytes = size};
    return CAROM_OK;
}

void carom_buffer_release(carom_memory *memory, carom_buffer *buffer) {
    carom_memory_release(memory, buffer->data, buffer->bytes);
    *buffer = (carom_buffer){.data = NULL, .bytes = 0};
}
