/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Moves the bodies of a world's table to other slots. No caller sees it: places stay. */
#ifndef CAROM_WORLD_REARRANGE_H
#define CAROM_WORLD_REARRANGE_H

#include "kernel/store/context.h"
#include "kernel/world/table.h"

/* Slot s gets the body that lies in slot from[s]; every slot is in `from` once. Works with the context's team. Errors:
 * MEMORY, CANCELLED; then nothing has changed. */
carom_status carom_rearrange(carom_world_table *table, carom_context *context, const uint32_t *from);

/* Gives each body the slot of its place. Errors: as carom_rearrange. */
carom_status carom_rearrange_back(carom_world_table *table, carom_context *context);

#endif
