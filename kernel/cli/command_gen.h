/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#ifndef CAROM_CLI_COMMAND_GEN_H
#define CAROM_CLI_COMMAND_GEN_H

#include "kernel/cli/options.h"

/* `carom gen`; argv[0] is the command's name. */
carom_exit carom_command_gen(int argc, char **argv);

extern const carom_command carom_command_gen_description;

#endif
