// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// Carom's neighbour lists: counted, half, full, and with a contact row for each pair ("detect").
#include <cstdio>
#include <cstdlib>

#include "bench/peers/list_peer.h"

namespace peers {
namespace {

class carom_lists_peer : public list_peer {
  public:
    carom_lists_peer(const std::string &name, list_form form, unsigned threads) : list_peer(name, form) {
        carom_context_config config = carom_context_config_default();
        carom_error error;
        config.threads = threads;
        if (carom_context_create(&config, &context_, &error) != CAROM_OK) {
            fail(error);
        }
    }
    ~carom_lists_peer() override {
        carom_context_destroy(context_);
    }
    carom_lists_peer(const carom_lists_peer &) = delete;
    carom_lists_peer &operator=(const carom_lists_peer &) = delete;

    bool exact() const override {
        return true;
    }
    void prepare(const list_scene &scene) override {
        bodies_ = &scene.bodies;
    }
    void run() override {
        carom_list_config config = carom_list_config_default();
        carom_lists lists = {};
        carom_error error;
        config.count_only = form() == list_form::count;
        config.neighbours = form() == list_form::half ? CAROM_NEIGHBOURS_HALF : CAROM_NEIGHBOURS_FULL;
        if (carom_lists_f32(context_, bodies_, &config, &lists, &error) != CAROM_OK) {
            fail(error);
        }
        count_ = lists.count;
        offset_ = lists.offset;
        body_ = lists.body;
    }
    void release() override {
        bodies_ = nullptr;
    }
    std::size_t entries() const override {
        return count_;
    }
    std::vector<neighbour> listed() const override {
        std::vector<neighbour> all;
        for (std::uint32_t b = 0; b < bodies_->count && body_ != nullptr; b++) {
            for (std::uint64_t n = offset_[b]; n < offset_[b + 1]; n++) {
                all.push_back({b, body_[n]});
            }
        }
        return all;
    }

  protected:
    static void fail(const carom_error &error) {
        std::fprintf(stderr, "carom_list_peers: %s\n", error.message);
        std::exit(4);
    }

    carom_context *context_ = nullptr;
    const carom_bodies_f32 *bodies_ = nullptr;
    std::uint64_t count_ = 0;
    const std::uint64_t *offset_ = nullptr;
    const std::uint32_t *body_ = nullptr;
};

class carom_detect_peer : public carom_lists_peer {
  public:
    using carom_lists_peer::carom_lists_peer;
    void run() override {
        carom_detect_config config = carom_detect_config_default();
        carom_detection_f32 found = {};
        carom_error error;
        config.until = CAROM_UNTIL_APPROACH;
        config.neighbours = CAROM_NEIGHBOURS_FULL;
        if (carom_detect_f32(context_, bodies_, &config, nullptr, &found, &error) != CAROM_OK) {
            fail(error);
        }
        offset_ = found.neighbours.offset;
        body_ = found.neighbours.body;
        count_ = offset_[bodies_->count];
    }
};

} // namespace

void add_list_carom(list_peer_list &list, unsigned threads) {
    list.push_back(std::make_unique<carom_lists_peer>("carom-count", list_form::count, threads));
    list.push_back(std::make_unique<carom_lists_peer>("carom-half", list_form::half, threads));
    list.push_back(std::make_unique<carom_lists_peer>("carom-full", list_form::full, threads));
    list.push_back(std::make_unique<carom_detect_peer>("carom-detect", list_form::full, threads));
}

} // namespace peers
