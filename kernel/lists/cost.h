/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Whether lists by cells take less time than those of a detection. In: how many candidates and neighbours a body has in
 * the mean. Where bodies move, or a box is periodic, a guess from a sample of them comes first, so that sparse scenes
 * do not pay for a grid. */
#ifndef CAROM_LISTS_COST_H
#define CAROM_LISTS_COST_H

#include <stdbool.h>

#include "carom/detect.h"
#include "kernel/periodic/image_set.h"

/* What costs depend on. */
typedef struct carom_lists_task {
    bool moves;
    bool periodic;
    bool pairs; /* wanted once, without rows */
} carom_lists_task;

/* Whether cells cost less than a detection. `reason` receives the line that says so. */
bool carom_lists_pay(const carom_lists_task *task, double candidates, double neighbours, char reason[CAROM_REASON_MAX]);

/* The same, if the bodies of the source lie evenly in the box, or in their range. periodic: NULL in open space. */
bool carom_lists_may_pay(const carom_image_source *source, const carom_lists_task *task, const carom_periodic *periodic,
                         char reason[CAROM_REASON_MAX]);

#endif
