/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A context owns what calls share: the number of threads, the instruction set, the allocator and the workspace. The
 * workspace grows to the largest call and is then reused. Contexts are independent: two host threads may each use
 * their own at the same time. One context serves one call at a time; others get ARGUMENT meanwhile.
 *
 * Threads. A call splits its work between the calling thread and threads of the library's own, which all contexts of a
 * process share. Results never depend on how many of them help. The first call that wants them starts them. They are
 * OpenMP's (POSIX threads in builds without OpenMP), block all signals, and are called "carom": one for each worker but
 * the caller, and one that started them and only sleeps. A thread that waits polls for some 80 microseconds at most and
 * then sleeps, so that between calls none takes time. A call waits for a thread only while that thread holds part of
 * its work. Where other programs keep the cores busy, calling threads do most of the work themselves, and a call costs
 * little more than on one thread. If the system refuses threads, calling threads do all of it. Calls may come from
 * inside a parallel region of the caller's.
 *
 * fork. The child has no threads but the one that forked. Contexts that were not in use at the fork go on working; the
 * first call in the child starts new threads, which stay.
 *
 * dlclose. Once threads have been started, the library's code stays mapped until the process ends, and so does that of
 * a plugin that has the static library in it.
 *
 * Stack. A stack of CAROM_STACK_BYTES is enough for a thread that makes calls, for one of an executor, and for one of
 * OpenMP (OMP_STACKSIZE). The library's functions use at most 27 KiB of it, with those of the C library that they call.
 * The rest is for what the C library keeps on the stack of every thread. Not included are your own functions, whether
 * they call the library or it calls them (executor, allocator, sink, predicate, progress), and signals, which push some
 * 3 KiB where there is AVX-512. Builds without optimisation, with assertions or with sanitizers need more. */
#ifndef CAROM_CONTEXT_H
#define CAROM_CONTEXT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "carom/export.h"
#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Memory from the caller. Several threads may call both functions at once. */
typedef struct carom_allocator {
    /* The library hands this to both functions. Any value. */
    void *user;

    /* Returns memory, or NULL if there is none.
     *   user        carom_allocator.user
     *   bytes       least size of the memory, > 0
     *   alignment   alignment of the memory in bytes, a power of two */
    void *(*allocate)(void *user, size_t bytes, size_t alignment);

    /* Takes memory back.
     *   user     carom_allocator.user
     *   memory   what allocate returned, never NULL
     *   bytes    the same number that allocate was given */
    void (*release)(void *user, void *memory, size_t bytes);
} carom_allocator;

/* A task of the library's that an executor calls.
 *
 *   task_data   what parallel_for was given
 *   index       which part of the work to do, 0 to count - 1 */
typedef void carom_executor_task(void *task_data, uint32_t index);

/* Threads from the caller. */
typedef struct carom_executor {
    /* The library hands this to parallel_for. Any value. */
    void *user;

    /* Must call task(task_data, index) exactly once for every index in [0, count), in any order and on any threads. It
     * returns when all are done. As with a join or a barrier, the caller and later tasks must see what they wrote.
     *   user        carom_executor.user
     *   count       number of calls, 2 to CAROM_THREADS_MAX
     *   task        the function to call
     *   task_data   the first argument of each call */
    void (*parallel_for)(void *user, uint32_t count, carom_executor_task *task, void *task_data);

    /* How many threads parallel_for runs at once. Where carom_context_config.threads is 0, a context has that many
     * workers, CAROM_THREADS_MAX at most. Any value; 0: unknown, then the host's cores decide. */
    uint32_t concurrency;
} carom_executor;

