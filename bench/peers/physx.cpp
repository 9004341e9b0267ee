// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// PhysX 5's automatic box pruning (ABP), through PxBroadPhase: bounds in arrays of the caller, made once a scene, with
// no distances. A run adds all bodies at once and fetches the pairs that came to be, which stay where PhysX keeps them.
// Afterwards, untimed, they are removed again: so the object, with its memory, lives on.
#include <PxBroadPhase.h>
#include <extensions/PxDefaultAllocator.h>
#include <foundation/PxErrorCallback.h>
#include <foundation/PxFoundation.h>
#include <foundation/PxPhysicsVersion.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>

#include "bench/peers/peer.h"

namespace peers {
namespace {

class end_on_error : public physx::PxErrorCallback {
    void reportError(physx::PxErrorCode::Enum, const char *message, const char *, int) override {
        std::fprintf(stderr, "carom_peers: PhysX: %s\n", message);
        std::exit(4);
    }
};

// Long-lived: one of a process.
void start_physx() {
    static physx::PxDefaultAllocator allocator;
    static end_on_error errors;
    static physx::PxFoundation *foundation = PxCreateFoundation(PX_PHYSICS_VERSION, allocator, errors);
    (void)foundation;
}

class abp : public box_peer {
  public:
    using box_peer::box_peer;
    ~abp() override {
        abp::release();
    }

    void prepare(const scene &scene) override {
        release();
        start_physx();
        box_peer::prepare(scene);
        // PhysX reads four bytes past the last one.
        bounds_.resize(boxes_->count + 1);
        for (std::size_t n = 0; n < boxes_->count; n++) {
            bounds_[n].minimum = physx::PxVec3(boxes_->lo[0][n], boxes_->lo[1][n], boxes_->lo[2][n]);
            bounds_[n].maximum = physx::PxVec3(boxes_->hi[0][n], boxes_->hi[1][n], boxes_->hi[2][n]);
            groups_.push_back(physx::PxGetBroadPhaseDynamicFilterGroup(physx::PxU32(n)));
        }
        distances_.assign(boxes_->count, 0);
        bodies_.resize(boxes_->count);
        std::iota(bodies_.begin(), bodies_.end(), 0U);
        phase_ = physx::PxCreateBroadPhase(physx::PxBroadPhaseDesc(physx::PxBroadPhaseType::eABP));
    }

    std::size_t run() override {
        update(bodies_.size(), 0);
        return results_.mNbCreatedPairs;
    }

    void clear() override {
        update(0, bodies_.size());
    }

    void release() override {
        if (phase_ != nullptr) {
            phase_->release();
            phase_ = nullptr;
        }
        bounds_ = {};
        groups_ = {};
        distances_ = {};
        bodies_ = {};
        results_ = {};
        copy_ = {};
        box_peer::release();
    }

    const std::vector<pair> *pairs() const override {
        copy_.clear();
        for (std::size_t n = 0; n < results_.mNbCreatedPairs; n++) {
            const physx::PxBroadPhasePair &found = results_.mCreatedPairs[n];
            copy_.push_back({std::min(found.mID0, found.mID1), std::max(found.mID0, found.mID1)});
        }
        return &copy_;
    }

  private:
    void update(std::size_t added, std::size_t removed) {
        using physx::PxU32;
        const physx::PxBroadPhaseUpdateData data(bodies_.data(), PxU32(added), nullptr, 0, bodies_.data(),
                                                 PxU32(removed), bounds_.data(), groups_.data(), distances_.data(),
                                                 PxU32(bodies_.size()));
        phase_->update(data);
        phase_->fetchResults(results_);
    }

    physx::PxBroadPhase *phase_ = nullptr;
    physx::PxBroadPhaseResults results_;
    std::vector<physx::PxBounds3> bounds_;
    std::vector<physx::PxBpFilterGroup> groups_;
    std::vector<float> distances_;
    std::vector<physx::PxBpIndex> bodies_;
    mutable std::vector<pair> copy_; // for who asks
};

} // namespace

void add_physx(peer_list &list, unsigned threads) {
    if (threads == 1) {
        list.push_back(std::make_unique<abp>("physx-abp"));
    }
}

std::string physx_version() {
    return "PhysX " + std::to_string(PX_PHYSICS_VERSION_MAJOR) + "." + std::to_string(PX_PHYSICS_VERSION_MINOR) + "." +
           std::to_string(PX_PHYSICS_VERSION_BUGFIX);
}

} // namespace peers
