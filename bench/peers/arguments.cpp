// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

#include "bench/peers/arguments.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace peers {

std::vector<std::string> split(const std::string &text) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

double number(const std::string &text, double least, double greatest) {
    char *end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !(value >= least && value <= greatest)) {
        throw std::invalid_argument("\"" + text + "\" is no number from " + std::to_string(least) + " to " +
                                    std::to_string(greatest));
    }
    return value;
}

} // namespace peers
