/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Images in a box that is tilted so much that the caller's edges to a neighbour are many: their codes count edges of a
 * reduced basis, of which there are few. All that is computed from an image, and the order of images, is that of the
 * caller's edges: so results do not depend on which edges codes count. */
#ifndef CAROM_IMPACTS_SHIFT_H
#define CAROM_IMPACTS_SHIFT_H

#include "kernel/periodic/lattice.h"
#include "kernel/response/image.h"

/* Whether the box is tilted by more than some 12 of its widths: then codes that count the caller's edges soon do not
 * reach the neighbours. False if the caller's edges to some image are not a number of 32 bits, by far. */
bool carom_shift_is_tilted(const carom_lattice *lattice);

/* The box whose edges are the reduced ones. */
carom_periodic carom_shift_reduced(const carom_lattice *lattice);

/* The caller's edges to the image of a code in that box. */
void carom_shift_edges(const carom_lattice *lattice, uint32_t code, int32_t edges[3]);

/* The image itself: where carom_image_of would have it by the caller's edges, or, if they are more than
 * CAROM_IMAGE_MOST, at their sum as carom_lattice_displacement computes it. */
carom_pair_image carom_shift_image(const carom_lattice *lattice, uint32_t code);

/* Whether the image of one code comes before that of another in the order of the caller's shifts. */
bool carom_shift_precedes(const carom_lattice *lattice, uint32_t a, uint32_t b);

#endif
