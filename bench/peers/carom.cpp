// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// Carom itself, through its public calls, with a warm context: the whole detection from bodies to contacts and groups,
// and the broad phase alone, from bodies to stored pairs. Its times include making the boxes, which its peers are
// given. Its boxes are rounded outward by a float step, so it may report a few pairs more
// (one in 3000 on the column of 100,000, whose far ends have coarse floats).
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "bench/peers/peer.h"

namespace peers {
namespace {

class carom_peer : public peer {
  public:
    carom_peer(const std::string &name, carom_until until, unsigned threads, const char *isa) : peer(name) {
        carom_context_config config = carom_context_config_default();
        carom_error error;
        config.threads = threads;
        config.isa = isa;
        detect_ = carom_detect_config_default();
        detect_.until = until;
        if (carom_context_create(&config, &context_, &error) != CAROM_OK) {
            fail(error);
        }
    }
    ~carom_peer() override {
        carom_context_destroy(context_);
    }
    carom_peer(const carom_peer &) = delete;
    carom_peer &operator=(const carom_peer &) = delete;

    void prepare(const scene &scene) override {
        bodies_ = &scene.bodies;
    }
    std::size_t run() override {
        carom_detection_f32 found = {};
        carom_error error;
        if (carom_detect_f32(context_, bodies_, &detect_, nullptr, &found, &error) != CAROM_OK) {
            fail(error);
        }
        return found.summary.box_pairs;
    }
    void release() override {
        bodies_ = nullptr;
    }
    bool widens() const override {
        return true;
    }

  private:
    static void fail(const carom_error &error) {
        std::fprintf(stderr, "carom_peers: %s\n", error.message);
        std::exit(4);
    }

    carom_context *context_ = nullptr;
    carom_detect_config detect_{};
    const carom_bodies_f32 *bodies_ = nullptr;
};

void add(peer_list &list, unsigned threads, const char *isa) {
    const std::string suffix = isa != nullptr ? std::string("-") + isa : "";
    list.push_back(std::make_unique<carom_peer>("carom-groups" + suffix, CAROM_UNTIL_GROUPS, threads, isa));
    list.push_back(std::make_unique<carom_peer>("carom-pairs" + suffix, CAROM_UNTIL_PAIRS, threads, isa));
}

} // namespace

// The best instruction set, and AVX2 besides where that is another.
void add_carom(peer_list &list, unsigned threads) {
    const char *isas[8];
    const std::size_t count = carom_isa_available(isas, 8);
    add(list, threads, nullptr);
    for (std::size_t n = 1; n < count && n < 8; n++) {
        if (std::strcmp(isas[n], "avx2") == 0) {
            add(list, threads, isas[n]);
        }
    }
}

} // namespace peers
