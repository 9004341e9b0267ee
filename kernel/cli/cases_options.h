/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The command line of `carom distance` and `carom toi`. */
#ifndef CAROM_CLI_CASES_OPTIONS_H
#define CAROM_CLI_CASES_OPTIONS_H

#include "kernel/cli/cases_pair.h"
#include "kernel/cli/invocation.h"
#include "kernel/cli/options.h"

typedef struct carom_cases_options {
    const carom_invocation *invocation;
    const char *file;
    carom_cases_asked asked;
    bool json;
} carom_cases_options;

extern const carom_command carom_cases_options_distance;
extern const carom_command carom_cases_options_toi;

/* Parses the command line of one of these two. USAGE, with a message, for a wrong one; *help says that the help was
 * printed instead. */
carom_exit carom_cases_options_parse(const carom_command *command, const carom_invocation *invocation, int argc,
                                     char **argv, carom_cases_options *options, bool *help);

#endif
