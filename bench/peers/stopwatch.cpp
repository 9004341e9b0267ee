// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

#include "bench/peers/stopwatch.h"

#include <algorithm>
#include <ctime>
#include <vector>

namespace peers {

stopwatch::stopwatch(bool cpu) : cpu_(cpu) {
    std::vector<double> spans;
    for (int n = 0; n < 1001; n++) {
        start();
        spans.push_back(seconds());
    }
    std::nth_element(spans.begin(), spans.begin() + 500, spans.end());
    cost_ = spans[500];
}

double stopwatch::now() const {
    timespec t;
    clock_gettime(cpu_ ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

void stopwatch::start() {
    begin_ = now();
}

double stopwatch::seconds() const {
    return std::max(0.0, now() - begin_ - cost_);
}

} // namespace peers
