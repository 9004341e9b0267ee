/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Sums and products of sizes. A result that does not fit is UINT64_MAX, which no allocation satisfies: so a size that
 * overflows is refused like one that is too large, and nobody has to check for it. */
#ifndef CAROM_SYS_SIZE_H
#define CAROM_SYS_SIZE_H

#include <stdint.h>

/* a + b, or UINT64_MAX. */
uint64_t carom_size_add(uint64_t a, uint64_t b);
/* a b, or UINT64_MAX. */
uint64_t carom_size_multiply(uint64_t a, uint64_t b);

#endif
