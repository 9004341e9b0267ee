// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// Embree 3 step after step: one user geometry whose tree is refitted to the new boxes (RTC_BUILD_QUALITY_REFIT),
// always, or but for every sixteenth step, which builds it anew; and a tree of Morton codes that every step builds
// anew. Then rtcCollide of the scene with itself, as in embree.cpp. Bodies that mix make a refitted tree worse, step by
// step.
#include <cstdio>
#include <cstdlib>

#include "bench/peers/coherent_peer.h"
#include "bench/peers/embree_boxes.h"

namespace peers {
namespace {

class embree_steps : public coherent_peer {
  public:
    // `period`: every so many steps the tree is built anew; 0: never.
    embree_steps(const std::string &name, RTCBuildQuality quality, unsigned period)
        : coherent_peer(name), quality_(quality), period_(period), device_(rtcNewDevice("threads=1")) {
    }
    ~embree_steps() override {
        drop();
        rtcReleaseDevice(device_);
    }
    embree_steps(const embree_steps &) = delete;
    embree_steps &operator=(const embree_steps &) = delete;

    void prepare(const scene &scene) override {
        boxes_ = &scene.boxes;
        records_.resize(boxes_->count);
        steps_ = 0;
        drop();
        make();
    }

    std::size_t step() override {
        if (period_ != 0 && steps_ > 0 && steps_ % period_ == 0) {
            drop();
            make();
        }
        steps_++;
        fill(records_, *boxes_);
        rtcCommitGeometry(geometry_);
        rtcCommitScene(scene_);
        pairs_.clear();
        rtcCollide(scene_, scene_, callback, this);
        if (rtcGetDeviceError(device_) != RTC_ERROR_NONE) {
            std::fprintf(stderr, "carom_coherent_peers: embree reports an error\n");
            std::exit(4);
        }
        return pairs_.size();
    }

    const std::vector<pair> *pairs() const override {
        return &pairs_;
    }

  private:
    // Only in a scene of low quality does a geometry have a tree of its own, which can be refitted, and only a dynamic
    // scene keeps it.
    void make() {
        scene_ = rtcNewScene(device_);
        rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_DYNAMIC);
        rtcSetSceneBuildQuality(scene_, RTC_BUILD_QUALITY_LOW);
        geometry_ = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_USER);
        rtcSetGeometryBuildQuality(geometry_, quality_);
        rtcSetGeometryUserPrimitiveCount(geometry_, unsigned(boxes_->count));
        rtcSetGeometryUserData(geometry_, records_.data());
        rtcSetGeometryBoundsFunction(geometry_, embree_bounds, nullptr);
        rtcAttachGeometry(scene_, geometry_);
    }
    void drop() {
        if (scene_ != nullptr) {
            rtcReleaseGeometry(geometry_);
            rtcReleaseScene(scene_);
            scene_ = nullptr;
        }
    }

    static void callback(void *user, RTCCollision *collisions, unsigned count) {
        auto *self = static_cast<embree_steps *>(user);
        const embree_record *box = self->records_.data();
        for (unsigned n = 0; n < count; n++) {
            const unsigned i = collisions[n].primID0, k = collisions[n].primID1;
            if (i < k && overlap(box[i], box[k])) {
                self->pairs_.push_back({i, k});
            }
        }
    }

    RTCBuildQuality quality_;
    unsigned period_, steps_ = 0;
    RTCDevice device_;
    RTCScene scene_ = nullptr;
    RTCGeometry geometry_ = nullptr;
    const boxes *boxes_ = nullptr;
    std::vector<embree_record> records_;
    std::vector<pair> pairs_;
};

} // namespace

void add_coherent_embree(coherent_list &list) {
    list.push_back(std::make_unique<embree_steps>("embree-morton cold", RTC_BUILD_QUALITY_LOW, 0));
    list.push_back(std::make_unique<embree_steps>("embree-refit", RTC_BUILD_QUALITY_REFIT, 0));
    list.push_back(std::make_unique<embree_steps>("embree-refit-16", RTC_BUILD_QUALITY_REFIT, 16));
}

} // namespace peers
