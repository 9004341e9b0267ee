// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The Carom authors

// Command-line options, and what all programs do around them. What is wrong is thrown as std::invalid_argument.
#ifndef CAROM_PEERS_ARGUMENTS_H
#define CAROM_PEERS_ARGUMENTS_H

#include <getopt.h>

#include <functional>
#include <string>
#include <vector>

namespace peers {

// The parts between commas; at least one, which may be empty.
std::vector<std::string> split(const std::string &text);

// The text as a number of this range.
double number(const std::string &text, double least, double greatest);

// Whether the text is the second of two words; it must be one of them.
bool is_second(const std::string &text, const std::string &first, const std::string &second);

// Reads options as getopt_long describes them: an option with a value (val 0) goes to `set`, a flag to `flag` with its
// val. --help has the val 'h'; it prints the usage and ends the program.
void read_options(int argc, char **argv, const option *known, const char *usage,
                  const std::function<void(const std::string &name, const std::string &value)> &set,
                  const std::function<void(int flag)> &flag);

// Runs a program, whose memory malloc never gives back to the system: Carom's context keeps its memory from call to
// call, and so no peer pays for page faults that it does not pay for. Returns what `run` returns; 2 after bad arguments,
// whose message goes before the usage, and 4 after other exceptions.
int run_program(const char *name, const char *usage, const std::function<int()> &run);

} // namespace peers

#endif
