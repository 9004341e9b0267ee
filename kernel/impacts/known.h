/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Pairs that were found again although rows have them. In a small periodic box a fast body has rows with thousands of
 * images, and finds most of them again whenever its hull is widened. */
#ifndef CAROM_IMPACTS_KNOWN_H
#define CAROM_IMPACTS_KNOWN_H

#include <stdbool.h>

#include "kernel/impacts/window.h"

/* Drops from a list of carom_contact_pair, no two of which are alike, those that the row of body a has. What is left is
 * in order of a, other and image. A row is walked once for all its pairs. `room` is for any use. False if there is no
 * memory. */
bool carom_known_drop(const carom_impacts_rows *rows, carom_memory *memory, carom_list *found, carom_buffer *room);

#endif
