/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* `carom run`: steps bodies that collide, and writes what happened. */
#ifndef CAROM_CLI_COMMAND_RUN_H
#define CAROM_CLI_COMMAND_RUN_H

#include "kernel/cli/invocation.h"
#include "kernel/cli/say.h"

/* argv[0] is "run". */
carom_exit carom_command_run(const carom_invocation *invocation, int argc, char **argv);

#endif
