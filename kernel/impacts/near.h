/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Which boxes a surface may be hit in. */
#ifndef CAROM_IMPACTS_NEAR_H
#define CAROM_IMPACTS_NEAR_H

#include "carom/surface.h"
#include "kernel/impacts/boxes.h"

/* Whether a body that stays in the box may hit a surface, which is a unit carom_surface. Says yes too often rather than
 * too rarely. The signature is that of carom_tree_meets. */
bool carom_surface_near(const void *surface, const carom_box *box);

#endif
