/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What a fuzz target has: libFuzzer calls it with bytes of its making, replay.c with those of the stored corpus. */
#ifndef CAROM_TESTS_FUZZ_TARGET_H
#define CAROM_TESTS_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

/* Aborts if what the library makes of the bytes is wrong. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Called once, before the first input. */
int LLVMFuzzerInitialize(int *argc, char ***argv);

#endif
