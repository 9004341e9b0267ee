/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The finaliser of splitmix64 (Steele, Lea, Flood 2014): a bijection of 64-bit words that spreads every bit. */
#ifndef CAROM_SYS_MIX_H
#define CAROM_SYS_MIX_H

#include <stdint.h>

static inline uint64_t carom_mix64(uint64_t z) {
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

#endif
