/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Neighbour lists by cells. In: checked arguments. Out: the lists, or word that cells are not the way. */
#ifndef CAROM_LISTS_LISTS_TMPL_H
#define CAROM_LISTS_LISTS_TMPL_H

#include "carom/lists.h"
#include "kernel/store/context.h"
#include "simd/precision.h"

#define carom_lists_by_cells CAROM_REAL(carom_lists_by_cells)

/* Makes the lists and sets lists->by_cells; leaves it false, and all else as it is, if cells do not pay for these bodies,
 * or some of them are not valid. The bodies are at rest spheres whose radii decide; there is at least one. Errors: MEMORY,
 * with lists->required_bytes; CANCELLED. Neither is described. */
carom_status carom_lists_by_cells(carom_context *context, const carom_bodies *bodies, const carom_list_config *config,
                                  carom_lists *lists);

#endif
