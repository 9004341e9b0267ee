/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Rotations of bodies that turn from step to step, with the same bits on every machine. Rotations are quaternions x, y,
 * z, w of length 0.5 to 2, spins are rotation vectors in radians. kernel/scene/README.md has the definition. */
#ifndef CAROM_SCENE_TURN_H
#define CAROM_SCENE_TURN_H

/* Where a body that starts a step at `from` ends it: exp([spin]) times `from`, of length 1 to 2^-51. Without spin it is
 * `from` itself, of any length. `to` may be `from`. A component of 2^50 or more says nothing: then there is some
 * rotation. */
void carom_scene_turn_on(const double from[4], const double spin[3], double to[4]);

/* The spin of the shorter way between two rotations, to 2^-48. Of two ways of half a turn it is the one that begins
 * with a positive component. 0 for equal quaternions. */
void carom_scene_turn_between(const double from[4], const double to[4], double spin[3]);

#endif
