/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A C++ program includes the public headers as they are and links the library: guards their extern "C". */
#include <carom/carom.h>

namespace {

bool keep(void *user, const carom_block_f64 *block) {
    *static_cast<unsigned *>(user) += block->count;
    return true;
}

} // namespace

int main() {
    const double x0[] = {0, 10, 50};
    const double x1[] = {4, 4, 50};
    const double zero[3] = {};
    const double radius[] = {1, 1, 1};
    carom_bodies_f64 bodies{};
    bodies.count = 3;
    for (int a = 0; a < 3; a++) {
        bodies.prev[a] = a == 0 ? x0 : zero;
        bodies.curr[a] = a == 0 ? x1 : zero;
    }
    bodies.radius = radius;
    unsigned pairs = 0;
    carom_detect_output_f64 output{};
    output.sink = keep;
    output.sink_user = &pairs;
    carom_context *context = nullptr;
    carom_detection_f64 found{};
    carom_error error;
    const bool good = carom_context_create(nullptr, &context, &error) == CAROM_OK &&
                      carom_detect_f64(context, &bodies, nullptr, &output, &found, &error) == CAROM_OK && pairs == 1 &&
                      found.summary.touching_pairs == 1;
    carom_context_destroy(context);
    return good ? 0 : 1;
}
