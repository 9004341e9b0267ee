/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A context for every instruction set that this CPU runs and every number of threads that a test asks for. */
#ifndef CAROM_TESTS_ISA_CONTEXTS_H
#define CAROM_TESTS_ISA_CONTEXTS_H

#include <stdint.h>

#include "carom/context.h"

enum { ISA_CONTEXTS_MOST = 32 };
extern carom_context *isa_contexts[ISA_CONTEXTS_MOST];
extern uint64_t isa_context_count;

/* Makes them, the threads of one instruction set side by side. Returns 0, for a group's set-up. */
int isa_contexts_make(const uint32_t *threads, uint64_t thread_counts);

/* A group's tear-down. */
int isa_contexts_destroy(void **state);

#endif
