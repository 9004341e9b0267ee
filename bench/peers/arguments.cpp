// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

#include "bench/peers/arguments.h"

#include <malloc.h>

#include <algorithm>
#include <cstdio>
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

bool is_second(const std::string &text, const std::string &first, const std::string &second) {
    if (text != first && text != second) {
        throw std::invalid_argument("\"" + text + "\" is neither " + first + " nor " + second);
    }
    return text == second;
}

void read_options(int argc, char **argv, const option *known, const char *usage,
                  const std::function<void(const std::string &name, const std::string &value)> &set,
                  const std::function<void(int flag)> &flag) {
    int index = 0;
    for (int c; (c = getopt_long(argc, argv, "h", known, &index)) != -1;) {
        if (c == 'h') {
            std::fputs(usage, stdout);
            std::exit(0);
        } else if (c == '?') {
            throw std::invalid_argument("see the options");
        } else if (c == 0) {
            set(known[index].name, optarg);
        } else {
            flag(c);
        }
    }
    if (optind < argc) {
        throw std::invalid_argument(std::string("what is \"") + argv[optind] + "\"?");
    }
}

int run_program(const char *name, const char *usage, const std::function<int()> &run) {
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, -1);
    try {
        return run();
    } catch (const std::invalid_argument &error) {
        std::fprintf(stderr, "%s: %s\n%s", name, error.what(), usage);
        return 2;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s: %s\n", name, error.what());
        return 4;
    }
}

} // namespace peers
