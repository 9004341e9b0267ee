/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* When a search for a time of impact has to begin. */
#ifndef CAROM_NARROW_BEGIN_H
#define CAROM_NARROW_BEGIN_H

#include "kernel/narrow/advance.h"

/* Whether the search has to look at poses, and from which time on: before that the shapes do not touch. If not, `found`
 * is the answer. */
bool carom_begin_search(carom_advance *s, double *start);

/* Of a pair that never was looked at callers still get a distance, from a look at the start of the step. Prepares the
 * search for that one look. False if the shapes are so far apart that `found` is the answer. */
bool carom_begin_once(carom_advance *s);

#endif
