// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// Steps in the exact order of time: carom_step_f64 on one thread, and the plain event queue beside it.
#include <cstdio>
#include <cstdlib>

#include "bench/peers/stepper.h"

extern "C" {
#include "carom/carom.h"
#include "tests/support/cell_queue.h"
}

namespace peers {
namespace {

// Both step packed arrays in place.
class exact_stepper : public stepper {
  public:
    using stepper::stepper;
    void load(const moving &bodies) override {
        bodies_ = bodies;
        motion_ = {};
        motion_.size = sizeof motion_;
        motion_.count = bodies_.count();
        motion_.radius = bodies_.radius.data();
        for (int a = 0; a < 3; a++) {
            motion_.position[a] = bodies_.x[a].data();
            motion_.velocity[a] = bodies_.v[a].data();
        }
    }
    void read(moving &bodies) const override {
        bodies = bodies_;
    }
    void release() override {
        bodies_ = {};
    }

  protected:
    moving bodies_;
    carom_motion_f64 motion_{};
};

class carom_stepper : public exact_stepper {
  public:
    carom_stepper() : exact_stepper("carom") {
        carom_context_config config = carom_context_config_default();
        carom_error error;
        config.threads = 1;
        if (carom_context_create(&config, &context_, &error) != CAROM_OK) {
            fail(error);
        }
    }
    ~carom_stepper() override {
        carom_context_destroy(context_);
    }
    carom_stepper(const carom_stepper &) = delete;
    carom_stepper &operator=(const carom_stepper &) = delete;

    void step() override {
        carom_error error;
        report_ = {};
        if (carom_step_f64(context_, &motion_, nullptr, &report_, &error) != CAROM_OK) {
            fail(error);
        }
    }
    std::uint64_t impacts() const override {
        return report_.impacts;
    }

  private:
    static void fail(const carom_error &error) {
        std::fprintf(stderr, "carom: %s\n", error.message);
        std::exit(4);
    }

    carom_context *context_ = nullptr;
    carom_step_report report_{};
};

class queue_stepper : public exact_stepper {
  public:
    queue_stepper() : exact_stepper("queue"), queue_(cell_queue_create()) {
    }
    ~queue_stepper() override {
        cell_queue_destroy(queue_);
    }
    queue_stepper(const queue_stepper &) = delete;
    queue_stepper &operator=(const queue_stepper &) = delete;

    void step() override {
        cell_queue_step(queue_, &motion_);
    }
    std::uint64_t impacts() const override {
        return cell_queue_impacts(queue_);
    }

  private:
    cell_queue *queue_;
};

} // namespace

void add_carom_stepper(stepper_list &list) {
    list.push_back(std::make_unique<carom_stepper>());
}

void add_queue_stepper(stepper_list &list) {
    list.push_back(std::make_unique<queue_stepper>());
}

} // namespace peers
