// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// Carom's batch calls, on one thread, from bodies to rows: in float and in double, and in float with AVX2 where another
// instruction set is the best.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "bench/peers/shape_peer.h"

extern "C" {
#include "carom/carom.h"
#include "carom/distance.h"
#include "carom/toi.h"
}

namespace peers {
namespace {

void require(carom_status status, const carom_error &error) {
    if (status != CAROM_OK) {
        std::fprintf(stderr, "carom_shape_peers: Carom: %s\n", error.message);
        std::exit(4);
    }
}

// The calls and types of a precision.
struct f32 {
    using bodies = carom_bodies_f32;
    using gap = carom_gap_f32;
    using manifold = carom_manifold_f32;
    using impact = carom_toi_f32;
    static constexpr auto bodies_of = carom_shape_pairs_bodies_f32;
    static constexpr auto distances = carom_distance_pairs_f32;
    static constexpr auto impacts = carom_toi_pairs_f32;
};

struct f64 {
    using bodies = carom_bodies_f64;
    using gap = carom_gap_f64;
    using manifold = carom_manifold_f64;
    using impact = carom_toi_f64;
    static constexpr auto bodies_of = carom_shape_pairs_bodies_f64;
    static constexpr auto distances = carom_distance_pairs_f64;
    static constexpr auto impacts = carom_toi_pairs_f64;
};

template <typename REAL> class carom_shape_peer : public shape_peer {
  public:
    carom_shape_peer(const std::string &name, const char *isa) : shape_peer(name) {
        carom_context_config config = carom_context_config_default();
        carom_error error;
        config.threads = 1;
        config.isa = isa;
        require(carom_context_create(&config, &context_, &error), error);
    }
    ~carom_shape_peer() override {
        release();
        carom_context_destroy(context_);
    }
    carom_shape_peer(const carom_shape_peer &) = delete;
    carom_shape_peer &operator=(const carom_shape_peer &) = delete;

    bool offers(const carom_pair_kind &, question) const override {
        return true;
    }

    void prepare(const carom_shape_pairs &pairs, question what) override {
        carom_error error;
        pairs_ = &pairs;
        what_ = what;
        require(carom_shapes_create(pairs.shape, pairs.shape_count, nullptr, &shapes_, &error), error);
        bodies_ = REAL::bodies_of(&pairs, shapes_);
        config_ = carom_distance_config_default();
        config_.detail = what == question::state      ? CAROM_GAP_STATE
                         : what == question::distance ? CAROM_GAP_CLEARANCE
                                                      : CAROM_GAP_CONTACT;
        states_.resize(what == question::state ? pairs.config.count : 0);
        config_.states = states_.empty() ? nullptr : states_.data();
        gaps_.resize(what == question::toi || what == question::state ? 0 : pairs.config.count);
        manifolds_.resize(what == question::manifold ? pairs.config.count : 0);
        impacts_.resize(what == question::toi ? pairs.config.count : 0);
    }

    void run() override {
        carom_error error;
        if (what_ == question::toi) {
            require(REAL::impacts(context_, &bodies_, pairs_->i, pairs_->k, pairs_->config.count, nullptr,
                                  impacts_.data(), &error),
                    error);
        } else {
            require(REAL::distances(context_, &bodies_, pairs_->i, pairs_->k, pairs_->config.count, &config_,
                                    gaps_.empty() ? nullptr : gaps_.data(),
                                    manifolds_.empty() ? nullptr : manifolds_.data(), &error),
                    error);
        }
    }

    answer read(std::size_t n) const override {
        if (what_ == question::toi) {
            return {impacts_[n].state != CAROM_TOI_NONE, true, double(impacts_[n].t)};
        }
        if (what_ == question::state) {
            return {states_[n] != CAROM_GAP_SEPARATED, false, 0};
        }
        return {gaps_[n].state != CAROM_GAP_SEPARATED, true, double(gaps_[n].distance)};
    }

    void release() override {
        carom_shapes_destroy(shapes_);
        shapes_ = nullptr;
        gaps_.clear();
        states_.clear();
        manifolds_.clear();
        impacts_.clear();
    }

  private:
    carom_context *context_ = nullptr;
    carom_shapes *shapes_ = nullptr;
    const carom_shape_pairs *pairs_ = nullptr;
    question what_ = question::state;
    carom_distance_config config_{};
    typename REAL::bodies bodies_{};
    std::vector<typename REAL::gap> gaps_;
    std::vector<std::uint8_t> states_;
    std::vector<typename REAL::manifold> manifolds_;
    std::vector<typename REAL::impact> impacts_;
};

} // namespace

void add_carom_shapes(shape_peer_list &list) {
    const char *isas[8];
    const std::size_t count = carom_isa_available(isas, 8);
    list.push_back(std::make_unique<carom_shape_peer<f32>>("carom-f32", nullptr));
    list.push_back(std::make_unique<carom_shape_peer<f64>>("carom-f64", nullptr));
    for (std::size_t n = 1; n < count && n < 8; n++) {
        if (std::strcmp(isas[n], "avx2") == 0) {
            list.push_back(std::make_unique<carom_shape_peer<f32>>("carom-f32-avx2", isas[n]));
        }
    }
}

} // namespace peers
