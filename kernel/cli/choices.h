/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Values that options of several commands take: a word of a list, a count, axes, names of formats and instruction sets.
 * Each function returns whether the value is valid, and says in `wanted` what it would have taken (options.h). */
#ifndef CAROM_CLI_CHOICES_H
#define CAROM_CLI_CHOICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/cli/options.h"
#include "kernel/io/format.h"

/* Index of `value` among the names. If it is none of them: -1, and a list of the names in `wanted`. */
int carom_choices_find(const char *value, const char *const *names, size_t count, const char *what,
                       char wanted[CAROM_WANTED_SIZE]);

/* A count in [1, greatest]. */
bool carom_choices_count(const char *value, uint32_t greatest, uint32_t *number, char wanted[CAROM_WANTED_SIZE]);

/* A finite number of at least `least`, which is 0 or -INFINITY. */
bool carom_choices_real(const char *value, double least, double *number, char wanted[CAROM_WANTED_SIZE]);

/* "xyz" or a part of it, in any order. */
bool carom_choices_axes(const char *value, bool along[3], char wanted[CAROM_WANTED_SIZE]);

/* An instruction set of the library that this CPU has. */
bool carom_choices_isa(const char *value, char wanted[CAROM_WANTED_SIZE]);

/* "f32" or "f64". */
bool carom_choices_precision(const char *value, bool *f64, char wanted[CAROM_WANTED_SIZE]);

/* A format of bodies, or of lists: csv and npy. */
bool carom_choices_format(const char *value, bool of_lists, carom_format *format, char wanted[CAROM_WANTED_SIZE]);

/* An option without a value: raises its flag. */
bool carom_choices_flag(const char *value, bool *flag, char wanted[CAROM_WANTED_SIZE]);

/* A name that is not empty. */
bool carom_choices_path(const char *value, const char **path, char wanted[CAROM_WANTED_SIZE]);

#endif