typedef struct carom_context_config {
    /* sizeof(carom_context_config), in bytes. carom_context_config_default() sets it. */
    size_t size;

    /* Number of parallel workers, 0 to CAROM_THREADS_MAX. 0, the default: executor.concurrency or, if that is 0 too,
     * as many as the host allows, by its affinity, OMP_NUM_THREADS and the number of cores. */
    uint32_t threads;

    /* Bodies that make one more thread worth while: a call uses no more threads than it has this many bodies for each.
     * Any value; 0, the default: 2048. */
    uint64_t bodies_per_thread;

    /* Instruction set: "scalar", "sse2", "avx2", "avx512" or "neon". NULL, the default: that of the environment
     * variable CAROM_ISA if it is set and not empty, else the best. */
    const char *isa;

    /* Bytes that the context may hold at once. Any value; 0, the default: no limit. */
    uint64_t memory_limit;

    /* Where memory comes from: both functions or neither. All fields NULL, the default: the C library. */
    carom_allocator allocator;

    /* Where threads come from. All fields NULL, the default: the library's own threads. */
    carom_executor executor;
} carom_context_config;

/* Largest number of parallel workers of a context. */
enum { CAROM_THREADS_MAX = 1024 };

/* A stack of this many bytes is enough for a thread that makes calls or works for one. See above. */
enum { CAROM_STACK_BYTES = 32 << 10 };

typedef struct carom_context carom_context;

/* Returns the default: all threads, best instruction set, no limit, the C library's memory, the library's threads. */
static inline carom_context_config carom_context_config_default(void) {
    carom_context_config config;
    memset(&config, 0, sizeof config);
    config.size = sizeof config;
    return config;
}

/* Creates a context. On error *context is NULL.
 *
 *   config    what the context shall use; NULL: the default
 *   context   receives the context, which carom_context_destroy releases
 *   error     receives the details of a failure; may be NULL
 *
 * Errors:
 *   ARGUMENT   context is NULL, config->size is wrong (carom/version.h), too many threads, or half an allocator
 *   ISA        config->isa or CAROM_ISA names a set that is unknown or that this CPU lacks: no silent fallback
 *   MEMORY     there is no memory for the context */
CAROM_API carom_status carom_context_create(const carom_context_config *config, carom_context **context,
                                            carom_error *error);

/* Releases a context and every result that it owns.
 *
 *   context   the context; NULL is allowed */
CAROM_API void carom_context_destroy(carom_context *context);

/* Returns the number of parallel workers, 1 to CAROM_THREADS_MAX.
 *
 *   context   the context, not NULL */
CAROM_API uint32_t carom_context_threads(const carom_context *context);

/* Returns the name of the chosen instruction set, a constant string.
 *
 *   context   the context, not NULL */
CAROM_API const char *carom_context_isa(const carom_context *context);

/* Returns the bytes that the context holds now, workspace and results, as asked of the allocator.
 *
 *   context   the context, not NULL */
CAROM_API uint64_t carom_context_memory(const carom_context *context);

/* Checks that this build on this machine computes as results need it: rounding to nearest, subnormal numbers, NaN, and
 * no fused products and sums. Then detects on a known scene of 192 bodies, which must have the results it always has.
 * The check runs on every thread of the context and with its instruction set, in well under a millisecond. It counts as
 * a call: the results of earlier calls are gone.
 *
 *   context   the context to check
 *   error     receives the details of a failure; may be NULL
 *
 * Errors: ARGUMENT (context is NULL or in use by another call), MEMORY, ARITHMETIC (something is not as it must be). */
CAROM_API carom_status carom_context_check(carom_context *context, carom_error *error);

/* Returns how many instruction sets this library was compiled with, and writes their names, best first.
 *
 *   names      receives constant strings; may be NULL if capacity is 0
 *   capacity   number of names to write at most, >= 0 */
CAROM_API size_t carom_isa_compiled(const char **names, size_t capacity);

/* Returns how many of them this CPU runs, and writes their names, best first.
 *
 *   names      receives constant strings; may be NULL if capacity is 0
 *   capacity   number of names to write at most, >= 0 */
CAROM_API size_t carom_isa_available(const char **names, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
