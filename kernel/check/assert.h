/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Checks of the library's own contracts. Builds for debugging, sanitizers and fuzzing check them and abort; builds with
 * NDEBUG, such as release builds, contain none of it. A broken contract is a fault of the library, never of its caller:
 * a bad argument gets a status.
 *
 * CAROM_ASSERT is for a precondition of one function. CAROM_VALIDATE is for a structure that is finished or handed on:
 * carom_<thing>_validate walks it. The file validate_<thing>.c beside the structure's own holds that function. */
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

/* Prints like assert: where, what was checked, and the reason. */
static inline void carom_assert_valid(const char *reason, const char *call, const char *file, int line) {
    if (reason != NULL) {
        fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, reason);
        abort();
    }
}

/* A precondition: one comparison or a few, in builds that check them also a walk over an array. */
#define CAROM_ASSERT(condition) assert(condition)

/* `reason` is a call that returns NULL if the structure is sound, else a sentence that says what is wrong with it. */
#define CAROM_VALIDATE(reason) carom_assert_valid(reason, #reason, __FILE__, __LINE__)

#endif

/* The pointer is a multiple of so many bytes; so is NULL. */
#define CAROM_ASSERT_ALIGNED(pointer, bytes) CAROM_ASSERT((uintptr_t)(pointer) % (bytes) == 0)

#endif
