// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// Jolt's broad phase, a tree of four children a node: a run adds all bodies to an empty one in one batch, which builds
// the tree from the top down, and asks it for all pairs. The bodies are made once a scene, all dynamic and awake, each
// with a box shape a rounding error larger than its box; the callback tests the true boxes. An empty broad phase is
// made after each run, untimed. These classes are the inside of Jolt's PhysicsSystem: its own tests use them so.
#include <Jolt/Jolt.h>

#include <Jolt/Core/Factory.h>
#include <Jolt/Physics/Body/BodyCreationSettings.h>
#include <Jolt/Physics/Body/BodyManager.h>
#include <Jolt/Physics/Body/BodyPair.h>
#include <Jolt/Physics/Collision/BroadPhase/BroadPhaseQuadTree.h>
#include <Jolt/Physics/Collision/CollisionCollectorImpl.h>
#include <Jolt/Physics/Collision/Shape/BoxShape.h>
#include <Jolt/RegisterTypes.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bench/peers/peer.h"

namespace peers {
namespace {

// One layer for everything.
class one_layer : public JPH::BroadPhaseLayerInterface {
  public:
    JPH::uint GetNumBroadPhaseLayers() const override {
        return 1;
    }
    JPH::BroadPhaseLayer GetBroadPhaseLayer(JPH::ObjectLayer) const override {
        return JPH::BroadPhaseLayer(0);
    }
#if defined(JPH_EXTERNAL_PROFILE) || defined(JPH_PROFILE_ENABLED)
    const char *GetBroadPhaseLayerName(JPH::BroadPhaseLayer) const override {
        return "all";
    }
#endif
};

// Long-lived: what a program sets up once.
void start_jolt() {
    static bool started = false;
    if (!started) {
        JPH::RegisterDefaultAllocator();
        JPH::Factory::sInstance = new JPH::Factory;
        JPH::RegisterTypes();
        started = true;
    }
}

struct record {
    float lo[3], hi[3];
};

bool overlap(const record &a, const record &b) {
    return a.lo[0] <= b.hi[0] && b.lo[0] <= a.hi[0] && a.lo[1] <= b.hi[1] && b.lo[1] <= a.hi[1] && a.lo[2] <= b.hi[2] &&
           b.lo[2] <= a.hi[2];
}

// Bodies get their numbers in the order of the scene.
class collector : public JPH::BodyPairCollector {
  public:
    collector(const std::vector<record> &records, std::vector<pair> &pairs) : records_(records), pairs_(pairs) {
    }
    void AddHit(const JPH::BodyPair &found) override {
        const std::uint32_t a = found.mBodyA.GetIndex(), b = found.mBodyB.GetIndex();
        if (overlap(records_[a], records_[b])) {
            pairs_.push_back({std::min(a, b), std::max(a, b)});
        }
    }

  private:
    const std::vector<record> &records_;
    std::vector<pair> &pairs_;
};

// Half the width of a box around `middle` that surely holds lo and hi, whatever rounding does to middle +- half.
float half_width(float lo, float hi, float middle) {
    const float largest = std::max(std::abs(lo), std::abs(hi)) + (hi - lo);
    const float step = std::nextafter(largest, std::numeric_limits<float>::infinity()) - largest;
    return std::max(middle - lo, hi - middle) + 4 * step;
}

class quad_tree : public box_peer {
  public:
    using box_peer::box_peer;
    ~quad_tree() override {
        quad_tree::release();
    }

    void prepare(const scene &scene) override {
        release();
        start_jolt();
        box_peer::prepare(scene);
        manager_ = std::make_unique<JPH::BodyManager>();
        manager_->Init(JPH::uint(boxes_->count), 1, layers_);
        for (std::size_t n = 0; n < boxes_->count; n++) {
            add(n);
        }
        manager_->ActivateBodies(bodies_.data(), int(bodies_.size()));
        make_tree();
    }

    std::size_t run() override {
        const int count = int(bodies_.size());
        pairs_.clear();
        tree_->AddBodiesFinalize(bodies_.data(), count, tree_->AddBodiesPrepare(bodies_.data(), count));
        collector receiver(records_, pairs_);
        tree_->FindCollidingPairs(awake_.data(), count, 0, JPH::ObjectVsBroadPhaseLayerFilter(),
                                  JPH::ObjectLayerPairFilter(), receiver);
        return pairs_.size();
    }

    void clear() override {
        tree_->RemoveBodies(bodies_.data(), int(bodies_.size()));
        bodies_ = awake_; // adding and removing have changed their order
        make_tree();
    }

    void release() override {
        tree_.reset();
        if (manager_ != nullptr) {
            manager_->DeactivateBodies(awake_.data(), int(awake_.size()));
            manager_->DestroyBodies(awake_.data(), int(awake_.size()));
            manager_.reset();
        }
        bodies_ = {};
        awake_ = {};
        records_ = {};
        box_peer::release();
    }

  private:
    void make_tree() {
        tree_ = std::make_unique<JPH::BroadPhaseQuadTree>();
        tree_->Init(manager_.get(), layers_);
    }

    void add(std::size_t n) {
        record box;
        float middle[3], half[3];
        for (int axis = 0; axis < 3; axis++) {
            box.lo[axis] = boxes_->lo[axis][n];
            box.hi[axis] = boxes_->hi[axis][n];
            middle[axis] = box.lo[axis] / 2 + box.hi[axis] / 2;
            half[axis] = half_width(box.lo[axis], box.hi[axis], middle[axis]);
        }
        JPH::BodyCreationSettings settings(new JPH::BoxShape(JPH::Vec3(half[0], half[1], half[2]), 0),
                                           JPH::RVec3(middle[0], middle[1], middle[2]), JPH::Quat::sIdentity(),
                                           JPH::EMotionType::Dynamic, 0);
        JPH::Body *body = manager_->AllocateBody(settings);
        manager_->AddBody(body);
        records_.push_back(box);
        bodies_.push_back(body->GetID());
        awake_.push_back(body->GetID());
    }

    one_layer layers_;
    std::unique_ptr<JPH::BodyManager> manager_;
    std::unique_ptr<JPH::BroadPhaseQuadTree> tree_;
    std::vector<JPH::BodyID> bodies_, awake_;
    std::vector<record> records_;
};

} // namespace

void add_jolt(peer_list &list, unsigned threads) {
    if (threads == 1) {
        list.push_back(std::make_unique<quad_tree>("jolt-quadtree"));
    }
}

std::string jolt_version() {
    return "Jolt " + std::to_string(JPH_VERSION_MAJOR) + "." + std::to_string(JPH_VERSION_MINOR) + "." +
           std::to_string(JPH_VERSION_PATCH);
}

} // namespace peers
