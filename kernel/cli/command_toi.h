/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* `carom toi`: times of impact of the pairs of a file. */
#ifndef CAROM_CLI_COMMAND_TOI_H
#define CAROM_CLI_COMMAND_TOI_H

#include "kernel/cli/invocation.h"

/* argv[0] is the command's name. */
carom_exit carom_command_toi(const carom_invocation *invocation, int argc, char **argv);

#endif
