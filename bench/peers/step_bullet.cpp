// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// Bullet's rigid bodies, in float as its package has them: a discrete dynamics world with its sequential impulses. It
// answers to overlaps of a step's beginning, in the step after they arose; with continuous collision detection it also
// sweeps each body through the others' positions. Bodies do not turn: without friction nothing would turn them.
#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h>
#include <btBulletDynamicsCommon.h>

#include <map>

#include "bench/peers/stepper.h"

namespace peers {
namespace {

// Manifolds and algorithms that come from a pool, for each body. Pairs beyond that come from the heap.
constexpr int POOL_A_BODY = 4;

// Continuous detection: the motion in a step from which a body is swept, and the sphere inside it that is, over its
// radius. Half is the best of 0.2, 0.5 and 1: swept whole, bodies that touch hinder one another, and the dense scene
// gains a third of its energy in ten steps, or loses two thirds without Bullet's restitution of speculative contacts.
constexpr double SWEPT_FROM = 0.01, SWEPT = 0.5;

btDefaultCollisionConstructionInfo pools(std::size_t count) {
    btDefaultCollisionConstructionInfo info;
    info.m_defaultMaxPersistentManifoldPoolSize = POOL_A_BODY * int(count);
    info.m_defaultMaxCollisionAlgorithmPoolSize = POOL_A_BODY * int(count);
    return info;
}

struct remove_all : btOverlapCallback {
    bool processOverlap(btBroadphasePair &) override {
        return true;
    }
};

class bullet_world {
  public:
    bullet_world(const moving &bodies, bool continuous)
        : configuration_(pools(bodies.count())), dispatcher_(&configuration_),
          world_(&dispatcher_, &broadphase_, &solver_, &configuration_) {
        set_rules(continuous);
        bodies_.reserve(bodies.count());
        for (std::size_t n = 0; n < bodies.count(); n++) {
            add(bodies, n, continuous);
        }
    }

    // Bullet searches all pairs for those of each body that goes: they go first, at once.
    ~bullet_world() {
        remove_all all;
        broadphase_.getOverlappingPairCache()->processAllOverlappingPairs(&all, &dispatcher_);
        while (!bodies_.empty()) {
            world_.removeRigidBody(bodies_.back().get());
            bodies_.pop_back();
        }
    }
    bullet_world(const bullet_world &) = delete;
    bullet_world &operator=(const bullet_world &) = delete;

    void step(double length) {
        world_.stepSimulation(btScalar(length), 0);
    }

    // Contacts of the last step that changed velocities.
    std::uint64_t impulses() const {
        std::uint64_t count = 0;
        for (int n = 0; n < dispatcher_.getNumManifolds(); n++) {
            const btPersistentManifold *manifold = dispatcher_.getManifoldByIndexInternal(n);
            for (int point = 0; point < manifold->getNumContacts(); point++) {
                count += manifold->getContactPoint(point).m_appliedImpulse > 0;
            }
        }
        return count;
    }

    void read(moving &bodies) const {
        for (std::size_t n = 0; n < bodies_.size(); n++) {
            for (int a = 0; a < 3; a++) {
                bodies.x[a][n] = bodies_[n]->getWorldTransform().getOrigin()[a];
                bodies.v[a][n] = bodies_[n]->getLinearVelocity()[a];
            }
        }
    }

  private:
    void set_rules(bool continuous) {
        btContactSolverInfo &info = world_.getSolverInfo();
        info.m_restitutionVelocityThreshold = 0;
        info.m_erp = 0;
        info.m_erp2 = 0;
        world_.setGravity({0, 0, 0});
        world_.setApplySpeculativeContactRestitution(continuous);
    }

    btSphereShape *shape_of(double radius) {
        std::unique_ptr<btSphereShape> &shape = shapes_[radius];
        if (shape == nullptr) {
            shape = std::make_unique<btSphereShape>(btScalar(radius));
        }
        return shape.get();
    }

    void add(const moving &from, std::size_t n, bool continuous) {
        btRigidBody::btRigidBodyConstructionInfo info(1, nullptr, shape_of(from.radius[n]));
        info.m_startWorldTransform.setIdentity();
        info.m_startWorldTransform.setOrigin({btScalar(from.x[0][n]), btScalar(from.x[1][n]), btScalar(from.x[2][n])});
        info.m_restitution = 1;
        info.m_friction = 0;
        auto body = std::make_unique<btRigidBody>(info);
        body->setLinearVelocity({btScalar(from.v[0][n]), btScalar(from.v[1][n]), btScalar(from.v[2][n])});
        body->setActivationState(DISABLE_DEACTIVATION);
        if (continuous) {
            body->setCcdMotionThreshold(btScalar(SWEPT_FROM * from.radius[n]));
            body->setCcdSweptSphereRadius(btScalar(SWEPT * from.radius[n]));
        }
        world_.addRigidBody(body.get());
        bodies_.push_back(std::move(body));
    }

    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_;
    btDbvtBroadphase broadphase_;
    btSequentialImpulseConstraintSolver solver_;
    btDiscreteDynamicsWorld world_;
    std::map<double, std::unique_ptr<btSphereShape>> shapes_;
    std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

class bullet_stepper : public stepper {
  public:
    bullet_stepper(const std::string &name, bool continuous, int parts)
        : stepper(name, parts), continuous_(continuous) {
    }
    void load(const moving &bodies) override {
        world_.reset();
        world_ = std::make_unique<bullet_world>(bodies, continuous_);
    }
    void step() override {
        world_->step(1.0 / parts());
    }
    std::uint64_t impacts() const override {
        return world_->impulses();
    }
    void read(moving &bodies) const override {
        world_->read(bodies);
    }
    void release() override {
        world_.reset();
    }

  private:
    bool continuous_;
    std::unique_ptr<bullet_world> world_;
};

} // namespace

void add_bullet_steppers(stepper_list &list) {
    list.push_back(std::make_unique<bullet_stepper>("bullet", false, 1));
    list.push_back(std::make_unique<bullet_stepper>("bullet, 10 parts", false, 10));
    list.push_back(std::make_unique<bullet_stepper>("bullet, continuous", true, 1));
}

} // namespace peers
