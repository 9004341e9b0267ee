/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Hulls wrapped into a periodic box. Within a step bodies fly on through its faces: after many edges the box around all
 * hulls holds many images of each. Hulls that are moved by whole edges, so that their middles lie in one box, are near
 * few images of each other. A tree over them finds the same pairs, at other images. */
#ifndef CAROM_IMPACTS_WRAPPED_H
#define CAROM_IMPACTS_WRAPPED_H

#include "kernel/impacts/boxes.h"
#include "kernel/impacts/hulls.h"
#include "kernel/sys/memory.h"
#include "kernel/sys/team.h"

/* How many edges a hull was moved back. */
typedef struct carom_wrapped_edges {
    int16_t edge[3];
} carom_wrapped_edges;

/* Zero-initialise before the first use. */
typedef struct carom_wrapped {
    carom_hull_box *box;        /* for each slot, rounded outward, with room for a tree */
    carom_wrapped_edges *edges; /* for each slot */
    double dual[3][3];          /* of the periodic box */
    carom_buffer box_buffer;
    carom_buffer edges_buffer;
} carom_wrapped;

/* Wraps all hulls. Errors: MEMORY. */
carom_status carom_wrapped_make(carom_wrapped *wrapped, carom_memory *memory, const carom_team *team,
                                const carom_hulls *hulls, const carom_impacts_bodies *bodies);

/* Wraps the hull of a slot, which has become another one. */
void carom_wrapped_renew(const carom_wrapped *wrapped, const carom_hulls *hulls, const carom_periodic *periodic,
                         uint32_t slot);

/* The code of the image at which slot b's hull meets slot a's, if the wrapped ones meet at that many edges; false if it
 * is more than CAROM_IMAGE_MOST edges away, and has none. */
bool carom_wrapped_image(const carom_wrapped *wrapped, uint32_t a, uint32_t b, const int32_t edges[3], uint32_t *code);

void carom_wrapped_release(carom_wrapped *wrapped, carom_memory *memory);

#endif
