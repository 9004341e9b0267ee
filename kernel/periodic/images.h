/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Turns the bodies of a periodic box into bodies of open space. In: the caller's bodies and a lattice. Out: owned
 * bodies and images. Each body is moved into one cell of the lattice ("owned"). Copies of the bodies near the cell's
 * faces are added ("images"), displaced by lattice vectors that are lexicographically positive in the reduced basis. Of
 * a pair and the same pair seen from the other body, exactly one then consists of an owned body and an owned one or an
 * image: each touch is found once. An image is made where its box, in coordinates of the lattice, reaches the range of
 * the owned boxes; with boxes larger than the cell there are several layers. All in double, for both precisions: the
 * sum of a float and a displacement is not a float.
 *
 * Three passes: inspect.h looks at all bodies, place.h counts the images, then writes them. */
#ifndef CAROM_PERIODIC_IMAGES_H
#define CAROM_PERIODIC_IMAGES_H

#include "kernel/periodic/image_set.h"

/* Fills *images but for its lattice, self_images, most_images and unplaced, which are given. Values that are not finite
 * are left as they are, without images, for the survey of the bodies to find. O(bodies + images), in parallel; the same
 * for any number of workers. Errors: BODY (a body that could touch its own image, unless images->self_images; one that
 * is too far away; one that reaches across too many boxes), MEMORY (with *required, see carom_context_reserve),
 * CANCELLED. */
carom_status carom_images_make(carom_context *context, const carom_image_source *source, carom_images *images,
                               uint64_t *required, carom_error *error);

/* By how much the range of all boxes is widened along edge b of the basis: by what rounding can do to a range and to a
 * box held against it, whose coordinates along the axes are at most `size` from 0. Sets *coarse if it should be more.
 */
double carom_images_widening(const carom_lattice *lattice, uint32_t b, const double size[3], bool *coarse);

/* Cells that an image may be away from its body; see CAROM_WRAP_MOST. */
#define CAROM_SHIFT_MOST 1e8

/* Bytes of the buffers that carom_images_make takes for so many workers, bodies and images. */
uint64_t carom_images_bytes(uint32_t workers, uint64_t owned, uint64_t images);

/* How many images so many bodies may have that make `pairs` touching pairs: an estimate that lies above the number in
 * scenes of even density. lattice: of the box. The pairs tell how far bodies reach, which tells how many are near a
 * face. */
uint64_t carom_images_estimate(const carom_lattice *lattice, bool self_images, uint64_t owned, uint64_t pairs);

/* Whether the box is a column so narrow, of so few bodies, that one sweep along it may be the best search. */
bool carom_images_in_column(const carom_lattice *lattice, uint64_t owned, uint64_t pairs);

/* Whether there may be so many images that a sweep of the owned bodies is the best search. */
bool carom_images_in_crowd(bool self_images, uint64_t owned, uint64_t images);

/* Joins every image to its owner before groups are labelled. */
void carom_images_unite(const carom_team *team, const carom_images *images, const carom_group_workspace *workspace);

#endif
