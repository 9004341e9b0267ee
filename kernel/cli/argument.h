/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Numbers as people type them on a command line, parsed strictly: the whole word is the number, or it is an error. */
#ifndef CAROM_CLI_ARGUMENT_H
#define CAROM_CLI_ARGUMENT_H

#include <stdbool.h>
#include <stdint.h>

/* 2^53: up to here every whole number is a double. */
#define CAROM_WHOLE_DOUBLE_MAX 0x1p53

/* A whole number in [least, greatest], as digits ("1000000") or in decimal notation ("1e6", up to 2^53). False, and
 * *number untouched, otherwise. */
bool carom_argument_whole(const char *text, uint64_t least, uint64_t greatest, uint64_t *number);

/* A finite decimal number, sign and exponent allowed; no hexadecimal, "inf" or "nan", no blanks. */
bool carom_argument_real(const char *text, double *number);

/* Exactly 16 hexadecimal digits. */
bool carom_argument_hash(const char *text, uint64_t *number);

#endif
