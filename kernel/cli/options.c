/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* getopt_long does the splitting, and is told not to print anything: its messages do not say what there is instead.
 * The table of the command gives the names, the values and what each does. */
#include "kernel/cli/options.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "kernel/check/assert.h"

enum {
    OPTIONS_MAX = 48,  /* of one command, --help included */
    FIRST_VALUE = 256, /* getopt_long's value of option 0: above every character */
    HELP_WIDTH = 18    /* column of the help texts, after the two blanks of the indent */
};

carom_exit carom_options_refuse(const carom_command *command, const char *format, ...) {
    char message[2 * CAROM_WANTED_SIZE];
    va_list arguments;
    va_start(arguments, format);
    /* Names that a user typed may be long; the rest of the line is cut off. */
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    carom_say("%s: %s", command->name, message);
    fprintf(stderr, "Try: carom %s --help\n", command->name);
    return CAROM_EXIT_USAGE;
}

void carom_options_help(const carom_command *command) {
    printf("%s\n\nExamples:\n%s\nUsage:\n%s\nOptions:\n", command->summary, command->examples, command->usage);
    for (size_t index = 0; index < command->option_count; ++index) {
        const carom_option *option = &command->options[index];
        char label[CAROM_WANTED_SIZE];
        snprintf(label, sizeof label, "--%s%s%s", option->name, option->value != NULL ? " " : "",
                 option->value != NULL ? option->value : "");
        printf("  %-*s %s\n", HELP_WIDTH, label, option->help);
    }
    printf("  %-*s %s\n", HELP_WIDTH, "--help", "print this and exit");
    if (command->notes != NULL) {
        printf("\n%s", command->notes);
    }
}

/* The command's table as getopt_long wants it; values from FIRST_VALUE on are indices. */
static void fill_long_options(const carom_command *command, struct option long_options[OPTIONS_MAX + 1]) {
    CAROM_ASSERT(command->option_count < OPTIONS_MAX);
    for (size_t index = 0; index < command->option_count; ++index) {
        const carom_option *option = &command->options[index];
        long_options[index] = (struct option){
            .name = option->name,
            .has_arg = option->value != NULL ? required_argument : no_argument,
            .val = FIRST_VALUE + (int)index,
        };
    }
    long_options[command->option_count] = (struct option){.name = "help", .has_arg = no_argument, .val = 'h'};
    long_options[command->option_count + 1] = (struct option){0};
}

/* What getopt_long did not like: a missing value (found ':'), a value for a flag (optopt set), or an option that is
 * unknown or an ambiguous beginning. */
static carom_exit refuse_option(const carom_command *command, int found, const char *word) {
    if (found == ':') {
        return carom_options_refuse(command, "%s needs a value", word);
    }
    char letter[] = {'-', (char)optopt, '\0'};
    if (optopt > 0 && optopt < FIRST_VALUE && optopt != 'h') {
        word = letter; /* within a cluster like -abc, where argv[optind - 1] is another word */
    } else if (optopt >= FIRST_VALUE || optopt == 'h') {
        return carom_options_refuse(command, "%.*s takes no value", (int)strcspn(word, "="), word);
    }
    /* The names that there are. They are cut off if they do not fit, never overrun. */
    char names[2 * CAROM_WANTED_SIZE] = "";
    size_t used = 0;
    for (size_t index = 0; index < command->option_count; ++index) {
        const int length = snprintf(names + used, sizeof names - used, "--%s, ", command->options[index].name);
        used += (size_t)length < sizeof names - used ? (size_t)length : 0;
    }
    carom_say("%s: there is no option '%s'", command->name, word);
    fprintf(stderr, "Options: %s--help\n", names);
    return CAROM_EXIT_USAGE;
}

/* Every message about a value has the same form. */
static carom_exit apply(const carom_command *command, const carom_option *option, const char *value, void *into) {
    char wanted[CAROM_WANTED_SIZE] = "a value for it";
    if (option->set(into, value, wanted)) {
        return CAROM_EXIT_OK;
    }
    return value != NULL ? carom_options_refuse(command, "--%s: '%s' is not %s", option->name, value, wanted)
                         : carom_options_refuse(command, "--%s is not %s", option->name, wanted);
}

carom_exit carom_options_parse(const carom_command *command, int argc, char **argv, void *into, carom_parsed *parsed) {
    struct option long_options[OPTIONS_MAX + 1];
    fill_long_options(command, long_options);
    *parsed = (carom_parsed){.help = false};
    opterr = 0;
    optind = 0; /* GNU: starts afresh, whatever was parsed before */
    for (;;) {
        const int found = getopt_long(argc, argv, ":h", long_options, NULL);
        if (found == -1) {
            break;
        }
        if (found == 'h') {
            carom_options_help(command);
            parsed->help = true;
            return CAROM_EXIT_OK;
        }
        if (found < FIRST_VALUE) {
            return refuse_option(command, found, argv[optind - 1]);
        }
        const carom_exit outcome = apply(command, &command->options[found - FIRST_VALUE], optarg, into);
        if (outcome != CAROM_EXIT_OK) {
            return outcome;
        }
    }
    /* getopt_long has moved all operands behind the options. */
    parsed->count = argc - optind;
    parsed->operands = argv + optind;
    if ((size_t)parsed->count > command->operands) {
        return carom_options_refuse(command, "one argument too many: '%s'", parsed->operands[command->operands]);
    }
    return CAROM_EXIT_OK;
}
