/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The leaves of the tree in which bodies that left their hulls look for others. They are hulls; in a periodic box,
 * wrapped into it. Within a step bodies fly on through its faces: after many edges the box around all hulls holds many
 * images of each. Hulls that are moved by whole edges, so that their middles lie in one box, are near few images of
 * each other. They meet at other images, of which carom_leaves_image tells the code. While all are near the box none is
 * moved: those at opposite faces would be neighbours in the tree.
 *   Where bodies that were in the order of space have mixed, leaves are put in that order again. */
#ifndef CAROM_IMPACTS_LEAVES_H
#define CAROM_IMPACTS_LEAVES_H

#include "kernel/impacts/boxes.h"
#include "kernel/impacts/hulls.h"
#include "kernel/impacts/order.h"

/* How many edges a hull was moved back. */
typedef struct carom_leaves_edges {
    int16_t edge[3];
} carom_leaves_edges;

/* Zero-initialise before the first use. */
typedef struct carom_leaves {
    carom_hull_box *box;       /* of each leaf, rounded outward, with room for a tree; or the hulls themselves */
    const uint32_t *slot;      /* of each leaf, and */
    const uint32_t *leaf;      /* of each slot; both NULL: leaf n is slot n */
    carom_leaves_edges *edges; /* for each slot; in open space not used */
    double dual[3][3];         /* of the periodic box */
    bool wraps;                /* some hull is far outside the box */
    carom_order order;
    carom_buffer box_buffer;
    carom_buffer edges_buffer;
} carom_leaves;

/* Lets all hulls of open space be leaves as they are. */
void carom_leaves_take(carom_leaves *leaves, const carom_hulls *hulls);

/* Makes the leaves of all hulls. Errors: MEMORY. */
carom_status carom_leaves_make(carom_leaves *leaves, carom_memory *memory, carom_context *context,
                               const carom_hulls *hulls, const carom_impacts_bodies *bodies);

/* Makes the leaf of a slot anew, whose hull has become another one. */
void carom_leaves_renew(const carom_leaves *leaves, const carom_hulls *hulls, const carom_impacts_bodies *bodies,
                        uint32_t slot);

/* Whether leaf n is slot n's hull. */
static inline bool carom_leaves_are(const carom_leaves *leaves, const carom_hulls *hulls) {
    return leaves->box == hulls->box;
}

static inline uint32_t carom_leaves_of(const carom_leaves *leaves, uint32_t slot) {
    return leaves->leaf != NULL ? leaves->leaf[slot] : slot;
}

static inline uint32_t carom_leaves_slot(const carom_leaves *leaves, uint32_t leaf) {
    return leaves->slot != NULL ? leaves->slot[leaf] : leaf;
}

/* Of a periodic box: the code of the image at which slot b's hull meets slot a's, if the leaves meet at that many
 * edges. False if it is more than CAROM_IMAGE_MOST edges away, and has none. */
bool carom_leaves_image(const carom_leaves *leaves, uint32_t a, uint32_t b, const int32_t edges[3], uint32_t *code);

void carom_leaves_release(carom_leaves *leaves, carom_memory *memory);

#endif
