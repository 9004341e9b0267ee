/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Unpacks what gzip has packed, told by its first bytes. By zlib, where the build has it. */
#ifndef CAROM_IO_GUNZIP_H
#define CAROM_IO_GUNZIP_H

#include <stdbool.h>

#include "kernel/io/load.h"

/* Whether the bytes begin as gzip's do: no format read here begins so. */
bool carom_gunzip_is_packed(const carom_loaded *loaded);

/* Replaces the bytes by what they unpack to, which has room for a '\0' behind it. Several packed files in a row are
 * one. Errors: FORMAT (damaged, cut short, or no zlib in this build), MEMORY; *loaded then holds what is to be
 * released. */
carom_status carom_gunzip(const char *name, carom_loaded *loaded, carom_error *error);

#endif
