/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The files of `carom detect --pairs`, `--all-pairs` and `--groups`. They come from an untimed call of their own: the
 * timed calls neither sort pairs nor list members. */
#ifndef CAROM_CLI_LISTS_H
#define CAROM_CLI_LISTS_H

#include "kernel/cli/subject.h"

/* Writes what the options ask for, if anything, from one more call that keeps the pairs, in order of (i, k), and the
 * members of every group. CHECK if that call does not find what `summary` says. */
carom_exit carom_lists_write(const carom_detect_options *options, const carom_subject *subject, carom_context *context,
                             const carom_detect_summary *summary);

#endif
