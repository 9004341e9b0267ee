/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The seven arrays of bodies, in one buffer: three of positions before, three after, radii. They lie a few lines more
 * than whole pages apart, since arrays at the same place in their pages would compete for the same lines of the cache.
 */
#ifndef CAROM_CLI_COLUMNS_H
#define CAROM_CLI_COLUMNS_H

#include "carom/bodies.h"
#include "kernel/cli/say.h"
#include "kernel/scene/scene.h"
#include "kernel/sys/memory.h"

enum { CAROM_COLUMNS = 7 };

/* Room for `count` bodies with numbers of `size` bytes. Says what is missing if there is no memory. */
carom_exit carom_columns_reserve(carom_memory *memory, carom_buffer *buffer, uint64_t count, uint64_t size,
                                 void *column[CAROM_COLUMNS]);

/* Copies a scene's bodies into the arrays, of doubles or of floats, from number `first` on. */
void carom_columns_put(void *const column[CAROM_COLUMNS], uint64_t first, bool wide, const carom_scene_f32 *scene);

/* The arrays as bodies. */
carom_bodies_f32 carom_columns_f32(void *const column[CAROM_COLUMNS], uint64_t count);
carom_bodies_f64 carom_columns_f64(void *const column[CAROM_COLUMNS], uint64_t count);

#endif
