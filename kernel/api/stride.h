/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Distances between values in a caller's arrays. */
#ifndef CAROM_API_STRIDE_H
#define CAROM_API_STRIDE_H

#include <stddef.h>
#include <stdint.h>

#include "carom/status.h"

/* Refuses a stride at which values of `value` bytes overlap, are not aligned, or leave the address space. `name` is for
 * the message: "bodies.prev_stride". Errors: ARGUMENT. */
carom_status carom_stride_check(const char *name, uint64_t stride, uint64_t count, size_t value, carom_error *error);

#endif
