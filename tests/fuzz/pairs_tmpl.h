/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Pairs of shapes made of an input's bytes, in both precisions. */
#ifndef CAROM_TESTS_FUZZ_PAIRS_TMPL_H
#define CAROM_TESTS_FUZZ_PAIRS_TMPL_H

#include "carom/shapes.h"
#include "tests/fuzz/bytes.h"

/* Makes bodies and pairs of what is left of the bytes, and checks what the library says of them. `pick` names contexts. */
void fuzz_pairs_f32(fuzz_bytes *bytes, unsigned pick, const carom_shapes *shapes);
void fuzz_pairs_f64(fuzz_bytes *bytes, unsigned pick, const carom_shapes *shapes);

/* A number: a small multiple of a half, an ordinary one, one of any exponent that shapes may have, or any bits. */
double fuzz_pairs_number(fuzz_bytes *bytes);

#endif
