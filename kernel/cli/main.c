/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The `carom` command: chooses the sub-command, and checks that what it printed has arrived. A command thus need not
 * look at the result of every printf. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "carom/version.h"
#include "kernel/cli/command_detect.h"
#include "kernel/cli/command_gen.h"
#include "kernel/cli/command_info.h"
#include "kernel/cli/detect_options.h"

/* A sub-command and what runs it: argv[0] is its name. */
typedef struct entry {
    const carom_command *command;
    carom_exit (*run)(int argc, char **argv);
} entry;

static const entry commands[] = {
    {&carom_detect_options_command, carom_command_detect},
    {&carom_command_gen_description, carom_command_gen},
    {&carom_command_info_description, carom_command_info},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

/* Examples first: they are what most readers look for. */
static void print_help(FILE *stream) {
    fputs("Carom: collisions among very many moving spheres.\n\nExamples:\n", stream);
    for (size_t index = 0; index < COMMANDS; ++index) {
        fputs(commands[index].command->examples, stream);
    }
    fputs("\nUsage:\n  carom COMMAND [options]\n  carom --help | --version\n\nCommands:\n", stream);
    for (size_t index = 0; index < COMMANDS; ++index) {
        fprintf(stream, "  %-8s %s\n", commands[index].command->name, commands[index].command->summary);
    }
    fputs("\n`carom COMMAND --help` tells more about each.\n", stream);
}

/* A misspelt word gets the list of right ones, not the whole help. */
static carom_exit refuse(const char *word) {
    carom_say("there is no %s '%s'", word[0] == '-' ? "option" : "command", word);
    fputs("Commands: ", stderr);
    for (size_t index = 0; index < COMMANDS; ++index) {
        fprintf(stderr, "%s, ", commands[index].command->name);
    }
    fputs("--help, --version\n", stderr);
    return CAROM_EXIT_USAGE;
}

/* The options of carom itself; all others belong to a sub-command. */
static carom_exit dispatch(int argc, char **argv) {
    if (argc < 2) {
        print_help(stderr);
        return CAROM_EXIT_USAGE;
    }
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        print_help(stdout);
        return CAROM_EXIT_OK;
    }
    if (strcmp(word, "--version") == 0) {
        printf("carom %s\n", carom_version());
        return CAROM_EXIT_OK;
    }
    for (size_t index = 0; index < COMMANDS; ++index) {
        if (strcmp(word, commands[index].command->name) == 0) {
            return commands[index].run(argc - 1, argv + 1);
        }
    }
    return refuse(word);
}

int main(int argc, char **argv) {
    const carom_exit outcome = dispatch(argc, argv);
    /* A full disk may only show when the buffer is flushed; then errno has the reason. */
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        carom_say("cannot write to standard output: %s", errno != 0 ? strerror(errno) : "write error");
        return outcome != CAROM_EXIT_OK ? (int)outcome : CAROM_EXIT_RESOURCES;
    }
    return (int)outcome;
}
