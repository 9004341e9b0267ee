/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Neighbour lists by cells. In: checked arguments. Out: the lists, or word that cells are not the way. */
#ifndef CAROM_LISTS_LISTS_TMPL_H
#define CAROM_LISTS_LISTS_TMPL_H

#include "carom/lists.h"
#include "kernel/lists/images.h"
#include "kernel/store/context.h"
#include "simd/precision.h"

#define carom_lists_by_cells CAROM_REAL(carom_lists_by_cells)

/* Makes the lists and sets lists->by_cells; leaves it false, and all else as it is, if cells do not pay for these
 * bodies, or some of them are not valid. The bodies are spheres whose radii decide, at rest unless `moves`; there is at
 * least one. images: NULL, or, of doubles, the bodies' own; then rows hold keys. *fits: whether there is a grid for
 * these bodies. Errors: MEMORY, with lists->required_bytes; CANCELLED. Neither is described. */
carom_status carom_lists_by_cells(carom_context *context, const carom_bodies *bodies, bool moves,
                                  const carom_lists_images *images, const carom_list_config *config, carom_lists *lists,
                                  bool *fits);

#endif
