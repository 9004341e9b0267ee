// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// Embree 3: one user geometry whose bounds are the boxes, a BVH built by Morton codes (quality low, for the geometry
// and for the scene) or by the surface area heuristic (medium), then rtcCollide of the scene with itself. The tree's
// bounds are conservative and rtcCollide hands over pairs of leaves, both ways round, so the callback tests the
// boxes and i < k. Device, scene and geometry are kept; every run commits the geometry and builds the tree anew.
#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "bench/peers/embree_boxes.h"

namespace peers {
namespace {

constexpr unsigned most_threads = 256;

// Pairs by thread: Embree calls back from any of its own. A thread takes a slot at its first call and keeps it.
std::atomic<unsigned> slots_taken{0};
thread_local unsigned slot = most_threads;

struct alignas(64) slot_pairs {
    std::vector<pair> pairs;
};

class embree : public box_peer {
  public:
    embree(const std::string &name, RTCBuildQuality quality, unsigned threads)
        : box_peer(name), quality_(quality), threads_(threads), found_(threads == 1 ? 1 : most_threads) {
    }
    ~embree() override {
        embree::release();
    }

    void prepare(const scene &scene) override {
        box_peer::prepare(scene);
        records_.resize(boxes_->count);
        char config[64];
        std::snprintf(config, sizeof config, "threads=%u", threads_);
        device_ = rtcNewDevice(config);
        scene_ = rtcNewScene(device_);
        rtcSetSceneBuildQuality(scene_, quality_);
        geometry_ = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_USER);
        rtcSetGeometryBuildQuality(geometry_, quality_);
        rtcSetGeometryUserPrimitiveCount(geometry_, unsigned(boxes_->count));
        rtcSetGeometryUserData(geometry_, records_.data());
        rtcSetGeometryBoundsFunction(geometry_, embree_bounds, nullptr);
        rtcAttachGeometry(scene_, geometry_);
    }

    std::unique_ptr<peer> another() const override {
        return std::make_unique<embree>(name(), quality_, threads_);
    }

    std::size_t run() override {
        fill(records_, *boxes_);
        rtcCommitGeometry(geometry_);
        rtcCommitScene(scene_);
        for (auto &found : found_) {
            found.pairs.clear();
        }
        rtcCollide(scene_, scene_, callback, this);
        if (rtcGetDeviceError(device_) != RTC_ERROR_NONE) {
            std::fprintf(stderr, "carom_peers: embree reports an error\n");
            std::exit(4);
        }
        return join();
    }

    void release() override {
        if (device_ != nullptr) {
            rtcReleaseGeometry(geometry_);
            rtcReleaseScene(scene_);
            rtcReleaseDevice(device_);
            device_ = nullptr;
        }
        records_ = {};
        for (auto &found : found_) {
            found.pairs = {};
        }
        box_peer::release();
    }

    const std::vector<pair> *pairs() const override {
        return found_.size() == 1 ? &found_[0].pairs : &pairs_;
    }

  private:
    static void callback(void *user, RTCCollision *collisions, unsigned count) {
        auto *self = static_cast<embree *>(user);
        const embree_record *box = self->records_.data();
        auto &pairs = self->found_[self->found_.size() == 1 ? 0 : own_slot()].pairs;
        for (unsigned n = 0; n < count; n++) {
            const unsigned i = collisions[n].primID0, k = collisions[n].primID1;
            if (i < k && overlap(box[i], box[k])) {
                pairs.push_back({i, k});
            }
        }
    }

    static unsigned own_slot() {
        if (slot == most_threads) {
            slot = slots_taken++;
            if (slot >= most_threads) {
                std::fprintf(stderr, "carom_peers: more threads than %u\n", most_threads);
                std::exit(4);
            }
        }
        return slot;
    }

    // One thread's pairs stay where they are; those of several are put together.
    std::size_t join() {
        if (found_.size() == 1) {
            return found_[0].pairs.size();
        }
        pairs_.clear();
        for (const auto &found : found_) {
            pairs_.insert(pairs_.end(), found.pairs.begin(), found.pairs.end());
        }
        return pairs_.size();
    }

    RTCBuildQuality quality_;
    unsigned threads_;
    RTCDevice device_ = nullptr;
    RTCScene scene_ = nullptr;
    RTCGeometry geometry_ = nullptr;
    std::vector<embree_record> records_;
    std::vector<slot_pairs> found_;
};

} // namespace

void add_embree(peer_list &list, unsigned threads) {
    list.push_back(std::make_unique<embree>("embree-morton", RTC_BUILD_QUALITY_LOW, threads));
    list.push_back(std::make_unique<embree>("embree-sah", RTC_BUILD_QUALITY_MEDIUM, threads));
}

std::string embree_version() {
    return std::string("Embree ") + RTC_VERSION_STRING;
}

} // namespace peers
