// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// Values of command-line options.
#ifndef CAROM_PEERS_ARGUMENTS_H
#define CAROM_PEERS_ARGUMENTS_H

#include <string>
#include <vector>

namespace peers {

// The parts between commas; at least one, which may be empty.
std::vector<std::string> split(const std::string &text);

// Throws std::invalid_argument if the text is no number of this range.
double number(const std::string &text, double least, double greatest);

} // namespace peers

#endif
