/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Whether lists by cells take less time than those of a detection. In: how many candidates and neighbours a body has in
 * the mean. Where bodies move, or a box is periodic, a guess from a sample of them comes first, so that sparse scenes
 * do not pay for a grid. */
#ifndef CAROM_LISTS_COST_H
#define CAROM_LISTS_COST_H

#include <stdbool.h>

#include "carom/periodic.h"
#include "kernel/periodic/image_set.h"

/* pairs: they are wanted once, without rows. */
bool carom_lists_pay(bool moves, bool periodic, bool pairs, double candidates, double neighbours);

/* The same, if the bodies of the source lie evenly in the box, or in their range. periodic: NULL in open space. */
bool carom_lists_may_pay(const carom_image_source *source, bool moves, bool pairs, const carom_periodic *periodic);

#endif
