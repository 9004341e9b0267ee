// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// Carom's coherent detection, until pairs and until groups, through its public calls.
#include <cstdio>
#include <cstdlib>

#include "bench/peers/coherent_peer.h"

namespace peers {
namespace {

class carom_coherent : public coherent_peer {
  public:
    carom_coherent(const std::string &name, carom_until until) : coherent_peer(name) {
        carom_context_config config = carom_context_config_default();
        carom_error error;
        config.threads = 1;
        detect_.until = until;
        if (carom_context_create(&config, &context_, &error) != CAROM_OK ||
            carom_coherent_create_f32(context_, nullptr, &kept_, &error) != CAROM_OK) {
            fail(error);
        }
    }
    ~carom_coherent() override {
        carom_coherent_destroy_f32(kept_);
        carom_context_destroy(context_);
    }
    carom_coherent(const carom_coherent &) = delete;
    carom_coherent &operator=(const carom_coherent &) = delete;

    void prepare(const scene &scene) override {
        bodies_ = &scene.bodies;
        carom_coherent_reset_f32(kept_);
    }
    std::size_t step() override {
        carom_detection_f32 found = {};
        carom_error error;
        if (carom_coherent_detect_f32(kept_, bodies_, &detect_, nullptr, &found, nullptr, &error) != CAROM_OK) {
            fail(error);
        }
        return found.summary.box_pairs;
    }
    bool widens() const override {
        return true;
    }

  private:
    static void fail(const carom_error &error) {
        std::fprintf(stderr, "carom_coherent_peers: %s\n", error.message);
        std::exit(4);
    }

    carom_context *context_ = nullptr;
    carom_coherent_f32 *kept_ = nullptr;
    carom_detect_config detect_ = carom_detect_config_default();
    const carom_bodies_f32 *bodies_ = nullptr;
};

} // namespace

void add_coherent_carom(coherent_list &list) {
    list.push_back(std::make_unique<carom_coherent>("carom-groups coherent", CAROM_UNTIL_GROUPS));
    list.push_back(std::make_unique<carom_coherent>("carom-pairs coherent", CAROM_UNTIL_PAIRS));
}

} // namespace peers
