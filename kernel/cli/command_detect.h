/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* `carom detect`: makes or reads bodies, detects in them with a context of its own, and reports what was found and
 * how long it took. */
#ifndef CAROM_CLI_COMMAND_DETECT_H
#define CAROM_CLI_COMMAND_DETECT_H

#include "kernel/cli/invocation.h"
#include "kernel/cli/options.h"

/* `carom detect`; argv[0] is the command's name. */
carom_exit carom_command_detect(const carom_invocation *invocation, int argc, char **argv);

#endif
