/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Contexts for fuzz targets: two of every instruction set, with one worker and with several. An input does the same in
 * them whenever it is run. */
#ifndef CAROM_TESTS_FUZZ_CONTEXTS_H
#define CAROM_TESTS_FUZZ_CONTEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/context.h"

/* Whether stored inputs are replayed: then all contexts are tried with each. The fuzzer tries one, which the input
 * names, so that it gets through as many inputs as it can. */
#ifdef CAROM_FUZZ_REPLAY
static const bool fuzz_thorough = true;
#else
static const bool fuzz_thorough = false;
#endif

/* What is held against what. */
typedef struct fuzz_contexts {
    carom_context *reference; /* scalar, one worker */
    carom_context *tried;
} fuzz_contexts;

/* Makes all; they are released when the program ends. */
void fuzz_contexts_start(void);

/* How many an input is to be tried in. */
size_t fuzz_contexts_count(void);

/* The n-th of these for an input. */
fuzz_contexts fuzz_contexts_of(unsigned pick, size_t n);

#endif
