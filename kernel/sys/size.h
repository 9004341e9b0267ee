/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Sizes without overflow: UINT64_MAX when the true result does not fit, which no allocation satisfies. */
#ifndef CAROM_SYS_SIZE_H
#define CAROM_SYS_SIZE_H

#include <stdint.h>

uint64_t carom_size_add(uint64_t a, uint64_t b);
uint64_t carom_size_multiply(uint64_t a, uint64_t b);

#endif
