/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/support/fault_allocator.h"

#include <stdlib.h>
#include <string.h>

/* A block is laid out as: room of `alignment` bytes that ends in the prefix, the caller's bytes, the guard. */
enum { GUARD = 64, GUARD_BYTE = 0xA5 };

typedef struct prefix {
    uint64_t bytes;
    uint64_t alignment;
} prefix;

void fault_allocator_init(fault_allocator *state) {
    atomic_init(&state->requests, 0);
    atomic_init(&state->live_blocks, 0);
    atomic_init(&state->live_bytes, 0);
    atomic_init(&state->peak_bytes, 0);
    atomic_init(&state->damages, 0);
    state->fail_at = 0;
    state->fail_from_then_on = false;
}

void fault_allocator_fail(fault_allocator *state, uint64_t n, bool from_then_on) {
    state->fail_at = n == 0 ? 0 : state->requests + n;
    state->fail_from_then_on = from_then_on;
}

static bool must_fail(fault_allocator *state) {
    const uint64_t request = atomic_fetch_add(&state->requests, 1) + 1;
    return state->fail_at != 0 && (request == state->fail_at || (state->fail_from_then_on && request > state->fail_at));
}

static void count_in(fault_allocator *state, uint64_t bytes) {
    atomic_fetch_add(&state->live_blocks, 1);
    const uint64_t live = atomic_fetch_add(&state->live_bytes, bytes) + bytes;
    uint64_t peak = state->peak_bytes;
    while (live > peak && !atomic_compare_exchange_weak(&state->peak_bytes, &peak, live)) {
    }
}

static void *allocate(void *user, size_t bytes, size_t alignment) {
    fault_allocator *state = user;
    const size_t room = alignment > sizeof(prefix) ? alignment : sizeof(prefix);
    if (must_fail(state) || bytes > PTRDIFF_MAX / 2) {
        return NULL;
    }
    const size_t whole = (room + bytes + GUARD + room - 1) / room * room;
    char *base = aligned_alloc(room, whole);
    if (base == NULL) {
        return NULL;
    }
    const prefix head = {bytes, room};
    memcpy(base + room - sizeof head, &head, sizeof head);
    memset(base + room + bytes, GUARD_BYTE, GUARD);
    count_in(state, bytes);
    return base + room;
}

static bool guard_intact(const unsigned char *guard) {
    for (int n = 0; n < GUARD; n++) {
        if (guard[n] != GUARD_BYTE) {
            return false;
        }
    }
    return true;
}

static void release(void *user, void *memory, size_t bytes) {
    fault_allocator *state = user;
    char *block = memory;
    prefix head;
    memcpy(&head, block - sizeof head, sizeof head);
    if (head.bytes != bytes || !guard_intact((unsigned char *)block + head.bytes)) {
        atomic_fetch_add(&state->damages, 1);
    }
    atomic_fetch_sub(&state->live_blocks, 1);
    atomic_fetch_sub(&state->live_bytes, head.bytes);
    free(block - head.alignment);
}

carom_allocator fault_allocator_get(fault_allocator *state) {
    return (carom_allocator){.user = state, .allocate = allocate, .release = release};
}
