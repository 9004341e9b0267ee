/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The files that a command was given, checked before any is opened: nothing that is read may be written, and nothing
 * written twice. */
#ifndef CAROM_CLI_FILES_H
#define CAROM_CLI_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "kernel/cli/options.h"

/* A file to write. */
typedef struct carom_file_option {
    const char *option; /* its name, for messages: "--pairs" */
    const char *path;   /* NULL: not asked for */
} carom_file_option;

/* Complains and returns USAGE if an output is the input (NULL: there is none) or another output, under any name. */
carom_exit carom_files_check(const carom_command *command, const char *input, const carom_file_option *outputs,
                             size_t count);

/* Whether one of them is standard output, so that nothing else may go there. */
bool carom_files_use_stdout(const carom_file_option *outputs, size_t count);

#endif
