/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* `carom info`: tells the version and the build, and checks that results on this machine are what they must be. */
#ifndef CAROM_CLI_COMMAND_INFO_H
#define CAROM_CLI_COMMAND_INFO_H

#include "kernel/cli/invocation.h"
#include "kernel/cli/options.h"

/* `carom info`; argv[0] is the command's name. */
carom_exit carom_command_info(const carom_invocation *invocation, int argc, char **argv);

extern const carom_command carom_command_info_description;

#endif
