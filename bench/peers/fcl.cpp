// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// FCL's broad phases, in double as its package has them compiled: the dynamic AABB tree, the simplified sweep and
// prune, and spatial hashing (cells twice as wide as the mean box, a table of N, bounds of the scene from its own
// computeBound). The collision objects, with their boxes set, are made once a scene and not timed.
#include <fcl/broadphase/broadphase_SSaP.h>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/broadphase/broadphase_spatialhash.h>
#include <fcl/config.h>
#include <fcl/geometry/shape/box.h>

#include <algorithm>

#include "bench/peers/peer.h"

namespace peers {
namespace {

using real = double;
using object = fcl::CollisionObject<real>;
using vector3 = fcl::Vector3<real>;
using manager = fcl::BroadPhaseCollisionManager<real>;

// An object whose box is what it is told to be; its geometry is never looked at.
class boxed : public object {
  public:
    boxed(const std::shared_ptr<fcl::CollisionGeometry<real>> &geometry, const boxes &b, std::size_t n)
        : object(geometry), body(std::uint32_t(n)) {
        aabb =
            fcl::AABB<real>(vector3(b.lo[0][n], b.lo[1][n], b.lo[2][n]), vector3(b.hi[0][n], b.hi[1][n], b.hi[2][n]));
    }
    std::uint32_t body;
};

class fcl_peer : public box_peer {
  public:
    using box_peer::box_peer;

    void prepare(const scene &scene) override {
        box_peer::prepare(scene);
        const auto geometry = std::make_shared<fcl::Box<real>>(1, 1, 1);
        objects_.clear();
        objects_.reserve(boxes_->count);
        pointers_.clear();
        for (std::size_t n = 0; n < boxes_->count; n++) {
            objects_.emplace_back(geometry, *boxes_, n);
            pointers_.push_back(&objects_.back());
        }
    }

    std::size_t run() override {
        pairs_.clear();
        manager_ = make();
        manager_->registerObjects(pointers_);
        manager_->setup();
        manager_->collide(this, found);
        return pairs_.size();
    }

    void clear() override {
        manager_.reset();
    }

    void release() override {
        objects_ = {};
        pointers_ = {};
        box_peer::release();
    }

  protected:
    virtual std::unique_ptr<manager> make() = 0;

    std::vector<object *> pointers_;

  private:
    // Some of them report candidates whose boxes do not overlap.
    static bool found(object *a, object *b, void *self) {
        if (a->getAABB().overlap(b->getAABB())) {
            const std::uint32_t i = static_cast<boxed *>(a)->body, k = static_cast<boxed *>(b)->body;
            static_cast<fcl_peer *>(self)->pairs_.push_back({std::min(i, k), std::max(i, k)});
        }
        return false;
    }

    std::vector<boxed> objects_;
    std::unique_ptr<manager> manager_;
};

class tree : public fcl_peer {
    using fcl_peer::fcl_peer;
    std::unique_ptr<peer> another() const override {
        return std::make_unique<tree>(name());
    }
    std::unique_ptr<manager> make() override {
        return std::make_unique<fcl::DynamicAABBTreeCollisionManager<real>>();
    }
};

class sweep : public fcl_peer {
    using fcl_peer::fcl_peer;
    std::unique_ptr<peer> another() const override {
        return std::make_unique<sweep>(name());
    }
    std::unique_ptr<manager> make() override {
        return std::make_unique<fcl::SSaPCollisionManager<real>>();
    }
};

class hash : public fcl_peer {
    using fcl_peer::fcl_peer;
    std::unique_ptr<peer> another() const override {
        return std::make_unique<hash>(name());
    }
    std::unique_ptr<manager> make() override {
        vector3 least, greatest;
        fcl::SpatialHashingCollisionManager<real>::computeBound(pointers_, least, greatest);
        double width = 0;
        for (int axis = 0; axis < 3; axis++) {
            for (std::size_t n = 0; n < boxes_->count; n++) {
                width += double(boxes_->hi[axis][n]) - double(boxes_->lo[axis][n]);
            }
        }
        const double cell = 2 * width / 3 / double(boxes_->count);
        return std::make_unique<fcl::SpatialHashingCollisionManager<real>>(cell, least, greatest,
                                                                           unsigned(boxes_->count));
    }
};

} // namespace

void add_fcl(peer_list &list, unsigned threads) {
    if (threads == 1) {
        list.push_back(std::make_unique<tree>("fcl-tree"));
        list.push_back(std::make_unique<sweep>("fcl-ssap"));
        list.push_back(std::make_unique<hash>("fcl-hash"));
    }
}

std::string fcl_version() {
    return std::string("FCL ") + FCL_VERSION;
}

} // namespace peers
