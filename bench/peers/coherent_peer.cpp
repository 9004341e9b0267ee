// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

#include "bench/peers/coherent_peer.h"

#include <cmath>
#include <stdexcept>

namespace peers {
namespace {

double mean_displacement(const carom_scene_f32 &s) {
    double sum = 0;
    for (std::uint64_t n = 0; n < s.count; n++) {
        double square = 0;
        for (int axis = 0; axis < 3; axis++) {
            const double d = double(s.curr[axis][n]) - double(s.prev[axis][n]);
            square += d * d;
        }
        sum += std::sqrt(square);
    }
    return sum / double(s.count);
}

// A peer that starts afresh in every step.
class cold : public coherent_peer {
  public:
    explicit cold(std::unique_ptr<peer> inner) : coherent_peer(inner->name() + " cold"), inner_(std::move(inner)) {
    }
    void prepare(const scene &scene) override {
        inner_->prepare(scene);
    }
    std::size_t step() override {
        return inner_->run();
    }
    bool widens() const override {
        return inner_->widens();
    }
    const std::vector<pair> *pairs() const override {
        return inner_->pairs();
    }

  private:
    std::unique_ptr<peer> inner_;
};

} // namespace

moving_boxes::moving_boxes(char letter, std::uint64_t count, std::uint64_t seed, double radii) {
    carom_status status = carom_scene_make(letter, count, seed, &made_);
    if (status == CAROM_OK) {
        status = carom_scene_motion_start(letter, radii / mean_displacement(made_), &made_, &motion_);
    }
    if (status != CAROM_OK) {
        carom_scene_release(&made_);
        throw std::runtime_error(std::string("no scene: ") + carom_status_name(status));
    }
    show();
}

moving_boxes::~moving_boxes() {
    carom_scene_motion_end(&motion_);
    carom_scene_release(&made_);
}

void moving_boxes::show() {
    bodies = carom_scene_bodies(&made_);
    make_boxes(made_, boxes);
}

void moving_boxes::go_on() {
    carom_scene_motion_step(&motion_, &made_);
    show();
}

coherent_list all_coherent_peers(std::size_t bodies) {
    coherent_list list;
    add_coherent_carom(list);
    for (auto &p : all_peers(1)) {
        if (p->another() == nullptr && bodies <= p->most_bodies()) {
            list.push_back(std::make_unique<cold>(std::move(p)));
        }
    }
#ifdef PEERS_EMBREE
    add_coherent_embree(list);
#endif
#ifdef PEERS_BULLET
    add_coherent_bullet(list);
#endif
    return list;
}

} // namespace peers
