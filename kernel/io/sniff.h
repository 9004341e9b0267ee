/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Tells a file's format from its first lines, since names of files are often wrong or missing. */
#ifndef CAROM_IO_SNIFF_H
#define CAROM_IO_SNIFF_H

#include "kernel/io/format.h"
#include "kernel/io/text.h"

/* The format whose first lines look like the file's; UNKNOWN if none do. Whether the rest is well formed is for the
 * reader to say, with the line. */
carom_format carom_sniff(const carom_text *text);

#endif
