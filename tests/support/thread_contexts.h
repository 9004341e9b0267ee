/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Contexts with several numbers of threads, which share even small scenes. */
#ifndef CAROM_TESTS_THREAD_CONTEXTS_H
#define CAROM_TESTS_THREAD_CONTEXTS_H

#include <carom/carom.h>

/* Fails the program if one cannot be had. */
void thread_contexts_open(carom_context **contexts, const uint32_t *threads, uint32_t count,
                          uint64_t bodies_per_thread);

void thread_contexts_close(carom_context **contexts, uint32_t count);

#endif
