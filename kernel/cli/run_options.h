/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* What `carom run` was asked to do. In come the words of the command line, out go options that go together as far as
 * that can be told before a file is read. */
#ifndef CAROM_CLI_RUN_OPTIONS_H
#define CAROM_CLI_RUN_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "kernel/cli/invocation.h"
#include "kernel/cli/options.h"
#include "kernel/cli/run_rules.h"
#include "kernel/cli/scene_options.h"
#include "kernel/io/format.h"

/* The bodies and what is around them. */
typedef struct carom_run_source {
    carom_scene_options scene; /* letter '\0': a file */
    const char *file;          /* "-": standard input; NULL: a scene */
    carom_format format;       /* of the file; UNKNOWN: told from its content */
    double radius;             /* of every body of the file, >= 0; NaN: the file's */
    const char *select;        /* glob for the names of the file's bodies; NULL: all */
    bool precise;              /* --precision was given */
    bool f64;                  /* bodies in double */
    bool walls;                /* six planes around the bodies */
    const char *periodic;      /* axes as given, of "xyz"; NULL: not given */
    bool along[3];             /* the same axes, one by one */
} carom_run_source;

/* What comes out, apart from the report. */
typedef struct carom_run_outputs {
    bool json;            /* the report as JSON, not as a table */
    bool pressure;        /* with the virial */
    const char *folder;   /* for frames; NULL: none */
    uint64_t every;       /* steps from frame to frame, >= 1; 0: not given */
    const char *events;   /* file to write, "-" for standard output, or NULL */
    const char *state;    /* the same */
    const char *snapshot; /* the same */
    bool to_stdout;       /* one of them is standard output: the report goes to stderr */
} carom_run_outputs;

typedef struct carom_run_options {
    const carom_invocation *invocation; /* for the report */
    carom_run_source source;
    carom_run_rules rules;
    uint32_t threads; /* 0: as many as the host allows */
    const char *isa;  /* NULL: the library's choice */
    carom_run_outputs output;
} carom_run_options;

/* Name, help and table of options of `carom run`. */
extern const carom_command carom_run_options_command;

/* Parses and checks. Complains and returns USAGE if something makes no sense. */
carom_exit carom_run_options_parse(const carom_invocation *invocation, int argc, char **argv,
                                   carom_run_options *options, bool *help);

/* Where the report goes. */
FILE *carom_run_options_stream(const carom_run_options *options);

#endif
