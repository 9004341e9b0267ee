/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A sub-command's options as one table, from which both the parser (getopt_long) and the help text are made, so that
 * the two cannot disagree. */
#ifndef CAROM_CLI_OPTIONS_H
#define CAROM_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "kernel/cli/say.h"

/* Bytes of a sentence about a wrong value. */
enum { CAROM_WANTED_SIZE = 256 };

/* One option. */
typedef struct carom_option {
    const char *name;  /* without the dashes */
    const char *value; /* the value's name in the help, or NULL for a flag */
    const char *help;
    /* Stores the value (NULL for a flag) in the command's own struct. False if it is not valid; then `wanted` holds
     * what goes after "is not ", with what there is: "a precision; there are f32, f64". */
    bool (*set)(void *into, const char *value, char wanted[CAROM_WANTED_SIZE]);
} carom_option;

/* A sub-command, as far as its help and its parser go. main.c knows which function runs it. */
typedef struct carom_command {
    const char *name;            /* the word after carom */
    const char *summary;         /* one sentence */
    const char *examples;        /* lines, indented by two */
    const char *usage;           /* lines, indented by two */
    const char *notes;           /* paragraphs after the options, or NULL */
    const carom_option *options; /* without --help, which all have */
    size_t option_count;
    size_t operands; /* arguments that are not options, at most */
} carom_command;

/* What is left after the options. */
typedef struct carom_parsed {
    bool help;       /* the help was asked for, and printed: nothing more to do */
    int count;       /* operands */
    char **operands; /* within argv */
} carom_parsed;

/* Parses argv[1] and on. Complains on stderr and returns USAGE at the first mistake. */
carom_exit carom_options_parse(const carom_command *command, int argc, char **argv, void *into, carom_parsed *parsed);

/* Prints the help on stdout, examples first. */
void carom_options_help(const carom_command *command);

/* "carom NAME: message" and where to find help. Returns USAGE. */
carom_exit carom_options_refuse(const carom_command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
