/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Scenes at the edge of touching, which the standard ones never come near: their decisions are left over by floats, and
 * those of the first by doubles too. Made of integers and correctly rounded operations, the same on every machine.
 *
 *   t tangent  a cubic lattice of integers, radii 1 and 2, displacements along axes and of 3-4-5 triangles: three of
 *              four touching pairs do so at one instant only, at the start, within the step or at its end
 *   n near     pairs of bodies whose radii make up their least distance, but for 0 to 3 float steps: gaps and overlaps
 *              of about 1e-7 of it */
#ifndef CAROM_TESTS_MATRIX_EDGE_SCENE_H
#define CAROM_TESTS_MATRIX_EDGE_SCENE_H

#include <stdbool.h>

#include "kernel/scene/scene.h"

bool edge_scene_knows(char letter);

/* `letter` is one of the two. The tangent scene has a box in which it may be repeated, the near one has none. Ends the
 * program if there is no memory. */
carom_scene_f32 edge_scene_make(char letter, uint64_t count);

void edge_scene_release(carom_scene_f32 *scene);

#endif
