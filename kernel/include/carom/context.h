/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A context owns what calls share: the number of threads, the instruction set, the allocator and the work
 * space that grows to the largest call and is then reused. Contexts are independent of one another: two
 * host threads may each use their own at the same time. One context serves one call at a time. */
#ifndef CAROM_CONTEXT_H
#define CAROM_CONTEXT_H

#include <stddef.h>
#include <stdint.h>

#include "carom/export.h"
#include "carom/status.h"

/* Memory from the caller. Both functions may be called from several threads at once.
 * allocate: at least `bytes` bytes aligned to `alignment` (a power of two), or NULL. bytes > 0.
 * release: gives back what allocate returned, with the same `bytes`. */
typedef struct carom_allocator {
    void *user;
    void *(*allocate)(void *user, size_t bytes, size_t alignment);
    void (*release)(void *user, void *memory, size_t bytes);
} carom_allocator;

typedef void carom_executor_task(void *task_data, uint32_t index);

/* Threads from the caller. parallel_for must call task(task_data, index) exactly once for every index in
 * [0, count), in any order and on any threads, and return when all are done and what they wrote can be seen by the
 * caller and by later tasks, as a join or a barrier does. */
typedef struct carom_executor {
    void *user;
    void (*parallel_for)(void *user, uint32_t count, carom_executor_task *task, void *task_data);
} carom_executor;

typedef struct carom_context_config {
    size_t size;                /* sizeof(carom_context_config), set by the default */
    uint32_t threads;           /* parallel workers, 1 to CAROM_THREADS_MAX; 0: as many as the host allows */
    uint64_t bodies_per_thread; /* a call uses no more threads than it has this many bodies for each; 0: 2048 */
    const char
        *isa; /* "scalar", "sse2", "avx2", "avx512", "neon"; NULL: CAROM_ISA if set and not empty, else the best */
    uint64_t memory_limit;     /* bytes the context may hold at once; 0: no limit */
    carom_allocator allocator; /* all members NULL: the C library's */
    carom_executor executor;   /* all members NULL: OpenMP */
} carom_context_config;

enum { CAROM_THREADS_MAX = 1024 };

typedef struct carom_context carom_context;

/* All threads, best instruction set, no limit, the C library's memory, OpenMP. */
CAROM_API carom_context_config carom_context_config_default(void);

/* Creates a context. config NULL means the default; error may be NULL.
 * Errors: ARGUMENT (context NULL, config->size wrong, too many threads, half an allocator),
 * ISA (a name that is unknown or that this CPU lacks, from config->isa or CAROM_ISA; never a silent
 * fallback), MEMORY. On error *context is NULL. */
CAROM_API carom_status carom_context_create(const carom_context_config *config, carom_context **context,
                                            carom_error *error);

/* Releases the context and every result that it owns. NULL is allowed. */
CAROM_API void carom_context_destroy(carom_context *context);

/* What was chosen: parallel workers, and the name of the instruction set. context must not be NULL. */
CAROM_API uint32_t carom_context_threads(const carom_context *context);
CAROM_API const char *carom_context_isa(const carom_context *context);

/* Bytes the context holds now (work space and results), as asked of the allocator. */
CAROM_API uint64_t carom_context_memory(const carom_context *context);

/* Checks, on every thread that the context uses and with its instruction set, that this build on this machine computes
 * as results need it: rounding to nearest, subnormal numbers, NaN, no fused products and sums, and a known scene of 192
 * bodies that must have the results it always has. Takes well under a millisecond. Counts as a call: results of earlier
 * ones are gone. Errors: ARGUMENT (context NULL), MEMORY, ARITHMETIC. */
CAROM_API carom_status carom_context_check(carom_context *context, carom_error *error);

/* Instruction sets compiled into this library, and those among them that this CPU runs, best first.
 * Writes at most `capacity` names and returns how many there are. */
CAROM_API size_t carom_isa_compiled(const char **names, size_t capacity);
CAROM_API size_t carom_isa_available(const char **names, size_t capacity);

#endif
