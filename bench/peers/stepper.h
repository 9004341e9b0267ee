// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// What every library under comparison is asked to do with bodies in motion: one step after another of spheres that
// bounce off one another without loss.
//
// The rules, the same for all:
// - Bodies have mass 1, their scene's radii, and the velocities that its displacements are in a step of length 1.
//   There is no gravity, friction, damping or rest, and restitution is 1.
// - step() is what is timed. load() makes what a program would keep from step to step (a world, its bodies). Loading,
//   counting and reading are not timed.
// - Libraries that correct overlaps by moving bodies apart are told not to, as that brings in energy. Nothing else of
//   their solvers is changed but what the rule above asks for.
// - A stepper of several parts cuts a step into that many of its own: slower, and closer to the exact motion.
#ifndef CAROM_PEERS_STEPPER_H
#define CAROM_PEERS_STEPPER_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace peers {

// Spheres of mass 1.
struct moving {
    std::vector<double> x[3], v[3], radius;
    std::size_t count() const {
        return radius.size();
    }
};

class stepper {
  public:
    explicit stepper(std::string name, int parts = 1) : name_(std::move(name)), parts_(parts) {
    }
    virtual ~stepper() = default;
    const std::string &name() const {
        return name_;
    }

    // Into how many parts it cuts a step.
    int parts() const {
        return parts_;
    }

    // Takes new bodies; what was there is dropped.
    virtual void load(const moving &bodies) = 0;

    // Moves them through a part of a step: all of it, if there is one part.
    virtual void step() = 0;

    // Impacts in the last call of step(), as the library can tell them.
    virtual std::uint64_t impacts() const = 0;

    // Where the bodies are now. Their number and radii are those that were loaded.
    virtual void read(moving &bodies) const = 0;

    // Gives back the bodies' memory.
    virtual void release() = 0;

  private:
    std::string name_;
    int parts_;
};

using stepper_list = std::vector<std::unique_ptr<stepper>>;

void add_carom_stepper(stepper_list &list);
void add_queue_stepper(stepper_list &list);
void add_bullet_steppers(stepper_list &list);
void add_ode_steppers(stepper_list &list);

stepper_list all_steppers();

} // namespace peers

#endif
