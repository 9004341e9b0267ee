/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "tests/support/small_stack.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* What untouched words hold. */
static const uint64_t PAINT = UINT64_C(0x5AC35AC35AC35AC3);

bool small_stack_counts(void) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(NDEBUG) || !defined(__OPTIMIZE__) ||     \
    defined(CAROM_COUNTS_COVERAGE)
    return false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
    return false;
#else
    return true;
#endif
#else
    return true;
#endif
}

static void require(bool holds) {
    if (!holds) {
        abort();
    }
}

size_t small_stack_size(size_t bytes) {
    const long least = sysconf(_SC_THREAD_STACK_MIN);
    return least > 0 && (size_t)least > bytes ? (size_t)least : bytes;
}

typedef struct start {
    void (*function)(void *data);
    void *data;
    const uint64_t *lowest; /* end of the stack */
    size_t used;
} start;

/* The stack grows down: what is left of the paint begins at its end. */
static void *run_painted(void *data) {
    start *s = data;
    const uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    s->function(s->data);
    const uint64_t *word = s->lowest;
    while (*word == PAINT) {
        word++;
    }
    s->used = frame - (uintptr_t)word;
    return NULL;
}

size_t small_stack_run(size_t bytes, void (*function)(void *data), void *data) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t size = (bytes + page - 1) / page * page;
    char *block = mmap(NULL, page + size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    require(block != MAP_FAILED && mprotect(block, page, PROT_NONE) == 0);
    uint64_t *stack = (uint64_t *)(void *)(block + page);
    for (size_t n = 0; n < size / sizeof *stack; n++) {
        stack[n] = PAINT;
    }
    start s = {function, data, stack, 0};
    pthread_attr_t attributes;
    pthread_t id;
    require(pthread_attr_init(&attributes) == 0 && pthread_attr_setstack(&attributes, stack, size) == 0);
    require(pthread_create(&id, &attributes, run_painted, &s) == 0 && pthread_join(id, NULL) == 0);
    require(pthread_attr_destroy(&attributes) == 0 && munmap(block, page + size) == 0);
    return s.used;
}

typedef struct crew_task {
    carom_executor_task *task;
    void *data;
    uint32_t index;
} crew_task;

static void run_task(void *data) {
    const crew_task *t = data;
    t->task(t->data, t->index);
}

void small_stack_parallel_for(void *user, uint32_t count, carom_executor_task *task, void *task_data) {
    small_stack_crew *crew = user;
    for (uint32_t n = 0; n < count; n++) {
        crew_task t = {task, task_data, n};
        const size_t used = small_stack_run(crew->bytes, run_task, &t);
        crew->used = used > crew->used ? used : crew->used;
    }
}
