/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bytes of any origin as text for a message or a report: what is not UTF-8, and control characters, which a terminal
 * might obey, become \xNN. */
#ifndef CAROM_IO_PRINTABLE_H
#define CAROM_IO_PRINTABLE_H

#include <stddef.h>

/* Writes at most size - 1 characters of [begin, end) and a '\0', and never a part of a character. size > 0. */
void carom_printable_copy(const char *begin, const char *end, char *to, size_t size);

#endif
