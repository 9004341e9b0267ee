/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bytes as what is done to a world, and bytes as a world. */
#ifndef CAROM_TESTS_FUZZ_WORLD_TMPL_H
#define CAROM_TESTS_FUZZ_WORLD_TMPL_H

#include "tests/fuzz/bytes.h"
#include "tests/fuzz/contexts.h"

/* Makes worlds and does with them what the bytes say. */
void fuzz_world_run_f32(const fuzz_contexts *contexts, fuzz_bytes bytes);
void fuzz_world_run_f64(const fuzz_contexts *contexts, fuzz_bytes bytes);

/* Loads bytes. What they make is stepped, added to, saved and emptied. */
void fuzz_snapshot_run_f32(const fuzz_contexts *contexts, const uint8_t *bytes, size_t size);
void fuzz_snapshot_run_f64(const fuzz_contexts *contexts, const uint8_t *bytes, size_t size);

#endif
