/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* fork() for tests that also run under the address sanitizer. */
#ifndef CAROM_TESTS_SETTLED_FORK_H
#define CAROM_TESTS_SETTLED_FORK_H

#include <stdbool.h>
#include <sys/types.h>

/* The thread sanitizer cannot follow a child that starts threads. */
#if defined(__SANITIZE_THREAD__)
#define NO_THREADS_AFTER_FORK
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define NO_THREADS_AFTER_FORK
#endif
#endif

/* As fork(). Under the address sanitizer only once no thread is on its way out: a thread that ends takes locks of the
 * sanitizer's, which the runtimes of gcc 12 and clang 14 leave locked in the child. */
pid_t settled_fork(void);

/* Runs `check` in a child; true if it came back true before so many seconds had passed. */
bool settled_fork_holds(bool (*check)(void), unsigned seconds);

#endif
