/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* `carom gen`: writes a standard scene to a file, for programs that shall work on the same bodies. */
#ifndef CAROM_CLI_COMMAND_GEN_H
#define CAROM_CLI_COMMAND_GEN_H

#include "kernel/cli/invocation.h"
#include "kernel/cli/options.h"

/* `carom gen`; argv[0] is the command's name. */
carom_exit carom_command_gen(const carom_invocation *invocation, int argc, char **argv);

extern const carom_command carom_command_gen_description;

#endif
