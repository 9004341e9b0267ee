/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Preconditions. They are checked in debug, sanitizer and fuzz builds, and are absent from release builds. A broken one
 * is a fault of the library, never of its caller: bad arguments get a status. */
#ifndef CAROM_CHECK_ASSERT_H
#define CAROM_CHECK_ASSERT_H

#include <assert.h>
#include <stdint.h>

#ifdef NDEBUG
#define CAROM_ASSERT(condition) ((void)sizeof(condition))
#else
#define CAROM_ASSERT(condition) assert(condition)
#endif

#define CAROM_ASSERT_ALIGNED(pointer, bytes) CAROM_ASSERT((uintptr_t)(pointer) % (bytes) == 0)

#endif
