/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Bodies with shapes as the library takes them, in either precision. */
#ifndef CAROM_CLI_SHAPED_VIEW_H
#define CAROM_CLI_SHAPED_VIEW_H

#include "carom/bodies.h"
#include "kernel/cli/shaped.h"
#include "kernel/sys/memory.h"

/* Views the arrays themselves. */
carom_bodies_f64 carom_shaped_view_f64(const carom_shaped *shaped);

/* Views arrays of floats in `converted`, which it fills. INPUT, with a message, if a number is too large for a float;
 * RESOURCES. */
carom_exit carom_shaped_view_f32(const carom_shaped *shaped, carom_memory *memory, carom_buffer *converted,
                                 carom_bodies_f32 *bodies);

#endif
