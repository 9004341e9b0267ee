// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// What bodies in motion are judged by: their energy and momentum, the impacts that they should have had, and overlaps.
#ifndef CAROM_PEERS_STEP_MEASURES_H
#define CAROM_PEERS_STEP_MEASURES_H

#include "bench/peers/peer.h"
#include "bench/peers/stepper.h"

namespace peers {

// A standard scene in motion: its displacements are the velocities. Throws std::runtime_error.
moving moving_scene(char letter, std::uint64_t count, std::uint64_t seed);

// In long double, so that its own rounding is not taken for that of the steps.
long double energy(const moving &bodies);

// Length of the change of all momentum from one to the other, over the sum of all bodies' speeds before.
double momentum_change(const moving &before, const moving &after);

// Pairs that certainly collide in the first step: those for both of which it is the first impact, by carom_step_f64.
// Until then both fly freely, whatever happens elsewhere. Bodies that overlap at first do not count: where several
// approach at once, their order decides who collides.
std::vector<pair> first_impacts(const moving &bodies);

// How many of these impacts certainly did not happen: an impact changes both bodies' velocities, and of these pairs at
// least one body still has the very velocity that it had before. Others may have hit it instead, so more can be
// missing.
std::size_t missed(const std::vector<pair> &impacts, const moving &before, const moving &after);

// Pairs of bodies that overlap by more than a hundredth of their radii. Impacts make none: in exact motion, those of
// the beginning get fewer.
std::size_t overlaps(const moving &bodies);

} // namespace peers

#endif
