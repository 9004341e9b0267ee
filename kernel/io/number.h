/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Decimal numbers to doubles, rounded correctly, whatever the locale. Most numbers in files have at most 15 digits, for
 * which one division is exact enough and several times faster than strtod. */
#ifndef CAROM_IO_NUMBER_H
#define CAROM_IO_NUMBER_H

#include <stdbool.h>

/* The whole of [begin, end) as a number; false if it is none. Also reads inf and nan. Nothing past end is looked at. */
bool carom_number_parse(const char *begin, const char *end, double *value);

#endif
