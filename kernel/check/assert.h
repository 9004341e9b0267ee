/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Checks of the library's own contracts. They run unless NDEBUG is defined: builds for debugging, sanitizers and fuzzing
 * check and abort; release builds contain none of it. A broken contract is a fault of the library, never of its caller:
 * bad arguments get a status. */
#ifndef CAROM_CHECK_ASSERT_H
#define CAROM_CHECK_ASSERT_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#ifdef NDEBUG

/* A release build still compiles the condition, so that it stays correct and what it names counts as used. Compilers
 * drop it: it is never evaluated. */
#define CAROM_ASSERT(condition) ((void)(0 && (condition)))
#define CAROM_VALIDATE(reason) ((void)(0 && (reason) != NULL))

#else

#include <stdio.h>
#include <stdlib.h>

static inline void carom_assert_valid(const char *reason, const char *call, const char *file, int line) {
    if (reason != NULL) {
        fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, reason);
        abort();
    }
}

/* A precondition: one comparison, or a few. */
#define CAROM_ASSERT(condition) assert(condition)

/* A structure as a whole: carom_<thing>_validate(...) walks it and returns NULL, or a sentence that says what is wrong. */
#define CAROM_VALIDATE(reason) carom_assert_valid(reason, #reason, __FILE__, __LINE__)

#endif

/* The pointer is a multiple of so many bytes; NULL is one too. */
#define CAROM_ASSERT_ALIGNED(pointer, bytes) CAROM_ASSERT((uintptr_t)(pointer) % (bytes) == 0)

#endif
