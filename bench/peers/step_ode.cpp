// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// ODE's rigid bodies, in double as its package has them: quick steps (successive over-relaxation) with a contact joint
// for each pair that overlaps when a step begins. The pairs come from its sweep-and-prune space, which is faster here
// than its hash space: 1.3 times on 10,000 bodies of the uniform scene, 5 times on 100,000.
#include <ode/ode.h>

#include "bench/peers/stepper.h"

namespace peers {
namespace {

class ode_world {
  public:
    explicit ode_world(const moving &bodies) {
        static const int initialised = dInitODE2(0);
        (void)initialised;
        world_ = dWorldCreate();
        joints_ = dJointGroupCreate(0);
        space_ = dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XYZ);
        dWorldSetERP(world_, 0);
        dWorldSetCFM(world_, 0);
        for (std::size_t n = 0; n < bodies.count(); n++) {
            add(bodies, n);
        }
    }

    // Last in, first out: a space is a list with its newest member at its head.
    ~ode_world() {
        dJointGroupDestroy(joints_);
        while (!bodies_.empty()) {
            dGeomDestroy(dBodyGetFirstGeom(bodies_.back()));
            dBodyDestroy(bodies_.back());
            bodies_.pop_back();
        }
        dSpaceDestroy(space_);
        dWorldDestroy(world_);
    }
    ode_world(const ode_world &) = delete;
    ode_world &operator=(const ode_world &) = delete;

    void step(double length) {
        impacts_ = 0;
        dSpaceCollide(space_, this, meet);
        dWorldQuickStep(world_, length);
        dJointGroupEmpty(joints_);
    }

    // Overlapping pairs that approached when the last step began.
    std::uint64_t impacts() const {
        return impacts_;
    }

    void read(moving &bodies) const {
        for (std::size_t n = 0; n < bodies_.size(); n++) {
            for (int a = 0; a < 3; a++) {
                bodies.x[a][n] = dBodyGetPosition(bodies_[n])[a];
                bodies.v[a][n] = dBodyGetLinearVel(bodies_[n])[a];
            }
        }
    }

  private:
    void add(const moving &from, std::size_t n) {
        dBodyID body = dBodyCreate(world_);
        dGeomID geom = dCreateSphere(space_, from.radius[n]);
        dMass mass;
        dMassSetSphereTotal(&mass, 1, from.radius[n]);
        dBodySetMass(body, &mass);
        dBodySetPosition(body, from.x[0][n], from.x[1][n], from.x[2][n]);
        dBodySetLinearVel(body, from.v[0][n], from.v[1][n], from.v[2][n]);
        dGeomSetBody(geom, body);
        bodies_.push_back(body);
    }

    static bool approach(const dReal *v, const dReal *w, const dReal *normal) {
        return (v[0] - w[0]) * normal[0] + (v[1] - w[1]) * normal[1] + (v[2] - w[2]) * normal[2] < 0;
    }

    static void meet(void *self, dGeomID a, dGeomID b) {
        dContact contact;
        if (dCollide(a, b, 1, &contact.geom, sizeof contact) == 0) {
            return;
        }
        ode_world *w = static_cast<ode_world *>(self);
        dBodyID i = dGeomGetBody(a), k = dGeomGetBody(b);
        contact.surface.mode = dContactBounce;
        contact.surface.mu = 0;
        contact.surface.bounce = 1;
        contact.surface.bounce_vel = 0;
        w->impacts_ += approach(dBodyGetLinearVel(i), dBodyGetLinearVel(k), contact.geom.normal);
        dJointAttach(dJointCreateContact(w->world_, w->joints_, &contact), i, k);
    }

    dWorldID world_;
    dJointGroupID joints_;
    dSpaceID space_;
    std::vector<dBodyID> bodies_;
    std::uint64_t impacts_ = 0;
};

class ode_stepper : public stepper {
  public:
    using stepper::stepper;
    void load(const moving &bodies) override {
        world_.reset();
        world_ = std::make_unique<ode_world>(bodies);
    }
    void step() override {
        world_->step(1.0 / parts());
    }
    std::uint64_t impacts() const override {
        return world_->impacts();
    }
    void read(moving &bodies) const override {
        world_->read(bodies);
    }
    void release() override {
        world_.reset();
    }

  private:
    std::unique_ptr<ode_world> world_;
};

} // namespace

void add_ode_steppers(stepper_list &list) {
    list.push_back(std::make_unique<ode_stepper>("ode", 1));
    list.push_back(std::make_unique<ode_stepper>("ode, 10 parts", 10));
}

} // namespace peers
