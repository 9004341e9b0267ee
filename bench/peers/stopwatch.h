// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

#ifndef CAROM_PEERS_STOPWATCH_H
#define CAROM_PEERS_STOPWATCH_H

namespace peers {

// Processor time or time on the wall, less what reading it costs: that can be as long as a call with ten bodies.
class stopwatch {
  public:
    explicit stopwatch(bool cpu);
    void start();
    double seconds() const; // since start, >= 0

  private:
    double now() const;
    bool cpu_;
    double begin_ = 0, cost_ = 0;
};

} // namespace peers

#endif
