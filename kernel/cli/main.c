/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* The `carom` command: chooses the sub-command, and checks that what it printed has arrived. A command thus need not
 * look at the result of every printf. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "carom/version.h"
#include "kernel/cli/cases_options.h"
#include "kernel/cli/command_detect.h"
#include "kernel/cli/command_distance.h"
#include "kernel/cli/command_gen.h"
#include "kernel/cli/command_info.h"
#include "kernel/cli/command_run.h"
#include "kernel/cli/command_toi.h"
#include "kernel/cli/detect_options.h"
#include "kernel/cli/run_options.h"
#include "kernel/io/heap.h"
#include "kernel/io/unfinished.h"

/* A sub-command and what runs it: argv[0] is its name. */
typedef struct entry {
    const carom_command *command;
    carom_exit (*run)(const carom_invocation *invocation, int argc, char **argv);
} entry;

static const entry commands[] = {
    {&carom_detect_options_command, carom_command_detect},   {&carom_run_options_command, carom_command_run},
    {&carom_cases_options_distance, carom_command_distance}, {&carom_cases_options_toi, carom_command_toi},
    {&carom_command_gen_description, carom_command_gen},     {&carom_command_info_description, carom_command_info},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

/* Examples first: they are what most readers look for. */
static void print_help(FILE *stream) {
    fputs("Carom: collisions among very many moving spheres.\n\nExamples:\n", stream);
    for (size_t index = 0; index < COMMANDS; ++index) {
        fputs(commands[index].command->examples, stream);
    }
    fputs("\nUsage:\n  carom COMMAND [options]\n  carom help [COMMAND]\n  carom version\n\nCommands:\n", stream);
    for (size_t index = 0; index < COMMANDS; ++index) {
        fprintf(stream, "  %-8s %s\n", commands[index].command->name, commands[index].command->summary);
    }
    fputs("\n`carom help COMMAND` tells more about each.\n", stream);
}

/* A misspelt word gets the list of right ones, not the whole help. */
static carom_exit refuse(const char *word) {
    carom_say("there is no %s '%s'", word[0] == '-' ? "option" : "command", word);
    fputs("Commands: ", stderr);
    for (size_t index = 0; index < COMMANDS; ++index) {
        fprintf(stderr, "%s, ", commands[index].command->name);
    }
    fputs("help, version\n", stderr);
    return CAROM_EXIT_USAGE;
}

static const entry *find(const char *word) {
    for (size_t index = 0; index < COMMANDS; ++index) {
        if (strcmp(word, commands[index].command->name) == 0) {
            return &commands[index];
        }
    }
    return NULL;
}

/* `carom help`, and of one command. */
static carom_exit help(int argc, char **argv) {
    if (argc > 2) {
        carom_say("help: one argument too many: '%s'", argv[2]);
        return CAROM_EXIT_USAGE;
    }
    if (argc < 2) {
        print_help(stdout);
        return CAROM_EXIT_OK;
    }
    const entry *found = find(argv[1]);
    if (found == NULL) {
        return refuse(argv[1]);
    }
    carom_options_help(found->command);
    return CAROM_EXIT_OK;
}

static carom_exit version(int argc, char **argv) {
    if (argc > 1) {
        carom_say("version: one argument too many: '%s'", argv[1]);
        return CAROM_EXIT_USAGE;
    }
    printf("carom %s\n", carom_version());
    return CAROM_EXIT_OK;
}

static bool is_either(const char *word, const char *a, const char *b) {
    return strcmp(word, a) == 0 || strcmp(word, b) == 0;
}

/* The words of carom itself; all others belong to a sub-command. */
static carom_exit dispatch(const carom_invocation *invocation, int argc, char **argv) {
    if (argc < 2) {
        print_help(stderr);
        return CAROM_EXIT_USAGE;
    }
    const char *word = argv[1];
    if (is_either(word, "--help", "-h")) {
        return help(1, argv);
    }
    if (strcmp(word, "help") == 0) {
        return help(argc - 1, argv + 1);
    }
    if (is_either(word, "--version", "version")) {
        return version(argc - 1, argv + 1);
    }
    const entry *found = find(word);
    return found != NULL ? found->run(invocation, argc - 1, argv + 1) : refuse(word);
}

/* The parser of options moves words about; a report tells them in their order. */
static carom_exit dispatch_copy(int argc, char **argv) {
    const uint64_t bytes = ((uint64_t)argc + 1) * sizeof *argv;
    char **words = carom_heap_allocate(bytes);
    if (words == NULL) {
        carom_say("no memory for the command line");
        return CAROM_EXIT_RESOURCES;
    }
    memcpy(words, argv, bytes);
    const carom_invocation invocation = {
        .words = (const char *const *)argv, .count = (size_t)argc, .machine = carom_machine_look()};
    const carom_exit outcome = dispatch(&invocation, argc, words);
    carom_heap_release(words, bytes);
    return outcome;
}

int main(int argc, char **argv) {
    carom_unfinished_watch();
    const carom_exit outcome = dispatch_copy(argc, argv);
    /* A full disk may only show when the buffer is flushed; then errno has the reason. */
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        carom_say("cannot write to standard output: %s", errno != 0 ? strerror(errno) : "write error");
        return outcome != CAROM_EXIT_OK ? (int)outcome : CAROM_EXIT_RESOURCES;
    }
    return (int)outcome;
}
