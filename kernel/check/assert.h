/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Preconditions. They are checked unless NDEBUG is defined: builds for debugging, sanitizers and fuzzing check them and
 * abort, release builds do not evaluate them. The build sets NDEBUG by b_ndebug. */
#ifndef CAROM_CHECK_ASSERT_H
#define CAROM_CHECK_ASSERT_H

#include <assert.h>
#include <stdint.h>

/* A release build still compiles the condition, so that it stays correct and what it names counts as used. Compilers
 * drop it: it is never evaluated. */
#ifdef NDEBUG
#define CAROM_ASSERT(condition) ((void)(0 && (condition)))
#else
#define CAROM_ASSERT(condition) assert(condition)
#endif

/* The pointer is a multiple of so many bytes; NULL is one too. */
#define CAROM_ASSERT_ALIGNED(pointer, bytes) CAROM_ASSERT((uintptr_t)(pointer) % (bytes) == 0)

#endif
